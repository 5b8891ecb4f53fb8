package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What comments silence, in formats that have only findings.

// Ignored says how many findings comments silence, and of which rules; empty if none.
func (r *Report) Ignored() string {
	all := 0
	if r.Counts != nil {
		all = r.Counts.Ignored
	}
	return ignoredText(all, r.Suppressed)
}

// ignoredText says that comments silence so many findings, of which some are recorded.
func ignoredText(all int, list []FindingRecord) string {
	rules := map[string]int{}
	recorded := 0
	for i := range list {
		rules[list[i].Rule] += list[i].Count()
		recorded += list[i].Count()
	}
	all = max(all, recorded)
	var parts []string
	for _, id := range slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return cmp.Or(rules[b]-rules[a], strings.Compare(a, b))
	}) {
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

// A silencedFile is what the comments of one file silence.
type silencedFile struct {
	first *SuppressionRecord
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

// SilencedBy names the comment that silences a finding, and what it says; empty if none does.
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
