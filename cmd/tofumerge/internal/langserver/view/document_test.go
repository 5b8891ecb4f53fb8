package view

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

var encodings = []protocol.PositionEncodingKind{protocol.UTF8, protocol.UTF16, protocol.UTF32}

// A point is a boundary between two characters, and its position.
type point struct {
	at             int // bytes
	line, from, to int // characters of positions that mean it: its own, up to those inside the next character
}

// pointsOf lists every point of a text, character by character: a second, simple implementation
// of the package.
func pointsOf(text string, enc protocol.PositionEncodingKind) []point {
	var all []point
	line, column, at := 0, 0, 0
	for at < len(text) {
		if end := lineEnd(text[at:]); end > 0 {
			all = append(all, point{at, line, column, 1 << 40})
			at, line, column = at+end, line+1, 0
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		width := len(utf16.Encode([]rune{r}))
		switch enc {
		case protocol.UTF8:
			width = size
		case protocol.UTF32:
			width = 1
		}
		all = append(all, point{at, line, column, column + width - 1})
		at, column = at+size, column+width
	}
	return append(all, point{at, line, column, 1 << 40})
}

func lineEnd(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case strings.HasPrefix(text, "\n"), strings.HasPrefix(text, "\r"):
		return 1
	}
	return 0
}

// offset is the offset of a position, found by trying each point.
func offset(text string, p protocol.Position, enc protocol.PositionEncodingKind) int {
	all := pointsOf(text, enc)
	for _, q := range all {
		if q.line == int(p.Line) && q.from <= int(p.Character) && int(p.Character) <= q.to {
			return q.at
		}
	}
	return len(text)
}

var texts = []string{
	"", "a", "\n", "\r", "\r\n", "a\r\nb", "a\r\r\nb\r", "\n\r", "é", "a😀b\n😀", "\ufeffa\n", "e\u0301x", "\xff\xfe", "a\xf0\x9f\nb",
	"\xf0\x9f\x98", "a\u2028b\u0085c\vd", "\x00\n\x00", "一二\r三", strings.Repeat("😀", 5) + "\r\n",
}

// judge returns the mistake in the offsets and positions of a text, if any.
func judge(text string, p protocol.Position, enc protocol.PositionEncodingKind) string {
	t := NewText([]byte(text))
	if got, want := t.Offset(p, enc), offset(text, p, enc); got != want {
		return fmt.Sprintf("%q: %v of %s is offset %d, not %d", text, p, enc, got, want)
	}
	all, last := pointsOf(text, enc), 0
	for at := -1; at <= len(text)+1; at++ {
		for last+1 < len(all) && all[last+1].at <= at {
			last++ // the last point at or before the offset
		}
		got, want := t.Position(at, enc), protocol.Position{Line: uint32(all[last].line), Character: uint32(all[last].from)}
		if got != want {
			return fmt.Sprintf("%q: offset %d is at %v of %s, not %v", text, at, got, enc, want)
		}
	}
	for _, q := range all {
		if back := t.Offset(t.Position(q.at, enc), enc); back != q.at {
			return fmt.Sprintf("%q: offset %d becomes %d by way of %s", text, q.at, back, enc)
		}
	}
	return ""
}

func TestPositions(t *testing.T) {
	for _, text := range texts {
		for _, enc := range encodings {
			for line := range uint32(4) {
				for character := range uint32(14) {
					if wrong := judge(text, protocol.Position{Line: line, Character: character}, enc); wrong != "" {
						t.Error(wrong)
					}
				}
			}
			far := protocol.Position{Line: 1<<32 - 1, Character: 1<<32 - 1}
			if wrong := judge(text, far, enc); wrong != "" {
				t.Error(wrong)
			}
		}
	}
}

