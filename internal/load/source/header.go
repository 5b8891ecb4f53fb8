package source

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// rarely is what few arguments have.
func (a *Attr) rarely() rare {
	if a.rare == nil {
		return rare{}
	}
	return *a.rare
}

// Origin is the JSON text that the argument is from; nil in a native file.
func (a *Attr) Origin() *Origin { return a.rarely().from }

// Source implements Item.
func (a *Attr) Source() *File { return a.File }

// Extent implements Item: name, equals sign and value.
func (a *Attr) Extent() hcl.Range {
	return outline.Span{Start: a.name.Start, End: a.value.End}.In(a.File.Name)
}

// Header implements Item: the name.
func (a *Attr) Header() hcl.Range { return a.name.In(a.File.Name) }

// Value is where the value's expression is.
func (a *Attr) Value() hcl.Range { return a.value.In(a.File.Name) }

// Within implements Item.
func (a *Attr) Within() *Block { return a.in.block() }

// Called implements Item.
func (a *Attr) Called() string { return a.Name }

// Source implements Item.
func (b *Block) Source() *File { return b.File }

// Extent implements Item: from the type through the closing brace.
func (b *Block) Extent() hcl.Range { return outline.Span{Start: b.start, End: b.end}.In(b.File.Name) }

// Header implements Item: type and labels.
func (b *Block) Header() hcl.Range { return outline.Span{Start: b.start, End: b.def}.In(b.File.Name) }

// Address is the type and the labels in one string, for keys of maps.
func (b *Block) Address() string { return b.Type + "\x00" + strings.Join(b.Labels, "\x00") }

// TypeAt is where the type is.
func (b *Block) TypeAt() hcl.Range {
	end := outline.Place{Line: b.start.Line, Column: b.typeEnd[0], Byte: b.typeEnd[1]}
	return outline.Span{Start: b.start, End: end}.In(b.File.Name)
}

// setType notes where the type is, which is in one line.
func (b *Block) setType(at outline.Span) {
	b.start, b.typeEnd = at.Start, [2]uint32{at.End.Column, at.End.Byte}
}

// LabelAt is where a label is.
func (b *Block) LabelAt(i int) hcl.Range { return b.labelSpan(i).In(b.File.Name) }

func (b *Block) labelSpan(i int) outline.Span {
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

// Text is the stretch of the file that r covers. It shares the file's memory.
func (f *File) Text(r hcl.Range) []byte {
	return f.Native[r.Start.Byte:r.End.Byte:r.End.Byte]
}

func unquoted(label []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(label, []byte(`"`)), []byte(`"`))
}

// bare is the block without its contents.
func (b *Block) bare() Block {
	return Block{
		File: b.File, Type: b.Type, Labels: b.Labels, start: b.start, typeEnd: b.typeEnd, labelAt: b.labelAt,
		def: b.def, end: b.end, From: b.From,
	}
}
