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

// An Edit replaces the bytes from Start to End (exclusive) of a file with Text.
type Edit struct {
	Start, End int
	Text       string
}

// Replace returns the Edit that replaces the bytes from start to end (exclusive) with text.
func Replace(start, end int, text string) Edit { return Edit{start, end, text} }

// Apply returns src[from:to] with the edits applied. Only deletions of the same blank line may overlap.
func Apply(src []byte, from, to int, edits []Edit) []byte {
	return AppendApplied([]byte{}, src, from, to, edits)
}

// AppendApplied appends src[from:to], with the edits applied, to out. Only deletions of the same blank line may
// overlap.
func AppendApplied(out, src []byte, from, to int, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	size := to - from
	for _, e := range edits {
		size += len(e.Text)
	}
	out = slices.Grow(out, max(size, 0))
	at := from // src is copied or replaced up to here
	for _, e := range edits {
		if e.Start > at {
			out = append(out, src[at:e.Start]...)
		}
		out = append(out, e.Text...)
		// An earlier deletion may reach further.
		at = max(at, e.End)
	}
	if at < to {
		out = append(out, src[at:to]...)
	}
	return out
}

// A Chunk is the text of an item (an argument or block with its comments), to be inserted elsewhere.
type Chunk struct {
	Text    []byte // lead comments, item, trailing comments
	Lead    int    // length of the lead comments
	Indent  string // indentation in its own file
	Blank   bool   // a blank line precedes it in its own file
	Comment bool   // it has comments around it
}

// At returns the chunk's text with another indentation, indent, and other line ends, eol. The first line isn't
// indented: the caller has written its indentation.
func (c Chunk) At(indent, eol string) string {
	return Relocate(c.Text, c.Indent, indent, eol)
}

// Relocate replaces the indentation from with to in all lines of a text but the first, and the line ends with eol.
// Heredocs stay as they are, since their blanks are part of the value.
func Relocate(text []byte, from, to, eol string) string {
	if bytes.IndexByte(text, '\n') < 0 {
		return string(text)
	}
	kept := heredocs(text)
	var out strings.Builder
	for at := 0; at < len(text); {
		end := AfterLine(text, at)
		line := string(text[at:end])
		if at > 0 && !kept.contain(at) {
			line = reindent(line, from, to)
		}
		lineEnd := end - 1
		if body, ok := strings.CutSuffix(line, "\n"); ok && !kept.contain(lineEnd) {
			line = strings.TrimSuffix(body, "\r") + eol
		}
		out.WriteString(line)
		at = end
	}
	return out.String()
}

// reindent replaces the indentation from at the start of a line with to. If the line is indented differently, all its
// blanks are replaced. Blank lines stay.
func reindent(line, from, to string) string {
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

// contain reports whether an offset is inside one of the spans.
func (s spans) contain(at int) bool {
	i, found := slices.BinarySearchFunc(s, at, func(span [2]int, at int) int { return span[0] - at })
	return found || i > 0 && at < s[i-1][1]
}

// heredocs returns the spans of the heredocs in a text, from the opening marker to the closing one. One inside
// another isn't listed.
func heredocs(text []byte) (found spans) {
	if !bytes.Contains(text, []byte("<<")) {
		return nil
	}
	// The parser recognises a closing marker only if a line end follows it. Limiting the capacity makes append copy
	// the text instead of changing the bytes behind it.
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

// TextStart returns the start of the line that contains an offset. In the first line, it is after a byte order mark.
func TextStart(src []byte, at int) int {
	const byteOrderMark = "\xef\xbb\xbf"
	start := LineStart(src, at)
	if start == 0 && bytes.HasPrefix(src, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return start
}

// AddLead puts comments in front of the chunk, which must not have lead comments yet. lead is their text, indent its
// indentation.
func (c *Chunk) AddLead(lead []byte, indent string) {
	if len(lead) == 0 {
		return
	}
	text := Relocate(lead, indent, c.Indent, "\n") + c.Indent // the item's own line follows, so it is indented here
	c.Text = slices.Concat([]byte(text), c.Text)
	c.Lead, c.Comment = len(text), true
}

// IndentUnit indents the contents of a block without contents to copy the indentation from.
const IndentUnit = "  "

// LineStart returns the start of the line that contains an offset.
func LineStart(src []byte, at int) int {
	return bytes.LastIndexByte(src[:at], '\n') + 1
}

// AfterLine returns the start of the line after the one that contains an offset, or the end of the text.
func AfterLine(src []byte, at int) int {
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(src)
}

// LineStarts returns the offsets at which the lines of a text start. After a final line end there is one more, empty
// line.
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

// LineBlanks returns the offset after the blanks at offset at, if nothing else follows on the line; otherwise at. It
// is for removing text together with the blanks after it.
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

// IndentAt returns the blanks at the start of the line that contains an offset. It stops at the offset.
func IndentAt(src []byte, at int) string {
	from := LineStart(src, at)
	to := from
	for to < at && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	return string(src[from:to])
}

// IsBlankLine reports whether the line that starts at an offset contains nothing but blanks. It returns false at the
// end of the text, where there is no line.
func IsBlankLine(src []byte, at int) bool {
	end := AfterLine(src, at)
	return end > at && len(bytes.TrimSpace(src[at:end])) == 0
}

// IsBlankBefore reports whether the line before the one that starts at an offset contains nothing but blanks.
func IsBlankBefore(src []byte, at int) bool {
	return at > 0 && IsBlankLine(src, LineStart(src, at-1))
}

// WithLineEnd returns a text with a line end at its end, added if it is missing. An empty text stays empty.
func WithLineEnd(text []byte, eol string) []byte {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return text
	}
	return append(text[:len(text):len(text)], eol...)
}

// LineEndOf returns the line end that most lines of a text have. It is LF if there are none.
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

// Offset returns the offset of a line and column, and the number of lines in the text. line and column count from 1,
// column in characters. A column beyond the line means its end; column 0 means the first character that isn't a
// blank. at is -1 if there is no such line.
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

// IsOneLine reports whether a text contains no line end.
func IsOneLine(text string) bool { return !strings.Contains(text, "\n") }
