package term

import (
	"fmt"
	"math"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Values that are too long for the line of their row stand below it: short ones whole, and of long
// ones the lines that differ from the value that they replace or that replaces them.

const (
	// shortLines is how many lines of a value are shown below its row.
	shortLines = 8
	// besideColumns is how many columns a value has at most that stands in its row.
	besideColumns = 60
	// shortColumns is how many columns a line of them has at most.
	shortColumns = 600
)

// maxLines is how many lines of a value in effect a headline shows.
func (x *Explanation) maxLines() int {
	if x.opts.Full {
		return math.MaxInt
	}
	return headLines
}

// A rowDetail holds the lines below a row.
type rowDetail struct {
	lines []string
	words string // for the row: the value, or how much of it stands below; may be empty
}

// A rowValue is the value of a row: its text, or words for it where the text is empty.
type rowValue struct{ text, words string }

// below is the detail below the row of the i-th value.
func (x *Explanation) below(values []rowValue, i int, room int) rowDetail {
	text := values[i].text
	lines := strings.Split(text, "\n")
	switch {
	case text == "":
		return rowDetail{words: values[i].words}
	case len(lines) == 1 && screen.Columns(text) <= besideColumns:
		return rowDetail{words: text}
	case x.opts.Full || len(lines) <= shortLines:
		return rowDetail{lines: x.fold(lines, room)}
	}
	var shown rowDetail
	if changed, n := differing(text, beside(values, i)); n > 0 {
		shown.words = fmt.Sprintf("differs in %d of %d lines", n, len(lines))
		lines = changed
	}
	if more := len(lines) - shortLines; more > 0 {
		lines = append(lines[:shortLines-1:shortLines-1], fmt.Sprintf("… %d more lines; --full shows them", more+1))
	}
	wording.Dedent(lines)
	shown.lines = x.fold(lines, room)
	return shown
}

// fold breaks lines on a terminal. Some of a very long one is shown.
func (x *Explanation) fold(lines []string, room int) (list []string) {
	for _, line := range lines {
		if !x.opts.Full {
			line = screen.Cut(line, shortColumns)
		}
		list = append(list, x.screen.Fold(line, room, screen.Hang)...)
	}
	return list
}

// beside is the text of the value that the i-th one replaced, or of the one that replaced it.
func beside(values []rowValue, i int) string {
	if i+1 < len(values) && values[i+1].text != "" {
		return values[i+1].text
	}
	if i > 0 {
		return values[i-1].text
	}
	return ""
}

// differing returns the n lines of a text that another one does not have, with an ellipsis for
// those between them; none without another text.
func differing(text, other string) (list []string, n int) {
	if other == "" {
		return nil, 0
	}
	lines := strings.Split(text, "\n")
	at := 0
	for _, r := range patch.Compare([2]string{}, []byte(text+"\n"), []byte(other+"\n")).Runs {
		if r.From == r.To {
			continue
		}
		if r.From > at {
			list = append(list, "…")
		}
		list = append(list, lines[r.From:r.To]...)
		n += r.To - r.From
		at = r.To
	}
	if n > 0 && at < len(lines) {
		list = append(list, "…")
	}
	return list, n
}

// isInHeadline reports whether a headline with a value shows a row's value.
func isInHeadline(row wording.HistoryRow, hasValue bool) bool {
	return hasValue && row.Status == effect.StatusEffective
}
