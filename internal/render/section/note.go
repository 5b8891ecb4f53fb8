package section

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Notes about an override beside its line.

// A note describes an override's effect, and the earlier value.
type note struct {
	ID      string
	Address string
	Verb    string // overrides, adds, replaces or repeats
	Place   string // of the override
	Was     []earlierValue
	Changes []report.ChangeLine // key by key
	More    int                 // changes that are not listed
	Hides   []string            // other superseded items
	Why     string              // the rule

	cost int // how much room it needs
}

// An earlierValue is one that is not effective any more.
type earlierValue struct {
	Value, Place string

	item   source.Item
	isPart bool // the value is some of its lines
}

// maxBeside is how many columns an earlier value may have beside the line of the new one.
const maxBeside = 40

// Old is the value that was replaced last, if it is short enough to stand beside the new one.
func (n *note) Old() string {
	if len(n.Was) == 0 || len(n.Changes) > 0 {
		return ""
	}
	last := n.Was[len(n.Was)-1]
	text := last.Value
	if isNested(last.item) || last.isPart || strings.Contains(text, "\n") || screen.Columns(text) > maxBeside {
		return ""
	}
	return text
}

// IsBelow reports whether the note stands below the new value, because it is too long to stand
// beside it.
func (n *note) IsBelow() bool {
	isValue := func(v earlierValue) bool { return !isNested(v.item) }
	return n.Old() == "" && (len(n.Changes) > 0 || slices.ContainsFunc(n.Was, isValue))
}

// MarshalJSON writes the note with the results of its methods.
func (n *note) MarshalJSON() ([]byte, error) {
	type fields note
	return json.Marshal(struct {
		*fields
		Old     string
		IsBelow bool
	}{(*fields)(n), n.Old(), n.IsBelow()})
}

// isNested reports whether an item is a block. The lines that it loses are shown where they were.
func isNested(it source.Item) bool {
	_, isBlock := it.(*source.Block)
	return isBlock
}

const (
	maxEarlier      = 4    // values of a note
	maxEarlierBytes = 1200 // of a value
	maxChanges      = 12   // of a note
)

// noteOf makes the note of an effective item. c is the content around it, nil if there was nothing
// before; then the verb is an addition's.
func (b *builder) noteOf(c *merge.MergedBody, e *merge.MergedItem, by source.Item, verb effect.Verb) *note {
	n := &note{Verb: verb.Words(), Place: wording.Place(by)}
	if e != nil {
		n.Address = visibleLine(b.about(e).names[e].String())
		n.Why = whyOf(e, by)
	}
	if c != nil {
		n.earlier(b, c, e)
	}
	if n.Verb == effect.Adds.Words() {
		n.Why = "" // the rule is about the earlier item
	}
	for i := range n.Was {
		n.cost += cost([]byte(n.Was[i].Value)) + changeCost
	}
	n.cost += noteCost + 2*cost([]byte(n.Address+n.Verb)) + 2*len(n.Place) + cost([]byte(n.Why))
	return n
}

func whyOf(e *merge.MergedItem, by source.Item) string {
	for _, o := range e.Outcomes() {
		if o.Item == by {
			return o.Sentence()
		}
	}
	return ""
}

// earlier adds the items before the effective one to the note.
func (n *note) earlier(b *builder, c *merge.MergedBody, e *merge.MergedItem) {
	winner := e.Live[0]
	earlier := annotate.Losers(c, e, winner)
	made := e.Computed()
	if made != nil && !source.IsOverride(winner) {
		earlier = []source.Item{winner}
	}
	c.EachHidden(e, func(it source.Item) {
		if len(n.Hides) < maxEarlier {
			n.Hides = append(n.Hides, diag.Escape(it.Called())+" at "+wording.Place(it))
		}
	})
	switch {
	case len(earlier) == 0 && len(n.Hides) == 0:
		n.Verb = effect.Adds.Words()
	case made == nil && !b.redact.Redact && slices.EqualFunc(e.Live, earlier, equal.Items):
		n.Verb = effect.Repeats.Words()
	}
	for _, it := range earlier[max(0, len(earlier)-maxEarlier):] {
		text, isPart := b.earlierText(e, it)
		n.Was = append(n.Was, earlierValue{text, wording.Place(it), it, isPart})
	}
	n.keyByKey(b, e)
}

