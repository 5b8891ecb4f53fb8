package report

import (
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A DifferenceRecord is a name that does not mean the same to two engines.
type DifferenceRecord struct {
	Address string       `json:"address"`
	Sides   []sideRecord `json:"sides"` // of the one engine and of the other
}

// A sideRecord is the meaning of a name to one engine.
type sideRecord struct {
	Engine    string       `json:"engine"`
	Effective []ItemRecord `json:"effective"`
	// Assumed is the engine's assumption for items without the value.
	Assumed string      `json:"assumed,omitempty"`
	Rule    *ruleRecord `json:"rule"` // null if the name is not there
}

// DifferenceOf records a difference between two engines.
func DifferenceOf(d compare.Difference) DifferenceRecord {
	rec := DifferenceRecord{Address: d.Address.String()}
	for _, s := range d.Sides {
		redact := wording.NewRedactor(s.Module.Source, false)
		side := sideRecord{Engine: redact.Module.Engine.String(), Effective: []ItemRecord{}, Assumed: s.Assumed}
		for _, it := range s.Items {
			side.Effective = append(side.Effective, itemRecord(redact, it, false))
		}
		if s.Entry != nil {
			side.Rule = ruleOf(s.Entry.Rule, s.Entry.Rule.Why)
		}
		rec.Sides = append(rec.Sides, side)
	}
	return rec
}
