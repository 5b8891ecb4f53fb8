package load

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// sameBlocks fails if two ways to load a file differ in blocks or diagnostics.
func sameBlocks(t *testing.T, whole, pieces *source.File, want, got hcl.Diagnostics) {
	t.Helper()
	if len(want) != len(got) || whole.Len() != pieces.Len() {
		t.Fatalf("%d blocks, %d diagnostics, want %d, %d\n%v\n%v\n%q", pieces.Len(), len(got), whole.Len(), len(want), want, got, whole.Native)
	}
	for i := range want {
		if want[i].Error() != got[i].Error() {
			t.Errorf("want %v, got %v\n%q", want[i], got[i], whole.Native)
		}
	}
	for i := range whole.Len() {
		want, got := whole.Block(i), pieces.Block(i)
		if got.Extent() != want.Extent() || got.Header() != want.Header() {
			t.Errorf("block %d is at %s, want %s", i, got.Extent(), want.Extent())
		}
	}
}

// outlinedAsParsed fails if loading a file by its outline differs from parsing it. It reports
// whether the outline accepts the file.
func outlinedAsParsed(t *testing.T, src []byte) bool {
	t.Helper()
	l := &loader{opts: Options{Engine: engine.Default()}}
	outlined := &source.File{Name: "main.tf", Native: src, Engine: engine.Default()}
	whole := &source.File{Name: "main.tf", Native: src, Engine: engine.Default()}
	got, ok := l.readOutline(outlined, nil)
	if !ok {
		return false
	}
	want, isWhole := l.parseWhole(whole)
	if !isWhole {
		t.Errorf("the outline accepts what the parser refuses: %v\n%q", want, src)
		return true
	}
	sameBlocks(t, whole, outlined, want, got)
	return true
}

// TestOutlinedAsParsed tries every text of a few parts: blocks that the outline is sure about,
// blocks that it leaves to the parser, and what ends or hides blocks.
func TestOutlinedAsParsed(t *testing.T) {
	parts := []string{
		"a {\n}\n", "a {\n  b = 1\n}\n", "\u00e9 {\n}\n", "\u00e9 \"b\" {\n  c = <<E\n}\nE\n}\n", "a {\n  b = 1e999\n}", "/*", "*/", "/* c */ ", "# d",
		"\ufeff", "\n", "\r\n", "}\n", "<<E\n", "\"", "x = 1\n", "\x00", "\xff", "# \xe2\x9c\n", "  ", "a {}", "\t",
	}
	read, all := 0, 0
	var grow func(prefix string, left int)
	grow = func(prefix string, left int) {
		all++
		if outlinedAsParsed(t, []byte(prefix)) {
			read++
		}
		for _, p := range parts[:len(parts)*min(left, 1)] {
			grow(prefix+p, left-1)
		}
	}
	grow("", 4)
	t.Logf("the outline accepts %d of %d texts", read, all)
	if read < all/50 {
		t.Errorf("the outline accepts only %d of %d texts", read, all)
	}
}

// FuzzOutlined tries a text also with a name in each block that the outline leaves to the parser.
func FuzzOutlined(f *testing.F) {
	f.Add([]byte("/*"))
	f.Add([]byte("\ufeff\ufeff"))
	f.Add([]byte("\u00e9 {\n}\n\na \"b\" {\n  c = \"${d}\" # \u00e9\n}\n"))
	f.Add([]byte("a {\n  b = <<E\n}\n\nE\n}\nc {}\n"))
	f.Add([]byte("a {\r\n  b = c::d()\r\n}\r\ne {}\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<14 {
			t.Skip("a large input takes too long")
		}
		for _, text := range [][]byte{src, bytes.ReplaceAll(src, []byte("{\n"), []byte("{\n\u00e9=1\n"))} {
			if diags := limits.CheckText(text, ""); !diags.HasErrors() {
				outlinedAsParsed(t, text)
			}
		}
	})
}

// TestOutlinedLeavesLongRest checks that a long rest of a file is parsed block by block, which takes a
// fraction of the memory, and not at all if there is nowhere to cut.
func TestOutlinedLeavesLongRest(t *testing.T) {
	for name, test := range map[string]struct {
		block  string
		isLeft bool
	}{
		"one line":  {"a { b = \u00e9 }\n", false},
		"CRLF":      {"a {\r\n  b = \u00e9\r\n}\r\n", false},
		"indented":  {"a {\n  b = \u00e9\n  }\n", false},
		"heredoc":   {"a {\n  b = \u00e9\n  c = <<E\n{\n}\nE\n}\n", false},
		"comment":   {"a {\n  b = \u00e9\n} # c\n", true},
		"no indent": {"a {\nb = \u00e9\nc {\n}\n}\n", false},
	} {
		long := []byte(strings.Repeat("a {\n}\n", 3) + strings.Repeat(test.block, 1+maxRest/len(test.block)))
		if outlinedAsParsed(t, long) == test.isLeft {
			t.Errorf("%s: %d bytes are parsed in pieces: %t", name, len(long), test.isLeft)
		}
		if !outlinedAsParsed(t, []byte(test.block)) {
			t.Errorf("%s: a short rest was not parsed", name)
		}
	}
}
