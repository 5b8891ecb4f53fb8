// Package computed holds the texts that no file contains: merging makes them if no file contains
// the effective value. It follows the type and the default of an input variable through the
// override blocks that are applied to it, as engines do.
//
//	variable "sizes" {                 # main.tf
//	  type    = list(number)
//	  default = [1, 2]
//	}
//
//	variable "sizes" {                 # override.tf: the default becomes ["1", "2"]
//	  type = list(string)
//	}
//
// A Variable takes the primary block and each override block (Apply), returns errors if the engine
// refuses the result, and at last the texts of the type and the default in effect (Finish).
//
// A Literal is either a value to be written out or the text of an argument with some stretches
// replaced. Compose takes two type expressions and gives the optional attributes of one the
// defaults that they have in the other, as engines do; the result states which defaults can't be
// expressed. No module is changed here.
package computed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/zclconf/go-cty/cty"
)

// A typeText is a type with the defaults of another one, and its text.
type typeText struct {
	Type     cty.Type
	Defaults *typeexpr.Defaults
	// Text is the type expression with these defaults; nil if that is what its file contains.
	Text *Literal
	// IsInexact is set if a default of the other type has no counterpart in this one.
	IsInexact bool
	// DropsDefaults is set if a default of this type has no effect.
	DropsDefaults bool
}

// Compose returns type to with the defaults that from, which may be nil, gives its optional attributes:
// engines keep those of the primary file's type. If one of them doesn't fit, the type is left without
// defaults.
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

// compose fills in c.changes, c.unsayable and c.drops.
func (c *composer) compose() {
	var from hcl.Expression
	if c.from != nil {
		from = c.from.Expr()
	}
	c.walk(from, c.to.Expr())
}

// literal returns the type's text with the changes made so far.
func (c *composer) literal() *Literal {
	l := &Literal{Of: c.to, Changes: c.changes}
	if c.from != nil && hasDefaults(c.from.Expr()) {
		l.From = c.from
	}
	return l
}

// decode reads the type from its changed text. Errors mean that a default doesn't fit.
func (c *composer) decode() (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	return constant.DecodeType(c.literal().attr())
}

// walk gives the optional attributes in a type expression the defaults that they have in another one. If the
// two have different shapes, it drops the defaults of to, and notes those of from as unsayable. from may be
// nil.
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

// argument returns the only argument of a call; nil if there is another number.
func argument(args []hcl.Expression) hcl.Expression {
	if len(args) == 1 {
		return args[0]
	}
	return nil
}

// object goes through the attributes of object({...}); from, which may be nil, is the earlier type's
// attributes.
func (c *composer) object(from, to hcl.Expression) {
	earlier := map[string]hcl.Expression{}
	for _, p := range pairs(from) {
		earlier[hcl.ExprAsKeyword(p.Key)] = p.Value
	}
	for _, p := range pairs(to) {
		c.attribute(earlier[hcl.ExprAsKeyword(p.Key)], p.Value)
	}
}

// tuple goes through the elements of tuple([...]); from, which may be nil, is the earlier type's elements.
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

// attribute gives one attribute of an object type the default that the earlier type has for it, or removes
// its own if that has none. from is nil if the earlier type lacks the attribute.
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

// fromText returns the text of an expression in the earlier type.
func (c *composer) fromText(e hcl.Expression) string {
	text := string(c.from.File.Text(e.Range()))
	if strings.HasPrefix(text, "<<") {
		text += "\n" // a heredoc ends with its line
	}
	return text
}

// change notes that text replaces the bytes from start to end of the type's file, unless they are equal
// already.
func (c *composer) change(start, end int, text string) {
	if string(c.to.File.Native[start:end]) != text {
		c.changes = append(c.changes, textedit.Replace(start, end, text))
	}
}

// optional splits optional(TYPE, DEFAULT). For any other expression, is is false and typ the whole
// expression. def is nil without a default.
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

// typeCall splits a type expression such as list(string) into name and arguments. For a bare type, or nil,
// the name is empty.
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

// pairs lists the members of an object expression; none if e is nil or something else.
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

// attr returns an argument whose value is the changed text, for decoding. It is in no file.
func (l *Literal) attr() *source.Attr {
	expr, _ := parse.Expression(l.Text(), l.Of.File.Name, hcl.InitialPos)
	return l.Of.With(expr)
}

// NativeText returns the computed text in native syntax: the changed source text as it is, or the value, laid
// out.
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

// ValueText writes a known value in native syntax, without laying it out.
func ValueText(v cty.Value) []byte {
	var w valueWriter
	w.value(v, nil)
	return w.Bytes()
}

