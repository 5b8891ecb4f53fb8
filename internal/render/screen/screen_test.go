package screen

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

func TestWrap(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"fits", "twelve signs", "twelve signs"},
		{"words", "one two three four five six", "one two\n  three four\n  five six"},
		{"indented", "  - one two three", "  - one two\n    three"},
		{"several lines", "one two three\nfour five six\n", "one two\n  three\nfour five\n  six\n"},
		{"long word", "see aws_instance.web.ami now", "see\n  aws_instance.web.ami\n  now"},
		{"quotation", `set it to "a b c d" or`, "set it to\n  \"a b c d\"\n  or"},
		{"quotation behind a sign", `set (="a b c d")`, "set\n  (=\"a b c d\")"},
		{"escaped quote", `is "a \" b c" now`, "is\n  \"a \\\" b c\"\n  now"},
		{"no quotation", `a 5" disk and 6" disk`, "a 5\" disk\n  and 6\"\n  disk"},
		{"open quotation", `it is "one two three`, "it is \"one\n  two three"},
		{"wide characters", "漢字漢 字漢字 ü", "漢字漢\n  字漢字 ü"},
		{"composed characters", strings.Repeat("e\u0301", 10) + " x y", strings.Repeat("e\u0301", 10) + " x\n  y"},
		{"blanks inside", "a  b  cdefgh  i", "a  b  cdefgh\n  i"},
		{"command", "to see it, run: a b -c; or wait", "to see it,\n  run:\n  a b -c; or\n  wait"},
		{"long command", "run: a bb ccc dddd", "run:\n  a bb ccc dddd"},
		{"empty", "", ""},
	} {
		if got := Wrap(test.text, 12, "  "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestWrapKeepsWords fails when wrapping changes anything but blanks, or leaves a line too long
// that has a second word.
func TestWrapKeepsWords(t *testing.T) {
	text := strings.Repeat(`The override "a b" sets (x "y z) aws_instance.web["k l"].`+"\n  and 漢字 e\u0301, ", 20)
	for width := 1; width < 100; width++ {
		got := Wrap(text, width, "  ")
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Fatalf("width %d changes the text to\n%s", width, got)
		}
		for line := range strings.Lines(got) {
			line = strings.TrimSpace(line)
			if Columns(line) > width && wordEnd(line) < len(line) {
				t.Errorf("width %d: %q is too long", width, line)
			}
		}
	}
}

func TestWrapIsLinear(t *testing.T) {
	for _, text := range []string{"a ", `"`, ` "`, `"\`, "漢", "e\u0301 "} {
		loadtest.Linear(t, text, 8<<10, func(size int) { Wrap(strings.Repeat(text, size/len(text)), 80, "  ") })
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{"abcdef": "abcdef", "abcdefg": "abcde…", "漢字漢字": "漢字…"} {
		if got := Cut(text, 6); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}
