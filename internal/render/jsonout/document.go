// Package jsonout writes a merged module in JSON syntax: as one document (New), or block by block
// (Writer).
//
//	resource "null_resource" "a" {    →    {"resource": {"null_resource": {"a":
//	  triggers = { x = var.x }                 {"triggers": {"x": "${var.x}"}}
//	}                                      }}}
//
// Values from JSON files keep their spelling. Native expressions become templates where the engine
// reads strings as templates. Anything that JSON can't express is written as closely as possible,
// and a warning describes the loss.
package jsonout

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// A Document is a configuration in JSON syntax.
type Document struct{ root *jsontree.Object }

// Root returns the object that the document consists of.
func (d *Document) Root() *jsontree.Object { return d.root }

// Write writes the document, indented by two blanks, with a line end behind it.
func (d *Document) Write(w io.Writer) error {
	return jsontree.Write(w, d.root)
}

// New returns the effective configuration in JSON syntax: one object, in which d describes overrides; nil
// describes nothing. Diagnostics are warnings of anything that JSON can't express. If nothing matches a
// filter, the object is empty, and the error is plan.ErrNoneSelected.
//
// Labels are objects; several bodies of one address are an array. Nested blocks that can occur only
// once are an object, others an array, even a single one.
func New(m *merge.Module, s plan.Selection, d Describer) (*Document, hcl.Diagnostics, error) {
	root := &jsontree.Object{}
	files := plan.Arrange(m)
	if d != nil {
		plan.AddMarked(m, files)
	}
	if s.IsWhole() {
		addRootComments(root, m.Source.Files)
	}
	selected := plan.Select(m, files, s)
	bodies, diags := bodiesOf(selected, d)
	for i, b := range selected {
		PutBlock(root, b.Source, bodies[i])
	}
	m.Source.PlaceOnDisk(diags)
	if len(selected) == 0 && len(s.Filter) > 0 {
		return &Document{root}, diags, plan.ErrNoneSelected
	}
	return &Document{root}, diags, nil
}

// blocksAtOnce is how many blocks a goroutine writes before it takes others.
const blocksAtOnce = 64

// bodiesOf writes the bodies of blocks, by several goroutines. With a describer it uses only one, so that describers
// needn't be safe for concurrent use.
func bodiesOf(selected []plan.SelectedBlock, describer Describer) ([]jsontree.Lines, hcl.Diagnostics) {
	perTask := blocksAtOnce
	if describer != nil {
		perTask = max(1, len(selected))
	}
	bodies := make([]jsontree.Lines, len(selected))
	diags := make([]hcl.Diagnostics, (len(selected)+perTask-1)/perTask) // by task; the last may have fewer blocks
	parallel.Each(len(diags), func(task int) {
		w, buffer := &Writer{describer: describer}, bytes.Buffer{}
		for i := task * perTask; i < min(len(selected), (task+1)*perTask); i++ {
			bodies[i] = jsontree.Lines(jsontree.Indented(w.Body(selected[i].Block), textedit.IndentUnit, "", &buffer))
		}
		diags[task] = w.Diags
	})
	return bodies, slices.Concat(diags...)
}

// addRootComments copies the "//" properties at the root of primary JSON files.
func addRootComments(root *jsontree.Object, files []*source.File) {
	for _, f := range files {
		if f.Role == source.Primary {
			for _, at := range f.Remarks {
				root.Add("//", jsontree.Raw(f.Raw[at[0]:at[1]]))
			}
		}
	}
}

// PutBlock adds the body of a top-level block to the root of a document, below the
// block's type and labels.
func PutBlock(root *jsontree.Object, b *source.Block, body jsontree.Node) {
	name := b.Type
	for _, label := range b.Labels {
		root, name = root.Under(name), label
	}
	root.Put(name, body)
}

// A Writer writes blocks as JSON values. The zero Writer is ready for use.
type Writer struct {
	Diags hcl.Diagnostics // warnings of anything in the blocks so far that JSON can't express

	describer Describer // nil if overrides are not described
}

// Body returns the merged contents of a top-level block.
func (w *Writer) Body(block *plan.Block) *jsontree.Object {
	b := block.Source
	shape, _ := language.Of(b.File.Engine).Inner(b)
	a, isArgument := block.Item.(*source.Attr) // only this argument of the block is printed
	if !isArgument {
		return w.body(block.Content, b, nil, shape.Body)
	}
	body := &jsontree.Object{}
	if w.describer != nil { // the block exists only in the output, so its description is that of its one argument
		body.Add("//", commentValue(w.describer.Addition(block.Entry, a), nil))
	}
	body.Add(a.Name, attrJSON(a, nil, shape.Body))
	return body
}

