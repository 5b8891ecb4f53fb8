// Package safetext makes text safe for destinations that act on it: a terminal, the log of a
// pipeline, XML and JSON.
//
// It accepts any text, even from files that nobody trusts, and returns text in which nothing is a
// control sequence or a command. It never refuses a text.
package safetext

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// Printable escapes everything that a terminal would act on, except for line ends. Each tab becomes one
// blank, so that a mark on the line below stays aligned.
func Printable(s string) string { return WithTabs(strings.ReplaceAll(s, "\t", " ")) }

// WithTabs escapes a text as Printable does, but keeps tabs.
func WithTabs(s string) string {
	if isPlain(s) {
		return s
	}
	return escaped(s, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) })
}

// isPlain reports whether a text is lines of printable ASCII, which need no escapes.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' && c != '\n' || c > '~' })
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

// OneLine escapes a text as Printable does, and replaces each line end by a blank.
func OneLine(s string) string {
	if strings.ContainsAny(s, "\r\n") {
		s = lineEnds.Replace(s)
	}
	return Printable(s)
}

// ExactName returns a file name for a program that will look for the file. It escapes, as in a Go string,
// only characters that a terminal would act on or that XML can't contain, apart from tabs and line ends.
func ExactName(name string) string {
	return escaped(name, func(r rune) bool {
		isBlank := r == '\t' || r == '\n' || r == '\r'
		return !isBlank && unicode.IsControl(r) || r == '\ufffe' || r == '\uffff'
	})
}

// LoggedName returns a file name for a program that reads it from a log, which people read as well. In
// addition to ExactName, it escapes characters that change the direction of text, so that no name looks like
// another one.
func LoggedName(name string) string {
	return escaped(ExactName(name), func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) })
}

// escaped returns a text in which the characters for which mustEscape returns true are escaped as in a Go string,
// such as \x1b.
func escaped(text string, mustEscape func(rune) bool) string {
	var out strings.Builder
	for _, r := range text {
		if mustEscape(r) {
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// commands matches the commands of programs that run pipelines: GitHub Actions a line that starts
// with ::, blanks aside, and ##[ anywhere in one; Azure Pipelines ##vso[ and ##[, TeamCity
// ##teamcity[. Colours before the start of a line are skipped.
var commands = lazyregexp.New(`(?mi)^(?:[ \t\v\f\r]|\x1b\[[0-9;]*m)*::|##(?:vso|teamcity)?\[`)

// Inert returns text for the log of a pipeline in which nothing is a command: it escapes the first character
// of each command as in a Go string.
func Inert(text string) string { return withoutCommands(text, `\x3a`, `\x23`) }

// withoutCommands disarms the commands in a text: colon replaces the first character of "::", and hash that
// of "##[".
func withoutCommands(text, colon, hash string) string {
	if !strings.Contains(text, "::") && !strings.Contains(text, "##") {
		return text
	}
	return commands().ReplaceAllStringFunc(text, func(found string) string {
		if lead, hasColons := strings.CutSuffix(found, "::"); hasColons { // lead is blanks and colours
			return lead + colon + ":"
		}
		return hash + found[1:]
	})
}

// WithReferences returns XML with character references for everything that a terminal or a pipeline would act
// on. A program that parses the XML sees no difference.
func WithReferences(xml string) string {
	var out strings.Builder
	// : and # would begin commands of pipelines, as in ::error and ##vso.
	for _, r := range withoutCommands(xml, "&#58;", "&#35;") {
		if r == '\n' || unicode.IsPrint(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	return out.String()
}

// EscapedJSON returns a Writer that writes JSON to w with escapes for everything that a terminal or a
// pipeline would act on. Each Write must get whole values.
func EscapedJSON(w *bufio.Writer) io.Writer { return escaper{w} }

// WriteJSON writes a value as JSON with the escapes of EscapedJSON, and a line end. If JSON can't represent
// the value, it writes nothing and returns an error.
func WriteJSON(w io.Writer, value any, indent string) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(EscapedJSON(out))
	enc.SetIndent("", indent)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	return out.Flush()
}

// JSON returns what WriteJSON writes.
func JSON(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	err := WriteJSON(&out, value, indent)
	return out.Bytes(), err
}

// An escaper is the Writer that EscapedJSON returns.
type escaper struct{ w *bufio.Writer }

// Write writes whole lines of JSON with escapes. A command can only be in a string, where an escape such as \u003a
// disarms it without changing the value. Write never returns an error: e.w keeps it until Flush.
func (e escaper) Write(text []byte) (int, error) {
	for line := range bytes.Lines(text) {
		e.writeLine(withoutCommands(string(line), `\u003a`, `\u0023`))
	}
	return len(text), nil // the buffer keeps an error until it is flushed
}

// writeLine writes a line of JSON. It escapes characters that aren't printable, and writes U+FFFD for each invalid
// byte.
func (e escaper) writeLine(text string) {
	at := 0 // text before it is written
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		isInvalid := r == utf8.RuneError && size == 1
		if isInvalid || r != '\n' && !unicode.IsPrint(r) {
			e.w.WriteString(text[at:i])
			e.writeEscape(r)
			at = i + size
		}
		i += size
	}
	e.w.WriteString(text[at:])
}

// writeEscape writes a character as the escapes of its UTF-16 units. For an invalid byte, it writes U+FFFD
// itself.
func (e escaper) writeEscape(r rune) {
	if r == utf8.RuneError {
		e.w.WriteRune(r)
		return
	}
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(e.w, `\u%04x`, unit)
	}
}

// WriteText writes text for people, without commands of a pipeline.
func WriteText(w io.Writer, text string) error {
	_, err := io.WriteString(w, Inert(text))
	return err
}
