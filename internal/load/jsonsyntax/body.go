package jsonsyntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsonexpr"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
)

// A bodyWriter writes the body of one block.
type bodyWriter struct {
	*writer
	b      *source.Block
	shape  *language.BodyShape
	path   string
	indent int
	given  *jsonexpr.NameSet
	counts map[string]int // how often each name comes; nil until it is needed
}

func (jb *writer) body(b *source.Block, v jsontree.Value, shape *language.BodyShape, path string, indent int) {
	w := &bodyWriter{writer: jb, b: b, shape: shape, path: path, indent: indent, given: jb.sets.Get()}
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

func (w *bodyWriter) property(p, body jsontree.Value) {
	name := p.Name()
	if name == commentKey {
		w.b.AddRemark(p.Span())
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
	if name == source.DynamicBlock && !holdsArguments(w.path) && !makesBlocks(p) {
		w.argument(p, name, arg.Kind, decision{})
		return
	}
	if name == source.DynamicBlock && !holdsArguments(w.path) {
		w.blocks(p, name, language.BlockShape{Labels: []string{"type"}, Body: language.DynamicShape},
			decision{block: true, labels: 1})
		return
	}
	v := w.classifier.decide(w.path, name, p, func() bool { return w.repeated(body, name) })
	if v.guessed && !w.quiet {
		w.file.guess(p, w.path, name, v)
	}
	if v.block {
		w.blocks(p, name, language.BlockShape{Labels: make([]string, v.labels), Body: w.shape.Inside()}, v)
		return
	}
	w.argument(p, name, arg.Kind, v)
}

// repeated reports whether a name comes more than once in the body.
func (w *bodyWriter) repeated(body jsontree.Value, name string) bool {
	if w.counts == nil {
		w.counts = map[string]int{}
		for p := range body.Objects() {
			w.counts[p.Name()]++
		}
	}
	return w.counts[name] > 1
}

func (w *bodyWriter) argument(p jsontree.Value, name string, k *language.Kind, v decision) {
	if first := w.given.Met(name, p.Key()); first != p.Key() {
		w.diags = append(w.diags, language.AttributeTwice(name, w.file.RawRange(p.Key()), w.file.RawRange(first)))
		return
	}
	if !spelling.IsNativeName(name) {
		w.nameless(p, name)
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

// isConstant reports whether a template refers to nothing.
func isConstant(text string) bool {
	if !template.StartsSequence(text) {
		return true
	}
	src := []byte(text)
	if limits.IsTemplateTooDeep(src) || limits.HasLongNumber(src, parse.TemplateTokens) {
		return false
	}
	expr, diags := parse.Template(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	_, diags = limits.Evaluate(expr)
	return !diags.HasErrors()
}

// nameless reports a name that native syntax can't write. Where authors choose the
// names the engine refuses it; a provider may have an argument of that name.
func (w *bodyWriter) nameless(p jsontree.Value, name string) {
	at := w.file.RawRange(p.Key())
	if w.shape != nil && w.shape.Names != nil && w.shape.Names == language.Expression && !spelling.IsName(name) {
		w.diags = append(w.diags, judge.InvalidName("local value", at))
		return
	}
	w.values.Inexpressible(p.Key(), "Argument has no native name",
		"Native syntax can't express an argument of this name. Print with --format json.")
}

// flush writes the arguments that wait.
func (w *bodyWriter) flush() {
	if len(w.run) == 0 {
		return
	}
	layout.Align(len(w.run), func(i int) *layout.Column { return &w.run[i].Column })
	w.apart()
	for _, a := range w.run {
		w.emitLine(w.indent)
		name := w.mark(a.Name)
		w.out = jsonexpr.AppendBlanks(w.out, a.Padding)
		w.emit(" = ")
		start := w.at()
		w.out = append(w.out, w.scratch[a.Start:a.End]...)
		w.count(a.End - a.Start)
		w.build.Argument(w.b, a.Name, name, source.Span{Start: start, End: w.at()}, a.from)
	}
	w.run, w.scratch = w.run[:0], w.scratch[:0]
}

// apart leaves a blank line after the items written so far.
func (w *bodyWriter) apart() {
	if len(w.b.Items()) > 0 {
		w.emit(w.file.LineEnd)
	}
}

func (w *bodyWriter) blocks(p jsontree.Value, name string, shape language.BlockShape, v decision) {
	w.flush()
	w.unknownVoid(p, shape)
	h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span(), Guessed: v.guessed}}
	if p.IsVoid() && v.labels == 0 {
		if w.file.Role == source.Override {
			if !v.evident { // else it depends on the overridden item
				w.diags = append(w.diags, VoidBlock(name, w.file.RawRange(p.Span())))
			}
			w.b.AddIdle(name, p.Key(), p.Span(), v.evident)
		}
		if !w.shape.Knows(name) {
			w.b.AddVoid(name, p.Span())
		}
	}
	inner := w.path + "/" + name
	if name == source.EscapeBlock {
		inner = w.path
	}
	w.unpack(p, h, v.labels, shape.Labels, func(h header, body jsontree.Value) {
		path := inner
		switch {
		case name == source.DynamicBlock && len(h.labels) == 1:
			path = w.path + "/" + h.labels[0]
		case w.b.Type == source.DynamicBlock && name == "content":
			path = w.path
		case shape.Like != "":
			path = shape.Like + "/" + h.labels[0]
		case len(h.labels) > 0 && shape.Labels[0] != "":
			path += "/" + h.labels[0]
		}
		w.apart()
		w.emitLine(w.indent)
		w.build.Nest(w.block(w.b, h, body, shape.Body, path, w.indent))
	})
}

// block writes a block and builds it with its whole tree.
func (jb *writer) block(in *source.Block, h header, body jsontree.Value, shape *language.BodyShape, path string,
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
	if len(b.Items()) > 0 {
		jb.emitLine(indent)
	}
	jb.build.Close(b, jb.mark("}"))
	return b
}

// unknownVoid reports a property such as "action": null, whose type the engine does not
// know. As it makes no block, nothing else would report it.
func (jb *writer) unknownVoid(p jsontree.Value, shape language.BlockShape) {
	if f := jb.file; shape.Unknown && !shape.Kept && p.IsVoid() {
		jb.diags = append(jb.diags, laterProperty(f.File, p, shape.Engines))
	}
}
