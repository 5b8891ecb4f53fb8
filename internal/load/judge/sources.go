package judge

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/modulesource"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Joint judges the arguments of a body, which it gets by their names; an
// argument that is not there is nil.
type Joint func(arg func(name string) *source.Attr) hcl.Diagnostics

// StaticSource judges a module's source and version together in effect.
func StaticSource(judge Joint) Joint {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		if diags := checkStaticSource(arg); diags.HasErrors() {
			return diags
		}
		return judge(arg)
	}
}

// RefuseVersion reports a version of a module whose source isn't a registry address, as far as both
// are constants. A null version is treated as missing.
func RefuseVersion(arg func(string) *source.Attr) hcl.Diagnostics {
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

// RefuseAnyVersion does so for releases to which null is a version as well.
func RefuseAnyVersion(arg func(string) *source.Attr) hcl.Diagnostics {
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
	if !ok || modulesource.IsRegistry(addr) {
		return nil
	}
	return hcl.Diagnostics{diag.WithCode(diag.NoRegistrySource, diag.NewWith(diag.Related{Note: "version set here",
		Range: ver.Header()}, source.Value(), "Invalid registry module source address",
		"Only modules from a registry have versions, and this source is not in a registry. "+RemoveVersion))}
}

// AcrossBlocks skips a source and a version of one block, which are judged together when the block
// is read.
func AcrossBlocks(judge Joint) Joint {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		source, ver := arg("source"), arg("version")
		if source != nil && ver != nil && source.Within() == ver.Within() {
			return nil
		}
		return judge(arg)
	}
}

// AtInstallation turns errors into warnings where only the installation of modules fails.
func AtInstallation(judge Joint) Joint {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		diags := judge(arg)
		for _, d := range diags {
			d.Severity = hcl.DiagWarning
			d.Detail += " Otherwise, installing modules fails."
		}
		return diags
	}
}

// FixedSource judges the source of a module that has to be a constant.
func FixedSource(a *source.Attr) hcl.Diagnostics {
	v, diags := constant.Convert(a, cty.String)
	if !diags.HasErrors() && !modulesource.IsAddress(v.AsString()) {
		return hcl.Diagnostics{diag.New(a.Value(), "Invalid module source address",
			"%s can't get a module from this address. Write a directory (starting with ./ or ../), a registry module "+
				"(NAMESPACE/NAME/SYSTEM) or an address with a scheme, such as git::https://.",
			a.File.Engine.Product.Title())}
	}
	return diags
}

// checkStaticSource judges the source and the version in effect, which may be
// expressions, but of nothing that only a run makes.
func checkStaticSource(arg func(string) *source.Attr) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if source := arg("source"); source != nil {
		if _, ok := constant.Value(source); ok {
			diags = FixedSource(source)
		} else {
			diags = checkStatic(source)
		}
	}
	if ver := arg("version"); ver != nil {
		diags = append(diags, checkStatic(ver)...)
	}
	return diags
}

// checkStatic reports forbidden references of an expression that is computed when a module is
// loaded.
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
				return hcl.Diagnostics{diag.New(a.Value(), "Dynamic value in static context",
					"The argument %s is evaluated when the configuration is loaded, so it can refer only to variables, local "+
						"values and path, not to %s.", a.Name, diag.Escape(ref.RootName()))}
			}
		}
	}
	if callsProvider(expr) {
		return hcl.Diagnostics{diag.New(a.Value(), "Provider function in static context",
			"The argument %s is evaluated when the configuration is loaded, before providers are available.", a.Name)}
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
