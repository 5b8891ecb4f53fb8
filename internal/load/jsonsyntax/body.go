package jsonsyntax

import (
	"cmp"
	"iter"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
)

// A bodyWriter writes the body of one block as native text, and appends its items to writer.described.
type bodyWriter struct {
	*writer
	block      int                 // the index of the block in writer.described.Items
	typ        string              // of the block
	shape      *language.BodyShape // which names the language knows in the body; nil if unknown
	path       string              // of the body, as in Evidence
	indent     int                 // the blanks before each of its items
	argNames   *jsontree.NameSet   // the names of the arguments so far, to find duplicates
	nameCounts map[string]int      // how many properties have each name; nil until needed
}

// writeBody writes the body v of the block with index block in described.Items, and appends the items in it. A body
// whose names authors choose, such as locals, must be one object; any other may be an array of objects.
func (jb *writer) writeBody(block int, typ string, v jsontree.Value, shape *language.BodyShape, path string, indent int) {
	w := &bodyWriter{writer: jb, block: block, typ: typ, shape: shape, path: path, indent: indent, argNames: jb.sets.Get()}
	defer func() { jb.sets.Put(w.argNames) }()
	if shape != nil && shape.Names != nil && v.Kind() != '{' {
		jb.wrongType(v, "set the arguments of this block")
		return
	}
	for p := range jb.properties(v, "set arguments and declare nested blocks") {
		w.writeProperty(p, v)
	}
	w.writePending() // the arguments after the last nested block
}

// writeProperty writes one property of a body as an argument or as nested blocks. The first case that fits decides:
// a comment, a name of the language, any other name in a body without names of a provider (an argument, which the
// language's checker refuses), a dynamic block, and last the classifier.
func (w *bodyWriter) writeProperty(p, body jsontree.Value) {
	name := p.Name()
	if name == commentKey {
		w.keepLeftover(source.Leftover{Value: p.Span(), IsComment: true})
		return
	}
	arg, ok := w.shape.Arg(name) // for an unknown name, arg.Kind is that of arguments which the body's owner defines
	if ok {
		w.addArgument(p, name, arg.Kind, decision{})
		return
	}
	if block, ok := w.shape.Block(name); ok {
		w.writeBlocks(p, name, block, decision{block: true, labels: len(block.Labels)})
		return
	}
	// The language defines the whole body, so any other name is a mistake.
	if w.shape != nil && !w.shape.Open {
		w.addArgument(p, name, language.Expression, decision{})
		return
	}
	// A provider has no blocks in some bodies: there, "dynamic" is a name like any other.
	if name == source.DynamicBlock && !holdsArguments(w.path) {
		if makesBlocks(p) {
			w.writeBlocks(p, name, language.BlockShape{Labels: []string{"type"}, Body: language.DynamicShape},
				decision{block: true, labels: 1})
		} else {
			w.addArgument(p, name, arg.Kind, decision{})
		}
		return
	}
	// The language doesn't know the name: only a schema or other evidence tells what it is.
	v := w.classifier.decide(w.path, name, p, func() bool { return w.repeated(body, name) })
	// A silent writer writes a block once more, whose guesses are noted already.
	if v.guessed && !w.values.Silent {
		w.file.noteGuess(p, w.path, name, v)
	}
	if v.block {
		w.writeBlocks(p, name, language.BlockShape{Labels: make([]string, v.labels), Body: w.shape.Inside()}, v)
		return
	}
	w.addArgument(p, name, arg.Kind, v)
}

// repeated reports whether body has several properties called name.
func (w *bodyWriter) repeated(body jsontree.Value, name string) bool {
	if w.nameCounts == nil {
		w.nameCounts = map[string]int{}
		for p := range body.Objects() {
			w.nameCounts[p.Name()]++
		}
	}
	return w.nameCounts[name] > 1
}

