package limits

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A Budget is the work that several computations may take together, besides work in proportion to
// their texts.
type Budget int64

// FreeBudget is a budget of the work that any single constant may take.
const FreeBudget Budget = freeWork

// Evaluate computes an expression in which names stand for values. If that exceeds the budget, the
// value is unknown, and isComputed is false.
func (b *Budget) Evaluate(e hcl.Expression, ctx *hcl.EvalContext) (v cty.Value, isComputed bool, diags hcl.Diagnostics) {
	if _, isReference := e.(*hclsyntax.ScopeTraversalExpr); !isReference {
		m := newMeasurer()
		for name, v := range ctx.Variables {
			m.vars[name] = []*extent{b.extentOf(v, m)}
		}
		if measured := m.work; !b.covers(m.total(e), e) {
			*b -= Budget(min(measured, int64(*b)))
			return cty.DynamicVal, false, nil
		}
	}
	v, diags = e.Value(ctx)
	return v, true, firstErrors(diags, e.Range())
}

// Covers takes what it costs to walk through the value of an expression, if the budget allows that.
func (b *Budget) Covers(v cty.Value, of hcl.Expression) bool {
	m := newMeasurer()
	return b.covers(m.work+b.extentOf(v, m).size, of)
}

func (b *Budget) covers(work int64, e hcl.Expression) bool {
	work = max(0, work-workPer*textOf(e))
	if work > int64(*b) {
		return false
	}
	*b -= Budget(work)
	return true
}

// extentOf measures a value, until that exceeds the budget.
func (b *Budget) extentOf(v cty.Value, m *measurer) *extent {
	x := literalExtent(v)
	if v.IsNull() || !v.CanIterateElements() {
		return x
	}
	for it := v.ElementIterator(); it.Next() && m.work <= int64(*b); {
		key, elem := it.Element()
		m.spend(1)
		x.add(b.extentOf(elem, m), literalExtent(key).size)
	}
	return x
}
