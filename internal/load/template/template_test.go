package template_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                   `""`,
		"plain text ~":       `"plain text ~"`,
		"a\"b\\c":            `"a\"b\\c"`,
		"a\nb\rc\td":         `"a\nb\rc\td"`,
		"${a} %{b} $ % { $$": `"$${a} %%{b} $ % { $$"`,
		"é🚀":                 `"é🚀"`,
		"👨\u200d👩":           "\"👨\u200d👩\"",
		"\x00\x07\x7f\u0085": `"\u0000\u0007\u007f\u0085"`,
		"\u200b\U000e0001x":  `"\u200b\U000e0001x"`,
		"\u2028\ufeff":       `"\u2028\ufeff"`,
	} {
		if got := template.Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Whatever text is quoted, reading it gives it again, normalized as all texts are.
func TestQuotedReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("$%{}\"\\\n\r\t~")))).Draw(t, "text")
		quoted := template.Quote(text)
		expr, diags := hclsyntax.ParseExpression([]byte(quoted), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %s", quoted, diags)
		}
		if v, _ := expr.Value(nil); v.AsString() != cty.StringVal(text).AsString() {
			t.Errorf("%s reads %q, want %q", quoted, v.AsString(), text)
		}
	})
}

func TestPieces(t *testing.T) {
	lit := func(text string) template.Piece { return template.Piece{Text: text, Literal: true} }
	seq := func(text string) template.Piece { return template.Piece{Text: text} }
	for _, c := range []struct {
		what, text string
		flush      bool
		want       []template.Piece
	}{
		{"nothing", "", false, nil},
		{"text", `a$${b}%%{c}`, false, []template.Piece{lit("a${b}%{c}")}},
		{"sequences", `a ${var.x} %{ if true }b%{ endif }`, false, []template.Piece{lit("a "), seq("${var.x}"), lit(" "), seq("%{ if true }"), lit("b"), seq("%{ endif }")}},
		{"nested", `${"a${b}"}`, false, []template.Piece{seq(`${"a${b}"}`)}},
		{"markers on one line stay", `a ${~ x ~} b`, false, []template.Piece{lit("a "), seq("${~ x ~}"), lit(" b")}},
		{"markers across lines are applied, each to its line", "a \n ${~ x ~} \n b", false, []template.Piece{lit("a \n"), seq("${ x }"), lit(" b")}},
		{"stripped to nothing", "\n${~ x }", false, []template.Piece{seq(`${""}`), seq("${ x }")}},
		{"flushed", "    a\n      b\n\n    ${x}\n", true, []template.Piece{lit("a\n  b\n\n"), seq("${x}"), lit("\n")}},
		{"flushed to a sequence", "  a\n${x}\n", true, []template.Piece{lit("  a\n"), seq("${x}"), lit("\n")}},
	} {
		src := []byte(c.text)
		if diff := cmp.Diff(c.want, template.Split(src, parse.EachTemplateToken, c.flush), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
}

// Pieces put together again mean the same, in quotes and without.
func TestPiecesTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(t, "seed"))
		text := g.Template(3, g.Lines)
		src := []byte(text)
		expr, diags := hclsyntax.ParseTemplate(src, "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Skip("no template")
		}
		pieces := template.Split(src, parse.EachTemplateToken, false)
		if len(pieces) == 1 && !pieces[0].Literal {
			t.Skip("an expression by itself")
		}
		quoted := `"` + template.Join(pieces, template.EscapeQuoted) + `"`
		again, diags := hclsyntax.ParseExpression([]byte(quoted), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %s", quoted, diags)
		}
		if diff := cmp.Diff(loadtest.Structure(expr), loadtest.Structure(again)); diff != "" {
			t.Errorf("%s as %s (-want +got):\n%s", text, quoted, diff)
		}
	})
}

// A lone carriage return becomes a separate sequence, and text that ends like the start of a
// sequence is kept apart from it.
func TestTemplateText(t *testing.T) {
	for _, c := range []struct {
		pieces []template.Piece
		want   string
	}{
		{[]template.Piece{{Text: "a\rb", Literal: true}, {Text: "${x}"}}, `a${"\r"}b${x}`},
		{[]template.Piece{{Text: "a\r\nb\r", Literal: true}, {Text: "${x}"}}, "a\r\nb" + `${"\r"}${x}`},
		{[]template.Piece{{Text: "a\rb", Literal: true}}, "a\rb"},
		{[]template.Piece{{Text: "cost: $", Literal: true}, {Text: "${x}"}}, `cost: ${"$"}${x}`},
		{[]template.Piece{{Text: "50%", Literal: true}, {Text: "%{if x}"}}, `50${"%"}%{if x}`},
		{[]template.Piece{{Text: "50%", Literal: true}, {Text: "${x}"}}, `50%${x}`},
		{[]template.Piece{{Text: "\r$${~ (1) ~}", Literal: true}}, `${"\r"}$$${~ (1) ~}`},
		{[]template.Piece{{Text: "\r${~ (1) ~}", Literal: true}}, "\r$${~ (1) ~}"},
	} {
		if got := template.Text(c.pieces); got != c.want {
			t.Errorf("%v: %q, want %q", c.pieces, got, c.want)
		}
	}
}

// Any text is read back as it is, alone and beside a sequence: every one of a few characters
// that mean something in templates.
func TestTextIsReadBack(t *testing.T) {
	const alphabet = "$%{~}\r\na\ufeff"
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"x": cty.StringVal("<x>")}}
	check := func(want string, pieces ...template.Piece) {
		text := template.Text(pieces)
		expr, diags := hclsyntax.ParseTemplate([]byte(text), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%q: %s", text, diags)
		}
		if got, _ := expr.Value(ctx); got.Type() != cty.String || got.AsString() != want {
			t.Fatalf("%q is %#v, want %q", text, got, want)
		}
	}
	var all func(text string, left int)
	all = func(text string, left int) {
		literal, sequence := template.Piece{Text: text, Literal: true}, template.Piece{Text: "${x}"}
		check(text, literal)
		if text != "" {
			check(text+"<x>"+text, literal, sequence, literal)
		}
		for _, more := range strings.Split(alphabet, "") {
			if left > 0 {
				all(text+more, left-1)
			}
		}
	}
	all("", 4)
	for _, text := range []string{"\r$${~ (1) ~}", "\r%%%{ if a }", "\r$$$${", "a\r$${\r$${", "\r\n$${"} {
		check(text, template.Piece{Text: text, Literal: true})
	}
}
