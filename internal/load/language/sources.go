package language

import (
	"net/url"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Where modules are, and in which version.

// staticSource judges a module's source and version together in effect.
func staticSource(judge judge) judge {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		if diags := checkStaticSource(arg); diags.HasErrors() {
			return diags
		}
		return judge(arg)
	}
}

// refuseVersion reports a version of a module whose source isn't a registry address, as far as both
// are constants. A null version is treated as missing.
func refuseVersion(arg func(string) *source.Attr) hcl.Diagnostics {
	v := arg("version")
	if v == nil || isNull(v) {
		return nil
	}
	if _, ok := ConstantValue(v); !ok {
		return nil // it may be null
	}
	diags := refuseAnyVersion(arg)
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoRegistrySource {
			d.Detail = strings.Replace(d.Detail, RemoveVersion, UnsetVersion, 1)
		}
	}
	return diags
}

// The remedies for the version of a module without a source, if its setting can't be located; the
// second one is for releases that don't accept null as a missing version.
const (
	RemoveVersion = "Remove version."
	UnsetVersion  = "Remove version, or set it to null in an override file."
)

// refuseAnyVersion does so for releases to which null is a version as well.
func refuseAnyVersion(arg func(string) *source.Attr) hcl.Diagnostics {
	source, ver := arg("source"), arg("version")
	if source == nil || ver == nil {
		return nil
	}
	if _, ok := ConstantValue(ver); ok {
		if diags := checkConstraint(ver); diags.HasErrors() {
			return diags
		}
	}
	addr, ok := ConstantString(source)
	if !ok || IsRegistrySource(addr) {
		return nil
	}
	return hcl.Diagnostics{versionWithoutRegistry(source, ver)}
}

// acrossBlocks passes over a source and a version of one block, which are judged together when
// the block is read.
func acrossBlocks(judge judge) judge {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		source, ver := arg("source"), arg("version")
		if source != nil && ver != nil && source.Within() == ver.Within() {
			return nil
		}
		return judge(arg)
	}
}

// atInstallation turns errors into warnings where only the installation of modules fails.
func atInstallation(judge judge) judge {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		diags := judge(arg)
		for _, d := range diags {
			d.Severity = hcl.DiagWarning
			d.Detail += " Otherwise, installing modules fails."
		}
		return diags
	}
}

func isNull(a *source.Attr) bool {
	v, ok := ConstantValue(a)
	return ok && v.IsNull()
}

// IsRegistrySource reports whether an address is one of a module registry:
// [HOST/]NAMESPACE/NAME/SYSTEM, perhaps with //SUBDIRECTORY.
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
		isRegistryName(parts[0]) && isRegistryName(parts[1]) && isSystemName(parts[2]) &&
		!strings.Contains(below, "\n")
}

// isRegistryName reports whether a namespace or a module may have a name: letters and digits,
// and between them dashes and underscores.
func isRegistryName(name string) bool {
	const signs = "-_"
	return name != "" && strings.Trim(name, signs) == name &&
		strings.IndexFunc(name, func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune(signs, r) }) < 0
}

// isSystemName reports whether a system may have a name: small letters and digits.
func isSystemName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !isAlphanumeric(r) || r >= 'A' && r <= 'Z' }) < 0
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

var (
	registryHost = lazyregexp.New(`^([0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?\.)+` +
		`[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?(:[0-9]+)?$`)
	hostName = lazyregexp.New(`^([^-./:_ ]([^./:_ ]*[^-./:_ ])?\.)*[^-./:_ ]([^./:_ ]*[^-./:_ ])?(:[0-9]+)?$`)
	getter   = lazyregexp.New(`^[A-Za-z0-9]+::`)
	outside  = lazyregexp.New(`[^:]//\.\./`)
	// The addresses without a scheme that imply one.
	shorthand = lazyregexp.New(`^/[^/]|^/$|^github\.com/[^/]+/|^bitbucket\.org/[^/]+/|^git@[^:]+:|` +
		`\.amazonaws\.com/|^www\.googleapis\.com/storage/[^/]+/[^/]+/`)
)

// IsLocalSource reports whether an address is a path from the module's directory.
func IsLocalSource(addr string) bool {
	addr = strings.ReplaceAll(addr, `\`, "/")
	return strings.HasPrefix(addr, "./") || strings.HasPrefix(addr, "../")
}

// isSource reports whether a module can be got from an address.
func isSource(addr string) bool {
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

func checkFixedSource(a *source.Attr) hcl.Diagnostics {
	v, diags := constant(a, cty.String)
	if !diags.HasErrors() && !isSource(v.AsString()) {
		return hcl.Diagnostics{invalidSource(a)}
	}
	return diags
}

// checkStaticSource judges the source and the version in effect, which may be
// expressions, but of nothing that only a run makes.
func checkStaticSource(arg func(string) *source.Attr) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if source := arg("source"); source != nil {
		if _, ok := ConstantValue(source); ok {
			diags = checkFixedSource(source)
		} else {
			diags = checkStatic(source)
		}
	}
	if ver := arg("version"); ver != nil {
		diags = append(diags, checkStatic(ver)...)
	}
	return diags
}

// checkStatic reports what an expression that is computed when a module is loaded
// may not refer to.
func checkStatic(a *source.Attr) hcl.Diagnostics {
	if _, ok := a.PlainText(); ok {
		return nil
	}
	expr := a.Expr()
	if d := limits.TooCostly(expr); d != nil {
		return hcl.Diagnostics{d}
	}
	for _, ref := range expr.Variables() {
		switch root := ref.RootName(); root {
		case "var", "local", "path", "terraform":
		default:
			if root != "tofu" || !roots.has(root, a.File.Engine) {
				return hcl.Diagnostics{dynamicReference(a, ref)}
			}
		}
	}
	if callsProvider(expr) {
		return hcl.Diagnostics{dynamicFunction(a)}
	}
	return nil
}

// callsProvider reports whether an expression calls a function of a provider.
func callsProvider(e hcl.Expression) bool {
	found := false
	if node, ok := e.(hclsyntax.Node); ok {
		_ = hclsyntax.VisitAll(node, func(n hclsyntax.Node) hcl.Diagnostics {
			call, ok := n.(*hclsyntax.FunctionCallExpr)
			found = found || ok && strings.HasPrefix(call.Name, "provider::")
			return nil
		})
	}
	return found
}

// HasModuleSource reports whether a top-level block of a type may have an argument that is the
// source of a module call.
func HasModuleSource(e engine.Release, typ string) bool {
	shape, _ := Of(e).Block(typ)
	if shape.Body == nil {
		return false
	}
	for _, arg := range shape.Body.Args {
		if arg.Kind == kindSource || arg.Kind == kindFixedSource {
			return true
		}
	}
	return false
}

// IsModuleSource reports whether an argument is the source of a module call.
func IsModuleSource(a *source.Attr) bool { return isOfModuleCall(a) && isSourceKind(a.Name, a) }

// IsModuleVersion reports whether an argument is the version of a module call.
func IsModuleVersion(a *source.Attr) bool { return isOfModuleCall(a) && a.Name == "version" }

// isOfModuleCall reports whether an argument is one of a module call itself.
func isOfModuleCall(a *source.Attr) bool {
	return a.Within() != nil && a.Within().Within() == nil && isSourceKind("source", a)
}

func isSourceKind(name string, a *source.Attr) bool {
	shape, _ := Of(a.File.Engine).Block(a.Within().Type)
	arg, ok := shape.Body.Arg(name)
	return ok && (arg.Kind == kindSource || arg.Kind == kindFixedSource)
}
