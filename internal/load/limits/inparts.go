package limits

import (
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
	switch elem, isKnown := commonType(v, t); {
	case isKnown:
		return collectionInParts(v, t, elem)
	case t.IsObjectType() && v.Type().IsObjectType():
		return objectInParts(v, t)
	case t.IsTupleType() && v.Type().IsTupleType() && v.LengthInt() == t.Length():
		return tupleInParts(v, t)
	}
	return v, t, nil
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

// collectionInParts converts a list, a map or a set if it is large, or if something in it was.
func collectionInParts(v cty.Value, t, elem cty.Type) (cty.Value, cty.Type, error) {
	isDone := v.LengthInt() > few && !t.IsSetType()
	var names []string
	var elems []cty.Value
	var types []cty.Type
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		made, rest, err := inParts(e, elem)
		if err != nil {
			return cty.DynamicVal, t, cty.Path{cty.IndexStep{Key: key}}.NewError(err)
		}
		if key.Type() == cty.String {
			names = append(names, key.AsString())
		}
		isDone = isDone || !made.Type().Equals(e.Type())
		elems, types = append(elems, made), append(types, rest)
	}
	if !isDone {
		return v, t, nil
	}
	for i, e := range elems {
		made, err := convert.Convert(e, types[i])
		if err != nil {
			return cty.DynamicVal, t, elementError(v, t, names, i, err)
		}
		elems[i] = made
	}
	made, isMade := collectionOf(t, names, elems)
	if !isMade {
		return v, t, nil // the library knows better
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

// collectionOf is a collection like a type of elements of one type, if they are of one type.
func collectionOf(t cty.Type, names []string, elems []cty.Value) (made cty.Value, ok bool) {
	switch {
	case t.IsMapType():
		byName := make(map[string]cty.Value, len(elems))
		for i, name := range names {
			byName[name] = elems[i]
		}
		if !cty.CanMapVal(byName) {
			return made, false
		}
		return cty.MapVal(byName), true
	case !cty.CanListVal(elems):
		return made, false
	case t.IsSetType():
		return cty.SetVal(elems), true
	}
	return cty.ListVal(elems), true
}

func objectInParts(v cty.Value, t cty.Type) (cty.Value, cty.Type, error) {
	attrs, types := v.AsValueMap(), t.AttributeTypes()
	isDone := false
	wanted := make(map[string]cty.Type, len(types))
	for name, of := range types {
		wanted[name] = of
		e, isSet := attrs[name]
		if !isSet {
			continue
		}
		made, rest, err := inParts(e, of)
		if err != nil {
			return cty.DynamicVal, t, cty.GetAttrPath(name).NewError(err)
		}
		isDone = isDone || !made.Type().Equals(e.Type())
		attrs[name], wanted[name] = made, rest
	}
	if !isDone {
		return v, t, nil
	}
	var optional []string
	for name := range t.OptionalAttributes() {
		optional = append(optional, name)
	}
	return cty.ObjectVal(attrs), cty.ObjectWithOptionalAttrs(wanted, optional), nil
}

func tupleInParts(v cty.Value, t cty.Type) (cty.Value, cty.Type, error) {
	elems, types := v.AsValueSlice(), append([]cty.Type(nil), t.TupleElementTypes()...)
	for i, e := range elems {
		made, rest, err := inParts(e, types[i])
		if err != nil {
			return cty.DynamicVal, t, cty.IndexIntPath(i).NewError(err)
		}
		elems[i], types[i] = made, rest
	}
	return cty.TupleVal(elems), cty.Tuple(types), nil
}
