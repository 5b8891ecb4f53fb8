package source

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// A Description lists the items of a top-level block with their positions in File.Native, from
// which a Builder makes the block.
type Description struct {
	outline.Tree
	Origins []Origin // of each item; nil for a native file
	// Leftovers are the properties of a JSON body, by the index of its block in Items.
	Leftovers map[int][]Leftover
}

// A Builder makes the items of one file. It reuses the memory of a block that the file does not keep for
// the next one, because most blocks are discarded after checking. The zero value is ready for For.
type Builder struct {
	file    *File
	isKept  bool           // the last block is
	key     uint64         // of the last block
	spare   *Block         // to be reused: nobody refers to it
	labelAt []outline.Span // of the top-level block
	memory  items
	recent  [512]string // names of types and arguments, indexed by a cheap key instead of a hash
	labels  [64]string  // the same for labels
	stubs   []stub      // memory for those of one file after the other
}

// items is memory for everything in a top-level block.
type items struct {
	attrs  []Attr
	rares  []rare
	blocks []Block
	bodies []body
	lists  []Item
}

// For sets the file to build blocks of, after the last file is done. The file must have the native text of
// each block when it is built.
func (bd *Builder) For(f *File) *Builder {
	bd.file = f
	return bd
}

// Lend lets the file use the builder's memory for its list of blocks, until Close.
func (bd *Builder) Lend() { bd.file.stubs = bd.stubs }

// Close gives the file a list of blocks of its own, of the right size, and takes the memory back.
func (bd *Builder) Close() {
	f := bd.file
	bd.stubs, f.stubs = f.stubs[:0], slices.Clone(f.stubs)
}

// Block builds a block. If keeps returns false for its Key and type, its contents may be used only until
// the next block is built. If keeps is nil, the block is kept.
func (bd *Builder) Block(d *Description, keeps func(key uint64, typ string) bool) (b *Block, isKept bool) {
	b = bd.spare
	if bd.spare = nil; b == nil {
		b = new(Block)
	}
	b.labelAt = &bd.labelAt // until the file adds the block
	bd.header(b, d, 0)
	bd.key = KeyOf(b.Type, b.Labels)
	bd.isKept = keeps == nil || keeps(bd.key, b.Type)
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

// reserve returns memory for the items of a block. A block that is kept gets memory of its own: in shared
// memory, one of its items would keep all others alive.
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
	m.attrs = reserve(m.attrs, len(d.Items)-blocks)
	m.blocks = reserve(m.blocks, blocks-1)
	m.bodies = reserve(m.bodies, blocks)
	m.lists = reserve(m.lists, len(d.Items)-1)
	if d.Origins != nil {
		m.rares = reserve(m.rares, len(d.Items)-blocks)
	}
	return m
}

// reserve returns memory for at least n values, the given one if it suffices.
func reserve[T any](memory []T, n int) []T {
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

// Add adds the last block that was built to the file. If the block isn't kept, only a stub remains, unless
// a stub can't describe its header.
func (bd *Builder) Add(b *Block) {
	f := bd.file
	if b.From != nil {
		f.origins = append(f.origins, *b.From)
	}
	s, isWhole := stubOf(f, b)
	s.key, s.isKept, s.isPart, s.kind = bd.key, bd.isKept, !isWhole, f.kindOf(b.Type)
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
		b.From = new(*b.From)
	}
	if len(b.Labels) > 0 && !isWhole {
		b.labelAt = new(slices.Clone(*b.labelAt))
	} else {
		b.labelAt = nil
	}
	f.blocks[len(f.blocks)-1].Store(b)
}

// maxKinds is among how many recent types kindOf searches. A type may therefore be in File.types more than
// once.
const maxKinds = 16

// kindOf returns the index of a type in File.types, so that TypeOf needn't read it in the text.
func (f *File) kindOf(typ string) uint32 {
	for i := len(f.types) - 1; i >= max(0, len(f.types)-maxKinds); i-- {
		if f.types[i] == typ {
			return uint32(i)
		}
	}
	f.types = append(f.types, typ)
	return uint32(len(f.types) - 1)
}

// header fills b with the type, labels and positions of the item with index i, without contents.
func (bd *Builder) header(b *Block, d *Description, i int) {
	it := &d.Items[i]
	*b = Block{
		File:    bd.file,
		Type:    intern(bd.recent[:], it.Name.Of(bd.file.Native)),
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
			b.Labels = append(b.Labels, intern(bd.labels[:], unquoted(at.Of(bd.file.Native))))
		} else {
			b.Labels = append(b.Labels, d.Texts[int(it.FirstLabel)+n])
		}
		b.def = at.End
	}
}

