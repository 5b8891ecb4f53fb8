package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// valueOf is a variable that a target is, or is in, and what becomes of its layers; nil where
// there is nothing to add to the history of its default.
func (x *Explanation) valueOf(target address.Target) (*layers.Variable, layers.Result) {
	v := x.opts.Layers.Of(target.Item)
	if v == nil {
		return nil, layers.Result{}
	}
	return v, x.opts.Layers.Result(v)
}

// layers writes which layers give the variable of a target a value, that in effect first.
func (x *Explanation) layers(out *strings.Builder, v *layers.Variable, r layers.Result) {
	title := "value"
	if !x.opts.Within.IsEmpty() {
		title = "value, if this is run as the root module"
	}
	fmt.Fprintf(out, "\n  %s\n", x.screen.Place(title))
	table := &screen.Table{Indent: "    ", Columns: []screen.Column{{}, {Middle: true}, {}}, KeepsText: true}
	for _, row := range x.LayerRows(x.opts.Layers, v, r) {
		mark := func(padded string) string { return x.screen.Mark(row.Mark, padded) }
		addRow(table, row.Note != "", screen.Cell{Text: row.Words, Color: mark}, screen.Cell{Text: row.Place}, screen.Cell{Text: row.Value}, screen.Cell{Text: row.Note})
	}
	x.finish(table)
	x.screen.WriteTable(out, table)
	for _, note := range []string{wording.ResultNote(r), wording.RemoteNote(x.opts.Layers)} {
		if note != "" {
			out.WriteString("    " + x.screen.WrapLine(4, note, "    ") + "\n")
		}
	}
}

// FileLayers writes below the name of a variables file which variables it sets, and what that
// does; of very many the first ones.
func FileLayers(w io.Writer, outcomes []layers.Outcome, to screen.Screen) error {
	var out strings.Builder
	table := &screen.Table{Indent: strings.Repeat(" ", effectsIndent), Columns: []screen.Column{{Middle: true}}}
	name := &table.Columns[0]
	shown := outcomes[:min(len(outcomes), mostFiles)]
	for _, o := range shown {
		text := diag.Escape(o.Variable.Name)
		name.Width = max(name.Width, screen.Columns(text))
		table.Rows = append(table.Rows, []screen.Cell{{Text: text}, {Text: wording.LayerUse(o)}})
	}
	name.Min = shortestName(name.Width)
	to.WriteTable(&out, table)
	if left := len(outcomes) - len(shown); left > 0 {
		fmt.Fprintf(&out, "%s… %d more\n", table.Indent, left)
	}
	return safetext.WriteText(w, out.String())
}
