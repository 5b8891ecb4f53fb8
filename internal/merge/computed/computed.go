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

// Compose returns the type that argument to sets, but with the attribute defaults of from, an earlier type or nil:
// when an override changes a type, engines keep the optional(..., DEFAULT) of the primary file's. If a default of
// from doesn't fit its attribute in to, the type gets no defaults at all.
func Compose(to, from *source.Attr) typeText {
	c := composer{to: to, from: from}
	c.compose()
	t, d, diags := c.decode()
	if diags.HasErrors() { // a default doesn't fit: without from, all are dropped
		c = composer{to: to, isInexact: true}
		c.compose()
		t, d, _ = c.decode()
	}
	composed := typeText{Type: t, Defaults: d, IsInexact: c.isInexact, DropsDefaults: c.dropsDefaults}
	if len(c.changes) > 0 {
		composed.Text = c.literal()
	}
	return composed
}

// A composer rewrites a type expression so that its optional attributes have
// the defaults of another one. It changes only the text around defaults.
type composer struct {
	to, from      *source.Attr    // the type to rewrite, and the one with the defaults; from may be nil
	changes       []textedit.Edit // of the text of to
	isInexact     bool            // a default of from has no counterpart in to
	dropsDefaults bool            // a default of to has no effect
}

// compose computes c.changes, the edits of the text of c.to that give it the defaults of c.from. It also sets
// c.isInexact and c.dropsDefaults.
func (c *composer) compose() {
	var earlier hcl.Expression
	if c.from != nil {
		earlier = c.from.Expr()
	}
	c.rewrite(earlier, c.to.Expr())
}

// literal returns the type's text, with the changes to make to it.
func (c *composer) literal() *Literal {
	l := &Literal{Of: c.to, Changes: c.changes}
	if c.from != nil && hasDefaults(c.from.Expr()) {
		l.From = c.from
	}
	return l
}

// decode reads the type from its changed text. Errors mean that a default doesn't fit its attribute.
func (c *composer) decode() (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
	return constant.DecodeType(c.literal().attr())
}

// rewrite gives the optional attributes in type expression to the defaults that they have in earlier, which may be
// nil. If the two have different shapes, such as list(...) and map(...), to loses its defaults, and c.isInexact is
// set if earlier has any.
func (c *composer) rewrite(earlier, to hcl.Expression) {
	name, args := typeCall(to) // list and its argument for list(string); neither for string
	fromName, fromArgs := typeCall(earlier)
	if name != fromName || len(args) != len(fromArgs) {
		c.isInexact = c.isInexact || hasDefaults(earlier)
		fromArgs = nil // nothing in earlier corresponds to what to contains
	}
	switch {
	case len(args) != 1: // string, any and the like have no attributes
	case name == "object":
		c.rewriteObject(onlyArgument(fromArgs), args[0])
	case name == "tuple":
		c.rewriteTuple(onlyArgument(fromArgs), args[0])
	default: // list(T), set(T), map(T)
		c.rewrite(onlyArgument(fromArgs), args[0])
	}
}

// onlyArgument returns the argument of a call such as list(...), which has one; nil for any other number.
func onlyArgument(args []hcl.Expression) hcl.Expression {
	if len(args) == 1 {
		return args[0]
	}
	return nil
}

// rewriteObject rewrites the attributes in to, the {...} of object({...}). earlierAttrs is that of the earlier
// type, or nil.
func (c *composer) rewriteObject(earlierAttrs, to hcl.Expression) {
	byName := map[string]hcl.Expression{}
	for _, p := range membersOf(earlierAttrs) {
		byName[hcl.ExprAsKeyword(p.Key)] = p.Value
	}
	for _, p := range membersOf(to) {
		c.rewriteAttribute(byName[hcl.ExprAsKeyword(p.Key)], p.Value)
	}
}

