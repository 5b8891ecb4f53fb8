package term

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An Explanation shows what is in effect at addresses, where it comes from, what it superseded, and which
// rules decided.
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
}

// Explain returns an Explanation for module m that fits the screen to.
func Explain(m *merge.Module, to screen.Screen, o ExplainOptions) *Explanation {
	r := wording.NewRedactor(m.Source, o.Redact)
	r.FromHere = true
	return &Explanation{Redactor: r, screen: to, opts: o, module: m}
}

// Write writes the explanations of targets one after the other, and last the sentences about the rules that
// they refer to by number.
func (x *Explanation) Write(w io.Writer, targets []address.Target) error {
	var out strings.Builder
	for i, target := range targets {
		if i > 0 {
			out.WriteString("\n")
		}
		x.writeTarget(&out, target)
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

// writeTarget writes a headline with the target's value in effect, a table of its history, and tables of the
// names in it that overrides addressed. Unless all names are wanted, it counts the others.
func (x *Explanation) writeTarget(out *strings.Builder, target address.Target) {
	maxLines := headLines
	if x.opts.Full {
		maxLines = math.MaxInt
	}
	// The headline and the history of the target itself.
	words, value := report.InEffectAt(x.Redactor, target, maxLines)
	hasValue := value != ""
	out.WriteString(x.headline(target.Address.String(), words, value) + "\n")
	if rows := report.HistoryRows(x.Redactor, target, nil); len(rows) > 0 {
		out.WriteString("\n")
		x.writeTable(out, rows, "  ", hasValue)
	}
	// The histories of the names in it.
	left := report.EachIn(x.module, target, x.opts.All, func(inner address.Target) {
		name, ok := inner.Address.In(target.Of)
		if !ok { // a local value has an address without its block
			name = inner.Address
		}
		fmt.Fprintf(out, "\n  %s\n", x.screen.Place(diag.Escape(name.String())))
		x.writeTable(out, report.HistoryRows(x.Redactor, inner, nil), "    ", false) // the line above has no value
	})
	if left > 0 {
		text := wording.Number(left, "name not overridden; --all shows it", "names not overridden; --all shows them")
		fmt.Fprintf(out, "\n  %s\n", eachLine(x.screen.WrapLine(2, text, "  "), x.screen.Dim))
	}
}

// headLines is the maximum number of lines of a value in a headline.
const headLines = 20

// headline returns a name with words about it and its value, which may be "".
func (x *Explanation) headline(name, words, value string) string {
	if value == "" {
		return x.screen.Place(name) + x.screen.WrapLine(screen.Columns(name), words, screen.Hang)
	}
	if x.opts.Highlight {
		value = string(screen.Painter{Palette: x.screen.Palette}.Paint([]byte(value)))
	}
	return x.screen.Place(name) + words + value
}

// ruleMark returns the number by which a row refers to the sentence about its rule: "[1]". The first use of a
// sentence adds it to x.rules. It is "" if the sentence says no more than the table.
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

// writeTable writes a history in columns, with long values below their rows. hasValue tells that the headline
// shows the value in effect, so the table omits it.
func (x *Explanation) writeTable(out *strings.Builder, history []report.HistoryRow, indent string, hasValue bool) {
	texts := make([]string, len(history)) // of all rows, because valueShown compares a long value with its neighbour
	for i, r := range history {
		texts[i] = r.Text(x.Redactor)
	}
	table := &table{Screen: x.screen, Indent: indent, Hang: valueIndent}
	for i, r := range history {
		note := strings.TrimSpace(r.Note + " " + r.CausedBy(x.Redactor))
		if !r.Status.IsInEffect() { // the mark, such as "[1]", leads to the rule that tells why
			note = strings.TrimSpace(note + " " + x.ruleMark(r.Outcome))
		}
		words, below := x.valueShown(r, texts, i, x.screen.Width-len(indent+valueIndent))
		// Leave out a long value that the headline shows already.
		if hasValue && r.Status == effect.StatusEffective && len(below) > 0 {
			words, below = "", nil
		}
		mark := func(shown string) string { return x.screen.Mark(r.Status.Mark(), shown) }
		cells := []cell{{Text: r.Words(), Color: mark}, {Text: x.Place(r.At)}}
		table.Rows = append(table.Rows, row{Cells: cells, Value: cell{Text: words}, Text: cell{Text: note}, Below: below})
	}
	table.write(out)
}

// valueIndent is how far a value is indented below its row.
const valueIndent = "      "

// Values that are too long for the line of their row stand below it: short ones whole, and of long
// ones the lines that differ from the value that they replace or that replaces them.

const (
	// shortLines is the maximum number of lines of a value below its row.
	shortLines = 8
	// besideColumns is the maximum width of a value in its row.
	besideColumns = 60
	// shortColumns is the maximum width of a line below a row.
	shortColumns = 600
)

// valueShown returns how to show the value of row r, the i-th of a history. words go into the row: a short value, or
// a description of a long one. below are lines for below the row, broken at the width room: a long value or, if it is
// very long, those of its lines that differ from the value before or after it, or the first lines of a block. texts
// are the texts of all rows' values; "" if the row's Value is enough.
func (x *Explanation) valueShown(r report.HistoryRow, texts []string, i, room int) (words string, below []string) {
	text := texts[i]
	// Values that can be shown whole.
	lines := strings.Split(text, "\n")
	switch {
	case text == "":
		return r.Value, nil
	case len(lines) == 1 && screen.Columns(text) <= besideColumns:
		return text, nil
	case x.opts.Full || len(lines) <= shortLines:
		return "", x.foldLines(lines, room)
	}
	// Of others, the lines that differ. Of a block, the first ones, because its header says what it is.
	_, isBlock := r.At.(*source.Block)
	if changed, n := differing(text, neighborOf(texts, i)); n > 0 && !isBlock {
		words = fmt.Sprintf("differs in %d of %d lines", n, len(lines))
		lines = changed
	}
	if more := len(lines) - shortLines; more > 0 { // the last of shortLines tells how many are omitted
		lines = append(lines[:shortLines-1:shortLines-1], fmt.Sprintf("… %d more lines; --full shows them", more+1))
	}
	report.Dedent(lines)
	return words, x.foldLines(lines, room)
}

// foldLines breaks lines at the width room on a terminal. Without --full, it first shortens very long ones.
func (x *Explanation) foldLines(lines []string, room int) (list []string) {
	for _, line := range lines {
		if !x.opts.Full {
			line = screen.Cut(line, shortColumns)
		}
		list = append(list, fold(line, x.screen, room, screen.Hang)...)
	}
	return list
}

// neighborOf returns the text of the value that the i-th one replaced, texts[i+1], because rows start with the
// latest. If that is "", it returns the text of the value that replaced the i-th one, texts[i-1]. The latest value
// was not replaced: for i == 0, it returns texts[0] itself, from which nothing differs.
func neighborOf(texts []string, i int) string {
	if replaced := i + 1; replaced < len(texts) && texts[replaced] != "" {
		return texts[replaced]
	}
	return texts[max(0, i-1)]
}

// differing returns the lines of a text that other doesn't have, with "…" in place of the lines that both have, and
// the number n of differing lines. It returns nil and 0 if other is "", which means no text rather than an empty one.
func differing(text, other string) (list []string, n int) {
	if other == "" { // there is nothing to compare with
		return nil, 0
	}
	lines := strings.Split(text, "\n")
	at := 0                 // the index of the line after the last run that was listed
	untitled := [2]string{} // Runs need no titles for the two texts
	for _, r := range patch.Compare(untitled, []byte(text+"\n"), []byte(other+"\n")).Runs {
		if r.From == r.To { // only other has these lines
			continue
		}
		if r.From > at {
			list = append(list, "…")
		}
		list = append(list, lines[r.From:r.To]...)
		n += r.To - r.From
		at = r.To
	}
	if n > 0 && at < len(lines) { // equal lines follow
		list = append(list, "…")
	}
	return list, n
}
