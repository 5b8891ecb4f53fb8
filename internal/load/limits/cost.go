package limits

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// How much work a constant takes, estimated before anything is computed. A few hundred bytes can
// require gigabytes: for expressions in for expressions, strings that double, a number such as
// 1e9999999 that is turned into text.

// FreeBudget is what any single constant may cost, in steps and bytes; beyond it the work has to be
// in proportion to the text.
const FreeBudget Budget = 4_000_000

const (
	workPer = 8 // for each byte of the text
	// MaxDigits is the maximum number of digits of a number in computations and output.
	MaxDigits = 10_000
	// tooMuch is beyond any budget.
	tooMuch int64 = 1 << 40
	// stepWork is the work of one pass of a for expression besides its body.
	stepWork = 30
)

// Evaluate computes a constant, or returns an error if that is too much work.
func Evaluate(e hcl.Expression) (cty.Value, hcl.Diagnostics) {
	if v, ok := literal(e); ok {
		return v, nil
	}
	if d := TooCostly(e); d != nil {
		return cty.DynamicVal, hcl.Diagnostics{d}
	}
	v, diags := e.Value(nil)
	return v, firstErrors(diags, e.Range())
}

// TooCostly returns an error about a constant if computing it takes more work than FreeBudget and, in addition, a few
// steps for each byte of its text. Otherwise it returns nil.
func TooCostly(e hcl.Expression) *hcl.Diagnostic {
	if b := FreeBudget; b.deductIfCovered(newMeasurer().total(e), e) { // a copy, for this constant alone
		return nil
	}
	return CostlyAt(e.Range())
}

// textLen returns the length of an expression's text in bytes.
func textLen(e hcl.Expression) int64 { return int64(e.Range().End.Byte - e.Range().Start.Byte) }

// An extent is an upper bound on the size of a value.
type extent struct {
	size   int64   // elements at all levels, and bytes of texts
	count  int64   // elements at the first level
	digits int64   // of any number in it: see digits
	elem   *extent // covers any of its elements; nil without elements
}

// join returns an extent that covers values of either extent. Either may be nil.
func join(a, b *extent) *extent {
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	}
	return &extent{max(a.size, b.size), max(a.count, b.count), max(a.digits, b.digits), join(a.elem, b.elem)}
}

// scalar is the extent of a value without parts. It is shared: no extent changes once it is returned.
var scalar = &extent{size: 1}

// element returns an extent that covers any element of the value, scalar if it has none.
func (x *extent) element() *extent { return cmp.Or(x.elem, scalar) }

// A measurer adds up the work that evaluating an expression would take, in steps and bytes, without computing
// anything.
type measurer struct {
	work  int64                                 // so far
	vars  map[string][]*extent                  // of the variables in scope; the innermost of a name is last
	items map[*hclsyntax.AnonSymbolExpr]*extent // of the elements that splat expressions visit
}

// newMeasurer returns a measurer without variables.
func newMeasurer() *measurer {
	return &measurer{vars: map[string][]*extent{}, items: map[*hclsyntax.AnonSymbolExpr]*extent{}}
}

// total returns the work of an expression and of its consumer, which walks through the value.
func (m *measurer) total(e hcl.Expression) int64 {
	m.spend(m.measure(e).size)
	return m.work
}

// spend adds work, up to tooMuch.
func (m *measurer) spend(work int64) { m.work = min(tooMuch, m.work+work) }

// atMost limits a bound to tooMuch, so that sums can't overflow.
func atMost(n int64) int64 { return min(n, tooMuch) }

// times returns the product of two bounds, at most tooMuch.
func times(a, b int64) int64 {
	if a > 0 && b > tooMuch/a {
		return tooMuch
	}
	return a * b
}

