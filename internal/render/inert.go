package render

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/tofumerge/tofumerge/internal/load"
)

// Text in the log of a pipeline. Names and quoted lines may come from whoever wants the
// pipeline to act on them.

// commands are what programs that run pipelines take for a command: GitHub Actions a
// line that starts with ::, blanks aside, and ##[ anywhere in one; Azure Pipelines
// ##vso[ and ##[, TeamCity ##teamcity[. Colours don't count as a start here.
var commands = load.Pattern(`(?mi)^(?:[ \t\v\f\r]|\x1b\[[0-9;]*m)*::|##(?:vso|teamcity)?\[`)

// Inert is text for people in which nothing is a command: the first sign of what would
// be one is written as in a Go string.
func Inert(text string) string { return withoutCommands(text, `\x3a`, `\x23`) }

// withoutCommands is a text in which other signs stand for the first one of each
// command.
func withoutCommands(text, colon, hash string) string {
	if !strings.Contains(text, "::") && !strings.Contains(text, "##") {
		return text
	}
	return commands().ReplaceAllStringFunc(text, func(found string) string {
		if lead, ok := strings.CutSuffix(found, "::"); ok {
			return lead + colon + ":"
		}
		return hash + found[1:]
	})
}

// writeText writes text for people.
func writeText(w io.Writer, text string) error {
	_, err := io.WriteString(w, Inert(text))
	return err
}

// withReferences writes, in XML, by number what a terminal or a pipeline would act on.
// To a program that reads the XML it is the same.
func withReferences(xml string) string {
	var out strings.Builder
	for _, r := range withoutCommands(xml, "&#58;", "&#35;") {
		if r == '\n' || unicode.IsPrint(r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	return out.String()
}