// addArgument adds an argument to w.pending, where it waits for writePending to align it with its neighbours. k tells
// how the engine reads its value, v whether it was only guessed that it is an argument and no block. addArgument
// leaves out and reports a second argument of the same name. It also reports anything that native syntax can't
// express.
func (w *bodyWriter) addArgument(p jsontree.Value, name string, k *language.Kind, v decision) {
	if first := w.argNames.Met(name, p.Key()); first != p.Key() {
		w.diags = append(w.diags, language.AttributeTwice(name, w.file.RawRange(p.Key()), w.file.RawRange(first)))
		return
	}
	// Native syntax can't write every name, and refuses some constants that JSON accepts.
	if !spelling.IsNativeName(name) || !judge.IsName(name, w.file.File) {
		w.reportName(p, name)
	}
	if k == language.Constant && p.Kind() == '"' && !isConstant(p.Text()) {
		w.values.Inexpressible(p.Span(), "Expression in a constant",
			"This expression is accepted in JSON when the module is loaded, but refused in native syntax. Print with "+
				"--format json.")
	}
	r := k.Reading() // what strings in the value mean
	a := pendingArg{
		from: source.Origin{
			Key:     p.Key(),
			Value:   p.Span(),
			Guessed: v.guessed,
			Void:    p.IsVoid() && !w.shape.Knows(name), // null or [] under a provider's name may mean no blocks
			Reading: int(r),
		},
	}
	// The value's text waits as pendingText[a.Start:a.End].
	a.Name = name
	a.Start = len(w.pendingText)
	errorsBefore := len(w.diags) // Write adds its errors to w.diags
	w.pendingText = w.values.Write(w.pendingText, p, r, w.indent, true)
	a.End = len(w.pendingText)
	a.Single = layout.IsInColumn(w.pendingText[a.Start:])
	a.from.Bad = len(w.diags) > errorsBefore // writing the value reported an error
	w.pending = append(w.pending, a)
}

// isConstant reports whether a template has no references and function calls, so that native syntax accepts it as a
// constant.
func isConstant(text string) bool {
	// A text without sequences is constant.
	if !template.StartsSequence(text) {
		return true
	}
	src := []byte(text)
	// Any other is constant if it can be evaluated without variables.
	if limits.CheckTemplate(src).HasErrors() {
		return false
	}
	expr, diags := parse.Template(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	_, diags = limits.Evaluate(expr)
	return !diags.HasErrors()
}

// reportName reports a name that native syntax can't write. In locals, where authors choose the names, the engine
// refuses it, so that is an error; a provider may have an argument of any name, so that is only inexpressible.
func (w *bodyWriter) reportName(p jsontree.Value, name string) {
	at := w.file.RawRange(p.Key())
	// Of the bodies whose names authors choose, only that of locals takes any expression.
	isLocals := w.shape != nil && w.shape.Names != nil && w.shape.Names == language.Expression
	if isLocals && !judge.IsName(name, w.file.File) {
		w.diags = append(w.diags, judge.InvalidName("local value", at))
		return
	}
	w.values.Inexpressible(p.Key(), "Argument has no native name",
		"Native syntax can't express an argument of this name. Print with --format json.")
}

// writePending writes the waiting arguments with their equals signs aligned, after a blank line if other items
// precede them. Callers call it before a nested block and at the end of a body.
func (w *bodyWriter) writePending() {
	if len(w.pending) == 0 {
		return
	}
	layout.Align(len(w.pending), func(i int) *layout.Column { return &w.pending[i].Column })
	w.writeSeparator()
	for _, a := range w.pending {
		w.emitLine(w.indent)
		name := w.emitSpan(a.Name)
		w.out = jsontree.AppendBlanks(w.out, a.Padding)
		w.emit(" = ")
		start := w.here() // of the value
		w.out = append(w.out, w.pendingText[a.Start:a.End]...)
		w.countLines(a.End - a.Start)
		w.described.Items = append(w.described.Items, outline.Item{Name: name, Value: outline.Span{Start: start, End: w.here()}})
		w.described.Origins = append(w.described.Origins, a.from)
	}
	w.pending, w.pendingText = w.pending[:0], w.pendingText[:0]
}

// writeSeparator writes a blank line if the body has items already.
func (w *bodyWriter) writeSeparator() {
	if len(w.described.Items) > w.block+1 {
		w.emit(w.file.LineEnd)
	}
}

// writeBlocks writes the nested blocks of one property, which are of type name. Null and [] declare no block: such a
// property becomes a source.Leftover, so that it isn't lost, and in an override file a warning, since it has no
// effect there.
func (w *bodyWriter) writeBlocks(p jsontree.Value, name string, shape language.BlockShape, v decision) {
	w.writePending()
	w.reportUnsupported(p, shape)
	h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span(), Guessed: v.guessed}}
	// Null or [] makes no block. If labels are still to come, unpack reports it.
	if p.IsVoid() && v.labels == 0 {
		isIdle := w.file.Role == source.Override
		if isIdle && !v.evident { // if evident from other files, it may still replace an argument
			w.diags = append(w.diags, VoidBlock(name, w.file.RawRange(p.Span())))
		}
		w.keepLeftover(source.Leftover{
			Name: name, Key: p.Key(), Value: p.Span(),
			IsIdle: isIdle, IsVoid: !w.shape.Knows(name), IsGuess: v.evident,
		})
	}
	inner := w.path + "/" + name // the path of the bodies, as in Evidence
	if name == source.EscapeBlock {
		inner = w.path
	}
	// Each block follows a blank line. The path of its body depends on the kind of block.
	w.unpack(p, h, v.labels, shape.Labels, func(h header, body jsontree.Value) {
		path := inner
		switch {
		case name == source.DynamicBlock && len(h.labels) == 1: // the path of the blocks that it makes
			path = w.path + "/" + h.labels[0]
		case w.typ == source.DynamicBlock && name == "content": // w.path is that of the blocks already
			path = w.path
		case shape.Like != "": // such as a data block in a check
			path = shape.Like + "/" + h.labels[0]
		case len(h.labels) > 0 && shape.Labels[0] != "": // a type, such as a backend's
			path += "/" + h.labels[0]
		}
		w.writeSeparator()
		w.emitLine(w.indent)
		w.writeBlock(h, body, shape.Body, path, w.indent)
	})
}

