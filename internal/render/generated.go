package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/zclconf/go-cty/cty"
)

// All configuration text that stands in no source file is made here.

// wrap puts the braces of a block around lines. Each line of body is indented
// and ends with eol.
func wrap(header, body, indent, eol string) string {
	return header + " {" + eol + body + indent + "}"
}

// furtherTerraform is a terraform block that holds one version constraint.
func furtherTerraform(c chunk, eol string) string {
	return wrap("terraform", indentUnit+c.at(indentUnit, eol)+eol, "", eol)
}

// literalText is computed text: a value written out, or a source text with
// some stretches exchanged.
func literalText(l *merge.Literal) []byte {
	if len(l.Changes) > 0 {
		return l.Text()
	}
	var typ hcl.Expression
	if l.Type != nil {
		typ = l.Type.Expr()
	}
	return hclwrite.Format(valueTokens(l.Value, typ).Bytes())
}

// valueTokens writes a value, the attributes of objects in the order of the
// type expression, which may be nil.
func valueTokens(v cty.Value, typ hcl.Expression) hclwrite.Tokens {
	name, args := merge.TypeCall(typ)
	for name == "optional" && len(args) > 0 {
		name, args = merge.TypeCall(args[0])
	}
	switch {
	case v.IsNull() || !v.CanIterateElements() || len(args) != 1:
		return hclwrite.TokensForValue(v)
	case name == "object" && v.Type().IsObjectType():
		return objectTokens(v, args[0])
	case name == "map":
		var attrs []hclwrite.ObjectAttrTokens
		elems := v.AsValueMap()
		for _, k := range slices.Sorted(maps.Keys(elems)) {
			attrs = append(attrs, attribute(k, valueTokens(elems[k], args[0])))
		}
		return hclwrite.TokensForObject(attrs)
	}
	elemTypes, _ := hcl.ExprList(args[0])
	var elems []hclwrite.Tokens
	for _, e := range v.AsValueSlice() {
		typ := args[0]
		if name == "tuple" && len(elems) < len(elemTypes) {
			typ = elemTypes[len(elems)]
		}
		elems = append(elems, valueTokens(e, typ))
	}
	return hclwrite.TokensForTuple(elems)
}

func objectTokens(v cty.Value, typ hcl.Expression) hclwrite.Tokens {
	left := v.AsValueMap()
	var attrs []hclwrite.ObjectAttrTokens
	pairs, _ := hcl.ExprMap(typ)
	for _, p := range pairs {
		name := hcl.ExprAsKeyword(p.Key)
		if value, ok := left[name]; ok {
			attrs = append(attrs, attribute(name, valueTokens(value, p.Value)))
			delete(left, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		attrs = append(attrs, attribute(name, hclwrite.TokensForValue(left[name])))
	}
	return hclwrite.TokensForObject(attrs)
}

func attribute(name string, value hclwrite.Tokens) hclwrite.ObjectAttrTokens {
	key := hclwrite.TokensForIdentifier(name)
	if !hclsyntax.ValidIdentifier(name) {
		key = hclwrite.TokensForValue(cty.StringVal(name))
	}
	return hclwrite.ObjectAttrTokens{Name: key, Value: value}
}

// escaping is an escaping block for items that must not be taken for
// meta-arguments.
func escaping(lines []string, indent, eol string) string {
	inner := indent + indentUnit
	return wrap(load.EscapeBlock, inner+strings.Join(lines, eol+inner)+eol, indent, eol)
}
