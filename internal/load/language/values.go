package language

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// checkValue judges an argument's value by its kind, as a loader does: without
// evaluating anything that depends on another object.
func checkValue(b *source.Block, a *source.Attr, k Kind) hcl.Diagnostics {
	switch k {
	case Setting:
		_, diags := ConstantOf(a, cty.Bool)
		return diags
	case FixedSource:
		return checkFixedSource(a)
	case OutputType:
		_, _, diags := decodeStrictType(a)
		return diags
	case Text:
		_, diags := ConstantOf(a, cty.String)
		return diags
	case Notice:
		return checkNotice(a)
	case Word:
		return checkWord(a)
	case Constant:
		if a.From != nil {
			return nil // the engine takes the string for the text that it is
		}
		_, diags := guard.Evaluate(a.Expr())
		return diags
	case Constraint:
		return checkConstraint(a)
	case Condition:
		return checkCondition(a)
	case ImportAddress:
		return checkImportAddress(a)
	case Reference:
		_, diags := hcl.AbsTraversalForExpr(a.Expr())
		return diags
	case References:
		return checkReferences(a)
	case ProviderRef:
		return checkProviderRef(a.Expr())
	case ProviderMap:
		return checkProviderMap(a)
	case Requirement:
		return checkRequirement(a)
	case IgnoreList:
		return checkIgnoreList(a)
	case TriggerList:
		return checkTriggers(a)
	case When:
		return checkKeyword(a, "create", "destroy")
	case OnFailure:
		return checkKeyword(a, "continue", "fail")
	case Edition:
		return checkBareWord(a, "tofu2024")
	case Experiments:
		return checkExperiments(a)
	case NoExperiments:
		return hcl.Diagnostics{experimental(a)}
	case OldEdition:
		return checkBareWord(a, "TF2021")
	case Flag:
		return checkFlag(a)
	case Events:
		return checkEvents(a, triggerEvents)
	case EarlyEvents:
		return checkEvents(a, triggerEvents[:4])
	case OnActionFailure:
		return checkBareWord(a, "halt", "taint", "continue")
	case ActionList:
		return checkActions(a)
	case Reserved:
		return hcl.Diagnostics{reservedArgument(b, a)}
	}
	return nil
}

// constant computes a value that may refer to nothing and may not be null.
func ConstantOf(a *source.Attr, want cty.Type) (cty.Value, hcl.Diagnostics) {
	v, diags := guard.Evaluate(a.Expr())
	if diags.HasErrors() {
		return v, diags
	}
	v, err := guard.Convert(v, want)
	switch {
	case errors.Is(err, guard.ErrCostly):
		return v, hcl.Diagnostics{guard.CostlyAt(a.Value())}
	case err != nil:
		return v, hcl.Diagnostics{unsuitable(a, want, err.Error())}
	}
	if v.IsNull() {
		return v, hcl.Diagnostics{unsuitable(a, want, "null is not allowed here")}
	}
	return v, nil
}

// ConstantString is the text of an argument that holds a constant string, and
// whether it does.
func ConstantString(a *source.Attr) (string, bool) {
	v, diags := ConstantOf(a, cty.String)
	if diags.HasErrors() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// ConstantValue is the value of an argument that refers to nothing, and whether it does.
func ConstantValue(a *source.Attr) (cty.Value, bool) {
	v, diags := guard.Evaluate(a.Expr())
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

func checkNotice(a *source.Attr) hcl.Diagnostics {
	v, diags := ConstantOf(a, cty.String)
	if !diags.HasErrors() && strings.TrimSpace(v.AsString()) == "" {
		return hcl.Diagnostics{emptyNotice(a)}
	}
	return diags
}

func checkWord(a *source.Attr) hcl.Diagnostics {
	v, diags := ConstantOf(a, cty.String)
	if !diags.HasErrors() && !hclsyntax.ValidIdentifier(v.AsString()) {
		return hcl.Diagnostics{InvalidName(a.Name, a.Value())}
	}
	return diags
}

func checkConstraint(a *source.Attr) hcl.Diagnostics {
	v, diags := guard.Evaluate(a.Expr())
	if diags.HasErrors() {
		return diags
	}
	v, err := guard.Convert(v, cty.String)
	switch {
	case errors.Is(err, guard.ErrCostly):
		return hcl.Diagnostics{guard.CostlyAt(a.Value())}
	case err != nil:
		return hcl.Diagnostics{invalidConstraint(a.Value())}
	}
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	if _, err := version.NewConstraint(v.AsString()); err != nil {
		return hcl.Diagnostics{invalidConstraint(a.Value())}
	}
	return nil
}

func checkCondition(a *source.Attr) hcl.Diagnostics {
	if len(a.Expr().Variables()) > 0 {
		return nil
	}
	return hcl.Diagnostics{constantCondition(a)}
}

// checkImportAddress judges the address of a resource, the keys of which may be
// expressions. Quotes around it are refused.
func checkImportAddress(a *source.Attr) hcl.Diagnostics {
	switch a.Expr().(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.RelativeTraversalExpr:
		return nil
	}
	return hcl.Diagnostics{invalidImportAddress(a.Value())}
}

func checkReferences(a *source.Attr) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		_, more := hcl.AbsTraversalForExpr(unquote(e))
		diags = append(diags, more...)
	}
	return diags
}

// unquote turns a reference or keyword that is written as a quoted string, the
// way of old releases, into what it spells. Other expressions come back as they are.
func unquote(e hcl.Expression) hcl.Expression {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = key.Wrapped
	}
	if _, ok := e.(*hclsyntax.TemplateExpr); !ok {
		return e
	}
	v, diags := guard.Evaluate(e)
	if diags.HasErrors() {
		return e
	}
	ref, diags := hclsyntax.ParseTraversalAbs([]byte(v.AsString()), e.Range().Filename, e.Range().Start)
	if diags.HasErrors() {
		return e
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: ref, SrcRange: e.Range()}
}

func keyword(e hcl.Expression) string { return hcl.ExprAsKeyword(unquote(e)) }

func checkKeyword(a *source.Attr, words ...string) hcl.Diagnostics {
	got := keyword(a.Expr())
	for _, w := range words {
		if got == w {
			return nil
		}
	}
	return hcl.Diagnostics{invalidKeyword(a, words)}
}

// checkBareWord does so where quotes were never allowed.
func checkBareWord(a *source.Attr, words ...string) hcl.Diagnostics {
	if slices.Contains(words, hcl.ExprAsKeyword(a.Expr())) {
		return nil
	}
	return hcl.Diagnostics{invalidKeyword(a, words)}
}
