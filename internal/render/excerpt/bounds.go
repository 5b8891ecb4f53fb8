package excerpt

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A small file can contain very many mistakes. The listing is bounded; the totals are exact.

// How many diagnostics of one summary about one file are shown, how many about one
// file of all summaries, and how many bytes of each text. Nothing is lost of
// warnings that people would read: there are more of them than of errors.
const (
	maxErrorsAlike   = 10
	maxWarningsAlike = 50
	maxOfFile        = 200
	maxText          = 4000
)

// A boundKey is the same for diagnostics with a common limit.
type boundKey struct {
	isError bool
	file    string
	summary string // "" for all of the file
}

// keys are those of a group's summary and of all about its file.
func (g *Group) keys() (own, ofFile boundKey) {
	ofFile.isError = diag.IsError(g.Diagnostic)
	if g.Subject != nil {
		ofFile.file = g.Subject.Filename
	}
	own = ofFile
	own.summary = g.Summary
	return own, ofFile
}

// Bounded returns diagnostics, limited to some of each kind. Behind the last one of a kind, another
// diagnostic gives the number of the rest.
func Bounded(diags hcl.Diagnostics) hcl.Diagnostics {
	groups := make([]*Group, len(diags))
	for i, d := range diags {
		groups[i] = &Group{Diagnostic: d}
	}
	var list hcl.Diagnostics
	for _, g := range bounded(groups) {
		list = append(list, g.Diagnostic)
	}
	return list
}

// bounded returns groups without those that are too many of a kind, as Bounded does.
func bounded(groups []*Group) []*Group {
	shown, last, left := map[boundKey]int{}, map[boundKey]int{}, map[boundKey]int{}
	var list []*Group
	for _, d := range groups {
		own, all := d.keys()
		most := maxErrorsAlike
		if !all.isError {
			most = maxWarningsAlike
		}
		switch {
		case shown[own] == most:
			left[own] += d.count()
		case shown[all] == maxOfFile:
			left[all] += d.count()
		default:
			shown[own], shown[all] = shown[own]+1, shown[all]+1
			last[own], last[all] = len(list), len(list)
			list = append(list, d)
		}
	}
	list = terse(list)
	if len(left) == 0 {
		return list
	}
	return withRest(list, last, left)
}

// terse removes sentences that the detail of an earlier group already contains.
func terse(list []*Group) []*Group {
	traps := diag.Traps{}
	for i, g := range list {
		if g.Subject == nil {
			continue
		}
		if detail := traps.Once(g.Subject.Filename, g.Detail); detail != g.Detail {
			d, own := *g.Diagnostic, *g
			d.Detail, own.Diagnostic = detail, &d
			list[i] = &own
		}
	}
	return list
}

// withRest adds a diagnostic on how many of each kind are left out.
func withRest(list []*Group, last, left map[boundKey]int) []*Group {
	var all []*Group
	for i, d := range list {
		own, ofFile := d.keys()
		all = append(all, d)
		for _, kind := range []boundKey{own, ofFile} {
			if n := left[kind]; n > 0 && last[kind] == i {
				all = append(all, &Group{Diagnostic: moreOf(kind, n)})
			}
		}
	}
	return all
}

// moreOf returns a diagnostic on how many of a kind are not shown.
func moreOf(kind boundKey, n int) *hcl.Diagnostic {
	d, noun, where := &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: kind.summary}, "warning", ""
	if kind.isError {
		d.Severity, noun = hcl.DiagError, "error"
	}
	if kind.file != "" {
		d.Subject, where = &hcl.Range{Filename: kind.file}, " in this file"
	}
	one, more := "more "+noun+" like this", "more "+noun+"s like this"
	if kind.summary == "" {
		d.Summary, one, more = "More "+noun+"s", "other "+noun, "other "+noun+"s"
	}
	d.Detail = wording.Number(n, one+where+" is not shown.", more+where+" are not shown.")
	return d
}

// Cut shortens a text of more than 4000 bytes, and ends it with an ellipsis then.
func Cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// Of equal diagnostics, how many are shown in full, and for how many more the locations are listed.
const (
	maxInFull = 3
	maxPlaces = 20
)

// A Group is a diagnostic, with the other locations of equal ones.
type Group struct {
	*hcl.Diagnostic
	Also []*hcl.Diagnostic // the first at the other locations
	More int               // how many further ones there are
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
			last.Also = append(last.Also, d)
		default:
			last.More++
		}
	}
	return bounded(list)
}
