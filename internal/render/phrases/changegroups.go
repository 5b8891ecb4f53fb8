package phrases

import (
	"iter"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Changes as people read them below each other. A block or value that an override replaces as a
// whole is named once, with the override, and the changes in it stand below; so do the contents of
// a nested block that is added or dropped.

// GroupedLines words the changes of a block in groups, one after the other since there may be many.
func (m ModuleChanges) GroupedLines(b *changes.Block) iter.Seq[ChangeLine] {
	return func(yield func(ChangeLine) bool) {
		g := grouper{module: m, block: b}
		for rest := b.Changes; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Subject == rest[0].Subject {
				n++
			}
			if !g.subject(rest[:n], rest[n:], yield) {
				return
			}
			rest = rest[n:]
		}
	}
}

// A grouper words changes.
type grouper struct {
	module ModuleChanges
	block  *changes.Block
	// around are the possible parents of the next changes, from the outside in: the group, and
	// nested blocks that are added or dropped.
	around []enclosure
}

// An enclosure is an address or a group that changes are in.
type enclosure struct {
	name    address.Address
	isGroup bool
}

// subject words the changes of one subject, behind which others follow.
func (g *grouper) subject(list, others []changes.Change, yield func(ChangeLine) bool) bool {
	by, isGroup := g.replacement(list)
	keepsPlaces := false
	if isGroup {
		name := g.nameOf(list[0].Address)
		g.around = append(g.around[:0], enclosure{name, true})
		keepsPlaces = len(list[0].Item.Live) > 1
		if !yield(ChangeLine{Name: name.String(), Value: "replaced by " + by + g.module.outranked(&list[0]), IsGroup: true}) {
			return false
		}
	}
	for i := range list {
		next := others
		if i+1 < len(list) {
			next = list[i+1:]
		}
		if !yield(g.line(&list[i], next, keepsPlaces)) {
			return false
		}
	}
	if isGroup {
		g.around = g.around[:0]
	}
	return true
}

// replacement is where the override is that replaces a subject as a whole, if several changes come
// of that.
func (g *grouper) replacement(list []changes.Change) (by string, ok bool) {
	e := list[0].Item
	if g.block.IsBetween || len(e.Live) == 0 || !source.IsOverride(e.Live[0]) || e.Value != nil {
		return "", false
	}
	changed, isNew := 0, true
	for i := range list {
		c := &list[i]
		if c.By().Filename != e.Live[0].Source().Name {
			return "", false
		}
		if !c.IsInside {
			changed++
			isNew = isNew && c.Kind() == changes.Added && IsBlock(c.After)
		}
	}
	return wording.Place(e.Live[0]), changed > 1 && !isNew
}

// IsBlock reports whether a value is a nested block.
func IsBlock(v *values.Value) bool {
	_, ok := v.Item.(*source.Block)
	return ok && !v.IsPart
}

// nameOf is an address relative to the block's. A local value has an address without its block.
func (g *grouper) nameOf(own address.Address) address.Address {
	if name, ok := own.In(g.block.Address); ok && !name.IsEmpty() {
		return name
	}
	return own
}

// line words a change, which others follow.
func (g *grouper) line(c *changes.Change, next []changes.Change, keepsPlaces bool) ChangeLine {
	l := g.module.line(g.block, c)
	l.spread(g.module.Full)
	name := g.nameOf(c.Address).Join(c.Path.Address())
	around := g.leave(name, c.IsInside)
	if around != nil {
		rest, _ := name.In(around.name)
		l.Name = rest.String()
		if !around.isGroup || !keepsPlaces {
			l.By = ""
		}
	}
	l.Depth = len(g.around)
	side := c.After
	if side == nil {
		side = c.Before
	}
	if (c.Before == nil || c.After == nil) && IsBlock(side) {
		isOpen := len(next) > 0 && next[0].IsInside
		if isOpen {
			g.around = append(g.around, enclosure{name: name})
		}
		if b := side.Item.(*source.Block); isOpen || b.Extent().Start.Line == b.Extent().End.Line {
			l.Value = wording.BlockNoun(b)
			// The name may include the block's type.
			if last, _, _ := strings.Cut(l.Name[strings.LastIndexByte(l.Name, '.')+1:], "["); last == b.Type {
				l.Value = strings.TrimPrefix(l.Value, diag.Escape(b.Type)+" ")
			}
		}
	}
	return l
}

// leave leaves the parents that don't contain a name, and returns the one that does, or nil.
func (g *grouper) leave(name address.Address, isInside bool) *enclosure {
	for n := len(g.around); n > 0; n-- {
		at := &g.around[n-1]
		if _, isIn := name.In(at.name); isIn && (at.isGroup || isInside) {
			return at
		}
		g.around = g.around[:n-1]
	}
	return nil
}
