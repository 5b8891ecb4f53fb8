package computed

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A typeText is a type expression with the defaults of another one.
type typeText struct {
	Type     cty.Type
	Defaults *typeexpr.Defaults
	// Text is how the type is written; nil if it is as it was given.
	Text *Literal
	// IsInexact is set if a default of the other type has no counterpart in this one.
	IsInexact bool
	// DropsDefaults is set if a default of this type has no effect.
	DropsDefaults bool
}

// Compose gives the optional attributes of a type the defaults that they have in another type,
// which may be nil. If one of those does not fit, the type is left without defaults.
func Compose(to, from *source.Attr) typeText {
	c := composer{to: to, from: from}
	c.compose()
	t, d, diags := c.decode()
	if diags.HasErrors() {
		c = composer{to: to, unsayable: true}
		c.compose()
		t, d, _ = c.decode()
	}
	composed := typeText{Type: t, Defaults: d, IsInexact: c.unsayable, DropsDefaults: c.drops}
	if len(c.changes) > 0 {
		composed.Text = c.literal()
	}
	return composed
}

// A composer rewrites a type expression so that its optional attributes have
// the defaults of another one. It changes only the text around defaults.
type composer struct {
	to, from  *source.Attr // from may be nil
	changes   []textedit.Edit
	unsayable bool // a default of from has no counterpart in to
	drops     bool // a default of to has no effect
}

func (c *composer) compose() {
	var from hcl.Expression
	if c.from != nil {
		from = c.from.Expr()
	}
	c.walk(from, c.to.Expr())
}

func (c *composer) literal() *Literal {
	l := &Literal{Of: c.to, Changes: c.changes}
	if c.from != nil && hasDefaults(c.from.Expr()) {
		l.From = c.from
	}
	return l
}

// decode reads the composed type.
func (c *composer) decode() (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	return constant.DecodeType(c.literal().attr())
}

// walk follows two type expressions side by side; from may be nil.
func (c *composer) walk(from, to hcl.Expression) {
	name, args := typeCall(to)
	fromName, fromArgs := typeCall(from)
	if name != fromName || len(args) != len(fromArgs) {
		c.unsayable = c.unsayable || hasDefaults(from)
		fromArgs = nil
	}
	switch {
	case len(args) != 1:
	case name == "object":
		c.object(argument(fromArgs), args[0])
	case name == "tuple":
		c.tuple(argument(fromArgs), args[0])
	default:
		c.walk(argument(fromArgs), args[0])
	}
}

func argument(args []hcl.Expression) hcl.Expression {
	if len(args) == 1 {
		return args[0]
	}
	return nil
}

func (c *composer) object(from, to hcl.Expression) {
	earlier := map[string]hcl.Expression{}
	for _, p := range pairs(from) {
		earlier[hcl.ExprAsKeyword(p.Key)] = p.Value
	}
	for _, p := range pairs(to) {
		c.attribute(earlier[hcl.ExprAsKeyword(p.Key)], p.Value)
	}
}

func (c *composer) tuple(from, to hcl.Expression) {
	elems, _ := hcl.ExprList(to)
	var earlier []hcl.Expression
	if from != nil {
		earlier, _ = hcl.ExprList(from)
	}
	for i, e := range elems {
		if i < len(earlier) {
			c.walk(earlier[i], e)
		} else {
			c.walk(nil, e)
		}
	}
}

// attribute gives one attribute of an object type the default that the earlier
// type has for it, or takes its own away.
func (c *composer) attribute(from, to hcl.Expression) {
	_, fromType, fromDefault := optional(from)
	isOptional, typ, def := optional(to)
	c.walk(fromType, typ)
	switch {
	case fromDefault == nil && def == nil:
	case fromDefault == nil:
		c.drops = true
		c.change(typ.Range().End.Byte, def.Range().End.Byte, "")
	case def != nil:
		c.drops = c.drops || c.fromText(fromDefault) != string(c.to.File.Text(def.Range()))
		c.change(def.Range().Start.Byte, def.Range().End.Byte, c.fromText(fromDefault))
	case isOptional:
		c.change(typ.Range().End.Byte, typ.Range().End.Byte, ", "+c.fromText(fromDefault))
	default:
		c.change(typ.Range().Start.Byte, typ.Range().Start.Byte, "optional(")
		c.change(typ.Range().End.Byte, typ.Range().End.Byte, ", "+c.fromText(fromDefault)+")")
	}
}

func (c *composer) fromText(e hcl.Expression) string {
	text := string(c.from.File.Text(e.Range()))
	if strings.HasPrefix(text, "<<") {
		text += "\n" // a heredoc ends with its line
	}
	return text
}

// change notes an exchange of text, unless it would change nothing.
func (c *composer) change(start, end int, text string) {
	if string(c.to.File.Native[start:end]) != text {
		c.changes = append(c.changes, textedit.Replace(start, end, text))
	}
}

// optional takes optional(TYPE, DEFAULT) apart. Any other expression is a type.
func optional(e hcl.Expression) (is bool, typ, def hcl.Expression) {
	name, args := typeCall(e)
	switch {
	case name != "optional" || len(args) == 0:
		return false, e, nil
	case len(args) == 1:
		return true, args[0], nil
	}
	return true, args[0], args[1]
}

// typeCall takes a type expression such as list(string) apart. The name of a
// bare type, and of nil, is empty.
func typeCall(e hcl.Expression) (string, []hcl.Expression) {
	if e == nil {
		return "", nil
	}
	call, diags := hcl.ExprCall(e)
	if diags.HasErrors() {
		return "", nil
	}
	return call.Name, call.Arguments
}

func pairs(e hcl.Expression) []hcl.KeyValuePair {
	if e == nil {
		return nil
	}
	found, _ := hcl.ExprMap(e)
	return found
}

// hasDefaults reports whether a type expression gives some optional attribute a default.
func hasDefaults(e hcl.Expression) bool {
	name, args := typeCall(e)
	if name == "optional" && len(args) == 2 {
		return true
	}
	for _, a := range args {
		if hasDefaults(a) {
			return true
		}
		for _, p := range pairs(a) {
			if hasDefaults(p.Value) {
				return true
			}
		}
		elems, _ := hcl.ExprList(a)
		for _, elem := range elems {
			if hasDefaults(elem) {
				return true
			}
		}
	}
	return false
}

// A Literal is computed text: a value to be written out, or a source text with some stretches
// replaced.
type Literal struct {
	Value   cty.Value    // NilVal if Changes describe the text
	Type    *source.Attr // the type that the value has, or nil
	Of      *source.Attr // what wrote the value, or the text that the changes are made to
	Changes []textedit.Edit
	From    *source.Attr // the argument that the changes use, or nil
}

// Text is the value's source text with its changes.
func (l *Literal) Text() []byte {
	value := l.Of.Value()
	return textedit.Apply(l.Of.File.Native, value.Start.Byte, value.End.Byte, l.Changes)
}

// attr is an argument that has the changed text for its value. It is in no file.
func (l *Literal) attr() *source.Attr {
	expr, _ := parse.Expression(l.Text(), l.Of.File.Name, hcl.InitialPos)
	return l.Of.With(expr)
}

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