// keepLeftover adds a property that makes no item to the leftovers of the block, so that it isn't lost.
func (w *bodyWriter) keepLeftover(p source.Leftover) {
	if w.described.Leftovers == nil {
		w.described.Leftovers = map[int][]source.Leftover{}
	}
	w.described.Leftovers[w.block] = append(w.described.Leftovers[w.block], p)
}

// writeTop writes a top-level block. It describes the block in jb.described, in place of the previous one, whose
// memory it uses.
func (jb *writer) writeTop(h header, body jsontree.Value) {
	old := jb.described
	jb.described = source.Description{
		Tree:    outline.Tree{Items: old.Items[:0], Labels: old.Labels[:0], Texts: old.Texts[:0]},
		Origins: old.Origins[:0],
	}
	head := &source.Block{File: jb.file.File, Type: h.typ, Labels: h.labels}
	jb.writeBlock(h, body, language.Of(jb.file.Engine).Top(h.typ).Body, providerschema.TopPath(head), 0)
}

// writeBlock writes one block with its body, and appends its items to jb.described. path is the path of its body, as
// in Evidence.
func (jb *writer) writeBlock(h header, body jsontree.Value, shape *language.BodyShape, path string, indent int) {
	i := len(jb.described.Items)
	// The header: the type, the labels and the opening brace.
	it := outline.Item{Name: jb.emitSpan(h.typ), FirstLabel: uint32(len(jb.described.Labels)), IsBlock: true}
	for _, label := range h.labels {
		jb.emit(" ")
		jb.described.Labels = append(jb.described.Labels, jb.emitSpan(template.Quote(label)))
	}
	it.EndLabel = uint32(len(jb.described.Labels))
	jb.described.Texts = append(jb.described.Texts, h.labels...)
	jb.emit(" ")
	it.Value = jb.emitSpan("{")
	// The item precedes those of its body; its end and their number are known only behind the body.
	h.from.Value = body.Span()
	jb.described.Items, jb.described.Origins = append(jb.described.Items, it), append(jb.described.Origins, h.from)
	jb.writeBody(i, h.typ, body, shape, path, indent+2)
	if it.Inner = uint32(len(jb.described.Items) - i - 1); it.Inner > 0 {
		jb.emitLine(indent)
	}
	it.Value.End = jb.emitSpan("}").End
	jb.described.Items[i] = it
}

// reportUnsupported reports a property such as "action": null if the engine doesn't know blocks of its name. The
// value declares no block, so nothing else would report it.
func (jb *writer) reportUnsupported(p jsontree.Value, shape language.BlockShape) {
	if f := jb.file; shape.Unknown && !shape.Kept && p.IsVoid() {
		jb.report(p.Key(), "Extraneous JSON object property",
			"%s does not support %s blocks (supported by %s).", f.Engine.Title(), p.Name(), shape.Engines)
	}
}

// JSON gives a block's labels as keys and several blocks as an array, in any
// mixture (https://github.com/hashicorp/hcl/blob/main/json/spec.md).

// unpack calls visit for each block of a property, with its header and body: keys are labels, and an array is
// several blocks.
//
//	"provisioner": [{"local-exec": {…}}, {"file": [{…}, {…}]}]
//
// are three blocks of type provisioner. labels is how many labels are still to come; names says what each label is,
// such as "type", for messages.
func (jb *writer) unpack(v jsontree.Value, h header, labels int, names []string, visit func(header, jsontree.Value)) {
	if labels > 0 {
		jb.unpackLabel(v, h, labels, names, visit)
		return
	}
	switch v.Kind() {
	case 'n': // declares no block
	case '{':
		visit(h, v)
	case '[':
		h.from.Element = true
		for c := range v.Children() {
			visit(h, c)
		}
	default:
		jb.isIncomplete = true
		jb.report(v.Span(), "Incorrect JSON value type",
			"Write an object for one block of type \"%s\", or an array of objects for several.", diag.Escape(h.typ))
	}
}