// measure adds the work of evaluating an expression to m, and returns an upper bound on the size of its value. Each
// kind of expression measures its operands first. One that fails in an evaluation, such as a reference to no
// variable, is a scalar.
func (m *measurer) measure(e hcl.Expression) *extent {
	m.spend(1)
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return literalExtent(e.Val)
	case *hclsyntax.ParenthesesExpr:
		return m.measure(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return m.measure(e.Wrapped)
	case *hclsyntax.ObjectConsKeyExpr:
		return m.measure(e.Wrapped)
	case *hclsyntax.ScopeTraversalExpr:
		if known := m.vars[e.Traversal.RootName()]; len(known) > 0 {
			return m.follow(known[len(known)-1], e.Traversal[1:])
		} // any other reference fails, and costs nothing
	case *hclsyntax.RelativeTraversalExpr:
		return m.follow(m.measure(e.Source), e.Traversal)
	case *hclsyntax.AnonSymbolExpr: // the element in a splat; outside of one, items has none
		return join(m.items[e], scalar)
	case *hclsyntax.UnaryOpExpr: // -a or !a
		if _, isLiteral := e.Val.(*hclsyntax.LiteralValueExpr); isLiteral {
			return m.measure(e.Val) // the sign of -1 or -1e99 adds no work
		}
		x := m.operand(e.Val)
		m.textSize(x) // adds the work of writing out the result, which may have all these digits
		return x
	case *hclsyntax.TemplateExpr:
		return m.template(e)
	case *hclsyntax.TemplateJoinExpr: // %{ for ... }, whose parts make one text
		parts := m.measure(e.Tuple)
		m.spend(parts.size)
		return &extent{size: parts.size}
	case *hclsyntax.TupleConsExpr:
		x := &extent{size: 1}
		for _, elem := range e.Exprs {
			x.addElement(m.measure(elem), 1)
		}
		return x
	case *hclsyntax.ObjectConsExpr:
		x := &extent{size: 1}
		for _, item := range e.Items {
			key := m.textSize(m.measure(item.KeyExpr))
			x.addElement(m.measure(item.ValueExpr), 1+key)
		}
		return x
	case *hclsyntax.ForExpr:
		return m.loop(e)
	case *hclsyntax.SplatExpr:
		return m.splat(e)
	case *hclsyntax.ConditionalExpr:
		m.measure(e.Condition)
		x := join(m.measure(e.TrueResult), m.measure(e.FalseResult))
		m.spend(times(2, x.size) + m.textSize(x)) // the results are converted to one type
		return x
	case *hclsyntax.IndexExpr:
		x := m.measure(e.Collection)
		m.textSize(m.measure(e.Key)) // adds the work of comparing keys as text
		return x.element()
	case *hclsyntax.BinaryOpExpr:
		return m.operation(e)
	case *hclsyntax.FunctionCallExpr: // it fails or returns an unknown value: only its arguments are work
		x := &extent{size: 1}
		for _, arg := range e.Args {
			x = join(x, m.measure(arg))
		}
		return x
	}
	return scalar
}

// addElement adds an element to the extent of a collection. keySize is the size of the element's key; 1 in a tuple.
func (x *extent) addElement(elem *extent, keySize int64) {
	x.size = atMost(x.size + elem.size + keySize)
	x.count++
	x.digits = max(x.digits, elem.digits)
	x.elem = join(x.elem, elem)
}

// literalExtent returns the extent of a text or a number. For any other value it is scalar.
func literalExtent(v cty.Value) *extent {
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.String:
		return &extent{size: 1 + int64(len(v.AsString()))}
	case v.Type() == cty.Number:
		return &extent{size: 1, digits: digits(v.AsBigFloat())}
	}
	return scalar
}

// textSize adds the work of turning a value into text, for a template or a key, and returns a bound on the length of
// that text. Writing out a number such as 1e9999999 is expensive.
func (m *measurer) textSize(x *extent) int64 {
	if x.digits > MaxDigits {
		m.spend(tooMuch)
	}
	m.spend(x.digits)
	return atMost(x.size + x.digits)
}

// template measures a template: its parts become texts, which are joined.
func (m *measurer) template(e *hclsyntax.TemplateExpr) *extent {
	x := &extent{size: 1}
	for _, part := range e.Parts {
		x.size = atMost(x.size + m.textSize(m.measure(part)))
	}
	m.spend(x.size)
	return x
}

// operation measures a binary operation. Its result is a bool without parts, or a number that may have the digits of
// both operands, as a product does.
func (m *measurer) operation(e *hclsyntax.BinaryOpExpr) *extent {
	left, right := m.operand(e.LHS), m.operand(e.RHS)
	m.spend(left.size + right.size)
	switch e.Op {
	case hclsyntax.OpEqual, hclsyntax.OpNotEqual, hclsyntax.OpLogicalAnd, hclsyntax.OpLogicalOr:
		return scalar
	}
	// The operands of a comparison such as < become numbers, too, so it is treated like a calculation.
	x := &extent{size: 1, digits: left.digits + right.digits}
	m.textSize(x) // adds the work of writing out the result
	return x
}

// operand measures the operand of a calculation, which may become a number if it is a text. A computed text may be
// any number, so its digits are tooMuch; a literal text shows them.
func (m *measurer) operand(e hcl.Expression) *extent {
	x := m.measure(e)
	// The size of a text is 1 and its bytes: three hold no large number, four may be 1e99. A collection can't become
	// one.
	if x.size <= 1+3 || x.elem != nil {
		return x
	}
	digits := tooMuch
	if v, ok := literal(e); ok {
		digits = digitsOfText(v.AsString())
	}
	return &extent{size: x.size, digits: digits}
}

// literal returns the value of a number, a bool, null or a text without sequences; ok is false for other
// expressions.
func literal(e hcl.Expression) (cty.Value, bool) {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		e = t.Parts[0]
	}
	if lit, ok := e.(*hclsyntax.LiteralValueExpr); ok {
		return lit.Val, true
	}
	return cty.NilVal, false
}

