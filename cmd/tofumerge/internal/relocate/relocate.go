package relocate

import (
	"bytes"
	"io"
	"strconv"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// A Place is a line of a file, whose name is as it is printed.
type Place struct {
	Name string
	Line int
}

// A Mapper knows the originals.
type Mapper struct {
	Copy, Original string // directories
	// Find returns the original of a place, and whether the place is one of a copy. It reports false for
	// isKnown where the copy has no such line.
	Find func(p Place) (to Place, isCopy, isKnown bool)
	// Unmapped counts the places that are not known.
	Unmapped int
}

// longest is how long a line is at most that is looked at.
const longest = 1 << 20

// A Writer passes text on with places of the originals. Close passes on a last line without an end.
type Writer struct {
	to     io.Writer
	mapper *Mapper
	line   []byte
	out    []byte // of one call of Write
	isLong bool   // the beginning of the line was passed on
}

// NewWriter returns a writer that passes text on to another one.
func (m *Mapper) NewWriter(to io.Writer) *Writer { return &Writer{to: to, mapper: m} }

// Write implements io.Writer.
func (w *Writer) Write(text []byte) (int, error) {
	n := len(text)
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		isWhole := end > 0
		if !isWhole {
			end = len(text)
		}
		w.line = append(w.line, text[:end]...)
		text = text[end:]
		if isWhole || len(w.line) > longest {
			w.endLine(isWhole)
		}
	}
	return n, w.pass()
}

// Close passes on what has no line end.
func (w *Writer) Close() error {
	w.endLine(true)
	return w.pass()
}

func (w *Writer) endLine(isWhole bool) {
	line := w.line
	if !w.isLong && isWhole && len(line) <= longest {
		line = w.mapper.Line(line)
	}
	w.isLong = !isWhole
	w.out = append(w.out, line...)
	w.line = w.line[:0]
}

// pass passes on what is ready.
func (w *Writer) pass() error {
	if len(w.out) == 0 {
		return nil
	}
	_, err := w.to.Write(w.out)
	w.out = w.out[:0]
	return err
}

var places = lazyregexp.New(`([^\s:"'()\[\]<>,=]+\.(?:tf|tofu)(?:\.json)?)(:| line )([0-9]{1,9})`)

// Line returns a line of text with places of the originals.
func (m *Mapper) Line(line []byte) []byte {
	if bytes.Contains(line, []byte(".tf")) || bytes.Contains(line, []byte(".tofu")) {
		line = m.inLine(line)
	}
	if m.Copy != "" && bytes.Contains(line, []byte(m.Copy)) {
		line = bytes.ReplaceAll(line, []byte(m.Copy), []byte(m.Original))
	}
	return line
}

func (m *Mapper) inLine(line []byte) []byte {
	var out []byte
	at := 0
	for _, found := range places().FindAllSubmatchIndex(line, -1) {
		number, _ := strconv.Atoi(string(line[found[6]:found[7]]))
		to, isCopy, isKnown := m.Find(Place{string(line[found[2]:found[3]]), number})
		switch {
		case !isCopy:
			continue
		case !isKnown:
			m.Unmapped++
			continue
		}
		out = append(out, line[at:found[2]]...)
		out = append(out, to.Name...)
		out = append(out, line[found[4]:found[5]]...)
		out = strconv.AppendInt(out, int64(to.Line), 10)
		at = found[7]
	}
	return append(out, line[at:]...)
}
