package term

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/highlight"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An Explanation shows the effective items of addresses, their sources, the superseded items, and
// the deciding rules.
type Explanation struct {
	wording.Redactor
	screen screen.Screen
	opts   ExplainOptions
	module *merge.Module
	rules  []string // sentences, in the order in which they came up
}

// ExplainOptions control how much an Explanation contains.
type ExplainOptions struct {
	All    bool // include items that no override addressed
	Redact bool // no value that is not in effect
	Full   bool // all lines of values
	// Highlight colours the values in effect.
	Highlight bool
	// Within is the address of the module as seen from another one.
	Within address.Address
	// Layers, if set, are what variables are given.
	Layers *layers.Set
}

// Explain returns an Explanation for a module, which fits a screen.
func Explain(m *merge.Module, to screen.Screen, o ExplainOptions) *Explanation {
	r := wording.NewRedactor(m.Source, o.Redact)
	r.FromHere = true
	return &Explanation{Redactor: r, screen: to, opts: o, module: m}
}

// Write writes the explanation of targets, one after the other.
func (x *Explanation) Write(w io.Writer, targets []address.Target) error {
	var out strings.Builder
	for i, target := range targets {
		if i > 0 {
			out.WriteString("\n")
		}
		x.target(&out, target)
	}
	if len(x.rules) > 0 {
		out.WriteString("\n")
	}
	for i, sentence := range x.rules {
		number := fmt.Sprintf("[%d]", i+1)
		fmt.Fprintf(&out, "%s%s\n", x.screen.Dim(number), x.screen.WrapLine(len(number), " "+sentence, strings.Repeat(" ", len(number)+1)))
	}
	return safetext.WriteText(w, out.String())
}

func (x *Explanation) target(out *strings.Builder, target address.Target) {
	v, result := x.valueOf(target)
	headline, hasValue := x.headline(target)
	if v != nil && target.Item.Inner() != nil && target.IsWhole() && x.isRoot() {
		headline = x.valueLine(target, result)
	}
	out.WriteString(headline + "\n")
	rows := x.History(target)
	if len(rows) > 0 {
		out.WriteString("\n")
		x.table(out, rows, "  ", hasValue)
	}
	left := report.EachIn(x.module, target, x.opts.All, func(inner address.Target) {
		name, ok := inner.Address.In(target.Of)
		if !ok { // a local value has an address without its block
			name = inner.Address
		}
		fmt.Fprintf(out, "\n  %s\n", x.screen.Place(diag.Escape(name.String())))
		x.table(out, x.History(inner), "    ", false)
	})
	x.callers(out, target)
	if v != nil {
		x.layers(out, v, result)
	}
	if left > 0 {
		names := wording.Count(left, "name")
		what := " not overridden; --all shows them"
		if left == 1 {
			what = " not overridden; --all shows it"
		}
		rest := x.screen.WrapLine(2+len(names), what, "  ")
		fmt.Fprintf(out, "\n  %s%s\n", x.screen.Dim(names), rest)
	}
}

// headLines is how many lines of a value in effect a headline shows.
const headLines = 20

// headline is the address and the effective items, and whether that is the text of a value.
func (x *Explanation) headline(target address.Target) (line string, hasValue bool) {
	name := x.opts.Within.Join(target.Address).String()
	words, value := x.InEffectAt(target, x.maxLines())
	return x.line(name, words, value), value != ""
}

// valueLine is the address of a variable and its value.
func (x *Explanation) valueLine(target address.Target, r layers.Result) string {
	words, value := x.LayerResult(r, x.maxLines())
	return x.line(x.opts.Within.Join(target.Address).String(), words, value)
}

// line is a name, words and a value, which may be empty.
func (x *Explanation) line(name, words, value string) string {
	if value == "" {
		return x.screen.Place(name) + x.screen.WrapLine(screen.Columns(name), words, screen.Hang)
	}
	if x.opts.Highlight {
		value = string(highlight.Native([]byte(value), x.screen.Palette))
	}
	return x.screen.Place(name) + words + value
}

// ruleMark is the number of the rule's sentence; empty if the sentence adds nothing to the table.
func (x *Explanation) ruleMark(o merge.Outcome) string {
	if o.IsPlain() {
		return ""
	}
	sentence := o.Sentence()
	i := slices.Index(x.rules, sentence)
	if i < 0 {
		i = len(x.rules)
		x.rules = append(x.rules, sentence)
	}
	return "[" + strconv.Itoa(i+1) + "]"
}

// table writes rows in columns, and long values below theirs. The value in effect is left out if the
// headline shows it and it is long.
func (x *Explanation) table(out *strings.Builder, rows []wording.HistoryRow, indent string, hasValue bool) {
	table := &screen.Table{Indent: indent, Columns: []screen.Column{{}, {Middle: true}, {}}, KeepsText: true}
	indent += valueIndent
	values, details := make([]rowValue, len(rows)), make([]rowDetail, len(rows))
	for i, r := range rows {
		values[i] = rowValue{x.Text(r), r.Value}
	}
	for i, r := range rows {
		note := strings.TrimSpace(r.Note + " " + x.CausedBy(r))
		if r.IsSuperseded() {
			note = strings.TrimSpace(note + " " + x.ruleMark(r.Outcome))
		}
		if details[i] = x.below(values, i, x.screen.Width-len(indent)); isInHeadline(r, hasValue) && len(details[i].lines) > 0 {
			details[i] = rowDetail{}
		}
		mark := func(padded string) string { return x.screen.Mark(r.Status.Mark(), padded) }
		addRow(table, note != "", screen.Cell{Text: r.Words(), Color: mark}, screen.Cell{Text: x.Place(r.At)}, screen.Cell{Text: details[i].words}, screen.Cell{Text: note})
	}
	x.finish(table)
	x.writeRows(out, table, details, indent)
}

// writeRows writes a table with the indented details below each row.
func (x *Explanation) writeRows(out *strings.Builder, table *screen.Table, details []rowDetail, indent string) {
	layout := x.screen.Layout(table)
	for i, row := range table.Rows {
		layout.WriteRow(out, row)
		for _, line := range details[i].lines {
			out.WriteString(strings.TrimRight(indent+line, " ") + "\n")
		}
	}
}

// valueIndent is how far a value is indented below its row.
const valueIndent = "      "

// addRow adds a row of a status, a location, a value and a note to a table. The value is in a
// column only if a note follows.
func addRow(table *screen.Table, hasNote bool, row ...screen.Cell) {
	status, place, value := &table.Columns[0], &table.Columns[1], &table.Columns[2]
	status.Width = max(status.Width, len(row[0].Text))
	place.Width = max(place.Width, utf8.RuneCountInString(row[1].Text))
	if hasNote {
		value.Width = max(value.Width, utf8.RuneCountInString(row[2].Text))
	}
	table.Rows = append(table.Rows, row)
}

// finish settles the columns of a table of such rows.
func (x *Explanation) finish(table *screen.Table) {
	status, place, value := &table.Columns[0], &table.Columns[1], &table.Columns[2]
	for _, row := range table.Rows {
		row[0].Text = pad(row[0].Text, status.Width)
	}
	status.Min, place.Min, value.Min = status.Width, place.Width, value.Width
}
