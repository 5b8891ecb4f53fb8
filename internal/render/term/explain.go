package term

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/highlight"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An Explanation says what is in effect of what addresses name, where it is
// from, what lost, and by which rule.
type Explanation struct {
	wording.Redactor
	screen screen.Screen
	opts   ExplainOptions
	module *merge.Module
	rules  []string // sentences, in the order in which they came up
}

// ExplainOptions say how much an Explanation contains.
type ExplainOptions struct {
	All    bool // also what no override addressed
	Redact bool // no value that is not in effect
	// Highlight colours the values in effect.
	Highlight bool
	// Within is the address of the module as seen from another one.
	Within address.Address
}

// Explain returns an Explanation of what a module holds, which fits a screen.
func Explain(m *merge.Module, to screen.Screen, o ExplainOptions) *Explanation {
	return &Explanation{Redactor: wording.NewRedactor(m.Source, o.Redact), screen: to, opts: o, module: m}
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
	out.WriteString(x.headline(target) + "\n")
	rows := x.rows(target)
	if len(rows) > 0 {
		out.WriteString("\n")
		x.table(out, rows, "  ")
	}
	left := report.EachIn(x.module, target, x.opts.All, func(inner address.Target) {
		name, ok := inner.Address.In(target.Of)
		if !ok { // a local value has an address without its block
			name = inner.Address
		}
		fmt.Fprintf(out, "\n  %s\n", x.screen.Place(diag.Escape(name.String())))
		x.table(out, x.rows(inner), "    ")
	})
	if left > 0 {
		names := wording.Count(left, "name")
		rest := x.screen.WrapLine(2+len(names), " not overridden; --all shows them", "  ")
		fmt.Fprintf(out, "\n  %s%s\n", x.screen.Dim(names), rest)
	}
}

// maxLines is how many lines of a value in effect are shown.
const maxLines = 20

// headline is the address and what is in effect.
func (x *Explanation) headline(target address.Target) string {
	name := diag.Escape(x.opts.Within.Child(target.Address.String()).String())
	head := x.screen.Place(name)
	wrapped := func(text string) string { return x.screen.WrapLine(screen.Columns(name), text, screen.Hang) }
	items := target.Effective()
	if len(items) == 0 {
		return head + wrapped(" is not effective")
	}
	a, ok := items[0].(*source.Attr)
	switch {
	case !ok && target.Item.Inner != nil && target.IsWhole():
		return head
	case !ok:
		return head + wrapped(": "+blocksNoun(items))
	case len(items) > 1:
		return head + wrapped(fmt.Sprintf(" is set in %d blocks", len(items)))
	case x.IsSecret(a):
		return head + " = " + wording.SensitiveValue
	}
	text := a.Display()
	if target.IsWhole() && target.Item.Value != nil {
		text = computed.NativeText(target.Item.Value)
	}
	lines := strings.SplitAfter(
		textedit.Relocate(text, textedit.IndentAt(a.File.Src, a.Extent().Start.Byte), "", "\n"), "\n",
	)
	if more := len(lines) - maxLines; more > 0 {
		lines = append(lines[:maxLines], fmt.Sprintf("… %d more lines", more))
	}
	value := safetext.Printable(strings.Join(lines, ""))
	if x.opts.Highlight {
		value = string(highlight.Native([]byte(value), x.screen.Palette, nil))
	}
	return head + " = " + value
}

// blocksNoun words how many blocks of which types there are.
func blocksNoun(items []source.Item) string {
	if len(items) == 1 {
		if b, ok := items[0].(*source.Block); ok {
			return "1 " + wording.BlockNoun(b)
		}
		return "1 argument"
	}
	return wording.Count(len(items), diag.Escape(items[0].Called())+" block")
}

// A row is one source item in a history.
type row struct {
	status, place, value, note string
	mark                       merge.Mark
}

// rows are the history of a target, what came last first.
func (x *Explanation) rows(target address.Target) []row {
	var rows []row
	effective := map[hcl.Range]bool{}
	for _, it := range target.Effective() {
		effective[it.Extent()] = true
	}
	for _, o := range slices.Backward(target.Item.Outcomes()) {
		for _, it := range slices.Backward(target.In(o.Item)) {
			if o.Status == merge.StatusEffective && !effective[it.Extent()] {
				continue // another one of several blocks than the one asked for
			}
			rows = append(rows, x.row(target, o, it))
		}
	}
	return rows
}

func (x *Explanation) row(target address.Target, o merge.Outcome, it source.Item) row {
	r := row{status: o.Words(), place: wording.Place(it), mark: o.Status.Mark()}
	switch {
	case o.Status == merge.StatusMerged: // its items have rows of their own
	case o.Status == merge.StatusEffective:
		r.value = x.Value(it)
		if it == target.Item.Live[0] {
			if dropped := check.Dropped(target.Item.Live, target.Item.Losers(it)); len(dropped) > 0 {
				r.note = "drops " + strings.Join(dropped, ", ")
			}
			if a, ok := it.(*source.Attr); ok && target.IsWhole() {
				r.note = x.Drops(a, target.Item.Losers(it))
			}
		}
		if c := target.Item.Computed(); c != nil && target.IsWhole() {
			r.note = "printed as " + x.InEffect(target.Item, it) + ", " + wording.ComputedFrom(c)
		}
	default:
		r.value = x.Earlier(it)
	}
	if o.By != nil && o.Status != merge.StatusMerged {
		r.note = "by " + wording.Place(o.By)
		if o.By.Called() != it.Called() && o.By.Within() != nil {
			r.note = "by " + wording.Name(o.By) + " at " + wording.Place(o.By)
		}
	}
	if o.Status != merge.StatusEffective && o.Status != merge.StatusMerged {
		r.note = strings.TrimSpace(r.note + " " + x.ruleMark(o))
	}
	return r
}

// ruleMark is the number of the rule's sentence.
func (x *Explanation) ruleMark(o merge.Outcome) string {
	sentence := o.Sentence()
	i := slices.Index(x.rules, sentence)
	if i < 0 {
		i = len(x.rules)
		x.rules = append(x.rules, sentence)
	}
	return "[" + strconv.Itoa(i+1) + "]"
}

// table writes rows in columns.
func (x *Explanation) table(out *strings.Builder, rows []row, indent string) {
	table := &screen.Table{Indent: indent, Columns: []screen.Column{{}, {Middle: true}, {}}}
	status, place, value := &table.Columns[0], &table.Columns[1], &table.Columns[2]
	for _, r := range rows {
		status.Width, place.Width = max(status.Width, len(r.status)), max(place.Width, utf8.RuneCountInString(r.place))
		if r.note != "" {
			value.Width = max(value.Width, utf8.RuneCountInString(r.value))
		}
	}
	status.Min, place.Min, value.Min = status.Width, place.Width, minValue
	for _, r := range rows {
		mark := func(padded string) string { return x.screen.Mark(r.mark, padded) }
		table.Rows = append(table.Rows, []screen.Cell{
			{Text: pad(r.status, status.Width), Color: mark}, {Text: r.place}, {Text: r.value}, {Text: r.note},
		})
	}
	x.screen.WriteTable(out, table)
}

// minValue is how many columns of a value are shown at least, if it has them.
const minValue = 20
