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

// ConstantOf returns errors unless an argument is a constant that converts to a type.
func ConstantOf(a *source.Attr, want cty.Type) hcl.Diagnostics {
	// The usual case needs no evaluation.
	if _, ok := a.PlainText(); ok && want == cty.String {
		return nil
	}
	_, diags := constant.Convert(a, want)
	return diags
}

// Constant returns errors if a value contains references, such as an argument of provider_meta. In JSON the engine
// reads strings literally, even with ${ }, so there every value is a constant.
func Constant(a *source.Attr) hcl.Diagnostics {
	if a.Origin() != nil {
		return nil
	}
	_, diags := limits.Evaluate(a.Expr())
	return diags
}

// OutputType judges the type of an output. The keywords list and map without an element type are errors; variables
// still accept them.
func OutputType(a *source.Attr) hcl.Diagnostics {
	_, _, diags := constant.StrictType(a)
	return diags
}

// Reference returns errors unless a value is a reference, such as the from of a moved block.
func Reference(a *source.Attr) hcl.Diagnostics {
	_, diags := hcl.AbsTraversalForExpr(a.Expr())
	return diags
}

// Notice judges the text of deprecated, which must be a constant and not blank.
func Notice(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && strings.TrimSpace(v.AsString()) == "" {
		return hcl.Diagnostics{diag.New(a.Value(), "Invalid `deprecated` value",
			"The text can't be empty. Name the replacement.")}
	}
	return diags
}

// Word judges an argument that must be a constant name, such as the alias of a provider.
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

// isPlainConstraint reports whether a text is surely a valid version constraint: numbers with dots after an operator,
// perhaps several with commas. Then the regular expressions of package version, which are slow, aren't needed.
func isPlainConstraint(text string) bool {
	for term := range strings.SplitSeq(text, ",") {
		term = strings.Trim(term, " ")
		number := strings.TrimLeft(term, "=!<>~")
		switch operator := term[:len(term)-len(number)]; operator {
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

// Condition reports a condition without references: its result would always be the same.
func Condition(a *source.Attr) hcl.Diagnostics {
	if a.PlainlyRefers() || len(a.Expr().Variables()) > 0 {
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid condition expression",
		"The condition refers to nothing, so its result never changes. Refer to the object to test.")}
}

// ImportAddress judges an address in the to of an import block. Keys in it may be any expressions. Quotes around the
// address are an error.
func ImportAddress(a *source.Attr) hcl.Diagnostics {
	switch a.Expr().(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.IndexExpr, *hclsyntax.RelativeTraversalExpr:
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), "Invalid import address expression",
		"Write the address of a resource without quotes, such as aws_instance.web or aws_instance.web[each.key].")}
}

// References returns errors unless an argument is a list of references. These may be in quotes, as in old releases.
func References(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		_, diags := hcl.AbsTraversalForExpr(constant.Unquote(e))
		return diags
	})
}

// OneOf returns an error unless an argument is one of the keywords, with or without quotes.
func OneOf(a *source.Attr, keywords ...string) hcl.Diagnostics {
	return judgeKeyword(a, constant.Keyword(a.Expr()), keywords)
}

// BareOneOf returns an error unless an argument is one of the keywords, without quotes.
func BareOneOf(a *source.Attr, keywords ...string) hcl.Diagnostics {
	return judgeKeyword(a, hcl.ExprAsKeyword(a.Expr()), keywords)
}

// judgeKeyword returns an error unless given is one of the keywords. given is the keyword in argument a, or "" if its
// value isn't a keyword.
func judgeKeyword(a *source.Attr, given string, keywords []string) hcl.Diagnostics {
	if slices.Contains(keywords, given) {
		return nil
	}
	return hcl.Diagnostics{diag.New(a.Value(), fmt.Sprintf("Invalid %q keyword", a.Name),
		"The argument %s must be %s, without quotes.", a.Name, diag.Joined(keywords, "or"))}
}

// Arguments that hold lists which are not evaluated.

// eachElement calls judge for each element of a list, and returns all diagnostics. If the argument isn't a list, it
// returns that error.
func eachElement(a *source.Attr, judge func(hcl.Expression) hcl.Diagnostics) hcl.Diagnostics {
	exprs, diags := hcl.ExprList(a.Expr())
	for _, e := range exprs {
		diags = append(diags, judge(e)...)
	}
	return diags
}

// IgnoreList judges ignore_changes: the keyword all, or a list of argument names. ["*"] was the way to write all in
// old releases.
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

// Triggers judges replace_triggered_by, a list of references to resources.
func Triggers(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if isTrigger(e, a.File.Engine) {
			return nil
		}
		return hcl.Diagnostics{diag.New(e.Range(), "Invalid replace_triggered_by expression",
			"Each element must refer to exactly one resource; only count.index and each.key may appear in it.")}
	})
}

