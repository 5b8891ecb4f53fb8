package early

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A flow follows an expression to the variables that a row refuses. If it is not certain that
// a variable decides on the value, it finds nothing.
type flow struct {
	*Module
	row     *row
	known   map[string]localUse // what local values come to; nothing while they are looked at
	depth   int                 // of the local values that are looked at
	statics *statics            // of all rows
	named   map[string]bool     // the blocks that are computed, by what arguments call them
	isCut   bool                // some local value was skipped, because the chain to it is too long
}

// A refusal is the variable, or the function, for which a row refuses a use.
type refusal struct {
	name string
	at   source.Item // the item that decides; nil for a function
}

// A localUse is the result for a local value.
type localUse struct {
	found *refusal
	isCut bool
}

// maxDepth is how many local values in a row are followed. Longer rows are hostile.
const maxDepth = 1000

// refuses returns a variable that the row refuses.
func (f *flow) refuses(name string) *refusal {
	flags, isDeclared := f.flags[name]
	flag := flags[f.row.flag]
	switch {
	case !isDeclared:
		return nil
	case f.row.how == ifUnflagged && !constant.IsOn(flag):
		return &refusal{name, f.at[name]}
	case f.row.how == ifDerived && constant.IsOn(flag), f.row.how == ifReferenced && flag != nil && !constant.IsOn(flag):
		return &refusal{name, flag}
	}
	return nil
}

// referenced returns a refused variable to which an expression refers, also by local values.
func (f *flow) referenced(expr hcl.Expression) *refusal {
	for _, ref := range expr.Variables() {
		if len(ref) < 2 {
			continue
		}
		step, _ := ref[1].(hcl.TraverseAttr)
		var found *refusal
		switch ref.RootName() {
		case "var":
			found = f.refuses(step.Name)
		case "local":
			if local := f.locals[step.Name]; local != nil {
				found = f.once(step.Name, func() *refusal { return f.referenced(local.Expr()) })
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// once examines a local value once. One that refers to itself gives no result.
func (f *flow) once(key string, look func() *refusal) *refusal {
	known, isKnown := f.known[key]
	switch {
	case isKnown:
	case f.depth == maxDepth:
		known.isCut = true // from elsewhere it may be looked at
	default:
		before := f.isCut
		f.known[key] = localUse{}
		f.depth++
		f.isCut = false
		known = localUse{look(), f.isCut}
		f.depth--
		f.isCut = before
		f.known[key] = known
	}
	f.isCut = f.isCut || known.isCut
	return known.found
}

// derived returns a refused variable from which a value is certainly computed. With deep, the
// contents of lists and objects are searched, too.
func (f *flow) derived(expr hcl.Expression, deep bool) *refusal {
	switch e := expr.(type) {
	case *hclsyntax.TemplateExpr:
		return f.any(e.Parts, deep)
	case *hclsyntax.TemplateWrapExpr:
		return f.derived(e.Wrapped, deep)
	case *hclsyntax.ParenthesesExpr:
		return f.derived(e.Expression, deep)
	case *hclsyntax.BinaryOpExpr:
		return f.any([]hclsyntax.Expression{e.LHS, e.RHS}, deep)
	case *hclsyntax.UnaryOpExpr:
		return f.derived(e.Val, deep)
	case *hclsyntax.RelativeTraversalExpr:
		return f.derived(e.Source, false)
	case *hclsyntax.IndexExpr:
		return f.any([]hclsyntax.Expression{e.Collection, e.Key}, false)
	case *hclsyntax.ConditionalExpr:
		return f.conditional(e, deep)
	case *hclsyntax.FunctionCallExpr:
		return f.call(e)
	case *hclsyntax.TupleConsExpr:
		if deep {
			return f.any(e.Exprs, deep)
		}
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			if found := f.derived(item.ValueExpr, deep); deep && found != nil {
				return found
			}
		}
	default:
		if ref, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
			return f.reference(ref, deep)
		}
	}
	return nil
}

func (f *flow) any(list []hclsyntax.Expression, deep bool) *refusal {
	for _, e := range list {
		if found := f.derived(e, deep); found != nil {
			return found
		}
	}
	return nil
}

// conditional examines the condition, or else both results, because it is unknown which one is
// chosen.
func (f *flow) conditional(e *hclsyntax.ConditionalExpr, deep bool) *refusal {
	if found := f.derived(e.Condition, deep); found != nil && conditionsCarry.Has(f.engine) {
		return found
	}
	if f.derived(e.FalseResult, deep) == nil {
		return nil
	}
	return f.derived(e.TrueResult, deep)
}

// call examines the arguments of a function, if it passes them on.
func (f *flow) call(e *hclsyntax.FunctionCallExpr) *refusal {
	if f.row.how == ifCalled && e.Name == f.row.flag {
		return &refusal{name: e.Name + "()"}
	}
	isCarrier := slices.Contains(carriers, e.Name) || e.Name == "nonsensitive" && f.row.flag != "sensitive"
	if !isCarrier {
		return nil
	}
	return f.any(e.Args, true)
}

// reference examines a variable or a local value, or a part of it.
func (f *flow) reference(ref hcl.Traversal, deep bool) *refusal {
	if len(ref) < 2 {
		return nil
	}
	step, _ := ref[1].(hcl.TraverseAttr)
	switch ref.RootName() {
	case "var":
		return f.refuses(step.Name)
	case "local":
		return f.local(step.Name, ref[2:], deep)
	}
	return nil
}

// local examines a part of a local value.
func (f *flow) local(name string, path hcl.Traversal, deep bool) *refusal {
	local := f.locals[name]
	if local == nil {
		return nil
	}
	key := fmt.Sprint(name, deep)
	for _, step := range path {
		attr, isAttr := step.(hcl.TraverseAttr)
		if !isAttr {
			return nil
		}
		key += "." + attr.Name
	}
	return f.once(key, func() *refusal { return f.part(local.Expr(), path, deep) })
}

// part follows a path into objects.
func (f *flow) part(expr hcl.Expression, path hcl.Traversal, deep bool) *refusal {
	object, isObject := expr.(*hclsyntax.ObjectConsExpr)
	if len(path) == 0 || !isObject {
		return f.derived(expr, deep)
	}
	for _, item := range object.Items {
		if hcl.ExprAsKeyword(item.KeyExpr) == path[0].(hcl.TraverseAttr).Name {
			return f.part(item.ValueExpr, path[1:], deep)
		}
	}
	return nil
}
