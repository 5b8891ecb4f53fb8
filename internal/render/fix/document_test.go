package fix

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
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
		for v, members := range d.members {
			for subset := 1; subset < 1<<len(members); subset++ {
				checkRuns(t, d, v, subset)
			}
		}
	}
}

func checkRuns(t *testing.T, d *document, v jsontree.Value, subset int) {
	t.Helper()
	gone := map[jsontree.Value]bool{}
	var want []string
	for i, m := range d.members[v] {
		if subset&(1<<i) != 0 {
			gone[m] = true
			continue
		}
		want = append(want, m.Name()+string(m.Raw()))
	}
	edits := d.removeMembers(v, gone)
	slices.SortFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	text := textedit.Apply(d.file.Raw, 0, len(d.file.Raw), edits)
	after := newDocument(&source.File{Raw: text})
	left := after.root.At(v.Start())
	var got []string
	for _, m := range after.members[left] {
		got = append(got, m.Name()+string(m.Raw()))
	}
	if !json.Valid(left.Raw()) || !cmp.Equal(want, got) {
		t.Errorf("%q without %b of %d is %q (-want +got):\n%s", d.file.Raw, subset, v.Start(), text, cmp.Diff(want, got))
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
		edit := to.appendMembers(to.root, []string{from.memberText(from.member(from.root, "a"), to, to.root)})
		if got := string(textedit.Apply(to.file.Raw, 0, len(to.file.Raw), []textedit.Edit{edit})); got != test.want {
			t.Errorf("%q into %q is %q, want %q", test.from, test.to, got, test.want)
		}
	}
}
