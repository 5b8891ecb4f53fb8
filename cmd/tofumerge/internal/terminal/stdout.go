package terminal

import (
	"io"
	"sync"

	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// bufferedBytes is how much of the result is held back.
const bufferedBytes = 1 << 20

// A bufferedStdout keeps the beginning of its text, so that a program that fails half-way has
// written nothing.
type bufferedStdout struct {
	text   [][]byte // in pieces, so that none is copied when there is more
	size   int      // of text, in bytes
	passed [][]byte // pieces that were passed on
	to     io.Writer
	err    error // of writing to the stream, which ends all further writing
	blanks *blankLines
}

func hold(to io.Writer) *bufferedStdout { return &bufferedStdout{to: to, blanks: &blankLines{}} }

// Write holds back what there is room for.
func (h *bufferedStdout) Write(text []byte) (int, error) {
	if h.size+len(text) <= bufferedBytes {
		h.keep(text)
		return len(text), nil
	}
	if err := h.Flush(); err != nil {
		return 0, err
	}
	h.blanks.take(h.to, false)
	n, err := h.to.Write(text)
	h.err = err
	return n, err
}

// keep adds text to the held part.
func (h *bufferedStdout) keep(text []byte) {
	const smallest, largest = 4 << 10, 128 << 10 // pieces
	h.size += len(text)
	for len(text) > 0 {
		n := len(h.text)
		if n == 0 || len(h.text[n-1]) == cap(h.text[n-1]) {
			var piece []byte // the memory of one that was passed on, if there is any
			if n < len(h.passed) {
				piece = h.passed[n][:0]
			} else {
				piece = make([]byte, 0, min(largest, smallest<<n))
			}
			h.text = append(h.text, piece)
			n++
		}
		last := h.text[n-1]
		added := min(cap(last)-len(last), len(text))
		h.text[n-1] = append(last, text[:added]...)
		text = text[added:]
	}
}

// Flush passes on the held part.
func (h *bufferedStdout) Flush() error {
	for _, text := range h.text {
		if h.err == nil {
			h.blanks.take(h.to, false)
			_, h.err = h.to.Write(text)
		}
	}
	h.drop()
	return h.err
}

// drop discards the held part.
func (h *bufferedStdout) drop() {
	if len(h.text) > len(h.passed) {
		h.passed = h.text
	}
	h.text, h.size = nil, 0
}

// messages is a stream for people. On a terminal, text printed before a message appears above it.
// In the log of a pipeline no message is a command, if each is written as a whole.
type messages struct {
	to    io.Writer
	after *bufferedStdout
}

func (m messages) Write(text []byte) (int, error) { return m.write(text, false) }

func (m messages) write(text []byte, isBlock bool) (int, error) {
	_ = m.after.Flush() // the error stays with the stream
	m.after.blanks.take(m.to, isBlock)
	if _, err := io.WriteString(m.to, safetext.Inert(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Beneath is the stream that another one writes to.
func Beneath(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *bufferedStdout:
		return Beneath(w.to)
	case messages:
		return Beneath(w.to)
	case *console:
		return w.file
	}
	return w
}

// blankLines puts blank lines, on a terminal, between messages and the result, and around messages
// of several lines.
type blankLines struct {
	hasMessages, hasResult bool // people see them on a terminal

	mutex    sync.Mutex
	last     io.Writer
	wasBlock bool
}

// take notes that a stream is about to be written to.
func (t *blankLines) take(stream io.Writer, isBlock bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	isApart := stream == t.last && (isBlock || t.wasBlock) || stream != t.last && t.hasResult
	if t.hasMessages && t.last != nil && isApart {
		_, _ = io.WriteString(stream, "\n")
	}
	t.last, t.wasBlock = stream, isBlock
}
