package source

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

func (s Span) in(f *File) hcl.Range {
	return hcl.Range{Filename: f.Name, Start: s.Start.pos(), End: s.End.pos()}
}

// rarely is what few arguments have.
func (a *Attr) rarely() rare {
	if a.rare == nil {
		return rare{}
	}
	return *a.rare
}

// from is the JSON text of the argument; nil in a native file.
func (a *Attr) from() *Origin {
	if a.rare == nil {
		return nil
	}
	return a.rare.from
}

// end is where the argument ends.
func (a *Attr) end() Place {
	if a.rare == nil || a.rare.behind == (Place{}) {
		return a.value.End
	}
	return a.rare.behind
}

// Source implements Item.
func (a *Attr) Source() *File { return a.File }

// Extent implements Item: name, equals sign and value.
func (a *Attr) Extent() hcl.Range { return Span{a.name.Start, a.end()}.in(a.File) }

// Header implements Item: the name.
func (a *Attr) Header() hcl.Range { return a.name.in(a.File) }

// Value is where the value's expression is.
func (a *Attr) Value() hcl.Range { return a.value.in(a.File) }

// Within implements Item.
func (a *Attr) Within() *Block { return a.in.block() }

// Called implements Item.
func (a *Attr) Called() string { return a.Name }

// Indent is how far the argument's line is indented, in columns.
func (a *Attr) Indent() int { return int(a.name.Start.Column) - 1 }

// Source implements Item.
func (b *Block) Source() *File { return b.File }

// Extent implements Item: from the type through the closing brace.
func (b *Block) Extent() hcl.Range { return Span{b.start, b.end}.in(b.File) }

// Header implements Item: type and labels.
func (b *Block) Header() hcl.Range { return Span{b.start, b.def}.in(b.File) }

// Start is where the block starts.
func (b *Block) Start() Place { return b.start }

// Address is the type and the labels in one string, for keys of maps.
func (b *Block) Address() string { return b.Type + "\x00" + strings.Join(b.Labels, "\x00") }

// TypeAt is where the type is.
func (b *Block) TypeAt() hcl.Range { return b.typ().in(b.File) }

func (b *Block) typ() Span { return Span{b.start, Place{b.start.Line, b.typeEnd[0], b.typeEnd[1]}} }

// setType notes where the type is, which is in one line.
func (b *Block) setType(at Span) {
	b.start, b.typeEnd = at.Start, [2]uint32{at.End.Column, at.End.Byte}
}

// LabelAt is where a label is.
func (b *Block) LabelAt(i int) hcl.Range { return b.labelSpan(i).in(b.File) }

func (b *Block) labelSpan(i int) Span {
	if b.labelAt != nil {
		return (*b.labelAt)[i]
	}
	return b.File.stubs[b.File.index(int(b.start.Byte))].labelAt(i)
}

// Within implements Item.
func (b *Block) Within() *Block { return b.in.block() }

// Called implements Item.
func (b *Block) Called() string {
	if b.Type == DynamicBlock && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// Top is the top-level block that an item is, or is in.
func Top(it Item) *Block {
	for b := it.Within(); b != nil; b = b.Within() {
		it = b
	}
	b, _ := it.(*Block)
	return b
}

// IsOverride reports whether an item is in an override file.
func IsOverride(it Item) bool { return it.Source().Role == Override }

// block is the body's block, or nil.
func (y *body) block() *Block {
	if y == nil {
		return nil
	}
	return y.of
}

// startByte is where an item starts, without its range being built.
func startByte(it Item) int {
	switch it := it.(type) {
	case *Attr:
		return int(it.name.Start.Byte)
	case *Block:
		return int(it.start.Byte)
	}
	return 0
}

// endByte is where an item ends.
func endByte(it Item) int {
	switch it := it.(type) {
	case *Attr:
		return int(it.end().Byte)
	case *Block:
		return int(it.end.Byte)
	}
	return 0
}

// Text is the stretch of the file that r covers. It shares the file's memory.
func (f *File) Text(r hcl.Range) []byte {
	return f.Native[r.Start.Byte:r.End.Byte:r.End.Byte]
}

func (f *File) slice(s Span) []byte { return f.Native[s.Start.Byte:s.End.Byte] }

func unquoted(label []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(label, []byte(`"`)), []byte(`"`))
}

// bare is the block without its contents.
func (b *Block) bare() Block {
	return Block{
		File: b.File, Type: b.Type, Labels: b.Labels, start: b.start, typeEnd: b.typeEnd, labelAt: b.labelAt,
		def: b.def, end: b.end, from: b.from,
	}
}
