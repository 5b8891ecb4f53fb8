package layout

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"golang.org/x/tools/txtar"
)

// blocksIn returns the native files in the archives below a directory, cut after each top-level
// block.
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

// layouts are texts to insert into others.
var layouts = []string{
	" ", "  ", "\n", "\n\n", "  x = 1\n", "= ", " =", ",", "[", "]", "{\n", "}\n", "#c\n", "in", "-", ".", "\t", "\"", "<<E\nE\n",
	"  a = [1, b]\n", " == ", " - ", "!", "(", ")", "f(x)", "${a.b}", "%{", "a[0].b", "[*]", "{ a = -1 }", "{}", " ? ", " : ", "::", "...", "\\",
	" # c", " // d\n", "/* e */", "  \"f${g}\",\n", "  h.i,\n", "<<-E\n  ${x}\n  E\n", " # k\n  l = 1 # m\n",
	"  b = { x = f(\"${y}\", -1) }\n", "  c = x[0] == 1 ? [] : {}\n",
}

// TestPlainly compares formatPlain with the formatter, for clean blocks, for blocks whose columns
// were moved, and for blocks with random edits.
func TestPlainly(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	parts := blocksIn(t, "../../../testdata")
	formed := make([]string, 0, 2*len(parts))
	for _, p := range parts {
		formed = append(formed, p, string(hclwrite.Format([]byte(p))))
	}
	clean, moved := 0, 0
	for i := range 20 * len(formed) {
		text := formed[i%len(formed)]
		for range r.IntN(3) {
			at := r.IntN(len(text) + 1)
			to := min(len(text), at+r.IntN(3))
			text = text[:at] + layouts[r.IntN(len(layouts))] + text[to:]
		}
		text = signs.ReplaceAllStringFunc(text, func(sign string) string {
			if r.IntN(10) > 0 {
				return sign
			}
			return strings.Repeat(" ", 1+r.IntN(4)) + strings.TrimLeft(sign, " ")
		})
		laid, ok := formatPlain([]byte(text))
		switch {
		case !ok:
			continue
		case string(laid) == text:
			clean++
		default:
			moved++
		}
		if want := hclwrite.Format([]byte(text)); !bytes.Equal(laid, want) {
			t.Fatalf("%q\nis formatted as\n%q\nwant\n%q", text, laid, want)
		}
	}
	if clean < 4*len(formed) || moved < len(formed)/4 {
		t.Errorf("of %d texts, only %d are clean and only %d have columns to move", 20*len(formed), clean, moved)
	}
}

// signs matches the tokens aligned in columns, with the blanks before them.
var signs = regexp.MustCompile(` +(= |#|//)`)

// TestNotPlainly has texts that look plain, but in which the formatter changes more than the
// columns.
func TestNotPlainly(t *testing.T) {
	for name, text := range map[string]string{
		"a comment that /*/ does not end":    "a {\n  /*/\n  # */   b   =   1\n}\n",
		"a minus at the start of a template": "a {\n  b = \"${-1}\"\n}\n",
		"a minus in a heredoc":               "a {\n  b = <<E\n${-1}\nE\n}\n",
	} {
		if got := hclwrite.Format([]byte(text)); string(got) == text {
			t.Errorf("%s: the formatter leaves it unchanged", name)
		}
		if _, ok := formatPlain([]byte(text)); ok {
			t.Errorf("%s: plainly accepts it", name)
		}
	}
}
