package computed

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
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
	return layout.Format(valueTokens(l.Value, typ).Bytes())
}

// valueTokens writes a value, the attributes of objects in the order of the
// type expression, which may be nil.
func valueTokens(v cty.Value, typ hcl.Expression) hclwrite.Tokens {
	name, args := TypeCall(typ)
	for name == "optional" && len(args) > 0 {
		typ = args[0]
		name, args = TypeCall(typ)
	}
	var inner hcl.Expression
	if len(args) == 1 {
		inner = args[0]
	}
	switch {
	case v.IsNull() || !v.CanIterateElements():
		return hclwrite.TokensForValue(v)
	case v.Type().IsObjectType() || v.Type().IsMapType():
		return objectTokens(v.AsValueMap(), name, inner)
	}
	elemTypes := func(int) hcl.Expression { return inner }
	if name == "tuple" {
		types, _ := hcl.ExprList(inner)
		elemTypes = func(i int) hcl.Expression { return at(types, i) }
	}
	var elems []hclwrite.Tokens
	for i, e := range v.AsValueSlice() {
		elems = append(elems, valueTokens(e, elemTypes(i)))
	}
	return hclwrite.TokensForTuple(elems)
}

func at(types []hcl.Expression, i int) hcl.Expression {
	if i < len(types) {
		return types[i]
	}
	return nil
}

// objectTokens writes an object of a type object({...}) or map(...), or of one
// that is not known.
func objectTokens(left map[string]cty.Value, name string, inner hcl.Expression) hclwrite.Tokens {
	var attrs []hclwrite.ObjectAttrTokens
	var elem hcl.Expression
	switch name {
	case "object":
		pairs, _ := hcl.ExprMap(inner)
		for _, p := range pairs {
			key := hcl.ExprAsKeyword(p.Key)
			if value, ok := left[key]; ok {
				attrs = append(attrs, attribute(key, valueTokens(value, p.Value)))
				delete(left, key)
			}
		}
	case "map":
		elem = inner
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		attrs = append(attrs, attribute(key, valueTokens(left[key], elem)))
	}
	return hclwrite.TokensForObject(attrs)
}

// attribute writes one attribute of an object. A name that would be read as
// something else is put in quotes.
func attribute(name string, value hclwrite.Tokens) hclwrite.ObjectAttrTokens {
	key := hclwrite.TokensForIdentifier(name)
	if !spelling.IsNativeName(name) || slices.Contains([]string{"true", "false", "null", "for"}, name) {
		key = hclwrite.TokensForValue(cty.StringVal(name))
	}
	return hclwrite.ObjectAttrTokens{Name: key, Value: value}
}
