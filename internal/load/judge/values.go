package judge

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// ConstantOf judges a value that must be a constant of a type.
func ConstantOf(a *source.Attr, want cty.Type) hcl.Diagnostics {
	if _, ok := a.PlainText(); ok && want == cty.String {
		return nil
	}
	_, diags := constant.Convert(a, want)
	return diags
}

// Constant judges a value that contains no references. In JSON the engine takes a string
// literally, whatever it looks like.
func Constant(a *source.Attr) hcl.Diagnostics {
	if a.Origin() != nil {
		return nil
	}
	_, diags := limits.Evaluate(a.Expr())
	return diags
}

// OutputType judges the type of an output, which can't have the forms of old releases.
func OutputType(a *source.Attr) hcl.Diagnostics {
	_, _, diags := constant.StrictType(a)
	return diags
}

// Reference judges a reference to an object.
func Reference(a *source.Attr) hcl.Diagnostics {
	_, diags := hcl.AbsTraversalForExpr(a.Expr())
	return diags
}

// Notice judges a constant text that must not be blank.
func Notice(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && strings.TrimSpace(v.AsString()) == "" {
		return hcl.Diagnostics{diag.New(a.Value(), "Invalid `deprecated` value",
			"The text can't be empty. Name the replacement.")}
	}
	return diags
}

// Word judges a constant text that must be a name.
func Word(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && !IsName(v.AsString(), a.File) {
		return hcl.Diagnostics{InvalidName(a.Name, a.Value())}
	}
	return diags
}

// Constraint returns errors if an argument isn't a version constraint that engines can parse. null and
// values that only a run knows pass.
func Constraint(a *source.Attr) hcl.Diagnostics {
	if text, ok := a.PlainText(); ok && isPlainConstraint(string(text)) {
		return nil
	}
	v, diags := limits.Evaluate(a.Expr())
	if diags.HasErrors() {
		return diags
	}
	v, err := limits.Convert(v, cty.String)
	switch {
	case errors.Is(err, limits.ErrCostly):
		return hcl.Diagnostics{limits.CostlyAt(a.Value())}
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

// isPlainConstraint reports whether a text is surely a version constraint: numbers with dots, behind
// operators. It saves the regular expressions of package version, which most constraints don't need.
func isPlainConstraint(text string) bool {
	for term := range strings.SplitSeq(text, ",") {
		term = strings.Trim(term, " ")
		number := strings.TrimLeft(term, "=!<>~")
		switch term[:len(term)-len(number)] {
		case "", "=", "!=", ">", "<", ">=", "<=", "~>":
		default:
			return false
		}
		for digits := range strings.SplitSeq(strings.TrimLeft(number, " "), ".") {
			if digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
				return false
			}
		}
	}
	return true
}

// Condition reports a condition that refers to nothing.
func Condition(a *source.Attr) hcl.Diagnostics {
	if a.PlainlyRefers() || len(a.Expr().Variables()) > 0 {
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid condition expression",
		"The condition refers to nothing, so its result never changes. Refer to the object to test.")}
}

// ImportAddress judges the address of a resource, whose keys may be expressions. Quotes around it
// are refused.
func ImportAddress(a *source.Attr) hcl.Diagnostics {
	switch a.Expr().(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.RelativeTraversalExpr:
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid import address expression",
		"Write the address of a resource without quotes, such as aws_instance.web or aws_instance.web[each.key].")}
}

// References judges a list of references, which may be in quotes.
func References(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		_, diags := hcl.AbsTraversalForExpr(constant.Unquote(e))
		return diags
	})
}

// OneOf judges keywords, which may be in quotes.
func OneOf(a *source.Attr, keywords ...string) hcl.Diagnostics {
	return oneOf(a, constant.Keyword(a.Expr()), keywords)
}

// BareOneOf judges keywords, which engines take without quotes only.
func BareOneOf(a *source.Attr, keywords ...string) hcl.Diagnostics {
	return oneOf(a, hcl.ExprAsKeyword(a.Expr()), keywords)
}

// oneOf judges an argument that was given a keyword, or "".
func oneOf(a *source.Attr, given string, keywords []string) hcl.Diagnostics {
	if slices.Contains(keywords, given) {
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), fmt.Sprintf("Invalid %q keyword", a.Name),
		"The argument %s must be %s, without quotes.", a.Name, diag.Joined(keywords, "or"))}
}

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

// isTrigger reports whether an expression refers to exactly one resource, and otherwise at most to
// count.index and each.key.
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

