package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Return counts what becomes of the values of modules without some override files: by the file that
// has a value then, and those that are removed under "".
type Return map[string]int

// Add adds the changes of a module.
func (r Return) Add(blocks ...*changes.Block) {
	for _, b := range blocks {
		if b.IsNew {
			r[source.Where(b.Item.Live[0]).Filename]++
		} else if b.IsGone {
			r[""]++
		}
		for _, c := range b.Shown() {
			if c.After != nil {
				r[c.After.Place().Filename]++
			} else {
				r[""]++
			}
		}
	}
}

// Words words it: "Without dev_override.tf, 2 values go back to main.tf, 1 to b_override.tf; 1 is removed".
func (r Return) Words(without []string) string {
	text := "every value stays as it is"
	var back []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		switch n := r[name]; {
		case name == "":
			text = wording.Number(n, "value is removed", "values are removed")
		case len(back) == 0:
			back = append(back, wording.Number(n, "value goes", "values go")+" back to "+diag.Escape(name))
		default:
			back = append(back, fmt.Sprintf("%d to %s", n, diag.Escape(name)))
		}
	}
	if len(back) > 0 {
		text = wording.Some(back, ", ")
		if n := r[""]; n > 0 {
			text += "; " + wording.Number(n, "is removed", "are removed")
		}
	}
	return "Without " + diag.Escape(strings.Join(without, ", ")) + ", " + text
}
