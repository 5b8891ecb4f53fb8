package source

import (
	"sync"
	"weak"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// A top-level block is available by its index in the file: its type and its text as bytes of the
// file, for which nothing is built, or the block. The contents of a block are built from the text
// of the file on demand, and released when nobody uses any part of them. A pinned block keeps them.

// Len is how many top-level blocks the file has.
func (f *File) Len() int { return len(f.stubs) }

// TypeOf is the type of the block of an index. It shares the file's memory.
func (f *File) TypeOf(i int) []byte { return f.slice(f.stubs[i].typeAt()) }

// TextOf is the text of the block of an index. It shares the file's memory.
func (f *File) TextOf(i int) []byte { return f.slice(f.stubs[i].whole()) }

// SpanOf is where the text of the block of an index is in File.Native, in bytes.
func (f *File) SpanOf(i int) (from, to int) {
	s := &f.stubs[i]
	return int(s.start.Byte), int(s.end.Byte)
}

// LabelsOf adds the labels of the block of an index to a list. They may share the file's memory.
func (f *File) LabelsOf(i int, list [][]byte) [][]byte {
	s := &f.stubs[i]
	if s.isPart {
		for _, l := range f.Block(i).Labels {
			list = append(list, []byte(l))
		}
		return list
	}
	for n := range s.count {
		list = append(list, unquoted(f.slice(s.labelAt(int(n)))))
	}
	return list
}

// IndexOf is the index of a top-level block of the file.
func (f *File) IndexOf(b *Block) int { return f.index(int(b.start.Byte)) }

// Block returns the block of an index, the same each time.
func (f *File) Block(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	f.blocks[i].CompareAndSwap(nil, f.header(i))
	return f.blocks[i].Load()
}

// pin returns the block of an index, which keeps its body from then on. Nobody else may use the
// file meanwhile.
func (f *File) pin(i int) *Block {
	b := f.Block(i)
	if b.body == nil {
		b.body = f.grow(b)
	}
	return b
}

// noBody holds the contents of a block that are not in the text of a file.
var noBody body

// content is the block's body: the same as long as something of it is in use.
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
		return y
	}
	if f.grown == nil {
		f.grown = map[uint32]weak.Pointer[body]{}
	}
	f.grown[b.start.Byte] = weak.Make(made)
	return made
}

// header is Block for use inside the package: a block that is made for it is not
// remembered, which saves memory where many blocks are looked at once.
func (f *File) header(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	b := f.stubs[i].block(f)
	if len(f.origins) > 0 {
		b.from = &f.origins[i]
	}
	return b
}

// A grower is the memory in which bodies are built.
type grower struct {
	build Builder
	scan  outline.Scanner
}

var growers = sync.Pool{New: func() any { return new(grower) }}

// grow builds the contents of a top-level block.
func (f *File) grow(b *Block) *body {
	built := b.bare()
	if b.from != nil {
		built.body = f.translator.Grow(b).body
	} else if f.Parsed || !built.growOutlined() {
		built.growParsed()
	}
	built.body.of = b
	return built.body
}

// growOutlined builds the body without the parser, if the outline suffices.
func (b *Block) growOutlined() bool {
	g := growers.Get().(*grower)
	defer func() {
		g.scan.Reset(nil) // releases the text
		g.build.LetGo()
		growers.Put(g)
	}()
	build := g.build.For(b.File)
	build.Keeping = true
	g.scan.Reset(b.File.Native)
	if g.scan.Resume(outline.Place(b.start)); g.scan.Next() != outline.Found {
		return false
	}
	build.reserve(g.scan.Items)
	build.OutlinedBody(b, &g.scan)
	return true
}

func (b *Block) growParsed() {
	build := NewBuilder(b.File)
	build.Keeping = true
	at := b.Extent()
	parsed, _ := parse.Config(b.File.Text(at), b.File.Name, at.Start)
	if list := parsed.Body.(*hclsyntax.Body).Blocks; len(list) > 0 {
		build.Body(b, list[0])
	} else {
		b.body = new(body) // the block can't be parsed
	}
}

func (s *stub) block(f *File) *Block {
	b := &Block{File: f, Type: string(f.slice(s.typeAt())), def: s.start.forward(int(s.def)), end: s.end}
	b.setType(s.typeAt())
	for i := range s.count {
		b.Labels = append(b.Labels, string(unquoted(f.slice(s.labelAt(int(i))))))
	}
	return b
}
