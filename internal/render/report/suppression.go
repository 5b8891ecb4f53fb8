package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// What comments silence, in formats that have only findings.

// Ignored words how many findings comments silence, and of which rules; empty if none.
func (r *Report) Ignored() string {
	all := 0
	if r.Counts != nil {
		all = r.Counts.Ignored
	}
	return IgnoredText(all, rulesOf(r.Suppressed))
}

// rulesOf totals findings by rule.
func rulesOf(list []FindingRecord) map[string]int {
	rules := map[string]int{}
	for i := range list {
		rules[list[i].Rule] += list[i].Count()
	}
	return rules
}

// IgnoredText reports that comments silence findings of some rules, and their total number if that
// is larger; empty if none.
func IgnoredText(all int, rules map[string]int) string {
	known := 0
	for _, n := range rules {
		known += n
	}
	all = max(all, known)
	var parts []string
	for _, id := range commonest(rules) {
		parts = append(parts, fmt.Sprintf("%s %d", id, rules[id]))
	}
	text := fmt.Sprintf("%d findings are ignored by comments", all)
	switch all {
	case 0:
		return ""
	case 1:
		text = "1 finding is ignored by a comment"
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

// Suppress records warnings about a module that comments silence.
func (r *Report) Suppress(m *load.Module, ignored []check.Suppression) {
	var list []check.Finding
	for i := range ignored {
		list = append(list, ignored[i].Finding)
	}
	dir := cmp.Or(strings.TrimSuffix(m.Prefix, "/"), ".")
	r.Suppressed = append(r.Suppressed, Findings(m, dir, list)...)
}

// A silencedFile holds the findings that comments of one file silence.
type silencedFile struct {
	first *suppressionRecord
	list  []FindingRecord
}

// silencedFiles are the files whose comments silence findings.
func (r *Report) silencedFiles() []*silencedFile {
	var files []*silencedFile
	at := map[string]*silencedFile{}
	for _, f := range r.Suppressed {
		by := f.Suppression
		if by == nil {
			continue // one that represents others of its file
		}
		in := at[by.Path]
		if in == nil {
			in = &silencedFile{first: by}
			at[by.Path] = in
			files = append(files, in)
		}
		if by.Range.Start.Byte < in.first.Range.Start.Byte {
			in.first = by
		}
		in.list = append(in.list, f)
	}
	return files
}

// SilencedBy names the comment that silences a finding, and its text; empty if there is none.
func SilencedBy(f *FindingRecord) string {
	by := f.Suppression
	if by == nil {
		return ""
	}
	text := "ignored at " + fullPlace(by.Path, by.Range)
	if by.Reason != "" {
		text += ": " + by.Reason
	}
	return text
}