// Events judges a list of the known events, each at most once.
func Events(a *source.Attr, known []string) hcl.Diagnostics {
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

// nonEmpty is eachElement for a list that must have an element.
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

// judgeAction words the error about an element that isn't a reference to one action.
func judgeAction(e hcl.Expression, isOne func(hcl.Expression) bool) hcl.Diagnostics {
	if isOne(e) {
		return nil
	}
	return hcl.Diagnostics{diag.New(e.Range(), "Invalid action reference",
		"Each element must refer to one action of this module: action.TYPE.NAME.")}
}

// isAction reports whether an expression refers to one action. A key in it may refer to variables, local
// values and the like.
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

// ActionKeys reports elements that aren't whole actions, and keys of actions that depend on more than the
// resource's own count or for_each.
func ActionKeys(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics { return judgeAction(e, isSimpleAction) })
}

// isSimpleAction reports whether an expression refers to actions as a whole, or to instances of them by
// count or each.
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

// RefuseActions reports actions in a block's depends_on.
func RefuseActions(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e)); len(ref) == 0 || ref.RootName() != "action" {
			return nil
		}
		return hcl.Diagnostics{diag.New(e.Range(), "Invalid depends_on Action Reference",
			"Nothing can depend on an action. Name the objects that the action depends on instead.")}
	})
}

// RefuseExperiments reports the argument experiments in a release that has no experiments.
func RefuseExperiments(a *source.Attr) hcl.Diagnostics {
	return hcl.Diagnostics{diag.New(a.Header(), "Module uses experimental features",
		"%s has no experiments. Remove this argument.", a.File.Engine.Product.Title())}
}

// RefuseReserved reports an argument whose name is reserved.
func RefuseReserved(a *source.Attr) hcl.Diagnostics { return hcl.Diagnostics{reservedArgument(a)} }

// Experiments judges a list of the known experiments.
func Experiments(a *source.Attr, known ...string) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if slices.Contains(known, hcl.ExprAsKeyword(e)) {
			return nil
		}
		return hcl.Diagnostics{diag.New(e.Range(), "Unknown experiment keyword", "This release has no experiment of this name. Remove it.")}
	})
}

// Args returns the argument of a body with a name, or nil.
type Args = func(name string) *source.Attr

// A Joint judges several arguments of a body together.
type Joint func(arg Args) hcl.Diagnostics

// StaticSource judges a module's effective source if it is constant, and then calls judge, for its version.
func StaticSource(arg Args, judge Joint) hcl.Diagnostics {
	if source := arg("source"); source != nil {
		if _, ok := constant.Value(source); ok {
			if diags := FixedSource(source); diags.HasErrors() {
				return diags
			}
		}
	}
	return judge(arg)
}

// RefuseVersion reports a version of a module whose source isn't a registry address, as far as both are
// constants. A null version counts as missing.
func RefuseVersion(arg Args) hcl.Diagnostics {
	v := arg("version")
	if v == nil {
		return nil
	}
	if value, ok := constant.Value(v); !ok || value.IsNull() {
		return nil // it is null, or may be
	}
	diags := RefuseAnyVersion(arg)
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoRegistrySource {
			d.Detail = strings.Replace(d.Detail, RemoveVersion, UnsetVersion, 1)
		}
	}
	return diags
}

// RefuseAnyVersion is RefuseVersion for releases to which null is a version as well.
func RefuseAnyVersion(arg Args) hcl.Diagnostics {
	source, ver := arg("source"), arg("version")
	if source == nil || ver == nil {
		return nil
	}
	if _, ok := constant.Value(ver); ok {
		if diags := Constraint(ver); diags.HasErrors() {
			return diags
		}
	}
	addr, ok := constant.String(source)
	if !ok || IsRegistrySource(addr) {
		return nil
	}
	return hcl.Diagnostics{diag.WithCode(diag.NoRegistrySource, diag.NewWith(diag.Related{Note: "version set here",
		Range: ver.Header()}, source.Value(), "Invalid registry module source address",
		"Only modules from a registry have versions, and this source is not in a registry. "+RemoveVersion))}
}

// SymbolSource judges the source and the version of a symbol library, which have to be constants.
func SymbolSource(arg Args) (diags hcl.Diagnostics) {
	if source := arg("source"); source != nil {
		diags = FixedSource(source)
	}
	if version := arg("version"); version != nil && !diags.HasErrors() {
		diags = append(Constraint(version), RefuseAnyVersion(arg)...)
	}
	return diags
}

// AcrossBlocks calls judge unless source and version are in one block: then they were judged when the block
// was read.
func AcrossBlocks(arg Args, judge Joint) hcl.Diagnostics {
	source, ver := arg("source"), arg("version")
	if source != nil && ver != nil && source.Within() == ver.Within() {
		return nil
	}
	return judge(arg)
}

// AtInstallation makes warnings of errors that fail only the installation of modules.
func AtInstallation(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
		d.Detail += " Otherwise, installing modules fails."
	}
	return diags
}