// A valueWriter writes values in native syntax.
type valueWriter struct{ bytes.Buffer }

// value writes a known value. typ, which may be nil, is its type expression: objects keep the order of the
// attributes there.
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
			elemTypes = func(i int) hcl.Expression { return elemType(types, i) }
		}
		w.list(v.AsValueSlice(), elemTypes)
	}
}

// simple writes null, a string, a number or a bool.
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

// list writes elements, each with its type expression from types.
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

// elemType returns the type of element i of a tuple; nil if the tuple has fewer.
func elemType(types []hcl.Expression, i int) hcl.Expression {
	if i < len(types) {
		return types[i]
	}
	return nil
}

// object writes the members of an object or a map, which it takes out of left. name and inner are of its type
// expression, such as object and {...}; name is empty if there is none. Attributes come in the order of the
// type, then other keys in alphabetical order.
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

// attribute writes one member, its name in quotes if a bare one would be read as something else.
func (w *valueWriter) attribute(name string, value cty.Value, typ hcl.Expression) {
	if !template.IsBareKey(name) {
		name = template.Quote(name)
	}
	w.WriteString(name + " = ")
	w.value(value, typ)
	w.WriteByte('\n')
}

// A Variable is the state of a variable's type and default while the engine applies override blocks to them.
type Variable struct {
	address  string
	primary  constant.Variable
	constr   cty.Type
	value    cty.Value // NilVal without a default
	nullable bool
	typeAttr *source.Attr // the type in effect
	given    *source.Attr // the default in effect, as it was written
	by       *source.Attr // the type that converted the value, if one did
	unfit    bool         // the engine refuses it: IsFit is false from then on
	isCostly bool         // overrides convert it too often
}

// NewVariable starts with the arguments that arg returns by name: those of a primary file's block, or those
// in effect for an engine that reads only these. The address is for messages.
func NewVariable(arg func(name string) *source.Attr, address string) *Variable {
	p, diags := constant.WholeVariable(arg)
	return &Variable{
		address:  address,
		primary:  p,
		constr:   p.Type,
		value:    p.Default,
		nullable: p.Nullable,
		typeAttr: p.TypeAttr,
		given:    p.DefaultAttr,
		unfit:    diags.HasErrors(),
	}
}

// Apply applies an override block, and returns an error if the engine refuses that. Engines judge the default
// after every block, so an error stays even if a later block would correct it. A small override can make a
// large type fill in a large value: work is one budget for all overrides of a module.
func (v *Variable) Apply(b *source.Block, work *limits.Budget) hcl.Diagnostics {
	o, diags := constant.DecodeVariable(b)
	v.unfit = v.unfit || diags.HasErrors()
	if o.Default != cty.NilVal {
		v.value, v.given, v.by = o.Default, o.DefaultAttr, nil
	}
	if o.TypeAttr != nil {
		v.constr, v.typeAttr = o.Type, o.TypeAttr
	}
	if o.NullableSet {
		v.nullable = o.Nullable
	}
	if !v.HasDefault() || v.isCostly {
		return nil
	}
	converted, err := limits.Convert(v.value, v.constr)
	if err != nil {
		v.unfit = true
		return hcl.Diagnostics{unfit(v, o, err)}
	}
	if by := cmp.Or(o.DefaultAttr, o.TypeAttr, v.given); !work.Covers(converted, by.Expr()) {
		v.unfit, v.isCostly = true, true
		return hcl.Diagnostics{limits.CostlyAt(by.Value())}
	}
	if !converted.RawEquals(v.value) {
		v.by = v.typeAttr
	}
	v.value = converted
	if !v.nullable && converted.IsNull() {
		v.unfit = true
		return hcl.Diagnostics{nullNotAllowed(v, o, b)}
	}
	return nil
}

// Again warns if applying the override blocks once more, to their own result, changes it or fails. v isn't
// changed. last is the block in effect, which gets the warning about a change.
func (v *Variable) Again(overrides []*source.Block, last source.Item) hcl.Diagnostics {
	again, work := *v, limits.FreeBudget
	for _, b := range overrides {
		if again.Apply(b, &work).HasErrors() {
			return hcl.Diagnostics{onceOnly(v.address, b)}
		}
	}
	if v.HasDefault() && !same(again.value, v.value) {
		return hcl.Diagnostics{onceOnly(v.address, last)}
	}
	return nil
}

// A VariableText is computed text for the type or the default of a variable, and the item that made it
// necessary.
type VariableText struct {
	*Literal
	By source.Item
}

