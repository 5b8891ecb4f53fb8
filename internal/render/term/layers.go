package term

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// valueOf is the variable that a target is, or is in, and the outcome of its layers; nil if that
// adds nothing to the history of its default.
func (x *Explanation) valueOf(target address.Target) (*layers.Variable, layers.Result) {
	v := x.opts.Layers.Of(target.Item)
	if v == nil {
		return nil, layers.Result{}
	}
	return v, x.opts.Layers.Result(v)
}

// isRoot reports whether no known call loads the module.
func (x *Explanation) isRoot() bool { return x.opts.Within.IsEmpty() && !x.opts.Layers.IsCalled() }

// callers writes the calls that load the module, and where they set the variable that a target is,
// or is in. Of very many, only the first are written.
func (x *Explanation) callers(out *strings.Builder, target address.Target) {
	if !x.opts.Layers.IsCalled() || !layers.Declares(target.Item) {
		return
	}
	fmt.Fprintf(out, "\n  %s\n", x.screen.Place("callers"))
	table := &screen.Table{Indent: "    ", Columns: []screen.Column{{}, {Middle: true}, {}}, KeepsText: true}
	rows := wording.CallerRows(x.opts.Layers.Callers, x.opts.Layers.DeclaredBy(target.Item).Name)
	for _, row := range rows[:min(len(rows), mostFiles)] {
		addRow(table, false, screen.Cell{Text: row.Words}, screen.Cell{Text: row.Place}, screen.Cell{Text: row.Address}, screen.Cell{})
	}
	x.finish(table)
	x.screen.WriteTable(out, table)
	if left := len(rows) - len(table.Rows); left > 0 {
		fmt.Fprintf(out, "%s… %d more\n", table.Indent, left)
	}
}

// layers writes which layers give the variable of a target a value, that in effect first.
func (x *Explanation) layers(out *strings.Builder, v *layers.Variable, r layers.Result) {
	title := "value"
	if !x.isRoot() {
		title = "value, if this is run as the root module"
	}
	fmt.Fprintf(out, "\n  %s\n", x.screen.Place(title))
	table := &screen.Table{Indent: "    ", Columns: []screen.Column{{}, {Middle: true}, {}}, KeepsText: true}
	indent := table.Indent + valueIndent
	rows := x.LayerRows(x.opts.Layers, v, r)
	values, details := make([]rowValue, len(rows)), make([]rowDetail, len(rows))
	for i, row := range rows {
		values[i] = rowValue{x.LayerText(row), row.Value}
	}
	for i, row := range rows {
		details[i] = x.below(values, i, x.screen.Width-len(indent))
		mark := func(padded string) string { return x.screen.Mark(row.Mark, padded) }
		addRow(table, row.Note != "", screen.Cell{Text: row.Words, Color: mark}, screen.Cell{Text: row.Place}, screen.Cell{Text: details[i].words}, screen.Cell{Text: row.Note})
	}
	x.finish(table)
	x.writeRows(out, table, details, indent)
	for _, note := range []string{wording.ResultNote(r), x.RemoteNote(x.opts.Layers)} {
		if note != "" {
			out.WriteString("    " + x.screen.WrapLine(4, note, "    ") + "\n")
		}
	}
}

// writeVariables writes the variables that a file sets, and the effects. Of very many, only the
// first are written.
func writeVariables(out *strings.Builder, list []report.AssignmentRecord, to screen.Screen) {
	table := &screen.Table{Indent: effectsIndent, Columns: []screen.Column{{}, {IsWhole: true}}}
	line, name := &table.Columns[0], &table.Columns[1]
	shown := list[:min(len(list), mostFiles)]
	for _, a := range shown {
		line.Width = max(line.Width, len(strconv.Itoa(a.Range.Start.Line)))
	}
	for _, a := range shown {
		number := fmt.Sprintf("%*d", line.Width, a.Range.Start.Line)
		row := []screen.Cell{{Text: number, Color: to.Dim}, {Text: diag.Escape(a.Address)}, {Text: a.Words}}
		name.Width = max(name.Width, screen.Columns(row[1].Text))
		table.Rows = append(table.Rows, row)
	}
	line.Min = line.Width
	to.WriteTable(out, table)
	if left := len(list) - len(shown); left > 0 {
		fmt.Fprintf(out, "%s… %d more\n", table.Indent, left)
	}
}
