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

// sideMeaning words what a name means to the engine of s: "opentofu@1.12.6 uses 5 at main.tf:3". If both sides have
// one value, each too long to be shown whole, it adds an excerpt around the first difference.
func sideMeaning(s, other compare.Side) string {
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
		if by := s.Converters(); len(by) > 0 { // such as a variable's type
			part += " (converted by " + wording.Place(by[0]) + ")"
		}
		if assumed := s.Entry.Rule.Assumed(it); assumed != "" { // such as lifecycle.destroy = false
			part += " (implies " + assumed + ")"
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%s uses %s", engine, wording.Some(parts, ", "))
}

// rulesText returns sentences about the rules that two engines follow; "" unless the rules differ. Its
// parameters are the results of compare.RulesAt.
func rulesText(a, b *rules.Rule, differ bool) string {
	if !differ {
		return ""
	}
	return fmt.Sprintf(" %s: %s %s: %s", a.Releases(), a.Why, b.Releases(), b.Why)
}

// NoReading returns the finding that an engine, other, reads none of a module's files. a is how another engine
// reads the module; the finding is about its first file.
func NoReading(a compare.Reading, other engine.Release) check.Finding {
	at := hcl.Range{Filename: a.Module.Source.Files[0].Name}
	return check.EnginesDiffer.At(at, fmt.Sprintf("%s reads none of the files of this module.", other))
}

// EngineFindings compares two engines' readings of a module. If a's engine refuses the module, it returns nil. If
// only b's engine refuses it, each finding is a reason why, with both rules if these differ. If both accept the
// module, each finding is about a name that means something else to each engine.
func EngineFindings(a, b compare.Reading) (list []check.Finding) {
	if len(a.Refusals()) > 0 { // these errors are findings already
		return nil
	}
	if refusals := b.Refusals(); len(refusals) > 0 {
		for _, d := range refusals {
			text := fmt.Sprintf("%s refuses the module, %s accepts it. %s", b.Engine(), a.Engine(), d.Detail)
			list = append(list, check.EnginesDiffer.At(*d.Subject, text+rulesText(compare.RulesAt(b, a, *d.Subject))))
		}
		return list
	}
	for _, difference := range compare.Differences(a, b) {
		it, side := difference.Place()
		first, second := difference.Sides[0], difference.Sides[1]
		text := fmt.Sprintf("%s: %s; %s.", difference.Address.String(), sideMeaning(first, second), sideMeaning(second, first))
		d := diag.Warning(it.Header(), "", "%s", text+rulesText(difference.Rules()))
		reading := []compare.Reading{a, b}[side] // the one that the item is from
		// An item of a JSON file has its range in a native translation. PlaceOnDisk changes it to the one on disk.
		reading.Module.Source.PlaceOnDisk(hcl.Diagnostics{d})
		list = append(list, check.EnginesDiffer.At(*d.Subject, d.Detail))
	}
	return list
}