// earlierText is the text of an earlier value: of several lines the part that the value in effect does
// not have. It is the kind and size where the changes are listed key by key, and where the text is long.
func (b *builder) earlierText(e *merge.MergedItem, it source.Item) (shown string, isPart bool) {
	inBrief := visibleLine(b.redact.Earlier(it))
	a, isAttr := it.(*source.Attr)
	now, hasNow := e.Live[0].(*source.Attr)
	if !isAttr || !hasNow || b.redact.Redact || b.redact.IsSecret(it) || b.redact.IsSecret(now) ||
		slices.ContainsFunc(b.about(e).changes[e], func(c *changes.Change) bool { return c.Path != nil }) { // listed by keys or elements
		return inBrief, false
	}
	text := a.Display()
	if isPart = bytes.IndexByte(text, '\n') >= 0; isPart {
		after := now.Display()
		if e.Value != nil {
			after = computed.NativeText(e.Value)
		}
		text = []byte(report.LinesBefore(text, after))
	}
	if len(text) == 0 || len(text) > maxEarlierBytes {
		return inBrief, false
	}
	return visible(text), isPart
}

// keyByKey lists the changes of keys or elements, apart from drops, which have separate lines.
func (n *note) keyByKey(b *builder, e *merge.MergedItem) {
	for _, c := range b.about(e).changes[e] {
		if c.Path == nil || c.IsInside || c.Kind() == changes.Dropped || c.Kind() == changes.Added && report.IsBlock(c.After) {
			continue
		}
		if len(n.Changes) == maxChanges {
			n.More++
			continue
		}
		before, after := report.Sides(b.redact, c)
		line := report.ChangeLine{Kind: c.Kind(), Name: nameOf(c), Value: visibleLine(after)}
		if c.Kind() == changes.Changed {
			line.Value = visibleLine(before + " → " + after)
		}
		n.Changes = append(n.Changes, line)
		n.cost += len(line.Name) + cost([]byte(line.Value)) + changeCost
	}
}

// Lines that are not in the configuration: values that overrides dropped, and lines of override
// files that have no effect.

// maxGone is how many dropped values are shown of a name.
const maxGone = 30

// droppedFrom adds the values dropped from a value, or from nested blocks, which are printed at a
// range.
func (w *walker) droppedFrom(e *merge.MergedItem, at hcl.Range) {
	list := w.dropped(e)
	for i, d := range list {
		if i == maxGone {
			w.add(extraLine{at.End.Byte, &row{Kind: "gone", Text: wording.Count(len(list)-i, "more value") + " dropped"}, false})
			return
		}
		w.add(extraLine{at.End.Byte, d.row, !d.isBlock})
	}
}

// A droppedValue is the line of a dropped value, or the lines of a nested block.
type droppedValue struct {
	row     *row
	isBlock bool // all of a block
	lines   []droppedLine
}

// A droppedLine is a line of a nested block that is gone.
type droppedLine struct {
	depth   int
	text    string
	isBlock bool
}

// dropped lists the dropped values of a name. The contents of a block are in its lines.
func (w *walker) dropped(e *merge.MergedItem) []*droppedValue {
	var list []*droppedValue
	for _, c := range w.about(e).changes[e] {
		if c.Kind() != changes.Dropped {
			continue
		}
		before, _ := report.Sides(w.redact, c)
		l := droppedLine{depth: names(c.Path), isBlock: report.IsBlock(c.Before)}
		isHeld := c.IsInside && len(list) > 0 && list[len(list)-1].isBlock
		switch {
		case l.isBlock:
			l.text = visibleLine(strings.TrimSuffix(wording.BlockNoun(c.Before.Item.(*source.Block)), " block"))
		case isHeld:
			l.text = assignment(visibleLine(c.Path.Name), visibleLine(before))
		default:
			l.text = assignment(nameOf(c), visibleLine(before))
		}
		if isHeld {
			if last := list[len(list)-1]; len(last.lines) < maxGone {
				last.lines = append(last.lines, l)
			}
			continue
		}
		list = append(list, &droppedValue{w.droppedRow(c), l.isBlock, []droppedLine{l}})
	}
	for _, d := range list {
		d.row.Text = d.text()
		d.row.cost += goneCost + cost([]byte(d.row.Text))
	}
	return list
}

