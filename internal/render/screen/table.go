package screen

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A Table is rows of cells in columns, two blanks apart. The last column is text, which continues
// on further lines; the others are names and values, which are shortened unless they are whole. If
// that is not enough, cells that don't fit on the line of their row get separate lines.
type Table struct {
	Indent  string
	Columns []Column // but the last one
	Rows    [][]Cell
	// KeepsText is set if texts are short and should be on a separate line rather than broken.
	KeepsText bool
}

// A Column is how wide cells are, and how narrow they may become.
type Column struct {
	Width, Min int
	// Middle is set if a cell is a name, which is shortened in its middle, and last.
	Middle bool
	// IsWhole is set if a cell of the last column in front of the text is never shortened. The text
	// is written below it if the rest of the line is too short.
	IsWhole bool
}

// A Cell is one text of a table, and what colours it, if anything does.
type Cell struct {
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

// WriteTable writes a table so that it fits the screen of a terminal. Elsewhere nothing is
// shortened and each row is a line.
func (s Screen) WriteTable(out *strings.Builder, t *Table) {
	layout := s.Layout(t)
	for _, row := range t.Rows {
		layout.WriteRow(out, row)
	}
}

// A layout is how a table fits a screen.
type layout struct {
	screen Screen
	*Table
	widths   []int
	isBroken bool   // rows don't fit on lines
	line     []byte // one after the other
}

// Layout returns how a table fits the screen, for tables with something between their rows.
func (s Screen) Layout(t *Table) *layout {
	widths, isBroken := t.fit(s)
	return &layout{screen: s, Table: t, widths: widths, isBroken: isBroken}
}

// fit returns the widths of the columns, and whether that leaves too little for the text.
func (t *Table) fit(s Screen) (widths []int, isBroken bool) {
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
		text = max(text, Columns(row[len(row)-1].Text))
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
func (t *Table) hasWhole() bool { return t.Columns[len(t.Columns)-1].IsWhole }

// widest returns the width of the widest cell of a column that is not wider than most.
func (t *Table) widest(column, most int) (width int) {
	for _, row := range t.Rows {
		if columns := Columns(row[column].Text); columns <= most {
			width = max(width, columns)
		}
	}
	return width
}

// shorten takes columns away from the widest ones, and returns how many. Names, which people
// copy, are spared.
func (t *Table) shorten(widths []int, want int, alsoNames bool) (taken int) {
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
func (t *Table) isTooLong(widths []int, width int) bool {
	for _, row := range t.Rows {
		at := len(t.Indent)
		for i, c := range t.Columns {
			if isLast(row, i) && at+min(Columns(row[i].Text), c.Min) > width {
				return true
			}
			at += widths[i] + len(gap)
		}
	}
	return false
}

// WriteRow writes a row.
func (l *layout) WriteRow(out *strings.Builder, row []Cell) {
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
		blanks := max(0, l.widths[i]-s.columns(shown)) + len(gap)
		line = append(line, c.colored(shown)...)
		for range blanks {
			line = append(line, ' ')
		}
		at += s.columns(shown) + blanks
	}
	shown := text.Text
	if start := l.textBelow(row); start > 0 {
		line = append(bytes.TrimRight(line, " "), '\n')
		indent := strings.Repeat(" ", start)
		shown = Wrap(indent+shown, s.Width, "")
	} else if s.IsTerminal {
		shown = s.WrapLine(at, shown, strings.Repeat(" ", at))
	}
	line = append(line, text.colored(shown)...)
	l.line = append(bytes.TrimRight(line, " "), '\n')
	out.Write(l.line)
}

// textBelow returns the indentation of the text of a row if it is written below a cell that is too
// long for it, and 0 otherwise.
func (l *layout) textBelow(row []Cell) (indent int) {
	last := len(l.Table.Columns) - 1
	if !l.screen.IsTerminal || !l.hasWhole() || row[last+1].Text == "" || Columns(row[last].Text) <= l.widths[last] {
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
func (l *layout) writeBroken(out *strings.Builder, row []Cell) {
	width := l.screen.Width
	var line, below strings.Builder
	line.WriteString(l.Indent)
	indent := l.Indent + belowIndent
	at, last := len(l.Indent), len(row)-1
	isBelow := false
	for i, c := range row[:last] {
		columns := Columns(c.Text)
		isBelow = isBelow || at+columns > width && i > 0
		switch {
		case isBelow && columns > 0:
			below.WriteString(indent + c.colored(l.Columns[i].cut(c.Text, width-len(indent))) + "\n")
		case !isBelow:
			shown := strings.TrimRight(l.Columns[i].cut(c.Text, width-at), " ")
			blanks := max(0, l.widths[i]-Columns(shown)) + len(gap)
			line.WriteString(c.colored(shown) + strings.Repeat(" ", blanks))
			at += Columns(shown) + blanks
		}
	}
	out.WriteString(strings.TrimRight(line.String(), " ") + "\n" + below.String())
	if text := row[last]; text.Text != "" {
		out.WriteString(text.colored(Wrap(indent+text.Text, width, "")) + "\n")
	}
}

// isLast reports whether nothing follows a cell on its line.
func isLast(row []Cell, i int) bool {
	for _, c := range row[i+1:] {
		if c.Text != "" {
			return false
		}
	}
	return true
}

// columns measures a text. Text that isn't for a terminal is measured in characters, whatever their
// widths.
func (s Screen) columns(text string) int {
	if !s.IsTerminal {
		return utf8.RuneCountInString(text)
	}
	return Columns(text)
}

func (c Cell) colored(text string) string {
	if c.Color == nil || text == "" {
		return text
	}
	return c.Color(text)
}

// cut shortens a text to a width.
func (c Column) cut(text string, width int) string {
	if !c.Middle || Columns(text) <= width {
		return Cut(text, width)
	}
	return cutMiddle(text, width)
}
