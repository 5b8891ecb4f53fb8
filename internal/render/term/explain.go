package term

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An Explanation says what is in effect of what addresses name, where it is
// from, what lost, and by which rule.
type Explanation struct {
	wording.Redactor
	palette palette.Palette
	all     bool
	module  *merge.Module
	rules   []string // sentences, in the order in which they came up
}

// ExplainOptions say how much an Explanation contains.
type ExplainOptions struct {
	All    bool // also what no override addressed
	Redact bool // no value that is not in effect
}

// Explain returns an Explanation of what a module holds, in the colours of a palette.
func Explain(m *merge.Module, colors palette.Palette, o ExplainOptions) *Explanation {
	return &Explanation{Redactor: wording.NewRedactor(m.Source, o.Redact), palette: colors, all: o.All, module: m}
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
		fmt.Fprintf(&out, "%s %s\n", x.palette.Dim(fmt.Sprintf("[%d]", i+1)), sentence)
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
	left := report.EachIn(x.module, target, x.all, func(inner address.Target) {
		name, ok := inner.Address.In(target.Of)
		if !ok { // a local value has an address without its block
			name = inner.Address
		}
		fmt.Fprintf(out, "\n  %s\n", x.palette.Place(diag.Escape(name.String())))
		x.table(out, x.rows(inner), "    ")
	})
	if left > 0 {
		fmt.Fprintf(out, "\n  %s not touched by any override; --all shows what\n", x.palette.Dim(wording.Count(left, "name")))
	}
}

// maxLines is how many lines of a value in effect are shown.
const maxLines = 20

// headline is the address and what is in effect.
func (x *Explanation) headline(target address.Target) string {
	head := x.palette.Place(diag.Escape(target.Address.String()))
	items := target.Effective()
	if len(items) == 0 {
		return head + " is not in effect"
	}
	a, ok := items[0].(*source.Attr)
	switch {
	case !ok && target.Item.Inner != nil && target.IsWhole():
		return head
	case !ok:
		return head + ": " + blocksNoun(items)
	case len(items) > 1:
		return head + fmt.Sprintf(" is in effect in %d blocks", len(items))
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
	return head + " = " + safetext.Printable(strings.Join(lines, ""))
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
	effective := map[source.Item]bool{}
	for _, it := range target.Effective() {
		effective[it] = true
	}
	for _, o := range slices.Backward(target.Item.Outcomes()) {
		for _, it := range slices.Backward(target.In(o.Item)) {
			if o.Status == merge.StatusEffective && !effective[it] {
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
			r.note = "by " + diag.Escape(o.By.Called()) + " at " + wording.Place(o.By)
		}
	}
	if o.Status != merge.StatusEffective && o.Status != merge.StatusMerged {
		r.note = strings.TrimSpace(r.note + " " + x.ruleMark(o))
	}
	return r
}

// ruleMark is the number of the rule's sentence.
func (x *Explanation) ruleMark(o merge.Outcome) string {
	sentence := fmt.Sprintf("%s (%s)", o.Why(), o.Rule.Releases())
	i := slices.Index(x.rules, sentence)
	if i < 0 {
		i = len(x.rules)
		x.rules = append(x.rules, sentence)
	}
	return "[" + strconv.Itoa(i+1) + "]"
}

// table writes rows in columns.
func (x *Explanation) table(out *strings.Builder, rows []row, indent string) {
	var status, place, value int
	for _, r := range rows {
		status, place = max(status, len(r.status)), max(place, utf8.RuneCountInString(r.place))
		if r.note != "" {
			value = max(value, utf8.RuneCountInString(r.value))
		}
	}
	for _, r := range rows {
		columns := []string{x.palette.Mark(r.mark, pad(r.status, status)), pad(r.place, place), pad(r.value, value), r.note}
		line := indent + strings.Join(columns, "  ")
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
