package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// Each of many small defaults may get what a large type fills in. Where that is too much work the
// module is refused, and no key that an override drops counts as filled in.
func TestDefaultsOfALargeType(t *testing.T) {
	for _, name := range []string{"opentofu@1.12.6", "opentofu@1.13.0-beta1"} {
		e, err := engine.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		loadtest.Linear(t, name, 250, func(size int) {
			var typ, overrides strings.Builder
			for i := range size {
				fmt.Fprintf(&typ, "a%d = optional(string, \"x\")\n", i)
				fmt.Fprintf(&overrides, "variable \"v\" {\n  default = { a%d = \"y\" }\n}\n", i)
			}
			text := "-- main.tf --\nvariable \"v\" {\n  type = object({\n" + typ.String() + "})\n  default = {}\n}\n-- override.tf --\n" + overrides.String()
			m, diags := mergetest.ArchiveAs(t, text, e)
			Findings(m, diags, func(string) bool { return true })
		})
	}
}
