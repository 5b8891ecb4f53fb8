// Package relocate rewrites a tool's output about a flattened copy of modules so that it names the
// originals: the lines that people can correct, in override files if those made them.
//
// With the maps of the flattened files, it replaces names and numbers in the output and keeps
// everything else byte for byte. Text is passed on as it comes, line by line; a document in SARIF
// or in the JSON of known tools as a whole. Table shapes holds the objects of JSON that are
// locations. Locations without an origin are totalled. The package reads no files and knows no
// modules.
package relocate

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

// A File is a flattened file: the result of a merge, whose lines come from several original files.
type File struct {
	Text  []byte
	Lines func() sourcemap.Lines // called only for locations with a line
	// Original returns the text of a file of the original module.
	Original func(name string) []byte

	lines  [][]byte            // of Text, once they are needed
	origin map[string][][]byte // lines of original files, by name
}

// A Mapper finds the originals of locations in a tool's output. Several writers may use it at once.
type Mapper struct {
	// Copy is the prefix of paths in the copy. Without it they are paths of the original.
	Copy string
	// File returns the flattened file that a name printed by a tool means; nil for any other file.
	File func(name string) *File

	mutex    sync.Mutex
	unmapped int
}

// Unmapped returns how many locations had no origin.
func (m *Mapper) Unmapped() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.unmapped
}

// A span is a range of lines in an original file; a location in the flattened file becomes a location of it.
type span struct {
	name        string // of the file, without directories
	first, last int
}

// mostLines is the maximum number of lines of a finding that are traced, so that many long findings take
// little time.
const mostLines = 1 << 14

// trace returns where the lines first to last of the flattened file come from: one span for each original file,
// beginning with the file of the first line. There are none for lines that the file doesn't have, nor for
// lines without an origin.
func (f *File) trace(first, last int) (list []span) {
	lines := f.Lines()
	last = max(first, min(last, first+mostLines)) // at least one line, and not too many
	last = min(last, len(lines))
	for n := first; n > 0 && n <= last; n++ {
		for _, o := range lines[n-1] {
			list = join(list, span{o.File, o.Line, o.Line})
		}
	}
	return list
}

// join extends the span for a file by more lines, or adds one.
func join(list []span, more span) []span {
	for i := range list {
		if list[i].name == more.name {
			list[i].first, list[i].last = min(list[i].first, more.first), max(list[i].last, more.last)
			return list
		}
	}
	return append(list, more)
}

// column converts a column of a line in the flattened file to a column of line toLine in the original file to.name;
// all count from 1. It counts characters that aren't blanks, because the merge may align a line differently, and the
// original line may contain more text around it. If that line lacks the text, it returns the column of its first
// character.
func (f *File) column(line, column int, to span, toLine int) int {
	original, flattened := lineOf(f.originalLines(to.name), toLine), lineOf(f.ownLines(), line)
	if original == nil || bytes.Equal(original, flattened) || column < 1 {
		return column // there is nothing to convert, or to compare with
	}
	if column <= leadingBlanks(flattened) { // in the indentation: at most the first character of the original
		return min(column, leadingBlanks(original)+1)
	}
	// Below, only characters that aren't blanks count. start is how many of the original precede the flattened text.
	start := bytes.Index(squeezed(original), squeezed(flattened))
	if start < 0 {
		return leadingBlanks(original) + 1
	}
	// Of the original, skip these, and as many as there are before the column in the flattened line.
	toSkip := start + len(squeezed(flattened[:min(column-1, len(flattened))]))
	for i, c := range original {
		if isBlank(c) {
			continue
		}
		if toSkip == 0 {
			return i + 1
		}
		toSkip--
	}
	return len(original) + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// squeezed returns a copy of a text without its blanks.
func squeezed(text []byte) []byte {
	return slices.DeleteFunc(slices.Clone(text), isBlank)
}

func leadingBlanks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// ownLines returns the lines of the flattened file, split once.
func (f *File) ownLines() [][]byte {
	if f.lines == nil {
		f.lines = bytes.SplitAfter(f.Text, []byte("\n"))
	}
	return f.lines
}

// originalLines returns the lines of an original file, read once.
func (f *File) originalLines(name string) [][]byte {
	if lines, isKnown := f.origin[name]; isKnown {
		return lines
	}
	if f.origin == nil {
		f.origin = map[string][][]byte{}
	}
	f.origin[name] = bytes.SplitAfter(f.Original(name), []byte("\n"))
	return f.origin[name]
}

// offset returns the offset in an original file, from 0, of a line and column, which count from 1.
func (f *File) offset(name string, line, column int) int {
	lines := f.originalLines(name)
	before := lines[:min(max(line-1, 0), len(lines))] // the lines above it
	n := column - 1
	for _, text := range before {
		n += len(text)
	}
	return n
}

// lineOf returns a line, counted from 1, without its end; nil if there is none.
func lineOf(lines [][]byte, number int) []byte {
	if number < 1 || number > len(lines) {
		return nil
	}
	return bytes.TrimRight(lines[number-1], "\r\n")
}

// withBase replaces the file name at the end of a path by base. A path of Windows gets slashes.
func withBase(name, base string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	return name[:len(name)-len(path.Base(name))] + base
}

// withoutCopy removes the prefix of the copy's directory from all paths in a text, also in URLs: what is left are
// paths of the original.
func (m *Mapper) withoutCopy(text []byte) []byte {
	if m.Copy == "" {
		return text
	}
	for _, copied := range []string{m.Copy, (&url.URL{Path: m.Copy}).EscapedPath()} {
		if bytes.Contains(text, []byte(copied)) { // without, the text would be copied
			text = bytes.ReplaceAll(text, []byte(copied), nil)
		}
	}
	return text
}

// Limits of the examined text.
const (
	longestLine = 1 << 20
	sniffed     = 64 << 10 // bytes of a stream after which its form is decided
)

// longestDoc is the maximum length of a document that is mapped. Tests lower it.
var longestDoc = 256 << 20

// A Form is the format of a stream.
type Form int

// The forms.
const (
	Auto Form = iota // decided by the beginning of the stream
	Text
	JSON // with SARIF
)

// A Writer passes on a tool's output, with the locations of the originals. Close passes on what is still held
// back.
type Writer struct {
	to     io.Writer
	mapper *Mapper
	form   Form

	mutex  sync.Mutex // the timer writes, too
	buffer []byte     // a document so far, or the beginning that will decide about the form
	line   []byte     // the last line, which isn't complete yet
	isLong bool       // the beginning of a very long line was passed on unmapped
	quoted quotation
	escape func(name string) string // nil before the first line that isn't blank
	timer  *time.Timer
	err    error
	// unmapped says why a document isn't mapped.
	unmapped error
}

// NewWriter returns a writer that maps output in a form and passes it on to another one.
func (m *Mapper) NewWriter(to io.Writer, form Form) *Writer {
	return &Writer{to: to, mapper: m, form: form}
}

// Write passes on a text line by line. It holds back a JSON document until Close. With Auto, it also holds back the
// beginning of the output until the form is clear. A document that gets too long is passed on unmapped.
func (w *Writer) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case w.unmapped != nil:
		w.pass(text)
	case w.form == Text:
		w.writeLines(text)
	default:
		w.buffer = append(w.buffer, text...)
		if w.form == Auto {
			if w.form = formOf(w.buffer, false); w.form == Text {
				w.release()
			}
		}
		if len(w.buffer) > longestDoc {
			w.unmapped = errTooLong
			w.pass(w.buffer)
			w.buffer = nil
		}
	}
	return len(text), w.err
}

