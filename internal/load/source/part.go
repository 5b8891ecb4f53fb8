package source

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Part is the argument as though its name and value were those of a part of its value: of a key
// of an object, or of an element, which is its own name.
func (a *Attr) Part(name hcl.Range, value hclsyntax.Expression) *Attr {
	whole := spanOf(value.Range())
	part := &Attr{File: a.File, In: a.In, Name: a.Name, expr: value, name: spanOf(name), value: whole, end: whole.End}
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
