package view

import (
	"bytes"
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

// A piece is replaced, never changed.
type piece struct {
	text  []byte
	lines int // line ends in it; negative if unknown
	units int // code units in it; negative if unknown
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
	p.list = p.split(nil, text)
}

// split appends the pieces of a text to a list.
func (p *pieces) split(list []piece, text []byte) []piece {
	for len(text) > 0 {
		end := len(text)
		if end > 2*p.each {
			for end = p.each; end < len(text) && !isStart(text[end-1], text[end]); end++ {
			}
		}
		list = append(list, piece{text[:end], -1, -1})
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
	for last++; last < len(p.list) && len(made) > 0 && !isStart(made[len(made)-1], p.list[last].text[0]); last++ {
		made = append(made, p.list[last].text...)
	}
	p.list = slices.Replace(p.list, first, last, p.split(nil, made)...)
}

// find returns the index of the piece that an offset is in, and the offset in that piece. The
// end of the text is in the last piece.
func (p *pieces) find(at int) (i, in int) {
	for ; i < len(p.list)-1 && at >= len(p.list[i].text); i++ {
		at -= len(p.list[i].text)
	}
	return i, at
}

// offset is the byte offset of a position.
func (p *pieces) offset(pos protocol.Position) int {
	at, line := 0, uint64(pos.Line)
	i := 0
	for ; i < len(p.list) && uint64(p.list[i].ends()) < line; i++ {
		line -= uint64(p.list[i].lines)
		at += len(p.list[i].text)
	}
	if i == len(p.list) {
		return p.size
	}
	start := lineStart(p.list[i].text, int(line))
	at += start
	left := uint64(pos.Character)
	for rest := p.list[i].text[start:]; ; rest = p.list[i].text {
		n, isEnd := 0, false
		if c := &p.list[i]; len(rest) == len(c.text) && c.ends() == 0 && uint64(c.width(p.enc)) <= left {
			n, left = len(rest), left-uint64(c.units)
		} else {
			n, left, isEnd = along(rest, left, p.enc)
		}
		at += n
		if i++; isEnd || left == 0 || i == len(p.list) {
			return at
		}
	}
}

// along returns the number of bytes that the first code units of a text take up, at most until
// the end of the line, and how many of the wanted code units are left. isEnd reports whether no
// later piece can have them.
func along(text []byte, want uint64, enc protocol.PositionEncodingKind) (n int, left uint64, isEnd bool) {
	for n < len(text) && want > 0 {
		if text[n] == '\n' || text[n] == '\r' {
			return n, want, true
		}
		r, size := utf8.DecodeRune(text[n:])
		width := uint64(units(r, size, enc))
		if width > want {
			return n, want, true
		}
		want -= width
		n += size
	}
	return n, want, false
}

// ends returns the number of line ends in the piece.
func (c *piece) ends() int {
	if c.lines < 0 {
		c.lines = bytes.Count(c.text, []byte{'\n'}) + bytes.Count(c.text, []byte{'\r'}) - bytes.Count(c.text, []byte("\r\n"))
	}
	return c.lines
}

// width returns the number of code units in the piece.
func (c *piece) width(enc protocol.PositionEncodingKind) int {
	if c.units < 0 {
		c.units = 0
		for rest := c.text; len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			c.units += units(r, size, enc)
			rest = rest[size:]
		}
	}
	return c.units
}

// lineStart is the offset of a line in a text, which must have that many line ends.
func lineStart(text []byte, line int) int {
	at := 0
	for ; line > 0; line-- {
		end := bytes.IndexAny(text[at:], "\r\n")
		if at += end + 1; text[at-1] == '\r' && at < len(text) && text[at] == '\n' {
			at++
		}
	}
	return at
}