// Positions in one long line are right, and finding one doesn't scan the line from its start:
// otherwise this test would take minutes.
func TestPositionsInLongLine(t *testing.T) {
	const n = 100_000
	pieces := []string{"a", "é", "😀", "\xff", "一", "\xf0\x9f", "b"}
	var content strings.Builder
	content.WriteString("😀\n")
	var at []int
	for i := range n {
		at = append(at, content.Len())
		content.WriteString(pieces[(i*i+i/7)%len(pieces)])
	}
	text := NewText([]byte(content.String()))
	for _, enc := range encodings {
		want, from := 0, at[0]
		for i, offset := range at {
			for rest := content.String()[from:offset]; rest != ""; {
				r, size := utf8.DecodeRuneInString(rest)
				want += map[protocol.PositionEncodingKind]int{protocol.UTF8: size, protocol.UTF16: len(utf16.Encode([]rune{r})), protocol.UTF32: 1}[enc]
				rest = rest[size:]
			}
			from = offset
			if got := text.Position(offset, enc); got != (protocol.Position{Line: 1, Character: uint32(want)}) {
				t.Fatalf("piece %d is at %v of %s, want %d", i, got, enc, want)
			}
		}
	}
}

func FuzzPosition(f *testing.F) {
	for i, text := range texts {
		f.Add(text, uint32(i%3), uint32(i), byte(i))
	}
	f.Fuzz(func(t *testing.T, text string, line, character uint32, kind byte) {
		if len(text) > 1<<13 {
			return // Offset scans from the start of the line
		}
		enc := encodings[int(kind)%len(encodings)]
		if wrong := judge(text, protocol.Position{Line: line, Character: character}, enc); wrong != "" {
			t.Error(wrong)
		}
	})
}

// apply applies the edits of a client one by one.
func apply(text string, changes []protocol.TextDocumentContentChangeEvent, enc protocol.PositionEncodingKind) (string, bool) {
	for _, c := range changes {
		if c.Range == nil {
			text = c.Text
			continue
		}
		from, to := offset(text, c.Range.Start, enc), offset(text, c.Range.End, enc)
		if from > to {
			return "", false
		}
		text = text[:from] + c.Text + text[to:]
	}
	return text, true
}

func change(text string, at ...uint32) protocol.TextDocumentContentChangeEvent {
	c := protocol.TextDocumentContentChangeEvent{Text: text}
	if len(at) > 0 {
		c.Range = &protocol.Range{
			Start: protocol.Position{Line: at[0], Character: at[1]}, End: protocol.Position{Line: at[2], Character: at[3]},
		}
	}
	return c
}

