package load

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
)

// A JSON file is turned into the native text that says the same, and into the
// items of that text. Whatever looks at a module so has one language to deal
// with; each item remembers the JSON text that it is from.

// An origin is the JSON text that an item is from. All are byte offsets in
// File.Given.
type origin struct {
	key      [2]uint32 // the name: of an argument, of a block's type
	labels   [2]uint32 // where the keys of the first two labels start
	value    [2]uint32 // an argument's value, a block's body
	property [2]uint32 // what stands behind the key of a nested block's type
	element  bool      // a block that is one of an array, so that no key is its own
	guessed  bool      // whether it is an argument or a block is a guess
	void     bool      // null or [], which may as well be no block at all
	reading  Reading   // of an argument's strings
	// unwritten: the native text has no place for the argument.
	unwritten bool
	bad       bool // something is wrong with an argument's value, and was told
}

// Given is the JSON text of the argument's value; nil in a native file.
func (a *Attr) Given() []byte {
	if a.from == nil {
		return nil
	}
	return a.File.Given[a.from.value[0]:a.from.value[1]]
}

// IsGuess tells that nothing but the look of its JSON value says that this is
// an argument and not a nested block, so that it may be one.
func (a *Attr) IsGuess() bool { return a.from != nil && a.from.guessed }

// IsVoid tells a JSON null or [] that may be meant for no nested block at all.
func (a *Attr) IsVoid() bool { return a.from != nil && a.from.void }

// IsGuess tells that nothing but the look of its JSON value says that this is a
// nested block and not an argument.
func (b *Block) IsGuess() bool { return b.from != nil && b.from.guessed }

// Property is the JSON text behind the key of the nested block's type, perhaps
// with other blocks in it, and where it starts; nil in a native file.
func (b *Block) Property() (text []byte, at int) {
	if b.from == nil {
		return nil, 0
	}
	return b.File.Given[b.from.property[0]:b.from.property[1]], int(b.from.property[0])
}

// A jsonBuilder writes the native text of one file and builds its items.
type jsonBuilder struct {
	file  *File
	known *known
	doc   *jsonDoc // of what is built again
	words words
	build builder
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
	origins   slab[origin]
	missing   bool // something could not be read as what it must be
	quiet     bool // what is built was built before
}

func newJSONBuilder(f *File) *jsonBuilder {
	jb := &jsonBuilder{file: f, doc: &jsonDoc{file: f, src: f.Given}, known: f.known, build: builder{file: f}, line: 1}
	jb.words = words{file: f, diags: &jb.diags}
	return jb
}

// silence has the builder tell nothing, for what is built once more.
func (jb *jsonBuilder) silence() { jb.quiet, jb.words.silent = true, true }

// rebuild gives a block of a JSON file, of which only the stub was kept, its
// tree again.
func (b *Block) rebuild() {
	jb := newJSONBuilder(b.File)
	jb.silence()
	jb.build.keeping = true
	jb.rebuild(b)
}

func (jb *jsonBuilder) rebuild(b *Block) {
	jb.base, jb.line = int(b.typ.start.byte), int(b.typ.start.line)
	jb.lineStart = jb.base - int(b.typ.start.column) + 1
	h := header{typ: b.Type, labels: b.Labels, from: *b.from}
	jb.doc.nodes = jb.doc.nodes[:0]
	built := jb.block(nil, h, jb.doc.valueAt(int(b.from.value[0])), b.File.Language.top(b.Type).Body, bodyPath(b), 0)
	b.Body = built.Body
	for _, it := range b.Body.Items {
		switch it := it.(type) {
		case *Attr:
			it.In = b
		case *Block:
			it.In = b
		}
	}
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
	if b.Body != nil || b.from == nil {
		return b.Tree()
	}
	if g.jb == nil || g.jb.file != b.File {
		g.jb = newJSONBuilder(b.File)
		g.jb.silence()
	}
	g.jb.build.reuse()
	g.jb.origins.used = 0
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
	return place{uint32(jb.line), uint32(end - jb.lineStart + 1), uint32(end)}
}

// mark writes text and tells where it stands.
func (jb *jsonBuilder) mark(text string) span {
	start := jb.at()
	jb.emit(text)
	return span{start, jb.at()}
}

// A header is the type and the labels of a block, and where they are from.
type header struct {
	typ    string
	labels []string
	from   origin
}

// block writes a block and builds it with its whole tree.
func (jb *jsonBuilder) block(in *Block, h header, body jsonValue, shape *BodyShape, path string, indent int) *Block {
	b := jb.build.blocks.next(jb.build.keeping || in == nil)
	from := jb.origins.next(jb.build.keeping)
	*from = h.from
	from.value = body.span()
	*b = Block{File: jb.file, In: in, Type: h.typ, Labels: h.labels, from: from}
	b.typ = jb.mark(h.typ)
	b.def = b.typ.end
	for _, label := range h.labels {
		jb.emit(" ")
		at := jb.mark(quoteText(label))
		b.labelAt = append(b.labelAt, at)
		b.def = at.end
	}
	jb.emit(" ")
	open := jb.mark("{")
	b.Body = jb.build.bodies.next(jb.build.keeping)
	*b.Body = Body{Open: open.in(jb.file), Items: b.Body.Items[:0]}
	jb.body(b, body, shape, path, indent+2)
	if len(b.Body.Items) > 0 {
		jb.emitLine(indent)
	}
	closing := jb.mark("}")
	b.Body.Close = closing.in(jb.file)
	b.end = closing.end
	return b
}