// body builds the contents of a block, whose item has the index i, in the memory m.
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

// attr builds the argument with index i.
func (bd *Builder) attr(m *items, in *body, d *Description, i int) *Attr {
	a, it := next(&m.attrs), &d.Items[i]
	*a = Attr{
		File:  bd.file,
		in:    in,
		Name:  intern(bd.recent[:], it.Name.Of(bd.file.Native)),
		name:  it.Name,
		value: it.Value,
	}
	if d.Origins != nil {
		a.rare = next(&m.rares)
		*a.rare = rare{from: &d.Origins[i]}
	}
	return a
}

// intern returns a text as a string. Names and labels come again and again: the same string serves for
// each, as long as no other name takes its place among the recent ones.
func intern(recent []string, text []byte) string {
	if len(text) == 0 {
		return ""
	}
	last := &recent[(len(text)+7*int(text[0])+61*int(text[len(text)-1])+11*int(text[len(text)/2]))%len(recent)]
	if *last != string(text) {
		*last = string(text)
	}
	return *last
}

// A top-level block is available by its index in the file: its type and its text as bytes of the
// file, for which nothing is built, or the block. The contents of a block are built from the text
// of the file on demand, and released when nobody uses any part of them. A block that is kept, because override
// files may change it, has them at any time.

// Len returns how many top-level blocks the file has.
func (f *File) Len() int { return len(f.stubs) }

// TypeOf returns the type of the block with an index.
func (f *File) TypeOf(i int) string { return f.types[f.stubs[i].kind] }

// TextOf returns the text of the block with an index. It shares the file's memory.
func (f *File) TextOf(i int) []byte { return f.stubs[i].whole().Of(f.Native) }

// IsAddressed reports whether the block with an index is in an override file, or an override file may
// change it: then its contents are kept. It is false for a native file that couldn't be parsed, whose
// blocks are unknown.
func (f *File) IsAddressed(i int) bool {
	isUnknown := f.Broken && f.Syntax == Native
	return !isUnknown && (f.Role == Override || f.stubs[i].isKept)
}

// SpanOf returns where the text of the block with an index is in File.Native, in bytes.
func (f *File) SpanOf(i int) (from, to int) {
	s := &f.stubs[i]
	return int(s.start.Byte), int(s.end.Byte)
}

// LabelsOf appends the labels of the block with an index to a list. They may share the file's memory.
func (f *File) LabelsOf(i int, list [][]byte) [][]byte {
	s := &f.stubs[i]
	if s.isPart {
		for _, l := range f.Block(i).Labels {
			list = append(list, []byte(l))
		}
		return list
	}
	for n := range s.count {
		list = append(list, unquoted(s.labelAt(int(n)).Of(f.Native)))
	}
	return list
}

// IndexOf returns the index of a top-level block of the file.
func (f *File) IndexOf(b *Block) int { return f.IndexAt(int(b.start.Byte)) }

// Block returns the block with an index, the same one each time.
func (f *File) Block(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	f.blocks[i].CompareAndSwap(nil, f.header(i))
	return f.blocks[i].Load()
}

// noBody is the content of a block that isn't in the text of a file.
var noBody body

// content returns the block's body, which it builds if need be. As long as anything in the body is in use,
// it returns the same body, although the file refers to it only weakly.
func (b *Block) content() *body {
	switch {
	case b.body != nil:
		return b.body
	case b.end.Byte == 0:
		return &noBody
	}
	f := b.File
	f.growing.Lock()
	y := f.grown[b.start.Byte].Value()
	f.growing.Unlock()
	if y != nil && y.of == b {
		return y
	}
	made := f.grow(b)
	f.growing.Lock()
	defer f.growing.Unlock()
	if y = f.grown[b.start.Byte].Value(); y != nil && y.of == b {
		return y // another goroutine was faster
	}
	if f.grown == nil {
		f.grown = map[uint32]weak.Pointer[body]{}
	}
	f.grown[b.start.Byte] = weak.Make(made)
	return made
}

// header returns the block with an index for use inside the package. Unlike Block, it doesn't keep a block
// that it makes, which saves memory where many blocks are looked at once.
func (f *File) header(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	b := f.stubs[i].block(f)
	if len(f.origins) > 0 {
		b.From = &f.origins[i]
	}
	return b
}

// A grower is the memory in which bodies are built.
type grower struct {
	build Builder
	scan  outline.Scanner
}

var growers = sync.Pool{New: func() any { return new(grower) }}

