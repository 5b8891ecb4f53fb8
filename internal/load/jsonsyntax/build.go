package jsonsyntax

import (
	"bytes"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonexpr"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A JSON file is translated to native text, and to the items of that text, so that other packages
// handle one syntax only. Each item keeps the range of its JSON text.

// A writer writes the native text of one file and builds its items.
type writer struct {
	file       *jsonFile
	classifier *Classifier
	again      *jsontree.Reader // of blocks that are built again
	values     jsonexpr.Writer
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
	sets      jsonexpr.NameSets
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
	jb.values = jsonexpr.Writer{File: f.File, Quote: f.quote, Diags: &jb.diags}
	return jb
}

// letGo lets go of all that is in use.
func (jb *writer) letGo() {
	jb.file, jb.classifier, jb.values, jb.diags = nil, nil, jsonexpr.Writer{}, nil
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
	jb.out = jsonexpr.AppendBlanks(jb.out, indent)
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
	jsonexpr.Line
	from source.Origin
}
