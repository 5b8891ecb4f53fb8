package changes

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Restored reports whether the later of two modules has the effective values of the earlier one for
// some names, and in addition only what was lost: each value as in the last of those layers that
// has one, and nested blocks as in any layer. The names are those for which covers is true.
func Restored(before, after *merge.Module, covers func(address.Address) bool) bool {
	was, is := leavesOf(before, covers), leavesOf(after, covers)
	if len(was) != len(is) {
		return false
	}
	for own, e := range was {
		if is[own] == nil || !isRestored(after, own, e, is[own]) {
			return false
		}
	}
	return true
}

// leavesOf are the merged items that hold no others and that overrides addressed.
func leavesOf(m *merge.Module, covers func(address.Address) bool) map[address.Address]*merge.MergedItem {
	list := map[address.Address]*merge.MergedItem{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.Inner() == nil && e.InEffect() && covers(own) {
			list[own] = e
		}
	})
	return list
}

func isRestored(after *merge.Module, own address.Address, was, is *merge.MergedItem) bool {
	c := &comparison{
		finder:  &finder{module: after, block: &Block{Address: own, Item: is}},
		subject: &Subject{Address: own, Item: is},
		budget:  pathBudgetFor(own),
	}
	c.both(&nameEntry{item: was, items: was.Live}, &nameEntry{item: is, items: is.Live})
	r := &layerSearch{blocks: map[string]map[sum]int{}}
	for _, layer := range slices.Backward(was.Layers(was.Live[0])) {
		r.layers = append(r.layers, c.nodes(layer))
	}
	for i := range c.finder.block.Changes {
		if x := &c.finder.block.Changes[i]; !x.IsInside && (x.Kind() != Added || !r.has(x)) {
			return false
		}
	}
	return true
}

// A layerSearch looks for values in layers, the latest first. Each block is used once.
type layerSearch struct {
	layers [][]*node
	blocks map[string]map[sum]int // by the path of their type: how many there are of a text
}

// has reports whether a value equals the one in the latest layer that has one, or a block a block
// of any layer.
func (r *layerSearch) has(x *Change) bool {
	steps := x.Path.Steps()
	if len(steps) > 0 && steps[len(steps)-1].IsIndex {
		return r.hasBlock(x, steps)
	}
	for _, layer := range r.layers {
		if found := nodesAt(layer, steps); len(found) > 0 {
			return sumOfText(found[0].Text()) == sumOfText(x.After.Text())
		}
	}
	return false
}

func (r *layerSearch) hasBlock(x *Change, steps []*Path) bool {
	around := x.Path.From.Address().String()
	if r.blocks[around] == nil {
		r.blocks[around] = map[sum]int{}
		for _, layer := range r.layers {
			for _, n := range nodesAt(layer, steps) {
				r.blocks[around][sumOfText(n.Text())]++
			}
		}
	}
	text := sumOfText(x.After.Text())
	r.blocks[around][text]--
	return r.blocks[around][text] >= 0
}

// nodesAt returns the values that steps may reach from some arguments or blocks: several if the
// last step is the index of a block.
func nodesAt(nodes []*node, steps []*Path) []*node {
	for i, s := range steps {
		isLast := i == len(steps)-1
		switch {
		case s.IsIndex && isLast:
			return nodes
		case len(nodes) != 1:
			return nil
		case s.IsIndex:
			continue
		}
		nodes = membersOf(nodes[0], s.Name)
	}
	return nodes
}

// membersOf are the values of a name in an object or a block, several for nested blocks.
func membersOf(n *node, name string) []*node {
	var list []*node
	for _, m := range n.members {
		switch {
		case m.name != name:
		case m.isBlocks:
			list = append(list, m.node.elements...)
		default:
			list = append(list, m.node)
		}
	}
	return list
}
