package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
)

// Edits on which finding takes minutes where the work is not in proportion to them.
func TestHostileEdits(t *testing.T) {
	const many = 2_000
	times := func(format string) string {
		var out strings.Builder
		for i := range many {
			fmt.Fprintf(&out, format, i)
		}
		return out.String()
	}
	const head = "resource \"x_y\" \"z\" {\n"
	for _, c := range []struct {
		about, base, edited string
		left                int
	}{
		{"new blocks", "", times("resource \"x_y\" \"n%d\" {}\n"), many},
		{"removed blocks", times("resource \"x_y\" \"n%d\" {}\n"), "", many},
		{"moved blocks", "", times("moved {\n  from = x_y.a\n  to = x_y.b%[1]d\n}\n"), many},
		{"new local values", "", "locals {\n" + times("  n%d = 1\n") + "}\n", many},
		{"removed local values", "locals {\n" + times("  n%d = 1\n") + "}\n", "", many},
		{"changed local values", "locals {\n" + times("  n%d = 1\n") + "}\n", "locals {\n" + times("  n%d = 2\n") + "}\n", 0},
		{"arguments", head + "}\n", head + times("  n%d = 1\n") + "}\n", 0},
		{"removed arguments", head + times("  n%d = 1\n") + "}\n", head + "}\n", many},
		{"types of nested blocks", head + "}\n", head + times("  n%d {}\n") + "}\n", 0},
		{"nested blocks", head + "}\n", head + times("  n {\n    a = %d\n  }\n") + "}\n", 0},
		{"conditions", head + "}\n", head + "  lifecycle {\n" + times("    precondition {\n      condition = self.a == %d\n      error_message = \"no\"\n    }\n") + "  }\n}\n", 1},
		{"variables of other types", times("variable \"n%d\" {\n  type = number\n  default = 1\n}\n"), times("variable \"n%d\" {\n  type = bool\n}\n"), 2 * many},
		{"defaults that follow", times("variable \"n%d\" {\n  type = number\n  default = \"01\"\n}\n"), times("variable \"n%d\" {\n  type = string\n  default = \"1\"\n}\n"), 0},
	} {
		for _, newFile := range []string{"", "extra.tf"} {
			t.Run(c.about+newFile, func(t *testing.T) {
				base := map[string]string{"main.tf": c.base + "variable \"v\" {}\n"}
				edited := map[string]string{"main.tf": c.edited + "variable \"v\" {}\n"}
				r, err := find(base, edited, engine.Default(), extract.Options{NewFile: newFile})
				if err != nil {
					t.Fatal(err)
				}
				if n := len(r.Left); n != c.left && newFile == "" || n > c.left {
					t.Errorf("%d are left, want %d", n, c.left)
				}
			})
		}
	}
}