// unpackLabel reads the next label of h from each key of v, and unpacks the key's value. remaining is how many labels
// are still to come, this one included. It reports a value without keys.
func (jb *writer) unpackLabel(v jsontree.Value, h header, remaining int, names []string, visit func(header, jsontree.Value)) {
	label := cmp.Or(names[len(names)-remaining], "label") // what the label is, for messages
	found, errorsBefore := false, len(jb.diags)
	for p := range jb.properties(v, "give the "+label+" of this block") {
		found = true
		labeled := h
		n := len(h.labels)
		labeled.labels = append(h.labels[:n:n], p.Name()) // in a list of its own: several keys may follow h
		// An origin has room for the first labels only.
		if n < len(labeled.from.Labels) {
			labeled.from.Labels[n] = p.Key()[0] // the offset at which the key starts
		}
		jb.unpack(p, labeled, remaining-1, names, visit)
	}
	// No key at all, as in {} or null. Values of other types are reported already.
	if !found && len(jb.diags) == errorsBefore {
		jb.isIncomplete = true
		jb.report(v.Span(), "Missing block label",
			"Write an object whose keys are the %s of each %s block and whose values are the bodies.", label, diag.Escape(h.typ))
	}
}

// properties yields the members of an object, or of all objects in an array. It reports any other value except null;
// what tells in the message what the object is for.
func (jb *writer) properties(v jsontree.Value, what string) iter.Seq[jsontree.Value] {
	switch v.Kind() {
	case 'n', '{':
	case '[':
		for o := range v.Children() {
			if o.Kind() != '{' {
				jb.wrongType(o, what)
			}
		}
	default:
		jb.wrongType(v, what)
	}
	return v.Objects()
}

// wrongType reports a value that should be an object or an array of objects; what tells what for. The file then
// lacks declarations.
func (jb *writer) wrongType(v jsontree.Value, what string) {
	jb.isIncomplete = true
	jb.report(v.Span(), "Incorrect JSON value type", "Write an object, or an array of objects, to %s.", what)
}

// KeyAt implements source.Translator. It returns the range of the key that starts at an offset.
func (f *jsonFile) KeyAt(at uint32) [2]uint32 {
	return jsontree.NewReader(f.Raw).Key(at)
}

// ValuePart implements source.Translator. It returns the range of the JSON value or key from which the native text
// between two offsets of the argument's value comes.
func (f *jsonFile) ValuePart(a *source.Attr, from, to int) [2]uint32 {
	parts := f.partsOf(a)
	if i := parts.innermost(from, to); i >= 0 {
		return parts.marks[i].JSON
	}
	return a.Origin().Value
}

// partsOf returns which part of an argument's native text comes from which JSON value. To find that, it writes the
// value once more; it keeps the result, since the next call is mostly about the same argument.
func (f *jsonFile) partsOf(a *source.Attr) parts {
	last := &f.parts
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.attr != a {
		w := jsontree.NativeWriter{File: f.File, Quote: f.quote, Silent: true, MarkParts: true}
		// With the reading and the indentation that the value has in its body, whose line it ends.
		value := jsontree.NewReader(f.Raw).Value(int(a.Origin().Value[0]))
		indent := a.Header().Start.Column - 1
		w.Write(nil, value, jsontree.Reading(a.Origin().Reading), indent, true)
		last.attr, last.parts = a, newParts(w.Parts())
	}
	return last.parts
}

// Grow implements source.Translator: it builds a block again whose contents weren't kept. It reads the block's body
// from its offset in the JSON text, and writes the native text once more, with the same positions.
func (f *jsonFile) Grow(b *source.Block) *source.Block {
	jb := writers.Get().(*writer).prepare(f)
	defer writers.Put(jb)
	defer jb.release()
	jb.values.Silent = true
	start := b.Header().Start
	// The text starts at the block's offset, line and column instead of those of the file.
	jb.out, jb.base, jb.line = jb.out[:0], start.Byte, start.Line
	jb.lineStart = jb.base - start.Column + 1 // of the line on which the block starts
	body := jb.reader.Value(int(b.From.Value[0]))
	jb.writeTop(header{typ: b.Type, labels: b.Labels, from: *b.From}, body) // describes the block in jb.described
	built, _ := jb.build.Block(&jb.described, nil)
	return built
}
