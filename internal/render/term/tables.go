package term

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Changes returns the changes in a module for people: below the title and the address of each block, a line for each
// changed argument, key or element; and last a summary.
func Changes(m report.ModuleChanges, to screen.Screen) []byte {
	var out bytes.Buffer
	if m.Title != "" {
		out.WriteString(safetext.Inert(to.Place(diag.Escape(m.Title)+":") + "\n"))
	}
	for _, b := range m.Blocks {
		out.WriteString(safetext.Inert(to.Place(b.Address.String()) + report.BlockNote(b) + "\n"))
		var lines []report.ChangeLine
		for l := range m.GroupedLines(b) {
			lines = append(lines, l)
			if len(lines) == atOnce { // limits the memory for a block with very many
				writeChanges(&out, lines, to)
				lines = lines[:0]
			}
		}
		writeChanges(&out, lines, to) // the rest
		out.WriteString("\n")
	}
	out.WriteString(safetext.Inert(m.Count() + "\n"))
	return out.Bytes()
}

// atOnce is how many lines are laid out in common columns: a block may have very many.
const atOnce = 200

// maxColumn is the maximum width of a name, with its sign, or a value that may widen its column for the
// lines around it.
const maxColumn = 46

// changeIndent indents a change; partIndent indents changes inside of another one, for each level.
const changeIndent, partIndent = "  ", "    "

// writeChanges writes lines of changes in columns. Each line joins the table of the lines before it that have the
// same Depth, unless a line of less depth is between them: then a new table begins. The line of a group is a table of
// its own.
func writeChanges(out *bytes.Buffer, lines []report.ChangeLine, to screen.Screen) {
	newTable := func(depth int) *table {
		indent := changeIndent + strings.Repeat(partIndent, depth)
		return &table{Screen: to, Indent: indent, Hang: partIndent, Most: maxColumn}
	}
	tables := make([]*table, len(lines))
	rows := make([]row, len(lines))
	var open []*table // the tables that the next lines may join: open[d] for a line of depth d
	for i, l := range lines {
		// A line closes the deeper tables; open new ones down to its depth.
		open = open[:min(len(open), l.Depth+1)]
		for len(open) <= l.Depth {
			open = append(open, newTable(len(open)))
		}
		t := open[l.Depth]
		if l.IsGroup {
			t = newTable(l.Depth) // so the group's name widens no column of its neighbours
		}
		tables[i], rows[i] = t, t.changeRow(l)
		t.Rows = append(t.Rows, rows[i])
	}
	// Write only now: the rows of a table must all be known to fit its columns.
	var text strings.Builder
	for i, t := range tables {
		t.writeRow(&text, rows[i])
	}
	out.WriteString(safetext.Inert(text.String()))
}

// changeRow returns the row of a change: its sign and name, its value, and its location. Further lines of the
// value go below it.
func (t *table) changeRow(l report.ChangeLine) row {
	verb := verbs[l.Kind]
	if l.Name == "" { // the value takes the column of the name
		l.Name, l.Value = l.Value, ""
	}
	withColoredSign := func(shown string) string { return t.Screen.Mark(verb.Mark(), shown[:1]) + shown[1:] }
	name := cell{Text: verb.Symbol() + " " + l.Name, Color: withColoredSign}
	r := row{Cells: []cell{name}, Value: cell{Text: l.Value}, Text: cell{Text: l.By}}
	// A value "before → after" that is too long for one line is broken before the arrow. A value that took the
	// column of the name isn't: l.Value is "" then.
	if after, hasBoth := strings.CutPrefix(l.Value, l.Before+report.Becomes); hasBoth {
		r.Parts = []string{l.Before, strings.TrimLeft(report.Becomes, " ") + after}
	}
	// The lines below, each with its sign.
	width := t.Screen.Width - len(t.Indent+t.Hang) - len("+ ")
	for _, below := range l.Below {
		verb := verbs[below.Kind]
		sign := t.Screen.Mark(verb.Mark(), verb.Symbol())
		if below.Kind == changes.Changed { // words about lines that are not shown
			sign = " "
		}
		for _, line := range fold(below.Text, t.Screen, width, screen.Hang) {
			r.Below = append(r.Below, sign+" "+line)
			sign = " " // only the first line has the sign
		}
	}
	return r
}

// verbs maps kinds of changes to effects of overrides that have the same sign and colour.
var verbs = map[changes.Kind]effect.Verb{changes.Changed: effect.Overrides, changes.Added: effect.Adds, changes.Dropped: effect.Removes}

// roleWidth is the width of the column for the roles of files.
const roleWidth = len("override 10")