// A result holds the texts of the type and the default that give the engine's meaning. If one is nil, the
// argument in effect is printed as it was written.
type result struct {
	Type, Default *VariableText
	Diags         hcl.Diagnostics // values without effect or without a native spelling
}

// IsFit reports whether the engine accepts the variable, and its default, if any, is known. Check it before
// Finish.
func (v *Variable) IsFit() bool { return !v.unfit && (!v.HasDefault() || v.value.IsWhollyKnown()) }

// HasDefault reports whether the variable has a default.
func (v *Variable) HasDefault() bool { return v.value != cty.NilVal }

// Finish returns the texts to print, once all override blocks are applied and IsFit is true. inEffect is the
// default in effect, for messages; nil without one.
func (v *Variable) Finish(inEffect source.Item) (r result) {
	constr, defaults := v.constr, v.primary.Defaults
	if v.typeAttr != nil && v.typeAttr != v.primary.TypeAttr {
		constr, defaults = v.finishType(&r)
	}
	if v.HasDefault() {
		v.finishDefault(&r, inEffect, constr, defaults)
	}
	return r
}

// finishType sets r.Type: an override's type with the defaults of optional attributes from the primary file's
// type, which stay in force. It returns the meaning of that text.
func (v *Variable) finishType(r *result) (cty.Type, *typeexpr.Defaults) {
	t := Compose(v.typeAttr, v.primary.TypeAttr)
	switch {
	case t.IsInexact:
		r.Diags = append(r.Diags, diag.WithCode(Inexact, diag.Warning(v.typeAttr.Header(), "Optional attribute defaults can't be printed", "%s keeps the optional attribute defaults of the primary file's type for %s, and they don't fit the shape of this type. It is printed without them. Repeat the defaults in this type, or change the type in the primary file.", engineOf(v.typeAttr), v.address)))
	case t.DropsDefaults && v.typeAttr.Within().Attr("default") == nil: // beside a default they were filled in there
		r.Diags = append(r.Diags, defaultsIgnored(v, v.typeAttr))
	}
	if t.Text != nil {
		r.Type = &VariableText{t.Text, v.typeAttr}
	}
	return t.Type, t.Defaults
}

// finishDefault sets r.Default if the text of the default, read with the printed type, wouldn't give the
// engine's value. The value is written out then. It warns if no text gives the value.
func (v *Variable) finishDefault(r *result, inEffect source.Item, constr cty.Type, defaults *typeexpr.Defaults) {
	want, err := v.Given(cty.NilVal)
	if err != nil {
		want = v.value
	}
	effect := func(val cty.Value) cty.Value {
		for range 2 { // once when it is loaded, once when it is used
			if c, err := limits.ConvertWithDefaults(val, constr, defaults); err == nil {
				val = c
			}
		}
		return val
	}
	given, ok := constant.Value(v.given)
	if !ok || same(effect(given), want) {
		return
	}
	if limits.IsVast(v.value) {
		r.Diags = append(r.Diags, limits.CostlyAt(v.given.Value()))
		return
	}
	literal := v.value
	if !same(effect(asWritten(literal)), want) && same(effect(asWritten(want)), want) {
		literal = want // with defaults filled in that the printed type can't express
	}
	written := effect(asWritten(literal))
	if !same(written, want) {
		r.Diags = append(r.Diags, diag.WithCode(Inexact, diag.Warning(inEffect.Header(), "Default value can't be printed exactly", "%s converts the default of %s more than once, and no single default and type give the same result. The nearest literal is printed. Set the default again in the file that sets the type.", engineOf(inEffect), v.address)))
	}
	if !same(written, effect(given)) {
		r.Default = &VariableText{&Literal{Value: literal, Type: v.typeAttr, Of: v.given}, v.cause()}
	}
}

// cause returns the item that gave the default its value: the type that converted it, or else the default.
func (v *Variable) cause() source.Item {
	switch {
	case v.by != nil:
		return v.by
	case v.typeAttr != nil:
		return v.typeAttr
	}
	return v.given
}

// asWritten returns the value that configuration with the text of v has: a tuple for a list or set, an object
// for a map.
func asWritten(v cty.Value) cty.Value {
	text := ValueText(v)
	expr, diags := parse.Expression(text, "", hcl.InitialPos)
	if diags.HasErrors() {
		return v
	}
	written, diags := limits.Evaluate(expr)
	if diags.HasErrors() {
		return v
	}
	return written
}

// same reports whether two values are equal. Nulls are, whatever their types.
func same(a, b cty.Value) bool {
	return a.RawEquals(b) || a.IsNull() && b.IsNull()
}

