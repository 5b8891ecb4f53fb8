package report

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// InEffectAt words the effective items of a target: words that continue its address, and behind
// them the text of its value, if that is shown, with at most maxLines lines.
func InEffectAt(r wording.Redactor, target address.Target, maxLines int) (words, value string) {
	items := target.Effective()
	if len(items) == 0 {
		return absence(target.Item.Outcomes()), ""
	}
	a, ok := items[0].(*source.Attr)
	switch {
	case !ok && target.Item.Inner() != nil && target.IsWhole():
		return "", ""
	case !ok:
		return ": " + blocksNoun(items), ""
	case len(items) > 1:
		return fmt.Sprintf(" is set in %d %s", len(items), holders(items)), ""
	case r.Hides(a):
		return " = " + r.Value(a), ""
	}
	text := a.Display()
	if target.IsWhole() && target.Item.Value != nil {
		text = computed.NativeText(target.Item.Value)
	}
	return " = ", firstLines(textedit.Relocate(text, indentOf(a), "", "\n"), maxLines)
}

// absence words why nothing is effective, in the words of the steps.
func absence(steps []merge.Outcome) string {
	words := " has no effect"
	for _, o := range steps {
		switch {
		case o.Status == effect.StatusMissingBase:
			return " is refused"
		case o.Status == effect.StatusUndecided, o.Status == effect.StatusRefused, o.Status == effect.StatusHidden && o.Rule.Wins != "":
			return " is " + o.Words()
		case o.Status != effect.StatusNoEffect:
			words = " is dropped"
		}
	}
	return words
}

// firstLines are so many lines of a text at most, and how many more there are.
func firstLines(text string, most int) string {
	lines := strings.SplitAfter(text, "\n")
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("… %d more lines", more))
	}
	return safetext.Printable(strings.Join(lines, ""))
}

// holders are what several arguments of one name are in.
func holders(items []source.Item) string {
	isElsewhere := func(it source.Item) bool { return it.Within() != items[0].Within() }
	if slices.ContainsFunc(items, isElsewhere) {
		return "blocks"
	}
	return "elements"
}

// blocksNoun words how many blocks of each type there are.
func blocksNoun(items []source.Item) string {
	if len(items) == 1 {
		if b, ok := items[0].(*source.Block); ok {
			return "1 " + wording.BlockNoun(b)
		}
		return "1 argument"
	}
	return wording.Count(len(items), diag.Escape(items[0].Called())+" block")
}

// A HistoryRow is what became of one item of a history, in words.
type HistoryRow struct {
	merge.Outcome
	At    source.Item // the item of the outcome, or the target's part of it
	Value string      // empty for a block whose items have rows of their own
	Note  string      // what to add; may be empty
	// Cause is the deciding item, if not the item itself, and CauseName its name, if that differs
	// from the item's.
	Cause     source.Item
	CauseName string
}

// CausedBy words what decided on a row; empty if the item itself did.
func (row HistoryRow) CausedBy(r wording.Redactor) string {
	switch {
	case row.Cause == nil:
		return ""
	case row.CauseName != "":
		return "by " + row.CauseName + " at " + r.Place(row.Cause)
	}
	return "by " + r.Place(row.Cause)
}

// HistoryRows words the history of a target, what came last first, as far as its items matter: all locals blocks
// of a module are one name. Without matters, all do.
func HistoryRows(r wording.Redactor, target address.Target, matters func(source.Item) bool) (rows []HistoryRow) {
	effective := map[hcl.Range]bool{}
	if target.Item.Inner() == nil {
		for _, it := range target.Effective() {
			effective[it.Extent()] = true
		}
	}
	for _, o := range slices.Backward(outcomesOf(r, target.Item)) {
		if matters != nil && !matters(o.Item) {
			continue
		}
		for _, it := range slices.Backward(target.In(o.Item)) {
			if o.Status == effect.StatusEffective && !effective[it.Extent()] {
				continue // another of several blocks than the requested one
			}
			rows = append(rows, historyRow(r, target, o, it))
		}
	}
	return rows
}

// outcomesOf are the outcomes of a merged item. A block that is replaced with others has the successor
// that its changes name.
func outcomesOf(r wording.Redactor, e *merge.MergedItem) []merge.Outcome {
	by := changes.Successors(r.Module, e)
	if len(by) == 0 {
		return e.Outcomes()
	}
	list := slices.Clone(e.Outcomes())
	for i, o := range list {
		if next := by[o.Item]; next != nil && o.By != nil && merge.ShareOrigin(next, o.By) {
			list[i].By = next
		}
	}
	return list
}

// historyRow words what became of an item, or of the target's part of it. A cause replaces the note about
// the value: the item isn't in effect then.
func historyRow(r wording.Redactor, target address.Target, o merge.Outcome, it source.Item) HistoryRow {
	row := HistoryRow{Outcome: o, At: it}
	switch {
	case o.Status == effect.StatusMerged: // its items have rows of their own
	case o.Status == effect.StatusEffective:
		row.Value, row.Note = r.Value(it), noteOn(r, target, it)
	default:
		row.Value = r.Earlier(it)
	}
	if o.By != nil && o.Status != effect.StatusMerged {
		row.Cause, row.Note = o.By, ""
		if o.By.Called() != it.Called() && o.By.Within() != nil {
			row.CauseName = wording.Name(o.By)
		}
	}
	return row
}

