package report

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A CountsRecord holds totals of check's findings, whether they are listed or not.
type CountsRecord struct {
	SeverityCounts
	// Failing is the number of findings at or above --fail-on, which make the exit status 2.
	Failing int            `json:"failing"`
	Rules   map[string]int `json:"rules"` // by id
	// Baseline is the number of findings left out because the baseline contains them, and Ignored
	// the number that comments silence.
	Baseline int `json:"baseline"`
	Ignored  int `json:"ignored"`
	// Filtered is the number of findings that --filter and --select leave out.
	Filtered int `json:"filtered"`
	// LeftOut is the number of findings that settings leave out, by what sets them: FILE:LINE or a
	// flag. Rules that are off by default have none.
	LeftOut map[string]int `json:"left_out"`
}

// A StaleRecord is a finding that is in the baseline but no longer in the module.
type StaleRecord struct {
	Module  string `json:"module"` // as the baseline calls it
	Rule    string `json:"rule"`
	Address string `json:"address,omitempty"`
	File    string `json:"file,omitempty"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
}

// SeverityCounts holds the numbers of findings of each severity.
type SeverityCounts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notices  int `json:"notices"`
}

// Findings returns the number of findings of all severities.
func (c SeverityCounts) Findings() int { return c.Errors + c.Warnings + c.Notices }

// Count adds n findings of a severity.
func (c *SeverityCounts) Count(s check.Severity, n int) {
	switch s {
	case check.Error:
		c.Errors += n
	case check.Warning:
		c.Warnings += n
	case check.Notice:
		c.Notices += n
	}
}

// CountFindings sets Counts, ErrorCount, WarningCount and Valid from the listed findings.
func (r *Report) CountFindings() {
	r.Counts = &CountsRecord{Rules: rulesOf(r.Findings), LeftOut: map[string]int{}}
	for i := range r.Findings {
		r.Counts.Count(r.Findings[i].Level(), r.Findings[i].Count())
	}
	r.ErrorCount, r.WarningCount = r.Counts.Errors, r.Counts.Warnings
	r.Valid = r.ErrorCount == 0
}

// manyFindings is the number of findings above which totals by rule are printed, too.
const manyFindings = 10

// totals returns the lines that end a report for people: how many findings there are of each severity, how
// many are hidden and why, and totals by rule. It is "" if there are no findings.
func (r *Report) totals(o FormatOptions) string {
	t := r.Counts
	if t == nil || t.Findings()+t.Hidden() == 0 {
		return ""
	}
	// The numbers by severity, or that there are none.
	var parts []string
	switch {
	case t.Findings() > 0: // the numbers follow
	case t.Baseline > 0 || r.OnlyNew != "":
		parts = append(parts, "no new findings")
	default:
		parts = append(parts, "no findings")
	}
	parts = append(parts, wordsOf([]counted{
		{t.Errors, "error", "errors"}, {t.Warnings, "warning", "warnings"}, {t.Notices, "notice", "notices"},
	})...)
	text := strings.Join(parts, ", ") + " in " + r.moduleCount()
	// Then what could be fixed, what is hidden, and why.
	fixable := 0 // as far as the fixes were computed
	for i := range r.Findings {
		if r.Findings[i].Fix != nil {
			fixable++
		}
	}
	if fixable > 0 {
		text += fmt.Sprintf("; %d fixable with --fix", fixable)
	}
	if t.Baseline > 0 {
		text += fmt.Sprintf("; %d hidden by the baseline", t.Baseline)
	}
	if t.Ignored > 0 {
		text += fmt.Sprintf("; %d ignored by comments", t.Ignored)
	}
	text += t.leftOut() + r.compared()
	if assumed := r.AssumedEngines(); len(assumed) > 0 {
		text += "; " + assumedText(assumed)
	}
	return o.Screen.WrapLine(0, text, screen.Hang) + "\n" + r.byRule()
}

// A counted is a number with the words for one and for several of what it counts.
type counted struct {
	n         int
	one, more string
}

// wordsOf words the numbers that aren't 0, such as "2 errors".
func wordsOf(list []counted) (words []string) {
	for _, c := range list {
		if c.n > 0 {
			words = append(words, wording.Number(c.n, c.one, c.more))
		}
	}
	return words
}

// FoundText words the number of findings in a report, for the end of a run.
func FoundText(r *Report) string {
	found := "No findings"
	if n := r.Counts.Findings(); n > 0 {
		found = wording.Count(n, "finding")
	}
	return found + " in " + wording.Count(len(r.Modules), "module") + r.compared()
}

// compared names the engines that the modules were compared with, to continue a line of totals: "; compared with
// terraform@1.9.0, …". It is "" if there are none. Without it, "no findings" could mean that nothing was compared.
func (r *Report) compared() string {
	var names []string
	for i := range r.Modules {
		names = append(names, r.Modules[i].AgainstEngines...)
	}
	if slices.Sort(names); names == nil {
		return ""
	}
	return "; compared with " + strings.Join(slices.Compact(names), ", ")
}

// moduleCount words how many modules there are or, if only some have findings, "2 of 5 modules".
func (r *Report) moduleCount() string {
	dirs := map[string]bool{}
	for i := range r.Findings {
		dirs[r.Findings[i].Module] = true
	}
	if n := len(dirs); n > 0 && n < len(r.Modules) {
		return fmt.Sprintf("%d of %s", n, wording.Count(len(r.Modules), "module"))
	}
	return wording.Count(len(r.Modules), "module")
}

// byRule returns a line with the total of each rule, the commonest first. It returns "" for up to manyFindings
// findings, and if all are of one rule.
func (r *Report) byRule() string {
	t := r.Counts
	if t.Findings() <= manyFindings || len(t.Rules) < 2 {
		return ""
	}
	ids := commonest(t.Rules)
	width := len(fmt.Sprint(t.Rules[ids[0]])) // the digits of the largest total
	var out strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&out, "  %*d  %s\n", width, t.Rules[id], id)
	}
	return out.String()
}

// commonest returns the ids of rules, those with the most findings first.
func commonest(rules map[string]int) []string {
	return slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return cmp.Or(rules[b]-rules[a], strings.Compare(a, b))
	})
}

// What settings leave out: min_severity and disable of settings files, and their flags.

// maxSettings is the maximum number of settings that a line names.
const maxSettings = 3

// Hidden returns the number of findings that a report leaves out: those in the baseline, and those that
// comments or settings hide.
func (t *CountsRecord) Hidden() int {
	n := t.Baseline + t.Ignored
	for _, more := range t.LeftOut {
		n += more
	}
	return n
}

// leftOut words how many findings each setting leaves out, to continue a line: "; 5 left out by
// .tofumerge.hcl:1". It names at most maxSettings settings, unless just one more would remain.
func (t *CountsRecord) leftOut() string {
	var text strings.Builder
	names := slices.Sorted(maps.Keys(t.LeftOut))
	rest := 0
	for i, by := range names {
		if i < maxSettings || len(names) == maxSettings+1 {
			fmt.Fprintf(&text, "; %d left out by %s", t.LeftOut[by], by)
		} else {
			rest += t.LeftOut[by]
		}
	}
	if rest > 0 {
		fmt.Fprintf(&text, "; %d left out by %s", rest, wording.Count(len(names)-maxSettings, "other setting"))
	}
	return text.String()
}

// LeftOut words how many findings settings leave out, as a text of its own: "5 findings left out by
// .tofumerge.hcl:1"; "" if none. It puts the noun after the first number of CountsRecord.leftOut.
func (r *Report) LeftOut() string {
	if r.Counts == nil {
		return ""
	}
	text := strings.TrimPrefix(r.Counts.leftOut(), "; ")
	noun := " findings"
	if strings.HasPrefix(text, "1 ") {
		noun = " finding"
	}
	return strings.Replace(text, " left", noun+" left", 1) // only the first number gets the noun
}

// A TotalsRecord holds totals of a command's results in several modules.
type TotalsRecord struct {
	Modules        int `json:"modules"`
	WithOverrides  int `json:"modules_with_overrides"`
	changes.Counts     // of values
	NoEffect       int `json:"no_effect"` // overrides

	// ByElement is set if the changes in short lists are counted one by one, as records are.
	ByElement bool `json:"-"`
	isBetween bool // the totals are of differences from a revision
}

// Add adds the module m to the totals: whether it has override files, the changes in blocks, and how many of the
// diagnostics are about overrides without effect.
func (t *TotalsRecord) Add(m *merge.Module, diags hcl.Diagnostics, blocks []*changes.Block) {
	t.Modules++
	if slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Role == source.Override }) {
		t.WithOverrides++
	}
	for _, b := range blocks {
		list := b.Changes
		if !t.ByElement {
			list = b.Shown() // with one change for a whole short list
		}
		t.Counts.Add(b, list)
	}
	t.isBetween = t.isBetween || len(blocks) > 0 && blocks[0].IsBetween
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoEffect {
			t.NoEffect++
		}
	}
}

// String words the totals for people: "2 of 3 modules have override files; 4 values changed".
func (t *TotalsRecord) String() string {
	verb := "have"
	if t.WithOverrides == 1 || t.Modules == 1 { // "1 of 3 modules has", "0 of 1 module has"
		verb = "has"
	}
	parts := []string{fmt.Sprintf("%d of %s %s override files", t.WithOverrides, wording.Count(t.Modules, "module"), verb)}
	// Put the noun after the first number: "4 changed, 1 added" becomes "4 values changed, 1 added".
	if _, did, isAny := strings.Cut(Kinds(t.Counts, t.isBetween), " "); isAny {
		parts = append(parts, wording.Count(cmp.Or(t.Changed, t.Added, t.Dropped), "value")+" "+did)
	}
	if t.NoEffect > 0 {
		parts = append(parts, wording.Number(t.NoEffect, "override has no effect", "overrides have no effect"))
	}
	return strings.Join(parts, "; ")
}

// The assumption that is made if no file and no user chooses the engine of a module. Formats
// without room for remarks about the whole report add it to each finding.

// AssumedEngines names the engines that were assumed, in the order of the modules.
func (r *Report) AssumedEngines() (list []string) {
	for i := range r.Modules {
		if m := &r.Modules[i]; m.Assumed != "" && !slices.Contains(list, m.Engine) {
			list = append(list, m.Engine)
		}
	}
	return list
}

// AssumedText lists the assumed engines in one line, with the remedy; empty if there are none.
func AssumedText(engines []string) string {
	if len(engines) == 0 {
		return ""
	}
	return assumedText(engines) + "; to name it, use --engine"
}

// assumedText names assumed engines without the remedy, for text that has no room for it.
func assumedText(engines []string) string {
	return "engine assumed: " + strings.Join(engines, ", ")
}

// home is the address of the project.
const home = "https://github.com/tofumerge/tofumerge"

// pagesOf returns the tag or the branch in which pages explain the rules; see LinkTo.
var pagesOf = func() string { return "main" }

// LinkTo makes links lead to the pages of the running release instead of those of the main branch. version
// returns the program's version, and is called for the first link. Call LinkTo before anything is reported.
func LinkTo(version func() string) {
	pagesOf = sync.OnceValue(func() string { return tagOf(version()) })
}

var released = lazyregexp.New(`^v?([0-9]+\.[0-9]+\.[0-9]+(?:-(?:alpha|beta|rc)[.0-9]*)?)$`)

// tagOf returns the tag of a released version, and "main" for any other version, such as a build of a commit.
func tagOf(version string) string {
	if found := released().FindStringSubmatch(version); found != nil {
		return "v" + found[1]
	}
	return "main"
}

// RuleURL returns the address of a rule's page.
func RuleURL(id string) string { return pageURL("rules/" + id + ".md") }

// MergingRuleURL returns the address of the section that describes a rule of the merge.
func MergingRuleURL(r *rules.Rule) string { return pageURL("merging-rules.md#" + anchorOf(r.Path)) }

// pageURL returns the address of a page of the docs. name is its path below docs, and may end in the anchor
// of a section.
func pageURL(name string) string { return home + "/blob/" + pagesOf() + "/docs/" + name }

var (
	markdownLink = lazyregexp.New(`\]\(([^()\s]+)\)`)
	absolute     = lazyregexp.New(`^[a-z]+:`)
)

// withWholeLinks makes the relative links in a rule's page absolute, so that they work in viewers of SARIF.
// id is the rule.
func withWholeLinks(page, id string) string {
	return markdownLink().ReplaceAllStringFunc(page, func(link string) string {
		to := strings.TrimSuffix(strings.TrimPrefix(link, "]("), ")")
		switch {
		case absolute().MatchString(to):
			return link
		case strings.HasPrefix(to, "#"):
			return "](" + RuleURL(id) + to + ")"
		}
		return "](" + pageURL(path.Join("rules", to)) + ")"
	})
}

// SkipCounts holds the numbers of directories that a search skipped.
type SkipCounts struct {
	Excluded int `json:"excluded"` // by --exclude
	Caches   int `json:"caches"`   // where init and Terragrunt keep copies of modules
	Links    int `json:"links"`    // to directories elsewhere
	// Submodules aren't checked out, so nothing is known of their modules.
	Submodules int `json:"submodules"`
}

// String words the numbers; empty if nothing was skipped.
func (s SkipCounts) String() string {
	return strings.Join(wordsOf([]counted{
		{s.Excluded, "directory skipped by --exclude", "directories skipped by --exclude"},
		{s.Caches, ".terraform or .terragrunt-cache directory skipped", ".terraform or .terragrunt-cache directories skipped"},
		{s.Links, "link to a directory elsewhere not followed", "links to directories elsewhere not followed"},
		{s.Submodules, "submodule not checked out", "submodules not checked out"},
	}), "; ")
}
