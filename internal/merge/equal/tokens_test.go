package equal

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/tools/txtar"
)

// Texts are compared by their tokens, not their layout. Most differ in ways that are found without
// tokens.
func TestSameTokens(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"[1, 2]", "[1,2]", true},
		{"[1, 2]", "[1,\n2]", true},
		{"[1, 2]", "[12]", false},
		{"1 2", "12", false},
		{`"a b"`, `"ab"`, false},
		{"1 # one", "1", true},
		{"1 // one", "2 // one", false},
		{"/* */ 1", "1", true},
		{`"a # b"`, `"a # c"`, false},
		{"<<E\n  a\nE", "<<E\na\nE", false},
		{"<<E\na\n  E", "<<E\na\nE", true},
		{"<<E\n# a\nE", "<<E\na\nE", false},
		{"<<-E\na\nE", "<<E\na\nE", false},
		{"<<E\r\na\nE", "<<E\na\nE", true},
		{"<<E\na\r\nE", "<<E\na\nE", false},
		{"<<E\na\nE", "<<F\na\nF", false},
		{`"a  b"`, `"a b"`, false},
		{`"$${a # b}"`, `"$${a # c}"`, false},
		{`"${a /* b */}"`, `"${ a }"`, true},
		{`"${~ a ~}"`, `"${ a }"`, false},
		{"[ # a\n  1]", "[ # a 1\n]", false},
		{"[\n  # 1,\n]", "[\n  1,\n]", false},
		{"a - b", "a-b", false},
		{"a -b", "a - b", true},
		{"a ? b : c", "a?b:c", true},
		{"1.5", "1 .5", false},
		{`"\""`, `"\"" # "`, true},
		{"\"\xff\" # a", "\"\xff\" # b", false},
		{"", "", true},
	} {
		if got := sameTokens([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// lexed are the tokens of a text as the lexer finds them, with literal text that it splits put
// together. ok is false if it finds something wrong.
func lexed(src []byte) (list []string, ok bool) {
	all, diags := hclsyntax.LexConfig(append(bytes.Clone(src), '\n'), "", hcl.InitialPos)
	wasLiteral := false
	for _, t := range all {
		text, k := string(t.Bytes), code
		switch t.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenComment, hclsyntax.TokenEOF:
			continue
		case hclsyntax.TokenInvalid, hclsyntax.TokenBadUTF8, hclsyntax.TokenQuotedNewline:
			return nil, false
		case hclsyntax.TokenStringLit, hclsyntax.TokenQuotedLit:
			k = literal
		case hclsyntax.TokenOHeredoc, hclsyntax.TokenCHeredoc:
			text = strings.TrimSpace(text)
		}
		if k == literal && wasLiteral {
			list[len(list)-1] += text
			continue
		}
		wasLiteral = k == literal
		list = append(list, string(k)+text)
	}
	return list, !diags.HasErrors()
}

func found(src []byte) (list []string) {
	eachToken(src, func(k kind, text []byte) { list = append(list, string(k)+string(text)) })
	return list
}

// isAccepted reports whether the parser accepts a text.
func isAccepted(src []byte) bool {
	_, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
	return !diags.HasErrors()
}

// For text that the parser accepts, the tokens equal its lexer's. Text that isn't UTF-8 is one
// token.
func TestTokens(t *testing.T) {
	count := 0
	for _, pattern := range []string{"script/*.txtar", "rules/*.txtar", "live/*.txtar", "documentation/*.txtar"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if ext := filepath.Ext(f.Name); ext == ".tf" || ext == ".tofu" {
					count++
					sameAsLexed(t, filepath.Base(name)+": "+f.Name, f.Data)
				}
			}
		}
	}
	if count < 1000 {
		t.Errorf("only %d files", count)
	}
}

func sameAsLexed(t *testing.T, about string, src []byte) {
	t.Helper()
	want, ok := lexed(src)
	got := found(src)
	if !ok || !utf8.Valid(src) || slices.Equal(want, got) || !isAccepted(src) {
		return
	}
	t.Errorf("%s (-lexer +tokens):\n%s", about, cmp.Diff(want, got))
}

func FuzzTokens(f *testing.F) {
	for _, text := range []string{
		"a = <<-E\n  ${b}\n  E\n", "a = \"$$${b} %%{ ${~ {c = \"}\"}.c ~} \\\"\"", "a = 1.5e-3/2 // b", "a {\n  b = [for x in y : x...]\n}",
		"a = <<E\n$\nE\n", "a = <<E\n$${\n%\n${b}E\nE\n", "a = <<E\n\u00a0E\u00a0\n", "a = {b = a::c(1)}", "é = \"é\"\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, src := range []string{text, "a = " + text, "a = \"" + text + "\"", "a = <<E\n" + text + "\nE\nb = [1 /* c */]"} {
			sameAsLexed(t, fmt.Sprintf("%q", src), []byte(src))
		}
	})
}

// Neither memory nor work grows faster than the text.
func TestTokensAreLinear(t *testing.T) {
	for _, piece := range []string{"[", "{", "\"${", "<<E\n", "/*", "/* */", "1.", "\"${a}", "a", "<<", "\"\\", "$"} {
		steps := func(n int) int {
			src, count := []byte(strings.Repeat(piece, n)), 0
			allocated := testing.AllocsPerRun(1, func() {
				count = 0
				eachToken(src, func(kind, []byte) { count++ })
			})
			if count > len(src) || allocated > 100 {
				t.Errorf("%q: %d tokens, %v allocations of %d bytes", piece, count, allocated, len(src))
			}
			return count
		}
		if one, four := steps(10_000), steps(40_000); four > 4*one+4 {
			t.Errorf("%q: %d tokens, of four times the text %d", piece, one, four)
		}
	}
}
