package source

import (
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// A top-level block is had by its index in the file, in one of these ways; what is
// not in memory is built from the text of the file.
//
//	f.TypeOf(i), f.TextOf(i)  bytes of the text; nothing is built
//	f.SpanOf(i)               where the text is; nothing is built
//	f.Kept(i)                 the block if its tree is in memory, else nil
//	f.Block(i)                the block; its Body is nil unless its tree is in memory
//	f.Block(i).Tree()         a block with its tree, which is not kept
//	f.Keep(i)                 the block, whose tree is in memory from then on
//
// All but Keep are safe for several goroutines. Block gives the same *Block each time,
// so that it can identify the block, also to who has the result of Kept.

// Len is how many top-level blocks the file has.
func (f *File) Len() int { return len(f.stubs) }

// TypeOf is the type of the block of an index. It shares the file's memory.
func (f *File) TypeOf(i int) []byte { return f.slice(f.stubs[i].typeAt()) }

// TextOf is the text of the block of an index. It shares the file's memory.
func (f *File) TextOf(i int) []byte { return f.slice(f.stubs[i].whole()) }

// SpanOf is where the text of the block of an index is in File.Src, in bytes.
func (f *File) SpanOf(i int) (from, to int) {
	s := &f.stubs[i]
	return int(s.start.Byte), int(s.end.Byte)
}

// Kept returns the block of an index if its tree is in memory, else nil.
func (f *File) Kept(i int) *Block {
	if b := f.blocks[i].Load(); b != nil && b.Body != nil {
		return b
	}
	return nil
}

// Block returns the block of an index, the same each time. Its Body is nil unless its
// tree is in memory.
func (f *File) Block(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	f.blocks[i].CompareAndSwap(nil, f.header(i))
	return f.blocks[i].Load()
}

// Keep returns the block of an index with its tree, which stays in memory. It must
// not be called by several goroutines at once.
func (f *File) Keep(i int) *Block {
	b := f.Block(i)
	isLate := b.Body == nil
	f.Grow(i)
	b.isLate = b.isLate || isLate
	return b
}

// Grow is Keep for a block that is judged together with what changes it.
func (f *File) Grow(i int) *Block {
	b := f.Block(i)
	if b.Body == nil {
		b.grow()
	}
	return b
}

// IsLate reports whether the tree of the block came to be kept when the block had been
// judged, as one that no override file changes.
func (b *Block) IsLate() bool { return b.isLate }

// Tree returns the block with its tree. Unless the tree is in memory that is a copy,
// which is built anew each time.
func (b *Block) Tree() *Block {
	if b.Body != nil {
		return b
	}
	whole := *b
	whole.grow()
	return &whole
}

// Adopt makes a body that was built for a copy of the block its own.
func (b *Block) Adopt(body *Body) {
	b.Body = body
	for _, it := range body.Items {
		switch it := it.(type) {
		case *Attr:
			it.In = b
		case *Block:
			it.In = b
		}
	}
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

// A grower is the memory in which trees are built.
type grower struct {
	build Builder
	scan  outline.Scanner
}

var growers = sync.Pool{New: func() any { return new(grower) }}

// grow builds the block's tree.
func (b *Block) grow() {
	if b.from != nil {
		b.File.translator.Grow(b)
		return
	}
	if b.File.Parsed || !b.growOutlined() {
		b.growParsed()
	}
}

// growOutlined builds the tree without the parser, if it can be told so.
func (b *Block) growOutlined() bool {
	g := growers.Get().(*grower)
	defer func() {
		g.scan.Reset(nil) // so that the text can be let go of
		growers.Put(g)
	}()
	if g.build.file != b.File {
		g.build.letGo() // the files of a pool may be of several modules
	}
	build := g.build.For(b.File)
	build.Keeping = true
	g.scan.Reset(b.File.Src)
	if g.scan.Resume(outline.Place(b.start)); g.scan.Next() == outline.Found {
		b.Body = build.OutlinedBody(b, &g.scan)
		return true
	}
	return false
}

func (b *Block) growParsed() {
	build := NewBuilder(b.File)
	build.Keeping = true
	at := b.Extent()
	parsed, _ := parse.Config(b.File.Text(at), b.File.Name, at.Start)
	b.Body = build.Body(b, parsed.Body.(*hclsyntax.Body).Blocks[0])
}
