package load

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// commentKey is the name of properties of bodies that are comments.
const commentKey = "//"

var newline = []byte("\n")

// A pending is an argument that waits for its neighbours, to be laid out in
// columns with them.
type pending struct {
	line
	from origin
}

// A bodyWriter writes what one block holds.
type bodyWriter struct {
	*jsonBuilder
	b      *Block
	shape  *BodyShape
	path   string
	indent int
	given  *nameSet
	counts map[string]int // how often each name comes, once somebody asked
}

func (jb *jsonBuilder) body(b *Block, v jsonValue, shape *BodyShape, path string, indent int) {
	w := &bodyWriter{jsonBuilder: jb, b: b, shape: shape, path: path, indent: indent, given: jb.sets.get()}
	defer func() { jb.sets.put(w.given) }()
	if shape != nil && shape.Names != nil && v.kind() != '{' {
		jb.wrongType(v, "set the arguments of this block")
		return
	}
	for p := range jb.properties(v, "define arguments and child blocks") {
		w.property(p, v)
	}
	w.flush()
}

func (w *bodyWriter) property(p, body jsonValue) {
	name := p.name()
	if name == commentKey {
		w.b.AddRemark(p.span())
		return
	}
	arg, ok := w.shape.Arg(name)
	if ok {
		w.argument(p, name, arg.Kind, verdict{})
		return
	}
	if block, ok := w.shape.Block(name); ok {
		w.blocks(p, name, block, verdict{block: true, labels: len(block.Labels)})
		return
	}
	if w.shape != nil && !w.shape.Open {
		w.argument(p, name, Expression, verdict{})
		return
	}
	if name == DynamicBlock && !holdsArguments(w.path) && !p.makesBlocks() {
		w.argument(p, name, arg.Kind, verdict{})
		return
	}
	if name == DynamicBlock && !holdsArguments(w.path) {
		w.blocks(p, name, BlockShape{Labels: []string{"type"}, Body: dynamicShape}, verdict{block: true, labels: 1})
		return
	}
	v := w.known.decide(w.path, name, p, func() bool { return w.repeated(body, name) })
	if v.guessed && !w.quiet {
		w.file.guess(p.key(), w.path, name, v)
	}
	if v.block {
		w.blocks(p, name, BlockShape{Labels: make([]string, v.labels), Body: w.shape.inside()}, v)
		return
	}
	w.argument(p, name, arg.Kind, v)
}

// repeated tells whether a name comes more than once in the body.
func (w *bodyWriter) repeated(body jsonValue, name string) bool {
	if w.counts == nil {
		w.counts = map[string]int{}
		for p := range body.objects() {
			w.counts[p.name()]++
		}
	}
	return w.counts[name] > 1
}

func (w *bodyWriter) argument(p jsonValue, name string, k Kind, v verdict) {
	if first := w.given.met(name, p.key()); first != p.key() {
		w.diags = append(w.diags, attributeTwice(name, w.file.GivenRange(p.key()), w.file.GivenRange(first)))
		return
	}
	if !IsNativeName(name) {
		w.nameless(p, name)
	}
	if k == Constant && p.kind() == '"' && !isConstant(p.text()) {
		w.words.doubt(p.span(), "Expression in a constant", "The engine does not look into this string when it loads the module, but it refuses an expression in native syntax here. Print the module with --format json.")
	}
	r := k.Reading()
	a := pending{from: origin{key: p.key(), value: p.span(), guessed: v.guessed, void: p.isVoid() && !w.shape.Knows(name), reading: int(r)}}
	a.Name = name
	a.start = len(w.scratch)
	told := len(w.diags)
	w.scratch = w.words.value(w.scratch, p, r, w.indent, true)
	a.end = len(w.scratch)
	a.Single = IsInColumn(w.scratch[a.start:])
	a.from.bad = len(w.diags) > told
	w.run = append(w.run, a)
}

// isConstant tells templates that need nothing to be computed.
func isConstant(text string) bool {
	if !startsSequence(text) {
		return true
	}
	src := []byte(text)
	if isTemplateTooDeep(src) || hasLongNumber(src, hclsyntax.LexTemplate) {
		return false
	}
	expr, diags := hclsyntax.ParseTemplate(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	_, diags = Evaluate(expr)
	return !diags.HasErrors()
}

// nameless reports a name that native syntax can't have. Where authors choose
// names the engine refuses such; a provider may have one.
func (w *bodyWriter) nameless(p jsonValue, name string) {
	at := w.file.GivenRange(p.key())
	if w.shape != nil && w.shape.Names != nil && *w.shape.Names == Expression && !isName(name) {
		w.diags = append(w.diags, invalidName("local value", at))
		return
	}
	w.words.doubt(p.key(), "Argument has no native name", "Native syntax has no way to write an argument of this name. Print the module with --format json.")
}

// flush writes the arguments that wait.
func (w *bodyWriter) flush() {
	if len(w.run) == 0 {
		return
	}
	Align(len(w.run), func(i int) *Column { return &w.run[i].Column })
	w.apart()
	for _, a := range w.run {
		w.emitLine(w.indent)
		name := w.mark(a.Name)
		w.out = appendBlanks(w.out, a.Padding)
		w.emit(" = ")
		start := w.at()
		w.out = append(w.out, w.scratch[a.start:a.end]...)
		w.count(a.end - a.start)
		w.build.Argument(w.b, a.Name, name, span{start: start, end: w.at()}, a.from)
	}
	w.run, w.scratch = w.run[:0], w.scratch[:0]
}

// apart leaves a blank line behind what stands before.
func (w *bodyWriter) apart() {
	if len(w.b.Body.Items) > 0 {
		w.emit(w.file.LineEnd)
	}
}

func (w *bodyWriter) blocks(p jsonValue, name string, shape BlockShape, v verdict) {
	w.flush()
	w.unknownVoid(p, shape)
	h := header{typ: name, from: origin{key: p.key(), property: p.span(), guessed: v.guessed}}
	if p.isVoid() && v.labels == 0 {
		if w.file.Role == Override {
			w.diags = append(w.diags, voidBlock(name, w.file.GivenRange(p.span())))
			w.b.AddIdle(name, p.key(), p.span())
		}
		if !w.shape.Knows(name) {
			w.b.AddVoid(name, p.span())
		}
	}
	inner := w.path + "/" + name
	if name == EscapeBlock {
		inner = w.path
	}
	w.unpack(p, h, v.labels, shape.Labels, func(h header, body jsonValue) {
		path := inner
		switch {
		case name == DynamicBlock && len(h.labels) == 1:
			path = w.path + "/" + h.labels[0]
		case w.b.Type == DynamicBlock && name == "content":
			path = w.path
		case shape.Like != "":
			path = shape.Like + "/" + h.labels[0]
		case len(h.labels) > 0 && shape.Labels[0] != "":
			path += "/" + h.labels[0]
		}
		w.apart()
		w.emitLine(w.indent)
		w.b.Body.Items = append(w.b.Body.Items, w.block(w.b, h, body, shape.Body, path, w.indent))
	})
}