// Files writes the table of a module's files for people, with the effects of each override file below its
// row.
func Files(out *bytes.Buffer, files []report.FileRecord, to screen.Screen) {
	table := &table{Screen: to, Hang: partIndent}
	for _, f := range files {
		role := cell{Text: screen.Pad(roleOf(f), roleWidth), Color: to.Dim}
		name := cell{Text: diag.Escape(f.Filename), Color: to.Place}
		table.Rows = append(table.Rows, row{Cells: []cell{role, name}, Text: cell{Text: fileNote(f)}})
	}
	// Write only now: all rows must be known to fit the columns.
	for i, f := range files {
		var text strings.Builder
		table.writeRow(&text, table.Rows[i])
		writeEffects(&text, f.Effects, to)
		out.WriteString(safetext.Inert(text.String()))
	}
}

// roleOf words the role of a file: "primary", or "override 2" for the second override file. For a file that isn't
// read, which has no role, it words the status: "not read".
func roleOf(f report.FileRecord) string {
	switch {
	case f.Role == "override":
		return f.Role + " " + strconv.Itoa(f.Order)
	case f.Status == "read":
		return f.Role
	}
	return strings.ReplaceAll(f.Status, "_", " ")
}

// fileNote describes a file in a few words: what its overrides do, or why it isn't read.
func fileNote(f report.FileRecord) string {
	var notes []string
	switch {
	case f.Broken:
		notes = append(notes, "can't be read or parsed")
	case f.Role == "override":
		notes = append(notes, effectTotals(f.Effects))
	}
	if f.Overlay {
		notes = append(notes, "by --overlay")
	}
	switch {
	case f.ShadowedBy != "" && f.Status == "shadowed":
		notes = append(notes, "by "+diag.FileName(f.ShadowedBy))
	case f.Status == "excluded":
		notes = append(notes, "by --exclude-override")
	case f.Status == "ignored":
		notes = append(notes, "a hidden file or an editor's backup")
	case f.ReadBy != "":
		notes = append(notes, "by "+f.ReadBy+" only")
	}
	if f.MeantFor != "" {
		notes = append(notes, "not an override file; that would be "+diag.FileName(f.MeantFor))
	}
	return strings.Join(notes, "; ")
}

// effectTotals words how many effects of each kind a file has: "overrides 2, adds 1".
func effectTotals(list []*report.Effect) string {
	counts := map[effect.Verb]int{}
	for _, e := range list {
		counts[e.Verb]++
	}
	return cmp.Or(report.EffectTotals(counts), "no effect")
}

// effectsIndent indents the effects of a file below its name.
const effectsIndent = "  "

// writeEffects writes a table of a file's effects: line number, symbol, address, and details.
func writeEffects(out *strings.Builder, list []*report.Effect, to screen.Screen) {
	if len(list) == 0 {
		return
	}
	digits := 0 // of the largest line number
	for _, e := range list {
		digits = max(digits, len(strconv.Itoa(e.Range.Start.Line)))
	}
	hang := strings.Repeat(" ", digits+len(" ~"+gap+"  ")) // two blanks deeper than the address in "12 ~  ADDRESS"
	table := &table{Screen: to, Indent: effectsIndent, Hang: hang}
	for _, e := range list {
		sign := cell{Text: fmt.Sprintf("%*d %s", digits, e.Range.Start.Line, e.Verb.Symbol())}
		if to.IsColored() {
			sign.Color = func(shown string) string {
				number, symbol := shown[:digits+1], shown[digits+1:] // the number with its blank
				return to.Dim(number) + to.Mark(e.Verb.Mark(), symbol)
			}
		}
		table.Rows = append(table.Rows, row{Cells: []cell{sign, {Text: e.Address}}, Text: cell{Text: effectNote(e)}})
	}
	table.write(out)
}

// effectNote words what the symbol of an effect doesn't tell.
func effectNote(e *report.Effect) string {
	note := e.Note
	switch e.Verb {
	case effect.Overrides, effect.Adds, effect.Repeats: // the symbol is enough
	case effect.Replaces:
		note = strings.TrimSpace(e.Verb.Words() + " " + note)
	default:
		note = strings.TrimSuffix(e.Verb.Words()+": "+note, ": ")
	}
	if in := releasesOn(e); in != "" {
		note = strings.TrimSpace(note + " (" + in + ")")
	}
	return note
}

// releasesOn names the releases in which an effect occurs, such as "OpenTofu 1.12 and later" or "OpenTofu up to 1.11,
// Terraform"; "" if it is the same in all. Of a single product it omits the name if the note already starts with it:
// "1.12 and later".
func releasesOn(e *report.Effect) string {
	in := e.Rule.Engines
	// Releases with rules of their own may still have the same effect, if they differ only in their checks.
	if in == engine.AllReleases || rules.IsSameEffect(e.Rule.Path) {
		return ""
	}
	product, releases, _ := strings.Cut(in, " ")
	isOfOneProduct := product != "" && !strings.Contains(in, ",")
	if isOfOneProduct && strings.HasPrefix(e.Note, product+" ") {
		return releases
	}
	return in
}

