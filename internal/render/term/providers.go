package term

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// mostProviders is how many providers are listed for people.
const mostProviders = 20

// writeProviders writes the module's requirements for the providers in a lock file. If there are
// many, those that fit are left out first.
func writeProviders(out *strings.Builder, f report.OtherFileRecord, own engine.Product, to screen.Screen) {
	table := &table{
		Indent:  effectsIndent,
		Columns: []column{{}, {Middle: true}, {Middle: true}},
	}
	shown, left := someProviders(f.Providers)
	for _, p := range shown {
		locked := ""
		if p.Locked != nil {
			locked = *p.Locked
		}
		source := diag.Escape(strings.TrimPrefix(p.Source, own.Registry()+"/"))
		var color func(string) string
		if p.Status == providers.NotMet || p.Status == providers.Undecided { // init or a plan would complain
			color = to.Warning
		}
		row := []cell{
			{Text: statusWords(p.Status), Color: color}, {Text: source}, {Text: locked}, {Text: noteOnProvider(p, f.CallsModules)},
		}
		for i := range table.Columns {
			table.Columns[i].Width = max(table.Columns[i].Width, len(row[i].Text))
		}
		table.Rows = append(table.Rows, row)
	}
	for i := range table.Columns {
		table.Columns[i].Min = shortestName(table.Columns[i].Width)
	}
	table.write(out, to)
	if left > 0 {
		fmt.Fprintf(out, "%s… %d more\n", table.Indent, left)
	}
}

// someProviders are those that are listed, and how many are left out.
func someProviders(list []report.ProviderRecord) (shown []report.ProviderRecord, left int) {
	if len(list) <= mostProviders {
		return list, 0
	}
	for _, p := range list {
		if p.Status != providers.Met && p.Status != providers.NotRequired && len(shown) < mostProviders {
			shown = append(shown, p)
		}
	}
	return shown, len(list) - len(shown)
}

// noteOnProvider explains why a provider is needed, and who needs it.
func noteOnProvider(p report.ProviderRecord, callsModules bool) string {
	switch {
	case p.RequiredBy == nil && p.Status == providers.Undecided:
		return "a file can't be read or parsed"
	case p.RequiredBy == nil && callsModules:
		return "a called module may need it"
	case p.RequiredBy == nil:
		return ""
	}
	var notes []string
	switch {
	case p.LockedFor != "":
		notes = append(notes, "locked for "+engine.Product(p.LockedFor).Title()+" only")
	case p.Status == providers.Undecided && p.Locked == nil:
		notes = append(notes, "its locked version can't be read")
	}
	var words []string
	for _, c := range p.Constraints {
		text := safetext.Printable(c.Constraint)
		switch {
		case !c.IsReadable:
			text = "invalid constraint " + text
		case p.Status == providers.NotMet && c.IsMet:
			continue
		}
		words = append(words, fmt.Sprintf("%s (%s)", text, c.Range.Place()))
	}
	needs := wording.Some(words, "; ")
	switch {
	case p.Status == providers.NotMet:
		needs = "needs " + needs
	case len(words) > 0:
	case p.RequiredBy.Implied:
		needs = fmt.Sprintf("implied by %s (%s)", p.RequiredBy.Address, p.RequiredBy.Range.Place())
	default:
		needs = fmt.Sprintf("any version (%s)", p.RequiredBy.Range.Place())
	}
	return strings.Join(append(notes, needs), "; ")
}
