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
	got := strings.NewReplacer(
		"\x1b[1m", "<b ", "\x1b[94m", "<n ", "\x1b[36m", "<s ", "\x1b[35m", "<l ", "\x1b[2m", "<c ",
		"\x1b[0m", ">", "\x1b[22m", ">",
	).Replace(string(HighlightNative([]byte(text), NewPalette(true))))
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

func TestIsLinear(t *testing.T) {
	colored := NewPalette(true)
	for _, piece := range []string{"resource \"a\" \"b\" {\n  x = [1, \"${y}\"]\n}\n\n", "a", "{", "\"", "${", "<<E\n", "#\n", "\n}\n"} {
		text := func(size int) []byte { return bytes.Repeat([]byte(piece), size/len(piece)) }
		loadtest.Linear(t, piece, 32<<10, func(size int) { HighlightNative(text(size), colored) })
	}
}

func BenchmarkNative(b *testing.B) {
	text := bytes.Repeat([]byte("resource \"a\" \"b\" {\n  x = [1, \"${y}\"]\n}\n\n"), 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		HighlightNative(text, NewPalette(true))
	}
}