// A row is cells in columns, two blanks apart, then a value and a text. Except on a terminal it is one line.
// If it is too wide for a terminal, it first gives up its columns; then the value moves below it, since
// people look for the cells and the text; then the text continues on further lines.
type row struct {
	Cells []cell
	Value cell
	// Parts are the value in pieces, each on lines of its own, for a value that is too long for one line below
	// the row.
	Parts []string
	Text  cell
	Below []string // lines below the row
}

// A cell is a text and the function that colours it; nil leaves it as it is.
type cell struct {
	Text  string
	Color func(string) string
}

// A table holds rows whose cells share columns.
type table struct {
	Screen screen.Screen
	Indent string
	Hang   string // further indentation of what is below a row
	// Most is the maximum width of a cell that widens its column for the rows around it; 0 is any width.
	Most int
	Rows []row

	widths []int  // of the columns, that of the value last; nil until fitColumns finds them
	buffer []byte // for layOut
}

// goodText is the minimum width, in columns, for breaking a text beside the cells; with less, it goes below
// them.
const goodText = 32

// gap separates columns.
const gap = "  "

// write writes all rows.
func (t *table) write(out *strings.Builder) {
	for _, r := range t.Rows {
		t.writeRow(out, r)
	}
}

// fitColumns sets t.widths: for each column, the width of its widest cell. It disregards a cell that is wider than
// t.Most. On a terminal, it also disregards one that leaves too little space for the texts: they need goodText
// columns, or fewer if all are shorter.
func (t *table) fitColumns() {
	maxWidth := cmp.Or(t.Most, math.MaxInt)
	left := math.MaxInt // how much of the screen the next columns may take
	if t.Screen.IsTerminal {
		text := 0 // the width of the widest text
		for _, r := range t.Rows {
			text = max(text, t.columns(r.Text.Text))
		}
		left = t.Screen.Width - len(t.Indent) - min(text, goodText)
	}
	t.widths = []int{}
	for i := range len(t.Rows[0].Cells) + 1 { // the last column is that of the value
		width := 0
		for _, r := range t.Rows {
			shown := r.Value
			if i < len(r.Cells) {
				shown = r.Cells[i]
			} else if r.Text.Text == "" {
				continue // nothing follows the value in its row, so it doesn't widen the column
			}
			if n := t.columns(shown.Text); n <= maxWidth && n+len(gap) <= left {
				width = max(width, n)
			}
		}
		t.widths = append(t.widths, width)
		left -= width + len(gap)
	}
}

// columns returns the width of a text. For a terminal that is its display width, otherwise the number of
// characters.
func (t *table) columns(text string) int {
	if !t.Screen.IsTerminal {
		return utf8.RuneCountInString(text)
	}
	return screen.Columns(text)
}

// layOut returns cells as one line, after t.Indent, and the width of that line. It pads cells with an index below
// padCount to the widths of their columns, but adds no blanks at the end. The next call overwrites the line.
func (t *table) layOut(cells []cell, padCount int) (line []byte, width int) {
	line, width = append(t.buffer[:0], t.Indent...), len(t.Indent)
	blanks := 0 // owed before the next text, so that no line ends with any
	for i, c := range cells {
		textWidth := t.columns(c.Text)
		if textWidth > 0 {
			width += blanks + textWidth
			for ; blanks > 0; blanks-- {
				line = append(line, ' ')
			}
			line = append(line, c.colored(c.Text)...)
		}
		cellWidth := textWidth
		if i < padCount {
			cellWidth = max(textWidth, t.widths[i])
		}
		blanks += cellWidth - textWidth
		if cellWidth > 0 { // a gap behind each text, and behind each column that has a width
			blanks += len(gap)
		}
	}
	t.buffer = line
	return line, width
}

// writeRow writes a row on one line if it fits on the screen. It tries that with all columns padded, with all but the
// value's, and with none. If none fits, it moves the value below the row and tries again. If that isn't enough,
// writeBroken wraps the text or folds a cell.
func (t *table) writeRow(out *strings.Builder, r row) {
	if t.widths == nil {
		t.fitColumns()
	}
	all, n := append(slices.Clip(r.Cells), r.Value, r.Text), len(r.Cells) // all[n] is the value
	// Pad n+1 columns (with the value's), or n, or none: the first number with which it fits.
	if !t.writeIfFits(out, all, n+1, n, 0) {
		r.Below = append(t.valueLines(r), r.Below...)
		all[n] = cell{} // the value is below the row now
		if !t.writeIfFits(out, all, n, 0) {
			t.writeBroken(out, r) // without r.Value
		}
	}
	for _, line := range r.Below {
		writeLine(out, nil, strings.TrimRight(t.Indent+t.Hang+line, " "))
	}
}

