package judge

import (
	"math/big"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Addresses of objects, as moved, import and removed blocks name them. Only their
// form is judged, not whether there is such an object.

// An address names a module or, with a type, a resource.
type address struct {
	modules []string // outermost first
	mode    string   // the word before the type, "" for a managed resource
	typ     string
}

func (a address) isModule() bool { return len(a.modules) > 0 && a.typ == "" }

// parseAddress reads an address whose keys may be expressions.
func parseAddress(expr hcl.Expression, e engine.Release) (address, bool) {
	var a address
	steps, ok := stepsOf(expr)
	for ok && len(steps) > 0 && stepName(steps[0]) == "module" {
		if len(steps) < 2 || stepName(steps[1]) == "" {
			return a, false
		}
		a.modules = append(a.modules, stepName(steps[1]))
		steps = withoutKey(steps[2:])
	}
	if !ok || len(steps) == 0 {
		return a, ok
	}
	if mode := stepName(steps[0]); modes.has(mode, e) {
		a.mode, steps = mode, steps[1:]
	}
	if len(steps) < 2 || stepName(steps[0]) == "" || stepName(steps[1]) == "" {
		return a, false
	}
	a.typ = stepName(steps[0])
	steps = withoutKey(steps[2:])
	isWord := a.mode == "" && slices.Contains(noTypes, a.typ) && wordsAreNoTypes.Has(e)
	if a.mode == "resource" {
		a.mode = ""
	}
	return a, len(steps) == 0 && !isWord
}

// withoutKey takes the key of an instance off the steps of an address.
func withoutKey(steps []hcl.Traverser) []hcl.Traverser {
	if len(steps) > 0 {
		if index, ok := steps[0].(hcl.TraverseIndex); ok && isKey(index.Key) {
			return steps[1:]
		}
	}
	return steps
}

// isKey reports whether a value can be the key of an instance: a string or a whole
// number of 64 bits, also one that is unknown.
func isKey(v cty.Value) bool {
	if !v.IsKnown() || v.Type() == cty.String {
		return true
	}
	if v.Type() != cty.Number || v.IsNull() {
		return false
	}
	_, accuracy := v.AsBigFloat().Int64()
	return accuracy == big.Exact
}

// stepsOf takes a reference apart. Keys that are expressions are unknown values.
func stepsOf(expr hcl.Expression) ([]hcl.Traverser, bool) {
	if ref, diags := hcl.AbsTraversalForExpr(expr); !diags.HasErrors() {
		return ref, true
	}
	switch e := expr.(type) {
	case *hclsyntax.IndexExpr:
		steps, ok := stepsOf(e.Collection)
		return append(steps, hcl.TraverseIndex{Key: cty.DynamicVal}), ok
	case *hclsyntax.RelativeTraversalExpr:
		steps, ok := stepsOf(e.Source)
		return append(steps, e.Traversal...), ok
	}
	return nil, false
}

// addressOf reads the address that an argument gives. The second result reports
// whether it is one, and of a mode that the engine takes.
func addressOf(a *source.Attr, taken wordTable) (address, bool) {
	addr, ok := parseAddress(a.Expr(), a.File.Engine)
	return addr, ok && taken.has(addr.mode, a.File.Engine)
}

// MovedAddress judges an address of a moved block.
func MovedAddress(a *source.Attr) hcl.Diagnostics {
	if _, ok := addressOf(a, movable); !ok {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a resource or module, or of an instance "+
			"of one: aws_instance.web, module.net, module.net[0].aws_instance.web.")}
	}
	return nil
}

// Moved reports a move from a module to a resource or the other way round.
func Moved(b *source.Block) hcl.Diagnostics {
	from, to := b.Attr("from"), b.Attr("to")
	if from == nil || to == nil {
		return nil
	}
	source, ok := parseAddress(from.Expr(), b.File.Engine)
	target, both := parseAddress(to.Expr(), b.File.Engine)
	if ok && both && source.isModule() != target.isModule() {
		return hcl.Diagnostics{diag.NewWith(diag.Related{Note: "other address here", Range: from.Value()}, to.Value(),
			`Invalid "moved" addresses`, "A module can move only to a module, and a resource only to a resource.")}
	}
	return nil
}

// ImportTarget judges the address that an import block imports to.
func ImportTarget(a *source.Attr) hcl.Diagnostics {
	if addr, ok := addressOf(a, importable); !ok || addr.isModule() {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a managed resource or of an instance of "+
			"one: aws_instance.web, module.net.aws_instance.web[0].")}
	}
	return nil
}

// RemovedAddress judges the address of an object to be forgotten, which covers all its
// instances. Modes, which other addresses may have, are refused.
func RemovedAddress(a *source.Attr) hcl.Diagnostics {
	names, ok := namesOf(a.Expr())
	for ok && len(names) > 1 && names[0] == "module" {
		names = names[2:]
		ok = len(names) != 1
	}
	if ok = ok && (len(names) == 0 || len(names) == 2 && names[0] != "data" && names[0] != "module"); !ok {
		return hcl.Diagnostics{invalidAddress(a, "Write the address of a managed resource or a module, without "+
			"the key of an instance: aws_instance.web, module.net.")}
	}
	return nil
}

// namesOf are the names that a reference consists of, if it has nothing else.
func namesOf(expr hcl.Expression) ([]string, bool) {
	steps, ok := stepsOf(expr)
	var names []string
	for _, step := range steps {
		name := stepName(step)
		names, ok = append(names, name), ok && name != ""
	}
	return names, ok
}
