package jsonsyntax

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/template"
)

// A JSON file is translated to native text, and to the items of that text, so that
// other packages deal with one syntax only. Each item has the place of its JSON text.

// A writer writes the native text of one file and builds its items.
type writer struct {
	file       *File
	classifier *Classifier
	again      *reader // of blocks that are built again
	values     exprWriter
	build      *source.Builder
	// out is the text so far, which starts at the offset base, with the line and
	// the start of the line that its end is on.
	out       []byte
	base      int
	line      int
	lineStart int
	diags     hcl.Diagnostics // places are those of the JSON text
	run       []pending       // arguments of the innermost body that wait for their neighbours
	scratch   []byte          // their values
	sets      setPool
	missing   bool // something could not be read as what it must be
	quiet     bool // what is built was built before
}

func newWriter(f *File) *writer {
	jb := &writer{
		file:       f,
		again:      newReader(f.Given),
		classifier: f.classifier,
		build:      source.NewBuilder(f.File),
		line:       1,
	}
	jb.values = exprWriter{file: f, diags: &jb.diags}
	return jb
}

// silence turns reporting off, for blocks that are built again.
func (jb *writer) silence() { jb.quiet, jb.values.silent = true, true }

// Grow implements source.Translator.
func (f *File) Grow(b *source.Block) {
	jb := newWriter(f)
	jb.silence()
	jb.build.Keeping = true
	jb.rebuild(b)
}

// rebuild gives a block, of which only the stub was kept, its tree again.
func (jb *writer) rebuild(b *source.Block) {
	start := b.Start()
	jb.base, jb.line = int(start.Byte), int(start.Line)
	jb.lineStart = jb.base - int(start.Column) + 1
	from := *b.Origin()
	h := header{typ: b.Type, labels: b.Labels, from: from}
	built := jb.block(nil, h, jb.again.value(int(from.Value[0])), language.Of(b.File.Engine).Top(b.Type).Body,
		bodyPath(b), 0)
	b.Adopt(built.Body)
}

// A Grower gives blocks their trees again, one after the other, in the same
// memory. It serves who looks at every block once.
type Grower struct {
	jb    *writer
	block source.Block
}

// Tree returns the block with its whole tree, which is there until the next
// call; the tree of a block that has one stays.
func (g *Grower) Tree(b *source.Block) *source.Block {
	if b.Body != nil || b.Origin() == nil {
		return b.Tree()
	}
	if g.jb == nil || g.jb.file.File != b.File {
		g.jb = newWriter(Of(b.File))
		g.jb.silence()
	}
	g.jb.build.Reuse()
	g.jb.out = g.jb.out[:0]
	g.block = *b
	g.jb.rebuild(&g.block)
	return &g.block
}

func (jb *writer) emit(text string) {
	jb.out = append(jb.out, text...)
	jb.count(len(text))
}

// count takes notice of the line ends in what was written last.
func (jb *writer) count(length int) {
	if n := bytes.Count(jb.out[len(jb.out)-length:], newline); n > 0 {
		jb.line += n
		jb.lineStart = jb.base + bytes.LastIndexByte(jb.out, '\n') + 1
	}
}

func (jb *writer) emitLine(indent int) {
	jb.emit(jb.file.LineEnd)
	jb.out = appendBlanks(jb.out, indent)
}

// at is the place where the text ends so far. Its column counts bytes, which is
// enough for what leads back to JSON text.
func (jb *writer) at() source.Place {
	end := jb.base + len(jb.out)
	return source.Place{Line: uint32(jb.line), Column: uint32(end - jb.lineStart + 1), Byte: uint32(end)}
}

// mark writes text and returns where it is.
func (jb *writer) mark(text string) source.Span {
	start := jb.at()
	jb.emit(text)
	return source.Span{Start: start, End: jb.at()}
}

// A header is the type and the labels of a block, and where they are from.
type header struct {
	typ    string
	labels []string
	from   source.Origin
}

// block writes a block and builds it with its whole tree.
func (jb *writer) block(in *source.Block, h header, body Value, shape *language.BodyShape, path string,
	indent int) *source.Block {
	head := source.Head{Type: h.typ, Labels: h.labels, TypeAt: jb.mark(h.typ), From: h.from}
	head.From.Value = body.Span()
	for _, label := range h.labels {
		jb.emit(" ")
		head.LabelAt = append(head.LabelAt, jb.mark(template.Quote(label)))
	}
	jb.emit(" ")
	head.Brace = jb.mark("{")
	b := jb.build.Open(in, head)
	jb.body(b, body, shape, path, indent+2)
	if len(b.Body.Items) > 0 {
		jb.emitLine(indent)
	}
	jb.build.Close(b, jb.mark("}"))
	return b
}
