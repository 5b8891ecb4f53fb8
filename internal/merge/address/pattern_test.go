package address

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

func matches(p Pattern, a Address) bool {
	ps := NewPatterns(p)
	return ps.HasMatchAt(ps.Reach(a))
}

// Patterns that would take ages if each star were tried with every text.
func TestPatternIsQuick(t *testing.T) {
	long := New(strings.Repeat("a", 5000))
	deep := parsed(t, strings.Repeat("n.", 5000)+"n")
	cases := []struct {
		pattern string
		address Address
		want    bool
	}{
		{strings.Repeat("*a", 50) + "*b", long, false},
		{strings.Repeat("*a", 50) + "*", long, true},
		{strings.Repeat("*?", 50) + "*b", long, false},
		{strings.Repeat("*", 5000) + "b", long, false},
		{strings.Repeat("**.n.", 50) + "zz", deep, false},
		{strings.Repeat("**.n.", 50) + "**", deep, true},
		{strings.Repeat("**.*.", 50) + "**", deep, true},
		{strings.Repeat("**.", 5000) + "zz", New("n", "n", "n"), false},
	}
	for _, c := range cases {
		g, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := matches(g, c.address); got != c.want {
			t.Errorf("%.20q matches %.20q: %v, want %v", c.pattern, c.address, got, c.want)
		}
	}
}

// FuzzPattern compares the matcher with a slow one that implements the definition of patterns.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"a.*", "a.b"}, {"**", ""}, {"**.a", "a"}, {"a.**.b", "a.b"}, {"a*?b", "axxb"}, {"*a*b*", "xaxbx"},
		{"?", "\xff"}, {"é?*", "éüx"}, {"a.**.**.b?*", "a.x.y.bc"}, {"***", "a"}, {"*.**.*", "a.b"}, {"*\ufffd", "a\xff"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, address string) {
		g, err := ParsePattern(pattern)
		if err != nil || len(pattern) > 24 || len(address) > 24 || strings.Count(pattern, "*") > 8 {
			return // the other one takes time exponential in the stars
		}
		if got, want := matches(g, New(strings.Split(address, ".")...)), fits(g.steps, strings.Split(address, ".")); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, address, got, want)
		}
	})
}

func fits(pattern []step, names []string) bool {
	switch {
	case len(pattern) == 0:
		return len(names) == 0
	case pattern[0].isDoubleStar():
		return fits(pattern[1:], names) || len(names) > 0 && fits(pattern, names[1:])
	case len(names) == 0:
		return false
	case !pattern[0].isWild:
		return pattern[0].Segment == spelling.Named(names[0]) && fits(pattern[1:], names[1:])
	}
	return textFits(pattern[0].Name, names[0]) && fits(pattern[1:], names[1:])
}

func textFits(pattern, text string) bool {
	r, size := utf8.DecodeRuneInString(pattern)
	first, width := utf8.DecodeRuneInString(text)
	switch {
	case pattern == "":
		return text == ""
	case r == '*':
		return textFits(pattern[1:], text) || text != "" && textFits(pattern, text[width:])
	}
	return text != "" && (r == '?' || r == first) && textFits(pattern[size:], text[width:])
}

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		pattern, address string
		want             bool
	}{
		{"aws_instance.web", "aws_instance.web", true},
		{"aws_instance.*", "aws_instance.web", true},
		{"aws_*.w?b", "aws_instance.web", true},
		{"aws_instance", "aws_instance.web", false},
		{"*", "aws_instance.web", false},
		{"**", "aws_instance.web.lifecycle", true},
		{"data.**", "data.aws_ami.x", true},
		{"**.web", "module.web", true},
		{"variable.size", "var.size", true},
		{"x.y[0]", "x.y[0]", true},
		{"x.y[1]", "x.y[0]", false},
		{"x.y.*", "x.y[0]", true},
		{"x.y[*]", "x.y[0]", true},
		{"x.y.z", "x.y[0].z", true},
		{"x.y.0", "x.y[0]", false},
		{"**.z", "x.y[0][1].z", true},
		{"x.y[0].z", "x.y.z", false},
		{"x.é?", "x.éü", true},
		{"x.tags.*", `x.tags["a.b/c"]`, true},
		{"x.tags.a*", `x.tags["a.b/c"]`, true},
		{"x.tags[a.*]", `x.tags["a.b/c"]`, true},
		{`x.tags["a.b/c"]`, `x.tags["a.b/c"]`, true},
		{`x.tags["a*"]`, `x.tags["a.b/c"]`, false},
		{`x.tags["a*"]`, `x.tags["a*"]`, true},
		{"x.a**b", "x.azb", true},
	} {
		g, err := ParsePattern(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := matches(g, parsed(t, test.address)); got != test.want {
			t.Errorf("%q matches %q: %v, want %v", test.pattern, test.address, got, test.want)
		}
	}
	for _, bad := range []string{"a..b", "x.[xy]", "", "a[", strings.Repeat("a.", 600) + "b", strings.Repeat("?", 300)} {
		if _, err := ParsePattern(bad); err == nil {
			t.Errorf("%.20s is accepted", bad)
		}
	}
	if !IsPattern("a.*") || !IsPattern("a[*]") || IsPattern(`a["*"]`) || IsPattern("a.b") {
		t.Error("what is in quotes is no pattern")
	}
}
