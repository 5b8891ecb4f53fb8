package report

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// EngineNotes describe effects that the printed configuration of one side doesn't show: the engine's
// assumptions about items, and items without effect.
func EngineNotes(d compare.Difference, i int) (notes []string) {
	for _, it := range d.Sides[i].Items {
		if assumed := d.Sides[i].Entry.Rule.Assumed(it); assumed != "" {
			notes = append(notes, wording.Place(it)+" implies "+assumed)
		}
	}
	for _, it := range d.Sides[i].Passed {
		notes = append(notes, wording.Place(it)+" is ignored")
	}
	return notes
}

// sideWords describes a name as one engine reads it. Values too long to be shown are cut to the
// text from the first difference between the two.
func sideWords(s, other compare.Side) string {
	redact := wording.Redactor{Module: s.Module.Source}
	engine := redact.Module.Engine
	if len(s.Items) == 0 {
		return fmt.Sprintf("%s has none", engine)
	}
	var parts []string
	for _, it := range s.Items {
		words := redact.InEffect(s.Entry, it)
		if len(s.Items) == 1 && len(other.Items) == 1 {
			words = InEffectBeside(redact, s.Entry, it, other.Entry, other.Items[0])
		}
		part := fmt.Sprintf("%s at %s", words, wording.Place(it))
		if by := s.Converters(); len(by) > 0 {
			part += " (converted by " + wording.Place(by[0]) + ")"
		}
		if assumed := s.Entry.Rule.Assumed(it); assumed != "" {
			part += " (implies " + assumed + ")"
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%s uses %s", engine, wording.Some(parts, ", "))
}

// EngineWarning returns a warning about a difference, and the index of the module that contains its
// range.
func EngineWarning(d compare.Difference) (warning *hcl.Diagnostic, side int) {
	it, side := d.Place()
	detail := fmt.Sprintf("%s: %s; %s.", d.Address.String(), sideWords(d.Sides[0], d.Sides[1]), sideWords(d.Sides[1], d.Sides[0]))
	detail += rows(d.Rules())
	return diag.WithCode(diag.EnginesDiffer, diag.Warning(it.Header(), "Engines differ", "%s", detail)), side
}

// rows are the sentences of two engines' rules, if those differ.
func rows(a, b *rules.Rule, differ bool) string {
	if !differ {
		return ""
	}
	return fmt.Sprintf(" %s: %s %s: %s", a.Releases(), a.Why, b.Releases(), b.Why)
}

// Refusal is the reason why one engine refuses a module, with the rules of both if they differ where
// the reason is.
func Refusal(r, other compare.Reading, d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return d.Detail
	}
	return d.Detail + rows(compare.RulesAt(r, other, *d.Subject))
}

// NoFiles returns the reading of an engine that reads none of the files that the other one
// does.
func NoFiles(other compare.Reading, e engine.Release) compare.Reading {
	why := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "No configuration files", Detail: readsNothing(e)}
	empty := &load.Module{Dir: other.Module.Source.Dir, Engine: e}
	return compare.Reading{Module: &merge.Module{Source: empty}, Diags: hcl.Diagnostics{why}}
}

func readsNothing(e engine.Release) string {
	return fmt.Sprintf("%s reads none of the files of this module.", e)
}

// NoReading returns the finding that an engine reads none of the files of a module.
func NoReading(a compare.Reading, other engine.Release) check.Finding {
	at := hcl.Range{Filename: a.Module.Source.Files[0].Name}
	return check.EnginesDiffer.At(at, readsNothing(other))
}

// EngineFindings returns the findings of check about two readings of a module: that only one engine
// accepts it, or the differences in meaning.
func EngineFindings(a, b compare.Reading) (list []check.Finding) {
	note := func(d *hcl.Diagnostic, message string) {
		list = append(list, check.EnginesDiffer.At(*d.Subject, message))
	}
	if mine, others := a.Refusals(), b.Refusals(); len(mine)+len(others) > 0 {
		if len(mine) == 0 {
			for _, d := range others {
				note(d, fmt.Sprintf("%s refuses the module, %s accepts it. %s", b.Engine(), a.Engine(), Refusal(b, a, d)))
			}
		}
		return list
	}
	for _, difference := range compare.Differences(a, b) {
		d, side := EngineWarning(difference)
		[]compare.Reading{a, b}[side].Module.Source.Places(hcl.Diagnostics{d})
		note(d, d.Detail)
	}
	return list
}

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