// FixedSource judges the source of a module that has to be a constant.
func FixedSource(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && !IsSourceAddress(v.AsString()) {
		return hcl.Diagnostics{diag.New(a.Value(), "Invalid module source address",
			"%s can't get a module from this address. Write a directory (starting with ./ or ../), a registry module "+
				"(NAMESPACE/NAME/SYSTEM) or an address with a scheme, such as git::https://.",
			a.File.Engine.Product.Title())}
	}
	return diags
}

// EngineConstraint judges a constraint on the engine, which is read when files are loaded.
// Inside a terraform block it takes effect only in files that OpenTofu alone reads.
func EngineConstraint(a *source.Attr) hcl.Diagnostics {
	isInert := a.Within().Type == "terraform" && !a.File.Tofu
	diags := Constraint(a)
	for _, d := range diags {
		if isInert {
			d.Severity = hcl.DiagWarning
			d.Detail += fmt.Sprintf(" %s ignores it in this file.", a.File.Engine.Product.Title())
		}
	}
	switch {
	case isInert || diags.HasErrors():
	case hasPrerelease(a):
		diags = append(diags, diag.New(a.Value(), "Invalid required_version constraint",
			"A constraint on the engine can't name a prerelease. Name the release instead."))
	case !MeetsConstraint(a):
		diags = append(diags, incompatible(a))
	}
	return diags
}

// hasPrerelease reports whether a constraint names a prerelease, which a constraint on the engine must not.
func hasPrerelease(a *source.Attr) bool {
	return slices.ContainsFunc(constraintsOf(a), (*version.Constraint).Prerelease)
}

// constraintsOf reads an argument as a version constraint. One that can't be read constrains nothing.
func constraintsOf(a *source.Attr) version.Constraints {
	text, _ := constant.String(a)
	constraints, _ := version.NewConstraint(text)
	return constraints
}

// WouldMeet reports whether the engine would accept the module if it obeyed an argument that it ignores as
// a constraint on itself.
func WouldMeet(a *source.Attr) bool {
	return !Constraint(a).HasErrors() && !hasPrerelease(a) && MeetsConstraint(a)
}

// MeetsConstraint reports whether the engine that reads an argument meets the version constraint in it.
// Every engine meets one that can't be read.
func MeetsConstraint(a *source.Attr) bool { return constraintsOf(a).Check(a.File.Engine.Core()) }

// IsRegistrySource reports whether an address is one of a module registry: [HOST/]NAMESPACE/NAME/SYSTEM,
// perhaps with //SUBDIRECTORY.
func IsRegistrySource(addr string) bool {
	addr, below, _ := strings.Cut(addr, "//")
	parts := strings.Split(addr, "/")
	host := ""
	if len(parts) == 4 {
		host, parts = parts[0], parts[1:]
		if host == "github.com" || host == "bitbucket.org" || !registryHost().MatchString(host) {
			return false
		}
	}
	return len(parts) == 3 &&
		isRegistryName(parts[0]) && isRegistryName(parts[1]) && parts[2] != "" && !strings.ContainsFunc(parts[2], func(r rune) bool { return !isAlphanumeric(r) || r >= 'A' && r <= 'Z' }) &&
		!strings.Contains(below, "\n")
}

// isRegistryName reports whether a registry allows the name of a namespace or a module: letters and digits,
// and between them dashes and underscores.
func isRegistryName(name string) bool {
	const signs = "-_"
	return name != "" && strings.Trim(name, signs) == name &&
		strings.IndexFunc(name, func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune(signs, r) }) < 0
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

var (
	registryHost = lazyregexp.New(`^([0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?\.)+` +
		`[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?(:[0-9]+)?$`)
	getter  = lazyregexp.New(`^[A-Za-z0-9]+::`)
	outside = lazyregexp.New(`[^:]//\.\./`)
	// shorthand is an address without a scheme that implies one.
	shorthand = lazyregexp.New(`^/[^/]|^/$|^github\.com/[^/]+/|^bitbucket\.org/[^/]+/|^git@[^:]+:|` +
		`\.amazonaws\.com/|^www\.googleapis\.com/storage/[^/]+/[^/]+/`)
)

// IsLocalSource reports whether an address is a path from the module's directory.
func IsLocalSource(addr string) bool {
	addr = strings.ReplaceAll(addr, `\`, "/")
	return strings.HasPrefix(addr, "./") || strings.HasPrefix(addr, "../")
}

// IsSourceAddress reports whether an engine can get a module from an address.
func IsSourceAddress(addr string) bool {
	if IsLocalSource(addr) || IsRegistrySource(addr) {
		return true
	}
	addr = getter().ReplaceAllString(addr, "")
	if outside().MatchString(addr) {
		return false
	}
	u, err := url.Parse(addr)
	return err == nil && u.Scheme != "" || shorthand().MatchString(addr)
}
