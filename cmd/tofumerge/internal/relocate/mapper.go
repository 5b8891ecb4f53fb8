package relocate

import (
	"bytes"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

// A File is a flattened file.
type File struct {
	Text  []byte
	Lines *sourcemap.File
	// Original returns the text of a file of the original module.
	Original func(name string) []byte

	lines  [][]byte
	origin map[string][][]byte
	traces map[[2]int][]span
}

// A Mapper knows the originals. Several writers may use it at once.
type Mapper struct {
	// Copy is how paths of the copy begin. Without that they are paths of the original.
	Copy string
	// File returns the flattened file that a name means as a tool prints it; nil for any other.
	File func(name string) *File

	mutex    sync.Mutex
	unmapped int
}

// Unmapped is how many locations had no origin.
func (m *Mapper) Unmapped() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.unmapped
}

// A span is lines of one original file.
type span struct {
	name        string // of the file, without directories
	first, last int
}

// trace returns the origins of lines in a flattened file. The first span is the origin of the first
// line, with the other lines from that file; the others follow in order. It returns none for lines
// that the file does not have.
func (f *File) trace(first, last int) []span {
	key := [2]int{first, last}
	if known, isKnown := f.traces[key]; isKnown {
		return known
	}
	if f.traces == nil || len(f.traces) > mostTraces {
		f.traces = map[[2]int][]span{}
	}
	found := f.find(first, min(last, f.Lines.Lines))
	f.traces[key] = found
	return found
}

// mostTraces limits the memory.
const mostTraces = 1 << 14

// mostRanges is how many ranges of lines a finding is followed through.
const mostRanges = 1 << 10

func (f *File) find(first, last int) []span {
	at, ok := f.Lines.At(first)
	if !ok {
		return nil
	}
	var list []span
	for _, o := range at.Origins {
		list = join(list, span{o.File, o.Line, o.Line})
	}
	i, found := slices.BinarySearchFunc(f.Lines.Ranges, first, func(r sourcemap.Range, line int) int { return r.Line - line })
	if !found {
		i--
	}
	for n, r := range f.Lines.Ranges[i:] {
		if r.Line > last || n > mostRanges {
			break
		}
		from, to := max(first, r.Line)-r.Line, min(last, r.Line+r.Count-1)-r.Line
		for _, o := range r.Origins {
			list = join(list, span{o.File, o.Line + from, o.Line + to})
		}
	}
	return list
}

// join adds lines to the span of their file.
func join(list []span, more span) []span {
	for i := range list {
		if list[i].name == more.name {
			list[i].first, list[i].last = min(list[i].first, more.first), max(list[i].last, more.last)
			return list
		}
	}
	return append(list, more)
}

// column converts a column of a flattened line to a column of an original one, both starting at 1:
// blanks may differ, and the original may contain more text around it.
func (f *File) column(line, column int, to span, toLine int) int {
	was, is := lineOf(f.originalLines(to.name), toLine), lineOf(f.ownLines(), line)
	if was == nil || bytes.Equal(was, is) || column < 1 {
		return column
	}
	if column <= leadingBlanks(is) {
		return min(column, leadingBlanks(was)+1)
	}
	tight, all := squeezed(is), squeezed(was)
	start := bytes.Index(all, tight)
	if start < 0 {
		return leadingBlanks(was) + 1
	}
	n := start + len(squeezed(is[:min(column-1, len(is))]))
	for i, c := range was {
		if isBlank(c) {
			continue
		}
		if n--; n < 0 {
			return i + 1
		}
	}
	return len(was) + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// squeezed is a text without its blanks.
func squeezed(text []byte) []byte {
	return slices.DeleteFunc(slices.Clone(text), isBlank)
}

func leadingBlanks(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

func (f *File) ownLines() [][]byte {
	if f.lines == nil {
		f.lines = bytes.SplitAfter(f.Text, []byte("\n"))
	}
	return f.lines
}

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

// offset is the byte in an original file at which a column of a line is.
func (f *File) offset(name string, line, column int) int {
	n := column - 1
	for _, text := range f.originalLines(name)[:min(max(line-1, 0), len(f.originalLines(name)))] {
		n += len(text)
	}
	return n
}

func lineOf(lines [][]byte, number int) []byte {
	if number < 1 || number > len(lines) {
		return nil
	}
	return bytes.TrimRight(lines[number-1], "\r\n")
}

// beside is a name with the same directory as another one.
func beside(name, base string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	return name[:len(name)-len(path.Base(name))] + base
}

// plain is a text with paths of the original instead of those of the copy.
func (m *Mapper) plain(text []byte) []byte {
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
