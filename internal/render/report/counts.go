package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A CountsRecord holds totals of check's findings, whether they are listed or not.
type CountsRecord struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notices  int `json:"notices"`
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

// total returns how many findings there are.
func (t *CountsRecord) total() int { return t.Errors + t.Warnings + t.Notices }

// CountFindings sets Counts, ErrorCount, WarningCount and Valid by the findings.
func (r *Report) CountFindings() {
	r.Counts = &CountsRecord{Rules: map[string]int{}, LeftOut: map[string]int{}}
	for _, f := range r.Findings {
		switch n := f.Count(); f.level() {
		case check.Error:
			r.Counts.Errors += n
		case check.Warning:
			r.Counts.Warnings += n
		case check.Notice:
			r.Counts.Notices += n
		}
		r.Counts.Rules[f.Rule] += f.Count()
	}
	r.ErrorCount, r.WarningCount = r.Counts.Errors, r.Counts.Warnings
	r.Valid = r.ErrorCount == 0
}

// manyFindings is the number of findings from which totals by rule are printed, too.
const manyFindings = 10

// totals are the lines that end a report for people: the number of findings of each severity, and
// of the hidden ones; nothing without findings.
func (r *Report) totals(o FormatOptions) string {
	t := r.Counts
	if t == nil || t.total()+t.Hidden() == 0 {
		return ""
	}
	var parts []string
	switch {
	case t.total() > 0:
	case t.Baseline > 0 || r.Since != "":
		parts = append(parts, "no new findings")
	default:
		parts = append(parts, "no findings")
	}
	for _, n := range []struct {
		of   int
		noun string
	}{{t.Errors, "error"}, {t.Warnings, "warning"}, {t.Notices, "notice"}} {
		if n.of > 0 {
			parts = append(parts, wording.Count(n.of, n.noun))
		}
	}
	text := strings.Join(parts, ", ") + " in " + r.moduleCount()
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
	text += t.leftOut()
	if assumed := r.AssumedEngines(); len(assumed) > 0 && !o.HidesEngine {
		text += "; " + assumedText(assumed)
	}
	return o.Screen.WrapLine(0, text, screen.Hang) + "\n" + r.byRule()
}

// FoundText words the number of findings in a report, for the end of a run.
func FoundText(r *Report) string {
	found := wording.Count(r.Found(), "finding")
	if r.Found() == 0 {
		found = "No findings"
	}
	return found + " in " + wording.Count(len(r.Modules), "module")
}

// moduleCount words how many of the modules have findings.
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

// byRule lists totals by rule if there are many findings, the commonest first.
func (r *Report) byRule() string {
	t := r.Counts
	if t.total() <= manyFindings || len(t.Rules) < 2 {
		return ""
	}
	ids := commonest(t.Rules)
	width := len(fmt.Sprint(t.Rules[ids[0]]))
	var out strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&out, "  %*d  %s\n", width, t.Rules[id], id)
	}
	return out.String()
}

// commonest are the ids of rules by their numbers of findings, the largest first.
func commonest(rules map[string]int) []string {
	return slices.SortedFunc(maps.Keys(rules), func(a, b string) int {
		return cmp.Or(rules[b]-rules[a], strings.Compare(a, b))
	})
}

// What settings leave out: min_severity and disable of settings files, and their flags.

// maxSettings is how many settings are named in a line.
const maxSettings = 3

// LeaveOut counts findings that a setting leaves out.
func (t *CountsRecord) LeaveOut(by string, n int) {
	if n > 0 {
		t.LeftOut[by] += n
	}
}

// Hidden is the number of findings that a report leaves out.
func (t *CountsRecord) Hidden() int {
	n := t.Baseline + t.Ignored
	for _, more := range t.LeftOut {
		n += more
	}
	return n
}

// leftOut words how many findings settings leave out: "; 5 left out by .tofumerge.hcl:1".
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

// LeftOut words how many findings settings leave out; empty if none.
func (r *Report) LeftOut() string {
	if r.Counts == nil {
		return ""
	}
	n, rest, isAny := strings.Cut(strings.TrimPrefix(r.Counts.leftOut(), "; "), " ")
	if !isAny {
		return ""
	}
	noun := " findings "
	if n == "1" {
		noun = " finding "
	}
	return n + noun + rest
}