// grow builds the contents of a top-level block again; they are empty if its text can't be parsed.
func (f *File) grow(b *Block) *body {
	var built *Block
	if b.From != nil {
		built = f.Translator.Grow(b)
	} else {
		built = f.growNative(b)
	}
	if built == nil { // it can't be parsed
		return &body{of: b}
	}
	built.body.of = b
	return built.body
}

// growNative builds a block of a native file again, by its outline or, if that isn't sure, by the parser.
// It returns nil if the text can't be parsed.
func (f *File) growNative(b *Block) *Block {
	g := growers.Get().(*grower)
	defer func() {
		g.scan.Reset(nil) // releases the text
		g.build.For(nil)
		growers.Put(g)
	}()
	build := g.build.For(f)
	if !f.Parsed {
		g.scan.Reset(f.Native)
		if g.scan.Resume(b.start); g.scan.Next() == outline.Found {
			built, _ := build.Block(&Description{Tree: g.scan.Tree}, nil)
			return built
		}
	}
	at := b.Extent()
	parsed, _ := parse.Config(f.Text(at), f.Name, at.Start)
	if list := parsed.Body.(*hclsyntax.Body).Blocks; len(list) > 0 {
		built, _ := build.Block(&Description{Tree: parse.Outline(list[0])}, nil)
		return built
	}
	return nil
}

// block makes a block without contents from a stub that describes the whole header.
func (s *stub) block(f *File) *Block {
	b := &Block{File: f, Type: f.types[s.kind], def: s.start.Forward(int(s.def)), end: s.end}
	b.setType(s.typeAt())
	for i := range s.count {
		b.Labels = append(b.Labels, string(unquoted(s.labelAt(int(i)).Of(f.Native))))
	}
	return b
}

// stubOf returns the stub of a block. isWhole tells that it describes the header completely: that needs a
// header on one line of single-byte characters, few labels, and no escapes in them.
func stubOf(f *File, b *Block) (s stub, isWhole bool) {
	start := b.start
	s = stub{
		start: start, end: b.end,
		typ: b.typeEnd[1] - start.Byte, def: b.def.Byte - start.Byte, count: uint8(len(b.Labels)),
	}
	isWhole = len(b.Labels) <= len(s.labels) && s.def <= math.MaxUint16 && start.Forward(int(s.def)) == b.def
	for i := 0; isWhole && i < len(b.Labels); i++ {
		at := b.labelSpan(i)
		s.labels[i] = [2]uint16{uint16(at.Start.Byte - start.Byte), uint16(at.End.Byte - start.Byte)}
		isWhole = string(unquoted(at.Of(f.Native))) == b.Labels[i]
	}
	return s, isWhole
}

// TakeOver makes f hold what another file holds: the text of a native file, and its blocks, of which it
// builds again those that are kept there.
func (f *File) TakeOver(from *File) {
	f.Native, f.Parsed, f.Broken = from.Native, from.Parsed, false
	f.stubs, f.types, f.names = from.stubs, from.types, from.names
	f.blocks = make([]atomic.Pointer[Block], len(from.stubs))
	for i := range f.stubs {
		b := from.blocks[i].Load()
		if f.stubs[i].isPart {
			own := b.bare()
			own.File = f
			f.blocks[i].Store(&own)
		}
		if b != nil && b.body != nil {
			own := f.Block(i)
			own.body = f.grow(own)
		}
	}
}

// AddSame adds the block with index i of another native file if f has the same text at a position, and a
// line end right after it. It returns the start of the next line.
func (f *File) AddSame(from *File, i int, at outline.Place) (next outline.Place, ok bool) {
	s := from.stubs[i]
	first, end := s.start.Byte, s.end.Byte+1
	if s.isPart || s.start.Column != 1 || at.Column != 1 || int(end) > len(from.Native) ||
		from.Native[end-1] != '\n' || !bytes.HasPrefix(f.Native[at.Byte:], from.Native[first:end]) {
		return outline.Place{}, false
	}
	s.end.Line, s.end.Byte = at.Line+s.end.Line-s.start.Line, at.Byte+s.end.Byte-first
	s.start, s.kind = at, f.kindOf(from.TypeOf(i))
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	return outline.Place{Line: s.end.Line + 1, Column: 1, Byte: s.end.Byte + 1}, true
}

// AddNames keeps the names that a block declares, for Names. Call it before the block is added, if its
// contents won't be kept.
func (f *File) AddNames(b *Block) {
	for _, it := range b.Items() {
		if a, ok := it.(*Attr); ok {
			at := [2]uint32{a.name.Start.Byte, a.name.End.Byte}
			f.names = append(f.names, nameStub{at: at, block: uint32(len(f.stubs))})
		}
	}
}
