package changes

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/values"
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
		budget:  values.BudgetFor(own),
	}
	c.both(&nameEntry{item: was, items: was.Live}, &nameEntry{item: is, items: is.Live})
	r := &layerSearch{blocks: map[string]map[values.Sum]int{}}
	for _, layer := range slices.Backward(was.Layers(was.Live[0])) {
		r.layers.layers = append(r.layers.layers, c.read().Items(layer))
	}
	for i := range c.finder.block.Changes {
		if x := &c.finder.block.Changes[i]; !x.IsInside && (x.Kind() != Added || !r.has(x)) {
			return false
		}
	}
	return true
}

// A layerSearch looks for values in layers. Each block is used once.
type layerSearch struct {
	layers layeredParts
	blocks map[string]map[values.Sum]int // by the path of their type: how many there are of a text
}

// has reports whether a value equals the one in the latest layer that has one, or a block a block
// of any layer.
func (r *layerSearch) has(x *Change) bool {
	steps := x.Path.Steps()
	if len(steps) > 0 && steps[len(steps)-1].IsIndex {
		return r.hasBlock(x, steps)
	}
	found := r.layers.at(steps)
	return len(found) > 0 && values.SumOfText(found[0][0].Text()) == values.SumOfText(x.After.Text())
}

func (r *layerSearch) hasBlock(x *Change, steps []*values.Path) bool {
	around := x.Path.From.Address().String()
	if r.blocks[around] == nil {
		r.blocks[around] = map[values.Sum]int{}
		for _, nodes := range r.layers.at(steps) {
			for _, n := range nodes {
				r.blocks[around][values.SumOfText(n.Text())]++
			}
		}
	}
	text := values.SumOfText(x.After.Text())
	r.blocks[around][text]--
	return r.blocks[around][text] >= 0
}

// layeredParts are the values that layers have for a name, the latest layer first: several of a layer
// only if they are nested blocks.
type layeredParts struct {
	layers [][]*values.Node
	last   *values.Node             // what the last layer's values are in
	inside map[string]*layeredParts // computed on demand
}

// at returns the values that steps may reach: several of a layer if the last step is the index of a
// block.
func (p *layeredParts) at(steps []*values.Path) [][]*values.Node {
	for _, s := range steps {
		if s.IsIndex {
			continue
		}
		if p = p.member(s.Name); p == nil {
			return nil
		}
	}
	return p.layers
}

// member is what is in those layers that have a single value, under a name; nil if there is nothing.
func (p *layeredParts) member(name string) *layeredParts {
	if p.inside == nil {
		p.inside = map[string]*layeredParts{}
		for _, layer := range p.layers {
			if len(layer) == 1 {
				p.look(layer[0])
			}
		}
	}
	return p.inside[name]
}

// look adds the members of a layer, which may be an argument and blocks of one name.
func (p *layeredParts) look(n *values.Node) {
	for _, m := range n.Members {
		in := p.inside[m.Name]
		if in == nil {
			in = &layeredParts{}
			p.inside[m.Name] = in
		}
		if in.last != n {
			in.layers, in.last = append(in.layers, nil), n
		}
		nodes := &in.layers[len(in.layers)-1]
		if m.IsBlocks {
			*nodes = append(*nodes, m.Node.Elements...)
		} else {
			*nodes = append(*nodes, m.Node)
		}
	}
}
