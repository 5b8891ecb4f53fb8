package assignments

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A File is a variables file.
type File struct {
	Name   string  // as it is named in ranges
	Values []Value // in source order
	// Broken is set if the file can't be read or the engine refuses it, so that it sets no
	// variable.
	Broken bool
	// Outside is set if the file is a link that points outside the directories whose files messages
	// may quote.
	Outside bool
}

// A Value is the value given to one variable.
type Value struct {
	Name  string
	Key   hcl.Range // where the name is
	Range hcl.Range // where the value is

	text []byte
	expr hclsyntax.Expression // of native syntax
	json jsontree.Value       // of the text below
	from *jsonText            // of JSON
}

// Text is the value as it was written.
func (v *Value) Text() []byte { return v.text }

// A Reading is a way to turn a text into a value, chosen by the type of the variable.
type Reading int

// The readings of texts. A value in a file is always an expression.
const (
	AsExpression Reading = iota
	Literally            // the text itself is the value, a string
)

// Constant is the value, or why the engine can't compute it.
func (v *Value) Constant(r Reading) (cty.Value, hcl.Diagnostics) {
	switch {
	case v.from != nil && v.from.isTemplate && holdsTemplate(v.text):
		return cty.DynamicVal, hcl.Diagnostics{notConstant(v.Range, "")}
	case v.from != nil:
		return v.json.Constant(v.from.file)
	case v.expr != nil:
		return evaluate(v.expr)
	case r == Literally:
		return cty.StringVal(string(v.text)), nil
	}
	expr, diags := parseText(v.text, v.Range.Filename)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return evaluate(expr)
}

// holdsTemplate reports whether a string in a text of JSON may be more than literal text.
func holdsTemplate(text []byte) bool {
	return bytes.Contains(text, []byte("${")) || bytes.Contains(text, []byte("%{")) || bytes.Contains(text, []byte(`\u`))
}

// evaluate computes a constant.
func evaluate(expr hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	value, diags := limits.Evaluate(expr)
	if !diags.HasErrors() {
		return value, nil
	}
	for _, d := range diags {
		if d.Summary == "Variables not allowed" || d.Summary == "Function calls not allowed" {
			return cty.DynamicVal, hcl.Diagnostics{notConstant(*d.Subject, hcl.ExprAsKeyword(expr))}
		}
	}
	return cty.DynamicVal, diags
}

// Parse reads the text of a variables file as a release does. The diagnostics are about the
// file; about a value they are Value.Constant's.
func Parse(name string, src []byte, e engine.Release) (*File, hcl.Diagnostics) {
	f := &File{Name: name}
	var diags hcl.Diagnostics
	if sidefiles.SyntaxOf(name, src, e) == source.JSON {
		f.Values, diags = parseJSON(name, src)
	} else {
		f.Values, diags = parseNative(name, src)
	}
	if f.Broken = diags.HasErrors(); f.Broken {
		f.Values = nil
	}
	return f, diags
}