// loop measures a for expression: the work of one pass, times the elements that the collection may have.
func (m *measurer) loop(e *hclsyntax.ForExpr) *extent {
	over := m.measure(e.CollExpr)
	key := &extent{size: atMost(1 + over.size)} // a text, all of whose bytes are in the collection's size
	if _, isTuple := e.CollExpr.(*hclsyntax.TupleConsExpr); isTuple {
		key.size = 8 // an index has few digits
	}
	// One pass, with the two variables in scope.
	m.vars[e.KeyVar] = append(m.vars[e.KeyVar], key)
	m.vars[e.ValVar] = append(m.vars[e.ValVar], over.element())
	before := m.work
	m.spend(stepWork)
	var keySize int64 // of the result, if that is an object
	if e.KeyExpr != nil {
		keySize = m.textSize(m.measure(e.KeyExpr))
	}
	body := m.measure(e.ValExpr)
	if e.CondExpr != nil {
		m.measure(e.CondExpr)
	}
	m.spend(times(over.count-1, m.work-before)) // for the other passes: the first one is measured above
	m.vars[e.KeyVar] = m.vars[e.KeyVar][:len(m.vars[e.KeyVar])-1]
	m.vars[e.ValVar] = m.vars[e.ValVar][:len(m.vars[e.ValVar])-1]
	x := &extent{count: over.count, digits: body.digits, elem: body}
	// 1 for the result, and for each element 1, its key and its value.
	x.size = atMost(1 + times(over.count, atMost(1+keySize+body.size)))
	if e.Group { // with "...", each element is a list, of up to all bodies
		x.elem = &extent{size: x.size, count: x.count, digits: x.digits, elem: body}
	}
	return x
}

// splat measures a splat expression such as a[*].b. A value that isn't a collection counts as one element.
func (m *measurer) splat(e *hclsyntax.SplatExpr) *extent {
	over := m.measure(e.Source)
	count := max(1, over.count)
	before := m.work
	m.spend(stepWork)
	m.items[e.Item] = join(over, over.element())
	body := m.measure(e.Each)
	m.spend(times(count-1, m.work-before))
	return &extent{size: atMost(1 + times(count, 1+body.size)), count: count, digits: body.digits, elem: body}
}

// follow returns the extent of the part of a value to which steps such as .a[0] lead: one that covers any element at
// that level. It adds the work of comparing keys as text.
func (m *measurer) follow(x *extent, steps hcl.Traversal) *extent {
	for _, step := range steps {
		if index, ok := step.(hcl.TraverseIndex); ok {
			m.textSize(literalExtent(index.Key)) // adds that work
		}
		x = x.element()
	}
	return x
}

// A Budget is the work that is left for several computations. Work in proportion to the length of their texts is
// free.
type Budget int64

// Evaluate computes an expression with the variables of ctx, and deducts the work. If the budget doesn't allow that,
// the value is unknown and isComputed false, and it deducts only the work of measuring the variables. A reference
// alone computes nothing, so it is free.
func (b *Budget) Evaluate(e hcl.Expression, ctx *hcl.EvalContext) (v cty.Value, isComputed bool, diags hcl.Diagnostics) {
	if _, isReference := e.(*hclsyntax.ScopeTraversalExpr); !isReference {
		m := newMeasurer()
		for name, v := range ctx.Variables {
			m.vars[name] = []*extent{b.extentOf(v, m)}
		}
		// Measuring the variables was work, even if the expression is then too costly.
		if measured := m.work; !b.deductIfCovered(m.total(e), e) {
			*b -= Budget(min(measured, int64(*b)))
			return cty.DynamicVal, false, nil
		}
	}
	v, diags = e.Value(ctx)
	return v, true, firstErrors(diags, e.Range())
}

// Covers reports whether the budget allows walking through v, and deducts that work if so. of is the expression that
// v comes from: work in proportion to its text is free.
func (b *Budget) Covers(v cty.Value, of hcl.Expression) bool {
	m := newMeasurer()
	walk := b.extentOf(v, m).size // after that, m.work is the work of measuring v
	return b.deductIfCovered(atMost(m.work+walk), of)
}

// deductIfCovered deducts the work for an expression if the budget allows it, and reports whether it does. Work in
// proportion to the expression's text is free.
func (b *Budget) deductIfCovered(work int64, e hcl.Expression) bool {
	work = max(0, work-workPer*textLen(e))
	if work > int64(*b) {
		return false
	}
	*b -= Budget(work)
	return true
}

// extentOf returns the extent of a value. It adds the work of measuring to m, and stops once that exceeds the
// budget.
func (b *Budget) extentOf(v cty.Value, m *measurer) *extent {
	x := *literalExtent(v) // a copy, since scalar is shared; of a collection, it counts only the value itself
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return &x
	}
	for it := v.ElementIterator(); it.Next() && m.work <= int64(*b); {
		key, elem := it.Element()
		m.spend(1)
		x.addElement(b.extentOf(elem, m), literalExtent(key).size)
	}
	return &x
}
