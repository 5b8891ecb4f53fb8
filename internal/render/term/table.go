package term

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A table is rows of cells in columns, two blanks apart. The last column is text, which continues
// on further lines; the others are names and values, which are shortened unless they are whole. If
// that is not enough, cells that don't fit on the line of their row get separate lines.
type table struct {
	Indent  string
	Columns []column // but the last one
	Rows    [][]cell
	// KeepsText is set if texts are short and should be on a separate line rather than broken.
	KeepsText bool
}

// A column is how wide cells are, and how narrow they may become.
type column struct {
	Width, Min int
	// Middle is set if a cell is a name, which is shortened in its middle, and last.
	Middle bool
	// IsWhole is set if a cell of the last column in front of the text is never shortened. The text
	// is written below it if the rest of the line is too short.
	IsWhole bool
}

// A cell is one text of a table, and what colours it, if anything does.
type cell struct {
	Text  string
	Color func(string) string
}

// How many columns the last column must have to be beside the others, and how many it gets
// where values can be shortened for it.
const minText, goodText = 16, 32

// belowIndent is the further indentation of a cell that is below its row.
const belowIndent = "    "

// gap is between columns.
const gap = "  "

// write writes a table so that it fits the screen of a terminal. Elsewhere nothing is
// shortened and each row is a line.
func (t *table) write(out *strings.Builder, to screen.Screen) {
	layout := t.layout(to)
	for _, row := range t.Rows {
		layout.writeRow(out, row)
	}
}

// A layout is how a table fits a screen.
type layout struct {
	screen screen.Screen
	*table
	widths   []int
	isBroken bool   // rows don't fit on lines
	line     []byte // one after the other
}

// layout returns how a table fits a screen, for tables with something between their rows.
func (t *table) layout(to screen.Screen) *layout {
	widths, isBroken := t.fit(to)
	return &layout{screen: to, table: t, widths: widths, isBroken: isBroken}
}

// fit returns the widths of the columns, and whether that leaves too little for the text.
func (t *table) fit(s screen.Screen) (widths []int, isBroken bool) {
	room := s.Width - len(t.Indent)
	for _, c := range t.Columns {
		widths = append(widths, c.Width)
		if room -= c.Width; c.Width > 0 {
			room -= len(gap)
		}
	}
	if !s.IsTerminal {
		return widths, false
	}
	text := 0
	for _, row := range t.Rows {
		text = max(text, screen.Columns(row[len(row)-1].Text))
	}
	if last := len(t.Columns) - 1; t.hasWhole() {
		widths[last] = t.widest(last, widths[last]+room-min(text, goodText))
		return widths, false
	}
	room += t.shorten(widths, min(text, goodText)-room, false)
	room += t.shorten(widths, min(text, minText)-room, true)
	least := minText
	if t.KeepsText {
		least = goodText
	}
	return widths, room < min(text, least) || t.isTooLong(widths, s.Width)
}

// hasWhole reports whether the texts of the table go below cells that are too long.
func (t *table) hasWhole() bool { return t.Columns[len(t.Columns)-1].IsWhole }

// widest returns the width of the widest cell of a column that is not wider than most.
func (t *table) widest(column, most int) (width int) {
	for _, row := range t.Rows {
		if columns := screen.Columns(row[column].Text); columns <= most {
			width = max(width, columns)
		}
	}
	return width
}

// shorten takes columns away from the widest ones, and returns how many. Names, which people
// copy, are spared.
func (t *table) shorten(widths []int, want int, alsoNames bool) (taken int) {
	for ; taken < want; taken++ {
		widest := -1
		for i, c := range t.Columns {
			if widths[i] > c.Min && (alsoNames || !c.Middle) && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return taken
		}
		widths[widest]--
	}
	return taken
}

// isTooLong reports whether a row without a text does not fit a width.
func (t *table) isTooLong(widths []int, width int) bool {
	for _, row := range t.Rows {
		at := len(t.Indent)
		for i, c := range t.Columns {
			if isLast(row, i) && at+min(screen.Columns(row[i].Text), c.Min) > width {
				return true
			}
			at += widths[i] + len(gap)
		}
	}
	return false
}

