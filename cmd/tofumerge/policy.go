package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A policy is what check looks for in a module and what is denied there. The user
// speaks with flags and the file of --config, and has the last word. The settings files
// beside the module, and above it, may come with the very change that is judged.
// So a nearer one only adds to what an outer one says, no file takes back what the
// user says, and none hides an error.
type policy struct {
	user *settings

	on      map[string]bool // rules that are looked for, by id
	min     check.Severity
	fail    failing
	others  []engine.Release // that the module is to mean the same to
	newest  bool             // the newest one of the other product is meant, too
	denials []*settings      // each with what it denies, and allows in spite of that
}

// newPolicy puts together what the user says and what settings files say, the
// outermost first.
func newPolicy(user *settings, files []*settings) *policy {
	p := &policy{user: user, on: map[string]bool{}, denials: append([]*settings{user}, files...)}
	for _, r := range check.Rules {
		p.on[r.ID] = !r.Off
	}
	asked := map[string]bool{} // rules that an outer file asks for
	isSet := false             // an outer file says from which severity on findings count
	for _, s := range files {
		for _, id := range s.Disable {
			p.on[id] = p.on[id] && asked[id]
		}
		for _, id := range s.enabled() {
			p.on[id], asked[id] = true, true
		}
		if s.MinSeverity != nil && (!isSet || s.min < p.min) {
			p.min, isSet = s.min, true
		}
		p.fail.nearer(s)
		p.compare(s)
	}
	for _, id := range user.enabled() {
		p.on[id] = true
	}
	for _, id := range user.Disable {
		p.on[id] = false
	}
	if user.MinSeverity != nil {
		p.min = user.min
	}
	p.fail.byUser(user)
	if len(user.others) > 0 {
		p.others, p.newest = nil, false
	}
	p.compare(user)
	return p
}

// compare adds the engines that settings name for modules to mean the same to.
func (p *policy) compare(s *settings) {
	p.others = append(p.others, s.others...)
	p.newest = p.newest || len(s.others) == 0 && slices.Contains(s.enabled(), engineRule)
}

// enabled are the rules that settings switch on; what they also switch off is off.
func (s *settings) enabled() []string {
	return slices.DeleteFunc(slices.Clone(s.Enable), func(id string) bool { return slices.Contains(s.Disable, id) })
}

// looksFor reports whether a rule is on.
func (p *policy) looksFor(id string) bool { return p.on[id] }

// wants reports whether a finding is to be reported. An error is, unless the user
// doesn't want it.
func (p *policy) wants(f check.Finding) bool {
	if f.Severity == check.Error {
		return !slices.Contains(p.user.Disable, f.Rule.ID)
	}
	return p.looksFor(f.Rule.ID) && f.Severity >= p.min
}

// deniedIn are the patterns of what is denied in an override file. A file that is
// allowed is so by those settings only that allow it, or by the user in all.
func (p *policy) deniedIn(name string) []address.Pattern {
	var globs []address.Pattern
	for _, s := range p.denials {
		if !s.allows(name) && !p.user.allows(name) {
			globs = append(globs, s.globs...)
		}
	}
	return globs
}

// deniesFile reports whether an override file may not be there at all.
func (p *policy) deniesFile(name string) bool {
	return !p.user.allows(name) && slices.ContainsFunc(p.denials, func(s *settings) bool {
		return s.DenyOverrides && !s.allows(name)
	})
}

// deniesAny reports whether anything is denied at all.
func (p *policy) deniesAny() bool {
	return slices.ContainsFunc(p.denials, func(s *settings) bool { return s.DenyOverrides || len(s.globs) > 0 })
}

// allows reports whether settings let an override file be there whatever they deny.
func (s *settings) allows(name string) bool {
	return slices.ContainsFunc(s.AllowFiles, func(glob string) bool { return matchesName(glob, name) })
}

// otherEngines are those that a module is to mean the same to; where none are named,
// the newest one known of the other product.
func (p *policy) otherEngines(e engine.Release) []engine.Release {
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

// warnOfErrorsDisabled warns of errors among the rules that a settings file disables,
// which it can't.
func (a *app) warnOfErrorsDisabled(name string, s *settings) {
	errors := slices.DeleteFunc(slices.Clone(s.Disable), func(id string) bool {
		return check.FindRule(id).Severity < check.Error
	})
	if len(errors) > 0 {
		a.Warn(fmt.Sprintf(
			"%s can't disable %s because the change under review may have edited it; use --disable or --config",
			diag.Escape(fromHere(name)), strings.Join(errors, ", ")))
	}
}
