package gate

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofumerge/tofumerge/internal/merge/check"
)

var (
	one   = check.Key{Rule: "no-effect", Address: "a.b.c", Text: "It does nothing. \x1b\u202e <&>"}
	other = check.Key{Rule: "near-miss-filename", File: "override_b.tf", Text: "Rename it."}
)

// The text is sorted, has a line for each finding, and reproduces what was written.
func TestText(t *testing.T) {
	b := Baseline{}
	b.Add("z", map[check.Key]int{one: 2})
	b.Add(".", map[check.Key]int{one: 1, other: 1})
	text := b.Text()
	const want = `{
  "format_version": "1.0",
  "findings": [
    {"module":".","rule":"near-miss-filename","file":"override_b.tf","text":"Rename it."},
    {"module":".","rule":"no-effect","address":"a.b.c","text":"It does nothing. \u001b\u202e <&>"},
    {"module":"z","rule":"no-effect","address":"a.b.c","text":"It does nothing. \u001b\u202e <&>","count":2}
  ]
}
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err := ParseBaseline(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, got); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	if got.Len() != 4 {
		t.Errorf("%d findings", got.Len())
	}
	if got, err := ParseBaseline(Baseline{}.Text()); err != nil || len(got) != 0 {
		t.Errorf("empty one: %v, %v", got, err)
	}
}

// Entries added on two branches add up, and fields from later versions are ignored.
func TestParseMerged(t *testing.T) {
	const line = `{"module": "./a/../b/", "rule": "r", "text": "t", "author": {"since": [1]}},` + "\n"
	got, err := ParseBaseline([]byte(`{"format_version": "1.7", "made": {"by": null},` + "\n" + `"findings": [` + line + strings.TrimSuffix(line, ",\n") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Baseline{"b": {{Rule: "r", Text: "t"}: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	file := func(lines string) string { return `{"format_version": "1.0",` + "\n\"findings\": [\n" + lines + "\n]}" }
	for _, test := range []struct {
		text string
		line int
		why  string
	}{
		{"", 1, "empty"},
		{" \n\n", 1, "empty"},
		{"\n[]", 2, "type"},
		{"\n1", 2, "type"},
		{"# Read me\n", 1, "not valid JSON"},
		{"{}", 1, "format_version is missing"},
		{"{\n5 \"format_version\": \"1.0\"}", 2, "not valid JSON"},
		{"{\"format_version\": \"1.0\"\n", 2, "too early"},
		{"{\n\"findings\": []}", 1, "format_version is missing"},
		{"{\n\"format_version\": 1}", 2, "type"},
		{"{\n\"format_version\": \"x\"}", 2, "must look like"},
		{"{\n\"format_version\": \"0.9\"}", 2, "must look like"},
		{"{\n\"format_version\": \"2.0\"}", 2, "newer"},
		{"{\"format_version\": \"1.0\",\n\"findings\": {}}", 2, "type: findings"},
		{file("1"), 3, "type"},
		{file("{\"module\": \"a\",\n\"rule\": 3}"), 4, "type: rule"},
		{file(`{"rule": "r", "text": "t"}`), 3, "module"},
		{file(`{"module": "a", "text": "t"}`), 3, "a rule"},
		{file(`{"module": "a", "rule": "r"}`), 3, "a text"},
		{file("{\"module\": \"a\",\n\"rule\": r}"), 4, "not valid JSON"},
		{strings.TrimSuffix(file(`{"module": "a"`), "\n]}"), 3, "too early"},
		{file(`{"module": "a", "rule": "r", "text": "t", "count": 0}`), 3, "count"},
		{file(`{"module": "a", "rule": "r", "text": "t", "count": -1}`), 3, "count"},
		{file(`{"module": "a", "rule": "r", "text": "t", "count": 9223372036854775807}`), 3, "count"},
		{file(`{"module": "a", "rule": "r", "text": "t", "count": 99999999999999999999}`), 3, "type"},
		{file("<<<<<<< HEAD\n"), 3, "merge conflict"},
		{file(`{"module": "a", "rule": "r", "text": "t"},` + "\n<<<<<<< HEAD\n"), 4, "merge conflict"},
		{file("") + "\n{}", 5, "not valid JSON"},
		{strings.TrimSuffix(file(""), "]}"), 4, "too early"},
		{file(strings.Repeat("[", 1<<20)), 3, "JSON"},
	} {
		name := fmt.Sprintf("%.60q", test.text)
		_, err := ParseBaseline([]byte(test.text))
		wrong := (*BaselineError)(nil)
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if wrong.Line != test.line || !strings.Contains(wrong.Why, strings.TrimPrefix(test.why, "an ")) {
			t.Errorf("%s: %v, want line %d, %s", name, err, test.line, test.why)
		}
	}
}
