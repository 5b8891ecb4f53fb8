package view

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// A Text is the content of a document at one moment.
type Text struct {
	content []byte
	lines   func() []int  // byte offsets of the starts of lines
	stops   func() []stop // in order, the first at offset 0
}

// A stop is the byte offset of a character, and how many code units come before it. Between two stops, count
// subtracts instead of going through the text.
type stop struct{ at, utf16, utf32 int }

// stopEvery is the approximate number of bytes between two stops. They speed up counting in JSON
// files, which are often one very long line.
const stopEvery = 1024

// NewText makes a text. The caller must not change content afterwards.
func NewText(content []byte) *Text {
	return &Text{
		content: content,
		lines:   sync.OnceValue(func() []int { return lineStarts(content) }),
		stops:   sync.OnceValue(func() []stop { return stopsIn(content) }),
	}
}

// Bytes returns the content. The caller must not change it.
func (t *Text) Bytes() []byte { return t.content }

// lineStarts returns the offsets at which lines start, the first being 0. Lines end in LF, CR LF or CR. It goes from
// LF to LF, and looks for CRs between two of them only if the text has any.
func lineStarts(content []byte) []int {
	starts := make([]int, 1, 1+bytes.Count(content, []byte("\n")))
	hasCR := bytes.IndexByte(content, '\r') >= 0
	for at := 0; ; { // the start of a line
		lf := bytes.IndexByte(content[at:], '\n')
		rest := content[at:]
		if lf >= 0 {
			rest = bytes.TrimSuffix(rest[:lf], []byte("\r")) // not the CR of a CR LF
		}
		// Each CR up to there ends a line. from is the offset in rest.
		for from := 0; hasCR; {
			cr := bytes.IndexByte(rest[from:], '\r')
			if cr < 0 {
				break
			}
			from += cr + 1
			starts = append(starts, at+from)
		}
		if lf < 0 {
			return starts
		}
		at += lf + 1
		starts = append(starts, at)
	}
}

// line returns the content of line i, the first being 0, without its line end.
func (t *Text) line(i int) []byte {
	starts := t.lines()
	end := len(t.content)
	if i+1 < len(starts) {
		end = starts[i+1]
	}
	return bytes.TrimRight(t.content[starts[i]:end], "\r\n")
}

// Offset returns the byte offset of a position or, if the text lacks the position, of the nearest one before it.
// enc is the kind of code units in positions.
func (t *Text) Offset(p protocol.Position, enc protocol.PositionEncodingKind) int {
	starts := t.lines()
	if uint64(p.Line) >= uint64(len(starts)) {
		return len(t.content)
	}
	// Go along the line until its end, or until left, the code units up to the position, are used up.
	at := starts[p.Line]
	left := uint64(p.Character)
	for rest := t.line(int(p.Line)); len(rest) > 0 && left > 0; {
		r, size := utf8.DecodeRune(rest)
		width := uint64(units(r, size, enc))
		if width > left {
			break // the position is inside this character
		}
		left -= width
		at += size
		rest = rest[size:]
	}
	return at
}

// Position returns the position of a byte offset. An offset inside a character or a line end is moved to
// its start.
func (t *Text) Position(at int, enc protocol.PositionEncodingKind) protocol.Position {
	at = min(max(at, 0), len(t.content))
	starts := t.lines()
	line := sort.SearchInts(starts, at+1) - 1 // the last one that starts at or before at
	text := t.line(line)
	before := startOfCharacter(text, min(at-starts[line], len(text)))
	return protocol.Position{Line: uint32(line), Character: uint32(t.count(starts[line], starts[line]+before, enc))}
}

// startOfCharacter returns the start of the character that an offset is inside of; the offset itself if it is between
// two characters.
func startOfCharacter(text []byte, at int) int {
	// Go back to the byte that may start a character, and see whether the character reaches beyond at.
	for start := at - 1; start >= 0 && start > at-utf8.UTFMax; start-- {
		if !utf8.RuneStart(text[start]) {
			continue
		}
		if _, size := utf8.DecodeRune(text[start:]); start+size > at {
			return start
		}
		break
	}
	return at
}

// count returns the number of code units in t.content[from:to]. Neither offset may be inside a character. Over more
// than 2*stopEvery bytes it uses the stops, whose code units are counted already.
func (t *Text) count(from, to int, enc protocol.PositionEncodingKind) int {
	switch {
	case enc == protocol.UTF8:
		return to - from
	case to-from > 2*stopEvery: // count to the first stop and from the last one; between them subtract
		stops := t.stops()
		first := stops[sort.Search(len(stops), func(i int) bool { return stops[i].at >= from })] // at or after from
		last := stops[sort.Search(len(stops), func(i int) bool { return stops[i].at > to })-1]   // at or before to
		between := last.utf16 - first.utf16
		if enc == protocol.UTF32 {
			between = last.utf32 - first.utf32
		}
		return t.count(from, first.at, enc) + between + t.count(last.at, to, enc)
	}
	n := 0
	for rest := t.content[from:to]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		n += units(r, size, enc)
		rest = rest[size:]
	}
	return n
}

