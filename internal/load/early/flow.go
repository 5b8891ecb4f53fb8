// Package early judges arguments that releases compute before all others, such as the source of a
// module: they refuse secrets there, variables whose values are not known yet, and whatever can't be
// computed from constants, variables and local values.
//
// The rules of the table are data. NewModule takes the rules that matter for some files; package
// merge adds the variables, local values and arguments in effect, and Judge follows the values and
// applies the rules. If it is not certain that a variable decides on a value, nothing is refused.
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

// Judge returns an error for each argument whose value the engine refuses to compute early, from the first rule that
// refuses it, and a warning for each that depends on too long a chain of local values to be judged. It also checks
// the values that arguments get from local values.
func (m *Module) Judge() hcl.Diagnostics {
	flows, evaluator := map[*rule]*flow{}, newEvaluator(m)
	for _, r := range m.rules {
		flows[r] = &flow{Module: m, rule: r, known: map[string]localUse{}, evaluator: evaluator}
	}
	var diags hcl.Diagnostics
	for _, u := range m.earlyArgs {
		if _, isPlain := u.attr.PlainText(); isPlain {
			continue // no rule refuses a plain string
		}
		isReported := false
		isCut := false // some rule couldn't follow the value to the end
		for _, r := range m.rules {
			if !r.covers(u.path) {
				continue
			}
			if d := flows[r].judge(u); d != nil {
				diags = append(diags, d)
				isReported = true
				break
			}
			isCut = isCut || flows[r].isCut
		}
		if isCut && !isReported {
			diags = append(diags, notFollowed(u))
		}
	}
	return append(diags, m.judgeComputed()...)
}

// judge returns a diagnostic if the rule refuses the argument u, or nil. It sets f.isCut if it couldn't follow the
// value to the end.
func (f *flow) judge(u earlyArg) *hcl.Diagnostic {
	var found *refusal
	f.isCut = false
	switch f.rule.how {
	case ifDynamic:
		return f.judgeDynamic(u)
	case ifVarying:
		return judgeVarying(u, f.rule)
	case ifReferenced:
		found = f.findReferenced(u.attr.Expr())
	default: // ifDerived, ifUnflagged, ifCalled
		found = f.findDerived(u.attr.Expr(), f.rule.isDeep())
	}
	if found == nil {
		return nil
	}
	return diagnostic(u, f.rule, found)
}

