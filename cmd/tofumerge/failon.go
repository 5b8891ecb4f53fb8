package main

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// From which severity on findings make a run fail. What is reported is another question:
// a repository may want to see notices long before it wants to be stopped by them.

// never is the severity that no finding has.
const never = check.Error + 1

// parseFailOn reads a value of --fail-on.
func parseFailOn(name string) (check.Severity, bool) {
	if name == "never" {
		return never, true
	}
	return check.ParseSeverity(name)
}

// A failing is from which severity on findings make a run fail. Whoever says from which one
// on they are reported means that these fail, unless fail_on says otherwise. So a
// nearer file raises neither.
type failing struct {
	from  check.Severity
	isSet bool
	isOwn bool // some fail_on said it, and not only a min_severity
}

// nearer takes up what a settings file says that is nearer to the module than those before.
func (f *failing) nearer(s *settings) {
	from, says := s.min, s.MinSeverity != nil && !f.isOwn
	if s.FailOn != nil {
		from, says = s.fail, true
	}
	if says && (!f.isSet || from < f.from) {
		f.from, f.isSet = from, true
	}
	f.isOwn = f.isOwn || s.FailOn != nil
}

// byUser takes up what the user says, against whom no file does.
func (f *failing) byUser(s *settings) {
	switch {
	case s.FailOn != nil:
		f.from = s.fail
	case s.MinSeverity != nil && (!f.isSet || s.min < f.from):
		f.from = s.min
	}
}

// failing counts the findings that make the run fail.
func (p *policy) failing(found []check.Finding) int {
	n := 0
	for _, f := range found {
		if f.Severity >= p.fail.from {
			n++
		}
	}
	return n
}

// checkFailOn refuses what can't be meant: no finding fails that is not reported.
func (c *checkCommand) checkFailOn() error {
	s := &c.flags
	if s.MinSeverity != nil && s.FailOn != nil && s.fail < s.min {
		return fmt.Errorf("--fail-on %s needs findings that --min-severity %s leaves out; use --min-severity %s",
			*s.FailOn, *s.MinSeverity, *s.FailOn)
	}
	return nil
}

// notOfFiles refuses what a settings file may not say that comes with the change under
// review: that nothing fails.
func notOfFiles(name string, s *settings) error {
	if s.FailOn == nil || s.fail != never {
		return nil
	}
	return &settingsError{file: name, at: s.places["fail_on"], why: fmt.Sprintf("fail_on can't be never in %s, because the change under "+
		"review may have edited it; use --fail-on or --config", diag.Escape(configName))}
}
