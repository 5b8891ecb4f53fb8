package check

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

// Findings about the values of variables, in a module that is run as a root module.

// LayerRules are the rules about that.
var LayerRules = []*Rule{undeclaredVariable, variableValueType, overrideOfOutrankedDefault, outrankedValue}

var severitiesOfComplaints = map[layers.Complaint]Severity{layers.Warning: Warning, layers.Error: Error}

// IsAboutLayers reports whether a finding is one of those rules.
func (f *Finding) IsAboutLayers() bool { return slices.Contains(LayerRules, f.Rule) }

// BrokenVariables are the findings that the engine refuses variables files, for which every
// run fails.
func BrokenVariables(diags hcl.Diagnostics) (found []Finding) {
	for _, d := range diags {
		rule := syntaxError
		if diag.CodeOf(d) == diag.Unreadable {
			rule = unreadable
		}
		x := rule.At(*d.Subject, d.Summary+". "+d.Detail)
		if d.Severity == hcl.DiagWarning {
			x.Severity = Warning
		}
		found = append(found, x)
	}
	return found
}

// LayerFindings lists the findings about the values of variables.
func LayerFindings(set *layers.Set) []Finding {
	f := layerFindings{set: set, hints: mostHints}
	for _, v := range set.Variables() {
		if v.Item == nil {
			f.undeclared(v)
			continue
		}
		f.declared(v)
	}
	return f.found
}

// mostHints is for how many names similar ones are looked for, which takes long where a
// module has very many.
const mostHints = 20

// layerFindings gathers findings.
type layerFindings struct {
	set      *layers.Set
	found    []Finding
	declares []string // names, once needed
	hints    int
}

// add notes a finding about a layer.
func (f *layerFindings) add(r *Rule, v *layers.Variable, l *layers.Layer, format string, args ...any) *Finding {
	x := r.At(l.Range, fmt.Sprintf(format, args...))
	if v.Item != nil {
		x.Address, x.Item = address.Of(v.Item), v.Item
	}
	f.found = append(f.found, x)
	return &f.found[len(f.found)-1]
}

func (f *layerFindings) undeclared(v *layers.Variable) {
	if f.set.IsPartial {
		return // a file that can't be parsed may declare it
	}
	hint := ""
	for i := range v.Layers {
		l := &v.Layers[i]
		severity, isFound := severitiesOfComplaints[f.set.ComplaintAbout(l)]
		if !isFound {
			continue
		}
		if hint == "" {
			hint = f.hint(v.Name)
		}
		f.add(undeclaredVariable, v, l, "The module doesn't declare a variable %q, so nothing uses the value.%s", diag.Escape(v.Name), hint).Severity = severity
	}
}

// hint names a declared variable that may be meant.
func (f *layerFindings) hint(name string) string {
	if f.hints == 0 {
		return ""
	}
	f.hints--
	if f.declares == nil {
		for _, v := range f.set.Variables() {
			if v.Item != nil {
				f.declares = append(f.declares, v.Name)
			}
		}
	}
	return diag.DidYouMean(name, f.declares)
}

func (f *layerFindings) declared(v *layers.Variable) {
	r := f.set.Result(v)
	for _, o := range layers.Outcomes(v, r) {
		switch {
		case o.Status != layers.Outranked:
		case o.Value != nil && !o.Rule.Text:
			x := f.add(outrankedValue, v, o.Layer, "Outranked by %s. Remove one of the two.", placeOfLayer(o.By))
			x.Related = &diag.Related{Note: "in effect", Range: o.By.Range}
		case o.Default != nil && source.IsOverride(o.Default):
			x := f.add(overrideOfOutrankedDefault, v, o.Layer, "%s gives the variable a value, so this default isn't in effect. Change the value there, or remove the override.", placeOfLayer(o.By))
			x.Related = &diag.Related{Note: "in effect", Range: o.By.Range}
		}
	}
	if r.State == layers.Refused {
		f.add(variableValueType, v, v.InEffect(), "%s", r.Why).Range = r.Range
	}
}

// placeOfLayer names where a layer is.
func placeOfLayer(l *layers.Layer) string {
	if l.Rule.Text {
		return l.Range.Filename
	}
	return diag.Place(l.Range)
}
