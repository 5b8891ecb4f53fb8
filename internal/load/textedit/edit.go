// Package textedit replaces stretches of a text, and finds its lines, their ends and their
// indentation.
//
// It returns new bytes and never changes the given ones:
//
//	Apply("a = 1 # one", 0, 11, {Replace(4, 5, "2")})  →  "a = 2 # one"
//
// Inserted text takes the indentation of its surroundings and the line ends of its file (Relocate),
// except for heredocs, whose bytes are values.
package textedit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// An Edit exchanges the bytes from start to end of a file.
type Edit struct {
	Start, End int
	Text       string
}

// Replace returns the edit that replaces the text from start to end.
func Replace(start, end int, text string) Edit { return Edit{start, end, text} }

// Apply returns src[from:to] with edits made. Where edits overlap, the earlier one wins; only deletions of
// the same blank line do.
func Apply(src []byte, from, to int, edits []Edit) []byte {
	return AppendApplied([]byte{}, src, from, to, edits)
}

// AppendApplied appends to out what Apply returns.
func AppendApplied(out, src []byte, from, to int, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	size := to - from
	for _, e := range edits {
		size += len(e.Text)
	}
	out = slices.Grow(out, max(size, 0))
	at := from
	for _, e := range edits {
		if e.Start > at {
			out = append(out, src[at:e.Start]...)
		}
		out = append(out, e.Text...)
		at = max(at, e.End)
	}
	if at < to {
		out = append(out, src[at:to]...)
	}
	return out
}

// A Chunk is the text of one item to be inserted elsewhere.
type Chunk struct {
	Text    []byte // lead comments, item, trailing comments
	Lead    int    // length of the lead comments
	Indent  string // indentation in its own file
	Blank   bool   // a blank line precedes it in its own file
	Comment bool   // it has comments around it
}

// At returns the chunk's text, without its first line's indentation, adapted to another indentation
// and other line ends.
func (c Chunk) At(indent, eol string) string {
	return Relocate(c.Text, c.Indent, indent, eol)
}

// Relocate moves the lines of text after the first from one indentation to another, and changes their line
// ends to eol. A heredoc keeps its bytes, from its opening marker through its closing one.
func Relocate(text []byte, from, to, eol string) string {
	if bytes.IndexByte(text, '\n') < 0 {
		return string(text)
	}
	keep := heredocs(text)
	var out strings.Builder
	for at := 0; at < len(text); {
		end := AfterLine(text, at)
		line := string(text[at:end])
		if at > 0 && !keep.contain(at) {
			line = shift(line, from, to)
		}
		if body, ok := strings.CutSuffix(line, "\n"); ok && !keep.contain(end-1) {
			line = strings.TrimSuffix(body, "\r") + eol
		}
		out.WriteString(line)
		at = end
	}
	return out.String()
}

// shift replaces the indentation from of a line by to, or all its blanks if it is indented in another way.
// A blank line stays.
func shift(line, from, to string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	rest, ok := strings.CutPrefix(line, from)
	if !ok {
		rest = strings.TrimLeft(line, " \t")
	}
	return to + rest
}

// spans are stretches of a text, in order.
type spans [][2]int

// contain reports whether an offset is in one of the spans.
func (s spans) contain(at int) bool {
	i, found := slices.BinarySearchFunc(s, at, func(span [2]int, at int) int { return span[0] - at })
	return found || i > 0 && at < s[i-1][1]
}

// heredocs returns where the heredocs of a text are, without those inside others.
func heredocs(text []byte) (found spans) {
	if !bytes.Contains(text, []byte("<<")) {
		return nil
	}
	// A closing marker is one only with a line end behind it.
	whole := append(text[:len(text):len(text)], '\n')
	depth, start := 0, 0
	parse.EachToken(whole, "", hcl.InitialPos, func(t hclsyntax.Token) {
		switch t.Type {
		case hclsyntax.TokenOHeredoc:
			if depth == 0 {
				start = t.Range.Start.Byte
			}
			depth++
		case hclsyntax.TokenCHeredoc:
			depth--
			if depth == 0 {
				found = append(found, [2]int{start, t.Range.End.Byte})
			}
		}
	})
	return found
}

// TextStart returns the start of the line that contains an offset, behind a byte order mark.
func TextStart(src []byte, at int) int {
	start := LineStart(src, at)
	if start == 0 && bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return start
}

// AddLead puts lead comments from elsewhere before the chunk.
func (c *Chunk) AddLead(lead []byte, indent string) {
	if len(lead) == 0 {
		return
	}
	text := Relocate(lead, indent, c.Indent, "\n") + c.Indent
	c.Text = slices.Concat([]byte(text), c.Text)
	c.Lead, c.Comment = len(text), true
}

// IndentUnit indents the contents of a block without contents to copy the indentation from.
const IndentUnit = "  "

// LineStart returns where the line that contains an offset starts.
func LineStart(src []byte, at int) int {
	return bytes.LastIndexByte(src[:at], '\n') + 1
}

// AfterLine returns the start of the next line after an offset, or the end of the text.
func AfterLine(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(src)
}

// LineStarts returns the offsets at which the lines of a text start.
func LineStarts(text []byte) []int {
	starts := []int{0}
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
		starts = append(starts, at)
	}
}

// LineBlanks returns the offset after the blanks that follow an offset if only the line end follows them,
// or else the offset itself.
func LineBlanks(src []byte, at int) int {
	to := at
	for to < len(src) && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	if to == len(src) || src[to] == '\n' || src[to] == '\r' {
		return to
	}
	return at
}

// IndentAt returns the blanks at the start of the line that contains an offset, up to that offset.
func IndentAt(src []byte, at int) string {
	from := LineStart(src, at)
	to := from
	for to < at && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	return string(src[from:to])
}

// IsBlankLine reports whether the line that starts at an offset holds only blanks.
func IsBlankLine(src []byte, at int) bool {
	end := AfterLine(src, at)
	return end > at && len(bytes.TrimSpace(src[at:end])) == 0
}

// IsBlankBefore reports whether the line before the line that starts at an offset holds only
// blanks.
func IsBlankBefore(src []byte, at int) bool {
	return at > 0 && IsBlankLine(src, LineStart(src, at-1))
}

// WithLineEnd returns text with a line end added if it lacks one; empty text stays empty.
func WithLineEnd(text []byte, eol string) []byte {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(text[:len(text):len(text)], eol...)
}

// LineEndOf returns the line end of most lines of a text, LF if it has none.
func LineEndOf(src []byte) string {
	if bytes.IndexByte(src, '\r') < 0 {
		return "\n"
	}
	crlf := bytes.Count(src, []byte("\r\n"))
	if crlf*2 > bytes.Count(src, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// Offset returns the offset of a column in a line, both starting at 1, with columns in characters. Column 0
// is the first character that isn't a blank. It is negative if the text has no such line; lines is how many
// there are.
func Offset(src []byte, line, column int) (at, lines int) {
	lines = bytes.Count(src, []byte("\n"))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		lines++
	}
	if line < 1 || line > lines {
		return -1, lines
	}
	rest := src
	for range line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	at = len(src) - len(rest)
	text, _, _ := bytes.Cut(rest, []byte("\n"))
	if column == 0 {
		return at + len(text) - len(bytes.TrimLeft(text, " \t")), lines
	}
	for n := 1; n < column && len(text) > 0; n++ {
		_, size := utf8.DecodeRune(text)
		at, text = at+size, text[size:]
	}
	return at, lines
}

// IsOneLine reports whether a text has no line end.
func IsOneLine(text string) bool { return !strings.Contains(text, "\n") }
