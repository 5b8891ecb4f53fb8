package values

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

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
