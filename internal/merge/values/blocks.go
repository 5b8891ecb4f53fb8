package values

import (
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A BlockLoss describes the nested blocks of a layer that have no equal among those that replaced them.
type BlockLoss struct {
	Before, After Number
	// Gone are the blocks of the layer that no later block equals, apart from layout, comments, the
	// spelling of constants and the order of arguments, and for which there is no later dynamic
	// block with the same for_each.
	Gone []*source.Block
	// GoneKnown is how many blocks those make at least.
	GoneKnown int
	// Stay maps the other blocks of the layer to the equal later block. IsRest is set if these are
	// all later blocks.
	Stay   map[*source.Block]*source.Block
	IsRest bool
	// IsCertain is set if there certainly are fewer blocks, or fewer with some labels; otherwise it
	// depends on a for_each. Fewer is the minimum difference.
	IsCertain bool
	Fewer     int
}

// replacementBlocks are the nested blocks that replaced earlier ones.
type replacementBlocks struct {
	read    Reader
	n       int
	number  Number
	labels  map[string]int // how many static ones have the same
	equal   map[Sum][]*source.Block
	forEach map[Sum][]*source.Block // the dynamic ones, by their for_each and then by what it extends
}

// NewReplacing looks at nested blocks of a module, to compare layers with them.
func NewReplacing(m *load.Module, live []source.Item) *replacementBlocks {
	r := &replacementBlocks{
		read:  Reader{m, Full},
		equal: map[Sum][]*source.Block{}, forEach: map[Sum][]*source.Block{}, labels: map[string]int{},
	}
	for _, b := range blocksOf(live) {
		r.n++
		r.labels[b.Address()]++
		r.number = r.number.add(numberOf(b))
		s := r.sumOf(b)
		r.equal[s] = append(r.equal[s], b)
		if a := forEachOf(b); a != nil {
			s := r.read.Attr(a).Sum
			r.forEach[s] = append(r.forEach[s], b)
		}
	}
	for _, b := range blocksOf(live) {
		if a := forEachOf(b); a != nil {
			for _, s := range extendedBy(a) {
				r.forEach[s] = append(r.forEach[s], b)
			}
		}
	}
	return r
}

func (r *replacementBlocks) sumOf(b *source.Block) Sum { return r.read.block(b, Full).Sum }

// Lost finds out whether there may be fewer blocks than in an earlier layer. A dynamic block
// makes as many as an earlier one with the same for_each, or with one that it extends.
func (r *replacementBlocks) Lost(layer []source.Item) (BlockLoss, bool) {
	was := blocksOf(layer)
	lost := BlockLoss{After: r.number, Stay: map[*source.Block]*source.Block{}}
	for _, b := range was {
		lost.Before = lost.Before.add(numberOf(b))
	}
	alike := r.fewerAlike(was)
	lost.Fewer = max(lost.Before.Known-lost.After.Most, alike)
	if lost.Before.isWithin(lost.After) && alike == 0 {
		return BlockLoss{}, false
	}
	before, after := r.pair(was, &lost)
	lost.IsCertain = after.Open == 0 && (before.Known > after.Most || alike > 0)
	if !lost.IsCertain && before.isWithin(after) {
		return BlockLoss{}, false
	}
	return lost, len(lost.Gone) > 0
}

// fewerAlike is how many blocks of a layer have labels that too few later ones have. What dynamic
// blocks make may have any.
func (r *replacementBlocks) fewerAlike(was []*source.Block) (n int) {
	if len(r.forEach) > 0 {
		return 0
	}
	met := map[string]int{}
	for _, b := range was {
		if b.Type == source.DynamicBlock {
			continue
		}
		if met[b.Address()]++; met[b.Address()] > r.labels[b.Address()] {
			n++
		}
	}
	return n
}

// pair finds the blocks of a layer that stay and those that are gone, and returns how many both
// sides make without those that are for each other.
func (r *replacementBlocks) pair(was []*source.Block, lost *BlockLoss) (before, after Number) {
	before, after = lost.Before, lost.After
	taken := map[*source.Block]bool{}
	var unequal []*source.Block
	take := func(b, later *source.Block) {
		taken[later] = true
		before, after = before.minus(numberOf(b)), after.minus(numberOf(b))
	}
	next := map[Sum]int{}
	for _, b := range was {
		s := r.sumOf(b)
		if next[s] == len(r.equal[s]) {
			unequal = append(unequal, b)
			continue
		}
		lost.Stay[b] = r.equal[s][next[s]]
		next[s]++
		take(b, lost.Stay[b])
	}
	lost.IsRest = len(taken) == r.n
	nextDynamic := map[Sum]int{}
	for _, b := range unequal {
		if later := r.sameForEach(b, taken, nextDynamic); later != nil {
			take(b, later)
		} else if numberOf(b) != (Number{}) { // it makes some
			lost.Gone = append(lost.Gone, b)
			lost.GoneKnown += numberOf(b).Known
		}
	}
	return before, after
}

// sameForEach is a dynamic block that makes at least as many as another one and is not taken yet, or nil.
func (r *replacementBlocks) sameForEach(b *source.Block, taken map[*source.Block]bool, next map[Sum]int) *source.Block {
	a := forEachOf(b)
	if a == nil {
		return nil
	}
	s := r.read.Attr(a).Sum
	for list := r.forEach[s]; next[s] < len(list); {
		later := list[next[s]]
		next[s]++
		if !taken[later] {
			return later
		}
	}
	return nil
}

// blocksOf are the blocks among items.
func blocksOf(items []source.Item) []*source.Block {
	var list []*source.Block
	for _, it := range items {
		if b, ok := it.(*source.Block); ok {
			list = append(list, b)
		}
	}
	return list
}

func forEachOf(b *source.Block) *source.Attr {
	if b.Type != source.DynamicBlock {
		return nil
	}
	return b.Attr("for_each")
}
