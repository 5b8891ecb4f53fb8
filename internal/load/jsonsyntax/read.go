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

// Read parses a JSON file and finds its blocks. It adds to seen how the file writes names, and to ambiguous the
// names that need evidence from other files. jsonFile.Translate builds the items once all other files have been
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
	newWriter().prepare(f).eachTop(f.root, func(h header, body jsontree.Value) {
		b := &source.Block{File: file, Type: h.typ, Labels: h.labels}
		if f.Role == source.Override { // Heads returns them
			f.headers = append(f.headers, b)
		}
		// In an open body, a provider defines the names; in other bodies, the names in some nested blocks.
		if shape := language.Of(f.Engine).Top(h.typ).Body; shape.IsOpen() {
			seen.noteJSON(body, providerschema.TopPath(b), ambiguous)
		} else {
			seen.noteNested(body, shape, providerschema.TopPath(b), ambiguous)
		}
	})
	if f.Role == source.Primary {
		f.root = jsontree.Value{} // Translate reads it again; kept until all files are read, it would cost memory
	}
	return nil
}

// Translate makes the native text of the file and its items, with k deciding between arguments and blocks. It calls
// take with each top-level block and its builder; the builder keeps the block's contents if keeps returns true for
// it, or if keeps is nil. With quote, the text has no heredocs.
func (f *jsonFile) Translate(k *Classifier, quote bool, keeps func(key uint64, typ string) bool,
	take func(b *source.Block, isKept bool, build *source.Builder)) hcl.Diagnostics {
	if f.Role == source.Primary {
		f.root = jsontree.NewReader(f.Raw).Root()
	}
	f.classifier, f.quote = k, quote
	jb := newWriter().prepare(f)
	jb.out = make([]byte, 0, len(f.Raw))
	// Write and build each block, with an empty line between two.
	jb.eachTop(f.root, func(h header, body jsontree.Value) {
		if len(jb.out) > 0 {
			jb.emit(f.LineEnd)
		}
		jb.writeTop(h, body)
		jb.emit(f.LineEnd)
		f.Native = jb.out
		b, isKept := jb.build.Block(&jb.described, keeps)
		take(b, isKept, &jb.build)
		clear(f.guessIndex) // guesses are reported per top-level block
	})
	f.Native = jb.out
	f.root, f.headers, f.Broken = jsontree.Value{}, nil, jb.isIncomplete
	return jb.diags
}

// eachTop calls visit for each top-level block of a file, with its type and labels and the value of its body. It
// reports properties that can't be blocks, and adds comments to the file's remarks. It is called twice for each file:
// by Read, which finds the blocks, and by Translate, which writes them.
func (jb *writer) eachTop(root jsontree.Value, visit func(header, jsontree.Value)) {
	for p := range jb.properties(root, "declare blocks") {
		name := p.Name()
		if name == commentKey {
			f, at := jb.file, p.Span()
			if n := len(f.Remarks); n == 0 || f.Remarks[n-1][0] < at[0] { // otherwise the first call added it
				f.Remarks = append(f.Remarks, at)
			}
			continue
		}
		shape, known := language.Of(jb.file.Engine).Block(name)
		h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span()}}
		// An unknown type is reported here only if the name or the value can't be a block's, or declares no block
		// (null, []). The checks of the language report the blocks of other unknown types.
		if !known && (!spelling.IsNativeName(name) || !mayBeBlocks(p) || p.IsVoid()) {
			jb.report(p.Key(), "Extraneous JSON object property",
				"%s has no top-level blocks of type \"%s\", and this value can't be a block.%s",
				jb.file.Engine.Product.Title(), diag.Escape(name), diag.DidYouMean(name, language.Of(jb.file.Engine).Types()))
			continue
		}
		jb.reportUnsupported(p, shape)
		jb.unpack(p, h, len(shape.Labels), shape.Labels, visit)
	}
}