func TestApply(t *testing.T) {
	for _, c := range []struct {
		why     string
		text    string
		changes []protocol.TextDocumentContentChangeEvent
		want    string
	}{
		{"no change", "a", nil, "a"},
		{"a change without a range is the whole text", "a", []protocol.TextDocumentContentChangeEvent{change("b\n")}, "b\n"},
		{"each change is about the text after the one before", "ab", []protocol.TextDocumentContentChangeEvent{
			change("x\n", 0, 0, 0, 0), change("y", 1, 0, 1, 1)}, "x\nyb"},
		{"changes from the end to the start, as editors send those of several cursors", "a a a\na", []protocol.TextDocumentContentChangeEvent{
			change("bb", 1, 0, 1, 1), change("bb", 0, 4, 0, 5), change("bb", 0, 2, 0, 3), change("bb", 0, 0, 0, 1)}, "bb bb bb\nbb"},
		{"two insertions at one place: the second goes in front", "a", []protocol.TextDocumentContentChangeEvent{
			change("1", 0, 1, 0, 1), change("2", 0, 1, 0, 1)}, "a21"},
		{"a text in front that makes a line end of what is behind", "\nb", []protocol.TextDocumentContentChangeEvent{
			change("x", 1, 1, 1, 1), change("\r", 0, 0, 0, 0), change("y", 1, 0, 1, 0)}, "\r\nybx"},
		{"the whole text amid others", "abc", []protocol.TextDocumentContentChangeEvent{
			change("x", 0, 3, 0, 3), change("1\n2"), change("3", 1, 1, 1, 1)}, "1\n23"},
		{"inside a surrogate pair", "a😀b", []protocol.TextDocumentContentChangeEvent{change("x", 0, 2, 0, 3)}, "axb"},
		{"behind the end", "a\nb", []protocol.TextDocumentContentChangeEvent{change("x", 0, 9, 9, 9)}, "ax"},
	} {
		got, err := NewText([]byte(c.text)).Apply(c.changes, protocol.UTF16, 1000)
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if diff := cmp.Diff(c.want, string(got.Bytes())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.why, diff)
		}
		if slow, _ := apply(c.text, c.changes, protocol.UTF16); slow != c.want {
			t.Errorf("%s: one by one, the edits make %q", c.why, slow)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	text := NewText([]byte("abc\ndef"))
	for _, c := range []struct {
		why  string
		what protocol.TextDocumentContentChangeEvent
	}{
		{"the end is before the start", change("", 1, 0, 0, 0)},
		{"too long at the end", change("xxxx", 0, 0, 0, 0)},
		{"too long as a whole", change("0123456789")},
	} {
		if got, err := text.Apply([]protocol.TextDocumentContentChangeEvent{c.what}, protocol.UTF8, 9); err == nil {
			t.Errorf("%s: got %q", c.why, got.Bytes())
		}
	}
	if string(text.Bytes()) != "abc\ndef" {
		t.Errorf("the text became %q", text.Bytes())
	}
}

// A client that replaces a name everywhere sends a change for each occurrence, all in one message,
// in whatever order. If each change made a new text, or scanned a line from its start, this test
// would take minutes.
func TestApplyMany(t *testing.T) {
	const n = 50_000
	for name, end := range map[string]string{"lines": "\n", "one line": " "} {
		text := NewText([]byte(strings.Repeat("name = 😀"+end, n)))
		for order, place := range map[string]func(int) int{
			"backward": func(i int) int { return n - 1 - i }, "forward": func(i int) int { return i },
			"here and there": func(i int) int { return i * 7919 % n },
		} {
			var changes []protocol.TextDocumentContentChangeEvent
			for i := range n {
				line, column := uint32(place(i)), uint32(0)
				if end == " " {
					line, column = 0, line*10
				}
				changes = append(changes, change("eman", line, column, line, column+4))
			}
			got, err := text.Apply(changes, protocol.UTF16, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Repeat("eman = 😀"+end, n); string(got.Bytes()) != want {
				t.Errorf("%s, %s: the text is another one", name, order)
			}
		}
	}
}

func FuzzApply(f *testing.F) {
	for i, text := range texts {
		f.Add(text, []byte{0, 1, 0, 2, byte(i), 1, 0, 1, 0, 3, 0, 0, 0, 0, 9}, byte(i))
	}
	f.Fuzz(func(t *testing.T, text string, script []byte, kind byte) {
		if len(text) > 1000 || len(script) > 200 {
			return
		}
		text = strings.ToValidUTF8(text, "?") // JSON contains only valid text
		enc := encodings[int(kind)%len(encodings)]
		changes := changesOf(script)
		got, err := NewText([]byte(text)).Apply(changes, enc, 1<<20)
		want, ok := apply(text, changes, enc)
		if ok != (err == nil) {
			t.Fatalf("%q, %v: got %v", text, changes, err)
		}
		if ok && string(got.Bytes()) != want {
			t.Errorf("%q, %+v (-want +got):\n%s", text, changes, cmp.Diff(want, string(got.Bytes())))
		}
	})
}

// changesOf makes an edit of every five bytes.
func changesOf(script []byte) []protocol.TextDocumentContentChangeEvent {
	var changes []protocol.TextDocumentContentChangeEvent
	for ; len(script) >= 5; script = script[5:] {
		text := texts[int(script[4])%len(texts)]
		if script[4] > 250 {
			changes = append(changes, change(text))
			continue
		}
		n := func(i int) uint32 { return uint32(script[i]) % 16 }
		changes = append(changes, change(text, n(0), n(1), n(2), n(3)))
	}
	return changes
}
