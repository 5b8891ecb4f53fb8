package term

import (
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Changes writes the changes in modules: a line for each argument, key or element, and a summary of
// each module.
func Changes(w io.Writer, modules []phrases.ModuleChanges, to screen.Screen) error {
	out := &changeWriter{to: w, screen: to}
	for i, m := range modules {
		if i > 0 {
			out.write("\n")
		}
		if m.Title != "" {
			out.write(to.Place(diag.Escape(m.Title)+":") + "\n")
		}
		for _, b := range m.Blocks {
			out.block(m, b)
		}
		if len(m.Values) > 0 {
			out.write(out.screen.Place(phrases.ValuesTitle) + "\n")
			out.lines(m.ValueLines())
			out.write("\n")
		}
		out.write(m.Count() + "\n")
	}
	return out.err
}

// A changeWriter writes whole lines.
type changeWriter struct {
	to     io.Writer
	screen screen.Screen
	err    error // of the first write that failed
}

func (out *changeWriter) write(text string) {
	if out.err == nil {
		out.err = safetext.WriteText(out.to, text)
	}
}

// atOnce is how many lines are laid out in common columns.
const atOnce = 200

func (out *changeWriter) block(m phrases.ModuleChanges, b *changes.Block) {
	out.write(out.screen.Place(b.Address.String()) + phrases.BlockNote(b) + "\n")
	var lines []phrases.ChangeLine
	for l := range m.GroupedLines(b) {
		if lines = append(lines, l); len(lines) == atOnce {
			out.lines(lines)
			lines = lines[:0]
		}
	}
	out.lines(lines)
	out.write("\n")
}

// maxColumn is the maximum width of a text that may widen its column for the lines around it.
const maxColumn = 44

// How far a change is indented, and how far those that are part of it.
const (
	changeIndent = 2
	partIndent   = 4
)

// columns are how wide names and values are that stand below each other.
type columns struct{ name, value int }

func (out *changeWriter) lines(lines []phrases.ChangeLine) {
	var text strings.Builder
	all := columnsOf(lines)
	for i, l := range lines {
		out.line(&text, l, *all[i])
	}
	out.write(text.String())
}

// columnsOf returns the columns of each line: lines of one depth share them up to the next line
// that is less deep.
func columnsOf(lines []phrases.ChangeLine) (all []*columns) {
	var open []*columns // by depth
	for _, l := range lines {
		open = open[:min(len(open), l.Depth+1)]
		for len(open) <= l.Depth {
			open = append(open, &columns{})
		}
		c := open[l.Depth]
		if all = append(all, c); !l.IsGroup {
			c.name = wider(c.name, l.Name)
			c.value = wider(c.value, l.Value)
		}
	}
	return all
}

// wider is a width at which a text fits, too, unless that is too long for a column.
func wider(width int, text string) int {
	if own := screen.Columns(text); own <= maxColumn {
		return max(width, own)
	}
	return width
}

// line writes a change. If a terminal is too narrow, columns are given up first; then the value is
// written below the name and the location, which people look for.
func (out *changeWriter) line(text *strings.Builder, l phrases.ChangeLine, c columns) {
	indent := strings.Repeat(" ", changeIndent+partIndent*l.Depth)
	text.WriteString(indent + out.sign(l.Kind, l.IsGroup) + " ")
	if line, fits := out.besideEachOther(l, c, out.screen.Width-len(indent)-2); fits {
		text.WriteString(line + "\n")
	} else {
		out.belowEachOther(text, l, indent)
	}
	indent += strings.Repeat(" ", partIndent)
	for _, below := range l.Below {
		sign := out.sign(below.Kind, below.Kind == changes.Changed)
		for _, line := range out.screen.Fold(below.Text, out.screen.Width-len(indent)-2, screen.Hang) {
			text.WriteString(indent + sign + " " + line + "\n")
			sign = " "
		}
	}
}

// besideEachOther is a change as one line, and whether that fits.
func (out *changeWriter) besideEachOther(l phrases.ChangeLine, c columns, room int) (line string, fits bool) {
	if l.IsGroup {
		c = columns{}
	}
	for _, widths := range []columns{c, {name: c.name}, {}} {
		line = joined(screen.Pad(l.Name, widths.name), screen.Pad(l.Value, widths.value), l.By)
		if !out.screen.IsTerminal || screen.Columns(line) <= room {
			return line, true
		}
	}
	return line, false
}

// belowEachOther writes a change with its value below the name.
func (out *changeWriter) belowEachOther(text *strings.Builder, l phrases.ChangeLine, indent string) {
	room := out.screen.Width - len(indent) - 2
	head, below := l.Name, []string{l.Value}
	if after, isChange := strings.CutPrefix(l.Value, l.Before+phrases.Becomes); isChange && len(indent)+partIndent+screen.Columns(l.Value) > out.screen.Width {
		below = []string{l.Before, strings.TrimLeft(phrases.Becomes, " ") + after}
	}
	if beside := joined(l.Name, "", l.By); screen.Columns(beside) <= room {
		head = beside
	} else {
		below = append(below, l.By)
	}
	text.WriteString(strings.Join(out.screen.Fold(head, room, ""), "\n"+indent+screen.Hang) + "\n")
	indent += strings.Repeat(" ", partIndent)
	for _, part := range below {
		for _, line := range out.screen.Fold(part, out.screen.Width-len(indent), screen.Hang) {
			if line != "" {
				text.WriteString(indent + line + "\n")
			}
		}
	}
}

// joined are the parts of a line that are not empty, with two blanks between them.
func joined(parts ...string) string {
	line := ""
	for _, part := range parts {
		if line != "" && part != "" {
			line += "  "
		}
		line += part
	}
	return strings.TrimRight(line, " ")
}

// sign is the sign at the start of a change; blank for a line that isn't a change.
func (out *changeWriter) sign(kind changes.Kind, isBlank bool) string {
	if isBlank {
		return " "
	}
	verb := effect.Overrides
	switch kind {
	case changes.Added:
		verb = effect.Adds
	case changes.Dropped:
		verb = effect.Removes
	}
	return out.screen.Mark(verb.Mark(), verb.Symbol())
}
