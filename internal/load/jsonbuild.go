package load

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
)

// A JSON file is turned into the native text that says the same, and into the
// items of that text. Whatever looks at a module so has one language to deal
// with; each item remembers the JSON text that it is from.

// A jsonBuilder writes the native text of one file and builds its items.
type jsonBuilder struct {
	file  *jsonFile
	known *known
	doc   *jsonDoc // of what is built again
	words words
	build *Builder
	// out is the text so far, which stands at the offset base, with the line and
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

func newJSONBuilder(f *jsonFile) *jsonBuilder {
	jb := &jsonBuilder{file: f, doc: &jsonDoc{src: f.Given}, known: f.known, build: NewBuilder(f.File), line: 1}
	jb.words = words{file: f, diags: &jb.diags}
	return jb
}

// silence has the builder tell nothing, for what is built once more.
func (jb *jsonBuilder) silence() { jb.quiet, jb.words.silent = true, true }

// Grow implements Translator.
func (f *jsonFile) Grow(b *Block) {
	jb := newJSONBuilder(f)
	jb.silence()
	jb.build.Keeping = true
	jb.rebuild(b)
}

// rebuild gives a block, of which only the stub was kept, its tree again.
func (jb *jsonBuilder) rebuild(b *Block) {
	start := b.Start()
	jb.base, jb.line = int(start.byte), int(start.line)
	jb.lineStart = jb.base - int(start.column) + 1
	from := *b.Origin()
	h := header{typ: b.Type, labels: b.Labels, from: from}
	jb.doc.nodes = jb.doc.nodes[:0]
	built := jb.block(nil, h, jb.doc.valueAt(int(from.value[0])), LanguageOf(b.File.Engine).top(b.Type).Body, bodyPath(b), 0)
	b.Adopt(built.Body)
}

// A Grower gives blocks their trees again, one after the other, in the same
// memory. It serves who looks at every block once.
type Grower struct {
	jb    *jsonBuilder
	block Block
}

// Tree returns the block with its whole tree, which is there until the next
// call; the tree of a block that has one stays.
func (g *Grower) Tree(b *Block) *Block {
	if b.Body != nil || b.Origin() == nil {
		return b.Tree()
	}
	if g.jb == nil || g.jb.file.File != b.File {
		g.jb = newJSONBuilder(jsonOf(b.File))
		g.jb.silence()
	}
	g.jb.build.Reuse()
	g.jb.out = g.jb.out[:0]
	g.block = *b
	g.jb.rebuild(&g.block)
	return &g.block
}

func (jb *jsonBuilder) emit(text string) {
	jb.out = append(jb.out, text...)
	jb.count(len(text))
}

// count takes notice of the line ends in what was written last.
func (jb *jsonBuilder) count(length int) {
	if n := bytes.Count(jb.out[len(jb.out)-length:], newline); n > 0 {
		jb.line += n
		jb.lineStart = jb.base + bytes.LastIndexByte(jb.out, '\n') + 1
	}
}

func (jb *jsonBuilder) emitLine(indent int) {
	jb.emit(jb.file.LineEnd)
	jb.out = appendBlanks(jb.out, indent)
}

// at is the place where the text ends so far. Its column counts bytes, which is
// enough for what leads back to JSON text.
func (jb *jsonBuilder) at() place {
	end := jb.base + len(jb.out)
	return place{line: uint32(jb.line), column: uint32(end - jb.lineStart + 1), byte: uint32(end)}
}

// mark writes text and tells where it stands.
func (jb *jsonBuilder) mark(text string) span {
	start := jb.at()
	jb.emit(text)
	return span{start: start, end: jb.at()}
}

// A header is the type and the labels of a block, and where they are from.
type header struct {
	typ    string
	labels []string
	from   origin
}

// block writes a block and builds it with its whole tree.
func (jb *jsonBuilder) block(in *Block, h header, body jsonValue, shape *BodyShape, path string, indent int) *Block {
	head := Head{Type: h.typ, Labels: h.labels, TypeAt: jb.mark(h.typ), From: h.from}
	head.From.value = body.span()
	for _, label := range h.labels {
		jb.emit(" ")
		head.LabelAt = append(head.LabelAt, jb.mark(quoteText(label)))
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
