package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Arguments that hold lists which are not evaluated.

// IgnoreList judges the value of ignore_changes.
func IgnoreList(a *source.Attr) hcl.Diagnostics {
	if hcl.ExprAsKeyword(a.Expr()) == "all" {
		return nil
	}
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		if v, vd := limits.Evaluate(e); !vd.HasErrors() && v.Type() == cty.String && !v.IsNull() && v.AsString() == "*" {
			diags = append(diags, ignoreWildcard(a))
			continue
		}
		_, more := hcl.RelTraversalForExpr(constant.Unquote(e))
		diags = append(diags, more...)
	}
	return diags
}

// Triggers judges the value of replace_triggered_by.
func Triggers(a *source.Attr) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		if !isTrigger(e, a.File.Engine) {
			diags = append(diags, invalidTrigger(e.Range()))
		}
	}
	return diags
}

// isTrigger reports whether an expression refers to one resource, and besides to
// count.index or each.key at most.
func isTrigger(expr hcl.Expression, e engine.Release) bool {
	resources := 0
	for _, ref := range expr.Variables() {
		switch root := ref.RootName(); {
		case root == "count" || root == "each":
		case root == "data" || root == "ephemeral" && roots.has(root, e):
			if len(ref) < 3 {
				return false
			}
			resources++
		case roots.has(root, e) || len(ref) < 2:
			return false
		default:
			resources++
		}
	}
	return resources == 1
}

// Flag judges a bool, which must not be in quotes.
func Flag(a *source.Attr) hcl.Diagnostics {
	if v, ok := constant.Value(a); ok && v.Type() == cty.Bool && !v.IsNull() {
		return nil
	}
	return hcl.Diagnostics{invalidFlag(a)}
}

// TriggerEvents are the events that can invoke an action.
var TriggerEvents = []string{"before_create", "after_create", "before_update", "after_update", "before_destroy",
	"after_destroy"}

// Events judges lists of events, of those that a release knows.
func Events(known []string) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics { return checkEvents(a, known) }
}

func checkEvents(a *source.Attr, known []string) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	if !diags.HasErrors() && len(exprs) == 0 {
		return hcl.Diagnostics{emptyTrigger(a)}
	}
	seen := map[string]bool{}
	for _, e := range exprs {
		event := hcl.ExprAsKeyword(e)
		if !slices.Contains(known, event) || seen[event] {
			diags = append(diags, invalidEvent(e.Range(), known))
		}
		seen[event] = true
	}
	return diags
}

// Actions judges a list of references to actions.
func Actions(a *source.Attr) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	if !diags.HasErrors() && len(exprs) == 0 {
		return hcl.Diagnostics{emptyTrigger(a)}
	}
	for _, e := range exprs {
		if !isAction(e) {
			diags = append(diags, invalidAction(e.Range()))
		}
	}
	return diags
}

// isAction reports whether an expression refers to one action, and to nothing else
// that an action can't be named by.
func isAction(e hcl.Expression) bool {
	actions := 0
	for _, ref := range e.Variables() {
		switch ref.RootName() {
		case "action":
			if len(ref) < 3 {
				return false
			}
			actions++
		case "count", "each", "var", "local", "path", "terraform", "self":
		default:
			return false
		}
	}
	return actions == 1
}

// ActionKeys reports instances of actions whose keys depend on more than the resource's own
// repetition, and values that aren't whole actions.
func ActionKeys(a *source.Attr) hcl.Diagnostics {
	var diags hcl.Diagnostics
	exprs, _ := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		if !isSimpleAction(e) {
			diags = append(diags, invalidAction(e.Range()))
		}
	}
	return diags
}

func isSimpleAction(e hcl.Expression) bool {
	for _, ref := range e.Variables() {
		switch ref.RootName() {
		case "count", "each":
		case "action":
			_, isIndex := ref[len(ref)-1].(hcl.TraverseIndex)
			if len(ref) > 4 || len(ref) == 4 && !isIndex {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// RefuseActions reports actions among a block's dependencies.
func RefuseActions(a *source.Attr) hcl.Diagnostics {
	var diags hcl.Diagnostics
	exprs, _ := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		if ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e)); len(ref) > 0 && ref.RootName() == "action" {
			diags = append(diags, dependsOnAction(e.Range()))
		}
	}
	return diags
}

// RefuseExperiments reports experiments where a release has none.
func RefuseExperiments(a *source.Attr) hcl.Diagnostics { return hcl.Diagnostics{experimental(a)} }

// RefuseReserved reports an argument whose name is reserved.
func RefuseReserved(a *source.Attr) hcl.Diagnostics { return hcl.Diagnostics{reservedArgument(a)} }

// Experiments reports each element of a list of experiments, as a release without experiments does.
func Experiments(a *source.Attr) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		diags = append(diags, unknownExperiment(e.Range()))
	}
	return diags
}
