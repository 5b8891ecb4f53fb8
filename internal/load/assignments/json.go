package assignments

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A jsonText is a text of JSON that is taken apart.
type jsonText struct {
	file *source.File
	// strings are templates
	isTemplate bool
	diags      hcl.Diagnostics
}

// rootOf parses a text of JSON, which must be one object.
func rootOf(name string, src []byte) (*jsonText, jsontree.Value) {
	t := &jsonText{file: &source.File{Name: name, Raw: src, Syntax: source.JSON}}
	root, diags := jsontree.Parse(t.file)
	t.diags = append(diags, limits.JSONNumbers(src, t.file.RawRange)...)
	if !t.diags.HasErrors() && root.Kind() != '{' {
		t.diags = append(t.diags, diag.New(t.file.RawRange(root.Span()), "Incorrect JSON value type", "Write one object whose properties are the names of variables."))
	}
	return t, root
}

// parseJSON reads the properties of a text in JSON.
func parseJSON(name string, src []byte) ([]Value, hcl.Diagnostics) {
	t, root := rootOf(name, src)
	if t.diags.HasErrors() {
		return nil, t.diags
	}
	for p := range root.Children() {
		if p.Name() == declaration && t.declares(p) {
			return nil, t.diags
		}
	}
	return t.valuesIn(root), t.diags
}

// declaration is the type of the blocks for which a property of that name may be taken.
const declaration = "variable"

// declares reports whether a property declares variables, as in {"variable": {"x": {}}}.
func (t *jsonText) declares(p jsontree.Value) bool {
	for label := range p.Objects() {
		isBlock := label.Kind() == '{'
		for range label.Children() {
			isBlock = isBlock || label.Kind() == '['
		}
		if isBlock {
			t.diags = append(t.diags, blockIn(declaration, t.file.RawRange(p.Key())))
			return true
		}
	}
	return false
}

// remark is the name of properties that are comments.
const remark = "//"

// valuesIn are the properties of an object, in source order. None may be there twice.
func (t *jsonText) valuesIn(object jsontree.Value) []Value {
	var values []Value
	seen := map[string]hcl.Range{}
	for p := range object.Children() {
		name := p.Name()
		if name == remark {
			continue
		}
		key := t.file.RawRange(p.Key())
		if first, isSecond := seen[name]; isSecond {
			t.diags = append(t.diags, diag.NewWith(diag.Related{Note: "first given here", Range: first}, key, "Variable set twice", "%q is set at %s already. Remove one of the two.", diag.Escape(name), diag.Place(first)))
			continue
		}
		seen[name] = key
		values = append(values, Value{Name: name, Key: key, Range: t.file.RawRange(p.Span()), text: p.Raw(), json: p, from: t})
	}
	return values
}
