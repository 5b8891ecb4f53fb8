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
	// freeParts is how many elements the defaults of optional attributes may add, however short the text is.
	freeParts = 200_000
	// maxUnlike limits how many elements of different types the library (go-cty) may convert to one type, maxEntries
	// how many of the same type: it compares each with each other one.
	maxUnlike  = 3000
	maxEntries = 20_000
)

// Convert converts a value to a type, or returns ErrCostly if that is too much work. It converts large collections
// itself, in linear time, where the library takes quadratic time.
func Convert(v cty.Value, t cty.Type) (cty.Value, error) {
	if t == cty.DynamicPseudoType || v.IsNull() || !v.IsKnown() {
		return convert.Convert(v, t)
	}
	s := surveyOf(v, t)
	switch {
	case s.vast && containsType(t, makesText), // writes out all digits of a number
		s.longText && containsType(t, cty.Number.Equals), // reads all digits of a text
		s.tooManyCompared:
		return cty.DynamicVal, ErrCostly
	case s.large:
		v, t = convertLarge(v, t) // the library converts what remains
	}
	return convert.Convert(v, t)
}

// IsVast reports whether a value contains a number with more digits than can be written out, such as 1e9999999.
func IsVast(v cty.Value) bool { return surveyOf(v, cty.DynamicPseudoType).vast }

// A survey holds what decides how much work it is to convert a value.
type survey struct {
	parts           int64 // the value and its elements at all levels
	holders         int64 // how many of those are objects, lists or other collections
	vast            bool  // there is a number of very many digits
	longText        bool  // there is a text of very many digits
	tooManyCompared bool  // a collection is too large for the library: see comparesTooMany
	large           bool  // a collection has more than few elements
}

// surveyOf surveys a value that is to be converted to type t.
func surveyOf(v cty.Value, t cty.Type) (s survey) {
	s.addValue(v, t)
	return s
}

// addValue adds v, which is to be converted to type t, and everything in it.
func (s *survey) addValue(v cty.Value, t cty.Type) {
	s.parts++
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.Number:
		s.vast = s.vast || digits(v.AsBigFloat()) > MaxDigits
	case v.Type() == cty.String:
		s.longText = s.longText || isLongNumber(v.AsString())
	case v.CanIterateElements():
		s.holders++
		s.tooManyCompared = s.tooManyCompared || comparesTooMany(v, t)
		s.large = s.large || v.LengthInt() > few
		for it := v.ElementIterator(); it.Next(); {
			k, elem := it.Element()
			s.addValue(elem, typeAt(t, k))
		}
	}
}

