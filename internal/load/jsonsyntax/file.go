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
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A jsonFile is a JSON file that is translated to native text and items.
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

// guess records a guess; identical guesses in one top-level block are recorded once.
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

// valueParts is where the parts of value that was looked up last are in its native text.
type valueParts struct {
	mutex sync.Mutex
	of    *source.Attr
	parts parts
}

// parts are marks in the order of their starts, those around others before them, and of
// each the one around it, -1 for none.
type parts struct {
	marks []jsontree.Mark
	outer []int
}

func newParts(marks []jsontree.Mark) parts {
	slices.SortStableFunc(marks, func(a, b jsontree.Mark) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, int(b.JSON[1]-b.JSON[0])-int(a.JSON[1]-a.JSON[0]))
	})
	p := parts{marks, make([]int, len(marks))}
	last := -1
	for i, m := range marks {
		for last >= 0 && marks[last].End < m.End {
			last = p.outer[last]
		}
		p.outer[i], last = last, i
	}
	return p
}

// around returns the innermost mark around a stretch, or -1 if there is none.
func (p parts) around(from, to int) int {
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

// open has the writer write another file, and returns the writer.
func (jb *writer) open(f *jsonFile) *writer {
	jb.file, jb.classifier = f, f.classifier
	jb.again.Reset(f.Raw)
	jb.line = 1
	jb.build.For(f.File)
	jb.values = jsontree.NativeWriter{File: f.File, Quote: f.quote, Diags: &jb.diags}
	return jb
}

// letGo lets go of all that is in use.
func (jb *writer) letGo() {
	jb.file, jb.classifier, jb.values, jb.diags = nil, nil, jsontree.NativeWriter{}, nil
	jb.again.Reset(nil)
	jb.build.For(nil)
}

// writers are those for blocks that are built again, most often one after the other.
var writers = sync.Pool{New: func() any { return newWriter() }}

// report adds an error about a stretch of the JSON text.
func (jb *writer) report(at [2]uint32, title, format string, args ...any) {
	jb.diags = append(jb.diags, diag.New(jb.file.RawRange(at), title, format, args...))
}

func (jb *writer) emit(text string) {
	jb.out = append(jb.out, text...)
	jb.count(len(text))
}

// count updates the line number after length bytes were written.
func (jb *writer) count(length int) {
	if n := bytes.Count(jb.out[len(jb.out)-length:], []byte{'\n'}); n > 0 {
		jb.line += n
		jb.lineStart = jb.base + bytes.LastIndexByte(jb.out, '\n') + 1
	}
}

func (jb *writer) emitLine(indent int) {
	jb.emit(jb.file.LineEnd)
	jb.out = jsontree.AppendBlanks(jb.out, indent)
}

// at is the position at the end of the text written so far. Its column is in bytes, which suffices
// to find the JSON text again.
func (jb *writer) at() outline.Place {
	end := jb.base + len(jb.out)
	return outline.Place{Line: uint32(jb.line), Column: uint32(end - jb.lineStart + 1), Byte: uint32(end)}
}

// mark writes text and returns where it is.
func (jb *writer) mark(text string) outline.Span {
	start := jb.at()
	jb.emit(text)
	return outline.Span{Start: start, End: jb.at()}
}

// A header is the type and the labels of a block, and where they are from.
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

// VoidBlock warns of a null or [] where nested blocks are expected.
func VoidBlock(name string, at hcl.Range) *hcl.Diagnostic {
	d := diag.WithCode(diag.NoEffect, diag.New(at, "Override has no effect",
		"\"%s\" is a block type here, and this value declares no block. Blocks of earlier files stay unchanged.",
		diag.Escape(name)))
	d.Severity = hcl.DiagWarning
	return d
}

// pathWords describes the body of a path: "resource aws_instance", "root of resource
// aws_instance".
func pathWords(path string) string {
	parts := strings.SplitN(path, "/", 3)
	words := diag.Escape(strings.Join(parts[:min(2, len(parts))], " "))
	if len(parts) == 3 {
		words = diag.Escape(strings.ReplaceAll(parts[2], "/", ".")) + " of " + words
	}
	return words
}

// maxGuessed is how many names a warning has.
const maxGuessed = 5

// namesOf lists the names of guesses, of many the first ones.
func namesOf(list []guess) string {
	var names []string
	for _, g := range list[:min(len(list), maxGuessed)] {
		names = append(names, "\""+diag.Escape(g.name)+"\"")
	}
	if more := len(list) - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}
