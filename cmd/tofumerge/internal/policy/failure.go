package policy

import (
	"fmt"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Which findings make a run fail. Which are reported is another question: a repository may
// want to see notices long before they stop anybody.

// never is the severity that no finding has.
const never = check.Error + 1

// A failureRule decides which findings make a run fail: by default those at or above the higher of
// warning and min_severity, and all of a rule that is enabled by name. fail_on takes precedence
// over both, but no nearer file raises the threshold of an outer one, or of the user.
type failureRule struct {
	from  check.Severity
	isSet bool // some file has set from
	isOwn bool // some fail_on has set from, and not only a min_severity
	named map[string]bool
}

// bySeverity is from which severity on findings fail that are reported from another one on.
func bySeverity(min check.Severity) check.Severity { return max(min, check.Warning) }

// nearer adds a settings file that is nearer to the module than those before.
func (f *failureRule) nearer(s *Settings) {
	from, says := bySeverity(s.min), s.MinSeverity != nil && !f.isOwn
	if s.FailOn != nil {
		from, says = s.fail, true
	}
	if says && (!f.isSet || from < f.from) {
		f.from, f.isSet = from, true
	}
	f.isOwn = f.isOwn || s.FailOn != nil
	if !f.isOwn {
		f.name(s.enabled())
	}
}

// byUser adds the user's settings, which no file contradicts.
func (f *failureRule) byUser(s *Settings) {
	if s.FailOn != nil {
		f.from, f.named = s.fail, nil
		return
	}
	if from := bySeverity(s.min); s.MinSeverity != nil && (!f.isSet || from < f.from) {
		f.from = from
	}
	f.name(s.enabled())
}

func (f *failureRule) name(ids []string) {
	for _, id := range ids {
		f.named[id] = true
	}
}

func (f *failureRule) has(x *check.Finding) bool { return x.Severity >= f.from || f.named[x.Rule.ID] }

// thresholds are the severities from which findings are reported, and from which they make a run
// fail.
type thresholds struct {
	min   check.Severity
	minBy string // the setting that sets min
	isSet bool   // some file has set min
	fail  failureRule
}

func newThresholds() thresholds {
	return thresholds{fail: failureRule{from: check.Warning, named: map[string]bool{}}}
}

// nearer adds a settings file that is nearer to the module than those before. It reports no fewer
// findings.
func (t *thresholds) nearer(s *Settings) {
	if s.MinSeverity != nil && (!t.isSet || s.min < t.min) {
		t.min, t.minBy, t.isSet = s.min, s.minOrigin(), true
	}
	t.fail.nearer(s)
}

// byUser adds the user's settings, which no file contradicts.
func (t *thresholds) byUser(s *Settings) {
	if s.MinSeverity != nil {
		t.min, t.minBy = s.min, s.minOrigin()
	}
	t.fail.byUser(s)
}

// Failing marks the findings that make the run fail, and returns their number.
func (p *Policy) Failing(found []check.Finding) int {
	n := 0
	for i := range found {
		f := &found[i]
		if f.Fails = p.fail.has(f) || f.Rule.Binding && p.outer.fail.has(f); f.Fails {
			n += f.Count()
		}
	}
	return n
}

// NeverFails reports whether the user wants no finding to fail, not even that a module can't
// be judged.
func (s *Settings) NeverFails() bool { return s.FailOn != nil && s.fail == never }

// CheckFlags refuses flags that contradict each other: no finding fails that is not reported.
func (s *Settings) CheckFlags() error {
	if s.MinSeverity != nil && s.FailOn != nil && s.fail < s.min {
		return fmt.Errorf("--fail-on %s needs findings that --min-severity %s leaves out; use --min-severity %s",
			*s.FailOn, *s.MinSeverity, *s.FailOn)
	}
	return nil
}

// errorsDisabled are the rules among those that a settings file disables which it can't
// disable if it may come with the change: those that find errors, and binding ones.
func (s *Settings) errorsDisabled() []string {
	return slices.DeleteFunc(slices.Clone(s.Disable), func(id string) bool {
		r := check.FindRule(id)
		return r.Severity < check.Error && !r.Binding
	})
}
