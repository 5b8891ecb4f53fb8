package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/merge/address"
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
	from, says := bySeverity(s.min), s.MinSeverity != nil && !t.fail.isOwn
	if s.FailOn != nil {
		from, says = s.fail, true
	}
	if says && (!t.fail.isSet || from < t.fail.from) {
		t.fail.from, t.fail.isSet = from, true
	}
	t.fail.isOwn = t.fail.isOwn || s.FailOn != nil
	if !t.fail.isOwn {
		t.fail.name(s.enabled())
	}
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

// A patternCache holds the patterns of several settings as one automaton, which takes time to make and
// is the same for most files of a run.
type patternCache struct{ known sync.Map }

// of are the patterns of some settings.
func (c *patternCache) of(list []*Settings) *address.Patterns {
	var key strings.Builder
	for _, s := range list {
		fmt.Fprintf(&key, "%p ", s)
	}
	if known, ok := c.known.Load(key.String()); ok {
		return known.(*address.Patterns)
	}
	var globs []address.Pattern
	for _, s := range list {
		globs = append(globs, s.globs...)
	}
	made := address.NewPatterns(globs...)
	c.known.Store(key.String(), made)
	return made
}

// DeniedIn returns the patterns of denied items in an override file. A file that is allowed is
// exempt from the settings that allow it, or from all if the user allows it.
func (p *Policy) DeniedIn(name string) *address.Patterns {
	var list []*Settings
	for _, s := range p.denials {
		if len(s.globs) > 0 && !s.allows(name) && !p.user.allows(name) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return p.known.of(list)
}

// A Setting is one value that applies to a module, and its origin.
type Setting struct {
	Name  string `json:"name"` // as settings files write it
	Value string `json:"value"`
	From  string `json:"from"` // FILE:LINE, the command line, or the default
	// Outranked is set if another value of the setting takes precedence.
	Outranked bool `json:"outranked"`
}

// Settings lists the values that apply to a module directory: those of settings files, the
// outermost first, then those of --config, and then flags. It returns the errors in the files.
func (f *Files) Settings(dir string, flags *Settings) ([]Setting, []error) {
	files, broken := f.above(dir)
	if len(broken) > 0 {
		return nil, broken
	}
	p := combine(f.User, files, &f.patterns)
	if f.Override != nil {
		files = append(files, f.Override)
	}
	var list []Setting
	for _, s := range append(files, flags) {
		list = append(list, s.list(p)...)
	}
	return append(list, p.defaults(list)...), nil
}

// defaults are the severities that apply because none of the values sets them.
func (p *Policy) defaults(set []Setting) (list []Setting) {
	for _, d := range []Setting{
		{Name: "min_severity", Value: strconv.Quote(p.min.String()), From: "default"},
		{Name: "fail_on", Value: strconv.Quote(p.fail.from.String()), From: "default"},
	} {
		if !slices.ContainsFunc(set, func(s Setting) bool { return s.Name == d.Name }) {
			list = append(list, d)
		}
	}
	return list
}

// list lists the values of settings.
func (s *Settings) list(p *Policy) []Setting {
	var list []Setting
	for _, a := range arguments {
		if text := a.text(s); text != "" {
			list = append(list, Setting{a.name, text, s.origin(a.name, "command line", false), a.isLost != nil && a.isLost(s, p)})
		}
	}
	return list
}

// minOrigin is what sets min: FILE:LINE or the flag.
func (s *Settings) minOrigin() string {
	return s.origin("min_severity", "--min-severity", s.flags != nil && s.flags.MinSeverity != nil)
}

// disableOrigin is what switches off a rule: FILE:LINE or the flag.
func (s *Settings) disableOrigin(id string) string {
	return s.origin("disable", "--disable", s.flags != nil && slices.Contains(s.flags.Disable, id))
}

// origin is where a value was set, which a flag may have done even if there is a file.
func (s *Settings) origin(name, flag string, isFlag bool) string {
	if s.called == "" || isFlag {
		return flag
	}
	return fmt.Sprintf("%s:%d", s.called, s.places[name].Start.Line)
}
