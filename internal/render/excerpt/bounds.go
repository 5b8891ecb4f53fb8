package excerpt

import (
	"fmt"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
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
		all := boundKey{isError: diag.IsError(d.Diagnostic)}
		if d.Subject != nil {
			all.file = d.Subject.Filename
		}
		own := all
		own.summary = d.Summary
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
		own := boundKey{isError: diag.IsError(d.Diagnostic), summary: d.Summary}
		if d.Subject != nil {
			own.file = d.Subject.Filename
		}
		whole := own
		whole.summary = ""
		all = append(all, d)
		for _, kind := range []boundKey{own, whole} {
			if n := left[kind]; n > 0 && last[kind] == i {
				all = append(all, &Group{Diagnostic: moreOf(kind, n)})
			}
		}
	}
	return all
}

// moreOf returns a diagnostic on how many of a kind are not shown.
func moreOf(kind boundKey, n int) *hcl.Diagnostic {
	noun := "warning"
	d := &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: kind.summary}
	if kind.isError {
		noun, d.Severity = "error", hcl.DiagError
	}
	if kind.summary == "" {
		d.Summary = "More " + noun + "s"
		noun = "other " + noun
	}
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	where := ""
	if kind.file != "" {
		d.Subject = &hcl.Range{Filename: kind.file}
		where = " in this file"
	}
	d.Detail = fmt.Sprintf("%s like this%s %s not shown.", wording.Count(n, "more "+noun), where, verb)
	if kind.summary == "" {
		d.Detail = fmt.Sprintf("%s%s %s not shown.", wording.Count(n, noun), where, verb)
	}
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
