package layout

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// checkFormatted fails if formatted and hclwrite differ.
func checkFormatted(t *testing.T, text []byte) {
	t.Helper()
	if got, want := formatTokens(parse.Words(text)), hclwrite.Format(text); !bytes.Equal(got, want) {
		t.Errorf("%q\nis formatted as\n%q\nwant\n%q", text, got, want)
	}
}

// TestFormatted compares the formatter with hclwrite, for blocks with random edits.
func TestFormatted(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	parts := blocksIn(t, "../../../testdata")
	for range 20_000 {
		text := parts[r.IntN(len(parts))]
		for range r.IntN(6) {
			at := r.IntN(len(text) + 1)
			to := min(len(text), at+r.IntN(4))
			text = text[:at] + layouts[r.IntN(len(layouts))] + text[to:]
		}
		if checkFormatted(t, []byte(text)); t.Failed() {
			return
		}
	}
}

// TestFormattedTokens compares them for all short sequences of tokens on which blanks may
// depend.
func TestFormattedTokens(t *testing.T) {
	alphabet := []string{
		"a", "in", "1", "\"s\"", "\"", "${", "%{", "}", "{", "[", "]", "(", ")", ",", ".", "...", "::", ":", "?", "=", "==",
		"-", "+", "!", "&&", "=>", "\n", "#c\n", "/*c*/", "<<E\nx\nE\n", "~", "é", "👩‍👩‍👧",
	}
	var grow func(text string, n int)
	grow = func(text string, n int) {
		if checkFormatted(t, []byte(text)); t.Failed() || n == 0 {
			return
		}
		for _, token := range alphabet {
			grow(text+" "+token, n-1)
		}
	}
	grow("", 3)
	grow("a = [", 3)
	grow("\"${", 2)
}

func FuzzFormatted(f *testing.F) {
	for _, seed := range layouts {
		f.Add([]byte("a {\n  bb = 1\n" + seed + "c = 2 # d\n}\n"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !utf8.Valid(text) {
			t.Skip("the width of invalid UTF-8 depends on the version of Unicode")
		}
		checkFormatted(t, text)
	})
}
