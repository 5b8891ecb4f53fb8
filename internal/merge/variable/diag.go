package variable

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/vartype"
)

// Every message of the package, one function each.

// DefaultsIgnored is the code of a type that is in effect, but for the defaults of
// optional attributes in it.
const DefaultsIgnored diag.Code = "defaults-ignored"

// Inexact is the code of a type or a default that no text gives the meaning that the engine has for it.
const Inexact diag.Code = "inexact-variable"

// unfit reports a default that an override made not to fit the type.
func unfit(v *State, o vartype.Variable, err error) *hcl.Diagnostic {
	const title = "Invalid default value for variable"
	every := fmt.Sprintf("%s checks this after each override block, even if a later one fixes it.", engineOf(v.given))
	switch {
	case o.TypeAttr != nil && o.DefaultAttr == nil:
		return diag.NewWith(diag.Related{Note: "default", Range: v.given.Header()}, o.TypeAttr.Header(), title, "The default at %s doesn't fit this type: %s. %s Set a default that fits in the same block.", placeOf(v.given), err, every)
	case o.TypeAttr == nil && o.DefaultAttr != nil && v.typeAttr != nil:
		return diag.NewWith(diag.Related{Note: "type", Range: v.typeAttr.Header()}, o.DefaultAttr.Header(), title, "This default doesn't fit the type at %s: %s. %s Set the type in the same block.", placeOf(v.typeAttr), err, every)
	}
	return diag.New(v.given.Header(), title, "This default doesn't fit the variable's type: %s. %s", err, every)
}

func nullNotAllowed(v *State, o vartype.Variable, b *source.Block) *hcl.Diagnostic {
	d := diag.New(b.Header(), "Invalid default value for variable", "After this override the default is null and nullable is false. Set another default, or set nullable = true.")
	if v.given != o.DefaultAttr {
		return diag.WithRelated(diag.Related{Note: "default", Range: v.given.Header()}, d)
	}
	return d
}

// defaultsIgnored warns of defaults in a type that have no effect.
func defaultsIgnored(v *State, t source.Item) *hcl.Diagnostic {
	remedy := "Set them in the primary file's type."
	if v.primary.TypeAttr != nil {
		remedy = fmt.Sprintf("Change them at %s instead.", placeOf(v.primary.TypeAttr))
	}
	return diag.WithCode(DefaultsIgnored, diag.Warning(t.Header(), "Optional attribute defaults have no effect", "%s uses this type, but ignores the defaults of its optional attributes, although its documentation says otherwise. %s", engineOf(t), remedy))
}

func typeUnsayable(address string, t source.Item) *hcl.Diagnostic {
	return diag.WithCode(Inexact, diag.Warning(t.Header(), "Optional attribute defaults can't be printed", "%s keeps the optional attribute defaults of the primary file's type for %s, and they don't fit the shape of this type. It is printed without them. Repeat the defaults in this type, or change the type in the primary file.", engineOf(t), address))
}

func defaultUnsayable(address string, by source.Item) *hcl.Diagnostic {
	return diag.WithCode(Inexact, diag.Warning(by.Header(), "Default value can't be printed exactly", "%s converts the default of %s more than once, and no single default and type give the same result. The nearest literal is printed. Set the default again in the file that sets the type.", engineOf(by), address))
}

// onceOnly warns of a variable that overrides must not be applied to again.
func onceOnly(address string, by source.Item) *hcl.Diagnostic {
	return diag.Warning(by.Header(), "Override can be applied only once", "%s checks the default of %s after each override block. If the override files stay after the patch, it refuses the module or gets another value. Remove them when you apply the patch.", engineOf(by), address)
}

// engineOf is the name of the engine that is followed.
func engineOf(it source.Item) string { return it.Source().Engine.Product.Title() }

// placeOf is FILE:LINE of an item.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }
