package source

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// Blocks of native text are built from the positions in an outline. Expressions are parsed on
// demand.

// OutlinedHeader builds the block that the scanner has found, without its body. TakeBack
// reclaims its memory; Reuse does not.
func (bd *Builder) OutlinedHeader(s *outline.Scanner) *Block {
	b := bd.spare
	if bd.spare = nil; b == nil {
		b = new(Block)
	}
	b.labelAt = &bd.labelAt // until the file takes the block up
	bd.outlined(b, s, &s.Items[0])
	return b
}

// OutlinedBody builds the body of the block that the scanner has found.
func (bd *Builder) OutlinedBody(b *Block, s *outline.Scanner) { bd.outlinedBody(b, s, s.Items) }

// TakeBack lets OutlinedHeader reuse the memory of a block that nobody refers to.
func (bd *Builder) TakeBack(b *Block) { bd.spare = b }

func (bd *Builder) outlined(b *Block, s *outline.Scanner, it *outline.Item) {
	labels := s.Labels[it.FirstLabel:it.EndLabel]
	*b = Block{
		File:    bd.file,
		Type:    bd.name(it.Name),
		Labels:  b.Labels[:0],
		labelAt: b.labelAt,
		def:     Place(it.Name.End),
		end:     Place(it.Value.End),
	}
	b.setType(spanIn(it.Name))
	if len(labels) == 0 {
		return
	}
	if cap(b.Labels) < len(labels) {
		b.Labels = make([]string, len(labels))
	}
	if b.labelAt == nil {
		b.labelAt = new([]Span)
	}
	b.Labels, *b.labelAt = b.Labels[:len(labels)], slices.Grow((*b.labelAt)[:0], len(labels))
	for i, at := range labels {
		*b.labelAt = append(*b.labelAt, spanIn(at))
		b.Labels[i] = bd.label(unquoted(bd.file.slice(spanIn(at))))
		b.def = Place(at.End)
	}
}

// outlinedBody builds the body of a block. items[0] is the block itself.
func (bd *Builder) outlinedBody(b *Block, s *outline.Scanner, items []outline.Item) {
	y := bd.bodies.next(bd.Keeping)
	b.body = y
	within := y.items[:0]
	*y = body{
		of:      b,
		opening: Place(items[0].Value.Start),
	}
	items = items[1:]
	if n := countDirect(items); cap(within) < n {
		within = bd.items(n)
	}
	for ; len(items) > 0; items = items[1+items[0].Inner:] {
		it := &items[0]
		if !it.IsBlock {
			within = append(within, bd.outlinedAttr(y, it))
			continue
		}
		inner := bd.blocks.next(bd.Keeping)
		bd.outlined(inner, s, it)
		inner.in = y
		bd.outlinedBody(inner, s, items[:1+it.Inner])
		within = append(within, inner)
	}
	y.items = within
}

// countDirect is how many items there are, without those inside others.
func countDirect(items []outline.Item) (n int) {
	for ; len(items) > 0; items = items[1+items[0].Inner:] {
		n++
	}
	return n
}

func (bd *Builder) outlinedAttr(in *body, it *outline.Item) *Attr {
	a := bd.attrs.next(bd.Keeping)
	*a = Attr{
		File:  bd.file,
		in:    in,
		Name:  bd.name(it.Name),
		name:  spanIn(it.Name),
		value: spanIn(it.Value),
	}
	return a
}

// name is the text of a span. Recent names are interned.
func (bd *Builder) name(at outline.Span) string {
	text := bd.file.Native[at.Start.Byte:at.End.Byte]
	recent := &bd.recent[(len(text)+7*int(text[0])+61*int(text[len(text)-1])+11*int(text[len(text)/2]))%len(bd.recent)]
	if *recent != string(text) {
		*recent = string(text)
	}
	return *recent
}

// label is the text of a label. Types of resources come again and again, as do the labels of
// what many files override.
func (bd *Builder) label(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	recent := &bd.labels[(len(text)+7*int(text[len(text)-1])+61*int(text[len(text)/2]))%len(bd.labels)]
	if *recent != string(text) {
		*recent = string(text)
	}
	return *recent
}

func spanIn(at outline.Span) Span { return Span{Place(at.Start), Place(at.End)} }
