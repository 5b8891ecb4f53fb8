package layout

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"golang.org/x/tools/txtar"
)

// blocksIn are the texts of native files in the archives below a directory, cut behind
// their top-level blocks.
func blocksIn(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".txtar" {
			return err
		}
		text, err := os.ReadFile(name)
		for _, f := range txtar.Parse(text).Files {
			if strings.HasSuffix(f.Name, ".tf") {
				all = append(all, strings.SplitAfter(string(f.Data), "\n}\n")...)
			}
		}
		return err
	})
	if err != nil || len(all) < 100 {
		t.Fatal(len(all), err)
	}
	return all
}

// layouts are texts to put into others, or to take away from them.
var layouts = []string{
	" ", "  ", "\n", "\n\n", "  x = 1\n", "= ", " =", ",", "[", "]", "{\n", "}\n", "#c\n", "in", "-", ".", "\t", "\"", "<<E\nE\n",
	"  a = [1, b]\n", " == ", " - ", "!", "(", ")", "f(x)", "${a.b}", "%{", "a[0].b", "[*]", "{ a = -1 }", "{}", " ? ", " : ", "::", "...", "\\",
	" # c", " // d\n", "/* e */", "  \"f${g}\",\n", "  h.i,\n", "<<-E\n  ${x}\n  E\n", " # k\n  l = 1 # m\n",
	"  b = { x = f(\"${y}\", -1) }\n", "  c = x[0] == 1 ? [] : {}\n",
}

// TestPlainlyClean holds what bytes show against the formatter, for clean blocks and for
// blocks that were taken out of shape.
func TestPlainlyClean(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	parts := blocksIn(t, "../../../testdata")
	formed := make([]string, 0, 2*len(parts))
	for _, p := range parts {
		formed = append(formed, p, string(hclwrite.Format([]byte(p))))
	}
	seen := 0
	for i := range 20 * len(formed) {
		text := formed[i%len(formed)]
		for range r.IntN(3) {
			at := r.IntN(len(text) + 1)
			to := min(len(text), at+r.IntN(3))
			text = text[:at] + layouts[r.IntN(len(layouts))] + text[to:]
		}
		if !isPlainlyClean([]byte(text)) {
			continue
		}
		seen++
		if got := hclwrite.Format([]byte(text)); !bytes.Equal(got, []byte(text)) {
			t.Fatalf("not clean:\n%s\nbut:\n%s", text, got)
		}
	}
	if seen < 4*len(formed) {
		t.Errorf("%d of %d texts are clean", seen, 20*len(formed))
	}
	t.Logf("%d of %d", seen, 20*len(formed))
}

// TestNotPlainlyClean holds texts that look clean and are laid out anew.
func TestNotPlainlyClean(t *testing.T) {
	for name, text := range map[string]string{
		"a comment that /*/ does not end":    "a {\n  /*/\n  # */   b   =   1\n}\n",
		"a minus at the start of a template": "a {\n  b = \"${-1}\"\n}\n",
		"a minus in a heredoc":               "a {\n  b = <<E\n${-1}\nE\n}\n",
	} {
		if got := hclwrite.Format([]byte(text)); string(got) == text {
			t.Errorf("%s: the formatter leaves it as it is", name)
		}
		if isPlainlyClean([]byte(text)) {
			t.Errorf("%s: it counts as clean", name)
		}
	}
}