// body returns the merged contents of block b; c is nil if they are unchanged. added is the block around it that an
// override added, or nil: what it brought gets no description of its own.
func (w *Writer) body(
	c *merge.MergedBody, b, added *source.Block, shape *language.BodyShape,
) *jsontree.Object {
	members := plan.Members(c, b)
	out := &jsontree.Object{Names: make([]string, 0, len(members)), Values: make([]jsontree.Node, 0, len(members))}
	body := &bodyJSON{Writer: w, shape: shape, out: out, added: added}
	// The block's own comments and its description share the property "//", which stands first.
	var comments [][]byte
	for _, at := range b.Remarks() {
		comments = append(comments, b.File.Raw[at[0]:at[1]])
	}
	if w.describer != nil {
		// For the contents of b, the added block is b itself if an override added it.
		var text jsontree.Raw
		if text, body.added = w.describer.About(c, b, added); text != nil {
			body.out.Add("//", commentValue(text, comments))
			comments = nil // they are in the description now
		}
	}
	for _, text := range comments {
		body.out.Add("//", jsontree.Raw(text))
	}
	for _, m := range members {
		body.addMember(m)
	}
	body.orderDynamic()
	// "ingress": [] and the like make no block, but must not get lost, unless there are blocks of the type.
	for name, text := range b.Voids() {
		if body.out.Find(name) < 0 {
			body.out.Add(name, jsontree.Raw(text))
		}
	}
	return body.out
}

// A bodyJSON is a body on its way to JSON.
type bodyJSON struct {
	*Writer
	shape *language.BodyShape
	added *source.Block // the block around it, or it itself, that an override added
	out   *jsontree.Object
	list  []arrayEntry // the blocks in out that may occur several times, in the order of all types; for orderDynamic
	whole [2]any       // the property that was last copied whole: its file and position
}

// An arrayEntry is a block's addition to the array of its type.
type arrayEntry struct {
	block *source.Block
	value jsontree.Node
}

// addMember adds an item to the body: into an escaping block (_) if it must not be read as another kind of item.
func (w *bodyJSON) addMember(m plan.BodyItem) {
	if m.Escaped || w.needsEscape(m.Item) { // add it to the block _, where nothing needs an escape
		inner := &bodyJSON{Writer: w.Writer, added: w.added, out: w.out.Under(source.EscapeBlock)}
		m.Escaped = false
		inner.addMember(m)
		inner.orderDynamic()
		return
	}
	switch it := m.Item.(type) {
	case *source.Attr:
		var value *computed.Literal // nil if the value is as the file has it
		if m.Entry != nil && m.Entry.Attr() == it {
			value = m.Entry.Value
		}
		// Each check may add a warning about the argument.
		w.checkArgument(it)
		n := attrJSON(it, value, w.shape)
		if m.HasVoid() { // null, or another text that stands for the value
			n = jsontree.Raw(m.Part.Void)
		}
		w.checkDynamic(it, n)
		w.checkBeside(it)
		w.out.Add(it.Name, n)
	case *source.Block:
		w.addBlock(m, it)
	}
}

// needsEscape reports whether JSON needs an escaping block to say what an item is. Native syntax shows whether a name
// is an argument or a block; in JSON, the engine reads a provider's argument as a block if the language has a block
// of that name, and a provider's block as an argument.
func (w *bodyJSON) needsEscape(it source.Item) bool {
	if w.shape == nil || !w.shape.Open {
		return false // only the language decides what may be in this body
	}
	if b, ok := it.(*source.Block); ok {
		_, isArg := w.shape.Arg(b.Type)
		return isArg
	}
	_, isBlock := w.shape.Block(it.Called())
	return isBlock
}

