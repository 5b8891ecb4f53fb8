package computed

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/zclconf/go-cty/cty"
)

// NativeText is computed text: a value written out, or a source text with
// some stretches exchanged.
func NativeText(l *Literal) []byte {
	if len(l.Changes) > 0 {
		return l.Text()
	}
	var typ hcl.Expression
	if l.Type != nil {
		typ = l.Type.Expr()
	}
	var w valueWriter
	w.value(l.Value, typ)
	return layout.Format(w.Bytes())
}

// ValueText writes a value that is known in native syntax. It is not laid out.
func ValueText(v cty.Value) []byte {
	var w valueWriter
	w.value(v, nil)
	return w.Bytes()
}

// A valueWriter writes values.
type valueWriter struct{ bytes.Buffer }

// value writes a value, the attributes of objects in the order of the type expression,
// which may be nil.
func (w *valueWriter) value(v cty.Value, typ hcl.Expression) {
	name, args := typeCall(typ)
	for name == "optional" && len(args) > 0 {
		typ = args[0]
		name, args = typeCall(typ)
	}
	var inner hcl.Expression
	if len(args) == 1 {
		inner = args[0]
	}
	switch {
	case v.IsNull() || !v.CanIterateElements():
		w.simple(v)
	case v.Type().IsObjectType() || v.Type().IsMapType():
		w.object(v.AsValueMap(), name, inner)
	default:
		elemTypes := func(int) hcl.Expression { return inner }
		if name == "tuple" {
			types, _ := hcl.ExprList(inner)
			elemTypes = func(i int) hcl.Expression { return at(types, i) }
		}
		w.list(v.AsValueSlice(), elemTypes)
	}
}

// simple writes a value that has no elements.
func (w *valueWriter) simple(v cty.Value) {
	switch {
	case v.IsNull():
		w.WriteString("null")
	case v.Type() == cty.String:
		w.WriteString(template.Quote(v.AsString()))
	case v.Type() == cty.Number:
		w.WriteString(v.AsBigFloat().Text('f', -1))
	default:
		w.WriteString(strconv.FormatBool(v.True()))
	}
}

func (w *valueWriter) list(elems []cty.Value, types func(int) hcl.Expression) {
	w.WriteByte('[')
	for i, e := range elems {
		if i > 0 {
			w.WriteString(", ")
		}
		w.value(e, types(i))
	}
	w.WriteByte(']')
}

func at(types []hcl.Expression, i int) hcl.Expression {
	if i < len(types) {
		return types[i]
	}
	return nil
}

// object writes an object of a type object({...}) or map(...), or of one
// that is not known.
func (w *valueWriter) object(left map[string]cty.Value, name string, inner hcl.Expression) {
	if len(left) == 0 {
		w.WriteString("{}")
		return
	}
	w.WriteString("{\n")
	var elem hcl.Expression
	switch name {
	case "object":
		pairs, _ := hcl.ExprMap(inner)
		for _, p := range pairs {
			key := hcl.ExprAsKeyword(p.Key)
			if value, ok := left[key]; ok {
				w.attribute(key, value, p.Value)
				delete(left, key)
			}
		}
	case "map":
		elem = inner
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		w.attribute(key, left[key], elem)
	}
	w.WriteByte('}')
}

// attribute writes one attribute of an object. A name that would be read as
// something else is put in quotes.
func (w *valueWriter) attribute(name string, value cty.Value, typ hcl.Expression) {
	if !spelling.IsNativeName(name) || slices.Contains([]string{"true", "false", "null", "for"}, name) {
		name = template.Quote(name)
	}
	w.WriteString(name + " = ")
	w.value(value, typ)
	w.WriteByte('\n')
}