// noteOn is what to add of an item in effect.
func noteOn(r wording.Redactor, target address.Target, it source.Item) string {
	e, note := target.Item, ""
	if it == e.Live[0] {
		switch it := it.(type) {
		case *source.Attr:
			if target.IsWhole() {
				note = r.Drops(it, e.Losers(it))
			}
		case *source.Block:
			if dropped := r.DroppedNames(e.Live, e.Losers(it)); len(dropped) > 0 {
				note = "drops " + strings.Join(dropped, ", ")
			}
		}
	}
	if c := e.Computed(); c != nil && target.IsWhole() {
		note = "printed as " + r.InEffect(e, it) + ", " + r.ComputedFrom(c)
	}
	return note
}

// Text returns the text of a row's item if Value only describes it, as in "a 3-line object". That is the value of an
// argument, or a whole block, without the indentation in the file. It is empty if Value already is the text, if the text
// is hidden, and for a merged block, whose items have rows of their own.
func (row HistoryRow) Text(r wording.Redactor) string {
	isHidden := r.Hides(row.At) || r.Redact && !row.Status.IsInEffect()
	if row.Status == effect.StatusMerged || isHidden {
		return ""
	}
	var text []byte
	switch it := row.At.(type) {
	case *source.Attr:
		if wording.IsText(it, row.Value) {
			return ""
		}
		text = it.Display()
	case *source.Block:
		if r.All {
			return ""
		}
		text = blockText(r, it)
	}
	atMargin := textedit.Relocate(text, indentOf(row.At), "", "\n")
	return safetext.Printable(strings.TrimRight(atMargin, "\n"))
}

func indentOf(it source.Item) string {
	return textedit.IndentAt(it.Source().Native, it.Extent().Start.Byte)
}

// blockText is the text of a block without the values that are not to be shown.
func blockText(r wording.Redactor, b *source.Block) []byte {
	at := b.Extent()
	var edits []textedit.Edit
	for _, hidden := range r.Module.Secrets().CoveredIn(b) {
		edits = append(edits, textedit.Replace(hidden[0]-at.Start.Byte, hidden[1]-at.Start.Byte, wording.SensitiveValue))
	}
	text := b.File.Text(at)
	return textedit.Apply(text, 0, len(text), edits)
}

// History records the history of a target: the effective items, and the effect of each item.
func History(redact wording.Redactor, target address.Target) HistoryRecord {
	e := target.Item
	rec := HistoryRecord{
		Address:    target.Address.String(),
		Kind:       "argument",
		Overridden: e.IsOverridden(),
		Effective:  []ItemRecord{},
		Steps:      []StepRecord{},
	}
	note := func(it source.Item) {
		if _, isBlock := it.(*source.Block); isBlock {
			rec.Kind = "block"
		}
		rec.Sensitive = rec.Sensitive || redact.IsSecret(it)
	}
	for _, it := range target.Effective() {
		note(it)
		item := itemRecord(redact, it, false)
		if target.IsWhole() && e.Value != nil && item.Value != nil {
			item.Value, item.Computed = new(string(computed.NativeText(e.Value))), true
		}
		rec.Effective = append(rec.Effective, item)
	}
	for _, o := range outcomesOf(redact, e) {
		for _, it := range target.In(o.Item) {
			note(it)
			rec.Steps = append(rec.Steps, StepRecord{
				ItemRecord: itemRecord(redact, it, !o.Status.IsInEffect()),
				Effect:     o.Effect.String(),
				Status:     o.Status,
				By:         RangeOf(o.By),
				Rule:       *ruleOf(o.Rule, o.Why()),
			})
		}
	}
	if e.InEffect() && e.Inner() == nil && e.Value == nil && target.IsWhole() {
		rec.Drops = redact.DroppedNames(e.Live, e.Losers(e.Live[0]))
	}
	if c := e.Computed(); c != nil && target.IsWhole() {
		rec.Steps = append(rec.Steps, StepRecord{
			ItemRecord: rec.Effective[0],
			Effect:     c.Effect.String(),
			Status:     effect.StatusEffective,
			By:         RangeOf(c.By()),
			Rule:       *ruleOf(c.Rule, c.Rule.Why),
		})
	}
	return rec
}

// itemRecord records an item. Its value is left out if it is sensitive, or if isEarlier and Redact is set.
func itemRecord(redact wording.Redactor, it source.Item, isEarlier bool) ItemRecord {
	rec := ItemRecord{Range: rangeRecord(source.Where(it))}
	switch it := it.(type) {
	case *source.Attr:
		if !redact.IsSecret(it) && !(isEarlier && redact.Redact) {
			rec.Value = new(valid(cmp.Or(string(it.Display()), string(it.Raw()))))
		}
	case *source.Block:
		rec.Labels = it.Labels
	}
	return rec
}

