package jsonout

import (
	"bytes"
	"io"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A Document is a configuration in JSON syntax.
type Document struct{ root *jsonvalue.Object }

// Write writes the document, indented by two blanks, with a line end behind it.
func (d *Document) Write(w io.Writer) error {
	out := jsonvalue.NewIndenter(w, textedit.IndentUnit)
	out.Node(d.root, "")
	out.WriteByte('\n')
	return out.Flush()
}

// New returns the effective configuration in JSON syntax: one object, with
// the histories that are to be told of by history if that is there.
// Diagnostics are warnings of what JSON can't say. Where nothing matches a filter
// the object is empty, and the error is plan.ErrNoneSelected.
//
// Labels are objects; an array stands where one address has several bodies.
// Nested blocks of which there can be one are an object, others an array, also
// for one. Values from JSON files keep their spelling.
func New(m *merge.Module, s plan.Selection, history *wording.Teller) (*Document, hcl.Diagnostics, error) {
	jw := &jsonWriter{root: &jsonvalue.Object{}, grower: &jsonsyntax.Grower{}}
	files := plan.Arrange(m)
	if history != nil {
		plan.AddIdle(m, files)
		jw.provenance = newProvenance(m, *history)
	}
	picked := plan.Select(m, files, s, (*plan.Block).SourceText)
	if s.IsWhole() {
		for _, f := range m.Source.Files {
			jw.remarks(f)
		}
	}
	for _, p := range picked {
		jw.top(p.Block)
	}
	m.Source.Places(jw.diags)
	if len(picked) == 0 && len(s.Filter) > 0 {
		return &Document{jw.root}, jw.diags, plan.ErrNoneSelected
	}
	return &Document{jw.root}, jw.diags, nil
}

// A jsonWriter makes one JSON object of blocks.
type jsonWriter struct {
	root   *jsonvalue.Object
	grower *jsonsyntax.Grower
	dense  bytes.Buffer
	diags  hcl.Diagnostics
	// provenance is told where it is set.
	provenance *provenance
}

// remarks takes over the comments at the root of a primary JSON file.
func (jw *jsonWriter) remarks(f *source.File) {
	if f.Role == source.Primary {
		for _, text := range f.Remarks() {
			jw.root.Add("//", jsonvalue.Raw(text))
		}
	}
}

// top takes up a top-level block.
func (jw *jsonWriter) top(p *plan.Block) {
	b := jw.grower.Tree(p.Source)
	at := jw.root
	name := b.Type
	for _, label := range b.Labels {
		at, name = at.Under(name), label
	}
	shape, _ := language.Of(b.File.Engine).Inner(b)
	if a, ok := p.Item.(*source.Attr); ok {
		o := &jsonvalue.Object{}
		if jw.provenance != nil {
			o.Add("//", jw.provenance.record([]*merge.MergedItem{p.Entry}, nil))
		}
		o.Add(a.Name, attrJSON(a, nil, shape.Body))
		at.Put(name, jw.finish(o))
		return
	}
	at.Put(name, jw.finish(jw.body(p.Content, b, shape.Body)))
}

// finish turns a body into text, which takes up less memory.
func (jw *jsonWriter) finish(body *jsonvalue.Object) jsonvalue.Raw {
	jw.dense.Reset()
	body.AppendTo(&jw.dense)
	return bytes.Clone(jw.dense.Bytes())
}

// body is what a block holds after the merge; c is nil where that is what it
// held before.
func (jw *jsonWriter) body(c *merge.MergedBody, b *source.Block, shape *language.BodyShape) *jsonvalue.Object {
	w := &bodyJSON{jsonWriter: jw, shape: shape, out: &jsonvalue.Object{}}
	comments := b.Remarks()
	if text := jw.provenance.about(c, b, comments); text != nil {
		w.out.Add("//", text)
		comments = nil
	}
	for _, text := range comments {
		w.out.Add("//", jsonvalue.Raw(text))
	}
	for _, m := range plan.Members(c, b) {
		w.member(m)
	}
	w.arrange()
	for name, text := range b.Voids() {
		if w.out.Find(name) < 0 {
			w.out.Add(name, jsonvalue.Raw(text))
		}
	}
	return w.out
}

// A bodyJSON is a body on its way to JSON.
type bodyJSON struct {
	*jsonWriter
	shape *language.BodyShape
	out   *jsonvalue.Object
	list  []listed // the blocks of which there may be many, in order
	whole [2]any   // the property that was taken over whole last: its file and place
}

// A listed is what a block adds to the array of its type.
type listed struct {
	block *source.Block
	value jsonvalue.Node
}

func (w *bodyJSON) member(m plan.BodyItem) {
	if m.Escaped || w.takenForOther(m.Item) {
		inner := &bodyJSON{jsonWriter: w.jsonWriter, shape: nil, out: w.out.Under(language.EscapeBlock)}
		m.Escaped = false
		inner.member(m)
		inner.arrange()
		return
	}
	switch it := m.Item.(type) {
	case *source.Attr:
		var value *computed.Literal
		if m.Entry != nil && m.Entry.Attr() == it {
			value = m.Entry.Value
		}
		w.checkBytes(it)
		w.checkLiteral(it)
		w.checkTaken(it)
		n := attrJSON(it, value, w.shape)
		w.checkDynamic(it, n)
		w.checkBeside(it, isBlocks)
		w.out.Add(it.Name, n)
	case *source.Block:
		w.block(m, it)
	}
}

// takenForOther tells items that would be taken for the language's own: JSON has
// no way to tell a provider's argument from a block of the language, or a
// provider's block from an argument, but by an escaping block.
func (w *bodyJSON) takenForOther(it source.Item) bool {
	if w.shape == nil || !w.shape.Open {
		return false
	}
	if b, ok := it.(*source.Block); ok {
		_, isArg := w.shape.Arg(b.Type)
		return isArg
	}
	_, isBlock := w.shape.Block(it.Called())
	return isBlock
}

func (w *bodyJSON) block(m plan.BodyItem, b *source.Block) {
	shape, known := w.shape.Inner(b)
	if !known {
		if text, at := b.Property(); text != nil {
			w.property(b, text, at)
			return
		}
	}
	w.checkDynamic(b, nil)
	body := w.body(m.Content, b, shape.Body)
	if b.Type == language.EscapeBlock {
		w.out.Under(b.Type).Take(body)
		return
	}
	if !shape.Many {
		at, name := w.out, b.Type
		for _, label := range b.Labels {
			at, name = at.Under(name), label
		}
		at.Put(name, body)
		return
	}
	var value jsonvalue.Node = body
	for _, label := range slices.Backward(b.Labels) {
		labelled := &jsonvalue.Object{}
		labelled.Add(label, value)
		value = labelled
	}
	w.checkBeside(b, isValue)
	w.list = append(w.list, listed{b, value})
	w.out.AddBlocks(b.Type, value)
}

// property takes over a JSON property with all blocks in it, in its own
// spelling: it may be meant for an argument. Only blocks come a second time.
func (w *bodyJSON) property(b *source.Block, text []byte, at int) {
	if w.whole == [2]any{b.File, at} {
		return
	}
	w.whole = [2]any{b.File, at}
	p := jsonvalue.Property(bytes.ToValidUTF8(text, []byte("\ufffd")))
	w.list = append(w.list, listed{b, p})
	w.checkBeside(b, isValue)
	if isBlocks(w.out.Get(b.Type)) {
		w.out.AddBlocks(b.Type, p.Blocks()...)
	} else {
		w.out.Add(b.Type, p)
	}
}

// attrJSON is the value of an argument: as JSON spelt it, or as it was computed.
func attrJSON(a *source.Attr, value *computed.Literal, shape *language.BodyShape) jsonvalue.Node {
	arg, _ := shape.Arg(a.Name)
	reading := arg.Kind.Reading()
	switch given := a.Given(); {
	case value != nil:
		text := computed.NativeText(value)
		expr, _ := hclsyntax.ParseExpression(text, "", hcl.InitialPos)
		return jsonvalue.Source(text).Value(expr, reading)
	case given != nil:
		return jsonvalue.Raw(bytes.ToValidUTF8(given, []byte("\ufffd")))
	}
	return jsonvalue.Source(a.File.Src).Value(a.Expr(), reading)
}

// arrange puts the dynamic blocks, which are all one property, behind the static
// blocks that go before dynamic ones of their type. Where the two take turns,
// properties are repeated, and a warning says so.
func (w *bodyJSON) arrange() {
	last := map[string]*source.Block{}
	turns := map[string]int{}
	repeat := false
	for _, l := range w.list {
		name := l.block.Called()
		before := last[name]
		last[name] = l.block
		if before == nil || before.Type == l.block.Type {
			continue
		}
		turns[name]++
		switch {
		case turns[name] == 2:
			w.diags = append(w.diags, interleaved(l.block, before))
			repeat = true
		case turns[name] == 1 && l.block.Type != name:
			w.out.MoveBefore(name, l.block.Type)
		}
	}
	if repeat {
		w.repeat()
	}
}

// repeat gives each run of blocks of one type a property of its own, in order.
func (w *bodyJSON) repeat() {
	for _, l := range w.list {
		w.out.Remove(l.block.Type)
	}
	var run jsonvalue.Blocks
	for i, l := range w.list {
		if p, ok := l.value.(jsonvalue.Property); ok {
			run = append(run, p.Blocks()...)
		} else {
			run = append(run, l.value)
		}
		if i+1 == len(w.list) || w.list[i+1].block.Type != l.block.Type {
			w.out.Add(l.block.Type, run)
			run = nil
		}
	}
}
