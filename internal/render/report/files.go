package report

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A FileRecord describes one name in the module directory.
type FileRecord struct {
	Module   string `json:"module,omitempty"` // the directory of a ModuleRecord, if there are several
	Filename string `json:"filename"`
	Role     string `json:"role,omitempty"`   // primary or override
	Status   string `json:"status,omitempty"` // read, shadowed, excluded, ignored or not_read
	Syntax   string `json:"syntax,omitempty"` // native or json
	// Order numbers the files of a role, from 1, in load order.
	Order      int    `json:"order,omitempty"`
	Overlay    bool   `json:"overlay,omitempty"`
	Broken     bool   `json:"broken,omitempty"`      // it can't be read or parsed
	ShadowedBy string `json:"shadowed_by,omitempty"` // a file name
	// ReadBy words the releases that read the file, if the followed one does not.
	ReadBy string `json:"read_by,omitempty"`
	// MeantFor is the name of the override file that it may be meant to be.
	MeantFor string    `json:"meant_for,omitempty"`
	Effects  []*Effect `json:"effects,omitempty"` // of an override file

	Against    string       `json:"against,omitempty"` // the other side of the comparison, if it isn't the file itself
	IsNew      bool         `json:"new,omitempty"`
	Insertions *int         `json:"insertions,omitempty"`
	Deletions  *int         `json:"deletions,omitempty"`
	Hunks      []hunkRecord `json:"hunks,omitempty"`
}

// A hunkRecord is a run of lines that is replaced by others. Lines count from 1.
type hunkRecord struct {
	OldStart int `json:"old_start"`
	OldLines int `json:"old_lines"`
	NewStart int `json:"new_start"`
	NewLines int `json:"new_lines"`
}

// An Effect is what an override file does to one name: overrides it, adds it, has no effect on it, and so on.
type Effect struct {
	Verb    effect.Verb   `json:"effect"`
	Address string        `json:"address"`
	Range   RangeRecord   `json:"range"` // of the item in the override file
	Status  effect.Status `json:"status"`
	By      *RangeRecord  `json:"by"`   // what decided on the status; null if the item itself
	Rule    ruleRecord    `json:"rule"` // its path is empty if only a diagnostic is known
	// Drops are keys, or names in nested blocks, of earlier values that it leaves out.
	Drops []string `json:"drops,omitempty"`

	Item source.Item `json:"-"` // the item with the effect; nil for an omission, and if only a diagnostic is known
	Note string      `json:"-"` // what to add for people, in a few words; may be empty
}

// Files returns records of all names in the module directory: first the files that are read, in load order,
// with the effects of each override file, then the others. The errors in diags mark items that the engine
// refuses.
func Files(m *merge.Module, diags hcl.Diagnostics) []FileRecord {
	// Files that aren't read: foreign, shadowed and so on. They go to the end.
	effects := Effects(m, diags)
	meantFor := map[string]string{} // by file: the override file's name that its own resembles
	list, others := make([]FileRecord, 0, len(m.Source.Names)), []FileRecord{}
	for _, e := range m.Source.Names {
		if e.Status == load.Read {
			meantFor[e.Name] = e.Meant
			continue
		}
		rec := FileRecord{Filename: e.Name, Status: e.Status.String(), ShadowedBy: e.By, MeantFor: e.Meant}
		if e.Status == load.Foreign { // only another engine reads it
			rec.ReadBy = engine.Describe(engine.Release.ReadsTofuFiles)
		}
		others = append(others, rec)
	}
	// The files that are read, numbered within each role.
	counts := map[source.Role]int{}
	for _, f := range m.Source.Files {
		counts[f.Role]++
		list = append(list, FileRecord{
			Filename: f.Name,
			Role:     f.Role.String(),
			Status:   load.Read.String(),
			Syntax:   f.Syntax.String(),
			Order:    counts[f.Role],
			Overlay:  f.Overlay,
			Broken:   f.Broken,
			MeantFor: meantFor[f.Name],
			Effects:  effects[f],
		})
	}
	return append(list, others...)
}

// AddFiles adds the files of one of several modules. module is its directory.
func (r *Report) AddFiles(module string, files []FileRecord) {
	for _, f := range files {
		f.Module = module
		r.Files = append(r.Files, f)
	}
}