// Heads returns the blocks of a JSON override file with types and labels only. They tell which blocks the file may
// change, which must be known before any file is translated. It returns nil once the file has been translated.
func Heads(f *source.File) []*source.Block {
	if jf := Of(f); jf != nil {
		return jf.headers
	}
	return nil
}

// A blockGuesses holds the guesses in one top-level block, and counts other blocks with the same guesses.
type blockGuesses struct {
	file      *jsonFile
	list      []guess
	sameCount int // how many other blocks have the same guesses
}

// Guesses warns of names that were guessed to be arguments or nested blocks. Guesses in the same top-level block and
// path make one warning; blocks with the same guesses share it. It leaves out guesses about items for which matters
// returns false, and names whose values are only null or [] in all files.
func Guesses(files []*source.File, matters func(source.Item) bool) hcl.Diagnostics {
	// The first pass finds the names that have a value other than null and [].
	hasOtherValue := map[[2]string]bool{} // by path and name, whether a value is neither null nor []
	eachGuess(files, func(_ *jsonFile, g guess) {
		if !g.void {
			hasOtherValue[[2]string{g.path, g.name}] = true
		}
	})
	// The second pass groups the guesses that matter by top-level block and path.
	var order []*blockGuesses
	byBlock := map[string]*blockGuesses{} // by file, start of the top-level block, and path
	eachGuess(files, func(f *jsonFile, g guess) {
		if g.void && !hasOtherValue[[2]string{g.path, g.name}] {
			return
		}
		it := f.HolderOf(g.at[0])
		if !matters(it) {
			return
		}
		b := source.Top(it)
		key := fmt.Sprintf("%s\x00%d\x00%s", b.File.Name, b.Header().Start.Byte, g.path)
		if byBlock[key] == nil {
			byBlock[key] = &blockGuesses{file: f}
			order = append(order, byBlock[key])
		}
		byBlock[key].list = append(byBlock[key].list, g)
	})
	return warnings(order)
}

// eachGuess calls visit with each guess in those of the files that are JSON.
func eachGuess(files []*source.File, visit func(*jsonFile, guess)) {
	for _, file := range files {
		if f := Of(file); f != nil {
			for _, g := range f.guesses {
				visit(f, g)
			}
		}
	}
}

// warnings returns one warning for each of blocks. Of several with the same guesses, it warns of the first and counts
// the others.
func warnings(blocks []*blockGuesses) (diags hcl.Diagnostics) {
	firstWith := map[string]*blockGuesses{} // the first block with the same guesses
	var order []*blockGuesses
	for _, b := range blocks {
		var names []string
		for _, g := range b.list {
			names = append(names, fmt.Sprintf("%q %q %v", g.path, g.name, g.block))
		}
		slices.Sort(names)
		guesses := strings.Join(names, "\n")
		if first := firstWith[guesses]; first != nil {
			first.sameCount++
			continue
		}
		firstWith[guesses] = b
		order = append(order, b)
	}
	for _, b := range order {
		diags = append(diags, warning(b))
	}
	return diags
}

