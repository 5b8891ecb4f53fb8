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

// A CountsRecord counts what check found, whether it is listed or not.
type CountsRecord struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notices  int `json:"notices"`
	// Failing counts those from --fail-on on, which make the exit status 2.
	Failing int            `json:"failing"`
	Rules   map[string]int `json:"rules"` // by id
	// Baseline counts what is not in the report because the baseline has it, and Ignored
	// what comments switch off.
	Baseline int `json:"baseline"`
	Ignored  int `json:"ignored"`
	// Filtered counts what --filter and --select leave out.
	Filtered int `json:"filtered"`
}

// A StaleRecord is a finding that the baseline has and the module no longer.
type StaleRecord struct {
	Module  string `json:"module"` // as the baseline calls it
	Rule    string `json:"rule"`
	Address string `json:"address,omitempty"`
	File    string `json:"file,omitempty"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
}

// found returns how many findings there are.
func (t *CountsRecord) found() int { return t.Errors + t.Warnings + t.Notices }

// CountFindings sets Counts, ErrorCount, WarningCount and Valid by the findings.
func (r *Report) CountFindings() {
	r.Counts = &CountsRecord{Rules: map[string]int{}}
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

// manyFindings is how many findings are counted by rule, too.
const manyFindings = 10

// totals are the lines that end a report for people: how many findings there are of each
// severity, and how many are hidden; nothing if there are none at all.
func (r *Report) totals(o FormatOptions) string {
	t := r.Counts
	if t == nil || t.found()+t.Baseline+t.Ignored == 0 {
		return ""
	}
	var parts []string
	switch {
	case t.found() > 0:
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
	if assumed := r.AssumedEngines(); len(assumed) > 0 && !o.HidesEngine {
		text += "; " + assumedText(assumed)
	}
	return o.Screen.WrapLine(0, text, screen.Hang) + "\n" + r.byRule()
}

// FoundText words how many findings a report has, for the end of a run.
func FoundText(r *Report) string {
	found := wording.Count(r.Found(), "finding")
	if r.Found() == 0 {
		found = "No findings"
	}
	return found + " in " + wording.Count(len(r.Modules), "module")
}

// fixable counts the listed findings that --fix can mend, as far as that was found out.
func (r *Report) fixable() int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Fix != nil {
			n++
		}
	}
	return n
}

// moduleCount says how many of the modules have findings.
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

// byRule counts many findings by rule, the commonest first.
func (r *Report) byRule() string {
	t := r.Counts
	if t.found() <= manyFindings || len(t.Rules) < 2 {
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
