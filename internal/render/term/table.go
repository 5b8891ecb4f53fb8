package term

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A row is cells in columns, two blanks apart, then a value and a text. Elsewhere than on a terminal it is
// one line. On one that is too narrow, the row gives up its columns; then the value stands below it, since
// people look for the cells and the text; then the text continues on further lines.
type row struct {
	Cells []cell
	Value cell
	// Parts are the value in pieces, for a line that is too short for it below the row, too.
	Parts []string
	Text  cell
	Below []string // lines below the row
}

// A cell is a text, and what colours it, if anything does.
type cell struct {
	Text  string
	Color func(string) string
}

// A table is rows whose cells share columns.
type table struct {
	Screen screen.Screen
	Indent string
	Hang   string // further indentation of what is below a row
	// Most is the maximum width of a cell that widens its column for the rows around it; 0 is any.
	Most int
	Rows []row

	widths []int  // of the columns, that of the value last; nil until fit finds them
	buffer []byte // of a line
}

// goodText is how many columns a text that is broken must have to be beside the cells.
const goodText = 32

// gap is between columns.
const gap = "  "

// write writes the rows.
func (t *table) write(out *strings.Builder) {
	for _, r := range t.Rows {
		t.writeRow(out, r)
	}
}

// fit finds the widths of columns. A cell that leaves no room for the texts widens none.
func (t *table) fit() {
	room, most := math.MaxInt, math.MaxInt
	if t.Most > 0 {
		most = t.Most
	}
	if t.Screen.IsTerminal {
		text := 0
		for _, r := range t.Rows {
			text = max(text, t.columns(r.Text.Text))
		}
		room = t.Screen.Width - len(t.Indent) - min(text, goodText)
	}
	t.widths = []int{}
	for i := range len(t.Rows[0].Cells) + 1 {
		width := 0
		for _, r := range t.Rows {
			shown, isLast := r.Value, r.Text.Text == ""
			if i < len(r.Cells) {
				shown, isLast = r.Cells[i], false
			}
			if n := t.columns(shown.Text); !isLast && n <= most && n+len(gap) <= room {
				width = max(width, n)
			}
		}
		t.widths = append(t.widths, width)
		room -= width + len(gap)
	}
}

// columns measures a text. Text that isn't for a terminal is measured in characters, whatever their widths.
func (t *table) columns(text string) int {
	if !t.Screen.IsTerminal {
		return utf8.RuneCountInString(text)
	}
	return screen.Columns(text)
}

// line is cells as a line, of which the first ones fill their columns, and its width. The next line
// overwrites it.
func (t *table) line(cells []cell, filled int) (line []byte, width int) {
	line, width = append(t.buffer[:0], t.Indent...), len(t.Indent)
	blanks := 0
	for i, c := range cells {
		n := t.columns(c.Text)
		if n > 0 {
			width += blanks + n
			for ; blanks > 0; blanks-- {
				line = append(line, ' ')
			}
			line = append(line, c.colored(c.Text)...)
		}
		if i < filled {
			blanks += max(0, t.widths[i]-n)
			n = max(n, t.widths[i])
		}
		if n > 0 {
			blanks += len(gap)
		}
	}
	t.buffer = line
	return line, width
}

// writeRow writes a row.
func (t *table) writeRow(out *strings.Builder, r row) {
	if t.widths == nil {
		t.fit()
	}
	s, indent := t.Screen, t.Indent+t.Hang
	write := func(line []byte, more string) {
		out.Write(line)
		out.WriteString(more + "\n")
	}
	defer func() {
		for _, line := range r.Below {
			write(nil, strings.TrimRight(indent+line, " "))
		}
	}()
	all, n := append(slices.Clip(r.Cells), r.Value, r.Text), len(r.Cells)
	for _, filled := range []int{n + 1, n, 0} {
		if line, width := t.line(all, filled); !s.IsTerminal || width <= s.Width {
			write(line, "")
			return
		}
	}
	if r.Value.Text != "" {
		parts := r.Parts
		if len(parts) == 0 || len(indent)+t.columns(r.Value.Text) <= s.Width {
			parts = []string{r.Value.Text}
		}
		var lines []string
		for _, part := range parts {
			lines = append(lines, fold(part, s, s.Width-len(indent), screen.Hang)...)
		}
		r.Below, r.Value = append(lines, r.Below...), cell{}
	}
	all[n] = cell{}
	for _, filled := range []int{n, 0} {
		if line, width := t.line(all, filled); width <= s.Width {
			write(line, "")
			return
		}
	}
	column := func(cells []cell) int { // where a text behind them starts
		_, width := t.line(append(slices.Clip(cells), cell{Text: "x"}), n)
		return width - 1
	}
	at, text := column(r.Cells), r.Text.Text
	switch line, width := t.line(r.Cells, n); {
	case s.Width-at >= min(goodText, t.columns(text)):
		text = eachLine(screen.WrapAfter(at, text, s.Width, strings.Repeat(" ", at)), r.Text.colored)
		write(line, strings.Repeat(" ", at-width)+text)
		return
	case width > s.Width:
		last, start := r.Cells[n-1], column(r.Cells[:n-1])
		lines := strings.Join(fold(last.Text, s, s.Width-start, screen.Hang), "\n"+strings.Repeat(" ", start))
		line, width := t.line(r.Cells[:n-1], n)
		write(line, strings.Repeat(" ", start-width)+eachLine(lines, last.colored))
	default:
		write(line, "")
	}
	if text != "" {
		write(nil, eachLine(screen.Wrap(indent+text, s.Width, ""), r.Text.colored))
	}
}

func (c cell) colored(text string) string {
	if c.Color == nil || text == "" {
		return text
	}
	return c.Color(text)
}

// fold breaks a line that is a value on a terminal: at blanks if there are any, else behind the
// separators in paths and the like, else between any two characters. Continuation lines have the
// indentation of the line and then hang.
func fold(line string, to screen.Screen, width int, hang string) (lines []string) {
	if !to.IsTerminal {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	for rest := line[len(indent):]; ; hang = "" {
		head := displaywidth.TruncateString(rest, max(width-len(indent), 2), "")
		if len(head) == len(rest) || head == "" {
			return append(lines, indent+rest)
		}
		if rest[len(head)] != ' ' {
			head = head[:foldAt(head)]
		}
		lines = append(lines, indent+strings.TrimRight(head, " "))
		rest, indent = strings.TrimLeft(rest[len(head):], " "), indent+hang
	}
}

// foldAt returns where a line that starts with head is broken, which should not be far from its end.
func foldAt(head string) int {
	if at := strings.LastIndexByte(head, ' '); at > 0 && at >= len(head)/2 {
		return at
	}
	if at := strings.LastIndexAny(head, "/:,"); at > len(head)/2 {
		return at + 1
	}
	return len(head)
}
