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

// A Builder makes the blocks and arguments of one file from descriptions. Most blocks are discarded after checking,
// so it reuses the memory of a block that the file doesn't keep for the next one. The zero value is ready for For.
type Builder struct {
	file         *File
	isKept       bool           // whether the file keeps the last block that was built
	key          uint64         // hash of its type and labels, see File.Key
	spare        *Block         // to be used for the next block: nobody refers to it
	labelSpans   []outline.Span // where the labels of the top-level block are
	memory       itemMemory
	recentNames  [512]string // names of types and arguments, indexed by a cheap key instead of a hash
	recentLabels [64]string  // the same for labels
	stubs        []stub      // memory that each file borrows for its stubs: see Lend
}

// itemMemory is unused memory for the items in one top-level block, from which takeNext takes one value after the
// other.
type itemMemory struct {
	attrs  []Attr
	rares  []rare
	blocks []Block
	bodies []body
	lists  []Item
}

// For makes the builder build the blocks of f, once the previous file is done, and returns the builder. f.Native must
// contain a block by the time that block is built.
func (bd *Builder) For(f *File) *Builder {
	bd.file = f
	return bd
}

// Lend lets the file use the builder's memory for its list of stubs, until Close.
func (bd *Builder) Lend() { bd.file.stubs = bd.stubs }

// Close gives the file a list of stubs of its own, of the right size, and takes the lent memory back.
func (bd *Builder) Close() {
	f := bd.file
	bd.stubs, f.stubs = f.stubs[:0], slices.Clone(f.stubs)
}

// Block builds a block with its contents. keeps decides whether the file keeps it, by the hash of its type and
// labels (see KeyOf) and its type; a nil keeps keeps every block. The contents of a block that isn't kept may be used
// only until the next block is built.
func (bd *Builder) Block(d *Description, keeps func(key uint64, typ string) bool) (b *Block, isKept bool) {
	b = bd.spare
	bd.spare = nil
	if b == nil {
		b = new(Block)
	}
	b.labelSpans = &bd.labelSpans // memory for the label positions, until Add
	bd.fillHeader(b, d, 0)
	bd.key = KeyOf(b.Type, b.Labels)
	bd.isKept = keeps == nil || keeps(bd.key, b.Type)
	// A kept block gets memory of its own; the memory of others serves for the next block again.
	memory := bd.memory.reserve(d, bd.isKept)
	switch {
	case !bd.isKept:
		bd.memory = memory // all of it, since fillBody takes from a copy
	case d.Origins != nil: // its items refer to origins, so it needs a copy: the caller overwrites those of d
		own := *d
		own.Origins = slices.Clone(d.Origins)
		d, b.From = &own, &own.Origins[0]
	}
	bd.fillBody(&memory, b, d, 0)
	return b, bd.isKept
}