// judgeVarying returns a diagnostic if a value in a backend or cloud block isn't constant: at its first reference, or
// else at its first function call. Releases without early evaluation accept only constants there.
func judgeVarying(u earlyArg, r *rule) (found *hcl.Diagnostic) {
	title := u.attr.File.Engine.Product.Title()
	typ := strings.Split(u.path, "/")[1] // backend or cloud: the path begins with terraform/backend or terraform/cloud
	// The first reference is reported.
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

// diagnostic returns the error for an argument u that rule r refuses because of found, a variable or a function. The
// error is at u's value. Its related range is found.at: the flag of the variable, or the variable if it should set a
// flag. It is a warning if only init refuses the value (atInit): other commands accept the module.
func diagnostic(u earlyArg, r *rule, found *refusal) *hcl.Diagnostic {
	title, name, when := u.attr.File.Engine.Product.Title(), diag.Escape(found.name), r.whenComputed()
	at, note := u.attr.Value(), r.flag+" set here"
	if found.at == nil { // a function call, which found.name names
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
	case ifUnflagged: // found.at is the variable
		note = "declared here"
		d = diag.New(at, r.summary, "%s computes %s %s from constant variables only. Set %s = true in var.%s at %s.",
			title, u.attr.Name, when, r.flag, name, place)
	}
	return atInit(r, diag.WithRelated(diag.Related{Note: note, Range: source.Where(found.at)}, d))
}

// notFollowed returns the warning that a value depends on a longer chain of local values than a flow follows.
func notFollowed(u earlyArg) *hcl.Diagnostic {
	d := diag.New(u.attr.Value(), "Too many local values", "%s computes %s early and refuses some variables there. This value depends on a chain of more than %d local values, which tofumerge doesn't follow to its end, so it may contain a refused variable. Shorten the chain.",
		u.attr.File.Engine.Product.Title(), u.attr.Name, maxDepth)
	d.Severity = hcl.DiagWarning
	return d
}

// A flow checks values for one rule: it follows an expression, through local values, to the variables that the rule
// refuses. It only finds a variable that certainly decides on the value.
type flow struct {
	*Module
	rule           *rule
	known          map[string]localUse // what lookOnce found, by key; an empty result while it is still looking
	depth          int                 // how many calls of lookOnce are inside each other
	evaluator      *evaluator          // shared by all rules
	computedBlocks map[string]bool     // the blocks that are computed, by their names in references
	isCut          bool                // some local value was skipped, because the chain to it is too long
}

// A refusal is the variable, or the function, for which a rule refuses a use.
type refusal struct {
	name string
	at   source.Item // the variable's flag, or the variable if it should set a flag; nil for a function
}

// A localUse is the result of looking into a local value, for one rule.
type localUse struct {
	found *refusal
	isCut bool // part of the value was skipped, because the chain of local values is too long
}

// maxDepth is how long a chain of local values may be to be followed to its end. Longer ones are hostile.
const maxDepth = 1000

// refusalOf returns a refusal if the rule refuses the variable called name because of the flag that the rule is
// about; otherwise nil. An undeclared variable is another error.
func (f *flow) refusalOf(name string) *refusal {
	flags, isDeclared := f.flags[name]
	if !isDeclared {
		return nil
	}
	flag := flags[f.rule.flag] // nil if the variable doesn't set it
	isOn := constant.IsOn(flag)
	switch {
	case f.rule.how == ifUnflagged && !isOn: // const isn't set to true
		return &refusal{name, f.declaredAt[name]} // there may be no flag to point to
	case f.rule.how == ifDerived && isOn: // sensitive = true, ephemeral = true
		return &refusal{name, flag}
	case f.rule.how == ifReferenced && flag != nil && !isOn: // const = false; without the flag, the variable is fine
		return &refusal{name, flag}
	}
	return nil
}

// findReferenced returns the refusal of the first refused variable to which an expression refers, directly or through
// local values, or nil. How the value is computed from the variable doesn't matter.
func (f *flow) findReferenced(expr hcl.Expression) *refusal {
	for _, ref := range expr.Variables() {
		if len(ref) < 2 {
			continue
		}
		step, _ := ref[1].(hcl.TraverseAttr)
		var found *refusal
		switch ref.RootName() {
		case "var":
			found = f.refusalOf(step.Name)
		case "local":
			if local := f.locals[step.Name]; local != nil {
				found = f.lookOnce(step.Name, func() *refusal { return f.findReferenced(local.Expr()) })
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// lookOnce returns what look finds in a local value, or nil. key is the local value's name with further details: for
// a key that was looked up before, it returns the earlier result. In a chain of more than maxDepth local values it
// returns nil and sets f.isCut instead of calling look. A result for which look has skipped a part sets f.isCut each
// time it is returned.
func (f *flow) lookOnce(key string, look func() *refusal) *refusal {
	known, isKnown := f.known[key]
	switch {
	case isKnown: // from an earlier look
	case f.depth == maxDepth:
		known.isCut = true // not kept in f.known: a shorter chain may lead to this local value, too
	default:
		known = f.lookFirst(key, look)
	}
	f.isCut = f.isCut || known.isCut
	return known.found
}

// lookFirst looks into a local value for the first time, notes the result in f.known, and returns it. It leaves
// f.isCut as it was.
func (f *flow) lookFirst(key string, look func() *refusal) localUse {
	wasCut := f.isCut
	f.isCut = false
	f.known[key] = localUse{} // a local value that refers to itself finds this, which ends the recursion
	f.depth++
	found := look() // sets f.isCut if it skips a part of this local value
	f.depth--
	known := localUse{found, f.isCut}
	f.known[key] = known
	f.isCut = wasCut
	return known
}

// findDerived returns the refusal of a variable from which the value of an expression is certainly computed, or nil.
// If deep is set, variables inside lists and objects count as well.
func (f *flow) findDerived(expr hcl.Expression, deep bool) *refusal {
	switch e := expr.(type) {
	case *hclsyntax.TemplateExpr:
		return f.findAnyDerived(e.Parts, deep)
	case *hclsyntax.TemplateWrapExpr:
		return f.findDerived(e.Wrapped, deep)
	case *hclsyntax.ParenthesesExpr:
		return f.findDerived(e.Expression, deep)
	case *hclsyntax.BinaryOpExpr:
		return f.findAnyDerived([]hclsyntax.Expression{e.LHS, e.RHS}, deep)
	case *hclsyntax.UnaryOpExpr:
		return f.findDerived(e.Val, deep)
	case *hclsyntax.RelativeTraversalExpr:
		return f.findDerived(e.Source, false) // of a list or object, only one element is used
	case *hclsyntax.IndexExpr:
		return f.findAnyDerived([]hclsyntax.Expression{e.Collection, e.Key}, false) // likewise
	case *hclsyntax.ConditionalExpr:
		return f.derivedFromConditional(e, deep)
	case *hclsyntax.FunctionCallExpr:
		return f.derivedFromCall(e)
	case *hclsyntax.TupleConsExpr:
		if deep {
			return f.findAnyDerived(e.Exprs, deep)
		}
	case *hclsyntax.ObjectConsExpr:
		if !deep {
			return nil
		}
		for _, item := range e.Items {
			if found := f.findDerived(item.ValueExpr, deep); found != nil {
				return found
			}
		}
	default:
		if ref, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
			return f.derivedFromReference(ref, deep)
		}
	}
	return nil
}

// findAnyDerived calls findDerived for each expression in list, and returns the first refusal, or nil.
func (f *flow) findAnyDerived(list []hclsyntax.Expression, deep bool) *refusal {
	for _, e := range list {
		if found := f.findDerived(e, deep); found != nil {
			return found
		}
	}
	return nil
}

// derivedFromConditional is findDerived for condition ? a : b. The condition counts in releases where it makes the
// result sensitive. The results count only if both are refused, because it is unknown which one is chosen.
func (f *flow) derivedFromConditional(e *hclsyntax.ConditionalExpr, deep bool) *refusal {
	if found := f.findDerived(e.Condition, deep); found != nil && conditionsCarry.Has(f.engine) {
		return found
	}
	if f.findDerived(e.FalseResult, deep) == nil {
		return nil
	}
	return f.findDerived(e.TrueResult, deep)
}

// derivedFromCall is findDerived for a function call. Only functions whose results are known to be as sensitive,
// ephemeral or unknown as their arguments count: others may return something harmless. An ifCalled rule, whose flag
// is the name of a function such as sensitive, refuses calls of that.
func (f *flow) derivedFromCall(e *hclsyntax.FunctionCallExpr) *refusal {
	if f.rule.how == ifCalled && e.Name == f.rule.flag {
		return &refusal{name: e.Name + "()"}
	}
	// nonsensitive removes only that one property: the result stays ephemeral or unknown.
	keepsFlag := e.Name == "nonsensitive" && f.rule.flag != "sensitive"
	if !slices.Contains(carriers, e.Name) && !keepsFlag {
		return nil
	}
	return f.findAnyDerived(e.Args, true) // deep: join, for one, uses all elements of a list
}

// derivedFromReference is findDerived for a reference, such as var.a or local.a.b. It returns nil for references to
// anything but variables and local values.
func (f *flow) derivedFromReference(ref hcl.Traversal, deep bool) *refusal {
	if len(ref) < 2 {
		return nil
	}
	step, _ := ref[1].(hcl.TraverseAttr)
	switch ref.RootName() {
	case "var":
		return f.refusalOf(step.Name)
	case "local":
		return f.derivedFromLocal(step.Name, ref[2:], deep)
	}
	return nil
}

// derivedFromLocal returns the refusal of a variable from which a part of a local value is certainly computed, or
// nil: for local.a.b.c, name is a and path is b.c. If deep is set, variables inside lists and objects in that part
// count as well. A path with an index finds nothing, because it is unknown which element is meant.
func (f *flow) derivedFromLocal(name string, path hcl.Traversal, deep bool) *refusal {
	local := f.locals[name]
	if local == nil {
		return nil
	}
	key := fmt.Sprint(name, deep) // for lookOnce: the result depends on both, and on path
	for _, step := range path {
		attr, isAttr := step.(hcl.TraverseAttr)
		if !isAttr {
			return nil
		}
		key += "." + attr.Name
	}
	return f.lookOnce(key, func() *refusal { return f.derivedFromPart(local.Expr(), path, deep) })
}

// derivedFromPart is findDerived for a part of an expression. It follows path through object constructors: the path b
// leads to var.x in {b = var.x}. If the expression isn't a constructor, the whole expression counts. All steps of
// path must be names.
func (f *flow) derivedFromPart(expr hcl.Expression, path hcl.Traversal, deep bool) *refusal {
	object, isObject := expr.(*hclsyntax.ObjectConsExpr)
	if len(path) == 0 || !isObject {
		return f.findDerived(expr, deep)
	}
	for _, item := range object.Items {
		if hcl.ExprAsKeyword(item.KeyExpr) == path[0].(hcl.TraverseAttr).Name {
			return f.derivedFromPart(item.ValueExpr, path[1:], deep)
		}
	}
	return nil
}

// isUsed reports whether the engine computes an argument at all. Some blocks, such as key_provider, are only computed
// if a computed argument refers to them.
func (f *flow) isUsed(u earlyArg) bool {
	if f.computedBlocks == nil { // the first call
		f.computedBlocks = f.findComputedBlocks()
	}
	return f.computedBlocks[f.rule.nameAround(u)]
}

// findComputedBlocks returns the names of the blocks that the engine computes, as nameAround returns them. It follows
// the references, starting from the arguments outside such blocks, which are always computed.
func (f *flow) findComputedBlocks() map[string]bool {
	argsIn := map[string][]*source.Attr{} // by the name of the block around them; "" for those always computed
	for _, arg := range f.earlyArgs {
		block := f.rule.nameAround(arg)
		argsIn[block] = append(argsIn[block], arg.attr)
	}
	delete(argsIn, neverComputed) // no reference makes the engine compute these
	isComputed := map[string]bool{"": true}
	if len(argsIn) <= 1 { // there are no blocks to which arguments may refer
		return isComputed
	}
	// pending are the computed blocks whose references must still be followed.
	for pending := []string{""}; len(pending) > 0; pending = pending[1:] {
		for _, a := range argsIn[pending[0]] {
			for _, ref := range a.Expr().Variables() {
				if block := strings.Join(namesIn(ref), "."); argsIn[block] != nil && !isComputed[block] {
					isComputed[block] = true
					pending = append(pending, block)
				}
			}
		}
	}
	return isComputed
}

// neverComputed stands for the names of blocks that engines never compute.
const neverComputed = "-"

// nameAround returns how references name the block around an argument if that is computed only on demand:
// key_provider.pbkdf2.a. It returns "" if the engine always computes the argument, and neverComputed if it never
// does.
func (r *rule) nameAround(u earlyArg) string {
	for b := u.attr.Within(); b != nil; b = b.Within() {
		switch {
		case slices.Contains(r.skipped, b.Type):
			return neverComputed // a string that no reference can be
		case slices.Contains(r.onDemand, b.Type):
			return strings.Join(append([]string{b.Type}, b.Labels...), ".")
		}
	}
	return ""
}

// judgeDynamic returns an error if the engine can't compute an argument's value from constants, variables and local
// values. It returns a warning if tofumerge can't tell and an override file is involved. A known value that comes
// from references goes to f.computed: judgeComputed checks it as if it were written in the argument.
func (f *flow) judgeDynamic(u earlyArg) *hcl.Diagnostic {
	if !f.isUsed(u) {
		return nil
	}
	v := f.evaluator.valueOf(u.attr, f.rule.onDemand)
	isReferring := len(u.attr.Expr().Variables()) > 0
	title, name, when := u.attr.File.Engine.Product.Title(), u.attr.Name, f.rule.whenComputed()
	switch {
	case v.refusal != nil:
		d := diag.New(u.attr.Value(), v.refusal.summary, "%s computes %s %s, and %s %s. Use another value.", title, name, when, v.refusal.subject(u), v.refusal.does)
		return atInit(f.rule, withSetHere(v.refusal.in, u, d))
	case v.doubt != nil && v.override != nil: // warn only if an override file is involved, which may be to blame
		d := diag.Warning(u.attr.Value(), "Value not computed", "%s computes %s %s, and refuses the module if that fails. tofumerge doesn't compute it, because %s %s.", title, name, when, v.doubt.subject(u), v.doubt.does)
		return withSetHere(v.override, u, d)
	// Without references, loading has checked the value already. A value too large for the budget isn't checked.
	case v.value.IsKnown() && isReferring && f.evaluator.budget.Covers(v.value, u.attr.Expr()):
		f.computed[u.attr] = computed{u.attr.With(&hclsyntax.LiteralValueExpr{Val: v.value, SrcRange: u.attr.Value()}), v.override}
	}
	return nil
}

// subject returns what can't be computed, to begin a sentence about u with: "this value" for u itself, otherwise
// "local.NAME at FILE:LINE".
func (o *obstacle) subject(u earlyArg) string {
	if o.in == u.attr {
		return "this value"
	}
	return "local." + diag.Escape(o.in.Name) + " at " + diag.Place(source.Where(o.in))
}

// withSetHere adds to a diagnostic about u where a local value is set on which u depends. It adds nothing if local is
// nil or u itself.
func withSetHere(local *source.Attr, u earlyArg, d *hcl.Diagnostic) *hcl.Diagnostic {
	if local == nil || local == u.attr {
		return d
	}
	return diag.WithRelated(diag.Related{Note: "local." + diag.Escape(local.Name) + " set here", Range: source.Where(local)}, d)
}

// judgeComputed returns what is wrong with values that arguments get from local values: loading saw only a reference
// such as local.x. It checks each value by itself, and once together with the other arguments of its block, unless
// these are invalid as written, which is reported already. Arguments of nested blocks are left out.
func (m *Module) judgeComputed() hcl.Diagnostics {
	written := map[string]*source.Attr{} // all early arguments, by block and path
	for _, u := range m.earlyArgs {
		written[u.name+"/"+u.path] = u.attr
	}
	isJudged := map[string]bool{} // the blocks whose arguments were checked together
	var diags hcl.Diagnostics
	for _, u := range m.earlyArgs {
		c, isComputed := m.computed[u.attr]
		top, arg, _ := strings.Cut(u.path, "/")
		isNested := strings.Contains(arg, "/")
		if !isComputed || isNested {
			continue
		}
		var found hcl.Diagnostics // about this argument, or about its block
		// Check the value alone. Also is what loading checks of a value that is written there.
		shape, _ := language.Of(m.engine).Block(top)
		if own, _ := shape.Body.Arg(arg); own.Also != nil {
			found = own.Also(c.attr)
		}
		// Check it together with the other arguments of its block.
		if block := u.name + "/" + top; !isJudged[block] {
			isJudged[block] = true
			writtenIn := func(name string) *source.Attr { return written[block+"/"+name] }
			found = append(found, m.judgeTogether(shape.Body, writtenIn)...)
		}
		// Point to the override file that changed the value, unless a check points to something else.
		for _, d := range found {
			if _, has := diag.RelatedOf(d); !has {
				withSetHere(c.override, u, d) // adds to d itself
			}
		}
		diags = append(diags, found...)
	}
	return diags
}

// judgeTogether returns what is wrong with the arguments of a block together, if some are replaced by their computed
// values. written returns the argument as it is written, by its name, or nil.
func (m *Module) judgeTogether(body *language.BodyShape, written func(name string) *source.Attr) hcl.Diagnostics {
	judgeAll := body.Judged() // nil if nothing depends on several arguments
	if judgeAll == nil || judgeAll(written).HasErrors() {
		return nil // loading has reported these errors
	}
	return judgeAll(func(name string) *source.Attr {
		return cmp.Or(m.computed[written(name)].attr, written(name))
	})
}

// A staticValue is the result of computing an argument or a local value from constants and local values. Variables
// and the results of functions are unknown in it.
type staticValue struct {
	value    cty.Value
	refusal  *obstacle    // why the engine can't compute the value, or nil
	doubt    *obstacle    // why tofumerge can't tell, or nil
	override *source.Attr // an override file's argument that the value depends on, or nil
}

// An obstacle says why an argument or a local value, in, can't be computed. summary is the title of the error, does
// completes a sentence about in: "refers to local.a, which isn't declared".
type obstacle struct {
	summary, does string
	in            *source.Attr
}

// An evaluator computes values and the local values to which they refer. An engine computes everything that a value
// refers to, even in the branch of a conditional that isn't chosen, so it doesn't matter where in the value a
// reference is.
type evaluator struct {
	*Module
	known   map[string]*staticValue // of local values; nil while one is being computed
	context *hcl.EvalContext        // with the functions
	budget  limits.Budget
}

// newEvaluator returns an evaluator for the local values of m.
func newEvaluator(m *Module) *evaluator {
	return &evaluator{Module: m, known: map[string]*staticValue{}, context: &hcl.EvalContext{Functions: functionsOf(m.engine)}, budget: limits.FreeBudget}
}

// A visit is the computation of one value. It waits until the local values to which the value refers are computed.
type visit struct {
	staticValue
	name          string // of the local value, or ""
	attr          *source.Attr
	expr          hcl.Expression
	refs          []hcl.Traversal      // references that valueOf still has to process
	roots, locals map[string]cty.Value // by the name at the start of references (var, local), and by local value
}

// newVisit returns the state of a computation that is about to start: of a local value with a name, or of an argument
// if name is "". If an override file sets the value, messages point there.
func newVisit(name string, a *source.Attr) *visit {
	expr := constant.Bare(a.Expr(), false) // quotes stay: a string isn't a reference
	v := &visit{name: name, attr: a, expr: expr, refs: expr.Variables(), roots: map[string]cty.Value{}, locals: map[string]cty.Value{}}
	if source.IsOverride(a) {
		v.override = a
	}
	return v
}

// valueOf computes the value of an argument. First it computes every local value on which the argument depends, each
// once. It keeps a stack of its own, because chains of local values can be too long for recursion. References in the
// argument itself, but not those in local values, may also begin with allowedRoots, such as key_provider.
func (s *evaluator) valueOf(a *source.Attr, allowedRoots []string) *staticValue {
	stack := []*visit{newVisit("", a)}
	for {
		v := stack[len(stack)-1]
		if len(v.refs) == 0 { // all references of v are processed
			s.compute(v)
			if len(stack) == 1 {
				return &v.staticValue
			}
			s.known[v.name] = &v.staticValue
			stack = stack[:len(stack)-1]
			continue
		}
		names := append(namesIn(v.refs[0]), "") // has two elements at least
		root, name := names[0], names[1]        // local and a for local.a.b; name is "" without a dot
		isLocal := root == "local" && s.locals[name] != nil
		if _, isKnown := s.known[name]; isLocal && !isKnown {
			// Compute the local value first, and then process this reference again. Until then nil marks it as being
			// computed: a reference to it from inside is circular.
			s.known[name] = nil
			stack = append(stack, newVisit(name, s.locals[name]))
			continue
		}
		if v.name != "" || !slices.Contains(allowedRoots, root) {
			s.addReference(v, root, name)
		}
		v.roots[root] = cty.DynamicVal // unknown; compute sets the local values
		v.refs = v.refs[1:]
	}
}

// namesIn returns the leading names of a reference, at most three: of key_provider.pbkdf2.a.keys the first three.
// isUsed compares them with a block's type and labels.
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

// addReference adds a reference to v, such as local.a: root is local, name is a. From a local value, v gets the value
// and everything that makes it impossible to compute. If the engine refuses the reference, it sets v.refusal.
func (s *evaluator) addReference(v *visit, root, name string) {
	if v.refusal != nil {
		return // the first one stays
	}
	ref := strings.TrimSuffix(root+"."+name, ".")
	refuse := func(summary, why string) {
		v.refusal = &obstacle{summary, "refers to " + diag.Escape(ref) + ", " + why, v.attr}
	}
	known := s.known[name] // of a local value: nil while it is being computed
	switch {
	case root == "local" && s.locals[name] == nil:
		refuse("Undefined local", "which isn't declared")
	case root == "local" && known == nil:
		refuse("Circular reference", "which depends on itself")
	case root == "local":
		v.locals[name], v.refusal = known.value, known.refusal
		v.doubt, v.override = cmp.Or(v.doubt, known.doubt), cmp.Or(v.override, known.override)
	case root == "var" && s.flags[name] == nil:
		refuse("Undefined variable", "which isn't declared")
	case root == "var", isEarly(ref, s.engine): // allowed; the value stays unknown
	default:
		refuse("Dynamic value in static context", "which can't be used there")
	}
}

// compute sets v.value, or v.refusal or v.doubt if the value can't be computed; then v.value is unknown. A failure is
// only a doubt if the engine may succeed: it may have more functions, or take the time. Before the call, all local
// values to which v refers must be computed.
func (s *evaluator) compute(v *visit) {
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
		// An argument, which has no name, is refused if its expression is too costly whatever the local values are.
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
			// The release may have functions that are not in the list.
			if !functionsListed.Has(s.engine) {
				v.doubt = found
				return
			}
		}
		v.refusal = found
	}
}

// refusedCall looks in an expression for a call of a function that early values may not call. It returns the summary
// of the error and the name of the function, or "" for both.
func (s *evaluator) refusedCall(e hcl.Expression) (summary, name string) {
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

// functionsOf returns a release's functions for evaluation. They compute nothing: their results are unknown. So
// evaluation reports calls of functions that the release doesn't have, and carries out none.
func functionsOf(e engine.Release) map[string]function.Function {
	all := map[string]function.Function{}
	for names, releases := range functions {
		for name := range strings.FieldsSeq(names) {
			takes := cty.DynamicPseudoType
			if name == "can" || name == "try" {
				// These catch errors in their arguments, so don't evaluate them before the call.
				takes = customdecode.ExpressionClosureType
			}
			if releases.Has(e) {
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
