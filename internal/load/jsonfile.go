package load

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// parseJSON reads a file and parses it, as far as which blocks it holds. What is
// in them is understood once all other files have been read.
func (l *loader) parseJSON(f *File) hcl.Diagnostics {
	if diags := l.read(f); diags.HasErrors() {
		return diags
	}
	root, diags := parseJSON(f)
	if diags = append(diags, checkNumbers(f)...); diags.HasErrors() {
		return diags
	}
	if k := root.kind(); k != '{' && k != '[' {
		return hcl.Diagnostics{jsonRoot(f.jsonRange(root.span()))}
	}
	f.root, f.parsed = root, true
	seen, asked := usage{}, openNames{}
	newJSONBuilder(f).top(f.root, func(h header, body jsonValue) {
		b := &Block{File: f, Type: h.typ, Labels: h.labels}
		if f.Role == Override {
			f.heads = append(f.heads, b)
		}
		if shape := f.Language.top(h.typ).Body; shape.isOpen() {
			seen.noteJSON(body, bodyPath(b), asked)
		} else {
			seen.noteNested(body, shape, bodyPath(b), asked)
		}
	})
	l.note(seen, asked)
	if f.Role == Primary {
		f.root = jsonValue{} // read again when its turn comes: until then it would only take up memory
	}
	return nil
}

// jsonFile turns a file into native text and items, and judges them as those of
// a native file are judged.
func (l *loader) jsonFile(f *File) hcl.Diagnostics {
	if !f.parsed {
		return nil
	}
	if f.Role == Primary {
		f.root = parseJSONAt(f, RootStart(f.Given))
	}
	f.known = l.known
	f.quote = f.LineEnd != "\n" || f.Role == Override && l.crlf
	check := &shapeCheck{file: f}
	jb := newJSONBuilder(f)
	jb.out = make([]byte, 0, len(f.Given))
	jb.top(f.root, func(h header, body jsonValue) {
		if len(jb.out) > 0 {
			jb.emit(f.LineEnd)
		}
		jb.build.keeping = l.keeps(&Block{File: f, Type: h.typ, Labels: h.labels})
		b := jb.block(nil, h, body, jb.file.Language.top(h.typ).Body, bodyPath(&Block{File: f, Type: h.typ, Labels: h.labels}), 0)
		jb.emit(f.LineEnd)
		f.Src = jb.out
		l.settle(b, &jb.build, check)
		clear(f.recent)
		jb.origins.used = 0
	})
	f.Src = jb.out
	f.root, f.heads, f.Broken = jsonValue{}, nil, jb.missing
	diags := append(jb.diags, placeAll(check.diags, f.Place)...)
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	return diags
}

// top calls visit for each top-level block of a file.
func (jb *jsonBuilder) top(root jsonValue, visit func(header, jsonValue)) {
	for p := range jb.properties(root, "hold block types") {
		name := p.name()
		if name == commentKey {
			jb.remark(p)
			continue
		}
		shape, known := jb.file.Language.Block(name)
		h := header{typ: name, from: origin{key: p.key(), property: p.span()}}
		if !known && (!IsNativeName(name) || !mayBeBlocks(p) || p.isVoid()) {
			jb.diags = append(jb.diags, unknownTopProperty(jb.file, name, jb.file.jsonRange(p.key())))
			continue
		}
		jb.unknownVoid(p, shape)
		jb.unpack(p, h, len(shape.Labels), shape.Labels, visit)
	}
}

// unknownVoid reports a property that stands for no block, of a type which the
// engine does not know. Nothing else would.
func (jb *jsonBuilder) unknownVoid(p jsonValue, shape BlockShape) {
	if f := jb.file; shape.unknown && !shape.Kept && p.isVoid() {
		jb.diags = append(jb.diags, laterProperty(f, p, shape.Engines))
	}
}

// remark keeps a comment at the root; a file is gone through more than once.
func (jb *jsonBuilder) remark(p jsonValue) {
	if n := len(jb.file.remarks); n == 0 || jb.file.remarks[n-1][0] < p.node().start {
		jb.file.remarks = append(jb.file.remarks, p.span())
	}
}

