package report

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A FileRecord is one name of the module directory, and what is told of it.
type FileRecord struct {
	Filename string `json:"filename"`
	Role     string `json:"role,omitempty"`   // primary or override
	Status   string `json:"status,omitempty"` // read, shadowed, excluded, ignored or not_read
	Syntax   string `json:"syntax,omitempty"` // native or json
	// Order counts the files of a role, from 1, as they are loaded.
	Order      int             `json:"order,omitempty"`
	Overlay    bool            `json:"overlay,omitempty"`
	Broken     bool            `json:"broken,omitempty"`      // it can't be read or parsed
	ShadowedBy string          `json:"shadowed_by,omitempty"` // a file name
	ReadBy     string          `json:"read_by,omitempty"`     // the releases that read it, in words, if the one at hand does not
	MeantFor   string          `json:"meant_for,omitempty"`   // the name of the override file that it may be meant to be
	Effects    []*EffectRecord `json:"effects,omitempty"`     // of an override file

	Against    string       `json:"against,omitempty"` // what it is compared with, if not with itself
	IsNew      bool         `json:"new,omitempty"`
	Insertions *int         `json:"insertions,omitempty"`
	Deletions  *int         `json:"deletions,omitempty"`
	Hunks      []HunkRecord `json:"hunks,omitempty"`

	file *source.File
}

// A HunkRecord is a run of lines that is exchanged for others. Lines count from 1.
type HunkRecord struct {
	OldStart int `json:"old_start"`
	OldLines int `json:"old_lines"`
	NewStart int `json:"new_start"`
	NewLines int `json:"new_lines"`
}

// An EffectRecord is what an override file does to one name.
type EffectRecord struct {
	Effect  merge.Deed   `json:"effect"`
	Address string       `json:"address"`
	Range   RangeRecord  `json:"range"`
	Status  string       `json:"status"`
	By      *RangeRecord `json:"by"`
	Rule    RuleRecord   `json:"rule"`

	Note string      `json:"-"` // what there is to add, for people
	item source.Item // nil where only a diagnostic tells of it
}

// Files records every name of the directory, those that are read before others,
// each in load order, and what each override file does.
func Files(m *merge.Module, diags hcl.Diagnostics) []FileRecord {
	effects := effectsOf(m)
	refuse(m, effects, diags)
	var list []FileRecord
	counts := map[source.Role]int{}
	for _, f := range m.Source.Files {
		counts[f.Role]++
		rec := FileRecord{Filename: f.Name, Role: "primary", Status: "read", Syntax: "native", Order: counts[f.Role], Overlay: f.Overlay, Broken: f.Broken, Effects: effects[f], file: f}
		if f.Role == source.Override {
			rec.Role = "override"
		}
		if f.Syntax == source.JSON {
			rec.Syntax = "json"
		}
		list = append(list, rec)
	}
	meant := map[string]string{}
	for _, e := range m.Source.Names {
		if e.Status == load.Read {
			meant[e.Name] = e.Meant
		}
	}
	for i := range list {
		list[i].MeantFor = meant[list[i].Filename]
	}
	for _, e := range m.Source.Names {
		if e.Status != load.Read {
			list = append(list, unread(e))
		}
	}
	return list
}

func unread(e load.DirEntry) FileRecord {
	rec := FileRecord{Filename: e.Name, ShadowedBy: e.By, MeantFor: e.Meant}
	switch e.Status {
	case load.Shadowed:
		rec.Status = "shadowed"
	case load.Excluded:
		rec.Status = "excluded"
	case load.Ignored:
		rec.Status = "ignored"
	case load.Foreign:
		rec.Status, rec.ReadBy = "not_read", engine.Describe(engine.Release.ReadsTofuFiles)
	default:
		rec.Status = "not_read"
	}
	return rec
}

// effectsOf lists what each override file does, in the order of its text.
func effectsOf(m *merge.Module) map[*source.File][]*EffectRecord {
	effects := map[*source.File][]*EffectRecord{}
	hidden := hiddenBy(m)
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		outcomes := e.Outcomes()
		for i, o := range outcomes {
			if rec := effectOf(m, e, outcomes, i, hidden); rec != nil {
				rec.Address = own.String()
				effects[o.Item.Source()] = append(effects[o.Item.Source()], rec)
			}
			if o.Status == merge.StatusCleared && source.IsOverride(o.By) {
				effects[o.By.Source()] = append(effects[o.By.Source()], &EffectRecord{
					Effect: merge.Removes, Address: own.String(), Range: rangeRecord(source.Where(o.By)), Status: string(merge.StatusEffective),
					Rule: ruleRecord(o), Note: "it has none",
				})
			}
		}
	})
	for _, list := range effects {
		slices.SortStableFunc(list, func(a, b *EffectRecord) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	}
	return effects
}

