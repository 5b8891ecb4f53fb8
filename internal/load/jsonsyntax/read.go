// Package jsonsyntax reads JSON configuration as native items.
//
// Given a file of JSON, it returns its native text and the items of that text, each with the range
// of the JSON text that it is from. Whether a property is an argument or a nested block is decided
// here, once, by a Classifier: by the provider's schema, by the evidence of other files of the
// module, or by the look of the value, which is a guess that Guesses reports. Anything that native
// syntax can't express is recorded as inexpressible.
//
// Files are handled in two steps, since evidence is needed from all of them: Read parses a file and
// collects its evidence, File.Translate makes native text and items.
//
// Package jsontree reads the text, and package providerschema the schemas. Text that is not JSON is
// refused with its range and a hint.
package jsonsyntax

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// IsWellFormed reports whether Read found a file to be JSON.
func IsWellFormed(f *source.File) bool {
	jf := Of(f)
	return jf != nil && jf.isParsed
}

// Read parses a JSON file and finds its blocks. It adds to seen how the file uses names, and to ambiguous
// the names that need evidence from other files. Translate builds the items once all other files have been
// read.
func Read(file *source.File, seen Evidence, ambiguous Ambiguous) hcl.Diagnostics {
	f := &jsonFile{File: file}
	file.Translator = f
	root, diags := jsontree.Parse(file)
	if diags.HasErrors() {
		return diags
	}
	if k := root.Kind(); k != '{' && k != '[' {
		return hcl.Diagnostics{diag.New(f.RawRange(root.Span()), "Incorrect JSON value type",
			"A configuration file must be an object whose properties are block types, or an array of such objects.")}
	}
	f.root, f.isParsed = root, true
	newWriter().open(f).eachTop(f.root, func(h header, body jsontree.Value) {
		b := &source.Block{File: file, Type: h.typ, Labels: h.labels}
		if f.Role == source.Override {
			f.heads = append(f.heads, b)
		}
		if shape := language.Of(f.Engine).Top(h.typ).Body; shape.IsOpen() {
			seen.noteJSON(body, providerschema.TopPath(b), ambiguous)
		} else {
			seen.noteNested(body, shape, providerschema.TopPath(b), ambiguous)
		}
	})
	if f.Role == source.Primary {
		f.root = jsontree.Value{} // read again in its turn: until then it would only take memory
	}
	return nil
}

// Translate turns a file that was read into native text and items. It calls take with each top-level block
// and its builder, which keeps the tree if keeps reports true for the block, or if keeps is nil. With quote
// it writes no heredocs.
func (f *jsonFile) Translate(k *Classifier, quote bool, keeps func(key uint64, typ string) bool,
	take func(b *source.Block, isKept bool, build *source.Builder)) hcl.Diagnostics {
	if f.Role == source.Primary {
		f.root = jsontree.NewReader(f.Raw).Root()
	}
	f.classifier, f.quote = k, quote
	jb := newWriter().open(f)
	jb.out = make([]byte, 0, len(f.Raw))
	jb.eachTop(f.root, func(h header, body jsontree.Value) {
		if len(jb.out) > 0 {
			jb.emit(f.LineEnd)
		}
		jb.writeTop(h, body)
		jb.emit(f.LineEnd)
		f.Native = jb.out
		b, isKept := jb.build.Block(&jb.list, keeps)
		take(b, isKept, &jb.build)
		clear(f.recent)
	})
	f.Native = jb.out
	f.root, f.heads, f.Broken = jsontree.Value{}, nil, jb.missing
	return jb.diags
}

// eachTop calls visit for each top-level block of a file, and reports properties that can't be blocks.
// Comments go to the file's remarks.
func (jb *writer) eachTop(root jsontree.Value, visit func(header, jsontree.Value)) {
	for p := range jb.properties(root, "declare blocks") {
		name := p.Name()
		if name == commentKey {
			f, at := jb.file, p.Span()
			if n := len(f.Remarks); n == 0 || f.Remarks[n-1][0] < at[0] { // else the first reading found it
				f.Remarks = append(f.Remarks, at)
			}
			continue
		}
		shape, known := language.Of(jb.file.Engine).Block(name)
		h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span()}}
		if !known && (!spelling.IsNativeName(name) || !mayBeBlocks(p) || p.IsVoid()) {
			jb.report(p.Key(), "Extraneous JSON object property",
				"%s has no top-level blocks of type \"%s\", and this value can't be a block.%s",
				jb.file.Engine.Product.Title(), diag.Escape(name), diag.DidYouMean(name, language.Of(jb.file.Engine).Types()))
			continue
		}
		jb.unknownVoid(p, shape)
		jb.unpack(p, h, len(shape.Labels), shape.Labels, visit)
	}
}