// writeLine writes a line that has two parts.
func writeLine(out *strings.Builder, start []byte, rest string) {
	out.Write(start)
	out.WriteString(rest + "\n")
}

// writeIfFits writes cells on one line if they fit on the screen, and reports whether they do. padded are numbers of
// columns to pad: the first one with which the line fits is used.
func (t *table) writeIfFits(out *strings.Builder, cells []cell, padded ...int) bool {
	for _, padCount := range padded {
		if line, width := t.layOut(cells, padCount); !t.Screen.IsTerminal || width <= t.Screen.Width {
			writeLine(out, line, "")
			return true
		}
	}
	return false
}

// valueLines returns the lines of a row's value for below the row: one if it fits, else those of its Parts.
func (t *table) valueLines(r row) (lines []string) {
	if r.Value.Text == "" {
		return nil
	}
	width := t.Screen.Width - len(t.Indent+t.Hang)
	parts := r.Parts
	if len(parts) == 0 || t.columns(r.Value.Text) <= width {
		parts = []string{r.Value.Text}
	}
	for _, part := range parts {
		lines = append(lines, fold(part, t.Screen, width, screen.Hang)...)
	}
	return lines
}

// writeBroken writes the cells and the text of a row that don't fit on one line. It wraps the text beside the cells
// if there is enough space, otherwise below them. If not even the cells fit, it folds the last one.
func (t *table) writeBroken(out *strings.Builder, r row) {
	s, n, text := t.Screen, len(r.Cells), r.Text.Text
	start := t.startAfter(r.Cells, n)    // the column at which a text beside the cells begins
	cells, width := t.layOut(r.Cells, n) // without the blanks up to start; valid until the next layOut
	switch {
	case s.Width-start >= min(goodText, t.columns(text)): // beside them, all or at least goodText columns of it fit
		text = eachLine(screen.WrapAfter(start, text, s.Width, strings.Repeat(" ", start)), r.Text.colored)
		writeLine(out, cells, strings.Repeat(" ", start-width)+text)
		return
	case width > s.Width:
		t.writeFolded(out, r)
	default: // the cells fit without the text
		writeLine(out, cells, "")
	}
	if text != "" { // below the cells
		writeLine(out, nil, eachLine(screen.Wrap(t.Indent+t.Hang+text, s.Width, ""), r.Text.colored))
	}
}

// writeFolded writes the cells of a row that don't fit on one line: the last one takes several lines.
func (t *table) writeFolded(out *strings.Builder, r row) {
	n := len(r.Cells)
	others, last := r.Cells[:n-1], r.Cells[n-1]
	start := t.startAfter(others, n)
	lines := strings.Join(fold(last.Text, t.Screen, t.Screen.Width-start, screen.Hang), "\n"+strings.Repeat(" ", start))
	cells, width := t.layOut(others, n)
	writeLine(out, cells, strings.Repeat(" ", start-width)+eachLine(lines, last.colored))
}

// startAfter returns the column at which a text after some cells of a row starts; n is how many cells the row has. It
// measures that with the text "x".
func (t *table) startAfter(cells []cell, n int) int {
	_, width := t.layOut(append(slices.Clip(cells), cell{Text: "x"}), n)
	return width - len("x")
}

// colored colours a text as the cell's, if it has a colour.
func (c cell) colored(text string) string {
	if c.Color == nil || text == "" {
		return text
	}
	return c.Color(text)
}

// fold breaks one line of a value to fit a width on a terminal: at a blank, otherwise after a "/", ":" or ",",
// otherwise between any two characters; see breakAt. Continuation lines start with the line's indentation and hang.
// If the screen isn't a terminal, it returns the line whole.
func fold(line string, to screen.Screen, width int, hang string) (lines []string) {
	if !to.IsTerminal {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	rest := line[len(indent):]
	for {
		head := displaywidth.TruncateString(rest, max(width-len(indent), 2), "")
		if len(head) == len(rest) || head == "" { // all of it fits, or not even a character
			return append(lines, indent+rest)
		}
		if rest[len(head)] != ' ' { // the width ends inside a word
			head = head[:breakAt(head)]
		}
		lines = append(lines, indent+strings.TrimRight(head, " "))
		rest, indent = strings.TrimLeft(rest[len(head):], " "), indent+hang
		hang = "" // further lines are as deep as the first continuation line
	}
}

// breakAt returns the offset at which to break head, the part of a line that fits: that of the last blank in its
// second half, otherwise that after the last separator there, otherwise len(head).
func breakAt(head string) int {
	if at := strings.LastIndexByte(head, ' '); at > 0 && at >= len(head)/2 {
		return at
	}
	if at := strings.LastIndexAny(head, "/:,"); at > len(head)/2 {
		return at + 1
	}
	return len(head)
}
