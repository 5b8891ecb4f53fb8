package parse

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// Outline is the tree of a block as an outline.Scanner returns it. In a block with errors, the value
// of an argument may be empty.
func Outline(b *hclsyntax.Block) outline.Tree {
	var t outline.Tree
	outlineBlock(&t, b)
	return t
}

func outlineBlock(t *outline.Tree, b *hclsyntax.Block) {
	i, first := len(t.Items), len(t.Labels)
	for _, at := range b.LabelRanges {
		t.Labels = append(t.Labels, outline.SpanOf(at))
	}
	t.Texts = append(t.Texts, b.Labels...)
	value := outline.Span{Start: outline.SpanOf(b.OpenBraceRange).Start, End: outline.SpanOf(b.CloseBraceRange).End}
	t.Items = append(t.Items, outline.Item{
		Name: outline.SpanOf(b.TypeRange), Value: value, IsBlock: true,
		FirstLabel: uint32(first), EndLabel: uint32(len(t.Labels)),
	})
	attrs := slices.SortedFunc(maps.Values(b.Body.Attributes), func(a, b *hclsyntax.Attribute) int {
		return cmp.Compare(a.NameRange.Start.Byte, b.NameRange.Start.Byte)
	})
	for _, inner := range b.Body.Blocks {
		for len(attrs) > 0 && attrs[0].NameRange.Start.Byte < inner.TypeRange.Start.Byte {
			outlineAttr(t, attrs[0])
			attrs = attrs[1:]
		}
		outlineBlock(t, inner)
	}
	for _, a := range attrs {
		outlineAttr(t, a)
	}
	t.Items[i].Inner = uint32(len(t.Items) - i - 1)
}

func outlineAttr(t *outline.Tree, a *hclsyntax.Attribute) {
	value, whole := outline.SpanOf(a.Expr.Range()), outline.SpanOf(a.SrcRange)
	switch {
	case value.End.Byte < value.Start.Byte: // a call without its closing parenthesis ends nowhere
		value.End = value.Start
	case whole.End.Byte < value.Start.Byte: // the value is missing
		value = outline.Span{Start: whole.End, End: whole.End}
	default:
		value.End = whole.End
	}
	labels := uint32(len(t.Labels))
	t.Items = append(t.Items, outline.Item{
		Name: outline.SpanOf(a.NameRange), Value: value, FirstLabel: labels, EndLabel: labels,
	})
}