// AddHistories adds the histories of a module. module is its directory if there are several; otherwise "".
func (r *Report) AddHistories(module string, histories iter.Seq[HistoryRecord]) {
	for h := range histories {
		h.Module = module
		r.Histories = append(r.Histories, h)
	}
}

// DiffRecords returns the position and size of each change in changed files, without the lines themselves.
func DiffRecords(diffs []*patch.File) []FileRecord {
	list := []FileRecord{}
	for _, d := range diffs {
		if !d.Changes() {
			continue
		}
		rec := FileRecord{Filename: d.Name, Hunks: []hunkRecord{}}
		if d.Title[0] != "" { // a comparison of two named sides, not of a primary file with its merged form
			rec.Filename, rec.Against = d.Title[0], d.Title[1]
		} else {
			rec.Role = source.Primary.String()
		}
		in, del := d.Counts()
		rec.Insertions, rec.Deletions, rec.IsNew = &in, &del, d.IsNew
		shift := 0 // how many lines earlier hunks have added; below 0 if they removed more
		for _, r := range d.Runs {
			rec.Hunks = append(rec.Hunks, hunkRecord{
				OldStart: r.From + 1,
				OldLines: r.To - r.From,
				NewStart: r.From + 1 + shift,
				NewLines: len(r.Lines),
			})
			shift += len(r.Lines) - (r.To - r.From)
		}
		list = append(list, rec)
	}
	return list
}

// Effects returns the effects of each override file in source order. An item that an error in diags is about counts
// as refused. Refused items without any other effect come last.
func Effects(m *merge.Module, diags hcl.Diagnostics) map[*source.File][]*Effect {
	effects := map[*source.File][]*Effect{}
	eachEffect(m, func(f *source.File, e *merge.MergedItem, kind effect.Kind, x *Effect) {
		x.Drops = droppedBy(m, e, x.Item, kind)
		if len(x.Drops) > 0 {
			x.addNote("drops " + wording.Some(x.Drops, ", "))
		}
		effects[f] = append(effects[f], x)
	})
	for _, list := range effects {
		slices.SortStableFunc(list, func(a, b *Effect) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	}
	markRefused(m, effects, diags)
	return effects
}

// droppedBy returns the parts of earlier values of e that an item leaves out: keys, or names in nested blocks. It
// returns nil unless the item's effect, kind, is a replacement that is still in effect. If several blocks replace the
// earlier ones together, it returns all parts for the first block, and nil for the others.
func droppedBy(m *merge.Module, e *merge.MergedItem, it source.Item, kind effect.Kind) []string {
	isReplacement := kind == effect.Replaced && e.InEffect() && e.Live[0] == it
	if !isReplacement || e.Value != nil || e.Inner() != nil { // a computed value and a merged block drop nothing
		return nil
	}
	return wording.NewRedactor(m.Source, false).DroppedNames(e.Live, e.Losers(it))
}

// addNote adds words to the note of an effect, after "; " if it has others.
func (x *Effect) addNote(words string) { x.Note = strings.Trim(x.Note+"; "+words, "; ") }

// EffectCounts returns the number of effects of each verb in each file, as in the lists that Effects returns. Unless
// diags has errors, it makes no such lists, which would take far more memory.
func EffectCounts(m *merge.Module, diags hcl.Diagnostics) map[*source.File]map[effect.Verb]int {
	counts := map[*source.File]map[effect.Verb]int{}
	count := func(f *source.File, x *Effect) {
		if counts[f] == nil {
			counts[f] = map[effect.Verb]int{}
		}
		counts[f][x.Verb]++
	}
	if !diags.HasErrors() { // nothing is refused, so each effect can be counted as it comes
		eachEffect(m, func(f *source.File, _ *merge.MergedItem, _ effect.Kind, x *Effect) { count(f, x) })
		return counts
	}
	for f, list := range Effects(m, diags) {
		for _, x := range list {
			count(f, x)
		}
	}
	return counts
}

// EffectTotals words how many effects of each verb there are: "overrides 2, adds 1".
func EffectTotals(counts map[effect.Verb]int) string {
	var words []string
	for _, verb := range effect.Verbs {
		if n := counts[verb]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", verb.Words(), n))
		}
	}
	return strings.Join(words, ", ")
}

