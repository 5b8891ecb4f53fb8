package document

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// pieces are a text cut into pieces of about the same size. A change looks at each piece and copies
// one, instead of the whole text. No piece starts inside a character or a CR LF, so its characters
// and line ends equal the text's.
type pieces struct {
	list  []piece
	size  int // bytes of all pieces
	least int // minimum for each
	each  int // approximate size of a piece
	enc   protocol.PositionEncodingKind
}

// A piece is replaced, never changed. It isn't empty.
type piece struct {
	text []byte
	end  mark // counted from its start; zero if unknown
}

// minPiece is the minimum size of pieces. In large texts, their size and their number grow with
// the square root of the text's size.
const minPiece = 1024

func inPieces(text []byte, enc protocol.PositionEncodingKind) *pieces {
	p := &pieces{least: minPiece, enc: enc}
	p.set(text)
	return p
}

// set replaces the whole text.
func (p *pieces) set(text []byte) {
	p.size, p.each = len(text), max(p.least, int(math.Sqrt(float64(len(text)))))
	p.list = split(nil, text, p.each)
}

// split appends the pieces of a text to a list, each of about a size.
func split(list []piece, text []byte, size int) []piece {
	for len(text) > 0 {
		end := len(text)
		if end > 2*size {
			for end = size; end < len(text) && !isStart(text[end-1], text[end]); end++ {
			}
		}
		list = append(list, piece{text: text[:end]})
		text = text[end:]
	}
	return list
}

// isStart reports whether a piece may start between two bytes.
func isStart(before, b byte) bool {
	return utf8.RuneStart(b) && (before != '\r' || b != '\n')
}

// bytes joins the pieces.
func (p *pieces) bytes() []byte {
	all := make([]byte, 0, p.size)
	for _, c := range p.list {
		all = append(all, c.text...)
	}
	return all
}

var errBackwards = errors.New("the end of a change is before its start")

// apply applies one change, with the errors of Text.Apply.
func (p *pieces) apply(c protocol.TextDocumentContentChangeEvent, limit int64) error {
	from, to := 0, p.size
	if c.Range != nil {
		from, to = p.offset(c.Range.Start), p.offset(c.Range.End)
	}
	if from > to {
		return errBackwards
	}
	if size := p.size + len(c.Text) - (to - from); int64(size) > limit {
		return fmt.Errorf("the document is larger than %d bytes", limit)
	}
	if c.Range == nil {
		p.set([]byte(c.Text))
		return nil
	}
	p.splice(from, to, c.Text)
	return nil
}

// splice replaces the bytes between two offsets.
func (p *pieces) splice(from, to int, text string) {
	if len(p.list) == 0 {
		p.set([]byte(text))
		return
	}
	first, a := p.find(from)
	last, b := p.find(to)
	p.size += len(text) - (to - from)
	if first > 0 && a == 0 { // no piece may start with some texts, such as the LF of a CR LF
		first--
		a = len(p.list[first].text)
	}
	made := slices.Concat(p.list[first].text[:a], []byte(text), p.list[last].text[b:])
	p.list = slices.Replace(p.list, first, last+1, split(nil, made, p.each)...)
}

// find returns the index of the piece that an offset is in, and the offset in that piece, which has
// at least one byte behind it. The end of the text is in the last piece.
func (p *pieces) find(at int) (i, in int) {
	for ; i < len(p.list)-1 && at >= len(p.list[i].text); i++ {
		at -= len(p.list[i].text)
	}
	return i, at
}

// offset is the byte offset of a position.
func (p *pieces) offset(pos protocol.Position) int {
	m := mark{}
	for i := range p.list {
		c := &p.list[i]
		if c.end == (mark{}) {
			c.end = c.end.behind(c.text)
		}
		next := m.plus(c.end)
		if next.isAfter(pos, p.enc) {
			return m.seek(c.text, pos, p.enc).at
		}
		m = next
	}
	return p.size
}
