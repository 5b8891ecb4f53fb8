package report

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A ChangeRecord is one value that override files change, or that differs from a revision.
type ChangeRecord struct {
	Module  string `json:"module"` // the directory of a ModuleRecord
	Block   string `json:"block"`  // the address of the top-level block
	Address string `json:"address"`
	// Path is relative to the address: keys, names in a nested block, and indexes, which refer to
	// the effective list, or for dropped values to the earlier one.
	Path   []any  `json:"path"`
	Change string `json:"change"` // changed, added or dropped
	// Inside is set if the value is part of a nested block that is itself added or dropped.
	Inside    bool        `json:"inside,omitempty"`
	Sensitive bool        `json:"sensitive"`
	Before    *ItemRecord `json:"before"` // null without an earlier value
	After     *ItemRecord `json:"after"`
	// By is the cause of the change. It is null if a value is gone since a revision and nothing
	// dropped it.
	By *RangeRecord `json:"by"`
	// Rule is the deciding rule. It is null if no override did.
	Rule *ruleRecord `json:"rule"`
	// OutrankedBy is the location of the value from a variables file that supersedes a default; nil
	// for others.
	OutrankedBy *RangeRecord `json:"outranked_by,omitempty"`
}

var changeWords = map[changes.Kind]string{
	changes.Changed: "changed", changes.Added: "added", changes.Dropped: "dropped",
}

// Changes records the overrides' changes in the module of a directory.
func Changes(m phrases.ModuleChanges, dir string) []ChangeRecord {
	list := []ChangeRecord{}
	for _, b := range m.Blocks {
		if b.IsNew || b.IsGone {
			list = append(list, blockRecord(m.Redact, dir, b))
		}
		for i := range b.Changes {
			rec := changeRecord(m.Redact, dir, b, &b.Changes[i])
			rec.OutrankedBy = OutrankedBy(m.Outranked, b.Changes[i].Item.Attr())
			list = append(list, rec)
		}
	}
	return list
}

// blockRecord records a block that is new or gone as a whole.
func blockRecord(redact wording.Redactor, dir string, b *changes.Block) ChangeRecord {
	item := itemRecord(redact, b.Item.Live[0], false)
	rec := ChangeRecord{Module: dir, Block: b.Address.String(), Address: b.Address.String(), Path: []any{}}
	if b.IsGone {
		rec.Change, rec.Before = changeWords[changes.Dropped], &item
		return rec
	}
	rec.Change, rec.After, rec.By = changeWords[changes.Added], &item, &item.Range
	if !b.IsBetween || source.IsOverride(b.Item.Live[0]) {
		rec.Rule = ruleOf(b.Item.Rule, b.Item.Rule.Why)
	}
	return rec
}

func changeRecord(redact wording.Redactor, dir string, b *changes.Block, c *changes.Change) ChangeRecord {
	rec := ChangeRecord{
		Module: dir, Block: b.Address.String(), Address: c.Address.String(), Path: []any{},
		Change: changeWords[c.Kind()], Inside: c.IsInside, Sensitive: phrases.IsSecretChange(redact, c),
		Rule: ruleOf(c.Rule, c.Why),
	}
	if by := c.By(); by.Start.Line > 0 {
		rec.By = new(rangeRecord(by))
	}
	for _, s := range c.Path.Steps() {
		if s.IsIndex {
			rec.Path = append(rec.Path, s.Index())
		} else {
			rec.Path = append(rec.Path, valid(s.Name))
		}
	}
	rec.Before = valueRecord(c.Before, rec.Sensitive || redact.Redact)
	rec.After = valueRecord(c.After, rec.Sensitive)
	return rec
}

// valueRecord records a side of a change, without the value where that is hidden.
func valueRecord(v *values.Value, isHidden bool) *ItemRecord {
	if v == nil {
		return nil
	}
	rec := &ItemRecord{Range: rangeRecord(v.Place())}
	if b, ok := v.Item.(*source.Block); ok {
		rec.Labels = b.Labels
		return rec
	}
	if isHidden {
		return rec
	}
	rec.Value, rec.Computed = new(valid(v.Text())), v.IsComputed
	return rec
}
