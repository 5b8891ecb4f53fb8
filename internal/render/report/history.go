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

// InEffectAt returns what to print after the address of a target: words, and then value. value is only set for one
// argument that may be shown; it has the first maxLines lines, and tells how many more there are.
//
//	nothing in effect       " is dropped", ""
//	a merged block          "", ""              the caller lists the names in it instead
//	other blocks            ": 2 ingress blocks", ""
//	several arguments       " is set in 2 blocks", ""
//	a hidden argument       " = (sensitive value)", ""
//	any other argument      " = ", "3"
func InEffectAt(r wording.Redactor, target address.Target, maxLines int) (words, value string) {
	items := target.Effective()
	if len(items) == 0 {
		return ineffectiveWords(target.Item.Outcomes()), ""
	}
	a, isAttr := items[0].(*source.Attr)
	switch {
	case !isAttr && target.Item.Inner() != nil && target.IsWhole(): // a merged block
		return "", ""
	case !isAttr:
		return ": " + blocksNoun(items), ""
	case len(items) > 1:
		return fmt.Sprintf(" is set in %d %s", len(items), containerNoun(items)), ""
	case r.Hides(a):
		return " = " + r.Value(a), ""
	}
	// One argument, which may be shown: as in the file, or computed if the target isn't only a part of the value.
	text := a.Display()
	if target.IsWhole() && target.Item.Value != nil {
		text = computed.NativeText(target.Item.Value)
	}
	return " = ", firstLines(textedit.Relocate(text, indentOf(a), "", "\n"), maxLines)
}

// ineffectiveWords words why nothing of a name is in effect. steps are its outcomes. The first one with a specific
// reason decides, such as " is refused" or " is outranked". Without any, it is " is dropped" if something took the
// place of an item, and otherwise " has no effect".
func ineffectiveWords(steps []merge.Outcome) string {
	words := " has no effect"
	for _, o := range steps {
		isOutranked := o.Status == effect.StatusHidden && o.Rule.Wins != "" // Wins says what outranks it
		switch {
		case o.Status == effect.StatusMissingBase:
			return " is refused"
		case o.Status == effect.StatusUndecided, o.Status == effect.StatusRefused, isOutranked:
			return " is " + o.Words()
		case o.Status != effect.StatusNoEffect: // something else took its place
			words = " is dropped"
		}
	}
	return words
}

// firstLines returns at most maxLines lines of a text, in printable form, and then how many more there are.
func firstLines(text string, maxLines int) string {
	lines := strings.SplitAfter(text, "\n")
	if more := len(lines) - maxLines; more > 0 {
		lines = append(lines[:maxLines], fmt.Sprintf("… %d more lines", more))
	}
	return safetext.Printable(strings.Join(lines, ""))
}

// containerNoun returns the noun for what several arguments of one name are in: "blocks" if they are in
// different ones, else "elements".
func containerNoun(items []source.Item) string {
	isElsewhere := func(it source.Item) bool { return it.Within() != items[0].Within() }
	if slices.ContainsFunc(items, isElsewhere) {
		return "blocks"
	}
	return "elements"
}

// blocksNoun words how many blocks there are, by the name of the first one: "1 lifecycle block", "2 ingress blocks".
// A single item may also be an argument that is used like a block: "1 argument".
func blocksNoun(items []source.Item) string {
	if len(items) == 1 {
		if b, ok := items[0].(*source.Block); ok {
			return "1 " + wording.BlockNoun(b)
		}
		return "1 argument"
	}
	return wording.Count(len(items), diag.Escape(items[0].Called())+" block")
}

// A HistoryRow is one row of a history for people: what became of one item.
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

// CausedBy words which item decided the outcome of a row, and where it is: "by b.tf:2"; "" if the item itself
// did.
func (row HistoryRow) CausedBy(r wording.Redactor) string {
	switch {
	case row.Cause == nil:
		return ""
	case row.CauseName != "":
		return "by " + row.CauseName + " at " + r.Place(row.Cause)
	}
	return "by " + r.Place(row.Cause)
}

// HistoryRows returns the history of a target: one row for each item, the last item first. Unless matters is nil, it
// skips the items for which matters returns false. For example, all locals blocks of a module are one name, but a
// hover is only about some of them.
func HistoryRows(r wording.Redactor, target address.Target, matters func(source.Item) bool) (rows []HistoryRow) {
	// The ranges of the target's effective items. It is empty for a merged block, of which no outcome is effective:
	// its items have outcomes of their own.
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
				continue // it belongs to another block of the same name, which the target leaves out
			}
			rows = append(rows, historyRow(r, target, o, it))
		}
	}
	return rows
}

// outcomesOf returns the outcomes of a merged item. If several blocks of one override replace blocks, the merge names
// the first of them as By of every old block. The report of changes pairs each old block with a new one: here, By
// becomes that one, so that both reports agree.
func outcomesOf(r wording.Redactor, e *merge.MergedItem) []merge.Outcome {
	by := changes.Successors(r.Module, e)
	if len(by) == 0 {
		return e.Outcomes()
	}
	list := slices.Clone(e.Outcomes())
	for i, o := range list {
		next := by[o.Item]
		if next != nil && o.By != nil && merge.ShareOrigin(next, o.By) { // another block of the same override
			list[i].By = next
		}
	}
	return list
}

