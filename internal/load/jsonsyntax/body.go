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

// A bodyWriter writes the body of one block as native text, and adds its items to writer.list.
type bodyWriter struct {
	*writer
	block  int    // the index of the block in writer.list
	typ    string // of the block
	shape  *language.BodyShape
	path   string // of the body, as in Evidence
	indent int
	given  *jsontree.NameSet // the names of the arguments so far
	counts map[string]int    // how often each name comes; nil until it is needed
}

// body writes the body of the block with index block in the list, whose items follow it there. A body of
// declarations, such as locals, has to be one object; any other may be an array of objects.
func (jb *writer) body(block int, typ string, v jsontree.Value, shape *language.BodyShape, path string, indent int) {
	w := &bodyWriter{writer: jb, block: block, typ: typ, shape: shape, path: path, indent: indent, given: jb.sets.Get()}
	defer func() { jb.sets.Put(w.given) }()
	if shape != nil && shape.Names != nil && v.Kind() != '{' {
		jb.wrongType(v, "set the arguments of this block")
		return
	}
	for p := range jb.properties(v, "set arguments and declare nested blocks") {
		w.property(p, v)
	}
	w.flush()
}

// property writes one property of a body as an argument or as blocks. The first case that fits decides: a
// comment, a name of the language, any name in a body without names of a provider (an argument, which the
// language's checker refuses), a dynamic block, and at last the classifier.
func (w *bodyWriter) property(p, body jsontree.Value) {
	name := p.Name()
	if name == commentKey {
		w.keepLeftover(source.Leftover{Value: p.Span(), IsComment: true})
		return
	}
	arg, ok := w.shape.Arg(name)
	if ok {
		w.argument(p, name, arg.Kind, decision{})
		return
	}
	if block, ok := w.shape.Block(name); ok {
		w.blocks(p, name, block, decision{block: true, labels: len(block.Labels)})
		return
	}
	if w.shape != nil && !w.shape.Open {
		w.argument(p, name, language.Expression, decision{})
		return
	}
	if name == source.DynamicBlock && !holdsArguments(w.path) {
		if makesBlocks(p) {
			w.blocks(p, name, language.BlockShape{Labels: []string{"type"}, Body: language.DynamicShape},
				decision{block: true, labels: 1})
		} else {
			w.argument(p, name, arg.Kind, decision{})
		}
		return
	}
	v := w.classifier.decide(w.path, name, p, func() bool { return w.repeated(body, name) })
	if v.guessed && !w.values.Silent {
		w.file.guess(p, w.path, name, v)
	}
	if v.block {
		w.blocks(p, name, language.BlockShape{Labels: make([]string, v.labels), Body: w.shape.Inside()}, v)
		return
	}
	w.argument(p, name, arg.Kind, v)
}

// repeated reports whether body has several properties with a name.
func (w *bodyWriter) repeated(body jsontree.Value, name string) bool {
	if w.counts == nil {
		w.counts = map[string]int{}
		for p := range body.Objects() {
			w.counts[p.Name()]++
		}
	}
	return w.counts[name] > 1
}

// argument adds an argument to w.run, where it waits for its neighbours: flush aligns their equals signs.
// It reports a name that comes twice, and whatever native syntax can't express.
func (w *bodyWriter) argument(p jsontree.Value, name string, k *language.Kind, v decision) {
	if first := w.given.Met(name, p.Key()); first != p.Key() {
		w.diags = append(w.diags, language.AttributeTwice(name, w.file.RawRange(p.Key()), w.file.RawRange(first)))
		return
	}
	if !spelling.IsNativeName(name) || !judge.IsName(name, w.file.File) {
		w.reportName(p, name)
	}
	if k == language.Constant && p.Kind() == '"' && !isConstant(p.Text()) {
		w.values.Inexpressible(p.Span(), "Expression in a constant",
			"This expression is accepted in JSON when the module is loaded, but refused in native syntax. Print with "+
				"--format json.")
	}
	r := k.Reading()
	a := pendingArg{
		from: source.Origin{
			Key:     p.Key(),
			Value:   p.Span(),
			Guessed: v.guessed,
			Void:    p.IsVoid() && !w.shape.Knows(name),
			Reading: int(r),
		},
	}
	a.Name = name
	a.Start = len(w.scratch)
	reported := len(w.diags)
	w.scratch = w.values.Write(w.scratch, p, r, w.indent, true)
	a.End = len(w.scratch)
	a.Single = layout.IsInColumn(w.scratch[a.Start:])
	a.from.Bad = len(w.diags) > reported
	w.run = append(w.run, a)
}