// eachEffect calls visit for each effect of an override, with the override's file, the merged item that it
// affects, the kind of effect, and the effect itself, without Drops.
func eachEffect(m *merge.Module, visit func(*source.File, *merge.MergedItem, effect.Kind, *Effect)) {
	hidden := hiddenBy(m)
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		outcomes := e.Outcomes()
		for i, o := range outcomes {
			if entry := effectOf(m, e, outcomes, i, hidden); entry != nil {
				entry.Address = own.String()
				visit(o.Item.Source(), e, o.Effect, entry)
			}
			// An override's block that lacks an argument of the primary one removes it without a mention.
			if o.Status == effect.StatusCleared && source.IsOverride(o.By) {
				visit(o.By.Source(), e, effect.Cleared, &Effect{
					Verb:    effect.Removes,
					Address: own.String(),
					Range:   *RangeOf(o.By),
					Status:  effect.StatusEffective,
					Rule:    *ruleOf(o.Rule, o.Why()),
					Note:    "this block doesn't set it",
				})
			}
		}
	})
}

// hiddenBy maps each item that takes precedence over others to those others, which have no effect because of it.
// Blocks that are merged item by item are left out: the items in them are listed instead.
func hiddenBy(m *merge.Module) map[source.Item][]source.Item {
	hidden := map[source.Item][]source.Item{}
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		for _, o := range e.Outcomes() {
			if o.Status == effect.StatusHidden && e.Inner() == nil {
				hidden[o.By] = append(hidden[o.By], o.Item)
			}
		}
	})
	return hidden
}

// markRefused marks as refused the effects of the override files' items that errors in diags are about. If effectAt
// finds no such effect, it appends a new one to the lists in effects.
func markRefused(m *merge.Module, effects map[*source.File][]*Effect, diags hcl.Diagnostics) {
	if !diags.HasErrors() {
		return
	}
	// The known effects by their items, each of which can be refused.
	byItem := map[source.Item]*Effect{}
	for _, list := range effects {
		for _, e := range slices.Backward(list) { // the first of several effects wins
			byItem[e.Item] = e
		}
	}
	// Only errors in override files that could be parsed are about effects.
	for _, d := range diags {
		if d.Severity != hcl.DiagError || d.Subject == nil {
			continue
		}
		f := m.Source.File(d.Subject.Filename)
		if f == nil || f.Role != source.Override || f.Broken {
			continue
		}
		at := load.ItemAt(m.Source, *d.Subject)
		e := effectAt(byItem, at)
		if e == nil { // report the item alone; at may be nil: then its address is ""
			e = &Effect{Address: nameOf(at), Range: rangeRecord(*d.Subject), Rule: ruleRecord{Summary: d.Summary + "."}}
			effects[f] = append(effects[f], e)
			if at != nil { // further errors about the item then find this effect
				byItem[at] = e
			}
		}
		if e.Verb.Mark() != effect.MarkRefused { // else its note gives the reason already
			e.Verb, e.Status, e.Note = effect.IsRefused, effect.StatusRefused, d.Summary
		}
	}
}

// effectAt returns the effect of an item or, if it has none, that of the smallest block around it that has one. It
// returns nil if there is none, or if the engine ignores that block: then an error is about the item alone.
func effectAt(effects map[source.Item]*Effect, item source.Item) *Effect {
	for at := item; at != nil; {
		if e := effects[at]; e != nil {
			if at != item && e.Verb == effect.HasNoEffect {
				return nil
			}
			return e
		}
		around := at.Within()
		if around == nil {
			break
		}
		at = around
	}
	return nil
}

// nameOf returns how a report names a refused item that has no address: its type and labels, or its name; "" for nil.
func nameOf(it source.Item) string {
	switch it := it.(type) {
	case *source.Block:
		return address.New(it.Type).Child(it.Labels...).String()
	case *source.Attr:
		return address.New(it.Name).String()
	}
	return ""
}