// historyRow returns the row of the item it: the item of the outcome o, or the target's part of that item. An item
// in effect may have a Note. Only an item that isn't in effect may have a Cause: another item decided the outcome.
func historyRow(r wording.Redactor, target address.Target, o merge.Outcome, it source.Item) HistoryRow {
	row := HistoryRow{Outcome: o, At: it}
	// The value: the one in effect, or an earlier one.
	switch {
	case o.Status == effect.StatusMerged: // its items have rows of their own
	case o.Status == effect.StatusEffective:
		row.Value, row.Note = r.Value(it), effectiveNote(r, target, it)
	default:
		row.Value = r.Earlier(it)
	}
	// The item that decided, if it is another one.
	if o.By != nil && o.Status != effect.StatusMerged {
		row.Cause = o.By
		// Name it if its name differs, such as lifecycle.enabled. A top-level block's name would only be its type.
		if o.By.Called() != it.Called() && o.By.Within() != nil {
			row.CauseName = wording.Name(o.By)
		}
	}
	return row
}

// effectiveNote returns the note on an item in effect: "printed as …" if its value was computed, otherwise the parts
// of earlier values that it drops ("drops a, b"); "" if neither applies.
func effectiveNote(r wording.Redactor, target address.Target, it source.Item) string {
	e := target.Item
	isWhole := target.IsWhole() // the target is the merged item, not only a key or an element of its value
	if c := e.Computed(); c != nil && isWhole {
		return "printed as " + r.InEffect(e, it) + ", " + r.ComputedFrom(c)
	}
	if it != e.Live[0] { // of several items, the first has the note for all
		return ""
	}
	switch it := it.(type) {
	case *source.Attr:
		if isWhole {
			return r.Drops(it, e.Losers(it))
		}
	case *source.Block:
		if dropped := r.DroppedNames(e.Live, e.Losers(it)); len(dropped) > 0 {
			return "drops " + strings.Join(dropped, ", ")
		}
	}
	return ""
}

// Text returns the text that a row's Value only describes, as in "a 3-line object": the value of an argument, or a
// whole block, without the indentation in the file. It is "" if Value already is the text, if the text is hidden, and
// for a merged block, because its items have rows of their own.
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
		if r.All { // the text would show the values in the block
			return ""
		}
		text = blockText(r, it)
	}
	atMargin := textedit.Relocate(text, indentOf(row.At), "", "\n")
	return safetext.Printable(strings.TrimRight(atMargin, "\n"))
}

// indentOf returns the blanks before an item on its line.
func indentOf(it source.Item) string {
	return textedit.IndentAt(it.Source().Native, it.Extent().Start.Byte)
}

// blockText returns the text of a block, with a word in place of each sensitive value.
func blockText(r wording.Redactor, b *source.Block) []byte {
	at := b.Extent()
	var edits []textedit.Edit
	for _, hidden := range r.Module.Secrets().CoveredIn(b) {
		edits = append(edits, textedit.Replace(hidden[0]-at.Start.Byte, hidden[1]-at.Start.Byte, wording.SensitiveValue))
	}
	text := b.File.Text(at)
	return textedit.Apply(text, 0, len(text), edits)
}