// names is the number of names in a path.
func names(p *values.Path) int {
	n := 0
	for _, s := range p.Steps() {
		if !s.IsIndex {
			n++
		}
	}
	return n
}

// text is the lines as a block has them.
func (d *droppedValue) text() string {
	var out []string
	var open []droppedLine
	indent := func(l droppedLine) string { return strings.Repeat("  ", max(0, l.depth-d.lines[0].depth)) }
	closeTo := func(depth int) {
		for len(open) > 0 && open[len(open)-1].depth >= depth {
			out = append(out, indent(open[len(open)-1])+"}")
			open = open[:len(open)-1]
		}
	}
	for i, l := range d.lines {
		closeTo(l.depth)
		switch isFilled := i+1 < len(d.lines) && d.lines[i+1].depth > l.depth; {
		case l.isBlock && isFilled:
			out, open = append(out, indent(l)+l.text+" {"), append(open, l)
		case l.isBlock:
			out = append(out, indent(l)+l.text+" {}")
		default:
			out = append(out, indent(l)+l.text)
		}
	}
	closeTo(0)
	return strings.Join(out, "\n")
}

func (w *walker) add(l extraLine) { w.lines = append(w.lines, l) }

// droppedRow is the line of a value that is gone.
func (w *walker) droppedRow(c *changes.Change) *row {
	by := c.By()
	r := &row{
		Kind:    "gone",
		Verb:    "dropped by",
		Place:   diag.Place(by),
		Address: c.Address.Join(c.Name()).String(),
	}
	if f := w.m.Source.File(by.Filename); f != nil {
		r.Class = w.classes[f]
	}
	r.cost = cost([]byte(r.Address)) + len(r.Place)
	return r
}

// nameOf is the name of a changed value relative to its block.
func nameOf(c *changes.Change) string {
	if c.Path == nil {
		return c.Address.Last()
	}
	return c.Words()
}

// assignment is a line for a value that has a name, or is an element of a list.
func assignment(name, value string) string {
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
		return name + " " + value
	}
	return name + " = " + value
}

// End implements annotate.Visitor: it adds the lines of a block that are not printed, which are items
// that overrides removed, and items without effect.
func (w *walker) End(body annotate.Body) {
	c, b, at := body.Content, body.Source, body.Printed.Range().End.Byte
	if b.Within() == nil && b == c.FirstPart() {
		if e := w.m.Root.Owner(b); e != nil && e.Rule.Do == rules.Drop {
			w.idle(e, at)
		}
	}
	for _, e := range c.ReportedIn(b) {
		if e.Rule.Do == rules.Flatten {
			continue
		}
		if !e.InEffect() {
			for _, d := range w.dropped(e) {
				w.add(extraLine{at, d.row, true})
			}
		}
		w.idle(e, at)
	}
}

// idle adds the lines that have no effect of a name, and if it is not printed, of the names
// in it.
func (w *walker) idle(e *merge.MergedItem, at int) {
	annotate.EachOutcome(e, "", func(name string, e *merge.MergedItem, o merge.Outcome) {
		if why := wording.WhyNotPrinted(e, o); why != "" {
			w.add(extraLine{at, w.idleRow(e, o, name, why), true})
		}
	})
}

func (w *walker) idleRow(e *merge.MergedItem, o merge.Outcome, name, why string) *row {
	verb := "no effect"
	if o.Status == effect.StatusUndecided {
		verb = "undecided"
	}
	text := visibleLine(w.redact.Earlier(o.Item))
	if _, isAttr := o.Item.(*source.Attr); isAttr {
		text = assignment(visibleLine(diag.Escape(name)), text)
	}
	r := &row{
		Kind:     "idle",
		Text:     text,
		Class:    w.classes[o.Item.Source()],
		Verb:     verb,
		Why:      why,
		Place:    wording.Place(o.Item),
		Address:  visibleLine(w.about(e).names[e].String()),
		Findings: w.findingsOf(e),
	}
	r.cost = goneCost + cost([]byte(r.Text+r.Address+r.Why)) + len(r.Place)
	return r
}
