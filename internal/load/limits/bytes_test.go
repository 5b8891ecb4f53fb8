package limits

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The pass over raw bytes agrees with the tokens wherever brackets are text. It exceeds them only
// for the sign before a value and the second half of an operator.
func TestDepthOnBytes(t *testing.T) {
	for _, c := range []struct {
		text string
		deep int
	}{
		{"a = [1, (2)]\n", 3},
		{"a = [\n 1 + 2,\n 3\n]\n", 3},
		{"a {\n  b = 1 - 2\n  c = !d\n}\n", 3},
		{"a = {\n  b = 1 + 2\n  c = 3 * 4\n}\n", 4},
		{"a = { for b in c : b => 1 +\n 2 -\n 3 }\n", 6},
		{"a = {\n  for b in c : b => 1 +\n 2 -\n 3 }\n", 6},
		{"a = { forest = 1 }\n", 3},
		{"a = \"[(\" # [(\n", 2},
		{"a = \"\\\"[(\" // [(\n", 2},
		{"a = \"\\\\\" + [1]\n", 3},
		{"a = \"$${[(\"\nb = \"%%{[(\"\n", 2},
		{"a = \"$[(\"\nb = \"$$[(%\"\n", 2},
		{"a = \"${[1]}b${2 + 3}\"\n", 4},
		{"a = \"%{ if b }c%{ else }d%{ endif }\"\n", 4},
		{"a = \"%{~ for b in c ~}d%{~ endfor ~}\"\n", 4},
		{"a = \"%{ if b }%{ for c in d }%{ endfor }%{ endif }\"\n", 5},
		{"a = <<E\n[( ${b} {\nE\nc = [1]\n", 3},
		{"a = <<-E\n    [( ${b} {\n    E\nc = [1]\n", 3},
		{"a = <<E\r\n[(\r\nE\r\nc = [1]\n", 2},
		{"a = <<E\n  E ${b}\nEE\nE \nE\nc = [1]\n", 3},
		{"a = <<E\n${b} E\nE\nc = [1]\n", 3},
		{"a = <<E\n$${[(\n%%{[(\nE\nc = [1]\n", 2},
		{"a = <<E\n%{ if b }\n[\n%{ endif }\nE\nc = [1]\n", 4},
		{"a = 1 < 2 ? 3 : 4\n", 3},
		{"a = 1 /* [( */ + 2 / 3\n", 3},
		{"a = /*/ [( */ 1\n", 1},
		{"a = b[1][2]\nc = b[*].d\n", 3},
		{"a = b::c::d()\n", 4},
		{"a = 1 == 2 && 3 != 4 || 5 >= 6\n", 11},
		{"a = f(1, -2, [3])\n", 3},
		{"a = -1 % -2\n", 4},
		{"# [(\na = 1\n# [(", 1},
		{"a = 1 // [(", 1},
		{"a = é ? \"é[\" : 1\n", 3},
		{"a = [ # [\n 1 ]\n", 2},
		{"a = \"$$", 2},
		{"a = \"$", 2},
	} {
		tokens, _ := hclsyntax.LexConfig([]byte(c.text), "main.tf", hcl.InitialPos)
		exact := newNesting()
		exact.tokens(tokens, len(tokens))
		scan := newDepthScan([]byte(c.text))
		if scan.run() || scan.deepest != c.deep || scan.deepest < exact.deepest {
			t.Errorf("%q: %d deep on bytes, want %d; %d on tokens", c.text, scan.deepest, c.deep, exact.deepest)
		}
	}
}

// A text is cut behind line ends outside of everything, into pieces that are large
// enough, but not before a byte order mark, which is one at the start of a text only.
func TestCuts(t *testing.T) {
	pieces := []string{"a {\n  b = [\n  ]\n}\n", "\n", "c = <<E\nd\nE\n", "# e\n", "/*\nf\n*/\n\xef\xbb\xbfg = 1\n", "h = \"${\ni\n}\"\n"}
	text := strings.Join(pieces, "")
	scan := newDepthScan([]byte(text))
	scan.pieceSize = 1
	if scan.run() {
		t.Error("the text does not nest too deep")
	}
	var got []string
	last := 0
	for _, at := range append(scan.cuts, len(text)) {
		got = append(got, text[last:at])
		last = at
	}
	if !slices.Equal(got, pieces) {
		t.Errorf("cut into %q, want %q", got, pieces)
	}
	line := "a = 12\n" // 7 bytes: the pieces end with the line that makes them large enough
	if cuts, _ := Cuts([]byte(strings.Repeat(line, 600)), pieceSize); !slices.Equal(cuts, []int{2002, 4004}) {
		t.Errorf("cut at %d", cuts)
	}
	line = "a = 123\n" // 8 bytes, of which 250 are just enough
	if cuts, _ := Cuts([]byte(strings.Repeat(line, 501)), pieceSize); !slices.Equal(cuts, []int{2000, 4000}) {
		t.Errorf("cut at %d", cuts)
	}
}