// A guess is a name in a JSON body of which nothing but the look of its value
// says whether it is an argument or a nested block.
type guess struct {
	guessKey
	at       [2]uint32
	disputed bool
}

type guessKey struct {
	path, name string
	block      bool
}

// guess notes a guess, of several alike in one top-level block the first one.
func (f *File) guess(at [2]uint32, path, name string, v verdict) {
	k := guessKey{path, name, v.block}
	if f.recent[k] {
		return
	}
	if f.recent == nil {
		f.recent = map[guessKey]bool{}
	}
	f.recent[k] = true
	f.guesses = append(f.guesses, guess{k, at, v.disputed})
}

// Guesses warns of names in JSON files of which only their look says whether
// they are arguments or nested blocks, once for each name. It asks about the
// item that has the name whether it matters.
func (m *Module) Guesses(matters func(Item) bool) hcl.Diagnostics {
	type found struct {
		first guess
		file  *File
		count int
	}
	var order []*found
	byKey := map[guessKey]*found{}
	for _, f := range m.Files {
		for _, g := range f.guesses {
			if !matters(f.holder(g.at[0])) {
				continue
			}
			if byKey[g.guessKey] == nil {
				byKey[g.guessKey] = &found{first: g, file: f}
				order = append(order, byKey[g.guessKey])
			}
			byKey[g.guessKey].count++
		}
	}
	var diags hcl.Diagnostics
	for _, x := range order {
		diags = append(diags, guessed(x.first, x.file, x.count-1))
	}
	return diags
}

// A doubt is about something in a JSON file that native syntax can't say.
type doubt struct {
	at   uint32
	diag *hcl.Diagnostic
}

// Unsayable calls visit with what native syntax can't say of the JSON files:
// the item that holds it, and an error.
func (m *Module) Unsayable(visit func(Item, *hcl.Diagnostic)) {
	for _, f := range m.Files {
		for _, d := range f.doubts {
			visit(f.holder(d.at), d.diag)
		}
	}
}

// Told is the text of the argument's value for people: in native syntax, or as JSON
// has it where native syntax can't say it.
func (a *Attr) Told() []byte {
	text := a.File.Text(a.Value())
	if a.from == nil {
		return text
	}
	doubts := a.File.doubts
	i, _ := slices.BinarySearchFunc(doubts, a.from.start(), func(d doubt, at uint32) int { return int(d.at) - int(at) })
	if i < len(doubts) && a.from.covers(doubts[i].at) {
		return a.Given()
	}
	return text
}

// holder is the innermost item of a JSON file that an offset is in, as far as
// trees are kept.
func (f *File) holder(at uint32) Item {
	i, _ := slices.BinarySearchFunc(f.origins, at+1, func(o origin, at uint32) int { return int(o.value[0]) - int(at) })
	var it Item = f.Peek(max(0, i-1))
	for {
		b, ok := it.(*Block)
		if !ok || b.Body == nil {
			return it
		}
		inner, _ := slices.BinarySearchFunc(b.Body.Items, at+1, func(it Item, at uint32) int { return int(originOf(it).start()) - int(at) })
		items := b.Body.Items
		switch {
		case inner > 0 && originOf(items[inner-1]).covers(at):
			it = items[inner-1]
		case inner < len(items) && originOf(items[inner]).key[0] <= at:
			return items[inner] // the first block behind a key
		default:
			return it
		}
	}
}

func originOf(it Item) *origin {
	if a, ok := it.(*Attr); ok {
		return a.from
	}
	return it.(*Block).from
}

// start is where an argument's name or a block's body starts.
func (o *origin) start() uint32 {
	if o.property[1] > 0 {
		return o.value[0]
	}
	return o.key[0]
}

// covers tells whether an offset is in an argument's name or value, or in a
// block's body.
func (o *origin) covers(at uint32) bool { return at >= o.start() && at < o.value[1] }
