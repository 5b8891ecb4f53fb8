package load

import (
	"github.com/hashicorp/hcl/v2"
)

// parseJSON reads a file and parses it, as far as which blocks it holds. What is
// in them is understood once all other files have been read.
func (l *loader) parseJSON(f *File) hcl.Diagnostics {
	if diags := l.read(f); diags.HasErrors() {
		return diags
	}
	root, diags := parseJSON(f)
	if diags.HasErrors() {
		return diags
	}
	if k := root.kind(); k != '{' && k != '[' {
		return hcl.Diagnostics{jsonRoot(f.jsonRange(root.span()))}
	}
	f.root = root
	seen, asked := usage{}, names{}
	newJSONBuilder(f).top(f.root, func(h header, body jsonValue) {
		b := &Block{Type: h.typ, Labels: h.labels}
		if f.Role == Override {
			f.heads = append(f.heads, b)
		}
		if topShape(h.typ).Body.isOpen() {
			seen.noteJSON(body, bodyPath(b), asked)
		}
	})
	l.note(seen, asked)
	if f.Role == Primary {
		f.root = jsonValue{doc: &jsonDoc{}} // read again when its turn comes: until then it would only take up memory
	}
	return nil
}

// jsonFile turns a file into native text and items, and judges them as those of
// a native file are judged.
func (l *loader) jsonFile(f *File) hcl.Diagnostics {
	if f.root.doc == nil {
		return nil
	}
	if f.Role == Primary {
		f.root = parseJSONAt(f, rootStart(f.Given))
	}
	f.known = l.known
	f.quote = f.LineEnd != "\n" || f.Role == Override && l.crlf
	check := &shapeCheck{file: f, engine: l.opts.Engine}
	jb := newJSONBuilder(f)
	jb.out = make([]byte, 0, len(f.Given))
	jb.top(f.root, func(h header, body jsonValue) {
		if len(jb.out) > 0 {
			jb.emit(jb.words.eol)
		}
		jb.build.keeping = l.keeps(&Block{Type: h.typ, Labels: h.labels})
		b := jb.block(nil, h, body, topShape(h.typ).Body, bodyPath(&Block{Type: h.typ, Labels: h.labels}), 0)
		jb.emit(jb.words.eol)
		f.Src = jb.out
		l.settle(b, &jb.build, check)
		jb.origins.used = 0
	})
	f.Src = jb.out
	f.root, f.heads, f.Broken = jsonValue{}, nil, jb.missing
	return append(jb.diags, f.places(check.sorted())...)
}

// top calls visit for each top-level block of a file.
func (jb *jsonBuilder) top(root jsonValue, visit func(header, jsonValue)) {
	for p := range jb.properties(root, "hold block types") {
		name := p.name()
		if name == commentKey {
			continue
		}
		shape, known := Root.Block(name)
		h := header{typ: name, from: origin{key: p.key(), property: p.span()}}
		if !known && (!isName(name) || !mayBeBlocks(p)) {
			jb.diags = append(jb.diags, unknownTopProperty(name, jb.file.jsonRange(p.key())))
			continue
		}
		jb.unpack(p, h, len(shape.Labels), shape.Labels, visit)
	}
}

// A guess is a name in a JSON body of which nothing but the look of its value
// says whether it is an argument or a nested block.
type guess struct {
	at         [2]uint32
	path, name string
	block      bool
	count      int
}

// guess notes a guess, of several alike the first one.
func (f *File) guess(at [2]uint32, path, name string, block bool) {
	for i := range f.guesses {
		if g := &f.guesses[i]; g.path == path && g.name == name && g.block == block {
			g.count++
			return
		}
	}
	f.guesses = append(f.guesses, guess{at, path, name, block, 1})
}

// Wording tells what is doubtful about the native wording of the JSON files:
// names of which only their look says whether they are arguments or nested
// blocks, as warnings, and what native syntax can't say, as errors.
func (m *Module) Wording() hcl.Diagnostics {
	type key struct {
		path, name string
		block      bool
	}
	total := map[key]int{}
	for _, f := range m.Files {
		for _, g := range f.guesses {
			total[key{g.path, g.name, g.block}] += g.count
		}
	}
	var diags hcl.Diagnostics
	for _, f := range m.Files {
		for _, g := range f.guesses {
			k := key{g.path, g.name, g.block}
			if n := total[k]; n > 0 {
				diags = append(diags, guessed(g, f, n-1))
				delete(total, k)
			}
		}
		diags = append(diags, f.unsayable...)
	}
	return diags
}
