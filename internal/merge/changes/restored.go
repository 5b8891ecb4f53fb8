package changes

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// Restored reports whether what a later one of two modules has in effect of some names is what
// the earlier one has, and beside that only what it had lost: each value as the last of those
// layers has it that has one. The names are those for which covers is true.
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
		if e.Inner == nil && e.InEffect() && covers(own) {
			list[own] = e
		}
	})
	return list
}

func isRestored(after *merge.Module, own address.Address, was, is *merge.MergedItem) bool {
	c := &comparison{
		finder:  &finder{module: after, block: &Block{Address: own, Item: is}},
		subject: &Subject{Address: own, Item: is},
		room:    roomFor(own),
	}
	c.both(&named{item: was, items: was.Live}, &named{item: is, items: is.Live})
	r := &restoring{used: map[*node]bool{}}
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

// A restoring looks for values in layers, the latest first. Each counts once.
type restoring struct {
	layers [][]*node
	used   map[*node]bool
}

// has reports whether a value is what the latest layer has that has one.
func (r *restoring) has(x *Change) bool {
	for _, layer := range r.layers {
		found := nodesAt(layer, x.Path.Steps())
		if len(found) == 0 {
			continue
		}
		i := slices.IndexFunc(found, func(n *node) bool { return !r.used[n] && isSameText(n, x.After) })
		if i < 0 {
			return false
		}
		r.used[found[i]] = true
		return true
	}
	return false
}

// isSameText reports whether two values are written alike, but for blanks and comments.
func isSameText(n *node, v *Value) bool {
	return slices.EqualFunc(equal.Words(n.Text()), equal.Words(v.Text()), bytes.Equal)
}

// nodesAt are the values to which steps may lead from some arguments or blocks: several where
// the last step is the index of a block.
func nodesAt(nodes []*node, steps []*Path) []*node {
	for i, s := range steps {
		isLast := i == len(steps)-1
		switch {
		case s.IsIndex() && isLast:
			return nodes
		case len(nodes) != 1:
			return nil
		case s.IsIndex():
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