// addBlock adds nested block b: below its labels if it can occur only once, and otherwise to the array of its type. A
// block of a JSON file whose type the language doesn't know comes with the whole property that it is in.
func (w *bodyJSON) addBlock(m plan.BodyItem, b *source.Block) {
	shape, known := w.shape.Inner(b) // what the language knows of blocks of this type
	if !known && b.From != nil {
		at := b.From.Property
		w.copyProperty(b, b.File.Raw[at[0]:at[1]], int(at[0]))
		return
	}
	w.checkDynamic(b, nil) // warns of a name that JSON reads as a dynamic block; nil, because b has no value
	body := w.bodyOf(m, b, shape.Body)
	if b.Type == source.EscapeBlock { // add its contents to the one block _ of the body
		inner := w.out.Under(b.Type)
		for i, name := range body.Names {
			inner.Add(name, body.Values[i])
		}
		return
	}
	if !shape.Many { // one object below the labels: "type": {"label": body}
		at, name := w.out, b.Type
		for _, label := range b.Labels {
			at, name = at.Under(name), label
		}
		at.Put(name, body)
		return
	}
	var value jsontree.Node = body
	for _, label := range slices.Backward(b.Labels) { // {"a": {"b": body}} for labels a and b
		labelled := &jsontree.Object{}
		labelled.Add(label, value)
		value = labelled
	}
	w.checkBeside(b)
	w.list = append(w.list, arrayEntry{b, value}) // for the order across types; w.out has it only within a type
	w.out.AddBlocks(b.Type, value)
}

// copyProperty copies the JSON property that block b comes from, with all blocks in it, in its own spelling, because
// only the provider's schema tells whether it is really an argument. text is its value, at an offset of b's file. The
// property "ingress": [{…}, {…}] makes two blocks: the call for the second one adds nothing. Beside other blocks of
// the type, it is added to those.
func (w *bodyJSON) copyProperty(b *source.Block, text []byte, at int) {
	if w.whole == [2]any{b.File, at} { // an earlier block of the property copied it
		return
	}
	w.whole = [2]any{b.File, at}
	property := jsontree.Property(bytes.ToValidUTF8(text, []byte("\ufffd")))
	w.list = append(w.list, arrayEntry{b, property})
	w.checkBeside(b)
	if n := w.out.Get(b.Type); n != nil && n.IsBlocks() {
		w.out.AddBlocks(b.Type, property.Blocks()...)
	} else {
		w.out.Add(b.Type, property)
	}
}

// attrJSON returns the value of an argument: value if that isn't nil, since it was computed, else as JSON spelt it,
// else the native expression translated.
func attrJSON(a *source.Attr, value *computed.Literal, shape *language.BodyShape) jsontree.Node {
	arg, _ := shape.Arg(a.Name)
	reading := arg.Kind.Reading() // how the engine reads a JSON string here, as a template or otherwise
	switch given := a.Raw(); {
	case value != nil:
		text := computed.NativeText(value)
		expr, _ := parse.Expression(text, "", hcl.InitialPos)
		return jsontree.Source(text).Value(expr, reading)
	case given != nil:
		return jsontree.Raw(bytes.ToValidUTF8(given, []byte("\ufffd")))
	case reading == jsontree.AsTemplate && !a.File.Parsed: // some values need no parsing
		if n, ok := jsontree.SimpleText(a.File.Text(a.Value())); ok {
			return n
		}
	}
	return jsontree.Source(a.File.Native).Value(a.Expr(), reading)
}

// orderDynamic puts the properties in the order of the blocks, because the engine reads blocks property by property.
// Each property is where its first block put it, and all dynamic blocks are in the property "dynamic". So static
// blocks that precede dynamic ones of their type may be behind it: for dynamic a, static b and dynamic b, "b" must go
// before "dynamic". If static and dynamic blocks of a type alternate, properties are repeated, with a warning.
func (w *bodyJSON) orderDynamic() {
	last := map[string]*source.Block{} // the last block so far that makes blocks of a type
	switches := map[string]int{}       // by that type, how often static blocks follow dynamic ones, or the reverse
	doAlternate := false               // no order of two properties is that of the blocks
	for _, l := range w.list {
		name := l.block.Called() // the type, for a dynamic block that of the blocks it makes
		previous := last[name]
		last[name] = l.block
		if previous == nil || previous.Type == l.block.Type { // both are static, or both dynamic
			continue
		}
		switches[name]++
		isDynamic := l.block.Type != name
		switch {
		case switches[name] == 2: // static, dynamic and static again, or the reverse; warn only once
			w.warnInterleaved(l.block, previous)
			doAlternate = true
		case switches[name] == 1 && isDynamic: // static, then dynamic; the reverse order is there already
			w.out.MoveBefore(name, l.block.Type)
		}
	}
	if doAlternate {
		w.repeatProperties()
	}
}

// repeatProperties gives each run of static or of dynamic blocks of a type a separate property, in order. Only
// properties of one name, one after the other, keep the order of static and dynamic blocks that alternate.
func (w *bodyJSON) repeatProperties() {
	for _, l := range w.list {
		w.out.Remove(l.block.Type)
	}
	var run jsontree.Blocks
	for i, l := range w.list {
		if property, ok := l.value.(jsontree.Property); ok { // copied whole from a JSON file, with several blocks
			run = append(run, property.Blocks()...)
		} else {
			run = append(run, l.value)
		}
		if i+1 == len(w.list) || w.list[i+1].block.Type != l.block.Type {
			w.out.Add(l.block.Type, run)
			run = nil
		}
	}
}

