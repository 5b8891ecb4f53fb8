package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/highlight"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Layers writes, for each of some variables, its value when the module is run as the root
// module, and which layers give one, that in effect first.
func (x *Explanation) Layers(w io.Writer, set *layers.Set, variables []*layers.Variable) error {
	var out strings.Builder
	for i, v := range variables {
		if i > 0 {
			out.WriteString("\n")
		}
		x.variable(&out, set, v)
	}
	if note := wording.RemoteNote(set); note != "" {
		out.WriteString("\n" + x.screen.WrapLine(0, note, "") + "\n")
	}
	return safetext.WriteText(w, out.String())
}

func (x *Explanation) variable(out *strings.Builder, set *layers.Set, v *layers.Variable) {
	result := set.Result(v)
	name := "var." + diag.Escape(v.Name)
	words, value := x.LayerResult(result, maxLines)
	if value == "" {
		words = x.screen.WrapLine(screen.Columns(name), words, screen.Hang)
	} else if x.opts.Highlight {
		value = string(highlight.Native([]byte(value), x.screen.Palette, nil))
	}
	fmt.Fprintf(out, "%s%s%s\n", x.screen.Place(name), words, value)
	rows := x.LayerRows(set, v, result)
	if len(rows) == 0 {
		return
	}
	out.WriteString("\n")
	table := &screen.Table{Indent: "  ", Columns: []screen.Column{{}, {Middle: true}, {}}, KeepsText: true}
	for _, r := range rows {
		mark := func(padded string) string { return x.screen.Mark(r.Mark, padded) }
		addRow(table, r.Note != "", screen.Cell{Text: r.Words, Color: mark}, screen.Cell{Text: r.Place}, screen.Cell{Text: r.Value}, screen.Cell{Text: r.Note})
	}
	x.finish(table)
	x.screen.WriteTable(out, table)
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
