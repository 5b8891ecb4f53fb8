package equal

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// sameBlocks reports whether two blocks hold the same, their arguments in any order.
func sameBlocks(x, y *source.Block) bool {
	attrs, blocks := parted(x)
	others, otherBlocks := parted(y)
	if x.Address() != y.Address() || len(attrs) != len(others) || len(blocks) != len(otherBlocks) {
		return false
	}
	for name, a := range attrs {
		if other := others[name]; other == nil || !Items(a, other) {
			return false
		}
	}
	for i, b := range blocks {
		if !Items(b, otherBlocks[i]) {
			return false
		}
	}
	return true
}

// parted are the arguments of a block by their names, and its nested blocks.
func parted(b *source.Block) (attrs map[string]*source.Attr, blocks []*source.Block) {
	attrs = map[string]*source.Attr{}
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			attrs[it.Name] = it
		case *source.Block:
			blocks = append(blocks, it)
		}
	}
	return attrs, blocks
}

// A pair is two arguments whose expressions are compared from the outside in.
type pair struct {
	x, y             *source.Attr
	xQuotes, yQuotes bool // references may be in quotes
}

// same reports whether two expressions are equal, apart from meaningless syntax around them.
func (p pair) same(x, y hcl.Expression) bool {
	x, y = constant.Bare(x, p.xQuotes), constant.Bare(y, p.yQuotes)
	switch x := x.(type) {
	case *hclsyntax.TupleConsExpr:
		y, isList := y.(*hclsyntax.TupleConsExpr)
		return isList && p.sameElements(x, y)
	case *hclsyntax.ObjectConsExpr:
		if y, isObject := y.(*hclsyntax.ObjectConsExpr); isObject {
			if isSame, areKnown := p.sameMembers(x, y); areKnown {
				return isSame
			}
		}
	}
	if sameTokens(p.x.File.Text(x.Range()), p.y.File.Text(y.Range())) {
		return true
	}
	return parts.IsPlain(x) && parts.IsPlain(y) && sameConstants(x, y)
}

func sameConstants(x, y hcl.Expression) bool {
	v, diags := limits.Evaluate(x)
	w, more := limits.Evaluate(y)
	return !diags.HasErrors() && !more.HasErrors() && v.RawEquals(w)
}

func (p pair) sameElements(x, y *hclsyntax.TupleConsExpr) bool {
	if len(x.Exprs) != len(y.Exprs) {
		return false
	}
	for i, e := range x.Exprs {
		if !p.same(e, y.Exprs[i]) {
			return false
		}
	}
	return true
}

// sameMembers reports whether two objects have the same values for the same keys, in any order,
// and whether all keys are known.
func (p pair) sameMembers(x, y *hclsyntax.ObjectConsExpr) (isSame, areKnown bool) {
	names, isKnown := parts.Keys(x)
	others, isOtherKnown := parts.Keys(y)
	if !isKnown || !isOtherKnown {
		return false, false
	}
	values := make(map[string]hcl.Expression, len(others))
	for i, name := range others {
		values[name] = y.Items[i].ValueExpr
	}
	for i, name := range names {
		value, isThere := values[name]
		if !isThere || !p.same(x.Items[i].ValueExpr, value) {
			return false, true
		}
	}
	return len(names) == len(others), true
}