// refuse marks what override files do that the engine refuses. What has no effect
// that could be marked gets one.
func refuse(m *merge.Module, effects map[*source.File][]*EffectRecord, diags hcl.Diagnostics) {
	byItem := map[source.Item]*EffectRecord{}
	for _, list := range effects {
		for _, e := range slices.Backward(list) {
			byItem[e.item] = e
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
		rec := innermost(byItem, at)
		if rec == nil {
			rec = &EffectRecord{Address: nameOf(at), Range: rangeRecord(*d.Subject), Rule: RuleRecord{Summary: d.Summary + "."}}
			effects[f] = append(effects[f], rec)
		}
		if rec.Effect.Mark() != merge.MarkRefused {
			rec.Effect, rec.Status, rec.Note = merge.IsRefused, string(merge.StatusRefused), d.Summary
		}
	}
}

// innermost is the effect of an item, or of the smallest one around it that has
// one; nil if there is none.
func innermost(effects map[source.Item]*EffectRecord, it source.Item) *EffectRecord {
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

// nameOf is what an item is called where it has no address.
func nameOf(it source.Item) string {
	switch it := it.(type) {
	case *source.Block:
		return address.Address(it.Type).Child(it.Labels...).String()
	case *source.Attr:
		return it.Name
	}
	return ""
}

func ruleRecord(o merge.Outcome) RuleRecord {
	return RuleRecord{o.Rule.Path, o.Why(), o.Rule.Releases()}
}

// effectOf tells what one item of an override file does; nothing of those whose
// own items tell, and of all but the first of blocks that come together.
func effectOf(m *merge.Module, e *merge.MergedItem, outcomes []merge.Outcome, i int, hidden map[source.Item][]source.Item) *EffectRecord {
	o := outcomes[i]
	if !source.IsOverride(o.Item) || o.Status == merge.StatusMatched || e.Rule.Do == merge.Flatten {
		return nil
	}
	if o.Did == merge.Ignored && e.IsReportedByItems(o.Item) {
		return nil
	}
	if i > 0 && outcomes[i-1].Did == o.Did && (o.Did == merge.Added || o.Did == merge.Replaced) && merge.ShareOrigin(outcomes[i-1].Item, o.Item) {
		return nil
	}
	deed, isListed := o.Did.Deed()
	if !isListed {
		return nil
	}
	rec := &EffectRecord{item: o.Item, Effect: deed, Range: rangeRecord(source.Where(o.Item)), Status: string(o.Status), Rule: ruleRecord(o)}
	if o.By != nil {
		by := rangeRecord(source.Where(o.By))
		rec.By = &by
	}
	switch o.Did {
	case merge.Added:
		if o.Status == merge.StatusNoEffect {
			rec.Effect, rec.Note = merge.HasNoEffect, wording.WhyIdle(o)
			return rec
		}
		if m.IsPartOfAddition(o.Item) {
			return nil
		}
		adding(rec, o, hidden[o.Item])
	case merge.Replaced:
		replacing(rec, e, i, hidden[o.Item])
	case merge.Ignored:
		rec.Note = wording.WhyIdle(o)
	case merge.Undecided:
		rec.Note = "only the provider's schema tells"
		if o.By == nil {
			rec.Note = "what it overrides may stand in a file that can't be read or parsed"
		}
	case merge.Missing:
		rec.Note = "there is nothing to override"
	case merge.Refused:
		rec.Note = "an override file can't set this"
	}
	if o.Status == merge.StatusReplaced || o.Status == merge.StatusHidden || o.Status == merge.StatusCleared {
		rec.Note = strings.TrimPrefix(rec.Note+"; "+o.Status.Words()+" by "+wording.Place(o.By), "; ")
	}
	return rec
}

// hiddenBy lists what has no effect because of an item, for want of a successor
// of its own.
func hiddenBy(m *merge.Module) map[source.Item][]source.Item {
	hidden := map[source.Item][]source.Item{}
	address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
		for _, o := range e.Outcomes() {
			if o.Status == merge.StatusHidden && e.Inner == nil {
				hidden[o.By] = append(hidden[o.By], o.Item)
			}
		}
	})
	return hidden
}

// adding tells what an item does that nothing was there for.
func adding(rec *EffectRecord, o merge.Outcome, hidden []source.Item) {
	if _, isBlock := o.Item.(*source.Block); isBlock && len(hidden) > 0 {
		rec.Effect = merge.Replaces
	}
	rec.Note = hiding(hidden)
}

func hiding(hidden []source.Item) string {
	if len(hidden) == 0 {
		return ""
	}
	if _, isAttr := hidden[0].(*source.Attr); isAttr {
		return "hides " + wording.CountOf(hidden)
	}
	return wording.CountOf(hidden)
}

// replacing tells what an item does to what was there before it.
func replacing(rec *EffectRecord, e *merge.MergedItem, i int, hidden []source.Item) {
	outcomes := e.Outcomes()
	_, isAttr := outcomes[i].Item.(*source.Attr)
	earlier := e.Before(i)
	switch {
	case check.IsSameAs(outcomes, i, earlier):
		rec.Effect, rec.Note = merge.Repeats, "as at "+wording.Place(earlier[0])
	case isAttr:
		rec.Effect, rec.Note = merge.Overrides, hiding(hidden)
	default:
		rec.Note = wording.CountOf(append(earlier, hidden...))
	}
}
