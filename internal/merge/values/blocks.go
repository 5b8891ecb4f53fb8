package values

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
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

// A Number is how many nested blocks some items make: at least Known, and at most Most unless some
// are Open. Only the for_each of a dynamic block reveals its number.
type Number struct {
	Known int
	Most  int
	Open  int // dynamic blocks that may make any number
}

func (n Number) add(o Number) Number {
	return Number{n.Known + o.Known, n.Most + o.Most, n.Open + o.Open}
}

func (n Number) minus(o Number) Number {
	return Number{n.Known - o.Known, n.Most - o.Most, n.Open - o.Open}
}

// isWithin reports whether the other number certainly isn't smaller.
func (n Number) isWithin(o Number) bool { return n.Open == 0 && n.Most <= o.Known }

// open is the number of a dynamic block whose for_each reveals nothing.
var open = Number{Open: 1}

// numberOf is how many blocks one makes.
func numberOf(b *source.Block) Number {
	if b.Type != source.DynamicBlock {
		return Number{Known: 1, Most: 1}
	}
	if a := forEachOf(b); a != nil {
		return lengthOf(a.Expr())
	}
	return open
}

// lengthOf is the number of elements in a list, a set, a map or an object.
func lengthOf(e hcl.Expression) Number {
	switch e := constant.Bare(e, false).(type) {
	case *hclsyntax.TupleConsExpr:
		return Number{Known: len(e.Exprs), Most: len(e.Exprs)}
	case *hclsyntax.ObjectConsExpr:
		var keys []string
		for _, item := range e.Items {
			if name, ok := parts.Key(item.KeyExpr); ok {
				keys = append(keys, name)
			}
		}
		return distinct(keys, len(e.Items))
	case *hclsyntax.ConditionalExpr:
		yes, no := lengthOf(e.TrueResult), lengthOf(e.FalseResult)
		return Number{min(yes.Known, no.Known), max(yes.Most, no.Most), max(yes.Open, no.Open)}
	case *hclsyntax.FunctionCallExpr:
		return lengthOfCall(e)
	}
	return open
}

// lengthOfCall is the number of elements that a function returns.
func lengthOfCall(e *hclsyntax.FunctionCallExpr) Number {
	switch {
	case e.ExpandFinal || len(e.Args) == 0:
	case e.Name == "concat":
		var n Number
		for _, arg := range e.Args {
			n = n.add(lengthOf(arg))
		}
		return n
	case e.Name == "tolist" || e.Name == "tomap":
		return lengthOf(e.Args[0])
	case e.Name == "toset":
		if list, ok := constant.Bare(e.Args[0], false).(*hclsyntax.TupleConsExpr); ok {
			return lengthOfSet(list)
		}
		n := lengthOf(e.Args[0])
		n.Known = min(n.Known, 1)
		return n
	}
	return open
}

// lengthOfSet is the number of elements in a list that differ. A set of 1 and "1" has one.
func lengthOfSet(list *hclsyntax.TupleConsExpr) Number {
	var known []string
	for _, e := range list.Exprs {
		if !parts.IsPlain(e) {
			continue
		}
		v, diags := limits.Evaluate(e)
		if s, err := convert.Convert(v, cty.String); !diags.HasErrors() && err == nil && s.IsKnown() && !s.IsNull() {
			known = append(known, s.AsString())
		}
	}
	return distinct(known, len(list.Exprs))
}

// distinct is the number of keys or elements that differ. Those that aren't known may equal others.
func distinct(known []string, all int) Number {
	differ := map[string]bool{}
	for _, name := range known {
		differ[name] = true
	}
	return Number{Known: max(len(differ), min(all, 1)), Most: len(differ) + all - len(known)}
}

// extendedBy are the sums of the lists that a for_each consists of.
func extendedBy(a *source.Attr) (sums []Sum) {
	call, ok := constant.Bare(a.Expr(), false).(*hclsyntax.FunctionCallExpr)
	if !ok || call.ExpandFinal || call.Name != "concat" {
		return nil
	}
	whole := &Node{Value: ValueOf(a)}
	for _, arg := range call.Args {
		part := whole.part(arg.Range(), arg)
		part.fill(arg, Full)
		sums = append(sums, part.Sum)
	}
	return sums
}
