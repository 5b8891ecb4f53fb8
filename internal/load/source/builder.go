package source

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// A Builder makes the items of one file, from the parser's tree of native text, or piece by piece if
// native text is made from another syntax. Unless Keeping is set, memory is reused, because most
// blocks are discarded after checking.
type Builder struct {
	Keeping bool // Reuse keeps items built from now on

	file    *File
	stubs   []stub // storage for the stubs of one file after another
	spare   *Block // that was taken back
	attrs   slab[Attr]
	blocks  slab[Block]
	bodies  slab[body]
	origins slab[Origin]
	rares   slab[rare]
	labelAt []Span      // of the block at the top level
	room    []Item      // storage for the items of bodies that are kept
	most    int         // how many items there was room for last
	recent  [512]string // names of types and arguments, indexed by a cheap key instead of a hash
	labels  [64]string  // the same for labels
}

// NewBuilder makes a builder for a file, which must have its text, or get it while
// items are built.
func NewBuilder(f *File) *Builder { return &Builder{file: f} }

// Take makes a file collect its blocks in the builder's memory, until Done is called or the file
// forgets them.
func (bd *Builder) Take(f *File) { f.stubs = bd.stubs[:0] }

// Done gives the file as much memory for its blocks as it needs.
func (bd *Builder) Done(f *File) {
	bd.stubs = f.stubs
	f.stubs = slices.Clone(f.stubs)
}

// For makes a builder that is done with one file one for another.
func (bd *Builder) For(f *File) *Builder {
	bd.Reuse()
	bd.file, bd.Keeping = f, false
	return bd
}

// reserve allocates the kept items of one block, whose first item is the block itself. If blocks
// shared an allocation, an item of one would keep all others in memory.
func (bd *Builder) reserve(items []outline.Item) {
	attrs, blocks := 0, 0
	for _, it := range items[1:] {
		if it.IsBlock {
			blocks++
		} else {
			attrs++
		}
	}
	bd.attrs.kept = make([]Attr, attrs)
	bd.blocks.kept = make([]Block, blocks)
	bd.bodies.kept = make([]body, blocks+1)
	bd.room = make([]Item, attrs+blocks)
}

// LetGo lets go of the file, and of memory that was made for kept items. That is together with
// the memory of items in use, and either would hold the other.
func (bd *Builder) LetGo() {
	bd.file = nil
	bd.attrs.letGo()
	bd.blocks.letGo()
	bd.bodies.letGo()
	bd.origins.letGo()
	bd.rares.letGo()
	bd.room, bd.most = nil, 0
}

func (s *slab[T]) letGo() { s.kept, s.room, s.kin, s.all = nil, 0, min(s.all, 4*mostRoom), 0 }

// Reuse makes the memory of all items built so far available again. Nobody may
// hold any of them.
func (bd *Builder) Reuse() {
	bd.attrs.used, bd.blocks.used, bd.bodies.used, bd.origins.used, bd.rares.used = 0, 0, 0, 0, 0
}

// TopAttr builds an argument that is in no block.
func (bd *Builder) TopAttr(a *hclsyntax.Attribute) *Attr { return bd.attr(nil, a) }

func (bd *Builder) attr(in *body, a *hclsyntax.Attribute) *Attr {
	out, own := bd.attrs.next(bd.Keeping), bd.rares.next(bd.Keeping)
	*own = rare{expr: a.Expr, behind: placeOf(a.SrcRange.End)}
	*out = Attr{
		File:  bd.file,
		in:    in,
		Name:  a.Name,
		name:  spanOf(a.NameRange),
		value: spanOf(a.Expr.Range()),
		rare:  own,
	}
	if out.value.End.Byte < out.value.Start.Byte { // a call without its closing parenthesis ends nowhere
		out.value.End = out.value.Start
	}
	if own.behind == out.value.End {
		own.behind = Place{}
	}
	return out
}

// Header builds a block without its body. It is never taken back.
func (bd *Builder) Header(nb *hclsyntax.Block) *Block {
	b := new(Block)
	bd.fill(b, nb)
	return b
}

func (bd *Builder) fill(b *Block, nb *hclsyntax.Block) {
	*b = Block{
		File:   bd.file,
		Type:   nb.Type,
		Labels: nb.Labels,
		def:    placeOf(nb.DefRange().End),
		end:    placeOf(nb.CloseBraceRange.End),
	}
	b.setType(spanOf(nb.TypeRange))
	if len(nb.LabelRanges) == 0 {
		return
	}
	at := make([]Span, len(nb.LabelRanges))
	for i, r := range nb.LabelRanges {
		at[i] = spanOf(r)
	}
	b.labelAt = &at
}