// stopsIn returns the stops of a text, about stopEvery bytes apart: offsets before which the code units are counted
// already, so that count needn't go through a very long line. The first one is the start of the text.
func stopsIn(content []byte) []stop {
	now := stop{}
	stops := []stop{now}
	for rest := content; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		now = stop{at: now.at + size, utf16: now.utf16 + units(r, size, protocol.UTF16), utf32: now.utf32 + 1}
		rest = rest[size:]
		if now.at-stops[len(stops)-1].at >= stopEvery {
			stops = append(stops, now)
		}
	}
	return stops
}

// Range returns the range between two byte offsets.
func (t *Text) Range(from, to int, enc protocol.PositionEncodingKind) protocol.Range {
	return protocol.Range{Start: t.Position(from, enc), End: t.Position(to, enc)}
}

// units returns the number of code units of a rune, which has size bytes in UTF-8.
func units(r rune, size int, enc protocol.PositionEncodingKind) int {
	switch {
	case enc == protocol.UTF8:
		return size
	case enc != protocol.UTF32 && r > 0xFFFF: // a surrogate pair in UTF-16
		return 2
	}
	return 1
}

var errBackwards = errors.New("the end of a change is before its start")

// Apply returns the text after changes. Each change is about the result of the one before. It fails if the end of a
// range is before its start, or if the text would have more than limit bytes.
func (t *Text) Apply(
	changes []protocol.TextDocumentContentChangeEvent, enc protocol.PositionEncodingKind, limit int64,
) (*Text, error) {
	if len(changes) == 0 {
		return t, nil
	}
	// n is how many changes content has.
	content, n, err := t.applyRun(changes, enc, limit)
	switch {
	case err != nil:
		return nil, err
	case n == len(changes):
		return NewText(content), nil
	}
	// Apply the others to pieces: a copy of the text for each would be slow.
	p := &pieces{least: minPiece, enc: enc}
	p.set(content)
	for _, c := range changes[n:] {
		if err := p.apply(c, limit); err != nil {
			return nil, err
		}
	}
	return NewText(p.bytes()), nil
}

// applyRun applies the first n changes, as many as one copy of the text is enough for, and returns the new content.
// It works from the end of the text to its start: it takes the first change, and further ones as long as each is
// before the previous one in the text, so that its positions haven't moved. Editors send the changes of several
// cursors in this order. After the first, it also stops at positions far along a line: pieces find them without
// scanning the line from its start.
func (t *Text) applyRun(
	changes []protocol.TextDocumentContentChangeEvent, enc protocol.PositionEncodingKind, limit int64,
) (content []byte, n int, err error) {
	var parts [][]byte                            // of the result, from its end
	front, size := len(t.content), len(t.content) // start of the last change; size of the result
	for ; n < len(changes); n++ {
		c := changes[n]
		isFar := c.Range != nil && max(c.Range.Start.Character, c.Range.End.Character) > 2*stopEvery
		if n > 0 && (c.Range == nil || isFar) {
			break // a change of the whole text, or one that pieces do faster
		}
		from, to := 0, len(t.content)
		if c.Range != nil {
			from, to = t.Offset(c.Range.Start, enc), t.Offset(c.Range.End, enc)
		}
		if n > 0 && to >= front {
			break // not before the previous change: where both touch, their order would be unclear
		}
		if from > to {
			return nil, n, errBackwards
		}
		if size += len(c.Text) - (to - from); int64(size) > limit {
			return nil, n, fmt.Errorf("the document is larger than %d bytes", limit)
		}
		// Keep the text between this change and the previous one.
		parts = append(parts, t.content[to:front], []byte(c.Text))
		front = from
	}
	parts = append(parts, t.content[:front])
	slices.Reverse(parts)
	return bytes.Join(parts, nil), n, nil
}

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
	lines int // line ends in it, for ends; negative if unknown
	units int // code units in it, for width; negative if unknown
}

// minPiece is the minimum size of pieces. In large texts, their size and their number grow with
// the square root of the text's size.
const minPiece = 1024

// set replaces the whole text, and cuts it into pieces anew.
func (p *pieces) set(text []byte) {
	p.size, p.each = len(text), max(p.least, int(math.Sqrt(float64(len(text)))))
	p.list = p.split(nil, text)
}