// release passes on the buffered text as lines.
func (w *Writer) release() {
	text := w.buffer
	w.buffer = nil
	w.writeLines(text)
}

// writeLines passes on complete lines. An incomplete one is passed on when nothing follows for a while, because it may
// be a question to the user. If it may end inside a location ("main.tf:1"), it waits for the rest of the line.
func (w *Writer) writeLines(text []byte) {
	var out []byte
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		isWhole := end > 0
		if !isWhole {
			end = len(text)
		}
		w.line = append(w.line, text[:end]...)
		text = text[end:]
		if isWhole || len(w.line) > longestLine {
			out = append(out, w.endLine(isWhole)...)
		}
	}
	w.pass(out)
	// For an incomplete line, wait again from now on.
	if w.timer != nil {
		w.timer.Stop()
	}
	if len(w.line) > 0 {
		w.timer = time.AfterFunc(patience, func() {
			w.mutex.Lock()
			defer w.mutex.Unlock()
			if len(w.line) > 0 && !endsInName(w.line) {
				w.pass(w.endLine(false))
			}
		})
	}
}

// patience is how long a Writer waits for the rest of a line.
const patience = 100 * time.Millisecond

// endsInName reports whether part, the beginning of a line whose rest may still come, may end inside a location:
// "main.t" or "on main.tf line". A location can't be mapped in parts.
func endsInName(part []byte) bool {
	lastWord := part[bytes.LastIndexAny(part, " \t\r")+1:]
	return bytes.Contains(lastWord, []byte(".t")) || bytes.HasSuffix(bytes.TrimRight(part, " "), []byte(" line"))
}

// endLine returns the collected line with its locations replaced, and begins a new one. isWhole is set if the line
// has ended; otherwise the collected text is only a part of it. A very long line stays unmapped, in all its parts.
func (w *Writer) endLine(isWhole bool) []byte {
	line := w.line
	if w.escape == nil {
		w.escape = escapeFor(line)
	}
	if !w.isLong && len(line) <= longestLine {
		line = w.mapper.mapLine(line, &w.quoted, w.escape)
	} else {
		line = bytes.Clone(line)
	}
	w.isLong = !isWhole && len(w.line) > longestLine // further parts of this line follow
	w.line = w.line[:0]
	return line
}

// pass writes text, unless writing has failed before.
func (w *Writer) pass(text []byte) {
	if w.err == nil && len(text) > 0 {
		_, w.err = w.to.Write(text)
	}
}

// Close passes on what is still held back. If a document could not be mapped, unmapped says why. err is the first
// error of writing.
func (w *Writer) Close() (unmapped, err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.form == Auto { // the output ended before its form was clear
		w.form = formOf(w.buffer, true)
	}
	if w.form == Text {
		w.release()
	} else if len(w.buffer) > 0 {
		text, why := w.mapper.json(w.buffer)
		if errors.Is(why, errOther) {
			w.release() // it only started like a document
		} else {
			w.unmapped, w.buffer = why, nil
			w.pass(text)
		}
	}
	if len(w.line) > 0 { // the last line has no newline
		w.pass(w.endLine(true))
	}
	return w.unmapped, w.err
}

// Document returns a report with the locations of the originals, or unchanged with the reason why it could
// not be mapped. A text of no known format stays, without a reason.
func (m *Mapper) Document(text []byte) (mapped []byte, unmapped error) {
	if formOf(text, true) == Text {
		return text, nil
	}
	mapped, unmapped = m.json(text)
	if errors.Is(unmapped, errOther) {
		unmapped = nil
	}
	return mapped, unmapped
}