// isConstant reports whether a template has a value without references and function calls, as native syntax
// requires of a constant.
func isConstant(text string) bool {
	if !template.StartsSequence(text) {
		return true
	}
	src := []byte(text)
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

// reportName reports a name that native syntax can't write. The engine refuses it only where authors choose
// the names, as in locals; a provider may have an argument with any name.
func (w *bodyWriter) reportName(p jsontree.Value, name string) {
	at := w.file.RawRange(p.Key())
	if w.shape != nil && w.shape.Names != nil && w.shape.Names == language.Expression && !judge.IsName(name, w.file.File) {
		w.diags = append(w.diags, judge.InvalidName("local value", at))
		return
	}
	w.values.Inexpressible(p.Key(), "Argument has no native name",
		"Native syntax can't express an argument of this name. Print with --format json.")
}

// flush writes the arguments of w.run in a column, after a blank line if other items precede them. Callers
// flush before a block and at the end of a body.
func (w *bodyWriter) flush() {
	if len(w.run) == 0 {
		return
	}
	layout.Align(len(w.run), func(i int) *layout.Column { return &w.run[i].Column })
	w.separate()
	for _, a := range w.run {
		w.emitLine(w.indent)
		name := w.emitSpan(a.Name)
		w.out = jsontree.AppendBlanks(w.out, a.Padding)
		w.emit(" = ")
		start := w.end()
		w.out = append(w.out, w.scratch[a.Start:a.End]...)
		w.count(a.End - a.Start)
		w.list.Items = append(w.list.Items, outline.Item{Name: name, Value: outline.Span{Start: start, End: w.end()}})
		w.list.Origins = append(w.list.Origins, a.from)
	}
	w.run, w.scratch = w.run[:0], w.scratch[:0]
}

// separate writes a blank line if the body has items already.
func (w *bodyWriter) separate() {
	if len(w.list.Items) > w.block+1 {
		w.emit(w.file.LineEnd)
	}
}

// blocks writes the nested blocks of one property, and finds the path of each body. Null and [] make no
// block: such a property becomes a leftover, and in an override file a warning, since it changes nothing
// there.
func (w *bodyWriter) blocks(p jsontree.Value, name string, shape language.BlockShape, v decision) {
	w.flush()
	w.unknownVoid(p, shape)
	h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span(), Guessed: v.guessed}}
	if p.IsVoid() && v.labels == 0 {
		isIdle := w.file.Role == source.Override
		if isIdle && !v.evident { // else it depends on the overridden item
			w.diags = append(w.diags, VoidBlock(name, w.file.RawRange(p.Span())))
		}
		w.keepLeftover(source.Leftover{
			Name: name, Key: p.Key(), Value: p.Span(),
			IsIdle: isIdle, IsVoid: !w.shape.Knows(name), IsGuess: v.evident,
		})
	}
	inner := w.path + "/" + name
	if name == source.EscapeBlock {
		inner = w.path
	}
	w.unpack(p, h, v.labels, shape.Labels, func(h header, body jsontree.Value) {
		path := inner
		switch {
		case name == source.DynamicBlock && len(h.labels) == 1: // the path of the blocks that it makes
			path = w.path + "/" + h.labels[0]
		case w.typ == source.DynamicBlock && name == "content": // already in it
			path = w.path
		case shape.Like != "": // such as a data block in a check
			path = shape.Like + "/" + h.labels[0]
		case len(h.labels) > 0 && shape.Labels[0] != "": // a type, such as a backend's
			path += "/" + h.labels[0]
		}
		w.separate()
		w.emitLine(w.indent)
		w.writeBlock(h, body, shape.Body, path, w.indent)
	})
}

// keepLeftover keeps a property that makes no item among the leftovers of the block.
func (w *bodyWriter) keepLeftover(p source.Leftover) {
	if w.list.Leftovers == nil {
		w.list.Leftovers = map[int][]source.Leftover{}
	}
	w.list.Leftovers[w.block] = append(w.list.Leftovers[w.block], p)
}

// writeTop writes a top-level block. It replaces jb.list, whose memory it reuses, by the description of this
// block.
func (jb *writer) writeTop(h header, body jsontree.Value) {
	old := jb.list
	jb.list = source.Description{
		Tree:    outline.Tree{Items: old.Items[:0], Labels: old.Labels[:0], Texts: old.Texts[:0]},
		Origins: old.Origins[:0],
	}
	head := &source.Block{File: jb.file.File, Type: h.typ, Labels: h.labels}
	jb.writeBlock(h, body, language.Of(jb.file.Engine).Top(h.typ).Body, providerschema.TopPath(head), 0)
}

// writeBlock writes one block with its body, and adds both to the list. The path is that of the body, as in
// Evidence.
func (jb *writer) writeBlock(h header, body jsontree.Value, shape *language.BodyShape, path string, indent int) {
	i := len(jb.list.Items)
	it := outline.Item{Name: jb.emitSpan(h.typ), FirstLabel: uint32(len(jb.list.Labels)), IsBlock: true}
	for _, label := range h.labels {
		jb.emit(" ")
		jb.list.Labels = append(jb.list.Labels, jb.emitSpan(template.Quote(label)))
	}
	it.EndLabel = uint32(len(jb.list.Labels))
	jb.list.Texts = append(jb.list.Texts, h.labels...)
	jb.emit(" ")
	it.Value = jb.emitSpan("{")
	h.from.Value = body.Span()
	jb.list.Items, jb.list.Origins = append(jb.list.Items, it), append(jb.list.Origins, h.from)
	jb.body(i, h.typ, body, shape, path, indent+2)
	if it.Inner = uint32(len(jb.list.Items) - i - 1); it.Inner > 0 {
		jb.emitLine(indent)
	}
	it.Value.End = jb.emitSpan("}").End
	jb.list.Items[i] = it
}

