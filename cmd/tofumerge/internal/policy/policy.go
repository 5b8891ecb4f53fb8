package policy

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A Policy decides which findings check looks for in a module and which items are denied. The user
// decides with flags and the file of --config, and has the last word. The settings files beside the
// module, and above it, may be part of the very change under review: a nearer one only adds to an
// outer one, no file revokes the user's settings, and none hides an error, unless it is of a
// revision that the user has named.
type Policy struct {
	user *Settings

	on     map[string]bool   // rules that are looked for, by id
	off    map[string]string // the settings that switched rules off, by their ids
	silent map[string]string // those that leave out even errors of rules
	thresholds
	// outer are the thresholds in settings that are not part of the change under review: the user's,
	// and those of a revision that the user has named. Only they decide about rules that detect
	// switched-off rules.
	outer   thresholds
	others  []engine.Release // that the module is to mean the same to
	newest  bool             // the newest one of the other product is meant, too
	denials []*Settings      // each with its denials and exceptions
	known   *patternCache
}

// combine combines the user's settings and those of files, the outermost first. known are the
// patterns of earlier policies.
func combine(user *Settings, files []*Settings, known *patternCache) *Policy {
	p := &Policy{
		user: user, on: map[string]bool{}, off: map[string]string{}, silent: map[string]string{},
		thresholds: newThresholds(), outer: newThresholds(),
		denials: append([]*Settings{user}, files...), known: known,
	}
	for _, r := range check.Rules {
		p.on[r.ID] = !r.Off
	}
	asked := map[string]bool{} // rules that an outer file enables
	for _, s := range files {
		for _, id := range s.Disable {
			if !asked[id] {
				p.disable(s, id, s.isForeign)
			}
		}
		for _, id := range s.enabled() {
			p.enable(id)
			asked[id] = true
		}
		p.nearer(s)
		if s.isForeign {
			p.outer.nearer(s)
		}
		p.compare(s)
	}
	p.decide(user)
	return p
}

// decide adds the user's settings, which no file contradicts.
func (p *Policy) decide(user *Settings) {
	for _, id := range user.enabled() {
		p.enable(id)
	}
	for _, id := range user.Disable {
		p.disable(user, id, true)
	}
	p.byUser(user)
	p.outer.byUser(user)
	if len(user.others) > 0 {
		p.others, p.newest = nil, false
	}
	p.compare(user)
}

func (p *Policy) enable(id string) {
	p.on[id] = true
	delete(p.off, id)
	delete(p.silent, id)
}

// disable switches a rule off, by settings that may or may not leave out errors. The first of
// several settings is the one that counts.
func (p *Policy) disable(s *Settings, id string, mayHideErrors bool) {
	if p.on[id] {
		p.on[id], p.off[id] = false, s.disableOrigin(id)
	}
	if mayHideErrors && p.silent[id] == "" {
		p.silent[id] = s.disableOrigin(id)
	}
}

// compare adds the engines that settings name for modules to mean the same to.
func (p *Policy) compare(s *Settings) {
	p.others = append(p.others, s.others...)
	p.newest = p.newest || len(s.others) == 0 && slices.Contains(s.enabled(), check.EnginesDiffer.ID)
}

// LooksFor reports whether a rule is on.
func (p *Policy) LooksFor(id string) bool { return p.on[id] }

// Judges reports whether a rule is on, or only a setting switches it off. What such a rule finds is
// counted.
func (p *Policy) Judges(id string) bool { return p.on[id] || p.off[id] != "" }

// SwitchesOff reports whether a setting switches off any rule that was on.
func (p *Policy) SwitchesOff() bool { return len(p.off) > 0 }

// Wants reports whether a finding is to be reported. An error is, unless the user doesn't
// want it, and so is a finding of a binding rule.
func (p *Policy) Wants(f check.Finding) bool {
	switch {
	case f.Severity == check.Error:
		return p.silent[f.Rule.ID] == ""
	case f.Rule.Binding:
		return p.silent[f.Rule.ID] == "" && f.Severity >= p.outer.min
	}
	return p.LooksFor(f.Rule.ID) && f.Severity >= p.min
}

// LeftOutBy names the setting that leaves out a finding, as FILE:LINE or --FLAG. It is empty for a
// wanted finding, and for one of a rule that nothing has switched on.
func (p *Policy) LeftOutBy(f check.Finding) string {
	switch by := p.silent[f.Rule.ID]; {
	case p.Wants(f):
		return ""
	case f.Severity == check.Error || f.Rule.Binding && by != "":
		return by
	case f.Rule.Binding:
		return p.outer.minBy
	case !p.LooksFor(f.Rule.ID):
		return p.off[f.Rule.ID]
	}
	return p.minBy
}

// DeniesFile reports whether an override file may not be there at all.
func (p *Policy) DeniesFile(name string) bool {
	return !p.user.allows(name) && slices.ContainsFunc(p.denials, func(s *Settings) bool {
		return s.DenyOverrides && !s.allows(name)
	})
}

// deniesAny reports whether anything is denied at all.
func (p *Policy) deniesAny() bool {
	return slices.ContainsFunc(p.denials, func(s *Settings) bool { return s.DenyOverrides || len(s.globs) > 0 })
}

// CouldFind reports whether a run would report a finding of a baseline if it were there: its
// rule is on. isNamed reports whether the run is about the file that the finding is in.
func (p *Policy) CouldFind(k check.Key, isNamed bool) bool {
	r := check.FindRule(k.Rule)
	if r == nil {
		return true // no run finds it any more
	}
	if r == check.DeniedOverride && (!isNamed || !p.deniesAny()) {
		return false
	}
	return p.Wants(check.Finding{Rule: r, Severity: r.Severity})
}

// OtherEngines are those that a module is to mean the same to; where none are named, the
// newest one known of the other product.
func (p *Policy) OtherEngines(e engine.Release) []engine.Release {
	newest := e.Product.Other().Newest()
	if len(p.others) > 0 && !p.newest {
		return p.others
	}
	list := slices.Clone(p.others)
	if !slices.ContainsFunc(list, func(other engine.Release) bool { return other.String() == newest.String() }) {
		list = append(list, newest)
	}
	return list
}