// reserve returns memory that suffices for the items of a block. A block that is kept gets memory of its own: in
// shared memory, one of its items would keep all others alive. The block itself needs a body, but isn't an item.
func (m itemMemory) reserve(d *Description, isKept bool) itemMemory {
	blocks := 0 // with the block itself
	for _, it := range d.Items {
		if it.IsBlock {
			blocks++
		}
	}
	if isKept {
		m = itemMemory{}
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

// reserve returns memory for at least n values: the given one if it is large enough, or else new memory.
func reserve[T any](memory []T, n int) []T {
	if len(memory) < n {
		return make([]T, n)
	}
	return memory
}

// takeNext takes one value from memory.
func takeNext[T any](memory *[]T) *T {
	v := &(*memory)[0]
	*memory = (*memory)[1:]
	return v
}

// Add adds the last block that was built to the file. Each block has a stub. A block that the file keeps stays with
// its contents; of any other only the stub remains, and the builder reuses the block's memory. If the stub can't
// describe the whole header, such a block stays as well, but without its contents.
func (bd *Builder) Add(b *Block) {
	f := bd.file
	if b.From != nil {
		f.origins = append(f.origins, *b.From)
	}
	s, isWhole := stubOf(f, b)
	s.key, s.isKept, s.isPartial, s.kind = bd.key, bd.isKept, !isWhole, f.kindOf(b.Type)
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	if !bd.isKept {
		b.body = nil // built again on demand
	}
	// With all in the stub, the block itself is free for the next one.
	if !bd.isKept && isWhole {
		bd.spare = b
		return
	}
	// The block stays, so it must not refer to memory that is used for the next one.
	if b.From != nil && !bd.isKept {
		b.From = new(*b.From)
	}
	if len(b.Labels) > 0 && !isWhole {
		b.labelSpans = new(slices.Clone(*b.labelSpans))
	} else {
		b.labelSpans = nil // the stub has them, if there are labels
	}
	f.blocks[len(f.blocks)-1].Store(b)
}

// maxKinds limits how many recent types kindOf searches. A type may therefore occur in File.types more than once.
const maxKinds = 16

// kindOf returns the index of a block type in File.types, which a stub stores instead of the type. It adds a type
// that isn't among the last maxKinds.
func (f *File) kindOf(typ string) uint32 {
	for i := len(f.types) - 1; i >= max(0, len(f.types)-maxKinds); i-- {
		if f.types[i] == typ {
			return uint32(i)
		}
	}
	f.types = append(f.types, typ)
	return uint32(len(f.types) - 1)
}

// fillHeader fills b with the type, labels and positions of the item with index i in d, without contents. It reuses
// the memory of b's labels.
func (bd *Builder) fillHeader(b *Block, d *Description, i int) {
	it := &d.Items[i]
	*b = Block{
		File:       bd.file,
		Type:       intern(bd.recentNames[:], it.Name.Of(bd.file.Native)),
		Labels:     b.Labels[:0],
		labelSpans: b.labelSpans, // its memory: filled below, and not read without labels
		head:       it.Name.End,  // behind the last label instead, if there is one
		end:        it.Value.End,
	}
	b.setType(it.Name)
	if d.Origins != nil {
		b.From = &d.Origins[i]
	}
	labels := d.Labels[it.FirstLabel:it.EndLabel]
	if len(labels) == 0 {
		return
	}
	if b.labelSpans == nil {
		b.labelSpans = new([]outline.Span)
	}
	*b.labelSpans = append((*b.labelSpans)[:0], labels...)
	b.Labels = slices.Grow(b.Labels, len(labels))
	for n, at := range labels {
		if d.Texts == nil {
			b.Labels = append(b.Labels, intern(bd.recentLabels[:], unquoted(at.Of(bd.file.Native))))
		} else {
			b.Labels = append(b.Labels, d.Texts[int(it.FirstLabel)+n])
		}
		b.head = at.End
	}
}

// fillBody builds the contents of b, whose item has the index i in d, with memory from m.
func (bd *Builder) fillBody(m *itemMemory, b *Block, d *Description, i int) {
	contents := takeNext(&m.bodies)
	*contents = body{of: b, opening: d.Items[i].Value.Start, leftovers: d.Leftovers[i]}
	b.body = contents
	// Count the direct items, then build them with all they contain.
	count := 0
	for at := i + 1; at < d.After(i); at = d.After(at) {
		count++
	}
	contents.items, m.lists = m.lists[:0:count], m.lists[count:] // room for exactly count items
	for at := i + 1; at < d.After(i); at = d.After(at) {
		if !d.Items[at].IsBlock {
			contents.items = append(contents.items, bd.attr(m, contents, d, at))
			continue
		}
		inner := takeNext(&m.blocks)
		bd.fillHeader(inner, d, at)
		inner.in = contents
		bd.fillBody(m, inner, d, at)
		contents.items = append(contents.items, inner)
	}
}

// attr builds the argument with index i in d, for the caller to add to the body holder.
func (bd *Builder) attr(m *itemMemory, holder *body, d *Description, i int) *Attr {
	a, it := takeNext(&m.attrs), &d.Items[i]
	*a = Attr{
		File:  bd.file,
		in:    holder,
		Name:  intern(bd.recentNames[:], it.Name.Of(bd.file.Native)),
		name:  it.Name,
		value: it.Value,
	}
	if d.Origins != nil {
		a.rare = takeNext(&m.rares)
		*a.rare = rare{from: &d.Origins[i]}
	}
	return a
}

// intern returns a text as a string. Names and labels occur again and again, so it keeps recent strings and returns
// the same one for equal texts. An entry's index is a cheap hash; a text with the same index replaces it.
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

// TypeOf returns the type of the top-level block with index i, without building the block.
func (f *File) TypeOf(i int) string { return f.types[f.stubs[i].kind] }

// TextOf returns the native text of the block with index i. It shares the file's memory.
func (f *File) TextOf(i int) []byte { return f.stubs[i].whole().Of(f.Native) }

// IsAddressed reports whether the contents of the block with index i are kept: it is in an override file, or an
// override file may change it. It is false for a native file that couldn't be parsed, whose blocks are incomplete.
func (f *File) IsAddressed(i int) bool {
	isUnknown := f.Broken && f.Syntax == Native
	return !isUnknown && (f.Role == Override || f.stubs[i].isKept)
}

// SpanOf returns the byte offsets in File.Native between which the block with index i is.
func (f *File) SpanOf(i int) (from, to int) {
	s := &f.stubs[i]
	return int(s.start.Byte), int(s.end.Byte)
}

// LabelsOf appends the labels of the block with index i to list, if possible without building the block. They may
// share the file's memory.
func (f *File) LabelsOf(i int, list [][]byte) [][]byte {
	s := &f.stubs[i]
	if s.isPartial { // the stub may lack some
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

// Block returns the block with index i, the same one each time. It builds and keeps it if there is only a stub.
func (f *File) Block(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	f.blocks[i].CompareAndSwap(nil, f.headerOf(i))
	return f.blocks[i].Load()
}

// noBody is the content of a block that isn't in the text of a file, so that it can't be built.
var noBody body

// content returns the block's body, and builds it again if the file didn't keep it. As long as anything refers to an
// item in the body, it returns the same body, although the file refers to it only weakly.
func (b *Block) content() *body {
	switch {
	case b.body != nil:
		return b.body
	case b.end.Byte == 0: // it has no text
		return &noBody
	}
	// The body may be in use since an earlier call. It must be of b itself, not of another copy of the block.
	f := b.File
	f.builtMutex.Lock()
	contents := f.builtBodies[b.start.Byte].Value()
	f.builtMutex.Unlock()
	if contents != nil && contents.of == b {
		return contents
	}
	// Build it without the lock, so that others needn't wait.
	rebuilt := f.rebuild(b)
	f.builtMutex.Lock()
	defer f.builtMutex.Unlock()
	if contents = f.builtBodies[b.start.Byte].Value(); contents != nil && contents.of == b {
		return contents // another goroutine was faster
	}
	if f.builtBodies == nil {
		f.builtBodies = map[uint32]weak.Pointer[body]{}
	}
	f.builtBodies[b.start.Byte] = weak.Make(rebuilt)
	return rebuilt
}

// headerOf returns the block with index i for use inside the package. Unlike Block, it doesn't keep a block that it
// makes from a stub: callers go through many blocks, and need each only once.
func (f *File) headerOf(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	b := f.stubs[i].makeBlock(f)
	if len(f.origins) > 0 {
		b.From = &f.origins[i]
	}
	return b
}

// A rebuilder is what it takes to build a native block again: a scanner and a builder, whose memory is reused.
type rebuilder struct {
	build Builder
	scan  outline.Scanner
}

var rebuilders = sync.Pool{New: func() any { return new(rebuilder) }}

// rebuild builds the contents of a top-level block again. They are empty if its text can't be parsed.
func (f *File) rebuild(b *Block) *body {
	var built *Block
	if b.From != nil {
		built = f.Translator.Grow(b)
	} else {
		built = f.rebuildNative(b)
	}
	if built == nil { // it can't be parsed
		return &body{of: b}
	}
	built.body.of = b
	return built.body
}

// rebuildNative builds a block of a native file again, from its outline or, if the scanner isn't sure, with the
// parser. It returns nil if the text can't be parsed.
func (f *File) rebuildNative(b *Block) *Block {
	g := rebuilders.Get().(*rebuilder)
	defer func() {
		g.scan.Reset(nil) // releases the text
		g.build.For(nil)
		rebuilders.Put(g)
	}()
	build := g.build.For(f)
	if !f.Parsed {
		g.scan.Reset(f.Native)
		g.scan.Resume(b.start)
		if g.scan.Next() == outline.Found {
			built, _ := build.Block(&Description{Tree: g.scan.Tree}, nil)
			return built
		}
	}
	// The scanner isn't sure, or the file is for the parser only.
	at := b.Extent()
	parsed, _ := parse.Config(f.Text(at), f.Name, at.Start)
	if list := parsed.Body.(*hclsyntax.Body).Blocks; len(list) > 0 {
		built, _ := build.Block(&Description{Tree: parse.Outline(list[0])}, nil)
		return built
	}
	return nil
}

// makeBlock makes a block without contents from a stub that describes the whole header, which is not partial.
func (s *stub) makeBlock(f *File) *Block {
	b := &Block{File: f, Type: f.types[s.kind], head: s.start.Forward(int(s.head)), end: s.end}
	b.setType(s.typeAt())
	for i := range s.count {
		b.Labels = append(b.Labels, string(unquoted(s.labelAt(int(i)).Of(f.Native))))
	}
	return b
}

// stubOf returns the stub of a block. isWhole tells that the stub describes the header completely: that requires at
// most two labels without escapes, on the same line as the type, and single-byte characters.
func stubOf(f *File, b *Block) (s stub, isWhole bool) {
	start := b.start
	// Of the column and the byte in typeEnd, a stub has the byte: in one that isWhole, the column follows from that.
	s = stub{
		start: start, end: b.end,
		typeEnd: b.typeEnd[1] - start.Byte, head: b.head.Byte - start.Byte, count: uint8(len(b.Labels)),
	}
	// Forward counts a column for each byte, so it reaches b.head only if all is ASCII, on one line.
	isShortASCII := s.head <= math.MaxUint16 && start.Forward(int(s.head)) == b.head
	if len(b.Labels) > len(s.labels) || !isShortASCII {
		return s, false
	}
	// The offsets of the labels. A label with escapes differs from its text, which the stub can't tell.
	for i, label := range b.Labels {
		at := b.labelSpan(i)
		s.labels[i] = [2]uint16{uint16(at.Start.Byte - start.Byte), uint16(at.End.Byte - start.Byte)}
		if string(unquoted(at.Of(f.Native))) != label {
			return s, false
		}
	}
	return s, true
}

// TakeOver makes f take over the text and the stubs of from, which is the same unchanged native file in an earlier
// load. Modules loaded earlier still use from, so f gets blocks of its own. Where from keeps a block's contents,
// TakeOver builds them again for f.
func (f *File) TakeOver(from *File) {
	f.Native, f.Parsed, f.Broken = from.Native, from.Parsed, false
	f.stubs, f.types, f.names = from.stubs, from.types, from.names
	f.blocks = make([]atomic.Pointer[Block], len(from.stubs))
	for i := range f.stubs {
		b := from.blocks[i].Load()
		if f.stubs[i].isPartial { // f can't make the block from the stub, so from has it (see Builder.Add)
			own := b.withoutContents()
			own.File = f
			f.blocks[i].Store(&own)
		}
		// from keeps the contents, so f does, too.
		if b != nil && b.body != nil {
			own := f.Block(i)
			own.body = f.rebuild(own)
		}
	}
}

// AddSame adds a block to f without scanning it: a copy of the stub of the block with index i of from, another native
// file. It adds nothing, and ok is false, unless f has the same text at the position at, and a line end right behind
// it. It returns the start of the next line.
func (f *File) AddSame(from *File, i int, at outline.Place) (next outline.Place, ok bool) {
	s := from.stubs[i]
	start, behind := s.start.Byte, s.end.Byte+1 // behind its line end
	// A partial stub needs a block as well, and elsewhere than at the start of a line, columns would differ.
	startLines := s.start.Column == 1 && at.Column == 1
	if s.isPartial || !startLines || int(behind) > len(from.Native) || from.Native[behind-1] != '\n' {
		return outline.Place{}, false
	}
	if !bytes.HasPrefix(f.Native[at.Byte:], from.Native[start:behind]) {
		return outline.Place{}, false
	}
	// Move the copied stub to where the text is in f.
	s.end.Line, s.end.Byte = at.Line+s.end.Line-s.start.Line, at.Byte+s.end.Byte-start
	s.start, s.kind = at, f.kindOf(from.TypeOf(i))
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	return outline.Place{Line: s.end.Line + 1, Column: 1, Byte: s.end.Byte + 1}, true
}

// AddNames notes the names of the arguments in a block such as locals, for Names. Call it right before Builder.Add,
// which gives the block its index and may drop its contents.
func (f *File) AddNames(b *Block) {
	for _, it := range b.Items() {
		if a, ok := it.(*Attr); ok {
			at := [2]uint32{a.name.Start.Byte, a.name.End.Byte}
			f.names = append(f.names, nameStub{span: at, block: uint32(len(f.stubs))})
		}
	}
}