// Histories records the histories of targets, and for merged blocks also of their contents: of
// items that overrides addressed, or with all of every item.
func Histories(m *merge.Module, redact wording.Redactor, targets []address.Target, all bool) iter.Seq[HistoryRecord] {
	return func(yield func(HistoryRecord) bool) {
		for _, target := range targets {
			isWanted := yield(History(redact, target))
			EachIn(m, target, all, func(inner address.Target) {
				isWanted = isWanted && yield(History(redact, inner))
			})
			if !isWanted {
				return
			}
		}
	}
}

// Overridden records the histories of all names that overrides addressed.
func Overridden(m *merge.Module, redact wording.Redactor) []HistoryRecord {
	list := []HistoryRecord{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Rule.Do != rules.Flatten {
			list = append(list, History(redact, address.Target{Address: own, Of: own, Item: e}))
		}
	})
	return list
}

// EachIn visits the names that a merged block holds, at every depth. Without all it leaves
// out those that no override addressed, and returns how many these are.
func EachIn(m *merge.Module, target address.Target, all bool, visit func(address.Target)) (left int) {
	if target.Item.Inner() == nil {
		return 0
	}
	address.WalkIn(m, target.Of, target.Item.Inner(), func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Do == rules.Flatten || len(e.Steps) == 0 {
			return
		}
		if !all && !e.IsOverridden() {
			left++
			return
		}
		visit(address.Target{Address: own, Of: own, Item: e})
	})
	return left
}

// A provenance describes by histories.
type provenance struct {
	redact    wording.Redactor
	merged    *merge.Module
	addresses map[*merge.MergedItem]address.Address
	order     map[*merge.MergedItem]int
	owners    map[*merge.MergedBody]*merge.MergedItem
}

// Provenance describes overrides in JSON by the histories of each block and of its contents.
func Provenance(m *merge.Module, redact wording.Redactor) jsonout.Describer {
	p := &provenance{
		redact:    redact,
		merged:    m,
		addresses: map[*merge.MergedItem]address.Address{},
		order:     map[*merge.MergedItem]int{},
		owners:    map[*merge.MergedBody]*merge.MergedItem{},
	}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		p.addresses[e], p.order[e] = own, len(p.order)
		if e.Inner() != nil {
			p.owners[e.Inner()] = e
		}
	})
	return p
}

// A provenanceRecord is the description of one body.
type provenanceRecord struct {
	FormatVersion string          `json:"format_version"`
	Engine        string          `json:"engine"`
	Histories     []HistoryRecord `json:"histories"`
}

// About implements jsonout.Describer.
func (p *provenance) About(c *merge.MergedBody, b, added *source.Block) (jsontree.Raw, *source.Block) {
	if c == nil || b.Type == source.EscapeBlock {
		return nil, added
	}
	var entries []*merge.MergedItem
	if e := p.owners[c]; e != nil && e.IsOverridden() && b == c.FirstPart() {
		entries = append(entries, e)
	}
	return p.record(append(entries, p.describedEntries(c, b)...)), added
}

// Addition implements jsonout.Describer.
func (p *provenance) Addition(e *merge.MergedItem, _ *source.Attr) jsontree.Raw {
	return p.record([]*merge.MergedItem{e})
}

// describedEntries lists the entries that a body describes: those printed in it, except for blocks
// that describe themselves.
func (p *provenance) describedEntries(c *merge.MergedBody, b *source.Block) (list []*merge.MergedItem) {
	for _, e := range c.ReportedIn(b) {
		switch {
		case !e.IsOverridden() || e.Rule.Do == rules.Flatten:
		case e.Inner() != nil && e.InEffect():
		default:
			list = append(list, e)
			if e.Inner() != nil {
				list = append(list, p.lost(e.Inner())...)
			}
		}
	}
	return list
}

// lost lists the items of a block that are not printed.
func (p *provenance) lost(c *merge.MergedBody) (list []*merge.MergedItem) {
	for _, e := range c.Items {
		if e.Rule.Do != rules.Flatten {
			list = append(list, e)
		}
		if e.Inner() != nil {
			list = append(list, p.lost(e.Inner())...)
		}
	}
	return list
}

// record returns the histories of entries as one JSON value, in the order of the module; nil for none. It
// sorts entries in place.
func (p *provenance) record(entries []*merge.MergedItem) jsontree.Raw {
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b *merge.MergedItem) int { return p.order[a] - p.order[b] })
	rec := provenanceRecord{FormatVersion: FormatVersion, Engine: p.merged.Source.Engine.String()}
	for _, e := range entries {
		own := p.addresses[e]
		rec.Histories = append(rec.Histories, History(p.redact, address.Target{Address: own, Of: own, Item: e}))
	}
	text, err := safetext.JSON(rec, "")
	if err != nil {
		panic("report: invalid JSON: " + err.Error())
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}
