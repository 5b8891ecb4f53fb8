package changes

import (
	"fmt"
	"strings"
	"testing"
)

// Values on which comparing takes minutes where the work is not in proportion to them.
func TestHostileValues(t *testing.T) {
	const many = 20_000
	object := func(n int, value string) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "\"k%d\": %s%d,\n", i, value, i)
		}
		return "{" + strings.TrimSuffix(out.String(), ",\n") + "}"
	}
	list := func(n, from int) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "%d,\n", from+i*7%n)
		}
		return "[" + strings.TrimSuffix(out.String(), ",\n") + "]"
	}
	objects := func(n int, value string) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, "{\"a\": %s%d, \"b\": 1},\n", value, i)
		}
		return "[" + strings.TrimSuffix(out.String(), ",\n") + "]"
	}
	deep := func(n int, inner string) string {
		return strings.Repeat("[", n) + inner + strings.Repeat("]", n)
	}
	for _, c := range []struct {
		about, before, after string
		want                 int
	}{
		{"an object of which all keys change", object(many, "1"), object(many, "2"), many},
		{"an object of which all keys go", object(many, "1"), "{}", many},
		{"a list of other elements", list(many, 0), list(many, many), 1},
		{"a list in another order", list(many, 0), list(many, 3), 1},
		{"a list of which a few elements change", "[0, " + list(many, 0)[1:], strings.Replace(list(many, 0), "\n8,", "\n", 1), 2},
		{"a list of objects that change", objects(many/2, "1"), objects(many/2, "2"), 1},
		{"deep lists", deep(900, list(many/10, 0)), deep(900, list(many/10, 5)), 2},
	} {
		t.Run(c.about, func(t *testing.T) {
			native := func(text string) []byte { return []byte("locals {\n  v = " + text + "\n}\n") }
			inJSON := func(text string) []byte { return []byte(`{"locals": {"v": ` + text + `}}`) }
			for _, files := range []map[string][]byte{
				{"main.tf": native(c.before), "override.tf": native(c.after)},
				{"main.tf.json": inJSON(c.before), "override.tf.json": inJSON(c.after)},
			} {
				got := changesOf(t, files)
				for i := range got[0].Changes {
					if v := got[0].Changes[i].Before; v != nil {
						v.Place()
					}
				}
				if n := len(got[0].Changes); n != c.want {
					t.Errorf("%d changes, want %d", n, c.want)
				}
			}
		})
	}
}

// The path to each change in nested blocks would be as long as the blocks are deep.
func TestDeepBlocks(t *testing.T) {
	nested := func(n int, typ, value string) []byte {
		return []byte("resource \"a\" \"b\" {\n" + strings.Repeat(typ+" {\nv = "+value+"\n", n) + strings.Repeat("}\n", n) + "}\n")
	}
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		about         string
		before, after []byte
		want          int
	}{
		{"deep blocks that change", nested(900, "x", "1"), nested(900, "x", "2"), 31 + 2},
		{"deep blocks that are new", nested(0, "", ""), nested(900, "x", "1"), 31*2 + 1},
		{"deep blocks that are gone", nested(900, "x", "1"), []byte("resource \"a\" \"b\" {\nx {\nw = 1\n}\n}\n"), 31*2 + 1},
		{"blocks behind long names", nested(4, long, "1"), nested(4, long, "2"), 3 + 2},
	} {
		got := changesOf(t, map[string][]byte{"main.tf": c.before, "override.tf": c.after})
		if n := len(got[0].Changes); n != c.want {
			t.Errorf("%s: %d changes, want %d", c.about, n, c.want)
		}
	}
}

// A heredoc of very many lines is compared as text, not parsed: that would take minutes.
func TestLongHeredoc(t *testing.T) {
	heredoc := func(line string) []byte {
		return []byte("locals {\n  v = <<EOT\n" + strings.Repeat(line+"\n", 600_000) + "EOT\n}\n")
	}
	got := changesOf(t, map[string][]byte{"main.tf": heredoc("a"), "override.tf": heredoc("b")})
	if n := len(got[0].Changes); n != 1 {
		t.Errorf("%d changes, want 1", n)
	}
}