// rewriteTuple rewrites the elements in to, the [...] of tuple([...]). earlierList is that of the earlier type, or
// nil.
func (c *composer) rewriteTuple(earlierList, to hcl.Expression) {
	elems, _ := hcl.ExprList(to)
	var earlierElems []hcl.Expression
	if earlierList != nil {
		earlierElems, _ = hcl.ExprList(earlierList)
	}
	for i, e := range elems {
		if i < len(earlierElems) {
			c.rewrite(earlierElems[i], e)
		} else { // the earlier tuple is shorter, or there is none
			c.rewrite(nil, e)
		}
	}
}

// rewriteAttribute gives an attribute of an object type, whose type expression is to, the default that it has in
// the earlier type. If it has none there, it loses its own. earlier is nil if the earlier type lacks the attribute.
func (c *composer) rewriteAttribute(earlier, to hcl.Expression) {
	_, fromType, fromDefault := splitOptional(earlier)
	isOptional, toType, toDefault := splitOptional(to) // T and OTHER for optional(T, OTHER)
	c.rewrite(fromType, toType)                        // the type of the attribute may itself have attributes
	switch {
	case fromDefault == nil && toDefault == nil: // nothing to change
	case fromDefault == nil: // optional(T, OTHER), which loses OTHER
		c.dropsDefaults = true
		c.replaceText(toType.Range().End.Byte, toDefault.Range().End.Byte, "")
	case toDefault != nil: // optional(T, OTHER), whose OTHER is replaced
		c.dropsDefaults = c.dropsDefaults || c.fromText(fromDefault) != string(c.to.File.Text(toDefault.Range()))
		c.replaceText(toDefault.Range().Start.Byte, toDefault.Range().End.Byte, c.fromText(fromDefault))
	case isOptional: // optional(T)
		c.replaceText(toType.Range().End.Byte, toType.Range().End.Byte, ", "+c.fromText(fromDefault))
	default: // T
		c.replaceText(toType.Range().Start.Byte, toType.Range().Start.Byte, "optional(")
		c.replaceText(toType.Range().End.Byte, toType.Range().End.Byte, ", "+c.fromText(fromDefault)+")")
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

// replaceText notes that text replaces the bytes from start to end of the type's file, unless they are the same.
func (c *composer) replaceText(start, end int, text string) {
	if string(c.to.File.Native[start:end]) != text {
		c.changes = append(c.changes, textedit.Replace(start, end, text))
	}
}

// splitOptional splits optional(TYPE, DEFAULT). def is nil if there is no default. For any other expression, typ is
// all of it.
func splitOptional(e hcl.Expression) (isOptional bool, typ, def hcl.Expression) {
	name, args := typeCall(e)
	switch {
	case name != "optional" || len(args) == 0:
		return false, e, nil
	case len(args) == 1:
		return true, args[0], nil
	}
	return true, args[0], args[1]
}

// typeCall splits a type expression such as list(string) into its name and arguments. The name is empty for a bare
// type such as string, and for nil.
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

// membersOf lists the members of an object expression; none if e is nil or any other expression.
func membersOf(e hcl.Expression) []hcl.KeyValuePair {
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
		for _, p := range membersOf(a) { // of object({...})
			if hasDefaults(p.Value) {
				return true
			}
		}
		elems, _ := hcl.ExprList(a) // of tuple([...])
		for _, elem := range elems {
			if hasDefaults(elem) {
				return true
			}
		}
	}
	return false
}

// A Literal is text that no file contains: a value to be written out, or the text of an argument with some stretches
// replaced.
type Literal struct {
	Value   cty.Value    // NilVal if Changes describe the text
	Type    *source.Attr // the type that the value has, or nil
	Of      *source.Attr // what wrote the value, or the text that the changes are made to
	Changes []textedit.Edit
	From    *source.Attr // the argument that the changes use, or nil
}

// Text returns the source text of Of's value with the changes made to it.
func (l *Literal) Text() []byte {
	value := l.Of.Value()
	return textedit.Apply(l.Of.File.Native, value.Start.Byte, value.End.Byte, l.Changes)
}

// attr returns a copy of the argument Of whose value is l.Text(), so that it can be decoded like any other. No file
// contains it. The text consists of parsed expressions, so it has no errors.
func (l *Literal) attr() *source.Attr {
	expr, _ := parse.Expression(l.Text(), l.Of.File.Name, hcl.InitialPos)
	return l.Of.With(expr)
}

// NativeText returns the text of a literal in native syntax: the changed source text as it is, or the value,
// formatted.
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

// ValueText writes a known value in native syntax, without formatting it.
func ValueText(v cty.Value) []byte {
	var w valueWriter
	w.value(v, nil)
	return w.Bytes()
}

// A valueWriter writes values in native syntax.
type valueWriter struct{ bytes.Buffer }

// value writes a known value. typ is its type expression, or nil: attributes of objects come in the order of that.
func (w *valueWriter) value(v cty.Value, typ hcl.Expression) {
	name, args := typeCall(typ)
	for name == "optional" && len(args) > 0 { // optional(string, "a") writes the value like string
		typ = args[0]
		name, args = typeCall(typ)
	}
	var inner hcl.Expression // string of list(string), {...} of object({...}), [...] of tuple([...]); nil if there is none
	if len(args) == 1 {
		inner = args[0]
	}
	switch {
	case v.IsNull() || !v.CanIterateElements():
		w.simple(v)
	case v.Type().IsObjectType() || v.Type().IsMapType():
		w.object(v.AsValueMap(), name, inner)
	default: // a list, a set or a tuple
		elemTypes := func(int) hcl.Expression { return inner }
		if name == "tuple" { // in which each element has a type of its own
			types, _ := hcl.ExprList(inner) // valid: the type was read before
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

// list writes a list, a set or a tuple. types returns the type expression of an element by index, or nil.
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

// elemType returns the type of element i of a tuple; nil if the tuple type has fewer.
func elemType(types []hcl.Expression, i int) hcl.Expression {
	if i < len(types) {
		return types[i]
	}
	return nil
}

// object writes an object or a map, and removes members from values. name and inner are the parts of its type
// expression: object and {...}, or map and the type of elements; both are empty without one. Attributes come in the
// order of the type, then other keys in alphabetical order.
func (w *valueWriter) object(values map[string]cty.Value, name string, inner hcl.Expression) {
	if len(values) == 0 {
		w.WriteString("{}")
		return
	}
	w.WriteString("{\n")
	var elem hcl.Expression // the type of the values that are left for the last loop; nil without one
	switch name {
	case "object":
		attrs, _ := hcl.ExprMap(inner)
		for _, p := range attrs {
			key := hcl.ExprAsKeyword(p.Key)
			if value, ok := values[key]; ok {
				w.attribute(key, value, p.Value)
				delete(values, key)
			}
		}
	case "map":
		elem = inner
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		w.attribute(key, values[key], elem)
	}
	w.WriteByte('}')
}

// attribute writes one member of an object or a map. It quotes the name if a bare one would be read as something
// else.
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
	address     string            // for messages
	primary     constant.Variable // as the primary file declares it
	wantedType  cty.Type          // the type in effect, to which engines convert the default
	value       cty.Value         // NilVal without a default
	nullable    bool              // null is allowed
	typeAttr    *source.Attr      // the type in effect
	given       *source.Attr      // the default in effect, as it was written
	convertedBy *source.Attr      // the type that converted the value, if one did
	isRefused   bool              // the engine refuses it: IsFit is false from then on
	isCostly    bool              // overrides convert it too often
}

// NewVariable returns the state before any override block. arg returns the variable's arguments by name: those of
// the primary file's block, or the effective ones if no override block is to be applied. The address is for
// messages.
func NewVariable(arg func(name string) *source.Attr, address string) *Variable {
	p, diags := constant.WholeVariable(arg)
	return &Variable{
		address:    address,
		primary:    p,
		wantedType: p.Type,
		value:      p.Default,
		nullable:   p.Nullable,
		typeAttr:   p.TypeAttr,
		given:      p.DefaultAttr,
		isRefused:  diags.HasErrors(),
	}
}

// Apply applies override block b, and returns an error if the engine refuses the result. It leaves out errors in b
// itself, which were reported when the file was read. Engines check the default after every block, so an error stays
// even if a later block would correct it. work limits the conversions for all overrides of a module together: a small
// override can make a large type fill in a large value. Beyond the limit, one error says so, and the default isn't
// converted again.
func (v *Variable) Apply(b *source.Block, work *limits.Budget) hcl.Diagnostics {
	// What the block sets comes into effect; the rest stays.
	o, diags := constant.DecodeVariable(b) // diags are known: see above
	v.isRefused = v.isRefused || diags.HasErrors()
	if o.Default != cty.NilVal {
		v.value, v.given, v.convertedBy = o.Default, o.DefaultAttr, nil
	}
	if o.TypeAttr != nil {
		v.wantedType, v.typeAttr = o.Type, o.TypeAttr
	}
	if o.NullableSet {
		v.nullable = o.Nullable
	}
	if !v.HasDefault() || v.isCostly { // a costly default isn't converted again
		return nil
	}
	// The default in effect is converted to the type in effect, even if the block sets neither.
	converted, err := limits.Convert(v.value, v.wantedType)
	if err != nil {
		v.isRefused = true
		return hcl.Diagnostics{defaultUnfit(v, o, err)}
	}
	// The cost is charged to the default or type in b; if b sets neither, to the default in effect.
	if chargedTo := cmp.Or(o.DefaultAttr, o.TypeAttr, v.given); !work.Covers(converted, chargedTo.Expr()) {
		v.isRefused, v.isCostly = true, true
		return hcl.Diagnostics{limits.CostlyAt(chargedTo.Value())}
	}
	if !converted.RawEquals(v.value) { // the text in the file no longer is the value
		v.convertedBy = v.typeAttr
	}
	v.value = converted
	if !v.nullable && converted.IsNull() {
		v.isRefused = true
		return hcl.Diagnostics{nullNotAllowed(v, o, b)}
	}
	return nil
}

// Again applies the same override blocks once more, to a copy of v. It warns if that fails or changes the default:
// then the override files mustn't stay after they were merged into the primary ones. last is where it warns about a
// change.
func (v *Variable) Again(overrides []*source.Block, last source.Item) hcl.Diagnostics {
	again, work := *v, limits.FreeBudget
	for _, b := range overrides { // on top of the result of the first time
		if again.Apply(b, &work).HasErrors() {
			return hcl.Diagnostics{onceOnly(v.address, b)}
		}
	}
	if v.HasDefault() && !equalValues(again.value, v.value) {
		return hcl.Diagnostics{onceOnly(v.address, last)}
	}
	return nil
}

// A VariableText is computed text for the type or the default of a variable. By is the item that made it necessary.
type VariableText struct {
	*Literal
	By source.Item
}

// texts holds what to print for the type and the default so that it means what the engine makes of them. nil means
// that the argument in effect is printed as it was written.
type texts struct {
	Type, Default *VariableText
	Diags         hcl.Diagnostics // values without effect or without a native spelling
}

// IsFit reports whether the engine accepts the variable, and its default, if it has one, is known. Call Finish only
// if it does.
func (v *Variable) IsFit() bool { return !v.isRefused && (!v.HasDefault() || v.value.IsWhollyKnown()) }

// HasDefault reports whether the variable has a default.
func (v *Variable) HasDefault() bool { return v.value != cty.NilVal }

// Finish returns the texts to print so that a reader of the printed configuration gets the engine's type and
// default. All override blocks must have been applied, and IsFit be true. inEffect is the default in effect, for
// messages; nil without one.
func (v *Variable) Finish(inEffect source.Item) (r texts) {
	// The type as printed, and the defaults of optional attributes in it, which engines take from the primary file.
	constr, optionalDefaults := v.wantedType, v.primary.Defaults
	if v.typeAttr != nil && v.typeAttr != v.primary.TypeAttr { // an override set the type
		constr, optionalDefaults = v.finishType(&r) // may differ, if no text says the same
	}
	if v.HasDefault() {
		v.finishDefault(&r, inEffect, constr, optionalDefaults)
	}
	return r
}

// finishType handles a type set by an override. Its optional attributes keep the defaults that the primary file's type
// gives them. If the override's text gives them other defaults, or none, it sets r.Type to a text with those of the
// primary file. It returns the type and the attribute defaults as the printed text gives them.
func (v *Variable) finishType(r *texts) (cty.Type, *typeexpr.Defaults) {
	t := Compose(v.typeAttr, v.primary.TypeAttr)
	switch {
	case t.IsInexact:
		r.Diags = append(r.Diags, diag.WithCode(Inexact, diag.Warning(v.typeAttr.Header(), "Optional attribute defaults can't be printed", "%s keeps the optional attribute defaults of the primary file's type for %s, and they don't fit the shape of this type. It is printed without them. Repeat the defaults in this type, or change the type in the primary file.", engineOf(v.typeAttr), v.address)))
	// A default in the same block as the type does get the attribute defaults of that type, so no warning is needed.
	case t.DropsDefaults && v.typeAttr.Within().Attr("default") == nil:
		r.Diags = append(r.Diags, defaultsIgnored(v, v.typeAttr))
	}
	if t.Text != nil {
		r.Type = &VariableText{Literal: t.Text, By: v.typeAttr}
	}
	return t.Type, t.Defaults
}

// finishDefault checks whether the default as written, read with the printed type, still gives the engine's value.
// If not, it sets r.Default to the value written out, and it warns if no text gives the value. constr and
// optionalDefaults are the printed type and the defaults of its optional attributes.
func (v *Variable) finishDefault(r *texts, inEffect source.Item, constr cty.Type, optionalDefaults *typeexpr.Defaults) {
	// v.value is the default after each override block converted it. want is what a run makes of it: it converts it
	// once more, and fills in attributes that have defaults.
	want, err := v.Given(cty.NilVal)
	if err != nil {
		want = v.value
	}
	// engineReads returns what the engine makes of a default that is printed with the printed type.
	engineReads := func(val cty.Value) cty.Value {
		for range 2 { // once when it is loaded, once when it is used
			if c, err := limits.ConvertWithDefaults(val, constr, optionalDefaults); err == nil {
				val = c
			}
		}
		return val
	}
	// given is the default as written. If it is constant and doesn't give want, a value has to be written out.
	given, ok := constant.Value(v.given)
	if !ok || equalValues(engineReads(given), want) { // the file's text will do
		return
	}
	if limits.IsVast(v.value) { // a number has more digits than can be written out
		r.Diags = append(r.Diags, limits.CostlyAt(v.given.Value()))
		return
	}
	// literal is the value to write out: v.value, unless only want gives the engine's value.
	literal := v.value
	// givesWant reports whether the engine makes want of the text of a value.
	givesWant := func(val cty.Value) bool { return equalValues(engineReads(asWritten(val)), want) }
	if !givesWant(literal) && givesWant(want) {
		literal = want // with attribute defaults filled in that the printed type can't express
	}
	written := engineReads(asWritten(literal))
	if !equalValues(written, want) { // no text gives the engine's value, so this is the nearest
		r.Diags = append(r.Diags, diag.WithCode(Inexact, diag.Warning(inEffect.Header(), "Default value can't be printed exactly", "%s converts the default of %s more than once, and no single default and type give the same result. The nearest literal is printed. Set the default again in the file that sets the type.", engineOf(inEffect), v.address)))
	}
	if !equalValues(written, engineReads(given)) { // otherwise writing it out changes nothing
		r.Default = &VariableText{Literal: &Literal{Value: literal, Type: v.typeAttr, Of: v.given}, By: v.causeOfDefault()}
	}
}

// causeOfDefault returns the item to name as the reason why the default is written out: the type that converted it,
// else the type in effect, else the default itself.
func (v *Variable) causeOfDefault() source.Item {
	switch {
	case v.convertedBy != nil:
		return v.convertedBy
	case v.typeAttr != nil:
		return v.typeAttr
	}
	return v.given
}

// asWritten returns what v is when it's written in a file and read without a type: a list or set comes back as a
// tuple, a map as an object.
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

// equalValues reports whether two values are equal. Nulls of different types are, too.
func equalValues(a, b cty.Value) bool {
	return a.RawEquals(b) || a.IsNull() && b.IsNull()
}

// What engines make of the value that a run gives a variable.

// Why a variable has no value.
var (
	errUnset = errors.New("no value is given and there is no default")
	ErrNull  = errors.New("null is not allowed and there is no default")
)

// Given returns the variable's value in a run that sets it to value, or doesn't set it (cty.NilVal). Like the engine,
// it converts the value to the type and fills in the defaults of optional attributes that the value lacks. If null
// isn't allowed, null gives the variable's default.
func (v *Variable) Given(value cty.Value) (cty.Value, error) {
	switch {
	case value == cty.NilVal && !v.HasDefault():
		return cty.DynamicVal, errUnset
	case value == cty.NilVal:
		value = v.value
	}
	converted, err := limits.ConvertWithDefaults(value, v.wantedType, v.primary.Defaults)
	switch {
	case err != nil:
		return cty.DynamicVal, err
	case !converted.IsNull() || v.nullable:
		return converted, nil
	case !v.HasDefault():
		return cty.DynamicVal, ErrNull
	}
	return v.value, nil // the default, without filling in attributes once more
}

// Fills reports whether an engine would add to value, when a run gives it to the variable, optional attributes that
// it lacks. Engines take their defaults from the primary file's type, even if an override sets the type.
func (v *Variable) Fills(value cty.Value) bool {
	d := v.primary.Defaults
	return d != nil && value != cty.NilVal && !value.IsNull() && !d.Apply(value).RawEquals(value)
}

// Type returns the argument type in effect; nil if the variable has none.
func (v *Variable) Type() *source.Attr { return v.typeAttr }

// Every message of the package, one function each.

// DefaultsIgnored is the code of a type that is in effect, but for the defaults of
// optional attributes in it.
const DefaultsIgnored diag.Code = "defaults-ignored"

// Inexact is the code of a type or a default that no text gives the meaning that the engine has for it.
const Inexact diag.Code = "inexact-variable"

// defaultUnfit is the error about a default that doesn't fit the type after override o was applied; err says why.
// The remedy depends on which of the two the override sets.
func defaultUnfit(v *Variable, o constant.Variable, err error) *hcl.Diagnostic {
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

// nullNotAllowed is the error about a default that is null after override o, in block b, was applied, although
// nullable is false.
func nullNotAllowed(v *Variable, o constant.Variable, b *source.Block) *hcl.Diagnostic {
	d := diag.New(b.Header(), "Invalid default value for variable", "After this override the default is null and nullable is false. Set another default, or set nullable = true.")
	if v.given != o.DefaultAttr {
		return diag.WithRelated(diag.Related{Note: "default", Range: v.given.Header()}, d)
	}
	return d
}

// defaultsIgnored warns that the engine ignores the defaults of optional attributes in t, an override's type.
func defaultsIgnored(v *Variable, t source.Item) *hcl.Diagnostic {
	remedy := "Set them in the primary file's type."
	if v.primary.TypeAttr != nil {
		remedy = fmt.Sprintf("Change them at %s instead.", placeOf(v.primary.TypeAttr))
	}
	return diag.WithCode(DefaultsIgnored, diag.Warning(t.Header(), "Optional attribute defaults have no effect", "%s uses this type, but ignores the defaults of its optional attributes, although its documentation says otherwise. %s", engineOf(t), remedy))
}

// onceOnly warns at item by that the overrides of a variable must not be applied again, to their own result.
func onceOnly(address string, by source.Item) *hcl.Diagnostic {
	return diag.Warning(by.Header(), "Override can be applied only once", "%s checks the default of %s after each override block. If the override files stay after the patch, it refuses the module or gets another value. Remove them when you apply the patch.", engineOf(by), address)
}

// engineOf returns the name of the engine that reads an item, such as OpenTofu.
func engineOf(it source.Item) string { return it.Source().Engine.Product.Title() }

// placeOf returns FILE:LINE of an item, for messages.
func placeOf(it source.Item) string { return diag.Place(source.Where(it)) }
