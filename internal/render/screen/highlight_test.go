package screen

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// Each line has its own colours, since pagers start lines without them.
func TestNative(t *testing.T) {
	text := `# lead
resource "a" "b" { # trailing
  count = 1 # added: a.tf:1
  x     = "v ${var.y == true ? null : 2}" # added: a.tf:1 by somebody else
  /* several
     lines */
  y = <<E
one
two
E
  dynamic "z" {}
}
`
	got := spelledOut.Replace(string(Painter{Palette: NewPalette(true)}.Paint([]byte(text))))
	want := `<c # lead>
<b resource> <s "a"> <s "b"> { <c # trailing>
  <n count> = <l 1> <c # added: a.tf:1>
  <n x>     = <s "v >${var.y == <l true> ? <l null> : <l 2>}<s "> <c # added: a.tf:1 by somebody else>
  <c /* several>
<c      lines */>
  <n y> = <s <<E>
<s one>
<s two>
<s E>
  <b dynamic> <s "z"> {}
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The word of a mark has its own colour; the user's comments are dim, and so are lines that continue a mark.
func TestMarksInText(t *testing.T) {
	text := "  # added: a.tf:1\n  #   dropped: b\n  a = 1 # no effect: a.tf:2 x\r\n  b = 2 # added: b.tf:9\n# added: a.tf:1\n# override: c.tf:1"
	marks := map[string]bool{"# added: a.tf:1": true, "#   dropped: b": true, "# no effect: a.tf:2 x": true, "# override: c.tf:1": true}
	for _, c := range []struct {
		onlyMarks bool
		want      string
	}{
		{true, "  <c # ><g added><c : a.tf:1>\n  <c #   dropped: b>\n  a = 1 <c # ><r no effect><c : a.tf:2 x>\r\n" +
			"  b = 2 # added: b.tf:9\n<c # ><g added><c : a.tf:1>\n<c # ><y override><c : c.tf:1>"},
		{false, "  <c # ><g added><c : a.tf:1>\n  <c #   dropped: b>\n  <n a> = <l 1> <c # ><r no effect><c : a.tf:2 x>\r\n" +
			"  <n b> = <l 2> <c # added: b.tf:9>\n<c # ><g added><c : a.tf:1>\n<c # ><y override><c : c.tf:1>"},
	} {
		p := Painter{Palette: NewPalette(true), Marks: marks, OnlyMarks: c.onlyMarks}
		if got := spelledOut.Replace(string(p.Paint([]byte(text)))); got != c.want {
			t.Errorf("only marks %v: got\n%s\nwant\n%s", c.onlyMarks, got, c.want)
		}
	}
}

var spelledOut = strings.NewReplacer(
	"\x1b[1m", "<b ", "\x1b[94m", "<n ", "\x1b[36m", "<s ", "\x1b[35m", "<l ", "\x1b[2m", "<c ",
	"\x1b[32m", "<g ", "\x1b[31m", "<r ", "\x1b[33m", "<y ", "\x1b[0m", ">", "\x1b[22m", ">",
)

func TestIsLinear(t *testing.T) {
	colored := NewPalette(true)
	for _, piece := range []string{"resource \"a\" \"b\" {\n  x = [1, \"${y}\"]\n}\n\n", "a", "{", "\"", "${", "<<E\n", "#\n", "\n}\n"} {
		text := func(size int) []byte { return bytes.Repeat([]byte(piece), size/len(piece)) }
		loadtest.Linear(t, piece, 8<<10, func(size int) { Painter{Palette: colored}.Paint(text(size)) })
	}
}

func BenchmarkNative(b *testing.B) {
	text := bytes.Repeat([]byte("resource \"a\" \"b\" {\n  x = [1, \"${y}\"]\n}\n\n"), 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Painter{Palette: NewPalette(true)}.Paint(text)
	}
}
