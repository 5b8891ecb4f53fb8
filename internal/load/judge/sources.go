package judge

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/modulesource"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Joint judges the arguments of a body, which it gets by their names; an
// argument that is not there is nil.
type Joint func(arg func(name string) *source.Attr) hcl.Diagnostics

// StaticSource judges a module's source and version together in effect, as far as they are constants.
func StaticSource(judge Joint) Joint {
	return func(arg func(string) *source.Attr) hcl.Diagnostics {
		if source := arg("source"); source != nil {
			if _, ok := constant.Value(source); ok {
				if diags := FixedSource(source); diags.HasErrors() {
					return diags
				}
			}
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