// warning returns the warning about the guesses in one block. Its remedy depends on whether the user gave a schema.
func warning(b *blockGuesses) *hcl.Diagnostic {
	g, f := b.list[0], b.file
	others := ""
	if b.sameCount > 0 {
		others = fmt.Sprintf(" (%d more like it)", b.sameCount)
	}
	remedy := "To decide it, use --provider-schema FILE, made with: tofu providers schema -json > FILE. Or print " +
		"with --format json."
	// What helps depends on why the schema didn't tell.
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

// rolesText returns the part of the warning that tells what the names could be, and what tofumerge decided.
func (b *blockGuesses) rolesText() string {
	var arguments, blocks []guess
	for _, g := range b.list {
		if g.block {
			blocks = append(blocks, g)
		} else {
			arguments = append(arguments, g)
		}
	}
	// Singular or plural, for all names and for those of each kind.
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
	// All names have become one kind, or some of each.
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
	root       jsontree.Value   // the content, while it is read
	isParsed   bool             // it is well-formed JSON
	headers    []*source.Block  // of an override file until it is translated: see Heads
	quote      bool             // write no heredocs
	classifier *Classifier      // decides what its properties are
	guessIndex map[guessKey]int // indexes in guesses, plus one, of those about the current top-level block
	guesses    []guess          // in the whole file
	parts      valueParts       // a cache
}

// Of returns what Read stored about a JSON file, or nil for a native file.
func Of(f *source.File) *jsonFile {
	jf, _ := f.Translator.(*jsonFile)
	return jf
}

// A guess is a name in a JSON body of which only the form of its value told whether it is an argument or a nested
// block.
type guess struct {
	guessKey
	at       [2]uint32
	disputed bool // the schemas of several providers contradict each other
	void     bool // all its values are null or []
}

// A guessKey is what makes a guess: the path of the body, the name, and whether it was guessed to be a block.
type guessKey struct {
	path, name string
	block      bool
}

// noteGuess adds a guess about property p to guesses. It adds one for each path and name in a top-level block, which
// is void only if all its values are.
func (f *jsonFile) noteGuess(p jsontree.Value, path, name string, v decision) {
	k := guessKey{path, name, v.block}
	if n := f.guessIndex[k]; n > 0 {
		f.guesses[n-1].void = f.guesses[n-1].void && p.IsVoid()
		return
	}
	if f.guessIndex == nil {
		f.guessIndex = map[guessKey]int{}
	}
	f.guesses = append(f.guesses, guess{k, p.Key(), v.disputed, p.IsVoid()})
	f.guessIndex[k] = len(f.guesses) // its index plus 1
}

// valueParts is a cache for the parts of the argument that was looked up last, which the next look-up is mostly
// about.
type valueParts struct {
	mutex sync.Mutex
	attr  *source.Attr
	parts parts
}

// parts are marks, each of which links a part of a value's native text to its JSON text. They are ordered by their
// starts, an outer mark before those inside.
type parts struct {
	marks  []jsontree.Mark
	around []int // for each mark the index of the one around it, or -1
}

// newParts sorts marks in place, and finds the mark around each. If two marks cover the same text, the one with more
// JSON is the outer one.
func newParts(marks []jsontree.Mark) parts {
	// By start; of several that start together, the outer one first.
	slices.SortStableFunc(marks, func(a, b jsontree.Mark) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, int(b.JSON[1]-b.JSON[0])-int(a.JSON[1]-a.JSON[0]))
	})
	p := parts{marks, make([]int, len(marks))}
	around := -1 // the innermost mark so far that may hold the next one
	for i, m := range marks {
		// Go outwards, past those that end too early to hold this one.
		for around >= 0 && marks[around].End < m.End {
			around = p.around[around]
		}
		p.around[i] = around
		around = i
	}
	return p
}

// innermost returns the index of the innermost mark around text[from:to], or -1 if there is none.
func (p parts) innermost(from, to int) int {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].Start > from }) - 1
	for i >= 0 && p.marks[i].End < to {
		i = p.around[i]
	}
	return i
}

// A JSON file is translated to native text, and to the items of that text, so that other packages
// handle one syntax only. Each item keeps the range of its JSON text.

// A writer writes the native text of one JSON file, block by block, and builds the items of each. Items, positions
// and origins of a block come together in described.
type writer struct {
	file       *jsonFile
	classifier *Classifier
	reader     *jsontree.Reader      // reads blocks that are built again
	values     jsontree.NativeWriter // writes the values of arguments
	build      source.Builder        // builds each block from its description
	described  source.Description    // the items of the current top-level block, in the order of the text
	// out is the text so far, which starts at the offset base of the native text. Its end is on line, which starts
	// at the offset lineStart.
	out          []byte
	base         int
	line         int
	lineStart    int
	diags        hcl.Diagnostics   // errors, whose ranges are in the JSON text
	pending      []pendingArg      // arguments of the innermost body, to be aligned with each other: see addArgument
	pendingText  []byte            // their values, one after the other
	sets         jsontree.NameSets // empty sets, lent to each body for its names
	isIncomplete bool              // something couldn't be read, so declarations may be missing
}