// split appends to list a text, cut into pieces of about p.each bytes. It never cuts inside a character or a CR LF.
func (p *pieces) split(list []piece, text []byte) []piece {
	for len(text) > 0 {
		// A rest of up to two pieces stays one.
		end := len(text)
		if end > 2*p.each {
			end = p.each
			for end < len(text) && !isStart(text[end-1], text[end]) {
				end++
			}
		}
		list = append(list, piece{text: text[:end], lines: -1, units: -1})
		text = text[end:]
	}
	return list
}

// isStart reports whether a piece may start with b, after the byte before: not inside a character or a CR LF.
func isStart(before, b byte) bool {
	return utf8.RuneStart(b) && (before != '\r' || b != '\n')
}

// bytes returns the whole text.
func (p *pieces) bytes() []byte {
	all := make([]byte, 0, p.size)
	for _, c := range p.list {
		all = append(all, c.text...)
	}
	return all
}

// apply applies one change to the text. The errors and limit are those of Text.Apply.
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

// splice replaces the bytes between two offsets by text. It copies only the pieces from the first offset to the last,
// and those next to them if a character or a CR LF would otherwise be cut there.
func (p *pieces) splice(from, to int, text string) {
	if len(p.list) == 0 {
		p.set([]byte(text))
		return
	}
	first, kept := p.find(from) // kept is how many bytes of the first piece stay
	last, skipped := p.find(to) // skipped is how many bytes of the last piece go
	p.size += len(text) - (to - from)
	if first > 0 && kept == 0 { // text may not be able to start a piece: it may be the LF of a CR LF
		first--
		kept = len(p.list[first].text)
	}
	made := slices.Concat(p.list[first].text[:kept], []byte(text), p.list[last].text[skipped:])
	// A piece that would start inside a character or a CR LF is joined to made. next is the first one that stays.
	next := last + 1
	for next < len(p.list) && len(made) > 0 && !isStart(made[len(made)-1], p.list[next].text[0]) {
		made = append(made, p.list[next].text...)
		next++
	}
	p.list = slices.Replace(p.list, first, next, p.split(nil, made)...)
}

// find returns the index i of the piece that an offset is in, and the offset in from the start of that piece. The end
// of the text is in the last piece.
func (p *pieces) find(at int) (i, in int) {
	for ; i < len(p.list)-1 && at >= len(p.list[i].text); i++ {
		at -= len(p.list[i].text)
	}
	return i, at
}

// offset returns the byte offset of a position, as Text.Offset does. It skips whole pieces by their cached
// numbers of lines and code units.
func (p *pieces) offset(pos protocol.Position) int {
	// Find the piece i in which the line starts. at is its offset, and line counts the line ends still to pass in it.
	at, line := 0, uint64(pos.Line)
	i := 0
	for ; i < len(p.list) && uint64(p.list[i].ends()) < line; i++ { // the line starts in a later piece
		line -= uint64(p.list[i].ends())
		at += len(p.list[i].text)
	}
	if i == len(p.list) {
		return p.size
	}
	start := lineStart(p.list[i].text, int(line))
	at += start
	// Go along the line from piece to piece.
	left := uint64(pos.Character) // code units from at to the position
	for rest := p.list[i].text[start:]; ; rest = p.list[i].text {
		c := &p.list[i]
		var n int // how many bytes to go
		var isEnd bool
		isWhole := len(rest) == len(c.text)
		width := uint64(c.width(p.enc))
		if isWhole && c.ends() == 0 && width <= left { // no line end, and the position isn't inside: skip it
			n, left = len(rest), left-width
		} else {
			n, left, isEnd = advance(rest, left, p.enc)
		}
		at += n
		i++
		if isEnd || left == 0 || i == len(p.list) { // the line ends, the position is reached, or the text ends
			return at
		}
	}
}

// advance counts want code units from the start of a text, at most to the end of the line. n is how many bytes they
// take up, and left how many of them are still wanted. isEnd is set if no later piece can have these: the line ends,
// or a character has more code units than are left.
func advance(text []byte, want uint64, enc protocol.PositionEncodingKind) (n int, left uint64, isEnd bool) {
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

// ends returns the number of line ends in the piece, and caches it.
func (c *piece) ends() int {
	if c.lines < 0 {
		c.lines = bytes.Count(c.text, []byte{'\n'}) + bytes.Count(c.text, []byte{'\r'}) - bytes.Count(c.text, []byte("\r\n"))
	}
	return c.lines
}

// width returns the number of code units in the piece, and caches it: enc is always the same.
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

// lineStart returns the offset of a line, the first being 0, in a text. The text must have at least that many line
// ends.
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
