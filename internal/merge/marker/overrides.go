package marker

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// An Override is one name in a top-level block of a primary file on which an item of
// an override file decides.
type Override struct {
	Block *source.Block
	By    source.Item
	Name  string // as seen from the block: lifecycle.prevent_destroy
}

// Overrides lists the winning overrides in blocks of primary files: those of override files that
// are applied earlier before others, in source order within a file.
//
// An effective item wins, even if it repeats the earlier value. An item that a later one replaced,
// or that something else hides, does not. Nor does a block whose items are judged separately,
// unless it is new and empty. A block that removes something by omitting it wins as long as that
// stays away.
func Overrides(m *merge.Module) []Override {
	finder := finder{addresses: map[*merge.MergedItem]address.Address{}}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) { finder.addresses[e] = own })
	for _, e := range m.Root.Items {
		finder.visit(&entryPath{content: m.Root, entry: e})
	}
	order := map[*source.File]int{}
	for i, f := range m.Source.Files {
		order[f] = i
	}
	at := map[source.Item]int{} // where it takes a while to find out
	for _, o := range finder.list {
		if _, known := at[o.By]; !known {
			at[o.By] = source.Where(o.By).Start.Byte
		}
	}
	slices.SortStableFunc(finder.list, func(a, b Override) int {
		return cmp.Or(order[a.By.Source()]-order[b.By.Source()], at[a.By]-at[b.By])
	})
	return finder.list
}

// ByBlock groups the winning overrides by their blocks, in the order of Overrides.
func ByBlock(m *merge.Module) map[*source.Block][]Override {
	byBlock := map[*source.Block][]Override{}
	for _, o := range Overrides(m) {
		byBlock[o.Block] = append(byBlock[o.Block], o)
	}
	return byBlock
}

// A finder collects overrides.
type finder struct {
	addresses map[*merge.MergedItem]address.Address
	list      []Override
}

// A entryPath is an entry with the entries around it.
type entryPath struct {
	outer   *entryPath // nil at the top level
	content *merge.MergedBody
	entry   *merge.MergedItem
}

func (f *finder) visit(n *entryPath) {
	e := n.entry
	for _, o := range e.Outcomes() {
		if decides(e, o) {
			f.add(n, o.Item)
		}
	}
	if by := clearedBy(e); by != nil {
		f.add(n, by)
	}
	if e.Inner() == nil {
		return
	}
	for _, inner := range e.Inner().Items {
		f.visit(&entryPath{n, e.Inner(), inner})
	}
}

// decides reports whether an item of an override file decides on an entry.
func decides(e *merge.MergedItem, o merge.Outcome) bool {
	switch {
	case !source.IsOverride(o.Item) || e.Rule.Do == rules.Flatten:
		return false
	case e.Inner() != nil:
		return o.Effect == effect.Added && o.Status == effect.StatusMerged && !e.IsReportedByItems(o.Item)
	}
	return o.Status == effect.StatusEffective
}

// clearedBy is the block that removed a primary file's item by omitting it, or nil.
func clearedBy(e *merge.MergedItem) source.Item {
	if e.InEffect() || e.Place == nil || source.IsOverride(e.Place) {
		return nil
	}
	for _, s := range slices.Backward(e.Steps) {
		switch s.Effect {
		case effect.Cleared:
			return s.By()
		case effect.Hidden:
			return nil
		}
	}
	return nil
}

func (f *finder) add(n *entryPath, by source.Item) {
	if block := n.primaryBlock(); block != nil {
		f.list = append(f.list, Override{block, by, f.name(n)})
	}
}

// primaryBlock is the top-level block of a primary file that an entry is printed in, nil
// if an override file brings that block itself.
func (n *entryPath) primaryBlock() *source.Block {
	for ; n.outer != nil; n = n.outer {
		at := n.entry.Place
		switch {
		case at != nil:
		case n.entry.Rule.IsApart():
			at = n.content.Beside(n.entry)
		default:
			at = n.content.AdditionBlock(n.entry)
		}
		if top := source.Top(at); !source.IsOverride(top) {
			return top
		}
	}
	return nil
}

// name is the name of an entry inside its top-level block.
func (f *finder) name(n *entryPath) string {
	top := n
	for top.outer != nil {
		top = top.outer
	}
	name, ok := f.addresses[n.entry].In(f.addresses[top.entry])
	switch {
	case !ok || name.IsEmpty(): // a local value has an address without its block
		return n.entry.Key.Name
	case n.entry.Rule.Match == rules.ByPosition: // the number of one among equals reveals little
		name = name.Kind()
	}
	return name.Dotted() // the comment quotes unusual names
}
