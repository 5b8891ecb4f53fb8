package address

import (
	"slices"
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A concern reports which diagnostics are about targets.
type concern struct {
	items cover // the items in the targets' histories
	tops  cover // the top-level blocks around that
}

// NewConcern makes the Concern of targets.
func NewConcern(targets []Target) *concern {
	c := &concern{cover{}, cover{}}
	for _, t := range targets {
		for _, s := range t.Item.Steps {
			if s.Item != nil {
				c.items.add(s.Item)
				c.tops.add(source.Top(s.Item))
			}
		}
	}
	c.items.normalize()
	c.tops.normalize()
	return c
}

// IsAbout reports whether a diagnostic, with ranges as users see them, is about the items in the
// targets' histories; for an error, about one of the top-level blocks around them.
func (c *concern) IsAbout(d *hcl.Diagnostic) bool {
	in := c.items
	if d.Severity == hcl.DiagError {
		in = c.tops
	}
	related, ok := diag.RelatedOf(d)
	return d.Subject != nil && in.has(*d.Subject) || ok && !related.IsHint && in.has(related.Range)
}

// A cover is stretches of files, by their names.
type cover map[string][]stretch

// A stretch is bytes of a file as it is given.
type stretch struct{ from, to int }

func (c cover) add(it source.Item) {
	from, to := source.Spread(it)
	name := it.Source().Name
	if n := len(c[name]); n > 0 && c[name][n-1] == (stretch{from, to}) {
		return
	}
	c[name] = append(c[name], stretch{from, to})
}

// normalize puts the stretches in order and makes one of those that overlap.
func (c cover) normalize() {
	for name, list := range c {
		slices.SortFunc(list, func(a, b stretch) int { return a.from - b.from })
		whole := list[:1]
		for _, s := range list[1:] {
			if last := &whole[len(whole)-1]; s.from <= last.to {
				last.to = max(last.to, s.to)
			} else {
				whole = append(whole, s)
			}
		}
		c[name] = whole
	}
}

// has reports whether a range starts in one of the stretches.
func (c cover) has(r hcl.Range) bool {
	list, at := c[r.Filename], r.Start.Byte
	i := sort.Search(len(list), func(i int) bool { return at < list[i].to })
	return i < len(list) && list[i].from <= at
}
