package jsontree

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// write is the native text of a value, and its diagnostics.
func write(t *testing.T, text string, r Reading, quote bool) (string, hcl.Diagnostics, []Mark) {
	t.Helper()
	f := &source.File{Name: "x.tf.json", Raw: []byte(text), LineEnd: "\n"}
	root, diags := Parse(f)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var reported hcl.Diagnostics
	w := NativeWriter{File: f, Quote: quote, Diags: &reported, MarkParts: true}
	return string(w.Write(nil, root, r, 0, true)), reported, w.Parts()
}

func TestWrite(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, test := range []struct {
		json string
		as   Reading
		want string
	}{
		{`1.50`, AsTemplate, `1.50`},
		{`[true, null]`, AsTemplate, `[true, null]`},
		{`[]`, AsTemplate, `[]`},
		{`{}`, AsTemplate, `{}`},
		{`[{"a": 1}]`, AsTemplate, "[\n  {\n    a = 1\n  },\n]"},
		{`{"a": 1, "b c": 2, "long": 3}`, AsTemplate, "{\n  a     = 1\n  \"b c\" = 2\n  long  = 3\n}"},
		{`["` + long + `", "` + long + `"]`, AsTemplate, "[\n  \"" + long + "\",\n  \"" + long + "\",\n]"},
		{`"${var.x}"`, AsTemplate, `var.x`},
		{`"a${var.x}"`, AsTemplate, `"a${var.x}"`},
		{`"${var.x}"`, AsText, `"$${var.x}"`},
		{`"\u00e9\n"`, AsText, "\"é\\n\""},
		{`"a\nb\n"`, AsTemplate, "<<EOT\na\nb\nEOT"},
		{`"aws.west"`, AsReference, `aws.west`},
		{`"list(string)"`, AsSource, `list(string)`},
		{`"a.b"`, AsReferenceOrTemplate, `a.b`},
		{`"a b"`, AsReferenceOrTemplate, `"a b"`},
		{`{"a": 1, "long": [{}], "b": 2}`, AsTemplate, "{\n  a = 1\n  long = [\n    {},\n  ]\n  b = 2\n}"},
		{`{"true": 1, "x-y": 2}`, AsTemplate, "{\n  \"true\" = 1\n  x-y    = 2\n}"},
		{"{\"a\u200cb\": 1, \"é\": 2}", AsTemplate, "{\n  \"a\\u200cb\" = 1\n  é          = 2\n}"}, // not every release knows the former letter
		{`"%{if var.a}x%{endif}"`, AsTemplate, `"%{if var.a}x%{endif}"`},
		{`"a \"b\" ${var.x}"`, AsTemplate, `"a \"b\" ${var.x}"`},
	} {
		got, diags, _ := write(t, test.json, test.as, false)
		if got != test.want || len(diags) > 0 {
			t.Errorf("%s is %s, want %s (%s)", test.json, got, test.want, diags)
		}
	}
	if got, _, _ := write(t, `"a\nb\n"`, AsTemplate, true); got != `"a\nb\n"` {
		t.Errorf("in quotes: %s", got)
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		json string
		as   Reading
		want string
	}{
		{`1`, AsSource, "Expected string expression"},
		{`{"a": 1, "a": 2}`, AsText, "Duplicate object attribute"},
	} {
		_, diags, _ := write(t, test.json, test.as, false)
		if len(diags) == 0 {
			t.Errorf("%s is accepted", test.json)
		} else if diags[0].Summary != test.want {
			t.Errorf("%s: %s, want %s", test.json, diags[0].Summary, test.want)
		}
	}
}

// Each mark is a value, or the name of a key, in both texts.
func TestParts(t *testing.T) {
	const text = `{"a": [1, "x"], "b": {"c": true}}`
	got, _, parts := write(t, text, AsTemplate, false)
	if len(parts) != 9 {
		t.Errorf("%d parts", len(parts))
	}
	for _, m := range parts {
		native, json := strings.Join(strings.Fields(got[m.Start:m.End]), ""), text[m.JSON[0]:m.JSON[1]]
		json = strings.Join(strings.Fields(json), "")
		if json[0] != '{' && json[0] != '[' && native != json && native != strings.Trim(json, `"`) {
			t.Errorf("%s is %s", json, native)
		}
	}
}

func TestNameSet(t *testing.T) {
	var sets NameSets
	s := sets.Get()
	for i := range 40 {
		at := [2]uint32{uint32(i), uint32(i) + 1}
		if first := s.Met(strings.Repeat("a", i), at); first != at {
			t.Errorf("name %d was met at %v", i, first)
		}
	}
	for _, i := range []int{0, 3, 30} {
		if first := s.Met(strings.Repeat("a", i), [2]uint32{90, 91}); first[0] != uint32(i) {
			t.Errorf("name %d was met at %v", i, first)
		}
	}
	sets.Put(s)
	if first := sets.Get().Met("a", [2]uint32{7, 8}); first[0] != 7 {
		t.Error("a set that was taken back is not empty")
	}
}
