package parse

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An expander restores the omitted parts in the tree from the parser, and corrects positions.
type expander struct {
	s *shortener
	offsetMap
}

func (s *shortener) expander(start hcl.Pos) *expander {
	return &expander{s, newOffsetMap(s.places, mark{pos: start}, start, len(s.out))}
}

func (x *expander) body(b *hclsyntax.Body) {
	if b == nil {
		return
	}
	for _, a := range b.Attributes {
		x.ranges(&a.SrcRange, &a.NameRange, &a.EqualsRange)
		x.expr(a.Expr)
	}
	for _, nb := range b.Blocks {
		x.ranges(&nb.TypeRange, &nb.OpenBraceRange, &nb.CloseBraceRange)
		for i := range nb.Labels {
			nb.Labels[i] = x.label(nb.Labels[i])
		}
		for i := range nb.LabelRanges {
			x.ranges(&nb.LabelRanges[i])
		}
		x.body(nb.Body)
	}
	x.ranges(&b.SrcRange, &b.EndRange)
}

// expr corrects an expression.
func (x *expander) expr(e hclsyntax.Expression) {
	switch e := e.(type) {
	case nil:
	case *hclsyntax.TemplateExpr:
		x.template(e)
	case *hclsyntax.TemplateWrapExpr:
		x.ranges(&e.SrcRange)
		x.expr(e.Wrapped)
	case *hclsyntax.TemplateJoinExpr:
		x.expr(e.Tuple)
	case *hclsyntax.LiteralValueExpr:
		x.ranges(&e.SrcRange)
	case *hclsyntax.ScopeTraversalExpr:
		x.ranges(&e.SrcRange)
		x.traversal(e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		x.ranges(&e.SrcRange)
		x.traversal(e.Traversal)
		x.expr(e.Source)
	case *hclsyntax.FunctionCallExpr:
		x.ranges(&e.NameRange, &e.OpenParenRange, &e.CloseParenRange)
		x.exprs(e.Args...)
	case *hclsyntax.ParenthesesExpr:
		x.ranges(&e.SrcRange)
		x.expr(e.Expression)
	default:
		x.operation(e)
	}
}

func (x *expander) operation(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		x.ranges(&e.SrcRange)
		x.exprs(e.LHS, e.RHS)
		if e.Op == hclsyntax.OpModulo && x.s.stars[e.LHS.Range().End.Byte] {
			e.Op = hclsyntax.OpMultiply
		}
	case *hclsyntax.UnaryOpExpr:
		x.ranges(&e.SrcRange, &e.SymbolRange)
		x.expr(e.Val)
	case *hclsyntax.ConditionalExpr:
		x.ranges(&e.SrcRange)
		x.exprs(e.Condition, e.TrueResult, e.FalseResult)
	case *hclsyntax.IndexExpr:
		x.ranges(&e.SrcRange, &e.OpenRange, &e.BracketRange)
		x.exprs(e.Collection, e.Key)
	case *hclsyntax.SplatExpr:
		x.ranges(&e.SrcRange, &e.MarkerRange, &e.Item.SrcRange)
		x.exprs(e.Source, e.Each)
	case *hclsyntax.AnonSymbolExpr: // the Item of a splat
	case *hclsyntax.ExprSyntaxError:
		x.ranges(&e.SrcRange)
		x.diagnostics(e.ParseDiags)
	default:
		x.collection(e)
	}
}

func (x *expander) collection(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		x.ranges(&e.SrcRange, &e.OpenRange)
		x.exprs(e.Exprs...)
	case *hclsyntax.ObjectConsExpr:
		x.ranges(&e.SrcRange, &e.OpenRange)
		for _, item := range e.Items {
			x.exprs(item.KeyExpr, item.ValueExpr)
		}
	case *hclsyntax.ObjectConsKeyExpr:
		x.expr(e.Wrapped)
	case *hclsyntax.ForExpr:
		x.ranges(&e.SrcRange, &e.OpenRange, &e.CloseRange)
		x.exprs(e.CollExpr, e.KeyExpr, e.ValExpr, e.CondExpr)
	default:
		panic("unknown kind of expression")
	}
}

func (x *expander) exprs(all ...hclsyntax.Expression) {
	for _, e := range all {
		x.expr(e)
	}
}

func (x *expander) traversal(t hcl.Traversal) {
	for i := range t {
		switch step := t[i].(type) {
		case hcl.TraverseRoot:
			x.ranges(&step.SrcRange)
			t[i] = step
		case hcl.TraverseAttr:
			x.ranges(&step.SrcRange)
			t[i] = step
		case hcl.TraverseIndex:
			x.ranges(&step.SrcRange)
			if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
				step.Key = cty.StringVal(x.key(step.Key.AsString()))
			}
			t[i] = step
		}
	}
}

// template corrects a template's parts, and puts those back that have been left out.
func (x *expander) template(e *hclsyntax.TemplateExpr) {
	x.ranges(&e.SrcRange)
	hasStandIns := false
	for _, p := range e.Parts {
		x.expr(p)
		hasStandIns = hasStandIns || hasStandIn(p)
	}
	if !hasStandIns {
		return
	}
	var all stretch
	skips := false
	for i, p := range e.Parts {
		switch {
		case skips:
			skips = false
		case hasStandIn(p):
			last := x.literal(p.(*hclsyntax.LiteralValueExpr), &all)
			skips = last.isTaken && i+1 < len(e.Parts)
		default:
			all.join(e.Parts[i : i+1])
		}
	}
	all.endText()
	// The text between two directives ends at the end of its last part.
	end := e.Parts[len(e.Parts)-1].Range().End
	e.Parts = all.parts
	if e.SrcRange.End == end {
		e.SrcRange.End = e.Parts[len(e.Parts)-1].Range().End
	}
}

func hasStandIn(e hclsyntax.Expression) bool {
	lit, ok := e.(*hclsyntax.LiteralValueExpr)
	return ok && isText(lit) && strings.Contains(lit.Val.AsString(), tag())
}

// isText reports whether a part of a template is literal text. A sequence with a string in it is
// a template.
func isText(lit *hclsyntax.LiteralValueExpr) bool {
	return lit.Val.Type() == cty.String && lit.Val.IsKnown() && !lit.Val.IsNull()
}

// literal adds the originals of the stand-ins in literal text, with the text between them, and
// returns the last one.
func (x *expander) literal(lit *hclsyntax.LiteralValueExpr, all *stretch) (last *stretch) {
	at := lit.SrcRange
	rest := lit.Val.AsString()
	add := func(text string, end hcl.Pos) {
		at.End = end
		all.join([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: at}})
		at.Start = end
	}
	for {
		before, st, blanks, after := x.cut(rest)
		if st == nil {
			break
		}
		rest, last = after, st
		if before != "" || at.Start != st.from {
			add(before, st.from)
		}
		st.endText()
		if taken := st.indent - blanks; taken > 0 {
			x.s.flush(st.parts, taken, st.atStart)
		}
		all.join(st.parts)
		at.Start = st.to
	}
	if !last.isTaken && (rest != "" || at.Start != lit.SrcRange.End) {
		add(rest, lit.SrcRange.End)
	}
	return last
}

// key returns a key without sequences with what its stand-ins stand for.
func (x *expander) key(s string) string {
	if !strings.Contains(s, tag()) {
		return s
	}
	var all stretch
	x.literal(&hclsyntax.LiteralValueExpr{Val: cty.StringVal(s)}, &all)
	all.endText()
	var out strings.Builder
	for _, p := range all.parts {
		if lit, ok := p.(*hclsyntax.LiteralValueExpr); ok && isText(lit) {
			out.WriteString(lit.Val.AsString()) // a sequence is an error
		}
	}
	return out.String()
}

// label does the same for a label, which is not normalized like the text of a template. The omitted
// parts are decoded again.
func (x *expander) label(s string) string {
	var out strings.Builder
	for {
		before, st, _, after := x.cut(s)
		if st == nil {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(before)
		src := x.s.src[st.from.Byte-x.s.offset : st.to.Byte-x.s.offset]
		EachToken([]byte(`"`+string(src)+`"`), "", hcl.InitialPos, func(t hclsyntax.Token) {
			if t.Type == hclsyntax.TokenQuotedLit {
				decoded, _ := hclsyntax.ParseStringLiteralToken(t)
				out.WriteString(decoded)
			}
		})
		s = after
	}
}

// cut finds the first stand-in in literal text. Some of the blanks before one for lines may have
// been removed.
func (x *expander) cut(text string) (before string, st *stretch, blanks int, after string) {
	before, rest, found := strings.Cut(text, tag())
	if !found {
		return "", nil, 0, ""
	}
	name, after, _ := strings.Cut(rest, tagEnd)
	digits := strings.TrimRight(name, " \n")
	number, _ := strconv.Atoi(digits)
	st = x.s.all[number]
	switch {
	case st.atStart:
		blanks = len(before) - len(strings.TrimRight(before, " "))
		before = before[:len(before)-blanks]
	case len(name) > len(digits):
		blanks = len(name) - len(digits) - len("\n")
	}
	if !st.inLine {
		after = strings.TrimPrefix(after, "\n")
	}
	return before, st, blanks, after
}
