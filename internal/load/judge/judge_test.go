package judge_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// Each case is a module in which comments state the errors of their lines. Lines without a comment
// are accepted.
func TestJudge(t *testing.T) {
	loadtest.RunMarked(t, "testdata/judge", func(t *testing.T, c *loadtest.Case) hcl.Diagnostics {
		_, diags := c.Load(t, load.Options{})
		return diags
	})
}
