package view

import (
	"bytes"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// However small the pieces are, changes have the same result as on the whole text, and each piece
// starts at a valid boundary.
func FuzzApplyInPieces(f *testing.F) {
	f.Add("a\r\nb\rc\n😀é\nlast", []byte{0, 1, 1, 2, 3, 1, 0, 1, 0, 1, 2, 1, 2, 1, 4}, byte(1), byte(3))
	f.Add("\r\n\r\n", []byte{1, 0, 1, 0, 0, 0, 0, 1, 0, 5}, byte(0), byte(1))
	f.Add("\xff\xe2\x82\xac\xac\n\xf0\x9f", []byte{0, 1, 0, 1, 6, 0, 0, 0, 2, 2}, byte(2), byte(2))
	f.Fuzz(func(t *testing.T, text string, script []byte, kind, least byte) {
		if len(text) > 1000 || len(script) > 200 {
			return
		}
		enc := []protocol.PositionEncodingKind{protocol.UTF8, protocol.UTF16, protocol.UTF32}[int(kind)%3]
		p := &pieces{least: 1 + int(least)%16, enc: enc}
		p.set([]byte(text))
		p.each = p.least // even in larger texts
		whole := NewText([]byte(text))
		inserted := []string{"", "a", "\n", "\r", "\r\n", "é", "😀", "long, and more than one piece\n\r\rof 😀😀 it"}
		for ; len(script) >= 5; script = script[5:] {
			c := protocol.TextDocumentContentChangeEvent{Text: inserted[int(script[4])%len(inserted)]}
			if script[4] < 250 {
				c.Range = &protocol.Range{
					Start: protocol.Position{Line: uint32(script[0] % 8), Character: uint32(script[1] % 16)},
					End:   protocol.Position{Line: uint32(script[2] % 8), Character: uint32(script[3] % 16)},
				}
			}
			next, want := whole.Apply([]protocol.TextDocumentContentChangeEvent{c}, enc, 1000)
			got := p.apply(c, 1000)
			if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
				t.Fatalf("%q, %+v: error %v, want %v", whole.Bytes(), c, got, want)
			}
			if want == nil {
				whole = next
			}
			judgePieces(t, p, whole.Bytes())
		}
	})
}

func judgePieces(t *testing.T, p *pieces, want []byte) {
	if got := p.bytes(); !bytes.Equal(got, want) || p.size != len(want) {
		t.Fatalf("%d bytes %q, want %q", p.size, got, want)
	}
	for i, c := range p.list {
		switch {
		case len(c.text) == 0:
			t.Fatalf("piece %d is empty", i)
		case i > 0 && !isStart(p.list[i-1].text[len(p.list[i-1].text)-1], c.text[0]):
			t.Fatalf("piece %d starts with %q, after %q", i, c.text, p.list[i-1].text)
		}
	}
}
