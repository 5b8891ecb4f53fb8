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

// Changes returns the changes in a module for people: a line for each argument, key or element, and a
// summary.
func Changes(m report.ModuleChanges, to screen.Screen) []byte {
	var out bytes.Buffer
	if m.Title != "" {
		out.WriteString(safetext.Inert(to.Place(diag.Escape(m.Title)+":") + "\n"))
	}
	for _, b := range m.Blocks {
		out.WriteString(safetext.Inert(to.Place(b.Address.String()) + report.BlockNote(b) + "\n"))
		var lines []report.ChangeLine
		for l := range m.GroupedLines(b) {
			if lines = append(lines, l); len(lines) == atOnce {
				writeChanges(&out, lines, to)
				lines = lines[:0]
			}
		}
		writeChanges(&out, lines, to)
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

// writeChanges writes lines of changes in columns. Lines of one depth share columns, up to the next line that
// is less deep; the line of a group has its own.
func writeChanges(out *bytes.Buffer, lines []report.ChangeLine, to screen.Screen) {
	newTable := func(depth int) *table {
		indent := changeIndent + strings.Repeat(partIndent, depth)
		return &table{Screen: to, Indent: indent, Hang: partIndent, Most: maxColumn}
	}
	tables := make([]*table, len(lines))
	rows := make([]row, len(lines))
	var open []*table // the tables that the next lines may join, by depth
	for i, l := range lines {
		open = open[:min(len(open), l.Depth+1)]
		for len(open) <= l.Depth {
			open = append(open, newTable(len(open)))
		}
		if tables[i] = open[l.Depth]; l.IsGroup {
			tables[i] = newTable(l.Depth)
		}
		rows[i] = tables[i].changeRow(l)
		tables[i].Rows = append(tables[i].Rows, rows[i])
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
	colored := func(shown string) string { return t.Screen.Mark(verb.Mark(), shown[:1]) + shown[1:] }
	r := row{Cells: []cell{{verb.Symbol() + " " + l.Name, colored}}, Value: cell{Text: l.Value}, Text: cell{Text: l.By}}
	if after, isChange := strings.CutPrefix(l.Value, l.Before+report.Becomes); isChange {
		r.Parts = []string{l.Before, strings.TrimLeft(report.Becomes, " ") + after}
	}
	for _, below := range l.Below {
		verb := verbs[below.Kind]
		shown := t.Screen.Mark(verb.Mark(), verb.Symbol())
		if below.Kind == changes.Changed { // words about lines that are not shown
			shown = " "
		}
		for _, line := range fold(below.Text, t.Screen, t.Screen.Width-len(t.Indent+t.Hang)-2, screen.Hang) {
			r.Below = append(r.Below, shown+" "+line)
			shown = " " // only the first line has the sign
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
		cells := []cell{{screen.Pad(roleOf(f), roleWidth), to.Dim}, {diag.Escape(f.Filename), to.Place}}
		table.Rows = append(table.Rows, row{Cells: cells, Text: cell{Text: fileNote(f)}})
	}
	for i, f := range files {
		var text strings.Builder
		table.writeRow(&text, table.Rows[i])
		writeEffects(&text, f.Effects, to)
		out.WriteString(safetext.Inert(text.String()))
	}
}

// roleOf words the role of a file, "primary" or "override 2" with its position; for a file that isn't read,
// its status.
func roleOf(f report.FileRecord) string {
	word := strings.ReplaceAll(f.Status, "_", " ")
	if f.Status == "read" {
		word = f.Role
	}
	if f.Role == "override" {
		word += " " + strconv.Itoa(f.Order)
	}
	return word
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
	digits := 0
	for _, e := range list {
		digits = max(digits, len(strconv.Itoa(e.Range.Start.Line)))
	}
	table := &table{Screen: to, Indent: effectsIndent, Hang: strings.Repeat(" ", digits+len(" ~    "))}
	for _, e := range list {
		sign := cell{Text: fmt.Sprintf("%*d %s", digits, e.Range.Start.Line, e.Verb.Symbol())}
		if to.IsColored() {
			sign.Color = func(shown string) string {
				return to.Dim(shown[:digits+1]) + to.Mark(e.Verb.Mark(), shown[digits+1:])
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

// releasesOn names the releases in which an effect occurs; "" if it occurs in all. It omits the product if
// the note already starts with that.
func releasesOn(e *report.Effect) string {
	in := e.Rule.Engines
	if in == engine.AllReleases || rules.IsSameEffect(e.Rule.Path) {
		return ""
	}
	product, releases, _ := strings.Cut(in, " ")
	if product != "" && !strings.Contains(in, ",") && strings.HasPrefix(e.Note, product+" ") {
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

// fitColumns sets the widths of the columns. A cell that is wider than t.Most, or leaves no space for the
// texts behind it, doesn't widen its column.
func (t *table) fitColumns() {
	left, maxWidth := math.MaxInt, math.MaxInt
	if t.Most > 0 {
		maxWidth = t.Most
	}
	if t.Screen.IsTerminal {
		text := 0
		for _, r := range t.Rows {
			text = max(text, t.columns(r.Text.Text))
		}
		left = t.Screen.Width - len(t.Indent) - min(text, goodText)
	}
	t.widths = []int{}
	for i := range len(t.Rows[0].Cells) + 1 { // the last column is that of the value
		width := 0
		for _, r := range t.Rows {
			shown, isLast := r.Value, r.Text.Text == ""
			if i < len(r.Cells) {
				shown, isLast = r.Cells[i], false
			}
			// Nothing follows a value without a text, so it needs no column.
			if n := t.columns(shown.Text); !isLast && n <= maxWidth && n+len(gap) <= left {
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

// layOut returns cells as one line and its width in columns. The first ones, as many as filled, are padded to
// the widths of their columns. The next call overwrites the line.
func (t *table) layOut(cells []cell, filled int) (line []byte, width int) {
	line, width = append(t.buffer[:0], t.Indent...), len(t.Indent)
	blanks := 0 // owed before the next text, so that no line ends with any
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

// writeRow writes a row on one line if it fits on the screen: with all columns padded, then with fewer, then
// with none. Otherwise the value goes below the row. If that isn't enough, the text is wrapped beside the
// cells or below them, and at last a long cell is folded.
func (t *table) writeRow(out *strings.Builder, r row) {
	if t.widths == nil {
		t.fitColumns()
	}
	s, indent := t.Screen, t.Indent+t.Hang
	write := func(line []byte, more string) {
		out.Write(line)
		out.WriteString(more + "\n")
	}
	defer func() { // after whichever lines the row takes
		for _, line := range r.Below {
			write(nil, strings.TrimRight(indent+line, " "))
		}
	}()
	// The number of padded columns decreases until the row fits.
	all, n := append(slices.Clip(r.Cells), r.Value, r.Text), len(r.Cells)
	for _, filled := range []int{n + 1, n, 0} {
		if line, width := t.layOut(all, filled); !s.IsTerminal || width <= s.Width {
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
	all[n] = cell{} // the value is below the row now
	for _, filled := range []int{n, 0} {
		if line, width := t.layOut(all, filled); width <= s.Width {
			write(line, "")
			return
		}
	}
	// column returns where a text after some cells starts.
	column := func(cells []cell) int {
		_, width := t.layOut(append(slices.Clip(cells), cell{Text: "x"}), n)
		return width - 1
	}
	at, text := column(r.Cells), r.Text.Text
	switch line, width := t.layOut(r.Cells, n); {
	case s.Width-at >= min(goodText, t.columns(text)):
		text = eachLine(screen.WrapAfter(at, text, s.Width, strings.Repeat(" ", at)), r.Text.colored)
		write(line, strings.Repeat(" ", at-width)+text)
		return
	case width > s.Width: // not even the cells fit: fold the last one
		last, start := r.Cells[n-1], column(r.Cells[:n-1])
		lines := strings.Join(fold(last.Text, s, s.Width-start, screen.Hang), "\n"+strings.Repeat(" ", start))
		line, width := t.layOut(r.Cells[:n-1], n)
		write(line, strings.Repeat(" ", start-width)+eachLine(lines, last.colored))
	default:
		write(line, "")
	}
	if text != "" {
		write(nil, eachLine(screen.Wrap(indent+text, s.Width, ""), r.Text.colored))
	}
}

// colored colours a text as the cell's, if it has a colour.
func (c cell) colored(text string) string {
	if c.Color == nil || text == "" {
		return text
	}
	return c.Color(text)
}

// fold breaks one line of a value on a terminal: at blanks if there are any, else behind the separators of
// paths and the like, else between any two characters. Continuation lines have the line's indentation and
// then hang.
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
			head = head[:breakAt(head)]
		}
		lines = append(lines, indent+strings.TrimRight(head, " "))
		rest, indent = strings.TrimLeft(rest[len(head):], " "), indent+hang
	}
}

// breakAt returns where to break a line after the part that fits, head: at a blank or separator in its second
// half, else at its end.
func breakAt(head string) int {
	if at := strings.LastIndexByte(head, ' '); at > 0 && at >= len(head)/2 {
		return at
	}
	if at := strings.LastIndexAny(head, "/:,"); at > len(head)/2 {
		return at + 1
	}
	return len(head)
}