// typeAt returns the type to which the element at key is converted if its collection is converted to t. If t doesn't
// tell, it is the dynamic type.
func typeAt(t cty.Type, key cty.Value) cty.Type {
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

// comparesTooMany reports whether the library would compare too many elements, each with every other one, to convert
// v to t: more than maxUnlike if they differ in type, otherwise more than maxEntries. It compares their types to find
// one for all. It needn't for a map of primitives, for a set with a known element type, or if convertLarge does the
// conversion.
func comparesTooMany(v cty.Value, t cty.Type) bool {
	if !t.IsCollectionType() || v.LengthInt() <= maxUnlike {
		return false
	}
	// convertLarge converts these one by one, unless t is a set type.
	if _, isKnown := commonType(v, t); isKnown && !t.IsSetType() {
		return false
	}
	elem := t.ElementType()
	if elem.HasDynamicTypes() { // as in list(any); v has more than maxUnlike elements
		return elementType(v) == cty.NilType || v.LengthInt() > maxEntries
	}
	// With a known element type, it compares the elements of a list, and those of a map unless they are primitive.
	return v.LengthInt() > maxEntries && (t.IsListType() || t.IsMapType() && !elem.IsPrimitiveType())
}

// elementType returns the type that all elements of a value have, or NilType if they differ.
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

// makesText reports whether a conversion to type t may write out numbers, digit by digit: as strings, as elements of
// sets, which are compared as text, or as elements without a given type, such as those of a list(any), which become
// strings if another element is one. Elements with a given type, as in list(string), are for a call of their own.
func makesText(t cty.Type) bool {
	return t == cty.String || t.IsSetType() || t.IsCollectionType() && t.ElementType().HasDynamicTypes()
}

// containsType reports whether a type, or any type inside it, satisfies matches.
func containsType(t cty.Type, matches func(cty.Type) bool) bool {
	matchesInside := func(t cty.Type) bool { return containsType(t, matches) }
	switch {
	case matches(t):
		return true
	case t.IsCollectionType():
		return matchesInside(t.ElementType())
	case t.IsTupleType():
		return slices.ContainsFunc(t.TupleElementTypes(), matchesInside)
	case t.IsObjectType():
		return slices.ContainsFunc(slices.Collect(maps.Values(t.AttributeTypes())), matchesInside)
	}
	return false
}

// isLongNumber reports whether a text starts with so many digits that parsing it as a number takes too long.
func isLongNumber(s string) bool {
	return len(s) > MaxDigits && len(s)-len(strings.TrimLeft(s, "+-.0123456789")) > MaxDigits
}

// digits estimates how many zeros it takes to write out a number without an exponent, such as 9 for 1e9. The digits
// of its precision come on top.
func digits(f *big.Float) int64 {
	if f.IsInf() {
		return tooMuch
	}
	exp := int64(f.MantExp(nil))
	return max(exp, -exp) * 3 / 10 // decimal digits for each binary one
}

// digitsOfText is digits for a text that is converted to a number. It returns the length of the text if parsing the
// number takes too long, and 0 if the text isn't a number.
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

// ConvertWithDefaults adds the defaults of optional attributes to a value, if defaults isn't nil, and converts the
// result to the type. It returns ErrCostly if either is too much work.
func ConvertWithDefaults(v cty.Value, t cty.Type, defaults *typeexpr.Defaults) (cty.Value, error) {
	if defaults != nil {
		// Each object, list or map in v may get all the defaults.
		if times(surveyOf(v, cty.DynamicPseudoType).holders, defaultsWeight(defaults)) > freeParts*workPer {
			return cty.DynamicVal, ErrCostly
		}
		v = defaults.Apply(v)
	}
	return Convert(v, t)
}

// defaultsWeight returns how many parts all defaults of a type have together, nested ones included. Applying the
// defaults adds at most that many to each object of a value.
func defaultsWeight(d *typeexpr.Defaults) (sum int64) {
	for _, v := range d.DefaultValues {
		sum += surveyOf(v, cty.DynamicPseudoType).parts
	}
	for _, child := range d.Children {
		sum += defaultsWeight(child)
	}
	return sum
}

// TypeTooCostly returns an error about a type whose defaults multiply: each level of optional attributes may fill in
// those of the next level many times. It returns nil for any other type.
func TypeTooCostly(e hcl.Expression) *hcl.Diagnostic {
	if typeWeight(e) > freeParts+workPer*textLen(e) {
		return CostlyAt(e.Range())
	}
	return nil
}

// typeWeight returns an upper bound on the parts that defaults add to a value of the type that the expression e
// writes. It is tooMuch if a default is too costly to compute. A part is a value at any level: [{}, {}] has three,
// and each may get the defaults of list(object(...)), so optional(list(object(...)), [{}, {}]) weighs four times as
// much.
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
			parts = typeWeight(e.Args[0]) // the type inside, as in list(type)
		}
		if e.Name == "optional" && len(e.Args) > 1 { // each part of the default may get the defaults of the type
			parts = atMost(parts + times(defaultParts(e.Args[1]), parts))
		}
	}
	return parts
}

// defaultParts returns how many parts a default value has: 0 if it can't be evaluated, tooMuch if that is too
// costly.
func defaultParts(e hcl.Expression) int64 {
	if TooCostly(e) != nil {
		return tooMuch
	}
	value, diags := e.Value(nil)
	if diags.HasErrors() {
		return 0
	}
	s := surveyOf(value, cty.List(cty.DynamicPseudoType)) // in place of its type: list(any) costs the most comparisons
	if s.vast || s.longText || s.tooManyCompared {
		return tooMuch
	}
	return s.parts
}

// The library compares each element of a list or map with each other one. Where all are to become
// of one type that is known beforehand, they are converted one by one.

// few is the number of elements up to which a collection is left to the library.
const few = 200

