package relocate

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

// Limits of the examined text.
const (
	longestLine = 1 << 20
	sniffed     = 64 << 10 // of the beginning of a stream
)

// longestDoc is how long a document may be to be mapped.
var longestDoc = 256 << 20

// A Form is the format of a stream.
type Form int

// The forms.
const (
	Auto Form = iota // to be found out
	Text
	JSON // with SARIF
)

// A Writer passes on a tool's output, with locations of the originals. Close passes on the rest.
type Writer struct {
	to     io.Writer
	mapper *Mapper
	form   Form

	mutex  sync.Mutex // the timer takes part
	buffer []byte     // a document, or the beginning that determines the form
	line   []byte     // that has no end yet
	isLong bool       // the beginning of the line was passed on
	quoted quotation
	escape func(name string) string // nil before the first line that isn't blank
	timer  *time.Timer
	err    error
	// unmapped is why a document isn't mapped.
	unmapped error
}

// NewWriter returns a writer that maps output in a form and passes it on to another one.
func (m *Mapper) NewWriter(to io.Writer, form Form) *Writer {
	return &Writer{to: to, mapper: m, form: form}
}

// Write implements io.Writer.
func (w *Writer) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case w.unmapped != nil:
		w.pass(text)
	case w.form == Text:
		w.lines(text)
	default:
		w.hold(text)
	}
	return len(text), w.err
}

// hold keeps a text until its form is known and, if that is a document, until its end.
func (w *Writer) hold(text []byte) {
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

// release continues with the text that was kept.
func (w *Writer) release() {
	text := w.buffer
	w.buffer = nil
	w.lines(text)
}

// lines passes on whole lines, and the rest when nothing follows for a while: it may be a question.
func (w *Writer) lines(text []byte) {
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
	w.wait()
}

// patience is how long the rest of a line is waited for.
const patience = 100 * time.Millisecond

func (w *Writer) wait() {
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

// endsInName reports whether a location may be cut off.
func endsInName(line []byte) bool {
	last := line[bytes.LastIndexAny(line, " \t\r")+1:]
	return bytes.Contains(last, []byte(".t")) || bytes.HasSuffix(bytes.TrimRight(line, " "), []byte(" line"))
}

// endLine returns the mapped line.
func (w *Writer) endLine(isWhole bool) []byte {
	line := w.line
	if w.escape == nil {
		w.escape = escapeFor(line)
	}
	if !w.isLong && len(line) <= longestLine {
		line = w.mapper.line(line, &w.quoted, w.escape)
	} else {
		line = bytes.Clone(line)
	}
	w.isLong = !isWhole && len(w.line) > longestLine
	w.line = w.line[:0]
	return line
}

func (w *Writer) pass(text []byte) {
	if w.err == nil && len(text) > 0 {
		_, w.err = w.to.Write(text)
	}
}

// Close passes on the rest. If a document could not be mapped, unmapped is the reason.
func (w *Writer) Close() (unmapped, err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.form == Auto {
		w.form = formOf(w.buffer, true)
	}
	if w.form == Text {
		w.release()
	} else if len(w.buffer) > 0 {
		text, why := w.mapper.document(w.buffer)
		if errors.Is(why, errOther) {
			w.release() // it only begins like a document
		} else {
			w.unmapped, w.buffer = why, nil
			w.pass(text)
		}
	}
	if len(w.line) > 0 {
		w.pass(w.endLine(true))
	}
	return w.unmapped, w.err
}

// Document returns a report with the locations of the originals, and why it could not be mapped. A
// text of no known format stays, without a reason.
func (m *Mapper) Document(text []byte) (mapped []byte, unmapped error) {
	if formOf(text, true) == Text {
		return text, nil
	}
	mapped, unmapped = m.document(text)
	if errors.Is(unmapped, errOther) {
		unmapped = nil
	}
	return mapped, unmapped
}

func (m *Mapper) document(text []byte) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.json(text)
}
