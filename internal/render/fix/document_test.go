package fix

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Whichever members of an object or an array are removed, the others stay, and the text is
// JSON.
func TestRunsIn(t *testing.T) {
	for _, text := range []string{
		`{"a": 1}`, `[1]`, `[ "a,}]", {"b\"]": [true, null]} , -1.5e3 ]`,
		" {\n  \"a\": {},\n  \"b\": [1, 2, 3],\n  \"c\": \"\\\\\"\n}\n",
		`{"x":{"a":"{","b":"[","c":[[],{}],"d":"\u005c"},"y":""}`,
	} {
		d := newDocument(&source.File{Raw: []byte(text)})
		for _, n := range d.at {
			for subset := 1; subset < 1<<len(n.members); subset++ {
				checkRuns(t, d, n, subset)
			}
		}
	}
}

func checkRuns(t *testing.T, d *document, n *node, subset int) {
	t.Helper()
	gone := map[*node]bool{}
	var want []string
	for i, m := range n.members {
		if subset&(1<<i) != 0 {
			gone[m] = true
			continue
		}
		want = append(want, d.name(m)+string(d.text[m.start:m.end]))
	}
	edits := d.runsIn(n, gone)
	slices.SortFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	text := textedit.Apply(d.text, 0, len(d.text), edits)
	after := newDocument(&source.File{Raw: text})
	var got []string
	for _, m := range after.at[n.start].members {
		got = append(got, after.name(m)+string(text[m.start:m.end]))
	}
	if !json.Valid([]byte(string(text[after.at[n.start].start:after.at[n.start].end]))) || !cmp.Equal(want, got) {
		t.Errorf("%q without %b of %d is %q (-want +got):\n%s", d.text, subset, n.start, text, cmp.Diff(want, got))
	}
}

// A property takes the layout of the object that it comes into.
func TestInto(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{`{"a": 1}`, `{}`, `{"a": 1}`},
		{`{"a": 1}`, `{"b": 2}`, `{"b": 2, "a": 1}`},
		{"{\n  \"a\": {\n    \"x\": 1\n  }\n}", "{\r\n\t\"b\": 2\r\n}", "{\r\n\t\"b\": 2,\r\n\t\"a\": {\r\n\t  \"x\": 1\r\n\t}\r\n}"},
	} {
		from := newDocument(&source.File{LineEnd: "\n", Raw: []byte(test.from)})
		to := newDocument(&source.File{LineEnd: textedit.LineEndOf([]byte(test.to)), Raw: []byte(test.to)})
		edit := to.into(to.at[0], []string{from.property(from.member(from.at[0], "a"), to, to.at[0])})
		if got := string(textedit.Apply(to.text, 0, len(to.text), []textedit.Edit{edit})); got != test.want {
			t.Errorf("%q into %q is %q, want %q", test.from, test.to, got, test.want)
		}
	}
}