// writeRow writes a row.
func (l *layout) writeRow(out *strings.Builder, row []cell) {
	if l.isBroken {
		l.writeBroken(out, row)
		return
	}
	s := l.screen
	line := append(l.line[:0], l.Indent...)
	at, text := len(l.Indent), row[len(row)-1]
	for i, c := range row[:len(row)-1] {
		shown, room := c.Text, l.widths[i]
		if room == 0 && shown == "" {
			continue // no cell of the column needs room
		}
		if isLast(row, i) {
			room = s.Width - at
		}
		if s.IsTerminal && !l.Columns[i].IsWhole {
			shown = l.Columns[i].cut(shown, room)
		}
		blanks := max(0, l.widths[i]-widthOn(s, shown)) + len(gap)
		line = append(line, c.colored(shown)...)
		for range blanks {
			line = append(line, ' ')
		}
		at += widthOn(s, shown) + blanks
	}
	shown := text.Text
	if start := l.textBelow(row); start > 0 {
		line = append(bytes.TrimRight(line, " "), '\n')
		indent := strings.Repeat(" ", start)
		shown = screen.Wrap(indent+shown, s.Width, "")
	} else if s.IsTerminal {
		shown = s.WrapLine(at, shown, strings.Repeat(" ", at))
	}
	line = append(line, text.colored(shown)...)
	l.line = append(bytes.TrimRight(line, " "), '\n')
	out.Write(l.line)
}

// textBelow returns the indentation of the text of a row if it is written below a cell that is too
// long for it, and 0 otherwise.
func (l *layout) textBelow(row []cell) (indent int) {
	last := len(l.Columns) - 1
	if !l.screen.IsTerminal || !l.hasWhole() || row[last+1].Text == "" || screen.Columns(row[last].Text) <= l.widths[last] {
		return 0
	}
	indent = len(l.Indent) + len(gap)
	for _, width := range l.widths[:last] {
		indent += width + len(gap)
	}
	return indent
}

// writeBroken writes a row on several lines: cells that don't fit on the first one get separate
// lines.
func (l *layout) writeBroken(out *strings.Builder, row []cell) {
	width := l.screen.Width
	var line, below strings.Builder
	line.WriteString(l.Indent)
	indent := l.Indent + belowIndent
	at, last := len(l.Indent), len(row)-1
	isBelow := false
	for i, c := range row[:last] {
		columns := screen.Columns(c.Text)
		isBelow = isBelow || at+columns > width && i > 0
		switch {
		case isBelow && columns > 0:
			below.WriteString(indent + c.colored(l.Columns[i].cut(c.Text, width-len(indent))) + "\n")
		case !isBelow:
			shown := strings.TrimRight(l.Columns[i].cut(c.Text, width-at), " ")
			blanks := max(0, l.widths[i]-screen.Columns(shown)) + len(gap)
			line.WriteString(c.colored(shown) + strings.Repeat(" ", blanks))
			at += screen.Columns(shown) + blanks
		}
	}
	out.WriteString(strings.TrimRight(line.String(), " ") + "\n" + below.String())
	if text := row[last]; text.Text != "" {
		out.WriteString(text.colored(screen.Wrap(indent+text.Text, width, "")) + "\n")
	}
}

// isLast reports whether nothing follows a cell on its line.
func isLast(row []cell, i int) bool {
	for _, c := range row[i+1:] {
		if c.Text != "" {
			return false
		}
	}
	return true
}

// widthOn measures a text. Text that isn't for a terminal is measured in characters, whatever their
// widths.
func widthOn(s screen.Screen, text string) int {
	if !s.IsTerminal {
		return utf8.RuneCountInString(text)
	}
	return screen.Columns(text)
}

func (c cell) colored(text string) string {
	if c.Color == nil || text == "" {
		return text
	}
	return c.Color(text)
}

// cut shortens a text to a width.
func (c column) cut(text string, width int) string {
	if !c.Middle || screen.Columns(text) <= width {
		return screen.Cut(text, width)
	}
	return cutMiddle(text, width)
}

// cutMiddle shortens a text to a width with an ellipsis in its middle, because similar names differ
// at their ends.
func cutMiddle(text string, width int) string {
	whole := screen.Columns(text)
	if whole <= width || width < 3 {
		return screen.Cut(text, width)
	}
	head := (width - 1) / 3
	start := displaywidth.TruncateString(text, head, "")
	return start + screen.CutStart(text, width-head)
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
