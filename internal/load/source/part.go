package source

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Part is the argument as though its name and value were those of a part of its value: of a key
// of an object, or of an element, which is its own name.
func (a *Attr) Part(name hcl.Range, value hclsyntax.Expression) *Attr {
	whole := spanOf(value.Range())
	part := &Attr{File: a.File, In: a.In, Name: a.Name, expr: value, name: spanOf(name), value: whole, end: whole.End}
	part.whole = cmp.Or(a.whole, a)
	if a.from != nil {
		from := *a.from
		from.Key = part.whole.origin(int(part.name.Start.Byte), int(part.name.End.Byte))
		from.Value = part.whole.origin(int(part.value.Start.Byte), int(part.value.End.Byte))
		from.Property = [2]uint32{}
		part.from = &from
	}
	return part
}
