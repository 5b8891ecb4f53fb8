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

// ErrCostly refuses a conversion that takes too much work.
var ErrCostly = errors.New("the conversion takes too much work; write the value in the form of the type")

const (
	// freeParts is the number of parts that the defaults of optional attributes may come to.
	freeParts = 200_000
	// maxUnlike is how many elements of different types are brought to one type, which
	// takes time with the square of their number; maxEntries how many of one type.
	maxUnlike  = 3000
	maxEntries = 20_000
)

// Convert converts a value to a type, unless that is too much work.
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

// A survey is what the work to convert a value depends on.
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

// within is the type for an element.
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

// isUnlike reports whether a collection has more elements than can be compared with each other,
// as the library does for all but simple maps and sets. Of elements that are not of one
// type there may be fewer.
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

// elementType is the type of all elements of a value, or NilType.
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

// holds reports whether a type, or one inside of it, is such.
func holds(t cty.Type, such func(cty.Type) bool) bool {
	inside := func(t cty.Type) bool { return holds(t, such) }
	switch {
	case such(t):
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

// isLongNumber reports whether parsing a text as a number takes long.
func isLongNumber(s string) bool {
	return len(s) > MaxDigits && len(s)-len(strings.TrimLeft(s, "+-.0123456789")) > MaxDigits
}

// digits is an upper bound on the digits of a number before or behind the point, apart from those
// of its precision.
func digits(f *big.Float) int64 {
	if f.IsInf() {
		return tooMuch
	}
	exp := int64(f.MantExp(nil))
	return max(exp, -exp) * 3 / 10
}

// digitsOfText bounds the digits of the number that a text may be.
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

// ConvertWithDefaults converts a value to a type constraint, after the defaults of optional
// attributes were filled in, unless that is too much work. defaults may be nil.
func ConvertWithDefaults(v cty.Value, t cty.Type, defaults *typeexpr.Defaults) (cty.Value, error) {
	if defaults != nil {
		if times(surveyOf(v, cty.DynamicPseudoType).holders, defaultsWeight(defaults)) > freeParts*workPer {
			return cty.DynamicVal, ErrCostly
		}
		v = defaults.Apply(v)
	}
	return Convert(v, t)
}

// defaultsWeight is how many parts the defaults of optional attributes add to a value
// at most, for each part of it that has parts.
func defaultsWeight(d *typeexpr.Defaults) (sum int64) {
	for _, v := range d.DefaultValues {
		sum += surveyOf(v, cty.DynamicPseudoType).parts
	}
	for _, child := range d.Children {
		sum += defaultsWeight(child)
	}
	return sum
}

// TypeTooCostly reports a type whose defaults multiply: each level of optional
// attributes may fill in those of the next one many times.
func TypeTooCostly(e hcl.Expression) *hcl.Diagnostic {
	if typeWeight(e) > freeParts+workPer*textOf(e) {
		return CostlyAt(e.Range())
	}
	return nil
}

// typeWeight is an upper bound of how many parts are filled in where a value gets the type; tooMuch if the
// defaults can't be computed.
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

// defaultParts is how many parts a default has, none if it fails.
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

// few is how many elements are left to the library.
const few = 200

// inParts converts the large lists and maps in a value separately. It returns the type for
// converting the rest, which is all that can't be converted: the library words the error.
func inParts(v cty.Value, t cty.Type) (cty.Value, cty.Type) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return v, t
	}
	elem, isKnown := commonType(v, t)
	isObject := t.IsObjectType() && v.Type().IsObjectType()
	if !isKnown && !isObject && !(t.IsTupleType() && v.Type().IsTupleType() && v.LengthInt() == t.Length()) {
		return v, t
	}
	isDone := isKnown && v.LengthInt() > few && !t.IsSetType()
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

// commonType is the type that all elements of a value are to become of, if that is known before
// they are compared.
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

// collectionOf converts elements to their types, and makes a list, a map or a set of them if they are of one
// type then; otherwise the library knows better. If one can't be converted, it stays with those behind it.
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
