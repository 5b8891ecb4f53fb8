package excerpt

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// Of equal diagnostics, how many are shown in full, and for how many more the locations are listed.
const (
	maxInFull = 3
	maxPlaces = 20
)

// A Group is a diagnostic, with the other locations of equal ones.
type Group struct {
	*hcl.Diagnostic
	Also []hcl.Range // the first of the other locations
	More int         // how many further ones there are
}

// count returns how many diagnostics a group represents.
func (g *Group) count() int { return 1 + len(g.Also) + g.More }

// A similarKey is the same for diagnostics that differ only in their ranges, and in the names they
// mention.
type similarKey struct {
	severity        hcl.DiagnosticSeverity
	summary, detail string
	related         diag.Related
}

// An equalKey is the same for diagnostics that don't differ.
type equalKey struct {
	similarKey
	detail string
	at     hcl.Range
}

// names matches the parts in which details may differ: addresses, file names and quotations. A
// location is part of the remedy, so it must be equal.
var names = lazyregexp.New(`[^\s"]+:\d+|"(?:[^"\\]|\\.)*"|[\pL_][\pL\d_-]*(?:\.[\pL\d_\[\]*-]+)+`)

// withoutNames returns a detail with one sign for each name.
func withoutNames(detail string) string {
	return names().ReplaceAllStringFunc(detail, func(found string) string {
		if at := strings.LastIndexByte(found, ':'); at >= 0 && found[0] != '"' {
			return found
		}
		return "\x00"
	})
}

// Grouped returns the diagnostics to show: each once; of equal ones, names aside, the first three,
// the third with the locations of the others; of the rest a limited number of each kind, as Bounded
// does.
func Grouped(diags hcl.Diagnostics) []*Group {
	shown, third := map[similarKey]int{}, map[similarKey]*Group{}
	known := map[equalKey]bool{}
	var list []*Group
	for _, d := range diags {
		if d.Subject == nil || d.Subject.Start.Line == 0 {
			list = append(list, &Group{Diagnostic: d})
			continue
		}
		kind := similarKey{severity: d.Severity, summary: d.Summary, detail: withoutNames(Cut(d.Detail))}
		kind.related, _ = diag.RelatedOf(d)
		here := equalKey{kind, d.Detail, *d.Subject}
		if known[here] {
			continue
		}
		known[here] = true
		last := third[kind]
		switch {
		case last == nil:
			last = &Group{Diagnostic: d}
			list = append(list, last)
			if shown[kind]++; shown[kind] == maxInFull {
				third[kind] = last
			}
		case len(last.Also) < maxPlaces:
			last.Also = append(last.Also, *d.Subject)
		default:
			last.More++
		}
	}
	return bounded(list)
}