// Body builds the contents of a block.
func (bd *Builder) Body(b *Block, nb *hclsyntax.Block) {
	y := bd.bodies.next(bd.Keeping)
	b.body = y
	items := y.items[:0]
	*y = body{of: b, opening: placeOf(nb.OpenBraceRange.Start)}
	if cap(items) < len(nb.Body.Attributes)+len(nb.Body.Blocks) {
		items = make([]Item, 0, len(nb.Body.Attributes)+len(nb.Body.Blocks))
	}
	for _, a := range nb.Body.Attributes {
		items = append(items, bd.attr(y, a))
	}
	for _, child := range nb.Body.Blocks {
		inner := bd.blocks.next(bd.Keeping)
		bd.fill(inner, child)
		inner.in = y
		bd.Body(inner, child)
		items = append(items, inner)
	}
	slices.SortFunc(items, func(a, b Item) int { return startByte(a) - startByte(b) })
	y.items = items
}

// A Head is a block up to its opening brace.
type Head struct {
	Type    string
	Labels  []string
	TypeAt  Span
	LabelAt []Span
	Brace   Span // the opening one
	From    Origin
}

// Open starts a block that is made from something else than native text. One at the
// top level, which is in no other, is never taken back. Items are added to its body
// before it is closed.
func (bd *Builder) Open(in *Block, h Head) *Block {
	b := bd.blocks.next(bd.Keeping || in == nil)
	from := bd.origins.next(bd.Keeping)
	*from = h.From
	*b = Block{
		File:   bd.file,
		Type:   h.Type,
		Labels: h.Labels,
		def:    h.TypeAt.End,
		from:   from,
	}
	b.setType(h.TypeAt)
	if n := len(h.LabelAt); n > 0 {
		b.labelAt, b.def = &h.LabelAt, h.LabelAt[n-1].End
	}
	if in != nil {
		b.in = in.body
	}
	b.body = bd.bodies.next(bd.Keeping)
	items := b.body.items[:0]
	if bd.Keeping && in != nil {
		items = bd.items(fewItems)
	} else if bd.Keeping {
		items = bd.items(mostRoom)
	}
	*b.body = body{of: b, opening: h.Brace.Start, items: items}
	return b
}

// Close ends a block that was opened.
func (bd *Builder) Close(b *Block, brace Span) {
	b.end = brace.End
}

// Argument adds an argument to a block that is open.
func (bd *Builder) Argument(in *Block, name string, at, value Span, from Origin) {
	a, own := bd.attrs.next(bd.Keeping), bd.rares.next(bd.Keeping)
	*own = rare{from: bd.origins.next(bd.Keeping)}
	*own.from = from
	*a = Attr{File: bd.file, in: in.body, Name: name, name: at, value: value, rare: own}
	in.body.items = append(in.body.items, a)
}

// Nest adds a closed block to the block around it.
func (bd *Builder) Nest(b *Block) { b.in.items = append(b.in.items, b) }

// A slab hands out elements that can all be taken back at once, or are kept.
type slab[T any] struct {
	made []*T
	used int
	kept []T // room for elements that are kept, made for several at once
	room int // for how many it was made
	kin  int // how many were kept when memory was last released: often as many will be next time
	all  int // how many were kept since
}

// mostRoom is for how many elements that are kept memory is made at once, fewItems how many items
// a nested block is expected to have.
const mostRoom, fewItems = 16, 4

func (s *slab[T]) next(keeping bool) *T {
	if keeping {
		if len(s.kept) == 0 {
			s.room = min(mostRoom, 2*s.room+1)
			if s.all == 0 && s.kin > 0 {
				s.room = s.kin
			}
			s.kept = make([]T, s.room)
		}
		s.all++
		e := &s.kept[0]
		s.kept = s.kept[1:]
		return e
	}
	if s.used == len(s.made) {
		s.made = append(s.made, new(T))
	}
	s.used++
	return s.made[s.used-1]
}

// items is room for the items of a body.
func (bd *Builder) items(n int) []Item {
	if !bd.Keeping || n > mostRoom {
		return make([]Item, 0, n)
	}
	if len(bd.room) < n {
		bd.most = min(4*mostRoom, 2*bd.most+n)
		bd.room = make([]Item, bd.most)
	}
	own := bd.room[:0:n]
	bd.room = bd.room[n:]
	return own
}