// History returns the record of a target's history: the effective items, and a step for each item that any
// file has of it.
func History(redact wording.Redactor, target address.Target) HistoryRecord {
	e := target.Item
	rec := HistoryRecord{
		Address:    target.Address.String(),
		Kind:       "argument",
		Overridden: e.IsOverridden(),
		Effective:  []ItemRecord{},
		Steps:      []StepRecord{},
	}
	addProperties := func(it source.Item) { // one block or sensitive item is enough for the whole record
		if _, isBlock := it.(*source.Block); isBlock {
			rec.Kind = "block"
		}
		rec.Sensitive = rec.Sensitive || redact.IsSecret(it)
	}
	// The effective items.
	for _, it := range target.Effective() {
		addProperties(it)
		item := itemRecord(redact, it, false) // in effect, not an earlier item
		if target.IsWhole() && e.Value != nil && item.Value != nil {
			item.Value, item.Computed = new(string(computed.NativeText(e.Value))), true
		}
		rec.Effective = append(rec.Effective, item)
	}
	// The steps: one for each item of the name, or for the requested part of each.
	for _, o := range outcomesOf(redact, e) {
		for _, it := range target.In(o.Item) {
			addProperties(it)
			rec.Steps = append(rec.Steps, StepRecord{
				ItemRecord: itemRecord(redact, it, !o.Status.IsInEffect()),
				Effect:     o.Effect.String(),
				Status:     o.Status,
				By:         RangeOf(o.By),
				Rule:       *ruleOf(o.Rule, o.Why()),
			})
		}
	}
	// A replacement may drop parts; a merged block or a computed value isn't one.
	if e.InEffect() && e.Inner() == nil && e.Value == nil && target.IsWhole() {
		rec.Drops = redact.DroppedNames(e.Live, e.Losers(e.Live[0]))
	}
	if c := e.Computed(); c != nil && target.IsWhole() { // the computation is the last step
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

// itemRecord returns the record of an item. It has no value if that is sensitive, or if isEarlier is set and
// redact hides all earlier values.
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

// Histories yields the history of each target. A merged block is followed by the histories of the names that it
// holds: those that overrides addressed or, with all, every one.
func Histories(m *merge.Module, redact wording.Redactor, targets []address.Target, all bool) iter.Seq[HistoryRecord] {
	return func(yield func(HistoryRecord) bool) {
		for _, target := range targets {
			isWanted := yield(History(redact, target))
			EachIn(m, target, all, func(inner address.Target) { // EachIn can't be stopped, so skip the rest
				isWanted = isWanted && yield(History(redact, inner))
			})
			if !isWanted {
				return
			}
		}
	}
}

// Overridden returns the histories of all names that overrides addressed.
func Overridden(m *merge.Module, redact wording.Redactor) []HistoryRecord {
	list := []HistoryRecord{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Rule.Do != rules.Flatten { // the block _ only holds names of the block around it
			list = append(list, History(redact, address.Target{Address: own, Of: own, Item: e}))
		}
	})
	return list
}

// EachIn visits the names that a merged block holds, at every depth. Unless all is set, it visits only the names that
// overrides addressed, and left is the number of the others.
func EachIn(m *merge.Module, target address.Target, all bool, visit func(address.Target)) (left int) {
	if target.Item.Inner() == nil {
		return 0
	}
	address.WalkIn(m, target.Of, target.Item.Inner(), func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Do == rules.Flatten || len(e.Steps) == 0 { // the block _, or a name without a history
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

// A provenance describes overrides in JSON output by the histories of names.
type provenance struct {
	redact    wording.Redactor
	merged    *merge.Module
	addresses map[*merge.MergedItem]address.Address
	order     map[*merge.MergedItem]int               // positions in the module, from 0
	owners    map[*merge.MergedBody]*merge.MergedItem // the merged block that each body belongs to
}

// Provenance returns a Describer that adds to each printed block the histories of the block and of its
// contents.
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

// A provenanceRecord is what a JSON body has about its items.
type provenanceRecord struct {
	FormatVersion string          `json:"format_version"`
	Engine        string          `json:"engine"`
	Histories     []HistoryRecord `json:"histories"`
}

// About implements jsonout.Describer: it returns the histories to print in block b, one of the blocks as which the
// merged body c is printed; nil if there are none. The history of the merged block itself goes into the first one. It
// returns added unchanged, because histories don't depend on the block around b that an override added.
func (p *provenance) About(c *merge.MergedBody, b, added *source.Block) (jsontree.Raw, *source.Block) {
	if c == nil || b.Type == source.EscapeBlock { // for a block named _, the block around it has the histories
		return nil, added
	}
	var entries []*merge.MergedItem
	if e := p.owners[c]; e != nil && e.IsOverridden() && b == c.FirstPart() {
		entries = append(entries, e)
	}
	return p.record(append(entries, p.describedEntries(c, b)...)), added
}

// Addition implements jsonout.Describer: it returns the history of an argument that an override added.
func (p *provenance) Addition(e *merge.MergedItem, _ *source.Attr) jsontree.Raw {
	return p.record([]*merge.MergedItem{e})
}

// describedEntries returns the overridden items whose histories go into the printed block b: those printed in it and,
// if b is c's first part, those that are printed nowhere, with their contents. It leaves out merged blocks in effect,
// because each of these has its own history when About is called for it.
func (p *provenance) describedEntries(c *merge.MergedBody, b *source.Block) (list []*merge.MergedItem) {
	for _, e := range c.ReportedIn(b) {
		switch {
		case !e.IsOverridden() || e.Rule.Do == rules.Flatten: // no history, or an escaping block, whose items have theirs
		case e.Inner() != nil && e.InEffect(): // a merged block
		default:
			list = append(list, e)
			if e.Inner() != nil {
				list = append(list, p.itemsIn(e.Inner())...) // a block not in effect is printed nowhere
			}
		}
	}
	return list
}

// itemsIn returns all items in a block, at every depth. Of a block named _, it returns only the contents, because
// they count as items of the block around it.
func (p *provenance) itemsIn(c *merge.MergedBody) (list []*merge.MergedItem) {
	for _, e := range c.Items {
		if e.Rule.Do != rules.Flatten { // not a block named _
			list = append(list, e)
		}
		if e.Inner() != nil {
			list = append(list, p.itemsIn(e.Inner())...)
		}
	}
	return list
}

// record returns the histories of merged items as one JSON value, in the order of the module; nil for none.
// It sorts entries in place.
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
