package term

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Flow formats text for people: indented lines stay unchanged, and all other lines up to a blank
// one are one paragraph, which is broken at the width of the screen.
func Flow(text string, s screen.Screen) string {
	var out strings.Builder
	paragraph := ""
	end := func() {
		if paragraph != "" {
			hang := ""
			if strings.HasPrefix(paragraph, "- ") {
				hang = "  "
			}
			out.WriteString(screen.Wrap(paragraph, s.Width, hang) + "\n")
		}
		paragraph = ""
	}
	isItem := false // an indented line continues a list item
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		starts := strings.HasPrefix(line, "- ")
		switch isIn := strings.HasPrefix(line, " "); {
		case line == "":
			end()
			out.WriteString("\n")
			isItem = false
		case isIn && !isItem:
			end()
			out.WriteString(line + "\n")
		case starts:
			end()
			paragraph, isItem = line, true
		default:
			paragraph = strings.TrimSpace(paragraph + " " + strings.TrimSpace(line))
		}
	}
	end()
	return out.String()
}

var (
	markdownLink = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)
	markdownBold = lazyregexp.New(`\*\*([^*]+)\*\*`)
)

// Markdown formats a page of the docs: headings and bold type in the palette's way, links as their
// texts, code indented by four blanks.
func Markdown(page string, s screen.Screen) string {
	var out strings.Builder
	isCode := false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			isCode = !isCode
		case isCode && strings.TrimSpace(line) != "":
			out.WriteString("    " + line)
		case isCode:
			out.WriteString(line)
		case strings.HasPrefix(line, "#"):
			out.WriteString(s.Place(strings.TrimSpace(strings.TrimLeft(line, "#"))) + "\n")
		default:
			line = markdownLink().ReplaceAllString(line, "$1")
			out.WriteString(markdownBold().ReplaceAllStringFunc(line, func(bold string) string {
				return s.Place(strings.Trim(bold, "*"))
			}))
		}
	}
	return Flow(out.String(), s)
}

// Rules is the table of the rules of check for people, with whether each is on.
func Rules(rules []*check.Rule, isOn func(*check.Rule) bool, s screen.Screen) string {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	var out strings.Builder
	for _, r := range rules {
		state := "on "
		if !isOn(r) {
			state = "off"
		}
		title, column := r.Title, width+16
		if s.IsTerminal {
			title = screen.WrapAfter(column, title, s.Width, strings.Repeat(" ", column))
		}
		fmt.Fprintf(&out, "%s  %-7s  %s  %s\n", s.Place(screen.Pad(r.ID, width)), r.Severity, state, title)
	}
	return out.String()
}
