// Package assignments reads the values that variables are given in variables files.
//
//	stage = "qa"                 # terraform.tfvars
//	{"stage": "qa"}              # x.auto.tfvars.json
//
// Given a text with its name, it returns the values, each with the ranges of its name and of the
// value, in source order. A value is evaluated on demand, because engines evaluate only the
// effective one of each variable. Only constants are legal: references and functions are refused,
// as are blocks, names that are given twice, and values out of proportion. Package layers decides
// which value is effective.
package assignments

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
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
	from *source.File         // of JSON
}

// Text is the value as it was written.
func (v *Value) Text() []byte { return v.text }

// Constant is the value, or why the engine can't compute it.
func (v *Value) Constant() (cty.Value, hcl.Diagnostics) {
	if v.from != nil {
		return v.json.Constant(v.from)
	}
	return evaluate(v.expr)
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

// parseNative reads the arguments of a text in native syntax.
func parseNative(name string, src []byte) ([]Value, hcl.Diagnostics) {
	body, diags := limits.Parse(src, name)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, b := range body.Blocks {
		diags = append(diags, blockIn(b.Type, b.DefRange()))
	}
	return valuesOf(body, src), diags
}

// valuesOf are the arguments of a body, in source order.
func valuesOf(body *hclsyntax.Body, src []byte) []Value {
	attrs := parse.Arguments(body)
	values := make([]Value, len(attrs))
	for i, a := range attrs {
		at := a.Expr.Range()
		text := bytes.TrimRight(src[at.Start.Byte:at.End.Byte], "\r\n") // behind a heredoc
		values[i] = Value{Name: a.Name, Key: a.NameRange, Range: at, text: text, expr: a.Expr}
	}
	return values
}

// parseJSON reads the properties of a text in JSON, which must be one object.
func parseJSON(name string, src []byte) ([]Value, hcl.Diagnostics) {
	f := &source.File{Name: name, Raw: src, Syntax: source.JSON}
	root, diags := jsontree.Parse(f)
	switch {
	case diags.HasErrors():
		return nil, diags
	case root.Kind() != '{':
		return nil, hcl.Diagnostics{diag.New(f.RawRange(root.Span()), "Incorrect JSON value type", "Write one object whose properties are the names of variables.")}
	}
	for p := range root.Children() {
		if p.Name() == declaration && declares(p) {
			return nil, hcl.Diagnostics{blockIn(declaration, f.RawRange(p.Key()))}
		}
	}
	return valuesIn(f, root)
}

// declaration is the type of the blocks for which a property of that name may be taken.
const declaration = "variable"

// declares reports whether a property declares variables, as in {"variable": {"x": {}}}.
func declares(p jsontree.Value) bool {
	for label := range p.Objects() {
		isBlock := label.Kind() == '{'
		for range label.Children() {
			isBlock = isBlock || label.Kind() == '['
		}
		if isBlock {
			return true
		}
	}
	return false
}

// remark is the name of properties that are comments.
const remark = "//"

// valuesIn are the properties of an object, in source order. None may be there twice.
func valuesIn(f *source.File, object jsontree.Value) (values []Value, diags hcl.Diagnostics) {
	seen := map[string]hcl.Range{}
	for p := range object.Children() {
		name := p.Name()
		if name == remark {
			continue
		}
		key := f.RawRange(p.Key())
		if first, isSecond := seen[name]; isSecond {
			diags = append(diags, diag.NewWith(diag.Related{Note: "first given here", Range: first}, key, "Variable set twice", "%q is set at %s already. Remove one of the two.", diag.Escape(name), diag.Place(first)))
			continue
		}
		seen[name] = key
		values = append(values, Value{Name: name, Key: key, Range: f.RawRange(p.Span()), text: p.Raw(), json: p, from: f})
	}
	return values, diags
}

// OfDirectory reads the variables files that an engine loads for the directory of a
// module, in the order of their names. The function read opens them.
func OfDirectory(
	m *load.Module, names []string, read func(name string) ([]byte, error),
) (list []*File, diags hcl.Diagnostics) {
	for _, name := range names {
		src, err := read(name)
		if errors.Is(err, fs.ErrNotExist) && sidefiles.IsLookedFor(name) {
			diags = append(diags, passedOver(name))
			continue
		}
		if err != nil {
			list, diags = append(list, &File{Name: name, Broken: true}), append(diags, unreadable(name, err))
			continue
		}
		file, more := Parse(name, src, m.Engine)
		list, diags = append(list, file), append(diags, more...)
	}
	return list, diags
}

// Every message of the package, one function each.

func blockIn(typ string, at hcl.Range) *hcl.Diagnostic {
	if typ == declaration {
		return diag.New(at, "Variable declared in a variables file", "A variables file gives values to variables and can't declare any. Move the block to a configuration file; to set the variable, write NAME = VALUE here.")
	}
	return diag.New(at, "Block in a variables file", "A variables file can't hold blocks, only arguments that give values to variables. Move the block to a configuration file.")
}

// notConstant refuses an expression that an engine would have to compute. word is the whole value
// if that is a word.
func notConstant(at hcl.Range, word string) *hcl.Diagnostic {
	remedy := "Write the value out."
	if word != "" {
		remedy = "If it is text, put it in quotes."
	}
	return diag.New(at, "Value isn't constant", "A value that is given to a variable can't refer to anything or call functions. %s", remedy)
}

func unreadable(name string, err error) *hcl.Diagnostic {
	why := input.StripPath(err).Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = "there is no such file, or it is a symbolic link to nothing"
	}
	return diag.WithCode(diag.Unreadable, diag.New(hcl.Range{Filename: name}, "Failed to read file", "Can't read the file: %s.", why))
}

// passedOver warns of a link to nothing that has the name of a file which engines look for
// before they read it.
func passedOver(name string) *hcl.Diagnostic {
	d := diag.WithCode(diag.Unreadable, diag.New(hcl.Range{Filename: name}, "Variables file is missing", "This is a symbolic link to nothing, so no value comes from it. Restore its target, or remove the link."))
	d.Severity = hcl.DiagWarning
	return d
}
