package variable

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Every message of the package, one function each.

// DefaultsIgnored is the code of a type of which nothing but the defaults of optional
// attributes does nothing.
const DefaultsIgnored diag.Code = "defaults-ignored"

func problem(sev hcl.DiagnosticSeverity, it source.Item, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: sev, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: it.Header().Ptr()}
}

func withPlace(d *hcl.Diagnostic, note string, it source.Item) *hcl.Diagnostic {
	return diag.WithRelated(diag.Related{Note: note, Range: it.Header()}, d)
}

// unfit reports a default that an override made not to fit the type.
func unfit(v *State, o language.Variable, err error) *hcl.Diagnostic {
	const title, every = "Invalid default value for variable", "The engine checks this after each override block, also where a later one would mend it."
	switch {
	case o.TypeAttr != nil && o.DefaultAttr == nil:
		d := problem(hcl.DiagError, o.TypeAttr, title, "The default does not fit the type that this override gives: %s. %s", err, every)
		return withPlace(d, "the default is set here", v.given)
	case o.TypeAttr == nil && o.DefaultAttr != nil && v.typeAttr != nil:
		d := problem(hcl.DiagError, o.DefaultAttr, title, "The default that this override gives does not fit the variable's type: %s. %s", err, every)
		return withPlace(d, "the type is set here", v.typeAttr)
	}
	return problem(hcl.DiagError, v.given, title, "The default does not fit the variable's type: %s. %s", err, every)
}

func nullNotAllowed(v *State, o language.Variable, b *source.Block) *hcl.Diagnostic {
	d := problem(hcl.DiagError, b, "Invalid default value for variable", "After this override the default is null, which nullable = false forbids.")
	if v.given != o.DefaultAttr {
		return withPlace(d, "the default is set here", v.given)
	}
	return d
}

// defaultsIgnored warns of defaults in a type that do nothing.
func defaultsIgnored(t source.Item) *hcl.Diagnostic {
	return diag.WithCode(DefaultsIgnored, problem(hcl.DiagWarning, t, "Optional attribute defaults have no effect", "The type itself counts, but the defaults of its optional attributes do nothing: contrary to the documentation those of the primary file's type stay in force. Set them there."))
}

func typeUnsayable(address string, t source.Item) *hcl.Diagnostic {
	return problem(hcl.DiagWarning, t, "Optional attribute defaults can't be printed", "The engine keeps the optional attribute defaults of the primary file's type for %s, and no type of this shape can say so. The type is printed without them. Repeat the defaults in this type, or change the type in the primary file.", diag.Escape(address))
}

func defaultUnsayable(address string, by source.Item) *hcl.Diagnostic {
	return problem(hcl.DiagWarning, by, "Default value can't be printed exactly", "The engine converts the default of %s more than once, and no single default and type give its result. The nearest literal is printed. Set the default again in the file that sets the type.", diag.Escape(address))
}

// onceOnly warns of a variable that overrides must not be applied to again.
func onceOnly(address string, by source.Item) *hcl.Diagnostic {
	return problem(hcl.DiagWarning, by, "Override can be applied once only", "The engine judges the default of %s after each override block. If the primary files are patched and the override files stay, it refuses the module or comes to another value. Remove the override files when you apply the patch.", diag.Escape(address))
}
