package spelling

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"aws_instance", "web-1", "ami"}, "aws_instance.web-1.ami"},
		{[]string{"x", "kubernetes.io/role", "a"}, `x["kubernetes.io/role"].a`},
		{[]string{"x", "0", ""}, `x["0"][""]`},
		{[]string{"a b", "c"}, `["a b"].c`},
		{[]string{"x", "-a", "a*", "${b}"}, `x["-a"]["a*"]["${b}"]`},
		{[]string{"x", "é", "a\"\\\n\x1b\u202e\xff"}, `x.é["a\"\\\n\x1b\u202e\xff"]`},
		{[]string{"a\u200db"}, `["a\u200db"]`},
	} {
		got := JoinPath(c.names...)
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.names, got, c.want)
		}
	}
	if got := AppendPath(AppendPath("x", At(2)), Named("y")); got != "x[2].y" {
		t.Error(got)
	}
	for _, c := range [][3]string{{"", "a", "a"}, {"a", "", "a"}, {"a", "b", "a.b"}, {"a", `["b c"]`, `a["b c"]`}} {
		if got := ConcatPaths(c[0], c[1]); got != c[2] {
			t.Errorf("%s and %s are %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

func TestRead(t *testing.T) {
	parts, err := ReadPath(`a.kube/x["b.*"].c*[*][12]["\u0041\t"][b/c.d][-1]`)
	if err != nil {
		t.Fatal(err)
	}
	want := []PathPart{
		{Segment: Named("a"), Start: 0, End: 1},
		{Segment: Named("kube/x"), Start: 1, End: 8},
		{Segment: Named("b.*"), IsQuoted: true, Start: 8, End: 15},
		{Segment: Named("c*"), IsWild: true, Start: 15, End: 18},
		{Segment: Named("*"), IsWild: true, Start: 18, End: 21},
		{Segment: At(12), Start: 21, End: 25},
		{Segment: Named("A\t"), IsQuoted: true, Start: 25, End: 37},
		{Segment: Named("b/c.d"), Start: 37, End: 44},
		{Segment: Named("-1"), Start: 44, End: 48},
	}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Error(diff)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"": errEmpty, ".": errEmpty, "a.": errEmpty, ".a": errEmpty, "a..b": errEmpty, "a.[0]": errEmpty, `"a"`: errEmpty, "]": errEmpty,
		"a[": errBracket, "a[]": errBracket, "a[1": errBracket, "a[b[0]]": errBracket, `a[b"c"]`: errBracket,
		"a[0]b": errBracket, `a["b]`: errBracket, `a["b"`: errBracket, `a["\"]`: errBracket, `a["\q"]`: errBracket, `a]`: errBracket,
		`a"b"`: errBracket,
	} {
		if parts, err := ReadPath(text); !errors.Is(err, want) {
			t.Errorf("%s is %v, error %v, want %v", text, parts, err, want)
		}
	}
}

// FuzzSegments checks that writing reverses reading, and reading reverses writing.
func FuzzSegments(f *testing.F) {
	for _, seed := range []string{"a.b[0]", `a["b c"]`, "a\x00b", "\xff", "", `["\x80"]`, "é.e\u0301"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, name string, index int) {
		text := AppendPath(AppendPath(AppendPath("", Named(name)), At(max(0, index))), Named(name))
		if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q is not printable", text)
		}
		parts, err := ReadPath(text)
		if err != nil || len(parts) != 3 || parts[0].Segment != Named(name) || parts[2].Segment != Named(name) {
			t.Fatalf("%q is written as %q, and read as %v, error %v", name, text, parts, err)
		}
		if parts, err := ReadPath(name); err == nil {
			again := ""
			for _, p := range parts {
				again = AppendPath(again, p.Segment)
			}
			twice, err := ReadPath(again)
			isOther := func(a, b PathPart) bool { return a.Segment != b.Segment }
			if err != nil || len(twice) != len(parts) || slices.EqualFunc(parts, twice, isOther) {
				t.Errorf("%q is written as %q, and read as %v, error %v", name, again, twice, err)
			}
		}
	})
}
