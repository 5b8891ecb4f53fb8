package report

import (
	"slices"
	"strings"
	"testing"
)

func TestMarked(t *testing.T) {
	text, mark := (&Excerpt{[]byte("  a = \"\x07ü\""), 6, 5}).marked(0)
	if want := `  a = "\aü"`; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
	if want := "      ^^^^^"; mark != want {
		t.Errorf("mark %q, want %q", mark, want)
	}
}

func TestConceal(t *testing.T) {
	line := []byte(`ab"secret"cd`)
	for _, test := range []struct {
		name               string
		at, length         int
		wantText, wantMark string
	}{
		{"before", 0, 2, `ab(sensitive value)cd`, `^^`},
		{"inside", 4, 2, `ab(sensitive value)cd`, `  ^^^^^^^^^^^^^^^^^`},
		{"across", 1, 11, `ab(sensitive value)cd`, ` ^^^^^^^^^^^^^^^^^^^^`},
		{"behind", 10, 2, `ab(sensitive value)cd`, `                   ^^`},
	} {
		text, mark := concealed(line, test.at, test.length)
		if text != test.wantText || mark != test.wantMark {
			t.Errorf("%s:\n%s\n%s", test.name, text, mark)
		}
	}
}

func concealed(line []byte, at, length int) (text, mark string) {
	return conceal(line, at, length, [][2]int{{102, 110}}, 100).marked(0)
}

// A line that is too long for a terminal is shortened, and the mark is below the range, even behind
// wide characters.
func TestMarkedFits(t *testing.T) {
	for _, test := range []struct {
		line, place        string
		wantText, wantMark string
	}{
		{"  a = 漢字 + b", "b", "  a = 漢字 + b", "             ^"},
		{"  name = \"abcdefghijklmnop\" # long", "name", "  name = \"abcdefghi…", "  ^^^^"},
		{"  name = \"abcdefghijklmnop\" # long", "long", "…fghijklmnop\" # long", "                ^^^^"},
		{"  name = \"abcdefghijklmnop\" # long", "\"abcdefghijklmnop\"", "…e = \"abcdefghijklm…", "     ^^^^^^^^^^^^^^^"},
	} {
		text, mark := (&Excerpt{[]byte(test.line), strings.Index(test.line, test.place), len(test.place)}).marked(20)
		if text != test.wantText || mark != test.wantMark {
			t.Errorf("%q at %q:\n%q\n%q", test.line, test.place, text, mark)
		}
	}
}

// Overlapping stretches are hidden by one word.
func TestDisjoint(t *testing.T) {
	got := disjoint([][2]int{{9, 10}, {0, 5}, {3, 8}, {4, 6}})
	if want := [][2]int{{0, 8}, {9, 10}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