// Made returns the document of a file that consists of parts, which are top-level blocks. Diagnostics are warnings of
// anything that JSON can't express.
func Made(parts []*merge.Part) (*Document, hcl.Diagnostics) {
	root, w := &jsontree.Object{}, &Writer{}
	for _, m := range plan.MadeOf(parts) {
		b := m.Item.(*source.Block)
		shape, _ := language.Of(b.File.Engine).Inner(b)
		body := &bodyJSON{Writer: w}
		PutBlock(root, b, body.bodyOf(m, b, shape.Body))
	}
	return &Document{root}, w.Diags
}

// bodyOf returns the merged contents of block b. If m is partial, for a file made of parts of others, it
// returns only the items in m.Part.Held.
func (w *bodyJSON) bodyOf(m plan.BodyItem, b *source.Block, shape *language.BodyShape) *jsontree.Object {
	if !m.IsPartial() {
		return w.body(m.Content, b, w.added, shape)
	}
	inner := &bodyJSON{Writer: w.Writer, shape: shape, out: &jsontree.Object{}}
	for _, held := range plan.MadeOf(m.Part.Held) {
		inner.addMember(held)
	}
	inner.orderDynamic()
	return inner.out
}

// Parts of a body that JSON can't express, or that are read differently in JSON.

// warn adds a warning about a range to Diags.
func (w *bodyJSON) warn(at hcl.Range, summary, format string, args ...any) {
	w.Diags = append(w.Diags, diag.Warning(at, summary, format, args...))
}

// checkArgument warns of a value of native syntax that JSON can't hold as it is, or that engines refuse in JSON. Bytes
// that are not UTF-8 can only be in a heredoc: elsewhere the parser refuses them, except in comments.
func (w *bodyJSON) checkArgument(a *source.Attr) {
	if a.Raw() != nil { // JSON already
		return
	}
	if !utf8.Valid(a.File.Text(a.Value())) {
		w.warn(a.Value(), "Invalid character encoding", "This value has bytes that are not UTF-8. JSON can't hold them, and each becomes U+FFFD. Use base64decode, or print native syntax.")
	}
	arg, _ := w.shape.Arg(a.Name)
	if arg.Kind == language.Literal || arg.Kind == language.NativeExpression {
		if _, isConstant := constant.Value(a); !isConstant {
			w.warn(a.Value(), "Expression in a constant", "%s reads a JSON string literally here, and so JSON can't hold this expression. Write a constant, or print native syntax.", a.File.Engine)
		}
	}
	if arg.InJSON != nil {
		for _, d := range arg.InJSON(a) {
			d.Severity = hcl.DiagWarning // the document is still made
			d.Detail += " Write a constant, or print native syntax."
			w.Diags = append(w.Diags, d)
		}
	}
}

// checkDynamic warns of an argument that JSON doesn't distinguish from dynamic blocks, and of
// blocks named "dynamic" without the label from which JSON takes their type.
func (w *bodyJSON) checkDynamic(it source.Item, n jsontree.Node) {
	switch it := it.(type) {
	case *source.Attr:
		if it.Name == source.DynamicBlock && it.Raw() == nil && jsonsyntax.LooksDynamic(it, jsontree.Text(n)) {
			w.warn(it.Header(), "Argument like a dynamic block", "In JSON this argument looks like dynamic blocks. Unless the provider has an argument called dynamic, the engine refuses it here and reads dynamic blocks there. Write dynamic blocks, or print native syntax.")
		}
	case *source.Block:
		if it.Type == source.DynamicBlock && len(it.Labels) != 1 {
			w.warn(it.Header(), "Dynamic block without one label", "A dynamic block needs one label, the type of its blocks. The engine refuses this one, but may accept it in JSON and read something else. Give it one label, or print native syntax.")
		}
	}
}

// repeatedProperty is the summary of warnings of properties that come more than once.
const repeatedProperty = "Repeated JSON property"

// checkBeside warns if an argument and blocks of a body have the same name: in JSON only the provider's schema keeps
// the two apart, so the engine would read both in the same way. It is called before the item it is added, when the
// other one may be in w.out already.
func (w *bodyJSON) checkBeside(it source.Item) {
	_, isArgument := it.(*source.Attr)
	// An argument meets blocks of its name, or a block an argument.
	if n := w.out.Get(it.Called()); n != nil && n.IsBlocks() == isArgument {
		w.warn(it.Header(), repeatedProperty, "%s is an argument and also a nested block here, and both become JSON properties of that name. Keep the one in the provider's schema, or print native syntax.", diag.Escape(it.Called()))
	}
}

