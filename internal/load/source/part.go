package source

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// Part returns the argument as though its name and value were those of a part of its value: of a
// key of an object, or of an element, whose text also serves as its name.
func (a *Attr) Part(name hcl.Range, value hclsyntax.Expression) *Attr {
	whole := outline.SpanOf(value.Range())
	own := &rare{expr: value, whole: cmp.Or(a.rarely().whole, a)}
	part := &Attr{File: a.File, in: a.in, Name: a.Name, name: outline.SpanOf(name), value: whole, rare: own}
	if a.Origin() != nil {
		from := *a.Origin()
		from.Key = own.whole.origin(int(part.name.Start.Byte), int(part.name.End.Byte))
		from.Value = own.whole.origin(int(part.value.Start.Byte), int(part.value.End.Byte))
		from.Property = [2]uint32{}
		own.from = &from
	}
	return part
}
