package values_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Blocks that nest deep, and very many in one, are looked into in proportion to their text.
func TestLackingOfMany(t *testing.T) {
	deep := func(last string) string {
		return strings.Repeat("x {\nv = 1\n", 900) + last + strings.Repeat("}\n", 900)
	}
	many := func(each string) string {
		var out strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&out, "y {\n%s%d = { %[1]s = %d }\n}\n", each, i%1000, i)
		}
		return "x {\n" + out.String() + "}\n"
	}
	for _, c := range []struct {
		about, before, after string
		want                 int
	}{
		{"deep blocks that differ at the end", deep("w = 1\n"), deep(""), 0},
		{"deep blocks that are gone", deep(""), "x {\nw = 1\n}\n", 2},
		{"many blocks of other names", many("a"), many("b"), 1000},
		{"many blocks of the same names", many("a"), many("a"), 0},
		{"many fewer blocks", many("a"), "x {\ny {\na1 = {}\n}\n}\n", 1001},
	} {
		m := mergetest.Archive(t, files(c.before, c.after))
		var items [2][]source.Item
		for i := range items {
			items[i] = m.Source.Files[i].Block(0).Items()
		}
		if got := values.Lacking(m.Source, items[1], items[0]); len(got) != c.want {
			t.Errorf("%s: %d parts, want %d", c.about, len(got), c.want)
		}
	}
}
