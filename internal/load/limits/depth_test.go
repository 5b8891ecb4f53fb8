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
			diags := CheckText([]byte(test.src), "main.tf")
			if diags.HasErrors() != test.deep {
				t.Errorf("too deep: %v, want %v", diags.HasErrors(), test.deep)
			}
		})
	}
}

// Brackets, operators and directives count, but not in text and comments.
func TestDepth(t *testing.T) {
	for _, c := range []struct {
		text string
		deep int
	}{
		{"a = [1, (2)]\n", 2},
		{"a = [\n 1 + 2,\n 3\n]\n", 2},
		{"a {\n  b = 1 - 2\n  c = !d\n}\n", 2},
		{"a = {\n  b = 1 + 2\n  c = 3 * 4\n}\n", 2},
		{"a = { for b in c : b => 1 +\n 2 -\n 3 }\n", 3},
		{"a = {\n  for b in c : b => 1 +\n 2 -\n 3 }\n", 3},
		{"a = { forest = 1 }\n", 1},
		{"a = \"[(\" # [(\n", 1},
		{"a = \"\\\"[(\" // [(\n", 1},
		{"a = \"\\\\\" + [1]\n", 2},
		{"a = \"$${[(\"\nb = \"%%{[(\"\n", 1},
		{"a = \"$[(\"\nb = \"$$[(%\"\n", 1},
		{"a = \"${[1]}b${2 + 3}\"\n", 3},
		{"a = \"%{ if b }c%{ else }d%{ endif }\"\n", 3},
		{"a = \"%{~ for b in c ~}d%{~ endfor ~}\"\n", 3},
		{"a = \"%{ if b }%{ for c in d }%{ endfor }%{ endif }\"\n", 4},
		{"a = <<E\n[( ${b} {\nE\nc = [1]\n", 2},
		{"a = <<-E\n    [( ${b} {\n    E\nc = [1]\n", 2},
		{"a = <<E\r\n[(\r\nE\r\nc = [1]\n", 1},
		{"a = <<E\n  E ${b}\nEE\nE \nE\nc = [1]\n", 2},
		{"a = <<E\n${b} E\nE\nc = [1]\n", 2},
		{"a = <<E\n$${[(\n%%{[(\nE\nc = [1]\n", 1},
		{"a = <<E\n%{ if b }\n[\n%{ endif }\nE\nc = [1]\n", 3},
		{"a = 1 < 2 ? 3 : 4\n", 2},
		{"a = 1 /* [( */ + 2 / 3\n", 2},
		{"a = /*/ [( */ 1\n", 0},
		{"a = b[1][2]\nc = b[*].d\n", 2},
		{"a = b::c::d()\n", 3},
		{"a = 1 == 2 && 3 != 4 || 5 >= 6\n", 5},
		{"a = f(1, -2, [3])\n", 2},
		{"a = -1 % -2\n", 3},
		{"# [(\na = 1\n# [(", 0},
		{"a = 1 // [(", 0},
		{"a = é ? \"é[\" : 1\n", 2},
		{"a = [ # [\n 1 ]\n", 1},
		{"a = \"$$", 1},
		{"a = \"$", 1},
	} {
		s := newScan()
		parse.FindToken([]byte(c.text), "main.tf", false, s.add)
		if got := s.deepest; got != c.deep {
			t.Errorf("\t\t{%q, %d},", c.text, got)
		}
	}
}

// A template is a text first, in which nothing but its sequences is code.
func TestTemplateTooDeep(t *testing.T) {
	for _, before := range []string{"", "# ", `\`, `it's 1 " here `, "/* ", "<<A\n", "\n\n", "$${", "//"} {
		if src := []byte(before + "${" + strings.Repeat("[", MaxDepth+10)); !CheckTemplate(src).HasErrors() {
			t.Errorf("behind %q brackets may nest as deep as they like", before)
		}
	}
	if CheckTemplate([]byte(strings.Repeat("[", MaxDepth+10))).HasErrors() {
		t.Error("brackets of a text count")
	}
}

// skipLarge keeps a fuzzer from spending its time, and the stack, on one input.
func skipLarge(t *testing.T, src []byte) {
	if len(src) > 16<<10 {
		t.Skip("more than a fuzzer is for")
	}
}

// FuzzDepth checks that a tree is hardly deeper than the text, which keeps the parser's stack from
// overflowing, and that the text has the bytes without which the scan is left out.
func FuzzDepth(f *testing.F) {
	for _, seed := range []string{
		"a {\n  b = [1, (2)]\n}\n", `a = "${b[0]}%{ if c }x%{ endif }"`, "a = <<-EOT\n  ${b}\n  EOT\n",
		"a = {for k, v in b : k => v\n + 1}\n", "a = !-1 ? 2 : 3 # {\n", "/* [ */ a = \"\\\"{\"\n", "a = b[*].c[d]\n", "a = \"$${\" \n",
		"a = 1 + 2 # b\nc = 3 # d\n", "a = \"%{ for b in c }%{ if d }e%{ else }f%{ endif }%{ endfor }\"\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		skipLarge(t, src)
		file, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
		if diags.HasErrors() {
			return // unparsable text is nested no deeper than its valid start
		}
		s := newScan()
		parse.FindToken(src, "main.tf", false, s.add)
		w := depthOfTree{}
		_ = hclsyntax.Walk(file.Body.(*hclsyntax.Body), &w)
		if w.deepest > 4*s.deepest+4 {
			t.Errorf("the tree is %d deep, the tokens %d", w.deepest, s.deepest)
		}
		if n := nestingBytes(src); n < s.deepest {
			t.Errorf("%d bytes nest %d deep", n, s.deepest)
		}
	})
}

// depthOfTree walks a tree and finds how deep it is.
type depthOfTree struct{ depth, deepest int }

func (w *depthOfTree) Enter(hclsyntax.Node) hcl.Diagnostics {
	w.depth++
	w.deepest = max(w.deepest, w.depth)
	return nil
}

func (w *depthOfTree) Exit(hclsyntax.Node) hcl.Diagnostics {
	w.depth--
	return nil
}
