package report

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

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
			words += fromDifference(redact, s, other)
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

// rows are the sentences of two engines' rules, if those differ.
func rows(a, b *rules.Rule, differ bool) string {
	if !differ {
		return ""
	}
	return fmt.Sprintf(" %s: %s %s: %s", a.Releases(), a.Why, b.Releases(), b.Why)
}

// NoReading returns the finding that an engine reads none of the files of a module.
func NoReading(a compare.Reading, other engine.Release) check.Finding {
	at := hcl.Range{Filename: a.Module.Source.Files[0].Name}
	return check.EnginesDiffer.At(at, fmt.Sprintf("%s reads none of the files of this module.", other))
}

// EngineFindings returns the findings of check about two readings of a module: that only one engine
// accepts it, with the rules of both if they differ where the reason is, or the differences in meaning.
func EngineFindings(a, b compare.Reading) (list []check.Finding) {
	if mine, others := a.Refusals(), b.Refusals(); len(mine)+len(others) > 0 {
		for _, d := range others {
			text := fmt.Sprintf("%s refuses the module, %s accepts it. %s", b.Engine(), a.Engine(), d.Detail)
			if len(mine) == 0 {
				list = append(list, check.EnginesDiffer.At(*d.Subject, text+rows(compare.RulesAt(b, a, *d.Subject))))
			}
		}
		return list
	}
	for _, difference := range compare.Differences(a, b) {
		it, side := difference.Place()
		first, second := difference.Sides[0], difference.Sides[1]
		text := fmt.Sprintf("%s: %s; %s.", difference.Address.String(), sideWords(first, second), sideWords(second, first))
		d := diag.Warning(it.Header(), "", "%s", text+rows(difference.Rules()))
		[]compare.Reading{a, b}[side].Module.Source.Places(hcl.Diagnostics{d})
		list = append(list, check.EnginesDiffer.At(*d.Subject, d.Detail))
	}
	return list
}