// convertLarge converts the large lists and maps in v, one element at a time. It returns the result, and the type to
// which the library must still convert that: v and t if v has no large list or map. Elements that can't be converted
// stay as they are, and the library words the error.
func convertLarge(v cty.Value, t cty.Type) (cty.Value, cty.Type) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return v, t
	}
	// All elements get one known type, or each gets the type of its attribute or index.
	elem, isKnown := commonType(v, t)
	isObject := t.IsObjectType() && v.Type().IsObjectType()
	isTuple := t.IsTupleType() && v.Type().IsTupleType() && v.LengthInt() == t.Length()
	if !isKnown && !isObject && !isTuple {
		return v, t
	}
	// Whether v itself is large, so that its elements are converted here, or (found below) anything in it.
	isAffected := isKnown && v.LengthInt() > few && !t.IsSetType()
	var names []string // the keys of an object or a map
	// The elements, and the types to which the library must convert them.
	elems, types := make([]cty.Value, 0, v.LengthInt()), make([]cty.Type, 0, v.LengthInt())
	// Convert what is large inside the elements.
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		if !isKnown {
			elem = typeAt(t, key)
		}
		converted, rest := convertLarge(e, elem)
		if key.Type() == cty.String {
			names = append(names, key.AsString())
		}
		isAffected = isAffected || !converted.Type().Equals(e.Type()) // a tuple, for example, has become a list
		elems, types = append(elems, converted), append(types, rest)
	}
	switch {
	case !isAffected: // there was nothing large to convert
		return v, t
	case isKnown:
		return convertElements(v, t, names, elems, types)
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

// commonType returns the one type to which all elements of v are converted if v is converted to t. It is known if a
// tuple or list is converted to a list or set, or an object or map to a map. isKnown is false for any other
// conversion, if v is empty, and if elements of different types have to be compared to find their type, as for
// list(any).
func commonType(v cty.Value, t cty.Type) (elem cty.Type, isKnown bool) {
	from := v.Type()
	switch {
	case t.IsListType() || t.IsSetType():
		isKnown = from.IsTupleType() || from.IsListType()
	case t.IsMapType():
		isKnown = from.IsObjectType() || from.IsMapType()
	}
	if !isKnown || v.LengthInt() == 0 {
		return cty.NilType, false
	}
	// For list(any) or map(any), it may be the type of all elements. A set is left to the library, see convertLarge.
	if elem = t.ElementType(); elem == cty.DynamicPseudoType && !t.IsSetType() {
		elem = elementType(v)
	}
	return elem, elem != cty.NilType && !elem.HasDynamicTypes()
}

// convertElements converts the elements of v one by one, because the library would compare each with each other one
// to convert v as a whole. elems are the elements, in which convertLarge may have converted something, and types the
// type for each. names are their keys; nil for a list or set. It returns a value, and the type to which the library
// must convert that: usually a list, map or set of the results, with its own type. If an element can't be converted,
// it and those after it stay as they are, so that the library returns the same error as for v.
func convertElements(v cty.Value, t cty.Type, names []string, elems []cty.Value, types []cty.Type) (cty.Value, cty.Type) {
	allConverted := true
	for i := 0; i < len(elems) && allConverted; i++ {
		result, err := convert.Convert(elems[i], types[i])
		allConverted = err == nil
		if allConverted {
			elems[i] = result
		}
	}
	byName := make(map[string]cty.Value, len(names))
	for i, name := range names {
		byName[name] = elems[i]
	}
	var result cty.Value
	switch {
	case !allConverted && convert.GetConversionUnsafe(v.Type(), t) == nil:
		return v, t // the library refuses v without looking at an element
	case !allConverted && names != nil: // the library meets the error at the first element left
		return cty.ObjectVal(byName), t
	case !allConverted:
		return cty.TupleVal(elems), t
	case names != nil && cty.CanMapVal(byName):
		result = cty.MapVal(byName)
	case t.IsSetType() && cty.CanListVal(elems):
		result = cty.SetVal(elems)
	case names == nil && cty.CanListVal(elems):
		result = cty.ListVal(elems)
	default: // the types of the elements still differ
		return v, t
	}
	return result, result.Type()
}
