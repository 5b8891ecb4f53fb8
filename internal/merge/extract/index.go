package extract

import (
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// An index finds the merged items of blocks of a module: by their addresses, and by the source
// items of their histories.
type index struct {
	module *merge.Module
	of     map[address.Address]*merge.MergedItem
	own    map[*merge.MergedItem]address.Address
	owner  map[source.Item]*merge.MergedItem
	rank   map[address.Address]int
}

func indexOf(m *merge.Module, mayDiffer func(f *source.File, i int) bool) *index {
	x := &index{
		module: m,
		of:     map[address.Address]*merge.MergedItem{},
		own:    map[*merge.MergedItem]address.Address{},
		owner:  map[source.Item]*merge.MergedItem{},
		rank:   map[address.Address]int{},
	}
	address.WalkSome(m, mayDiffer, func(own address.Address, e *merge.MergedItem) {
		x.own[e] = own
		if x.of[own] == nil {
			x.of[own] = e
			x.rank[own] = len(x.rank)
		}
		for _, s := range e.Steps {
			if s.Item != nil {
				x.owner[s.Item] = e
			}
		}
	})
	return x
}

// around returns the merged item of the block around a merged item, nil at the top level. An item
// that an override addresses at the top level although it is inside a block is treated as
// top-level.
func (x *index) around(e *merge.MergedItem) *merge.MergedItem {
	if len(e.Steps) == 0 || x.stands(e) {
		return nil
	}
	return x.holder(e)
}

// holder is around without regard to how overrides address the item.
func (x *index) holder(e *merge.MergedItem) *merge.MergedItem {
	for _, s := range e.Steps {
		if s.Item == nil {
			continue
		}
		if b := merge.Holder(s.Item); b != nil {
			return x.owner[b]
		}
	}
	return nil
}

// stands reports whether overrides address a nested block at the top level.
func (x *index) stands(e *merge.MergedItem) bool { return len(x.module.Aliases(e)) > 0 }

// topOf is the address of the top-level block that one of an address is in; the address itself
// where nothing is known of it.
func (x *index) topOf(own address.Address) address.Address {
	e := x.of[own]
	for e != nil {
		own = x.own[e]
		e = x.holder(e)
	}
	return own
}

// canBeNull reports whether null means no value for an argument.
func (x *index) canBeNull(e *merge.MergedItem) bool {
	if e == nil {
		return false
	}
	around := x.holder(e)
	return e.Attr() != nil && e.Key.Space == merge.Body && around != nil &&
		language.Of(x.module.Source.Engine).At(around.Path).TakesNull()
}
