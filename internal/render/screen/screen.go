package screen

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// A Screen is what text for people is written on.
type Screen struct {
	Palette
	// Width is how many columns there are.
	Width int
	// IsTerminal is set if people read the text as it comes. Otherwise programs may: then only
	// messages are broken, and every other line stays one line.
	IsTerminal bool
}

// Plain is a screen without colours, for a pipe or a file.
func Plain() Screen { return Screen{Palette: NewPalette(false), Width: DefaultWidth} }

// DefaultWidth is the width where nobody knows better.
const DefaultWidth = 80

// Hang is the indentation of a message's continuation lines.
const Hang = "  "

// Columns returns the width of a text in columns, which must be one line without control
// characters.
func Columns(text string) int { return displaywidth.String(text) }

// Pad fills a text up with blanks to a width.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-Columns(text)))
}

// Cut shortens a text to a width, and ends it with an ellipsis then.
func Cut(text string, width int) string {
	return displaywidth.TruncateString(text, max(1, width), "…")
}

// cutMiddle shortens a text to a width with an ellipsis in its middle, because similar names differ
// at their ends.
func cutMiddle(text string, width int) string {
	whole := Columns(text)
	if whole <= width || width < 3 {
		return Cut(text, width)
	}
	head := (width - 1) / 3
	start := displaywidth.TruncateString(text, head, "")
	return start + CutStart(text, width-head)
}

// CutStart shortens a text to a width, and starts it with an ellipsis then.
func CutStart(text string, width int) string {
	left := Columns(text)
	if left <= width {
		return text
	}
	rest := displaywidth.StringGraphemes(text)
	for left > max(0, width-1) && rest.Next() {
		left -= rest.Width()
		text = text[len(rest.Value()):]
	}
	return "…" + text
}

// Wrap breaks the lines of a text at blanks so that they fit a width. Continuation lines have the
// indentation of their line and then hang. Words are never broken, nor are texts in double quotes,
// or commands that people should run.
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

// WrapAfter breaks a line as Wrap does, behind some columns that are taken already. Continuation
// lines have the indentation hang.
func WrapAfter(taken int, line string, width int, hang string) string {
	var out strings.Builder
	wrapLine(&out, taken, line, width, hang)
	return out.String()
}

// WrapLine breaks a line as WrapAfter does if people read it as it comes. Programs get it whole.
func (s Screen) WrapLine(taken int, line, hang string) string {
	if !s.IsTerminal {
		return line
	}
	return WrapAfter(taken, line, s.Width, hang)
}

// Fold breaks a line that is a value on a terminal: at blanks if there are any, else behind the
// separators in paths and the like, else between any two characters. Continuation lines have the
// indentation of the line and then hang.
func (s Screen) Fold(line string, width int, hang string) (lines []string) {
	if !s.IsTerminal {
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

// wrapLine writes a line that starts at a column, and breaks it.
func wrapLine(out *strings.Builder, column int, line string, width int, hang string) {
	if column+len(line) <= width { // no text has more columns than bytes
		out.WriteString(line)
		return
	}
	rest := strings.TrimLeft(line, " ")
	gap := line[:len(line)-len(rest)]
	isCommand := false
	for isFirst := column == 0; rest != ""; isFirst = false {
		end := wordEnd(rest)
		if isCommand {
			end = commandEnd(rest)
		}
		word := rest[:end]
		isCommand = word == "run:"
		if !isFirst && column+len(gap)+Columns(word) > width {
			gap = hang
			out.WriteByte('\n')
			column = 0
		}
		out.WriteString(gap)
		out.WriteString(word)
		column += len(gap) + Columns(word)
		rest = rest[len(word):]
		after := strings.TrimLeft(rest, " ")
		gap, rest = rest[:len(rest)-len(after)], after
	}
}

// wordEnd returns where the first word of a text ends: at the first blank that is not
// between double quotes. A quotation starts a word, perhaps behind other signs.
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

// maxCommand is how many bytes of a command stay together at most.
const maxCommand = 200

// commandEnd returns where the command ends that a text starts with, behind "run:".
func commandEnd(text string) int {
	end := len(text)
	for _, behind := range []string{"; ", ", or "} {
		if at := strings.Index(text[:end], behind); at >= 0 {
			end = at + 1
		}
	}
	if end > maxCommand {
		return wordEnd(text)
	}
	return end
}

// maxQuotation is how many bytes of a quotation stay together at most.
const maxQuotation = 200

// quotationEnd returns the offset of the quote that ends the quotation which a text starts
// with; 0 if none does.
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