// warnInterleaved warns that keeping the order of nested blocks takes repeated properties. before is the block of the
// other kind before b.
func (w *bodyJSON) warnInterleaved(b, before *source.Block) {
	w.Diags = append(w.Diags, diag.WithRelated(
		diag.Related{Note: "previous block", Range: before.Header()},
		diag.Warning(
			b.Header(), repeatedProperty,
			"Static and dynamic %s blocks alternate here, and JSON keeps their order only with repeated property names. %s reads them in order; other programs may keep only the last one. Group the static blocks, or print native syntax.",
			diag.Escape(b.Called()), b.File.Engine.Product.Title(),
		),
	))
}

// In JSON, the property "//" of block bodies describes the effects of overrides, in bodies in which
// the language ignores it: by short marks, or by the histories of the block and of its contents.

// A Describer describes, body by body, the effects of overrides.
type Describer interface {
	// About returns the description for the body of block b with merged contents c, or nil. added is the
	// outermost block around b that an override added, or nil: its description covers what it brought, so items
	// in it aren't described as added once more. addedInside is the same for the contents of b: added, or b itself.
	About(c *merge.MergedBody, b, added *source.Block) (text jsontree.Raw, addedInside *source.Block)
	// Addition returns the description beside an argument that an override added without a block
	// around it.
	Addition(e *merge.MergedItem, a *source.Attr) jsontree.Raw
}

// commentValue returns the value of the property "//" of a body: an object with text, which describes the overrides,
// and with the comments that the author wrote in the body.
func commentValue(text jsontree.Raw, comments [][]byte) jsontree.Raw {
	said := &jsontree.Object{}
	said.Add(descriptionProperty, text)
	switch comments = withoutDescriptions(comments); len(comments) {
	case 0: // only the description
	case 1:
		said.Add(commentProperty, jsontree.Raw(comments[0]))
	default:
		said.Add(commentProperty, jsontree.Raw(slices.Concat([]byte("["), bytes.Join(comments, []byte(",")), []byte("]"))))
	}
	return jsontree.Text(said)
}

// The properties of the object under "//".
const (
	descriptionProperty = "tofumerge"
	commentProperty     = "comment"
)

// withoutDescriptions removes from comments what commentValue wrote in an earlier run, so that descriptions don't
// pile up. It keeps the author's comments that it finds inside.
func withoutDescriptions(comments [][]byte) (list [][]byte) {
	for _, text := range comments {
		// What commentValue writes is an object whose descriptionProperty is an object.
		var earlier map[string]json.RawMessage
		if json.Unmarshal(text, &earlier) != nil || !bytes.HasPrefix(earlier[descriptionProperty], []byte("{")) {
			list = append(list, text)
			continue
		}
		delete(earlier, descriptionProperty)
		if comment := earlier[commentProperty]; comment != nil && len(earlier) == 1 {
			list = append(list, comment)
		} else if len(earlier) > 0 { // it has more than commentValue writes
			list = append(list, text)
		}
	}
	return list
}

// Marks describes overrides by marks: short comments such as "added: override.tf:3".
type Marks struct{ annotate.Words }

// About implements Describer: see there for added and the second result. The contents of an escaping block are
// described with the body around it, so About returns nothing for them.
func (m Marks) About(c *merge.MergedBody, b, added *source.Block) (jsontree.Raw, *source.Block) {
	if b.Type == source.EscapeBlock {
		return nil, added
	}
	list, added := m.Block(c, b, added)
	return encodeMarks(list), added
}

// Addition implements Describer.
func (m Marks) Addition(e *merge.MergedItem, a *source.Attr) jsontree.Raw {
	return encodeMarks(m.Words.Addition(e, a))
}

// encodeMarks returns an object with a property for each mark; nil if there are none.
func encodeMarks(list []annotate.NamedMark) jsontree.Raw {
	if len(list) == 0 {
		return nil
	}
	object := &jsontree.Object{}
	for _, mark := range list {
		object.Add(mark.Name, encode(mark.Text))
	}
	return jsontree.Text(object)
}

// encode returns a text as a JSON string that is safe to show to people.
func encode(text string) jsontree.Raw {
	encoded, _ := safetext.JSON(text, "") // no text fails
	return bytes.TrimSuffix(encoded, []byte("\n"))
}
