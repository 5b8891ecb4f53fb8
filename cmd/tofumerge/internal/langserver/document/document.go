// Package document holds the texts of open documents, and converts between byte offsets and the
// positions of the Language Server Protocol.
//
// A Text does not change, so several goroutines may read it: applying edits makes a new one. A
// position that doesn't exist is replaced by the nearest one before it, as the specification
// requires. Lines end in LF, CR LF or CR.
package document

import (
	"sort"
	"sync"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// A Text is the content of a document at one moment.
type Text struct {
	content []byte
	marks   func() []mark // about markEvery bytes apart, the first at offset 0
}

// markEvery is the approximate number of bytes between two marks: text is scanned from the mark
// before an offset or a position, not from the start of a line, which may be all of a JSON file.
const markEvery = 256

// New makes a text. The caller must not change content afterwards.
func New(content []byte) *Text {
	return &Text{content: content, marks: sync.OnceValue(func() []mark {
		marks := []mark{{}}
		for _, part := range split(nil, content, markEvery) {
			marks = append(marks, marks[len(marks)-1].behind(part.text))
		}
		return marks
	})}
}

// Bytes is the content. The caller must not change it.
func (t *Text) Bytes() []byte { return t.content }

// Offset is the byte offset of a position.
func (t *Text) Offset(p protocol.Position, enc protocol.PositionEncodingKind) int {
	marks := t.marks()
	after := sort.Search(len(marks)-1, func(i int) bool { return marks[i+1].isAfter(p, enc) })
	return marks[after].seek(t.content[marks[after].at:], p, enc).at
}

// Position is the position of a byte offset. An offset inside a character or a line end is moved to
// its start.
func (t *Text) Position(at int, enc protocol.PositionEncodingKind) protocol.Position {
	marks := t.marks()
	after := sort.Search(len(marks)-1, func(i int) bool { return marks[i+1].at > at })
	m := marks[after].find(t.content[marks[after].at:], func(m mark) bool { return m.at > at })
	return protocol.Position{Line: uint32(m.line), Character: uint32(m.character(enc))}
}

// Range is the range between two byte offsets.
func (t *Text) Range(from, to int, enc protocol.PositionEncodingKind) protocol.Range {
	return protocol.Range{Start: t.Position(from, enc), End: t.Position(to, enc)}
}

// Apply returns the text after some changes. Each change is about the result of its predecessor. It
// fails if a range is backwards, or if the text would have more than limit bytes.
func (t *Text) Apply(
	changes []protocol.TextDocumentContentChangeEvent, enc protocol.PositionEncodingKind, limit int64,
) (*Text, error) {
	if len(changes) == 0 {
		return t, nil
	}
	p := inPieces(t.content, enc)
	for _, c := range changes {
		if err := p.apply(c, limit); err != nil {
			return nil, err
		}
	}
	return New(p.bytes()), nil
}