// effectOf returns the effect to report for the i-th outcome of e, or nil if there is nothing to report, for one of
// the reasons at each return below. hidden is hiddenBy's result.
func effectOf(
	m *merge.Module, e *merge.MergedItem, outcomes []merge.Outcome, i int, hidden map[source.Item][]source.Item,
) *Effect {
	o := outcomes[i]
	isPartOfName := o.Status == effect.StatusMatched
	if !source.IsOverride(o.Item) || isPartOfName || e.Rule.Do == rules.Flatten {
		return nil // it is in a primary file, a part of an address, or a block whose contents count as outside of it
	}
	isLeftToItems := o.Effect == effect.Ignored && e.IsReportedByItems(o.Item)
	if isLeftToItems || IsContinued(outcomes, i) {
		return nil // the items in the block report it, or the first of several blocks applied together
	}
	verb, isListed := o.Effect.Verb()
	if !isListed {
		return nil
	}
	entry := &Effect{
		Verb: verb, Item: o.Item, Range: *RangeOf(o.Item), Status: o.Status, By: RangeOf(o.By), Rule: *ruleOf(o.Rule, o.Why()),
	}
	// The verb may be more specific than the kind of effect, and the note says what the verb doesn't.
	switch o.Effect {
	case effect.Added:
		if o.Status == effect.StatusNoEffect { // added, but without effect
			entry.Verb, entry.Note = effect.HasNoEffect, wording.WhyIdle(o)
			return entry
		}
		if m.IsPartOfAddition(o.Item) {
			return nil // the added block around it reports it
		}
		// An added block that leaves others without effect replaces them.
		if _, isBlock := o.Item.(*source.Block); isBlock && len(hidden[o.Item]) > 0 {
			entry.Verb = effect.Replaces
		}
		entry.Note = hiddenNote(hidden[o.Item])
	case effect.Replaced:
		entry.describeReplacement(e, i, hidden[o.Item])
	case effect.Ignored:
		entry.Note = wording.WhyIdle(o)
	case effect.Undecided:
		entry.Note = wording.WhyUndecided(o)
	case effect.Refused:
		entry.Note = "not allowed in an override file"
	}
	// Another item may have taken the effect away.
	isLost := o.Status == effect.StatusReplaced || o.Status == effect.StatusHidden || o.Status == effect.StatusCleared
	if isLost {
		entry.noteLoss(o)
	}
	return entry
}

// noteLoss adds to the note how the item lost its effect, and to which item: "replaced by b_override.tf:3".
func (x *Effect) noteLoss(o merge.Outcome) {
	by := wording.Place(o.By)
	if o.By.Called() != o.Item.Called() && o.By.Within() != nil { // another name, nested in a block
		by = wording.Name(o.By) + " at " + by
	}
	x.addNote(o.Words() + " by " + by)
}

// IsContinued reports whether the i-th outcome continues its predecessor's effect: the item is a later one of
// several blocks that were applied together, so the description of the first holds for all.
func IsContinued(outcomes []merge.Outcome, i int) bool {
	if i == 0 {
		return false
	}
	before, o := outcomes[i-1], outcomes[i]
	return before.Effect == o.Effect && (o.Effect == effect.Added || o.Effect == effect.Replaced) &&
		merge.ShareOrigin(before.Item, o.Item)
}

// describeReplacement sets Verb and Note of x, the effect of the i-th outcome of e, which replaces earlier items. The
// verb is Repeats if the item says the same as the earlier one, otherwise Overrides for an argument and Replaces for
// a block. hidden are other items that have no effect because of x.Item. Notes are for example
//
//	Repeats     "same as main.tf:3"
//	Overrides   "outranks 1 count argument (main.tf:4)" for a hidden item, otherwise ""
//	Replaces    "2 ingress blocks (main.tf:3, main.tf:7) with 1"; no "with 1" if x.Item isn't in effect any more
func (x *Effect) describeReplacement(e *merge.MergedItem, i int, hidden []source.Item) {
	_, isAttr := x.Item.(*source.Attr)
	earlier := e.Before(i)
	switch {
	case check.IsSameAs(e, e.Outcomes(), i, earlier):
		x.Verb, x.Note = effect.Repeats, "same as "+wording.Place(earlier[0])
	case isAttr:
		x.Verb, x.Note = effect.Overrides, hiddenNote(hidden)
	default:
		replaced := append(earlier, hidden...)
		x.Verb, x.Note = effect.Replaces, wording.CountOf(replaced)
		if slices.Contains(e.Live, x.Item) { // still in effect: e.Live are the blocks that replace the earlier ones
			x.Note = wording.ReplacedBy(e.Live, replaced)
		}
	}
}

// hiddenNote words the items that have no effect because of another one: "outranks 1 ami argument (main.tf:3)" for
// arguments, the same without "outranks" for blocks, and "" for none.
func hiddenNote(hidden []source.Item) string {
	if len(hidden) == 0 {
		return ""
	}
	if _, isAttr := hidden[0].(*source.Attr); isAttr {
		return wording.Outranks + " " + wording.CountOf(hidden)
	}
	return wording.CountOf(hidden)
}
