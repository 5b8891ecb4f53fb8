package effects

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An Entry is the effect of an override file on one name.
type Entry struct {
	Verb    effect.Verb
	Address string
	Item    source.Item // the item with the effect; nil for an omission, and if only a diagnostic is known
	Range   hcl.Range   // where it has it
	Status  effect.Status
	By      source.Item // what decided on the status; nil if the item itself
	Rule    *rules.Rule // nil if only a diagnostic is known
	Why     string      // the rule, or the diagnostic, in one sentence
	Drops   []string    // names in earlier values that the item leaves out
	Note    string      // what to add for people, in a few words; may be empty
}

// Of returns the effects of each override file, in source order, and the engine's refusals
// according to diags. Refused items without any other effect come last.
func Of(m *merge.Module, diags hcl.Diagnostics) map[*source.File][]*Entry {
	effects := map[*source.File][]*Entry{}
	each(m, func(f *source.File, e *merge.MergedItem, did effect.Kind, x *Entry) {
		if did == effect.Replaced && e.InEffect() && e.Live[0] == x.Item && e.Value == nil && e.Inner() == nil {
			x.drop(wording.NewRedactor(m.Source, false).DroppedNames(e.Live, e.Losers(x.Item)))
		}
		effects[f] = append(effects[f], x)
	})
	for _, list := range effects {
		slices.SortStableFunc(list, func(a, b *Entry) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	}
	refuse(m, effects, diags)
	return effects
}

// Counts returns totals of the effects of Of by verb, which takes far less memory.
func Counts(m *merge.Module, diags hcl.Diagnostics) map[*source.File]map[effect.Verb]int {
	counts := map[*source.File]map[effect.Verb]int{}
	count := func(f *source.File, x *Entry) {
		if counts[f] == nil {
			counts[f] = map[effect.Verb]int{}
		}
		counts[f][x.Verb]++
	}
	if !diags.HasErrors() {
		each(m, func(f *source.File, _ *merge.MergedItem, _ effect.Kind, x *Entry) { count(f, x) })
		return counts
	}
	for f, list := range Of(m, diags) {
		for _, x := range list {
			count(f, x)
		}
	}
	return counts
}

// each visits the effects on items, but for what they drop, each with its file, the entry and what
// the item did to that.
func each(m *merge.Module, visit func(*source.File, *merge.MergedItem, effect.Kind, *Entry)) {
	hidden := hiddenBy(m)
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		outcomes := e.Outcomes()
		for i, o := range outcomes {
			if entry := effectOf(m, e, outcomes, i, hidden); entry != nil {
				entry.Address = own.String()
				visit(o.Item.Source(), e, o.Effect, entry)
			}
			if o.Status == effect.StatusCleared && source.IsOverride(o.By) {
				visit(o.By.Source(), e, effect.Cleared, &Entry{
					Verb:    effect.Removes,
					Address: own.String(),
					Range:   source.Where(o.By),
					Status:  effect.StatusEffective,
					Rule:    o.Rule,
					Why:     o.Why(),
					Note:    "this block doesn't set it",
				})
			}
		}
	})
}

// hiddenBy lists the items without effect because of an item, if they have no successor.
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

// refuse marks items that the engine refuses. Items without an entry yet get one.
func refuse(m *merge.Module, effects map[*source.File][]*Entry, diags hcl.Diagnostics) {
	if !diags.HasErrors() {
		return
	}
	byItem := map[source.Item]*Entry{}
	for _, list := range effects {
		for _, e := range slices.Backward(list) {
			byItem[e.Item] = e
		}
	}
	for _, d := range diags {
		if d.Severity != hcl.DiagError || d.Subject == nil {
			continue
		}
		f := m.Source.File(d.Subject.Filename)
		if f == nil || f.Role != source.Override || f.Broken {
			continue
		}
		at := load.ItemAt(m.Source, *d.Subject)
		e := innermost(byItem, at)
		if e == nil || e.Item != at && e.Verb == effect.HasNoEffect { // an ignored item contains a refused one
			e = &Entry{Address: nameOf(at), Range: *d.Subject, Why: d.Summary + "."}
			effects[f] = append(effects[f], e)
			if at != nil {
				byItem[at] = e
			}
		}
		if e.Verb.Mark() != effect.MarkRefused {
			e.Verb, e.Status, e.Note = effect.IsRefused, effect.StatusRefused, d.Summary
		}
	}
}

// innermost is the effect of an item, or of the smallest item around it that has one; or nil.
func innermost(effects map[source.Item]*Entry, it source.Item) *Entry {
	for it != nil {
		if e := effects[it]; e != nil {
			return e
		}
		b := it.Within()
		if b == nil {
			break
		}
		it = b
	}
	return nil
}

// nameOf is the name of an item without an address.
func nameOf(it source.Item) string {
	switch it := it.(type) {
	case *source.Block:
		return address.New(it.Type).Child(it.Labels...).String()
	case *source.Attr:
		return address.New(it.Name).String()
	}
	return ""
}
