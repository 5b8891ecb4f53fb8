package load

import (
	"github.com/hashicorp/hcl/v2"
)

// A jsonFile is what is known of a JSON file besides its native text and its items.
// It translates the file.
type jsonFile struct {
	*File
	root     jsonValue         // while it is read
	isParsed bool              // it is well-formed
	heads    []*Block          // of an override file, types and labels of its blocks, while it is read
	quote    bool              // its text has no heredocs
	known    *known            // what tells its arguments from nested blocks
	recent   map[guessKey]bool // guesses about the block at hand
	guesses  []guess           // which of them nothing tells apart
	parts    valueParts
}

// jsonOf is what is known of a JSON file; nil for a native file.
func jsonOf(f *File) *jsonFile {
	jf, _ := f.Translator().(*jsonFile)
	return jf
}

// isWellFormed tells whether a file is JSON that was read.
func isWellFormed(f *File) bool {
	jf := jsonOf(f)
	return jf != nil && jf.isParsed
}

// readJSON reads a file as far as which blocks it holds, and notes how it uses names.
// What is in the blocks is understood once all other files have been read.
func readJSON(file *File, seen usage, asked openNames) hcl.Diagnostics {
	f := &jsonFile{File: file}
	file.SetTranslator(f)
	root, diags := parseJSON(file)
	if diags = append(diags, checkJSONNumbers(file.Given, file.GivenRange)...); diags.HasErrors() {
		return diags
	}
	if k := root.kind(); k != '{' && k != '[' {
		return hcl.Diagnostics{jsonRoot(f.GivenRange(root.span()))}
	}
	f.root, f.isParsed = root, true
	newJSONBuilder(f).top(f.root, func(h header, body jsonValue) {
		b := &Block{File: file, Type: h.typ, Labels: h.labels}
		if f.Role == Override {
			f.heads = append(f.heads, b)
		}
		if shape := LanguageOf(f.Engine).top(h.typ).Body; shape.isOpen() {
			seen.noteJSON(body, bodyPath(b), asked)
		} else {
			seen.noteNested(body, shape, bodyPath(b), asked)
		}
	})
	if f.Role == Primary {
		f.root = jsonValue{} // read again when its turn comes: until then it would only take up memory
	}
	return nil
}

// translate turns a file that was read into native text and items. It asks of each
// top-level block whether its tree is kept, and hands the blocks over one by one.
func (f *jsonFile) translate(k *known, quote bool, keeps func(*Block) bool, take func(*Block, *Builder)) hcl.Diagnostics {
	if f.Role == Primary {
		f.root = parseJSONAt(f.File, RootStart(f.Given))
	}
	f.known, f.quote = k, quote
	jb := newJSONBuilder(f)
	jb.out = make([]byte, 0, len(f.Given))
	jb.top(f.root, func(h header, body jsonValue) {
		if len(jb.out) > 0 {
			jb.emit(f.LineEnd)
		}
		head := &Block{File: f.File, Type: h.typ, Labels: h.labels}
		jb.build.Keeping = keeps(head)
		b := jb.block(nil, h, body, LanguageOf(f.Engine).top(h.typ).Body, bodyPath(head), 0)
		jb.emit(f.LineEnd)
		f.Src = jb.out
		take(b, jb.build)
		clear(f.recent)
	})
	f.Src = jb.out
	f.root, f.heads, f.Broken = jsonValue{}, nil, jb.missing
	return jb.diags
}

// top calls visit for each top-level block of a file.
func (jb *jsonBuilder) top(root jsonValue, visit func(header, jsonValue)) {
	for p := range jb.properties(root, "hold block types") {
		name := p.name()
		if name == commentKey {
			jb.file.AddRemark(p.span())
			continue
		}
		shape, known := LanguageOf(jb.file.Engine).Block(name)
		h := header{typ: name, from: origin{key: p.key(), property: p.span()}}
		if !known && (!IsNativeName(name) || !mayBeBlocks(p) || p.isVoid()) {
			jb.diags = append(jb.diags, unknownTopProperty(jb.file.File, name, jb.file.GivenRange(p.key())))
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
		jb.diags = append(jb.diags, laterProperty(f.File, p, shape.Engines))
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
func (f *jsonFile) guess(at [2]uint32, path, name string, v verdict) {
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

// jsonGuesses warns of guesses in files, once for each name. It asks about the item
// that has the name whether it matters.
func jsonGuesses(files []*File, matters func(Item) bool) hcl.Diagnostics {
	type found struct {
		first guess
		file  *jsonFile
		count int
	}
	var order []*found
	byKey := map[guessKey]*found{}
	for _, file := range files {
		f := jsonOf(file)
		if f == nil {
			continue
		}
		for _, g := range f.guesses {
			if !matters(f.HolderOf(g.at[0])) {
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

// headsOf are the types and labels of the blocks of a JSON file, while it is read.
func headsOf(f *File) []*Block {
	if jf := jsonOf(f); jf != nil {
		return jf.heads
	}
	return nil
}
