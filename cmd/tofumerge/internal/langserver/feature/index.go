package feature

import (
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An index finds the history of an item. It has entries for the items of override files and
// for those items of primary files that an override touches. The items inside a nested block
// that is replaced or added as a whole have no entries, only the block has one.
type index struct {
	wording.Redactor
	view    *view.View
	module  *merge.Module
	entries map[source.Item]entry
	items   map[*source.File][]source.Item // with entries, in the order of the text
	effects func() *effectsIn
}

// effectsIn holds the effects of the overrides in a module.
type effectsIn struct {
	of map[source.Item]*phrases.Effect
	// removals are the effects of omissions in an override block, by the range of the block.
	removals map[hcl.Range][]*phrases.Effect
}

// An entry is the name in whose history an item is.
type entry struct {
	address address.Address
	merged  *merge.MergedItem
}

// indexOf returns the index of a view; nil if the view has no module.
var indexOf = view.Cached(newIndex)

func newIndex(v *view.View) *index {
	if v.Merged == nil {
		return nil
	}
	x := &index{
		Redactor: redactorOf(v),
		view:     v,
		module:   v.Merged,
		entries:  map[source.Item]entry{},
		items:    map[*source.File][]source.Item{},
		effects:  sync.OnceValue(func() *effectsIn { return effectsOf(v) }),
	}
	address.Walk(v.Merged, func(own address.Address, e *merge.MergedItem) {
		if !e.IsOverridden() {
			return
		}
		for _, s := range e.Steps {
			if s.Item == nil {
				continue
			}
			if _, known := x.entries[s.Item]; !known {
				x.items[s.Item.Source()] = append(x.items[s.Item.Source()], s.Item)
			}
			x.entries[s.Item] = entry{own, e}
		}
	})
	for _, list := range x.items {
		slices.SortFunc(list, func(a, b source.Item) int { return a.Header().Start.Byte - b.Header().Start.Byte })
	}
	return x
}

// redactorOf returns what words the values of a view.
func redactorOf(v *view.View) wording.Redactor {
	return wording.Redactor{Module: v.Merged.Source, Redact: v.Redact, All: v.Redact}
}

func effectsOf(v *view.View) *effectsIn {
	in := &effectsIn{of: map[source.Item]*phrases.Effect{}, removals: map[hcl.Range][]*phrases.Effect{}}
	for _, list := range phrases.Effects(v.Merged, v.Diags) {
		for _, e := range slices.Backward(list) {
			switch {
			case e.Item != nil:
				in.of[e.Item] = e
			case e.Verb == effect.Removes:
				in.removals[e.Range] = append(in.removals[e.Range], e)
			}
		}
	}
	return in
}

// at returns the entry of an item or, if it has none, of the innermost block around it that has
// one, together with that item. The given item may be nil.
func (x *index) at(it source.Item) (e entry, of source.Item, ok bool) {
	for it != nil {
		if e, ok := x.entries[it]; ok {
			return e, it, true
		}
		b := it.Within()
		if b == nil {
			break
		}
		it = b
	}
	return entry{}, nil, false
}

// in lists the items of a file that have entries, in the order of the text.
func (x *index) in(name string) []source.Item { return x.items[x.module.Source.File(name)] }

// effect is the effect of an item of an override file, as the command list shows it; nil for blocks
// whose items have separate effects, and for items of primary files.
func (x *index) effect(it source.Item) *phrases.Effect { return x.effects().of[it] }