// Heads returns the blocks of a JSON override file with nothing but types and labels: what the file may
// change has to be known before it can be translated. It returns nil once the file has been translated.
func Heads(f *source.File) []*source.Block {
	if jf := Of(f); jf != nil {
		return jf.heads
	}
	return nil
}

// A blockGuesses holds the guesses in one block, and counts the other blocks with the same guesses.
type blockGuesses struct {
	file *jsonFile
	list []guess
	more int
}

// Guesses warns of the guesses in files, once for each block, and once for all blocks with the same
// guesses. It leaves out guesses about items for which matters reports false, and null and [] if no file
// has blocks with that name.
func Guesses(files []*source.File, matters func(source.Item) bool) hcl.Diagnostics {
	mayBeBlocks := map[[2]string]bool{}
	eachGuess(files, func(_ *jsonFile, g guess) {
		if !g.void {
			mayBeBlocks[[2]string{g.path, g.name}] = true
		}
	})
	var order []*blockGuesses
	byBlock := map[string]*blockGuesses{}
	eachGuess(files, func(f *jsonFile, g guess) {
		if g.void && !mayBeBlocks[[2]string{g.path, g.name}] {
			return
		}
		it := f.HolderOf(g.at[0])
		if !matters(it) {
			return
		}
		b := source.Top(it)
		own := fmt.Sprintf("%s\x00%d\x00%s", b.File.Name, b.Header().Start.Byte, g.path)
		if byBlock[own] == nil {
			byBlock[own] = &blockGuesses{file: f}
			order = append(order, byBlock[own])
		}
		byBlock[own].list = append(byBlock[own].list, g)
	})
	return warnings(order)
}

// eachGuess calls visit with each guess in the JSON files among files.
func eachGuess(files []*source.File, visit func(*jsonFile, guess)) {
	for _, file := range files {
		if f := Of(file); f != nil {
			for _, g := range f.guesses {
				visit(f, g)
			}
		}
	}
}

// warnings returns one warning for each block, but only the first block's if several have the same guesses.
func warnings(blocks []*blockGuesses) (diags hcl.Diagnostics) {
	known := map[string]*blockGuesses{}
	var order []*blockGuesses
	for _, b := range blocks {
		var names []string
		for _, g := range b.list {
			names = append(names, fmt.Sprintf("%q %q %v", g.path, g.name, g.block))
		}
		slices.Sort(names)
		same := strings.Join(names, "\n")
		if first := known[same]; first != nil {
			first.more++
			continue
		}
		known[same] = b
		order = append(order, b)
	}
	for _, b := range order {
		diags = append(diags, warning(b))
	}
	return diags
}

// warning words the warning about the guesses in one block. The remedy depends on the schema that was
// given.
func warning(b *blockGuesses) *hcl.Diagnostic {
	g, f := b.list[0], b.file
	others := ""
	if b.more > 0 {
		others = fmt.Sprintf(" (%d more like it)", b.more)
	}
	remedy := "To decide it, use --provider-schema FILE, made with: tofu providers schema -json > FILE. Or print " +
		"with --format json."
	switch {
	case g.disputed:
		remedy = "The schemas of several providers contradict each other here. Make the schema from the providers " +
			"of this module only, or print with --format json."
	case f.classifier.Schema != nil:
		remedy = "The file of --provider-schema doesn't contain the name. Generate it again from all providers of the module, " +
			"or print with --format json."
		if strings.HasPrefix(g.path, "provider/") {
			remedy += " A provider configuration is found by the provider's type, not by a local name that differs " +
				"from it."
		}
	}
	what := fmt.Sprintf("In JSON, %s of %s could be %s", namesOf(b.list), pathWords(g.path), b.rolesText())
	d := diag.New(f.RawRange(g.at), "Argument or nested block", "%s%s. %s", what, others, remedy)
	d.Severity = hcl.DiagWarning
	return d
}

