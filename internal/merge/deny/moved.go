package deny

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// Numbers. A block or an element may have another number in the list that replaces it. A pattern
// that has the old one also matches what became of it, as package changes pairs the two lists;
// everything else compares them number by number.

// moved denies changes of what had a number that a pattern has, and has another one now, or none.
func (d *denial) moved(patterns map[*source.File]*address.Patterns, aliases address.AliasIndex) {
	isKnown := map[place]bool{}
	for _, f := range d.found {
		isKnown[place{file: f.Range.Filename, about: f.Address}] = true
		isKnown[placeOf(f.Range, f.Address)] = true
	}
	changes.Each(d.module, func(b *changes.Block) {
		for i := range b.Changes {
			c := &b.Changes[i]
			by := c.ByItem()
			if c.Before == nil || by == nil || !source.IsOverride(by) || !hasMoved(c.Path) {
				continue
			}
			if d.Patterns = patterns[by.Source()]; !d.HasIndex() || d.isAnyListed([]source.Item{by}) {
				continue
			}
			d.others = aliases.Of(c.Address)
			path, isMatch := d.follow(c)
			at := c.Address.Join(path)
			if isMatch && !isKnown[placeOf(c.By(), at)] && !isKnown[place{file: c.By().Filename, about: at}] {
				d.change(c, by, path)
			}
		}
	})
}

// hasMoved reports whether a block or an element on a path has another number now, or none.
func hasMoved(p *values.Path) bool {
	for ; p != nil; p = p.From {
		if p.IsIndex && p.Before != p.After {
			return true
		}
	}
	return false
}

// A place is where a finding is, and the address that it is about: without numbers, or without the
// exact position.
type place struct {
	file  string
	byte  int // from 1
	about address.Address
}

func placeOf(r hcl.Range, of address.Address) place {
	p := place{file: r.Filename, byte: r.Start.Byte + 1}
	for _, s := range of.Segments() {
		if !s.IsIndex() {
			p.about = p.about.Step(s)
		}
	}
	return p
}

// follow returns the path to a change with the numbers as they were. It reports whether a pattern
// matches these and not those as they are. What a dropped block holds doesn't count if the pattern
// matches the block.
func (d *denial) follow(c *changes.Change) (path address.Address, isMatch bool) {
	was := d.reach(c.Address)
	is, steps := was, c.Path.Steps()
	for i, s := range steps {
		old, now := segments.Named(s.Name), segments.Named(s.Name)
		if s.IsIndex {
			old, now = segments.At(s.Before), segments.At(s.After)
		}
		if was, path = d.Follow(was, old), path.Step(old); !s.IsIndex || s.After >= 0 {
			is = d.Follow(is, now)
		}
		if d.AreAt(is) {
			return path, false
		}
		isMatch = isMatch || d.AreAt(was) && (i == len(steps)-1 || !c.IsInside)
	}
	return path, isMatch
}

// change denies what became of something that has another number now.
func (d *denial) change(c *changes.Change, by source.Item, path address.Address) {
	dropped := ""
	if c.Kind() == changes.Dropped {
		dropped = fmt.Sprintf(", which this %s drops", noun(by))
	}
	d.note(layer{own: c.Address, item: c.Item, now: []source.Item{by}}, path, by,
		"The policy denies overrides of %s%s. Change it at %s instead.", c.Address.Join(path), dropped, diag.Place(c.Before.Place()))
	d.found[len(d.found)-1].Range = c.By()
}
