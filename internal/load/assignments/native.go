package assignments

import (
	"bytes"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// parseNative reads the arguments of a text in native syntax.
func parseNative(name string, src []byte) ([]Value, hcl.Diagnostics) {
	body, diags := limits.Parse(src, name)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, b := range body.Blocks {
		diags = append(diags, blockIn(b.Type, b.DefRange()))
	}
	return valuesOf(body, src), diags
}

// valuesOf are the arguments of a body, in source order.
func valuesOf(body *hclsyntax.Body, src []byte) []Value {
	attrs := slices.SortedFunc(maps.Values(body.Attributes), func(a, b *hclsyntax.Attribute) int {
		return a.NameRange.Start.Byte - b.NameRange.Start.Byte
	})
	values := make([]Value, len(attrs))
	for i, a := range attrs {
		at := a.Expr.Range()
		text := bytes.TrimRight(src[at.Start.Byte:at.End.Byte], "\r\n") // behind a heredoc
		values[i] = Value{Name: a.Name, Key: a.NameRange, Range: at, text: text, expr: a.Expr}
	}
	return values
}

// parseText parses a text that is an expression, of an option or the environment.
func parseText(text []byte, name string) (hclsyntax.Expression, hcl.Diagnostics) {
	at := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
	if d := limits.CheckExpression(text, at); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	return parse.Expression(text, name, hcl.InitialPos)
}
