package textedit

import (
	"strings"
	"testing"
)

// The line functions at each offset of a text, by a mark that stands at the offset.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		text      string // with a mark
		start     int    // LineStart
		after     int    // AfterLine
		blanks    int    // LineBlanks
		indent    string // IndentAt
		textStart int    // TextStart
	}{
		{"|", 0, 0, 0, "", 0},
		{"ab|c\nd", 0, 4, 2, "", 0},
		{"abc\n|d", 4, 5, 4, "", 4},
		{"abc|\nd", 0, 4, 3, "", 0},
		{"a\n \t|b  \n", 2, 8, 4, " \t", 2},
		{"a\n \tb|  \n", 2, 8, 7, " \t", 2},
		{"a\n | \tb\n", 2, 7, 3, " ", 2},
		{"a| \t\r\nb", 0, 5, 3, "", 0},
		{"a|  ", 0, 3, 3, "", 0},
		{"\xef\xbb\xbfa|b", 0, 5, 4, "", 3},
		{"a\n\xef\xbb\xbfb|", 2, 6, 6, "", 2},
	} {
		at := strings.IndexByte(c.text, '|')
		src := []byte(c.text[:at] + c.text[at+1:])
		if got := LineStart(src, at); got != c.start {
			t.Errorf("%q: the line starts at %d, want %d", c.text, got, c.start)
		}
		if got := AfterLine(src, at); got != c.after {
			t.Errorf("%q: the line ends at %d, want %d", c.text, got, c.after)
		}
		if got := LineBlanks(src, at); got != c.blanks {
			t.Errorf("%q: blanks end at %d, want %d", c.text, got, c.blanks)
		}
		if got := IndentAt(src, at); got != c.indent {
			t.Errorf("%q: indented by %q, want %q", c.text, got, c.indent)
		}
		if got := TextStart(src, at); got != c.textStart {
			t.Errorf("%q: the text starts at %d, want %d", c.text, got, c.textStart)
		}
	}
}

// The end of a text isn't a blank line.
func TestBlankLines(t *testing.T) {
	src := []byte("a\n \t\r\nb\n\nc\n")
	for at, want := range map[int]bool{0: false, 2: true, 6: false, 8: true, 9: false, len(src): false} {
		if got := IsBlankLine(src, at); got != want {
			t.Errorf("the line at %d is blank: %v", at, got)
		}
	}
	for at, want := range map[int]bool{0: false, 2: false, 6: true, 8: false, 9: true} {
		if got := IsBlankBefore(src, at); got != want {
			t.Errorf("the line before %d is blank: %v", at, got)
		}
	}
}

// The first line may be blank.
func TestFirstLineIsBlank(t *testing.T) {
	if src := []byte("\nb"); !IsBlankLine(src, 0) || !IsBlankBefore(src, 1) || IsBlankBefore(src, 0) {
		t.Error("the first line is not blank")
	}
}

func TestWithLineEnd(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a\r\n", "a\n": "a\n", "a\r\n": "a\r\n"} {
		src := []byte(text + "more")
		if got := string(WithLineEnd(src[:len(text)], "\r\n")); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if string(src) != text+"more" {
			t.Error("it writes behind the text that it was given")
		}
	}
	if !IsOneLine("a\r") || IsOneLine("a\n") {
		t.Error("a line end is a line feed")
	}
}

// Lead comments are shifted to the indentation of the chunk that they go to.
func TestChunk(t *testing.T) {
	c := Chunk{Text: []byte("a = {\n    b = 1\n  }\n"), Indent: "  "}
	c.AddLead(nil, "    ")
	if c.Lead != 0 || c.Comment {
		t.Errorf("without a comment: %+v", c)
	}
	c.AddLead([]byte("# one\r\n    # two\r\n"), "    ")
	const want = "# one\n  # two\n  a = {\n    b = 1\n  }\n"
	if string(c.Text) != want || !c.Comment || string(c.Text[:c.Lead]) != "# one\n  # two\n  " {
		t.Errorf("%q, of which %d are the comment", c.Text, c.Lead)
	}
	if got, want := c.At("\t", "\r\n"), "# one\r\n\t# two\r\n\ta = {\r\n\t  b = 1\r\n\t}\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLineEndOf(t *testing.T) {
	for text, want := range map[string]string{"": "\n", "a": "\n", "a\n": "\n", "a\r\n": "\r\n", "a\r\nb\n": "\n", "a\r\nb\r\nc\n": "\r\n", "a\rb\r": "\n"} {
		if got := LineEndOf([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