// rolesText says what the names could be, and for what tofumerge takes each.
func (b *blockGuesses) rolesText() string {
	var arguments, blocks []guess
	for _, g := range b.list {
		if g.block {
			blocks = append(blocks, g)
		} else {
			arguments = append(arguments, g)
		}
	}
	could, them := "arguments or nested blocks", "them"
	asArguments, asBlocks := "arguments", "nested blocks"
	if len(b.list) == 1 {
		could, them = "an argument or a nested block", "it"
	}
	if len(arguments) == 1 {
		asArguments = "an argument"
	}
	if len(blocks) == 1 {
		asBlocks = "a nested block"
	}
	switch {
	case len(blocks) == 0:
		return fmt.Sprintf("%s; tofumerge takes %s for %s", could, them, asArguments)
	case len(arguments) == 0:
		return fmt.Sprintf("%s; tofumerge takes %s for %s", could, them, asBlocks)
	}
	return fmt.Sprintf("%s; tofumerge takes %s for %s, %s for %s", could, namesOf(arguments), asArguments, namesOf(blocks), asBlocks)
}

// A jsonFile translates a JSON file to native text and items.
type jsonFile struct {
	*source.File
	root       jsontree.Value   // while it is read
	isParsed   bool             // it is well-formed
	heads      []*source.Block  // of an override file, types and labels of its blocks, while it is read
	quote      bool             // its text has no heredocs
	classifier *Classifier      // decides what its properties are
	recent     map[guessKey]int // guesses about the block at hand
	guesses    []guess          // the same, of the whole file
	parts      valueParts
}

// Of returns what Read made of a file; nil for a native one.
func Of(f *source.File) *jsonFile {
	jf, _ := f.Translator.(*jsonFile)
	return jf
}

// A guess is a name in a JSON body that was taken for an argument or a nested block
// by the look of its value alone.
type guess struct {
	guessKey
	at       [2]uint32
	disputed bool
	void     bool // all its values are null or []
}

type guessKey struct {
	path, name string
	block      bool
}

// guess keeps a guess for Guesses; identical guesses in one top-level block are kept once.
func (f *jsonFile) guess(p jsontree.Value, path, name string, v decision) {
	k := guessKey{path, name, v.block}
	if n := f.recent[k]; n > 0 {
		f.guesses[n-1].void = f.guesses[n-1].void && p.IsVoid()
		return
	}
	if f.recent == nil {
		f.recent = map[guessKey]int{}
	}
	f.guesses = append(f.guesses, guess{k, p.Key(), v.disputed, p.IsVoid()})
	f.recent[k] = len(f.guesses)
}

// valueParts remembers the parts of the value that was looked up last.
type valueParts struct {
	mutex sync.Mutex
	of    *source.Attr
	parts parts
}

// parts are the marks of one value, ordered by their starts, an outer mark before those inside.
type parts struct {
	marks []jsontree.Mark
	outer []int // for each mark the index of the one around it, or -1
}

// newParts sorts marks, which it keeps, and finds the mark around each. Of marks for one stretch of text
// the one with more JSON is the outer one.
func newParts(marks []jsontree.Mark) parts {
	slices.SortStableFunc(marks, func(a, b jsontree.Mark) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, int(b.JSON[1]-b.JSON[0])-int(a.JSON[1]-a.JSON[0]))
	})
	p := parts{marks, make([]int, len(marks))}
	last := -1 // the innermost mark so far that may go on
	for i, m := range marks {
		for last >= 0 && marks[last].End < m.End {
			last = p.outer[last]
		}
		p.outer[i], last = last, i
	}
	return p
}

// innermost returns the index of the innermost mark around a stretch, or -1 if there is none.
func (p parts) innermost(from, to int) int {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].Start > from }) - 1
	for i >= 0 && p.marks[i].End < to {
		i = p.outer[i]
	}
	return i
}

// A JSON file is translated to native text, and to the items of that text, so that other packages
// handle one syntax only. Each item keeps the range of its JSON text.

