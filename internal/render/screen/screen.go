// Package screen fits text to terminals and pipes: it measures columns, breaks lines at words,
// shortens texts that may not be broken, and holds the colours, among them one for each kind of mark
// and those of configuration in native syntax and in JSON.
//
// Configuration that can't be parsed is coloured as far as it can be read; colours change none of
// its bytes.
// The caller sets the width of a screen and decides whether there are colours: the package does not
// look at terminals or the environment. Nothing else in the program knows a colour.
package screen

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A Screen describes where text for people goes.
type Screen struct {
	Palette
	// Width is how many columns there are.
	Width int
	// IsTerminal is set if people read the text directly. Otherwise programs may: then only messages are wrapped,
	// and any other line stays one line.
	IsTerminal bool
}

// Plain returns a screen without colours, for a pipe or a file.
func Plain() Screen { return Screen{Palette: NewPalette(false), Width: DefaultWidth} }

// DefaultWidth is the width where nobody knows better.
const DefaultWidth = 80

// Hang is the indentation of a message's continuation lines.
const Hang = "  "

// Columns returns the display width of a text, which must be one line without control characters.
func Columns(text string) int { return displaywidth.String(text) }

// Pad appends blanks to a text up to a width.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-Columns(text)))
}

// Cut shortens a text to a width. If it cuts anything, the text ends with an ellipsis.
func Cut(text string, width int) string {
	return displaywidth.TruncateString(text, max(1, width), "…")
}

// CutStart shortens a text to a width from the front. If it cuts anything, the text starts with an ellipsis.
func CutStart(text string, width int) string {
	left := Columns(text)
	if left <= width {
		return text
	}
	rest := displaywidth.StringGraphemes(text)
	for left > max(0, width-1) && rest.Next() { // one column is for the ellipsis
		left -= rest.Width()
		text = text[len(rest.Value()):]
	}
	return "…" + text
}

// CutMiddle shortens a text to a width. If it cuts anything, there is an ellipsis in the middle.
func CutMiddle(text string, width int) string {
	if Columns(text) <= width {
		return text
	}
	head := Cut(text, width/2)
	tail := strings.TrimPrefix(CutStart(text, width-Columns(head)+1), "…") // head already ends with an ellipsis
	return head + tail
}

// Wrap breaks the lines of a text at blanks so that they fit a width. Continuation lines start with the indentation
// of their line, followed by hang. Words, texts in double quotes and commands after "run:" stay whole, unless they
// are very long.
func Wrap(text string, width int, hang string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		body, isEnded := strings.CutSuffix(line, "\n")
		indent := body[:len(body)-len(strings.TrimLeft(body, " "))]
		wrapLine(&out, 0, body, width, indent+hang)
		if isEnded {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// WrapAfter breaks a line as Wrap does. The line starts at column taken; continuation lines start with hang.
func WrapAfter(taken int, line string, width int, hang string) string {
	var out strings.Builder
	wrapLine(&out, taken, line, width, hang)
	return out.String()
}

// WrapLine breaks a line as WrapAfter does on a terminal. Otherwise, since a program may read it, it returns
// the line whole.
func (s Screen) WrapLine(taken int, line, hang string) string {
	if !s.IsTerminal {
		return line
	}
	return WrapAfter(taken, line, s.Width, hang)
}

// wrapLine writes a line, broken at blanks to fit a width. The first part starts at the given column of the screen,
// continuation lines start with hang at column 0. A word that is too wide, as wordEnd and commandEnd delimit words,
// gets a line of its own.
func wrapLine(out *strings.Builder, column int, line string, width int, hang string) {
	if column+len(line) <= width { // no text has more columns than bytes
		out.WriteString(line)
		return
	}
	rest := strings.TrimLeft(line, " ")
	gap := line[:len(line)-len(rest)] // the blanks before the next word
	isCommand := false
	mayBreak := column > 0 // not before the first word on the screen's line
	for rest != "" {
		end := wordEnd(rest)
		if isCommand {
			end = commandEnd(rest)
		}
		// Write the word with the blanks before it or, if it doesn't fit, on a new line after hang.
		word := rest[:end]
		isCommand = word == "run:" // a command follows, as in "run: tofumerge …"
		if mayBreak && column+len(gap)+Columns(word) > width {
			gap = hang
			out.WriteByte('\n')
			column = 0
		}
		out.WriteString(gap)
		out.WriteString(word)
		column += len(gap) + Columns(word)
		// Go to the next word.
		rest = rest[len(word):]
		after := strings.TrimLeft(rest, " ")
		gap, rest = rest[:len(rest)-len(after)], after
		mayBreak = true
	}
}

// wordEnd returns the offset at which the first word of a text ends: that of the first blank outside of double
// quotes, or the end of the text. A quote only counts at the start of the text, or after a sign such as "(".
func wordEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == ' ':
			return i
		case text[i] == '"' && (i == 0 || strings.IndexByte("([{=:,", text[i-1]) >= 0):
			i += quotationEnd(text[i:])
		}
	}
	return len(text)
}

// maxCommand is the maximum length of a command, in bytes, that stays on one line.
const maxCommand = 200

// commandEnd returns the offset at which the command at the start of a text ends: after the ";" or "," that continues
// the sentence, or the end of the text. A command of more than maxCommand bytes may be broken: for such a command, it
// returns the end of the first word.
func commandEnd(text string) int {
	end := len(text)
	for _, behind := range []string{"; ", ", or "} { // what continues the sentence
		if at := strings.Index(text[:end], behind); at >= 0 {
			end = at + 1 // with the sign, as it belongs to the last word
		}
	}
	if end > maxCommand {
		return wordEnd(text)
	}
	return end
}

// maxQuotation is the maximum length of a quotation, in bytes, that stays on one line.
const maxQuotation = 200

// quotationEnd returns the offset of the closing quote in a text that starts with a quote; 0 if there is none within
// maxQuotation bytes. It skips characters after a backslash.
func quotationEnd(text string) int {
	for i := 1; i < min(len(text), maxQuotation); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return 0
}
