package changes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Each case is a module and the changes by its overrides: a line for each change, with the
// locations of both values and of the item that made it.
func TestOf(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(loadtest.Messages(diags))
		}
		return map[string]string{"changes": listed(Of(m))}
	})
}

var signs = map[Kind]string{Changed: "~", Added: "+", Dropped: "-"}

func listed(list []*Block) string {
	var out strings.Builder
	for _, b := range list {
		fmt.Fprintf(&out, "%s", b.Address)
		if b.IsNew {
			out.WriteString(" is new")
		}
		out.WriteString("\n")
		for i := range b.Changes {
			c := &b.Changes[i]
			indent := "  "
			if c.IsInside {
				indent = "    "
			}
			fmt.Fprintf(&out, "%s%s %s", indent, signs[c.Kind()], c.Address.Join(c.Name()))
			for _, v := range []*values.Value{c.Before, c.After} {
				if v != nil {
					fmt.Fprintf(&out, "  %s at %s", oneLine(v.Text()), place(v.Place()))
				}
			}
			fmt.Fprintf(&out, "  by %s\n", place(c.By()))
		}
	}
	return out.String()
}

func place(r hcl.Range) string { return fmt.Sprintf("%s:%d", r.Filename, r.Start.Line) }

func oneLine(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }
