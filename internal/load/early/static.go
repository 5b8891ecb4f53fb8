package early

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// A static is what constants and local values make of an argument or a local value. What they don't
// decide is unknown: variables, and the results of functions.
type static struct {
	value   cty.Value
	refusal *obstacle    // nil if the value can be computed, as far as is known
	doubt   *obstacle    // nil if nothing was left out
	changed *source.Attr // an override among what it reaches, or nil
}

// An obstacle is what an argument or a local value does that can't be computed, such as "refers to
// local.a, which isn't declared".
type obstacle struct {
	summary, does string
	in            *source.Attr
}

// statics follows values to the local values that they reach. An engine computes whatever a value
// refers to, also in a result of a conditional that isn't chosen, so references alone decide.
type statics struct {
	*Module
	known   map[string]*static // of local values; nil while they are looked at
	context *hcl.EvalContext   // with the functions
	budget  limits.Budget
}

func newStatics(m *Module) *statics {
	return &statics{Module: m, known: map[string]*static{}, context: &hcl.EvalContext{Functions: functionsOf(m.engine)}, budget: limits.FreeBudget}
}

// A visit is a look at a value that waits for the local values to which it refers.
type visit struct {
	static
	name          string // of the local value, or ""
	attr          *source.Attr
	expr          hcl.Expression
	refs          []hcl.Traversal      // that are left
	roots, locals map[string]cty.Value // to which it refers
}

func newVisit(name string, a *source.Attr) *visit {
	expr := constant.Bare(a.Expr(), false)
	v := &visit{name: name, attr: a, expr: expr, refs: expr.Variables(), roots: map[string]cty.Value{}, locals: map[string]cty.Value{}}
	if source.IsOverride(a) {
		v.changed = a
	}
	return v
}

// of returns what becomes of an argument. Each local value is visited once; rows of them may be
// longer than the stack allows, so the visits are on a stack of their own. own are the roots of
// references that the argument may have besides those of any early value.
func (s *statics) of(a *source.Attr, own []string) *static {
	stack := []*visit{newVisit("", a)}
	for {
		v := stack[len(stack)-1]
		if len(v.refs) == 0 {
			s.compute(v)
			if len(stack) == 1 {
				return &v.static
			}
			s.known[v.name] = &v.static
			stack = stack[:len(stack)-1]
			continue
		}
		names := append(namesIn(v.refs[0]), "")
		root, name := names[0], names[1]
		if _, isKnown := s.known[name]; !isKnown && root == "local" && s.locals[name] != nil {
			s.known[name] = nil
			stack = append(stack, newVisit(name, s.locals[name]))
			continue
		}
		if v.name != "" || !slices.Contains(own, root) {
			s.add(v, root, name)
		}
		v.roots[root] = cty.DynamicVal
		v.refs = v.refs[1:]
	}
}

// namesIn are the names with which a reference begins, up to three.
func namesIn(ref hcl.Traversal) []string {
	names := []string{ref.RootName()}
	for _, step := range ref[1:min(3, len(ref))] {
		attr, isAttr := step.(hcl.TraverseAttr)
		if !isAttr {
			break
		}
		names = append(names, attr.Name)
	}
	return names
}

// add adds a reference to those of a value.
func (s *statics) add(v *visit, root, name string) {
	ref := strings.TrimSuffix(root+"."+name, ".")
	refuse := func(summary, why string) {
		v.refusal = &obstacle{summary, "refers to " + diag.Escape(ref) + ", " + why, v.attr}
	}
	switch known := s.known[name]; {
	case v.refusal != nil:
	case root == "local" && s.locals[name] == nil:
		refuse("Undefined local", "which isn't declared")
	case root == "local" && known == nil:
		refuse("Circular reference", "which depends on itself")
	case root == "local":
		v.locals[name], v.refusal = known.value, known.refusal
		v.doubt, v.changed = cmp.Or(v.doubt, known.doubt), cmp.Or(v.changed, known.changed)
	case root == "var" && s.flags[name] == nil:
		refuse("Undefined variable", "which isn't declared")
	case root != "var" && !isEarly(ref, s.engine):
		refuse("Dynamic value in static context", "which can't be used there")
	}
}

// compute computes a value once all local values to which it refers are known.
func (s *statics) compute(v *visit) {
	v.value = cty.DynamicVal
	if summary, call := s.refusedCall(v.expr); call != "" && v.refusal == nil {
		v.refusal = &obstacle{summary, "calls " + diag.Escape(call) + ", which can't be used there", v.attr}
	}
	if v.refusal != nil {
		return
	}
	context := s.context.NewChild()
	v.roots["local"] = cty.ObjectVal(v.locals)
	context.Variables = v.roots
	value, isComputed, diags := s.budget.Evaluate(v.expr, context)
	switch {
	case !isComputed:
		v.doubt = &obstacle{"Constant too large", "takes too much work to compute", v.attr}
		if v.name == "" && limits.TooCostly(v.expr) != nil {
			v.refusal = v.doubt
		}
	case !diags.HasErrors():
		v.value = value
	default:
		d := diags.Errs()[0].(*hcl.Diagnostic)
		found := &obstacle{d.Summary, "fails: " + strings.TrimRight(d.Detail, "."), v.attr}
		if call, isCall := hcl.DiagnosticExtra[hclsyntax.FunctionCallUnknownDiagExtra](d); isCall {
			found.does = "calls the unknown function " + diag.Escape(call.CalledFunctionName())
			if !functionsListed.Has(s.engine) {
				v.doubt = found
				return
			}
		}
		v.refusal = found
	}
}

// refusedCall is the name of a function that an expression calls and no early value may call, or "",
// and the summary of the error.
func (s *statics) refusedCall(e hcl.Expression) (summary, name string) {
	if node, ok := e.(hclsyntax.Node); ok {
		_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
			call, _ := n.(*hclsyntax.FunctionCallExpr)
			for _, f := range notEarly {
				if call != nil && strings.HasPrefix(call.Name, f.prefix) && f.engines.Has(s.engine) {
					summary, name = f.summary, call.Name
				}
			}
			return nil
		})
	}
	return summary, name
}

// functionsOf returns the functions of a release. None computes anything: the results are unknown.
func functionsOf(e engine.Release) map[string]function.Function {
	all := map[string]function.Function{}
	for names, in := range functions {
		for name := range strings.FieldsSeq(names) {
			takes := cty.DynamicPseudoType
			if name == "can" || name == "try" { // which may accept what can't be computed
				takes = customdecode.ExpressionClosureType
			}
			if in.Has(e) {
				all[name] = function.New(&function.Spec{
					VarParam: &function.Parameter{Type: takes, AllowNull: true, AllowUnknown: true, AllowDynamicType: true},
					Type:     function.StaticReturnType(cty.DynamicPseudoType),
					Impl:     func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, nil },
				})
				all["core::"+name] = all[name]
			}
		}
	}
	return all
}
