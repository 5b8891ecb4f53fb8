package feature

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// A markup builds a text for people, in Markdown or plain. It escapes everything it is given,
// because that may come from a file and must not become markup or a link.
type markup struct {
	out  strings.Builder
	kind protocol.MarkupKind
}

func newMarkup(kind protocol.MarkupKind) *markup {
	if kind != protocol.Markdown {
		kind = protocol.PlainText
	}
	return &markup{kind: kind}
}

// content is the text so far.
func (m *markup) content() protocol.MarkupContent {
	return protocol.MarkupContent{Kind: m.kind, Value: strings.TrimSuffix(m.out.String(), "\n")}
}

func (m *markup) isMarkdown() bool { return m.kind == protocol.Markdown }

// maxColumns is the maximum number of characters of a line.
const maxColumns = 200

// block writes lines of code as a separate paragraph.
func (m *markup) block(code string) {
	var lines []string
	for line := range strings.SplitSeq(code, "\n") {
		lines = append(lines, cut(safetext.Printable(line)))
	}
	code = strings.Join(lines, "\n")
	if m.isMarkdown() {
		fence := strings.Repeat("`", max(3, longestRun(code)+1))
		code = fence + "terraform\n" + code + "\n" + fence
	}
	m.out.WriteString(code + "\n")
}

// paragraph starts a new paragraph.
func (m *markup) paragraph() { m.out.WriteString("\n") }

// item starts an item of a list.
func (m *markup) item() { m.out.WriteString("- ") }

// end ends a line.
func (m *markup) end() { m.out.WriteString("\n") }

// words writes text within a line.
func (m *markup) words(text string) { m.out.WriteString(m.escaped(text)) }

// strong writes emphasized text within a line.
func (m *markup) strong(text string) {
	if m.isMarkdown() {
		text = "**" + m.escaped(text) + "**"
	}
	m.out.WriteString(text)
}

// code writes code within a line.
func (m *markup) code(text string) {
	text = cut(safetext.OneLine(text))
	if m.isMarkdown() {
		quotes := strings.Repeat("`", longestRun(text)+1)
		if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) == "" {
			text = " " + text + " "
		}
		text = quotes + text + quotes
	}
	m.out.WriteString(text)
}

// link writes a link to a URI. Plain text has its words alone.
func (m *markup) link(text, target string) {
	if m.isMarkdown() {
		text = "[" + m.escaped(text) + "](" + linkTarget.Replace(target) + ")"
	}
	m.out.WriteString(text)
}

// linkTarget escapes the characters that could end the target of a link, or start something
// else, and that a URI may contain.
var linkTarget = strings.NewReplacer("@", "%40", "(", "%28", ")", "%29", "&", "%26", "<", "%3C", ">", "%3E", " ", "%20", "\n", "%0A", `\`, "%5C")

// escaped cuts a text to one line in which nothing is markup.
func (m *markup) escaped(text string) string {
	text = cut(safetext.OneLine(text))
	if !m.isMarkdown() {
		return text
	}
	var out strings.Builder
	before := ' '
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if isMarkup(before, r, after) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

// isMarkup reports whether a character may be markup between two others. An underscore within a
// word isn't. Characters that are markup only at the start of a line are harmless, because a text
// from a file never starts one.
func isMarkup(before, r, after rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '&', '~', '$', '@', '!':
		return true
	case '_':
		return !isWord(before) || !isWord(after)
	case ':', '/': // http://, which some editors turn into a link
		return after == '/'
	case '.': // www.example.com, likewise
		return before == 'w'
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// cut shortens a line that is too long.
func cut(line string) string {
	if len(line) <= maxColumns || utf8.RuneCountInString(line) <= maxColumns {
		return line
	}
	n := 0
	for i := range line {
		if n++; n == maxColumns {
			return line[:i] + "…"
		}
	}
	return line
}

// longestRun is the length of the longest sequence of backquotes.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
