package limits

import (
	"errors"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Conversions of constants, which may be more work than the constants themselves.

// ErrCostly is the error of a conversion that takes too much work.
var ErrCostly = errors.New("the conversion takes too much work; write the value in the form of the type")

const (
	// freeParts is how many parts the defaults of optional attributes may add, whatever the length of the
	// text.
	freeParts = 200_000
	// maxUnlike is how many elements of different types the library may bring to one type, and
	// maxEntries how many of one type: it compares each with each other one.
	maxUnlike  = 3000
	maxEntries = 20_000
)

// Convert converts a value to a type, or returns ErrCostly if that is too much work.
func Convert(v cty.Value, t cty.Type) (cty.Value, error) {
	if t == cty.DynamicPseudoType || v.IsNull() || !v.IsKnown() {
		return convert.Convert(v, t)
	}
	s := surveyOf(v, t)
	switch {
	case s.vast && holds(t, makesText), s.longText && holds(t, cty.Number.Equals), s.unlike:
		return cty.DynamicVal, ErrCostly
	case !s.large:
		return convert.Convert(v, t)
	}
	return convert.Convert(inParts(v, t))
}

// IsVast reports whether a value has a number of more digits than can be written out.
func IsVast(v cty.Value) bool { return surveyOf(v, cty.DynamicPseudoType).vast }

// A survey holds what decides how much work the conversion of a value is.
type survey struct {
	parts    int64 // at all levels
	holders  int64 // those that have parts themselves
	vast     bool  // a number of very many digits
	longText bool  // a text of very many digits
	unlike   bool  // very many elements that are to become of one type
	large    bool  // many elements
}

// surveyOf surveys a value that is to become of a type.
func surveyOf(v cty.Value, t cty.Type) (s survey) {
	s.add(v, t)
	return s
}

// add surveys v, which is to become of type t, and everything in it.
func (s *survey) add(v cty.Value, t cty.Type) {
	s.parts++
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.Number:
		s.vast = s.vast || digits(v.AsBigFloat()) > MaxDigits
	case v.Type() == cty.String:
		s.longText = s.longText || isLongNumber(v.AsString())
	case v.CanIterateElements():
		s.holders++
		s.unlike = s.unlike || isUnlike(v, t)
		s.large = s.large || v.LengthInt() > few
		for it := v.ElementIterator(); it.Next(); {
			k, elem := it.Element()
			s.add(elem, within(t, k))
		}
	}
}

// within returns the type that the element at key is to become of, or the dynamic type if t doesn't say.
func within(t cty.Type, key cty.Value) cty.Type {
	switch {
	case t.IsCollectionType():
		return t.ElementType()
	case t.IsObjectType() && key.Type() == cty.String && t.HasAttribute(key.AsString()):
		return t.AttributeType(key.AsString())
	case t.IsTupleType() && key.Type() == cty.Number:
		if i, _ := key.AsBigFloat().Int64(); i < int64(t.Length()) {
			return t.TupleElementType(int(i))
		}
	}
	return cty.DynamicPseudoType
}

// isUnlike reports whether a collection has too many elements for the library, which compares each with
// each other one, except in simple maps and sets. The limit is lower if the elements differ in type.
func isUnlike(v cty.Value, t cty.Type) bool {
	if !t.IsCollectionType() || v.LengthInt() <= maxUnlike {
		return false
	}
	if _, isKnown := commonType(v, t); isKnown && !t.IsSetType() {
		return false
	}
	elem := t.ElementType()
	if elem.HasDynamicTypes() && elementType(v) == cty.NilType {
		return true
	}
	return (t.IsListType() || elem.HasDynamicTypes() || t.IsMapType() && !elem.IsPrimitiveType()) &&
		v.LengthInt() > maxEntries
}

// elementType returns the type of all elements of a value, or NilType if they differ.
func elementType(v cty.Value) cty.Type {
	found := cty.NilType
	for it := v.ElementIterator(); it.Next(); {
		_, elem := it.Element()
		if found != cty.NilType && !found.Equals(elem.Type()) {
			return cty.NilType
		}
		found = elem.Type()
	}
	return found
}

