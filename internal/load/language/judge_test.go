package language_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// Each case is a module in which every line says what is wrong with it. What says
// nothing is accepted.
func TestJudge(t *testing.T) {
	loadtest.RunMarked(t, "testdata/judge", func(t *testing.T, c *loadtest.Case) hcl.Diagnostics {
		_, diags := c.Load(t, load.Options{})
		return diags
	})
}