// unknownVoid reports a property such as "action": null if the engine doesn't know its type. It makes no
// block, so nothing else would report it.
func (jb *writer) unknownVoid(p jsontree.Value, shape language.BlockShape) {
	if f := jb.file; shape.Unknown && !shape.Kept && p.IsVoid() {
		jb.report(p.Key(), "Extraneous JSON object property",
			"%s does not support %s blocks (supported by %s).", f.Engine.Title(), p.Name(), shape.Engines)
	}
}

// JSON gives a block's labels as keys and several blocks as an array, in any
// mixture (https://github.com/hashicorp/hcl/blob/main/json/spec.md).

// unpack calls visit for each block of a property: labels are keys, arrays are several blocks.
//
//	"provisioner": [{"local-exec": {…}}, {"file": [{…}, {…}]}]
//
// are three blocks of type provisioner. labels says how many labels are still to come; names has the names
// of all, for messages.
func (jb *writer) unpack(v jsontree.Value, h header, labels int, names []string, visit func(header, jsontree.Value)) {
	if labels > 0 {
		jb.unpackLabel(v, h, labels, names, visit)
		return
	}
	switch v.Kind() {
	case 'n':
	case '{':
		visit(h, v)
	case '[':
		h.from.Element = true
		for c := range v.Children() {
			visit(h, c)
		}
	default:
		jb.missing = true
		jb.report(v.Span(), "Incorrect JSON value type",
			"Write an object for one block of type \"%s\", or an array of objects for several.", diag.Escape(h.typ))
	}
}

// unpackLabel takes the keys of v for one label, and unpacks the value of each. It reports a value without
// keys.
func (jb *writer) unpackLabel(v jsontree.Value, h header, labels int, names []string, visit func(header, jsontree.Value)) {
	label := cmp.Or(names[len(names)-labels], "label")
	found, reported := false, len(jb.diags)
	for p := range jb.properties(v, "give the "+label+" of this block") {
		found = true
		inner := h
		inner.labels = append(h.labels[:len(h.labels):len(h.labels)], p.Name())
		if n := len(h.labels); n < len(inner.from.Labels) {
			inner.from.Labels[n] = p.Key()[0]
		}
		jb.unpack(p, inner, labels-1, names, visit)
	}
	if !found && len(jb.diags) == reported {
		jb.missing = true
		jb.report(v.Span(), "Missing block label",
			"Write an object whose keys are the %s of each %s block and whose values are the bodies.", label, diag.Escape(h.typ))
	}
}

// properties yields the members of an object, or of all objects of an array. It reports any other value but
// null; what says for the message what the object would do.
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

// wrongType reports a value that should be an object or objects; what says what for. The file then lacks
// declarations.
func (jb *writer) wrongType(v jsontree.Value, what string) {
	jb.missing = true
	jb.report(v.Span(), "Incorrect JSON value type", "Write an object, or an array of objects, to %s.", what)
}

// KeyAt implements source.Translator.
func (f *jsonFile) KeyAt(at uint32) [2]uint32 {
	return jsontree.NewReader(f.Raw).Key(at)
}

// ValuePart implements source.Translator.
func (f *jsonFile) ValuePart(a *source.Attr, from, to int) [2]uint32 {
	parts := f.partsOf(a)
	if i := parts.innermost(from, to); i >= 0 {
		return parts.marks[i].JSON
	}
	return a.Origin().Value
}

// partsOf returns where the parts of an argument's value are in the native text. It writes the value once
// more to find out, and keeps the answer for the next call, which is most often about the same argument.
func (f *jsonFile) partsOf(a *source.Attr) parts {
	last := &f.parts
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.of != a {
		w := jsontree.NativeWriter{File: f.File, Quote: f.quote, Silent: true, MarkParts: true}
		w.Write(nil, jsontree.NewReader(f.Raw).Value(int(a.Origin().Value[0])), jsontree.Reading(a.Origin().Reading),
			a.Header().Start.Column-1, true)
		last.of, last.parts = a, newParts(w.Parts())
	}
	return last.parts
}

// Grow implements source.Translator. It writes the block once more, from the place where its native text
// starts.
func (f *jsonFile) Grow(b *source.Block) *source.Block {
	jb := writers.Get().(*writer).open(f)
	defer writers.Put(jb)
	defer jb.release()
	jb.values.Silent = true
	start := b.Header().Start
	jb.out, jb.base, jb.line = jb.out[:0], start.Byte, start.Line
	jb.lineStart = jb.base - start.Column + 1
	jb.writeTop(header{typ: b.Type, labels: b.Labels, from: *b.From}, jb.again.Value(int(b.From.Value[0])))
	built, _ := jb.build.Block(&jb.list, nil)
	return built
}