// makesText reports whether values of a type are made from a number's digits: strings, the elements
// of sets, which are compared as text, and untyped values mixed with others.
func makesText(t cty.Type) bool {
	return t == cty.String || t.IsSetType() || t.IsCollectionType() && t.ElementType().HasDynamicTypes()
}

// holds reports whether a type, or any type inside it, satisfies is.
func holds(t cty.Type, is func(cty.Type) bool) bool {
	inside := func(t cty.Type) bool { return holds(t, is) }
	switch {
	case is(t):
		return true
	case t.IsCollectionType():
		return inside(t.ElementType())
	case t.IsTupleType():
		return slices.ContainsFunc(t.TupleElementTypes(), inside)
	case t.IsObjectType():
		return slices.ContainsFunc(slices.Collect(maps.Values(t.AttributeTypes())), inside)
	}
	return false
}

// isLongNumber reports whether a text starts with so many digits that parsing it as a number takes long.
func isLongNumber(s string) bool {
	return len(s) > MaxDigits && len(s)-len(strings.TrimLeft(s, "+-.0123456789")) > MaxDigits
}

// digits returns an upper bound on the zeros that writing out a number adds to the digits of its precision.
func digits(f *big.Float) int64 {
	if f.IsInf() {
		return tooMuch
	}
	exp := int64(f.MantExp(nil))
	return max(exp, -exp) * 3 / 10 // decimal digits for each binary one
}

// digitsOfText bounds the digits of the number that a text stands for; it is 0 if the text isn't a number.
func digitsOfText(s string) int64 {
	if isLongNumber(s) {
		return int64(len(s))
	}
	v, err := cty.ParseNumberVal(s)
	if err != nil {
		return 0
	}
	return digits(v.AsBigFloat())
}

// ConvertWithDefaults fills in the defaults of optional attributes, if not nil, and converts the value to
// the type. It returns ErrCostly if that is too much work.
func ConvertWithDefaults(v cty.Value, t cty.Type, defaults *typeexpr.Defaults) (cty.Value, error) {
	if defaults != nil {
		if times(surveyOf(v, cty.DynamicPseudoType).holders, defaultsWeight(defaults)) > freeParts*workPer {
			return cty.DynamicVal, ErrCostly
		}
		v = defaults.Apply(v)
	}
	return Convert(v, t)
}

// defaultsWeight bounds how many parts the defaults add to each object, list or map in a value.
func defaultsWeight(d *typeexpr.Defaults) (sum int64) {
	for _, v := range d.DefaultValues {
		sum += surveyOf(v, cty.DynamicPseudoType).parts
	}
	for _, child := range d.Children {
		sum += defaultsWeight(child)
	}
	return sum
}

// TypeTooCostly reports a type whose defaults multiply: each level of optional attributes may fill in those
// of the next one many times. It returns nil for any other type.
func TypeTooCostly(e hcl.Expression) *hcl.Diagnostic {
	if typeWeight(e) > freeParts+workPer*textOf(e) {
		return CostlyAt(e.Range())
	}
	return nil
}

// typeWeight bounds how many parts are filled in for a value of the type; it is tooMuch if a default can't
// be computed.
func typeWeight(e hcl.Expression) int64 {
	parts := int64(1)
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		for _, t := range e.Exprs {
			parts = atMost(parts + typeWeight(t))
		}
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			parts = atMost(parts + typeWeight(item.ValueExpr))
		}
	case *hclsyntax.FunctionCallExpr:
		if len(e.Args) > 0 {
			parts = typeWeight(e.Args[0])
		}
		if e.Name == "optional" && len(e.Args) > 1 {
			parts = atMost(parts + times(defaultParts(e.Args[1]), parts))
		}
	}
	return parts
}

// defaultParts returns how many parts a default has, 0 if it can't be evaluated, and tooMuch if it is too
// costly.
func defaultParts(e hcl.Expression) int64 {
	if TooCostly(e) != nil {
		return tooMuch
	}
	value, diags := e.Value(nil)
	s := surveyOf(value, cty.List(cty.DynamicPseudoType))
	switch {
	case diags.HasErrors():
		return 0
	case s.vast, s.longText, s.unlike:
		return tooMuch
	}
	return s.parts
}

