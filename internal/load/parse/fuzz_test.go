package parse

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// FuzzSame compares the results of this package with the parser's.
func FuzzSame(f *testing.F) {
	withLimits(f, tightest)
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			t.Skip("more than a fuzzer is for")
		}
		// Nobody can guess the program's tag, but a fuzzer can guess the tag used in tests.
		if strings.Contains(text, tag()) || strings.Contains(text, `0003`) {
			t.Skip("it may have text that looks like a stand-in")
		}
		checkSame(t, text)
		checkTokens(t, text)
	})
}

// seeds are texts in which each rule of the package matters.
var seeds = []string{
	"a = <<-A\n    one\n      two ${b}\n\n    three\n  A\n",
	"a = <<-A\n\n\n  \n    b\n${~ c ~}\n  d\n   ${~ e}f\n  A\n",
	"a = <<A\n%{ for b in c ~}\n  x ${b}\n%{ if d }y\n%{ else }z\n%{ endif }\n%{ endfor }\nA\n",
	"a( <<-A\n\n b\n cdefg${00h0~}\n ij$klm$\n",
	"a = <<A\n%{ if b }\nx\n%{ endfor }\n%{ else }\n%{ else }\nA\n",
	"a = <<A\none\ntwo ${b\nthree\nA\nb = 1\n",
	"a = <<A\n${1}\n${{a = 1}}\n${<<B\nx\ny\nB\n}\nz\nA\n",
	"b \"$a$b%c$$${d}\" {\n  a = \"$a$b$c\\u00e9$d\"\n  a = c[\"$a$b$c$d\"]\n}\n",
	"a = b[<<A\nx\ny\nz\nA\n].c\na = 1\n",
	"a = \"\\q$\\q$\\q$\\q\"\nb = \"$a$b\nc\"\n",
	"a = 1 /* b /* c /*/ d\n/* \"/*\" %/*{\n",
	"a = <<A\r\nx\r\n$\r\n\r\nA\r\n",
	"a = <<A\nx\n$\n\nA\nb\n\xff\nA\n",
	"\ufeff<<-A\n  x\n \ufeff y\n\u0301z\n  A\n",
	"x\ny $z\n${a}\n$\n%",
	"a = <<A\n\rb${c}\nA\n",
	"<<-A\n    x\n\u2003::;  x\n\xd3%{~ if i ~}['\n)%{~ endfor ~}1\t\nA\n}\n",
	"foo \"a\" <<A\n${{b = 1}}\n${{c = 2}}\nx\nA\n{\n}\n",
}

func TestSeeds(t *testing.T) {
	withLimits(t, tightest)
	for _, text := range seeds {
		checkSame(t, text)
		checkTokens(t, text)
	}
}

// checkTokens compares the tokens found window by window with those that the lexer finds at once.
func checkTokens(t testing.TB, text string) {
	t.Helper()
	src, at := []byte(text), hcl.Pos{Line: 7, Column: 3, Byte: 100}
	for kind, lex := range map[string]lexFunc{"text": hclsyntax.LexConfig, "template": hclsyntax.LexTemplate} {
		want, _ := lex(src, "a.tf", at)
		l := newLexer(src, "a.tf", at, lex)
		l.window = margin + 1 + len(src)%20
		i := 0
		l.each(func(got hclsyntax.Token) {
			if i >= len(want) || got.Type != want[i].Type || got.Range != want[i].Range || string(got.Bytes) != string(want[i].Bytes) {
				t.Fatalf("%s %q: token %d is %v %q", kind, text, i, got, got.Bytes)
			}
			i++
		})
		if i != len(want) {
			t.Fatalf("%s %q: %d tokens, want %d", kind, text, i, len(want))
		}
	}
}