// A writer writes the native text of one file and builds its items.
type writer struct {
	file       *jsonFile
	classifier *Classifier
	again      *jsontree.Reader // of blocks that are built again
	values     jsontree.NativeWriter
	build      source.Builder
	list       source.Description // of the block at hand
	// out is the text so far, which starts at the offset base, with the line and
	// the start of the line that its end is on.
	out       []byte
	base      int
	line      int
	lineStart int
	diags     hcl.Diagnostics // ranges are in the JSON text
	run       []pendingArg    // arguments of the innermost body that wait for their neighbours
	scratch   []byte          // their values
	sets      jsontree.NameSets
	missing   bool // something could not be read as required
}

func newWriter() *writer {
	return &writer{again: jsontree.NewReader(nil)}
}

// open prepares the writer for a file, and returns it.
func (jb *writer) open(f *jsonFile) *writer {
	jb.file, jb.classifier = f, f.classifier
	jb.again.Reset(f.Raw)
	jb.line = 1
	jb.build.For(f.File)
	jb.values = jsontree.NativeWriter{File: f.File, Quote: f.quote, Diags: &jb.diags}
	return jb
}

// release releases the file and everything of it, so that a pooled writer keeps none in memory.
func (jb *writer) release() {
	jb.file, jb.classifier, jb.values, jb.diags = nil, nil, jsontree.NativeWriter{}, nil
	jb.again.Reset(nil)
	jb.build.For(nil)
}

// writers are for Grow, which is mostly called for one block after the other.
var writers = sync.Pool{New: func() any { return newWriter() }}

// report adds an error about a stretch of the JSON text.
func (jb *writer) report(at [2]uint32, title, format string, args ...any) {
	jb.diags = append(jb.diags, diag.New(jb.file.RawRange(at), title, format, args...))
}

// emit appends text that may contain line ends.
func (jb *writer) emit(text string) {
	jb.out = append(jb.out, text...)
	jb.count(len(text))
}

// count updates the line number for the last length bytes of the text.
func (jb *writer) count(length int) {
	if n := bytes.Count(jb.out[len(jb.out)-length:], []byte{'\n'}); n > 0 {
		jb.line += n
		jb.lineStart = jb.base + bytes.LastIndexByte(jb.out, '\n') + 1
	}
}

// emitLine starts a new line with so many blanks.
func (jb *writer) emitLine(indent int) {
	jb.emit(jb.file.LineEnd)
	jb.out = jsontree.AppendBlanks(jb.out, indent)
}

// end returns the position at the end of the text written so far. Its column counts bytes, which suffices to
// find the JSON text again.
func (jb *writer) end() outline.Place {
	end := jb.base + len(jb.out)
	return outline.Place{Line: uint32(jb.line), Column: uint32(end - jb.lineStart + 1), Byte: uint32(end)}
}

// emitSpan writes text and returns the span that it takes.
func (jb *writer) emitSpan(text string) outline.Span {
	start := jb.end()
	jb.emit(text)
	return outline.Span{Start: start, End: jb.end()}
}

// A header is the type and the labels of a block, and the JSON text that they are from.
type header struct {
	typ    string
	labels []string
	from   source.Origin
}

// A pendingArg is an argument that waits for its neighbours, to be laid out in
// columns with them.
type pendingArg struct {
	jsontree.Line
	from source.Origin
}

// Messages about JSON.

// VoidBlock warns of a null or [] in an override file where nested blocks are expected.
func VoidBlock(name string, at hcl.Range) *hcl.Diagnostic {
	d := diag.WithCode(diag.NoEffect, diag.New(at, "Override has no effect",
		"\"%s\" is a block type here, and this value declares no block. Blocks of earlier files stay unchanged.",
		diag.Escape(name)))
	d.Severity = hcl.DiagWarning
	return d
}

// pathWords names the body with a path for people: "resource aws_instance", or "root of resource
// aws_instance" for a nested one.
func pathWords(path string) string {
	parts := strings.SplitN(path, "/", 3)
	words := diag.Escape(strings.Join(parts[:min(2, len(parts))], " "))
	if len(parts) == 3 {
		words = diag.Escape(strings.ReplaceAll(parts[2], "/", ".")) + " of " + words
	}
	return words
}

// maxGuessed is how many names a warning lists.
const maxGuessed = 5

// namesOf lists the first maxGuessed names of guesses, quoted, and counts the rest.
func namesOf(list []guess) string {
	var names []string
	for _, g := range list[:min(len(list), maxGuessed)] {
		names = append(names, "\""+diag.Escape(g.name)+"\"")
	}
	if more := len(list) - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return diag.Joined(names, "and")
}