// The library compares each element of a list or map with each other one. Where all are to become
// of one type that is known beforehand, they are converted one by one.

// few is up to how many elements a collection is left to the library.
const few = 200

// inParts converts the large lists and maps in a value one element at a time. It returns the value so far,
// and the type to convert it to for the rest, or both unchanged if nothing in the value is large. What
// can't be converted is left to the rest, so that the library words the error.
func inParts(v cty.Value, t cty.Type) (cty.Value, cty.Type) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return v, t
	}
	elem, isKnown := commonType(v, t)
	isObject := t.IsObjectType() && v.Type().IsObjectType()
	if !isKnown && !isObject && !(t.IsTupleType() && v.Type().IsTupleType() && v.LengthInt() == t.Length()) {
		return v, t
	}
	isDone := isKnown && v.LengthInt() > few && !t.IsSetType() // whether there is anything to convert here
	var names []string
	var elems []cty.Value
	var types []cty.Type
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		if !isKnown {
			elem = within(t, key)
		}
		made, rest := inParts(e, elem)
		if key.Type() == cty.String {
			names = append(names, key.AsString())
		}
		isDone = isDone || !made.Type().Equals(e.Type())
		elems, types = append(elems, made), append(types, rest)
	}
	switch {
	case !isDone:
		return v, t
	case isKnown:
		return collectionOf(v, t, names, elems, types)
	case isObject:
		attrs, wanted := map[string]cty.Value{}, maps.Clone(t.AttributeTypes())
		for i, name := range names {
			if attrs[name] = elems[i]; t.HasAttribute(name) {
				wanted[name] = types[i]
			}
		}
		return cty.ObjectVal(attrs), cty.ObjectWithOptionalAttrs(wanted, slices.Collect(maps.Keys(t.OptionalAttributes())))
	}
	return cty.TupleVal(elems), cty.Tuple(types)
}

// commonType returns the type that all elements of a value are to become of, if that can be told without
// comparing them.
func commonType(v cty.Value, t cty.Type) (elem cty.Type, isKnown bool) {
	is := v.Type()
	switch {
	case t.IsListType() || t.IsSetType():
		isKnown = is.IsTupleType() || is.IsListType()
	case t.IsMapType():
		isKnown = is.IsObjectType() || is.IsMapType()
	}
	if !isKnown || v.LengthInt() == 0 {
		return cty.NilType, false
	}
	if elem = t.ElementType(); elem == cty.DynamicPseudoType && !t.IsSetType() {
		elem = elementType(v)
	}
	return elem, elem != cty.NilType && !elem.HasDynamicTypes()
}

// collectionOf converts each element to its type, and makes a list, a map or a set if all are of one type
// then. If one can't be converted, it and those after it stay as they are, and the library words the error.
func collectionOf(v cty.Value, t cty.Type, names []string, elems []cty.Value, types []cty.Type) (cty.Value, cty.Type) {
	isWhole := true
	for i, e := range elems {
		made, err := convert.Convert(e, types[i])
		if isWhole = err == nil; !isWhole {
			break
		}
		elems[i] = made
	}
	byName := make(map[string]cty.Value, len(names))
	for i, name := range names {
		byName[name] = elems[i]
	}
	var made cty.Value
	switch {
	case !isWhole && convert.GetConversionUnsafe(v.Type(), t) == nil:
		return v, t // no element is looked at
	case !isWhole && names != nil:
		return cty.ObjectVal(byName), t
	case !isWhole:
		return cty.TupleVal(elems), t
	case names != nil && cty.CanMapVal(byName):
		made = cty.MapVal(byName)
	case t.IsSetType() && cty.CanListVal(elems):
		made = cty.SetVal(elems)
	case names == nil && cty.CanListVal(elems):
		made = cty.ListVal(elems)
	default:
		return v, t
	}
	return made, made.Type()
}
