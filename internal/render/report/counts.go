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
	if n := r.fixable(); n > 0 {
		text += fmt.Sprintf("; %d fixable with --fix", n)
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

// fixable is the number of listed findings that --fix can correct, as far as it was computed.
func (r *Report) fixable() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Fix != nil {
			n++
		}
	}
	return n
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
	ids := slices.SortedFunc(maps.Keys(t.Rules), func(a, b string) int {
		return cmp.Or(t.Rules[b]-t.Rules[a], strings.Compare(a, b))
	})
	width := len(fmt.Sprint(t.Rules[ids[0]]))
	var out strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&out, "  %*d  %s\n", width, t.Rules[id], id)
	}
	return out.String()
}
