// Package early judges arguments that releases compute before all others, such as the source of a
// module: they refuse secrets there, variables whose values are not known yet, and whatever can't be
// computed from constants, variables and local values.
//
// The rows of the table are data. NewModule takes the rows that matter for some files; package
// merge adds the variables, local values and arguments in effect, and Judge follows the values and
// applies the rows. If it is not certain that a variable decides on a value, nothing is refused.
package early

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Judge reports the values that the engine refuses to compute early, each by the first row that refuses it.
// It warns of values that it couldn't follow to the end.
func (m *Module) Judge() hcl.Diagnostics {
	flows, statics := map[*row]*flow{}, newStatics(m)
	for _, r := range m.rows {
		flows[r] = &flow{Module: m, row: r, known: map[string]localUse{}, statics: statics}
	}
	var diags hcl.Diagnostics
	for _, u := range m.uses {
		if _, isPlain := u.attr.PlainText(); isPlain {
			continue
		}
		isJudged, isCut := false, false
		for _, r := range m.rows {
			if !r.has(u.path) {
				continue
			}
			if d := flows[r].judge(u); d != nil {
				diags = append(diags, d)
				isJudged = true
				break
			}
			isCut = isCut || flows[r].isCut
		}
		if isCut && !isJudged {
			diags = append(diags, notFollowed(u))
		}
	}
	return append(diags, m.judgeComputed()...)
}

// judge returns the row's refusal of an argument, or nil.
func (f *flow) judge(u use) *hcl.Diagnostic {
	var found *refusal
	f.isCut = false
	switch f.row.how {
	case ifDynamic:
		return f.dynamic(u)
	case ifVarying:
		return varying(u, f.row)
	case ifReferenced:
		found = f.referenced(u.attr.Expr())
	default:
		found = f.derived(u.attr.Expr(), f.row.isDeep())
	}
	if found == nil {
		return nil
	}
	return diagnostic(u, f.row, found)
}

// varying returns a refusal if a value isn't constant: at its first reference, or else at its first
// function call.
func varying(u use, r *row) (found *hcl.Diagnostic) {
	title, typ := u.attr.File.Engine.Product.Title(), strings.Split(u.path, "/")[1]
	for _, ref := range u.attr.Expr().Variables() {
		d := diag.New(ref.SourceRange(), r.summary, "%s refuses references in %s blocks on init. Write a constant, or leave out the argument and pass it with -backend-config.", title, typ)
		return atInit(r, d)
	}
	node, ok := u.attr.Expr().(hclsyntax.Node)
	if !ok {
		return nil
	}
	hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, isCall := n.(*hclsyntax.FunctionCallExpr); isCall && found == nil {
			found = atInit(r, diag.New(call.NameRange, "Function calls not allowed", "%s refuses function calls in %s blocks on init. Write a constant.", title, typ))
		}
		return nil
	})
	return found
}

// diagnostic words a refusal. If only init refuses the value, it is a warning: other commands
// accept the module.
func diagnostic(u use, r *row, found *refusal) *hcl.Diagnostic {
	title, name, when := u.attr.File.Engine.Product.Title(), diag.Escape(found.name), r.when()
	at, note := u.attr.Value(), r.flag+" set here"
	if found.at == nil {
		d := diag.New(at, r.summary, "%s computes %s %s and refuses values that depend on %s. Use another value.", title, u.attr.Name, when, name)
		return atInit(r, d)
	}
	place := diag.Place(source.Where(found.at))
	var d *hcl.Diagnostic
	switch r.how {
	case ifDerived:
		d = diag.New(at, r.summary, "%s computes %s %s and refuses values that depend on var.%s, which is %s. Use another value, or remove %s at %s.",
			title, u.attr.Name, when, name, r.flag, r.flag, place)
	case ifReferenced:
		d = diag.New(at, r.summary, "%s computes %s %s and refuses var.%s there, which has %s = false. Use another value, or remove %s at %s.",
			title, u.attr.Name, when, name, r.flag, r.flag, place)
	case ifUnflagged:
		note = "declared here"
		d = diag.New(at, r.summary, "%s computes %s %s from constant variables only. Set %s = true in var.%s at %s.",
			title, u.attr.Name, when, r.flag, name, place)
	}
	return atInit(r, diag.WithRelated(diag.Related{Note: note, Range: source.Where(found.at)}, d))
}

