package limits

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// The library compares each element of a list or map with each other one. Where all are to become
// of one type that is known beforehand, they are converted one by one.

// few is how many elements are left to the library.
const few = 200

// inParts converts the large lists and maps in a value separately. It returns the type for
// converting the rest.
func inParts(v cty.Value, t cty.Type) (cty.Value, cty.Type, error) {
	if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
		return v, t, nil
	}
	elem, isKnown := commonType(v, t)
	isObject := t.IsObjectType() && v.Type().IsObjectType()
	if !isKnown && !isObject && !(t.IsTupleType() && v.Type().IsTupleType() && v.LengthInt() == t.Length()) {
		return v, t, nil
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
		made, rest, err := inParts(e, elem)
		if err != nil {
			if isObject {
				return cty.DynamicVal, t, cty.GetAttrPath(key.AsString()).NewError(err)
			}
			return cty.DynamicVal, t, cty.IndexPath(key).NewError(err)
		}
		if key.Type() == cty.String {
			names = append(names, key.AsString())
		}
		isDone = isDone || !made.Type().Equals(e.Type())
		elems, types = append(elems, made), append(types, rest)
	}
	switch {
	case !isDone:
		return v, t, nil
	case isKnown:
		return collectionOf(v, t, names, elems, types)
	case isObject:
		attrs, wanted := map[string]cty.Value{}, maps.Clone(t.AttributeTypes())
		for i, name := range names {
			if attrs[name] = elems[i]; t.HasAttribute(name) {
				wanted[name] = types[i]
			}
		}
		return cty.ObjectVal(attrs), cty.ObjectWithOptionalAttrs(wanted, slices.Collect(maps.Keys(t.OptionalAttributes()))), nil
	}
	return cty.TupleVal(elems), cty.Tuple(types), nil
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

// collectionOf converts the elements of a list, a map or a set to their types, and makes a collection of them if
// they are of one type.
func collectionOf(v cty.Value, t cty.Type, names []string, elems []cty.Value, types []cty.Type) (cty.Value, cty.Type, error) {
	byName := make(map[string]cty.Value, len(names))
	for i, e := range elems {
		made, err := convert.Convert(e, types[i])
		if err != nil {
			return cty.DynamicVal, t, elementError(v, t, names, i, err)
		}
		if elems[i] = made; names != nil {
			byName[names[i]] = made
		}
	}
	var made cty.Value
	switch { // otherwise the library knows better
	case t.IsMapType():
		if !cty.CanMapVal(byName) {
			return v, t, nil
		}
		made = cty.MapVal(byName)
	case !cty.CanListVal(elems):
		return v, t, nil
	case t.IsSetType():
		made = cty.SetVal(elems)
	default:
		made = cty.ListVal(elems)
	}
	return made, made.Type(), nil
}

// elementError is the error that an element can't be converted, as the library words it: it finds
// out first whether the types allow a conversion at all.
func elementError(v cty.Value, t cty.Type, names []string, i int, err error) error {
	if !t.ElementType().HasDynamicTypes() && convert.GetConversionUnsafe(v.Type(), t) == nil {
		_, err := convert.Convert(v, t)
		return err
	}
	key := cty.NumberIntVal(int64(i))
	if names != nil {
		key = cty.StringVal(names[i])
	}
	return cty.Path{cty.IndexStep{Key: key}}.NewError(err)
}
