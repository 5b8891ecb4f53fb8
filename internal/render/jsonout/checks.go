package jsonout

import (
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
)

// Parts of a body that JSON can't express, or that are read differently in JSON.

func (w *bodyJSON) warn(at hcl.Range, summary, format string, args ...any) {
	w.Diags = append(w.Diags, diag.Warning(at, summary, format, args...))
}

// checkArgument warns of a value of native syntax that JSON can't hold as it is. Outside of heredocs and
// comments no native file has bytes that are not UTF-8.
func (w *bodyJSON) checkArgument(a *source.Attr) {
	if a.Raw() != nil {
		return
	}
	if !utf8.Valid(a.File.Text(a.Value())) {
		w.warn(a.Value(), "Invalid character encoding", "This value has bytes that are not UTF-8. JSON can't hold them, and each becomes U+FFFD. Use base64decode, or print native syntax.")
	}
	arg, _ := w.shape.Arg(a.Name)
	if arg.Kind == language.Literal || arg.Kind == language.NativeExpression {
		if _, isConstant := constant.Value(a); !isConstant {
			w.warn(a.Value(), "Expression in a constant", "%s reads a JSON string literally here, and so JSON can't hold this expression. Write a constant, or print native syntax.", a.File.Engine)
		}
	}
	if arg.InJSON != nil {
		for _, d := range arg.InJSON(a) {
			d.Severity = hcl.DiagWarning
			d.Detail += " Write a constant, or print native syntax."
			w.Diags = append(w.Diags, d)
		}
	}
}

// checkDynamic warns of an argument that JSON doesn't distinguish from dynamic blocks, and of
// blocks named "dynamic" without the label from which JSON takes their type.
func (w *bodyJSON) checkDynamic(it source.Item, n jsonvalue.Node) {
	switch it := it.(type) {
	case *source.Attr:
		if it.Name == source.DynamicBlock && it.Raw() == nil && jsonsyntax.LooksDynamic(it, jsonvalue.Text(n)) {
			w.warn(it.Header(), "Argument like a dynamic block", "In JSON this argument looks like dynamic blocks. Unless the provider has an argument called dynamic, the engine refuses it here and reads dynamic blocks there. Write dynamic blocks, or print native syntax.")
		}
	case *source.Block:
		if it.Type == source.DynamicBlock && len(it.Labels) != 1 {
			w.warn(it.Header(), "Dynamic block without one label", "A dynamic block needs one label, the type of its blocks. The engine refuses this one, but may accept it in JSON and read something else. Give it one label, or print native syntax.")
		}
	}
}

// repeatedProperty is the summary of warnings of properties that come more than once.
const repeatedProperty = "Repeated JSON property"

// checkBeside warns where an argument and blocks have one name: in JSON only the schema
// keeps the two apart, and both are read in the same way.
func (w *bodyJSON) checkBeside(it source.Item, isOther func(jsonvalue.Node) bool) {
	if n := w.out.Get(it.Called()); n != nil && isOther(n) {
		w.warn(it.Header(), repeatedProperty, "%s is an argument and also a nested block here, and both become JSON properties of that name. Keep the one in the provider's schema, or print native syntax.", diag.Escape(it.Called()))
	}
}

// warnInterleaved warns of an order of nested blocks that takes repeated properties.
func (w *bodyJSON) warnInterleaved(b, before *source.Block) {
	w.Diags = append(w.Diags, diag.WithRelated(
		diag.Related{Note: "previous block", Range: before.Header()},
		diag.Warning(
			b.Header(), repeatedProperty,
			"Static and dynamic %s blocks alternate here, and JSON keeps their order only with repeated property names. %s reads them in order; other programs may keep only the last one. Group the static blocks, or print native syntax.",
			diag.Escape(b.Called()), b.File.Engine.Product.Title(),
		),
	))
}

// isBlocks reports whether a member of an object is nested blocks.
func isBlocks(n jsonvalue.Node) bool {
	switch n.(type) {
	case jsonvalue.Blocks, jsonvalue.Property:
		return true
	}
	return false
}

// isValue reports whether it is the value of an argument.
func isValue(n jsonvalue.Node) bool { return !isBlocks(n) }