// notFollowed warns that a value depends on more local values than flow looks at.
func notFollowed(u use) *hcl.Diagnostic {
	d := diag.New(u.attr.Value(), "Too many local values", "%s computes %s early and refuses some variables there. This value depends on a chain of more than %d local values, which tofumerge doesn't follow to its end, so it may contain a refused variable. Shorten the chain.",
		u.attr.File.Engine.Product.Title(), u.attr.Name, maxDepth)
	d.Severity = hcl.DiagWarning
	return d
}

// A flow follows an expression to the variables that a row refuses. If it is not certain that a variable
// decides on the value, it finds nothing.
type flow struct {
	*Module
	row     *row
	known   map[string]localUse // the results for local values; empty ones while they are looked at
	depth   int                 // how many local values are being looked at
	statics *statics            // shared by all rows
	named   map[string]bool     // the blocks that are computed, by their names in references
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

// maxDepth is how long a chain of local values may be to be followed to its end. Longer ones are hostile.
const maxDepth = 1000

// refuses returns the refusal of a variable by the row, or nil.
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

// referenced returns the refusal of a variable to which an expression refers, directly or by local values.
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

// once looks at a local value unless its result is known. One that refers to itself gives no result.
func (f *flow) once(key string, look func() *refusal) *refusal {
	known, isKnown := f.known[key]
	switch {
	case isKnown:
	case f.depth == maxDepth:
		known.isCut = true // not kept in f.known: a shorter chain may lead to it, too
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

// derived returns the refusal of a variable from which a value is certainly computed. With deep it also
// looks into lists and objects.
func (f *flow) derived(expr hcl.Expression, deep bool) *refusal {
	switch e := expr.(type) {
	case *hclsyntax.TemplateExpr:
		return f.anyDerived(e.Parts, deep)
	case *hclsyntax.TemplateWrapExpr:
		return f.derived(e.Wrapped, deep)
	case *hclsyntax.ParenthesesExpr:
		return f.derived(e.Expression, deep)
	case *hclsyntax.BinaryOpExpr:
		return f.anyDerived([]hclsyntax.Expression{e.LHS, e.RHS}, deep)
	case *hclsyntax.UnaryOpExpr:
		return f.derived(e.Val, deep)
	case *hclsyntax.RelativeTraversalExpr:
		return f.derived(e.Source, false)
	case *hclsyntax.IndexExpr:
		return f.anyDerived([]hclsyntax.Expression{e.Collection, e.Key}, false)
	case *hclsyntax.ConditionalExpr:
		return f.conditional(e, deep)
	case *hclsyntax.FunctionCallExpr:
		return f.call(e)
	case *hclsyntax.TupleConsExpr:
		if deep {
			return f.anyDerived(e.Exprs, deep)
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

// anyDerived returns the first refusal that derived finds in a list.
func (f *flow) anyDerived(list []hclsyntax.Expression, deep bool) *refusal {
	for _, e := range list {
		if found := f.derived(e, deep); found != nil {
			return found
		}
	}
	return nil
}

// conditional looks at the condition, and otherwise at both results: only if both are refused is it
// certain, because it is unknown which one is chosen.
func (f *flow) conditional(e *hclsyntax.ConditionalExpr, deep bool) *refusal {
	if found := f.derived(e.Condition, deep); found != nil && conditionsCarry.Has(f.engine) {
		return found
	}
	if f.derived(e.FalseResult, deep) == nil {
		return nil
	}
	return f.derived(e.TrueResult, deep)
}

// call looks at the arguments of a function, if it passes them on.
func (f *flow) call(e *hclsyntax.FunctionCallExpr) *refusal {
	if f.row.how == ifCalled && e.Name == f.row.flag {
		return &refusal{name: e.Name + "()"}
	}
	isCarrier := slices.Contains(carriers, e.Name) || e.Name == "nonsensitive" && f.row.flag != "sensitive"
	if !isCarrier {
		return nil
	}
	return f.anyDerived(e.Args, true)
}

// reference looks at a variable or a local value, or a part of it.
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

// local looks at the part of a local value that a path of attributes leads to. An index ends the search.
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

// part follows a path into object constructors, and looks at what it leads to.
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

// isUsed reports whether the engine computes an argument at all. It doesn't compute a block that nothing
// refers to, directly or by other blocks.
func (f *flow) isUsed(u use) bool {
	if f.named == nil {
		f.named = map[string]bool{"": true}
		inside := map[string][]*source.Attr{}
		for _, u := range f.uses {
			inside[f.row.nameAround(u)] = append(inside[f.row.nameAround(u)], u.attr)
		}
		delete(inside, idle)
		for found := []string{""}; len(found) > 0 && len(inside) > 1; found = found[1:] {
			for _, a := range inside[found[0]] {
				for _, ref := range a.Expr().Variables() {
					if name := strings.Join(namesIn(ref), "."); inside[name] != nil && !f.named[name] {
						f.named[name] = true
						found = append(found, name)
					}
				}
			}
		}
	}
	return f.named[f.row.nameAround(u)]
}

// idle stands for the names of blocks that engines never compute.
const idle = "-"

// nameAround returns how references call the block around an argument, or "" if the engine always computes
// it.
func (r *row) nameAround(u use) string {
	for b := u.attr.Within(); b != nil; b = b.Within() {
		switch {
		case slices.Contains(r.idle, b.Type):
			return idle
		case slices.Contains(r.own, b.Type):
			return strings.Join(append([]string{b.Type}, b.Labels...), ".")
		}
	}
	return ""
}

// dynamic judges whether an argument's value can be computed. A value that constants decide goes to
// f.computed, to be judged as if it were written there.
func (f *flow) dynamic(u use) *hcl.Diagnostic {
	if !f.isUsed(u) {
		return nil
	}
	v := f.statics.valueOf(u.attr, f.row.own)
	title, name, when := u.attr.File.Engine.Product.Title(), u.attr.Name, f.row.when()
	switch {
	case v.refusal != nil:
		d := diag.New(u.attr.Value(), v.refusal.summary, "%s computes %s %s, and %s %s. Use another value.", title, name, when, v.refusal.who(u), v.refusal.does)
		return atInit(f.row, related(v.refusal.in, u, d))
	case v.doubt != nil && v.changed != nil: // an override may be to blame
		d := diag.Warning(u.attr.Value(), "Value not computed", "%s computes %s %s, and refuses the module if that fails. tofumerge doesn't compute it, because %s %s.", title, name, when, v.doubt.who(u), v.doubt.does)
		return related(v.changed, u, d)
	case v.value.IsKnown() && len(u.attr.Expr().Variables()) > 0 && f.statics.budget.Covers(v.value, u.attr.Expr()):
		f.computed[u.attr] = computed{u.attr.With(&hclsyntax.LiteralValueExpr{Val: v.value, SrcRange: u.attr.Value()}), v.changed}
	}
	return nil
}

// who names the argument or local value that is the obstacle.
func (o *obstacle) who(u use) string {
	if o.in == u.attr {
		return "this value"
	}
	return "local." + diag.Escape(o.in.Name) + " at " + diag.Place(source.Where(o.in))
}

// related adds to a diagnostic about an argument where the local value is set that it depends on.
func related(to *source.Attr, u use, d *hcl.Diagnostic) *hcl.Diagnostic {
	if to == nil || to == u.attr {
		return d
	}
	return diag.WithRelated(diag.Related{Note: "local." + diag.Escape(to.Name) + " set here", Range: source.Where(to)}, d)
}

// judgeComputed judges arguments whose values come from local values. Loading couldn't, because it saw only a
// reference such as local.x. Each is judged by itself, and once together with the others of its block, unless
// these are refused as written. Arguments of nested blocks are left out.
func (m *Module) judgeComputed() hcl.Diagnostics {
	given, isJudged := map[string]*source.Attr{}, map[string]bool{}
	for _, u := range m.uses {
		given[u.name+"/"+u.path] = u.attr
	}
	var diags hcl.Diagnostics
	for _, u := range m.uses {
		c, isComputed := m.computed[u.attr]
		top, arg, _ := strings.Cut(u.path, "/")
		shape, _ := language.Of(m.engine).Block(top)
		if !isComputed || strings.Contains(arg, "/") {
			continue
		}
		var found hcl.Diagnostics
		if own, _ := shape.Body.Arg(arg); own.Also != nil {
			found = own.Also(c.attr)
		}
		written := func(name string) *source.Attr { return given[u.name+"/"+top+"/"+name] }
		joint := shape.Body.Judged()
		if joint != nil && !isJudged[u.name+"/"+top] && !joint(written).HasErrors() { // else they are reported already
			found = append(found, joint(func(name string) *source.Attr {
				return cmp.Or(m.computed[written(name)].attr, written(name))
			})...)
		}
		isJudged[u.name+"/"+top] = true
		for _, d := range found {
			if _, has := diag.RelatedOf(d); !has {
				related(c.changed, u, d)
			}
		}
		diags = append(diags, found...)
	}
	return diags
}

// A static is the value that constants and local values give an argument or a local value. Variables and
// the results of functions are unknown.
type static struct {
	value   cty.Value
	refusal *obstacle    // nil if the value can be computed, as far as is known
	doubt   *obstacle    // nil if nothing was left out
	changed *source.Attr // an override among what it reaches, or nil
}

// An obstacle says why an argument or a local value can't be computed, such as "refers to local.a, which
// isn't declared".
type obstacle struct {
	summary, does string
	in            *source.Attr
}

// statics computes values with the local values that they reach. An engine computes whatever a value refers
// to, even in the branch of a conditional that isn't chosen, so references alone decide.
type statics struct {
	*Module
	known   map[string]*static // of local values; nil while they are looked at
	context *hcl.EvalContext   // with the functions
	budget  limits.Budget
}

func newStatics(m *Module) *statics {
	return &statics{Module: m, known: map[string]*static{}, context: &hcl.EvalContext{Functions: functionsOf(m.engine)}, budget: limits.FreeBudget}
}

// A visit is a value whose local values are still being computed.
type visit struct {
	static
	name          string // of the local value, or ""
	attr          *source.Attr
	expr          hcl.Expression
	refs          []hcl.Traversal      // that are left
	roots, locals map[string]cty.Value // to which it refers
}

// newVisit starts the visit of a local value with a name, or of an argument without one.
func newVisit(name string, a *source.Attr) *visit {
	expr := constant.Bare(a.Expr(), false)
	v := &visit{name: name, attr: a, expr: expr, refs: expr.Variables(), roots: map[string]cty.Value{}, locals: map[string]cty.Value{}}
	if source.IsOverride(a) {
		v.changed = a
	}
	return v
}

// valueOf computes an argument. It visits each local value once. Chains of them may be longer than the stack
// allows, so it keeps the visits on a stack of its own. own are roots of references that the argument
// itself may have, but no local value.
func (s *statics) valueOf(a *source.Attr, own []string) *static {
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

// namesIn returns the leading names of a reference, at most three: isUsed compares them with blocks, which
// have a type and up to two labels (key_provider.pbkdf2.a).
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

// add takes the value of a reference over into a visit, or sets the refusal of a reference that the engine
// refuses.
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

// compute computes the value of a visit, once all its local values are known.
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

// refusedCall returns the name of a function in an expression that no early value may call, and the summary
// of the error; "" if there is none.
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

// functionsOf returns the functions of a release. They compute nothing: their results are unknown.
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
