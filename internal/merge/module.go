package merge

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

// A Module is the effective configuration of a loaded module. Once it is merged, several
// goroutines may read it.
type Module struct {
	Source *load.Module
	Root   *MergedBody // the top-level blocks

	vars           map[*MergedItem]*variable.State // those that overrides changed
	added          map[*source.Block]bool          // blocks that overrides added
	suspects       suspects
	effectiveFiles map[*source.File]bool // override files with an override that takes effect
	mutex          sync.Mutex            // guards alone
	alone          map[Key]*MergedItem   // items of AllOf that overrides don't address
	all            func() []*MergedItem
	order          func() map[*source.File]int // load order
}

// Steps calls visit with every step of every history, in the order of the items.
// Those that no override addressed have one step, in which a primary file defined
// them.
func (m *Module) Steps(visit func(*MergedItem, Step)) { eachStep(m.All(), visit) }

func eachStep(items []*MergedItem, visit func(*MergedItem, Step)) {
	for _, e := range items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner() != nil {
			eachStep(e.Inner().All(), visit)
		}
	}
}

// All lists the items of the top level, also of blocks that no override addressed.
func (m *Module) All() []*MergedItem { return m.all() }

// AllOf lists the items that overrides may address, and the wanted ones of the others, which may be
// very many: all of a type with some labels, or none of them.
func (m *Module) AllOf(wants func(f *source.File, i int) bool) []*MergedItem {
	list := slices.Clip(m.Root.All())
	made := make([]bool, len(list)) // in this call: such an item has no block before it is visited
	listed := map[Key]int{}         // indices
	for i, e := range list {
		listed[e.Key] = i
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.EachAlone(func(f *source.File, i int) {
		if !wants(f, i) {
			return
		}
		b := f.Block(i)
		key, rule := m.Root.key(b, false)
		at, isListed := listed[key]
		if !isListed {
			at, listed[key] = len(list), len(list)
			made = append(made, m.alone[key] == nil)
			if made[at] {
				m.alone[key] = m.Root.newItem(key, rule, b)
				m.alone[key].asked.Store(&itemAnswers{alone: m.Root.kind.Rules})
			}
			list = append(list, m.alone[key])
		}
		switch e := list[at]; {
		case !made[at] && e.Has(b):
		case made[at] || e == m.alone[key]:
			e.define(b)
		default:
			list[at], made[at] = e.with(b), true
		}
	})
	return list
}

// EachAlone visits the blocks of primary files that no override can change, in load order. Those
// that may be declared twice have their own items in the root, too.
func (m *Module) EachAlone(visit func(f *source.File, i int)) {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if f.Role == source.Primary && !m.Source.IsAddressedAt(f, i) && !m.suspects.has(f, i) {
				visit(f, i)
			}
		}
	}
}

// with is the item with one more block of a primary file.
func (e *MergedItem) with(b *source.Block) *MergedItem {
	more := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule, Steps: slices.Clip(e.Steps), Live: slices.Clip(e.Live), Value: e.Value, Place: e.Place, Order: e.Order, Escaped: e.Escaped}
	more.inner.Store(e.inner.Load())
	if set := e.ownRules(); set != nil {
		more.asked.Store(&itemAnswers{alone: set})
	}
	more.define(b)
	return more
}

// IsPartOfAddition reports whether an item came with a block that an override added
// as a whole.
func (m *Module) IsPartOfAddition(it source.Item) bool {
	for b := Holder(it); b != nil; b = Holder(b) {
		if m.added[b] {
			return true
		}
	}
	return false
}

// TrapOfName is the sentence that a file may be an override file by mistake, to be appended to
// others: "" if nothing suggests that, or if an override of the file takes effect.
func (m *Module) TrapOfName(f *source.File) string {
	if m.effectiveFiles[f] {
		return ""
	}
	return trapOfName(f)
}

// InLoadOrder lists items by where they come up first, in the order in which the files
// were loaded.
func (m *Module) InLoadOrder(items []*MergedItem) []*MergedItem {
	order := m.order()
	first := func(e *MergedItem) (file, at int) {
		for _, s := range e.Steps {
			if s.Item != nil {
				return order[s.Item.Source()], s.Item.Header().Start.Byte
			}
		}
		return 0, 0
	}
	ordered := slices.Clone(items)
	slices.SortStableFunc(ordered, func(a, b *MergedItem) int {
		fileA, atA := first(a)
		fileB, atB := first(b)
		return cmp.Or(fileA-fileB, atA-atB)
	})
	return ordered
}