// What engines make of the value that a run gives a variable.

// Why a variable has no value.
var (
	errUnset = errors.New("no value is given and there is no default")
	ErrNull  = errors.New("null is not allowed and there is no default")
)

// Given returns the variable's value if a run sets it to value: with the defaults of optional attributes
// filled in, and converted to the type. Null means the default if null is not allowed. cty.NilVal means that
// the run doesn't set it.
func (v *Variable) Given(value cty.Value) (cty.Value, error) {
	switch {
	case value == cty.NilVal && !v.HasDefault():
		return cty.DynamicVal, errUnset
	case value == cty.NilVal:
		value = v.value
	}
	made, err := limits.ConvertWithDefaults(value, v.constr, v.primary.Defaults)
	switch {
	case err != nil:
		return cty.DynamicVal, err
	case !made.IsNull() || v.nullable:
		return made, nil
	case !v.HasDefault():
		return cty.DynamicVal, ErrNull
	}
	return v.value, nil // in which no defaults are filled in once more
}

// Fills reports whether the type has defaults of optional attributes that the value lacks.
func (v *Variable) Fills(value cty.Value) bool {
	d := v.primary.Defaults
	return d != nil && value != cty.NilVal && !value.IsNull() && !d.Apply(value).RawEquals(value)
}

// Type returns the type in effect; nil if the variable has none.
func (v *Variable) Type() *source.Attr { return v.typeAttr }

// Every message of the package, one function each.

// DefaultsIgnored is the code of a type that is in effect, but for the defaults of
// optional attributes in it.
const DefaultsIgnored diag.Code = "defaults-ignored"

// Inexact is the code of a type or a default that no text gives the meaning that the engine has for it.
const Inexact diag.Code = "inexact-variable"

// unfit is the error about a default that doesn't fit the type after override o. err says why.
func unfit(v *Variable, o constant.Variable, err error) *hcl.Diagnostic {
	const title = "Invalid default value for variable"
	every := fmt.Sprintf("%s checks this after each override block, even if a later one fixes it.", engineOf(v.given))
	switch {
	case o.TypeAttr != nil && o.DefaultAttr == nil:
		return diag.NewWith(diag.Related{Note: "default", Range: v.given.Header()}, o.TypeAttr.Header(), title, "The default at %s doesn't fit this type: %s. %s In the same block, set a default of that type.", placeOf(v.given), err, every)
	case o.TypeAttr == nil && o.DefaultAttr != nil && v.typeAttr != nil:
		return diag.NewWith(diag.Related{Note: "type", Range: v.typeAttr.Header()}, o.DefaultAttr.Header(), title, "This default doesn't fit the type at %s: %s. %s Set the type in the same block.", placeOf(v.typeAttr), err, every)
	}
	return diag.New(v.given.Header(), title, "This default doesn't fit the variable's type: %s. %s", err, every)
}

// nullNotAllowed is the error about a default that is null after override o, although nullable is false. b is
// its block.
func nullNotAllowed(v *Variable, o constant.Variable, b *source.Block) *hcl.Diagnostic {
	d := diag.New(b.Header(), "Invalid default value for variable", "After this override the default is null and nullable is false. Set another default, or set nullable = true.")
	if v.given != o.DefaultAttr {
		return diag.WithRelated(diag.Related{Note: "default", Range: v.given.Header()}, d)
	}
	return d
}

// defaultsIgnored warns that the engine ignores the defaults of optional attributes in t, the type of an
// override.
func defaultsIgnored(v *Variable, t source.Item) *hcl.Diagnostic {
	remedy := "Set them in the primary file's type."
	if v.primary.TypeAttr != nil {
		remedy = fmt.Sprintf("Change them at %s instead.", placeOf(v.primary.TypeAttr))
	}
	return diag.WithCode(DefaultsIgnored, diag.Warning(t.Header(), "Optional attribute defaults have no effect", "%s uses this type, but ignores the defaults of its optional attributes, although its documentation says otherwise. %s", engineOf(t), remedy))
}

// onceOnly warns that the overrides of a variable must not be applied again to their own result.
func onceOnly(address string, by source.Item) *hcl.Diagnostic {
	return diag.Warning(by.Header(), "Override can be applied only once", "%s checks the default of %s after each override block. If the override files stay after the patch, it refuses the module or gets another value. Remove them when you apply the patch.", engineOf(by), address)
}

// engineOf returns the name of the engine that reads an item, such as OpenTofu.
func engineOf(it source.Item) string { return it.Source().Engine.Product.Title() }

// placeOf returns FILE:LINE of an item, for messages.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }
