package loadtest

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Structure describes an expression without its spelling: parentheses, quotes, heredocs, blanks and
// comments make no difference.
func Structure(e hcl.Expression) string {
	switch e := e.(type) {
	case nil:
		return "-"
	case *hclsyntax.ParenthesesExpr:
		return Structure(e.Expression)
	case *hclsyntax.TemplateWrapExpr:
		return Structure(e.Wrapped)
	case *hclsyntax.LiteralValueExpr:
		return valueStructure(e.Val)
	case *hclsyntax.TemplateExpr:
		return templateStructure(e.Parts)
	case *hclsyntax.TemplateJoinExpr:
		return "(join " + Structure(e.Tuple) + ")"
	case *hclsyntax.ScopeTraversalExpr:
		return "(ref" + steps(e.Traversal) + ")"
	case *hclsyntax.RelativeTraversalExpr:
		return "(rel " + Structure(e.Source) + steps(e.Traversal) + ")"
	case *hclsyntax.IndexExpr:
		return "(index " + Structure(e.Collection) + " " + Structure(e.Key) + ")"
	case *hclsyntax.SplatExpr:
		return "(splat " + Structure(e.Source) + " " + Structure(e.Each) + ")"
	case *hclsyntax.AnonSymbolExpr:
		return "*"
	case *hclsyntax.FunctionCallExpr:
		return fmt.Sprintf("(call %s %t%s)", e.Name, e.ExpandFinal, structures(e.Args))
	case *hclsyntax.ConditionalExpr:
		return "(if" + structures([]hclsyntax.Expression{e.Condition, e.TrueResult, e.FalseResult}) + ")"
	case *hclsyntax.BinaryOpExpr:
		return fmt.Sprintf("(op %s %s %s)", opName(e.Op), Structure(e.LHS), Structure(e.RHS))
	case *hclsyntax.UnaryOpExpr:
		return unaryStructure(e)
	case *hclsyntax.TupleConsExpr:
		return "[" + structures(e.Exprs) + "]"
	case *hclsyntax.ObjectConsExpr:
		return objectStructure(e)
	case *hclsyntax.ObjectConsKeyExpr:
		return keyStructure(e)
	case *hclsyntax.ForExpr:
		parts := []hclsyntax.Expression{e.CollExpr, e.KeyExpr, e.ValExpr, e.CondExpr}
		return fmt.Sprintf("(for %s %s %t%s)", e.KeyVar, e.ValVar, e.Group, structures(parts))
	}
	return fmt.Sprintf("(unknown %T)", e)
}

func structures(list []hclsyntax.Expression) string {
	var out strings.Builder
	for _, e := range list {
		if e == nil {
			out.WriteString(" -")
			continue
		}
		out.WriteString(" " + Structure(e))
	}
	return out.String()
}

func valueStructure(v cty.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('p', 0)
	}
	return v.GoString()
}

// templateStructure joins neighbouring literals, empty ones and quoted ones
// inside sequences included.
func templateStructure(parts []hclsyntax.Expression) string {
	var out []string
	literal := ""
	flush := func() {
		if literal != "" {
			out = append(out, fmt.Sprintf("%q", literal))
		}
		literal = ""
	}
	for _, p := range parts {
		if text, ok := literalText(p); ok {
			literal += text
			continue
		}
		flush()
		out = append(out, Structure(p))
	}
	flush()
	return "(template " + strings.Join(out, " ") + ")"
}

// literalText is the text of a part that is nothing else.
func literalText(e hclsyntax.Expression) (string, bool) {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		if e.Val.Type() == cty.String && !e.Val.IsNull() {
			return e.Val.AsString(), true
		}
	case *hclsyntax.TemplateExpr:
		text := ""
		for _, p := range e.Parts {
			more, ok := literalText(p)
			if !ok {
				return "", false
			}
			text += more
		}
		return text, true
	}
	return "", false
}

func steps(t hcl.Traversal) string {
	var out strings.Builder
	for _, step := range t {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			out.WriteString(" " + step.Name)
		case hcl.TraverseAttr:
			out.WriteString(" ." + step.Name)
		case hcl.TraverseIndex:
			out.WriteString(" [" + valueStructure(step.Key) + "]")
		default:
			fmt.Fprintf(&out, " %T", step)
		}
	}
	return out.String()
}

var operations = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalNot: "!", hclsyntax.OpEqual: "==", hclsyntax.OpNotEqual: "!=",
	hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=", hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=",
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpNegate: "neg",
}

func opName(op *hclsyntax.Operation) string { return operations[op] }

// unaryStructure takes a minus before a number for a part of the number.
func unaryStructure(e *hclsyntax.UnaryOpExpr) string {
	if lit, ok := e.Val.(*hclsyntax.LiteralValueExpr); ok && e.Op == hclsyntax.OpNegate && lit.Val.Type() == cty.Number {
		return "-" + valueStructure(lit.Val)
	}
	return "(" + opName(e.Op) + " " + Structure(e.Val) + ")"
}

func objectStructure(e *hclsyntax.ObjectConsExpr) string {
	var out strings.Builder
	for _, item := range e.Items {
		out.WriteString(" " + Structure(item.KeyExpr) + ": " + Structure(item.ValueExpr))
	}
	return "{" + out.String() + "}"
}

// keyStructure takes a bare word and a literal for the string that they stand for.
func keyStructure(e *hclsyntax.ObjectConsKeyExpr) string {
	if word := hcl.ExprAsKeyword(e.Wrapped); word != "" && !e.ForceNonLiteral {
		return templateStructure([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(word)}})
	}
	if lit, ok := e.Wrapped.(*hclsyntax.LiteralValueExpr); ok && !lit.Val.IsNull() {
		text := lit.Val.GoString()
		if lit.Val.Type() == cty.Number {
			text = lit.Val.AsBigFloat().Text('f', -1)
		} else if lit.Val.Type() == cty.Bool {
			text = fmt.Sprint(lit.Val.True())
		}
		return templateStructure([]hclsyntax.Expression{&hclsyntax.LiteralValueExpr{Val: cty.StringVal(text)}})
	}
	return Structure(e.Wrapped)
}
