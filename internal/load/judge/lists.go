package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Arguments that hold lists which are not evaluated.

// eachElement judges the elements of a list in turn.
func eachElement(a *source.Attr, judge func(hcl.Expression) hcl.Diagnostics) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		diags = append(diags, judge(e)...)
	}
	return diags
}

// IgnoreList judges the value of ignore_changes.
func IgnoreList(a *source.Attr) hcl.Diagnostics {
	if hcl.ExprAsKeyword(a.Expr()) == "all" {
		return nil
	}
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if v, diags := limits.Evaluate(e); !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() && v.AsString() == "*" {
			return hcl.Diagnostics{diag.New(a.Value(), "Invalid ignore_changes wildcard",
				`["*"] is no longer supported. Write ignore_changes = all.`)}
		}
		_, diags := hcl.RelTraversalForExpr(constant.Unquote(e))
		return diags
	})
}

// Triggers judges the value of replace_triggered_by.
func Triggers(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if isTrigger(e, a.File.Engine) {
			return nil
		}
		return hcl.Diagnostics{diag.New(e.Range(), "Invalid replace_triggered_by expression",
			"Each element must refer to exactly one resource; only count.index and each.key may appear in it.")}
	})
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
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid value for "+a.Name,
		"The argument %s must be true or false, not an expression.", a.Name)}
}

// TriggerEvents are the events that can invoke an action.
var TriggerEvents = []string{"before_create", "after_create", "before_update", "after_update", "before_destroy",
	"after_destroy"}

// Events judges lists of events, of those that a release knows.
func Events(known []string) func(*source.Attr) hcl.Diagnostics {
	return func(a *source.Attr) hcl.Diagnostics {
		seen := map[string]bool{}
		return nonEmpty(a, func(e hcl.Expression) hcl.Diagnostics {
			event := hcl.ExprAsKeyword(e)
			isFirst := !seen[event]
			seen[event] = true
			if isFirst && slices.Contains(known, event) {
				return nil
			}
			return hcl.Diagnostics{diag.New(e.Range(), "Invalid event", "Each event must be one of %s, and appear only once.",
				strings.Join(known, ", "))}
		})
	}
}

// nonEmpty is eachElement for a list that needs an element.
func nonEmpty(a *source.Attr, judge func(hcl.Expression) hcl.Diagnostics) hcl.Diagnostics {
	if exprs, diags := hcl.ExprList(a.Expr()); !diags.HasErrors() && len(exprs) == 0 {
		return hcl.Diagnostics{diag.New(a.Value(), "Nothing specified for "+a.Name, "Add at least one element to %s.", a.Name)}
	}
	return eachElement(a, judge)
}

// Actions judges a list of references to actions.
func Actions(a *source.Attr) hcl.Diagnostics {
	return nonEmpty(a, func(e hcl.Expression) hcl.Diagnostics { return judgeAction(e, isAction) })
}

func judgeAction(e hcl.Expression, isOne func(hcl.Expression) bool) hcl.Diagnostics {
	if isOne(e) {
		return nil
	}
	return hcl.Diagnostics{diag.New(e.Range(), "Invalid action reference",
		"Each element must refer to one action of this module: action.TYPE.NAME.")}
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
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics { return judgeAction(e, isSimpleAction) })
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
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e)); len(ref) == 0 || ref.RootName() != "action" {
			return nil
		}
		return hcl.Diagnostics{diag.New(e.Range(), "Invalid depends_on Action Reference",
			"Nothing can depend on an action. Name the objects that the action depends on instead.")}
	})
}

// RefuseExperiments reports experiments where a release has none.
func RefuseExperiments(a *source.Attr) hcl.Diagnostics {
	return hcl.Diagnostics{diag.New(a.Header(), "Module uses experimental features",
		"%s has no experiments. Remove this argument.", a.File.Engine.Product.Title())}
}

// RefuseReserved reports an argument whose name is reserved.
func RefuseReserved(a *source.Attr) hcl.Diagnostics { return hcl.Diagnostics{reservedArgument(a)} }

// Experiments reports each element of a list of experiments, as a release without experiments does.
func Experiments(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		return hcl.Diagnostics{diag.New(e.Range(), "Unknown experiment keyword", "This release has no experiment of this name. Remove it.")}
	})
}