// newWriter returns a writer that prepare makes ready for a file.
func newWriter() *writer {
	return &writer{reader: jsontree.NewReader(nil)}
}

// prepare makes the writer ready for a file, and returns it.
func (jb *writer) prepare(f *jsonFile) *writer {
	jb.file, jb.classifier = f, f.classifier
	jb.reader.Reset(f.Raw)
	jb.line = 1
	jb.build.For(f.File)
	jb.values = jsontree.NativeWriter{File: f.File, Quote: f.quote, Diags: &jb.diags}
	return jb
}

// release lets go of the file and everything in it, so that a pooled writer keeps none of it in memory.
func (jb *writer) release() {
	jb.file, jb.classifier, jb.values, jb.diags = nil, nil, jsontree.NativeWriter{}, nil
	jb.reader.Reset(nil)
	jb.build.For(nil)
}

// writers is a pool for Grow, which is mostly called for one block after the other.
var writers = sync.Pool{New: func() any { return newWriter() }}

// report adds an error about a range of the JSON text.
func (jb *writer) report(at [2]uint32, title, format string, args ...any) {
	jb.diags = append(jb.diags, diag.New(jb.file.RawRange(at), title, format, args...))
}

// emit appends text, which may have line ends, to the native text.
func (jb *writer) emit(text string) {
	jb.out = append(jb.out, text...)
	jb.countLines(len(text))
}

// countLines updates line and lineStart for the last length bytes of the native text.
func (jb *writer) countLines(length int) {
	if n := bytes.Count(jb.out[len(jb.out)-length:], []byte{'\n'}); n > 0 {
		jb.line += n
		jb.lineStart = jb.base + bytes.LastIndexByte(jb.out, '\n') + 1
	}
}

// emitLine starts a new line with indent blanks.
func (jb *writer) emitLine(indent int) {
	jb.emit(jb.file.LineEnd)
	jb.out = jsontree.AppendBlanks(jb.out, indent)
}

// here returns the position at the end of the text so far. Its column counts bytes instead of characters, which
// suffices to find the JSON text again.
func (jb *writer) here() outline.Place {
	end := jb.base + len(jb.out)
	return outline.Place{Line: uint32(jb.line), Column: uint32(end - jb.lineStart + 1), Byte: uint32(end)}
}

// emitSpan appends text, and returns where it is.
func (jb *writer) emitSpan(text string) outline.Span {
	start := jb.here()
	jb.emit(text)
	return outline.Span{Start: start, End: jb.here()}
}

// A header is the type and the labels of a block, and the JSON text that they are from.
type header struct {
	typ    string
	labels []string
	from   source.Origin
}

// A pendingArg is an argument that waits until its neighbours are known, to be aligned with them.
type pendingArg struct {
	jsontree.Line
	from source.Origin
}

// Messages about JSON.

// VoidBlock returns the warning about null or [] in an override file where nested blocks are expected.
func VoidBlock(name string, at hcl.Range) *hcl.Diagnostic {
	d := diag.WithCode(diag.NoEffect, diag.New(at, "Override has no effect",
		"\"%s\" is a block type here, and this value declares no block. Blocks of earlier files stay unchanged.",
		diag.Escape(name)))
	d.Severity = hcl.DiagWarning
	return d
}

// pathWords words the path of a body for a message: "resource aws_instance", or "root of resource aws_instance" for
// a nested block.
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

// namesOf returns the first maxGuessed names of guesses in quotes, and how many more there are.
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
