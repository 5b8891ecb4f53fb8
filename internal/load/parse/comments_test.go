package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listed writes comments, each with a mark for one of a whole line and one for a line comment.
func listed(text string, list []Comment) string {
	var out []string
	for _, c := range list {
		line := fmt.Sprintf("%q", text[c.Start:c.End])
		if c.Alone {
			line += " alone"
		}
		if c.Line {
			line += " line"
		}
		out = append(out, line)
	}
	return strings.Join(out, ", ")
}

func TestBetween(t *testing.T) {
	for gap, want := range map[string]string{
		"":                          "",
		" \t\r\n":                   "",
		"# a\n":                     `"# a" line`,
		"\n# a\r\n// b":             `"# a" alone line, "// b" alone line`,
		" /* a\n# b */ /**/ # c\n":  `"/* a\n# b */", "/**/", "# c" line`,
		"\n /* a */ /* b\n*/\n/* c": `"/* a */" alone, "/* b\n*/" alone, "/* c" alone`,
	} {
		text := "x" + gap
		if got := listed(text, CommentsBetween([]byte(text), 1, len(text))); got != want {
			t.Errorf("%q: %s, want %s", gap, got, want)
		}
	}
	if got := listed("# a", CommentsBetween([]byte("# a"), 0, 3)); got != `"# a" alone line` {
		t.Errorf("at the start of the text: %s", got)
	}
}

func TestInside(t *testing.T) {
	const text = "b = [ # one\r\n  /* two */ 1, // \"three\"\n  \"# no\", <<E\n# no\nE\n]"
	want := `"# one" line, "/* two */" alone, "// \"three\"" line`
	if got := listed(text, CommentsInside([]byte(text), 0, len(text))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	from := strings.Index(text, "1,")
	if got := listed(text, CommentsInside([]byte(text), from, len(text)-2)); got != `"// \"three\"" line` {
		t.Errorf("in a part that ends with a heredoc: %s", got)
	}
}

func TestTexts(t *testing.T) {
	got := CommentTexts([]byte("# a\nb = \"# no\" // c\r\n/* d\n*/ e = <<E\n# no\nE\n"))
	if diff := cmp.Diff([]string{"# a", "// c", "/* d\n*/"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The comments of a gap between two items, which stand at the bars: which ones trail the first item,
// and which ones lead the second, on lines of their own or on its line.
func TestLeadingAndTrailing(t *testing.T) {
	for _, c := range []struct{ gap, trailing, lead, before string }{
		{"|\n|", "", "", ""},
		{"| # a\n|", " # a", "", ""},
		{"| /* a */ /* b */ // c\n|", " /* a */ /* b */ // c", "", ""},
		{"| /* a\n */ # b\n# c\n|", " /* a\n */ # b", "# c\n", ""},
		{"|\n# a\n# b\n|", "", "# a\n# b\n", ""},
		{"|\n# a\n\n# b\n|", "", "# b\n", ""},
		{"|\n# a\n\n|", "", "", ""},
		{"|\n# a\n/* b */ /* c */ |", "", "# a\n", "/* b */ /* c */ "},
		{"| # a\n# b\n  |", " # a", "# b\n  ", ""},
	} {
		src := []byte(strings.ReplaceAll(c.gap, "|", "x"))
		from, to := 1, len(src)-1
		list := CommentsBetween(src, from, to)
		if got := string(src[from:TrailingComment(src, from, list)]); got != c.trailing {
			t.Errorf("%q: %q trails, want %q", c.gap, got, c.trailing)
		}
		lead, start := LeadingComments(src, list, to)
		if got := string(src[lead:start]); got != c.lead {
			t.Errorf("%q: %q leads, want %q", c.gap, got, c.lead)
		}
		if got := string(src[start:to]); got != c.before {
			t.Errorf("%q: %q is before the item on its line, want %q", c.gap, got, c.before)
		}
	}
}
