package limits

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

func TestCheckDepth(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, MaxDepth+10) }
	for name, test := range map[string]struct {
		src  string
		deep bool
	}{
		"brackets":                               {"a = " + many("["), true},
		"parentheses over lines":                 {"a = " + many("(\n") + "1" + many(")"), true},
		"blocks":                                 {many("a {\n") + many("}\n"), true},
		"unary operators":                        {"a = " + many("!") + "true\n", true},
		"a chain of operators":                   {"a = 1" + many(" + 1") + "\n", true},
		"conditionals":                           {"a = 1" + many(" ? 1 : 1") + "\n", true},
		"indexes":                                {"a = b" + many("[c]") + "\n", true},
		"nested templates":                       {`a = ` + many(`"${`) + "1" + many(`}"`), true},
		"directives":                             {`a = "` + many(`%{ if b }`) + many(`%{ endif }`) + `"`, true},
		"directives in a heredoc":                {"a = <<E\n" + many("%{ if b }\n") + many("%{ endif }\n") + "E\n", true},
		"what is no heredoc":                     {"a = <<E.x\n b = " + many("(") + "\n", true},
		"no heredoc for a blank":                 {"a = 1 <<E#x\n b = " + many("(") + "\n", true},
		"no heredoc for a CR":                    {"a = <<E\r\r\n b = " + many("(") + "\n", true},
		"namespaces":                             {"a = a" + many("::a") + "()\n", true},
		"a for expression":                       {"a = {for x in y : x => 1" + many(" +\n 1") + "}\n", true},
		"brackets in strings that close nothing": {`a = ` + many(`f(")", `) + "1" + many(")"), true},
		"a quote within a letter":                {"\xd3\" = " + many("["), true},
		"brackets in a string":                   {`a = "` + many("[") + `"`, false},
		"brackets in comments":                   {"# " + many("{") + "\n/* " + many("(") + "*/\n", false},
		"brackets in a heredoc":                  {"a = <<E\n" + many("{") + "\nE\n", false},
		"an escaped template":                    {`a = "` + many("$${") + `"`, false},
		"a long list":                            {"a = [" + many("-1, ") + "]\n", false},
		"many arguments":                         {"a {\n" + many("b = c - 1\n") + "}\n", false},
		"many blocks":                            {many("a {}\n"), false},
		"many sequences in one string":           {`a = "` + many("${b}") + `"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := Depth([]byte(test.src), "main.tf")
			if diags.HasErrors() != test.deep {
				t.Errorf("too deep: %v, want %v", diags.HasErrors(), test.deep)
			}
		})
	}
}

// The nesting of a text is the same if it is turned into tokens bit by bit, wherever
// that stops.
func TestDepthBitByBit(t *testing.T) {
	src := []byte(strings.Repeat(`# a ( comment {
a "b" {
  c = [1, (2 +
    3), {for k, v in d : k => "${v["x"]}y%{ if a }b%{ endif }"},
    { # for
      for k in d : k => k... },
  ]
  /* ( [ {
     " */
  e = <<-EOT
    ( text ${f(1,
      [2])} %{ for x in y }
    ${x}
    %{ endfor }
  EOT
  g { h = !-1 ? 2 : 3 }
}
`, 4))
	tokens, _ := hclsyntax.LexConfig(src, "main.tf", hcl.InitialPos)
	want := newNesting()
	want.tokens(tokens, len(tokens))
	for size := 1; size < 700; size += 3 {
		got := newNesting()
		got.text(src, "main.tf", parse.Tokens, size)
		if got.deepest != want.deepest || got.total != want.total {
			t.Errorf("%d bytes at once: %d deep, %d in the end, want %d, %d", size, got.deepest, got.total, want.deepest, want.total)
		}
	}
}

// A template is a text first, in which nothing but its sequences is code.
func TestTemplateTooDeep(t *testing.T) {
	for _, before := range []string{"", "# ", `\`, `it's 1 " here `, "/* ", "<<A\n", "\n\n", "$${", "//"} {
		if src := []byte(before + "${" + strings.Repeat("[", MaxDepth+10)); CheckTemplate(src, hcl.Range{}) == nil {
			t.Errorf("behind %q brackets may nest as deep as they like", before)
		}
	}
	if CheckTemplate([]byte(strings.Repeat("[", MaxDepth+10)), hcl.Range{}) != nil {
		t.Error("brackets of a text count")
	}
}

// skipLarge keeps a fuzzer from spending its time, and the stack, on one input.
func skipLarge(t *testing.T, src []byte) {
	if len(src) > 16<<10 {
		t.Skip("more than a fuzzer is for")
	}
}

// FuzzDepth checks that the pass over raw bytes never finds less nesting than the tokens have,
// which keeps the parser's stack from overflowing.
func FuzzDepth(f *testing.F) {
	for _, seed := range []string{
		"a {\n  b = [1, (2)]\n}\n", `a = "${b[0]}%{ if c }x%{ endif }"`, "a = <<-EOT\n  ${b}\n  EOT\n",
		"a = {for k, v in b : k => v\n + 1}\n", "a = !-1 ? 2 : 3 # {\n", "/* [ */ a = \"\\\"{\"\n", "a = b[*].c[d]\n", "a = \"$${\" \n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		skipLarge(t, src)
		tokens, diags := hclsyntax.LexConfig(src, "main.tf", hcl.InitialPos)
		if _, more := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos); diags.HasErrors() || more.HasErrors() {
			return // unparsable text is nested no deeper than its valid start
		}
		exact := newNesting()
		exact.tokens(tokens, len(tokens))
		scan := newDepthScan(src)
		if suspect := scan.run(); !suspect && scan.deepest < exact.deepest {
			t.Errorf("counted %d on bytes, %d on tokens", scan.deepest, exact.deepest)
		}
		bits := newNesting()
		bits.text(src, "main.tf", parse.Tokens, lexUnsure+1)
		if bits.deepest != exact.deepest {
			t.Errorf("counted %d bit by bit, want %d", bits.deepest, exact.deepest)
		}
	})
}
