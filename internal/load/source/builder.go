package source

import (
	"slices"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// A Description lists the items of a top-level block with their positions in File.Native, from
// which a Builder makes the block.
type Description struct {
	outline.Tree
	Origins []Origin // of each item; nil for a native file
	// Leftovers are the properties of a JSON body, by the index of its block in Items.
	Leftovers map[int][]Leftover
}

// A Builder makes the items of one file. The memory of a block that the file does not keep is used
// for the next one, because most blocks are discarded after checking. The zero value is ready for For.
type Builder struct {
	file    *File
	isKept  bool           // the last block
	spare   *Block         // that nobody refers to
	labelAt []outline.Span // of the top-level block
	memory  items
	recent  [512]string // names of types and arguments, indexed by a cheap key instead of a hash
	labels  [64]string  // the same for labels
}

// items is memory for all that is in a top-level block.
type items struct {
	attrs  []Attr
	rares  []rare
	blocks []Block
	bodies []body
	lists  []Item
}

// For makes the builder one for a file, which must have the text of a block when it is built. The
// builder must be done with its last file.
func (bd *Builder) For(f *File) *Builder {
	bd.file = f
	return bd
}

// Block builds a block. If keeps returns false for it without its contents, it may be used only
// until the next block is built. Without keeps, the block is kept.
func (bd *Builder) Block(d *Description, keeps func(*Block) bool) (b *Block, isKept bool) {
	b = bd.spare
	if bd.spare = nil; b == nil {
		b = new(Block)
	}
	b.labelAt = &bd.labelAt // until the file adds the block
	bd.header(b, d, 0)
	bd.isKept = keeps == nil || keeps(b)
	memory := bd.memory.reserve(d, bd.isKept)
	if !bd.isKept {
		bd.memory = memory
	} else if d.Origins != nil {
		own := *d
		own.Origins = slices.Clone(d.Origins)
		d, b.From = &own, &own.Origins[0]
	}
	bd.body(&memory, b, d, 0)
	return b, bd.isKept
}

// reserve returns memory for the items of a block. Blocks that are kept share none, since an item
// of one would keep all others in memory.
func (m items) reserve(d *Description, isKept bool) items {
	blocks := 0
	for _, it := range d.Items {
		if it.IsBlock {
			blocks++
		}
	}
	if isKept {
		m = items{}
	}
	m.attrs = reserved(m.attrs, len(d.Items)-blocks)
	m.blocks = reserved(m.blocks, blocks-1)
	m.bodies = reserved(m.bodies, blocks)
	m.lists = reserved(m.lists, len(d.Items)-1)
	if d.Origins != nil {
		m.rares = reserved(m.rares, len(d.Items)-blocks)
	}
	return m
}

// reserved is memory for at least n values, the given if it suffices.
func reserved[T any](memory []T, n int) []T {
	if len(memory) < n {
		return make([]T, n)
	}
	return memory
}

// next takes a value from memory.
func next[T any](memory *[]T) *T {
	v := &(*memory)[0]
	*memory = (*memory)[1:]
	return v
}

// Add adds the last block to the file. Unless the block is kept, only a stub remains, if a stub can
// describe its header.
func (bd *Builder) Add(b *Block) {
	f := bd.file
	if b.From != nil {
		f.origins = append(f.origins, *b.From)
	}
	s, isWhole := stubOf(f, b)
	s.isPart = !isWhole
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	if !bd.isKept {
		b.body = nil
	}
	if !bd.isKept && isWhole {
		bd.spare = b
		return
	}
	if b.From != nil && !bd.isKept {
		own := *b.From
		b.From = &own
	}
	if len(b.Labels) > 0 && !isWhole {
		own := slices.Clone(*b.labelAt)
		b.labelAt = &own
	} else {
		b.labelAt = nil
	}
	f.blocks[len(f.blocks)-1].Store(b)
}

// header makes a block without its contents.
func (bd *Builder) header(b *Block, d *Description, i int) {
	it := &d.Items[i]
	*b = Block{
		File:    bd.file,
		Type:    interned(bd.recent[:], it.Name.Of(bd.file.Native)),
		Labels:  b.Labels[:0],
		labelAt: b.labelAt,
		def:     it.Name.End,
		end:     it.Value.End,
	}
	b.setType(it.Name)
	if d.Origins != nil {
		b.From = &d.Origins[i]
	}
	labels := d.Labels[it.FirstLabel:it.EndLabel]
	if len(labels) == 0 {
		return
	}
	if b.labelAt == nil {
		b.labelAt = new([]outline.Span)
	}
	*b.labelAt = append((*b.labelAt)[:0], labels...)
	b.Labels = slices.Grow(b.Labels, len(labels))
	for n, at := range labels {
		if d.Texts == nil {
			b.Labels = append(b.Labels, interned(bd.labels[:], unquoted(at.Of(bd.file.Native))))
		} else {
			b.Labels = append(b.Labels, d.Texts[int(it.FirstLabel)+n])
		}
		b.def = at.End
	}
}

// body makes the contents of a block.
func (bd *Builder) body(m *items, b *Block, d *Description, i int) {
	y := next(&m.bodies)
	*y = body{of: b, opening: d.Items[i].Value.Start, leftovers: d.Leftovers[i]}
	b.body = y
	count := 0
	for at := i + 1; at < d.After(i); at = d.After(at) {
		count++
	}
	y.items, m.lists = m.lists[:0:count], m.lists[count:]
	for at := i + 1; at < d.After(i); at = d.After(at) {
		if !d.Items[at].IsBlock {
			y.items = append(y.items, bd.attr(m, y, d, at))
			continue
		}
		inner := next(&m.blocks)
		bd.header(inner, d, at)
		inner.in = y
		bd.body(m, inner, d, at)
		y.items = append(y.items, inner)
	}
}

func (bd *Builder) attr(m *items, in *body, d *Description, i int) *Attr {
	a, it := next(&m.attrs), &d.Items[i]
	*a = Attr{
		File:  bd.file,
		in:    in,
		Name:  interned(bd.recent[:], it.Name.Of(bd.file.Native)),
		name:  it.Name,
		value: it.Value,
	}
	if d.Origins != nil {
		a.rare = next(&m.rares)
		*a.rare = rare{from: &d.Origins[i]}
	}
	return a
}

// interned is a text as a string. Names and labels come again and again: the same string serves for
// each, as long as it is among the recent ones.
func interned(recent []string, text []byte) string {
	if len(text) == 0 {
		return ""
	}
	last := &recent[(len(text)+7*int(text[0])+61*int(text[len(text)-1])+11*int(text[len(text)/2]))%len(recent)]
	if *last != string(text) {
		*last = string(text)
	}
	return *last
}