// isTrigger reports whether an expression refers to exactly one resource. Apart from that, it may refer only to count
// and each.
func isTrigger(expr hcl.Expression, e engine.Release) bool {
	resources := 0
	for _, ref := range expr.Variables() {
		switch root := ref.RootName(); {
		case root == "count" || root == "each":
		case root == "data" || root == "ephemeral" && roots.has(root, e):
			if len(ref) < 3 { // data.TYPE without a name
				return false
			}
			resources++
		case roots.has(root, e): // var.x: a reference to another kind of object
			return false
		case len(ref) < 2: // TYPE without a name
			return false
		default:
			resources++
		}
	}
	return resources == 1
}

// Flag returns an error unless an argument is the constant true or false, without quotes.
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

// Events judges a list of events, such as before_create. Each must be one of known and appear only once.
func Events(a *source.Attr, known []string) hcl.Diagnostics {
	seen := map[string]bool{}
	return eachOfNonEmpty(a, func(e hcl.Expression) hcl.Diagnostics {
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

// eachOfNonEmpty is eachElement for a list that must not be empty.
func eachOfNonEmpty(a *source.Attr, judge func(hcl.Expression) hcl.Diagnostics) hcl.Diagnostics {
	if exprs, diags := hcl.ExprList(a.Expr()); !diags.HasErrors() && len(exprs) == 0 {
		return hcl.Diagnostics{diag.New(a.Value(), "Nothing specified for "+a.Name, "Add at least one element to %s.", a.Name)}
	}
	return eachElement(a, judge)
}

// Actions judges a list of references to actions, as in an action_trigger block.
func Actions(a *source.Attr) hcl.Diagnostics {
	return eachOfNonEmpty(a, func(e hcl.Expression) hcl.Diagnostics { return judgeAction(e, isAction) })
}

// judgeAction returns an error unless isOne accepts the expression as a reference to one action.
func judgeAction(e hcl.Expression, isOne func(hcl.Expression) bool) hcl.Diagnostics {
	if isOne(e) {
		return nil
	}
	return hcl.Diagnostics{diag.New(e.Range(), "Invalid action reference",
		"Each element must refer to one action of this module: action.TYPE.NAME.")}
}

// isAction reports whether an expression refers to exactly one action: action.TYPE.NAME, perhaps with a key. The key
// may refer to variables and local values, for example.
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

// ActionInstances judges the argument actions of an action_trigger block: each element must be action.TYPE.NAME, or
// an instance of it whose key is constant or depends only on the resource's own count or for_each. Actions has
// judged the list before.
func ActionInstances(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics { return judgeAction(e, isActionOrInstance) })
}

// isActionOrInstance reports whether an expression is action.TYPE.NAME, or an instance whose key refers only to count
// and each. Actions has checked before that the expression refers to exactly one action.
func isActionOrInstance(e hcl.Expression) bool {
	for _, ref := range e.Variables() {
		switch ref.RootName() {
		case "count", "each": // in the key: a key that isn't constant is a reference of its own
		case "action":
			// A fourth step must be a constant key: action.TYPE.NAME[0].
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

// RefuseActions reports actions in depends_on.
func RefuseActions(a *source.Attr) hcl.Diagnostics {
	return eachElement(a, func(e hcl.Expression) hcl.Diagnostics {
		if ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e)); len(ref) == 0 || ref.RootName() != "action" {
			return nil
		}
		return hcl.Diagnostics{diag.New(e.Range(), "Invalid depends_on Action Reference",
			"Nothing can depend on an action. Name the objects that the action depends on instead.")}
	})
}

// RefuseExperiments reports the argument experiments, for releases that have none.
func RefuseExperiments(a *source.Attr) hcl.Diagnostics {
	return hcl.Diagnostics{diag.New(a.Header(), "Module uses experimental features",
		"%s has no experiments. Remove this argument.", a.File.Engine.Product.Title())}
}

// RefuseReserved reports an argument whose name is reserved, whatever its value is.
func RefuseReserved(a *source.Attr) hcl.Diagnostics { return hcl.Diagnostics{reservedArgument(a)} }

// Experiments judges a list of experiments. known are the ones that the release has.
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

// A Joint judges several arguments of a body together. arg returns an argument by its name, or nil.
type Joint func(arg Args) hcl.Diagnostics

// StaticSource judges a module's effective source if it is constant, and then calls judge for source and version
// together.
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

// RefuseVersion reports a module's version if its source isn't a registry address, for releases that treat a null
// version as missing. It judges only constants.
func RefuseVersion(arg Args) hcl.Diagnostics {
	v := arg("version")
	if v == nil {
		return nil
	}
	if value, ok := constant.Value(v); !ok || value.IsNull() {
		return nil // it is null, or may be
	}
	diags := RefuseEvenNullVersion(arg)
	for _, d := range diags {
		// These releases accept version = null, so suggest that instead of removing the argument.
		if diag.CodeOf(d) == diag.NoRegistrySource {
			d.Detail = strings.Replace(d.Detail, RemoveVersion, UnsetVersion, 1)
		}
	}
	return diags
}

// RefuseEvenNullVersion reports a module's version, even a null one, if the source isn't a registry address. It also
// reports a malformed constraint. It judges only constants.
func RefuseEvenNullVersion(arg Args) hcl.Diagnostics {
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

// SymbolSource judges the source and version of a symbol library (a symbols block). Both must be constants.
func SymbolSource(arg Args) (diags hcl.Diagnostics) {
	if source := arg("source"); source != nil {
		diags = FixedSource(source)
	}
	if version := arg("version"); version != nil && !diags.HasErrors() {
		diags = slices.Concat(diags, Constraint(version), RefuseEvenNullVersion(arg))
	}
	return diags
}

// AcrossBlocks calls judge unless a module call has both source and version in one block, because then they were
// judged together when the block was read.
func AcrossBlocks(arg Args, judge Joint) hcl.Diagnostics {
	source, ver := arg("source"), arg("version")
	if source != nil && ver != nil && source.Within() == ver.Within() {
		return nil
	}
	return judge(arg)
}

// AtInstallation turns errors into warnings, for errors that appear only when modules are installed. It changes
// diags.
func AtInstallation(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
		d.Detail += " Otherwise, installing modules fails."
	}
	return diags
}

// FixedSource judges the source of a module that must be a constant: whether it is a string, and an address from
// which the engine can get a module.
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

// EngineConstraint judges a version constraint on the engine, for the releases of OpenTofu since 1.12: it must be
// well-formed, name no prerelease, and the engine must meet it. These releases ignore required_version of terraform
// blocks in .tf files, so there a malformed one only causes a warning.
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

// hasPrerelease reports whether a version constraint names a prerelease, such as "1.6.0-rc1". Constraints on the
// engine can't.
func hasPrerelease(a *source.Attr) bool {
	return slices.ContainsFunc(constraintsOf(a), (*version.Constraint).Prerelease)
}

// constraintsOf returns the version constraints in an argument. If they can't be parsed, there are none.
func constraintsOf(a *source.Attr) version.Constraints {
	text, _ := constant.String(a)
	constraints, _ := version.NewConstraint(text)
	return constraints
}

// WouldMeet judges a version constraint that the engine ignores in its file: OpenTofu obeys some only in .tofu files.
// It reports whether the engine would accept the module if it obeyed the constraint; if not, moving it to such a file
// is no remedy. A constraint on the engine can't name a prerelease, so one that does would be refused.
func WouldMeet(a *source.Attr) bool {
	return !Constraint(a).HasErrors() && !hasPrerelease(a) && MeetsConstraint(a)
}

// MeetsConstraint reports whether the engine that reads an argument meets the version constraint in it. If the
// constraint can't be parsed, the result is true.
func MeetsConstraint(a *source.Attr) bool { return constraintsOf(a).Check(a.File.Engine.Core()) }

// IsRegistrySource reports whether a module's source is an address in a module registry:
// [HOST/]NAMESPACE/NAME/SYSTEM, optionally with //SUBDIRECTORY.
func IsRegistrySource(addr string) bool {
	addr, below, _ := strings.Cut(addr, "//")
	parts := strings.Split(addr, "/")
	if len(parts) == 4 {
		host := parts[0]
		isGit := host == "github.com" || host == "bitbucket.org" // shorthands for git repositories
		if isGit || !registryHost().MatchString(host) {
			return false
		}
		parts = parts[1:]
	}
	if len(parts) != 3 {
		return false
	}
	// The last part, the system, has only digits and lower-case letters.
	isOutside := func(r rune) bool { return !isAlphanumeric(r) || r >= 'A' && r <= 'Z' }
	system := parts[2]
	isSystem := system != "" && !strings.ContainsFunc(system, isOutside)
	return isRegistryName(parts[0]) && isRegistryName(parts[1]) && isSystem &&
		!strings.Contains(below, "\n") // which the engine's pattern for the subdirectory doesn't match
}

// isRegistryName reports whether a text can be a namespace or a module's name in a registry: letters, digits, and
// dashes and underscores between them.
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

// IsLocalSource reports whether a module's source is a path relative to the calling module. It must start with ./ or
// ../.
func IsLocalSource(addr string) bool {
	addr = strings.ReplaceAll(addr, `\`, "/")
	return strings.HasPrefix(addr, "./") || strings.HasPrefix(addr, "../")
}

// IsSourceAddress reports whether an engine can get a module from an address: a local path, a registry address, a
// URL, or a shorthand such as github.com/a/b.
func IsSourceAddress(addr string) bool {
	if IsLocalSource(addr) || IsRegistrySource(addr) {
		return true
	}
	// Drop a prefix such as git:: before parsing the rest.
	addr = getter().ReplaceAllString(addr, "")
	// //../ leads out of the downloaded directory.
	if outside().MatchString(addr) {
		return false
	}
	u, err := url.Parse(addr)
	return err == nil && u.Scheme != "" || shorthand().MatchString(addr)
}
