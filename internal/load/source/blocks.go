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
// of the file on demand, and released when nobody uses any part of them. A block that is kept, because override
// files may change it, has them at any time.

// Len is how many top-level blocks the file has.
func (f *File) Len() int { return len(f.stubs) }

// TypeOf is the type of the block of an index. It shares the file's memory.
func (f *File) TypeOf(i int) []byte { return f.stubs[i].typeAt().Of(f.Native) }

// TextOf is the text of the block of an index. It shares the file's memory.
func (f *File) TextOf(i int) []byte { return f.stubs[i].whole().Of(f.Native) }

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
		list = append(list, unquoted(s.labelAt(int(n)).Of(f.Native)))
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

// grow builds the contents of a top-level block.
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

// growNative builds a block of a native file again, without the parser if the outline suffices.
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

func (s *stub) block(f *File) *Block {
	b := &Block{File: f, Type: string(s.typeAt().Of(f.Native)), def: s.start.Forward(int(s.def)), end: s.end}
	b.setType(s.typeAt())
	for i := range s.count {
		b.Labels = append(b.Labels, string(unquoted(s.labelAt(int(i)).Of(f.Native))))
	}
	return b
}
