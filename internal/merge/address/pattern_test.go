package address

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Patterns that would take ages if each star were tried with every text.
func TestPatternIsQuick(t *testing.T) {
	long := Address(strings.Repeat("a", 5000))
	deep := Address(strings.Repeat("n.", 5000) + "n")
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
		{strings.Repeat("**.", 5000) + "zz", "n.n.n", false},
	}
	for _, c := range cases {
		g, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Match(c.address); got != c.want {
			t.Errorf("%.20q matches %.20q: %v, want %v", c.pattern, c.address, got, c.want)
		}
	}
}

// FuzzPattern compares the matcher with one that says what patterns mean, and takes
// its time for it.
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
		if got, want := g.Match(Address(address)), fits(g, strings.Split(address, ".")); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, address, got, want)
		}
	})
}

func fits(pattern, segments []string) bool {
	switch {
	case len(pattern) == 0:
		return len(segments) == 0
	case pattern[0] == "**":
		return fits(pattern[1:], segments) || len(segments) > 0 && fits(pattern, segments[1:])
	}
	return len(segments) > 0 && textFits(pattern[0], segments[0]) && fits(pattern[1:], segments[1:])
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
		pattern string
		address Address
		want    bool
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
		{"x.[xy]", "x.y", false},
		{"x.é?", "x.éü", true},
	} {
		g, err := ParsePattern(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Match(test.address); got != test.want {
			t.Errorf("%q matches %q: %v, want %v", test.pattern, test.address, got, test.want)
		}
	}
	if _, err := ParsePattern("a..b"); err == nil {
		t.Error("an empty segment is accepted")
	}
}
