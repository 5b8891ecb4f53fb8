package source

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Key returns what an argument's value has for a key, as an argument of the same name at the
// place of the key; nil where it has none. It is only known where the value is an object in
// braces, and no key behind that one is an expression.
func (a *Attr) Key(name string) (value *Attr, isKnown bool) {
	object := a.object()
	if object == nil {
		return nil, false
	}
	isKnown = true
	for _, item := range object.Items {
		switch key, isConstant := keyOf(item.KeyExpr); {
		case !isConstant:
			isKnown = false
		case key == name:
			value, isKnown = a.at(item.KeyExpr.Range(), item.ValueExpr), true
		}
	}
	return value, isKnown
}

// Keys lists the keys of an argument's value that is an object in braces, as far as they
// are constants, in source order.
func (a *Attr) Keys() []string {
	object := a.object()
	if object == nil {
		return nil
	}
	var list []string
	for _, item := range object.Items {
		if key, isConstant := keyOf(item.KeyExpr); isConstant {
			list = append(list, key)
		}
	}
	return list
}

// object is the argument's value where that is an object in braces.
func (a *Attr) object() *hclsyntax.ObjectConsExpr {
	expr := a.Expr()
	for {
		inner, ok := expr.(*hclsyntax.ParenthesesExpr)
		if !ok {
			break
		}
		expr = inner.Expression
	}
	object, _ := expr.(*hclsyntax.ObjectConsExpr)
	return object
}

// keyOf is the key that an expression in an object is, and reports whether it is a constant.
func keyOf(expr hclsyntax.Expression) (string, bool) {
	v, diags := expr.Value(nil)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() || !v.Type().Equals(cty.String) {
		return "", false
	}
	return v.AsString(), true
}

// at is the argument as though its name and value were those of one key in the value.
func (a *Attr) at(key hcl.Range, value hclsyntax.Expression) *Attr {
	whole := spanOf(value.Range())
	part := &Attr{File: a.File, In: a.In, Name: a.Name, expr: value, name: spanOf(key), value: whole, end: whole.End}
	if a.from != nil {
		from := *a.from
		start := int(a.value.Start.Byte)
		from.Key = a.File.translator.ValuePart(a, int(part.name.Start.Byte)-start, int(part.name.End.Byte)-start)
		from.Value = a.File.translator.ValuePart(a, int(part.value.Start.Byte)-start, int(part.value.End.Byte)-start)
		from.Property = [2]uint32{}
		part.from = &from
	}
	return part
}
