package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
	p := combine(f.User, files)
	var list []Setting
	for _, s := range files {
		list = append(list, s.list(p, s.called)...)
	}
	if f.Override != nil {
		list = append(list, f.Override.list(p, f.OverrideName)...)
	}
	list = append(list, flags.list(p, "")...)
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

// list lists the values of settings from a file, or from the command line if it has no name.
func (s *Settings) list(p *Policy, file string) []Setting {
	var list []Setting
	add := func(name, value string, isOutranked bool) {
		from := "command line"
		if file != "" {
			from = s.placeIn(file, name)
		}
		list = append(list, Setting{name, value, from, isOutranked})
	}
	text := func(name string, value *string, isOutranked bool) {
		if value != nil {
			add(name, strconv.Quote(*value), isOutranked)
		}
	}
	rules := func(name string, ids []string, isOn bool) {
		isLost := func(id string) bool { return p.LooksFor(id) != isOn }
		if len(ids) > 0 {
			add(name, quoted(ids), !slices.ContainsFunc(ids, func(id string) bool { return !isLost(id) }))
		}
	}
	text("engine", s.Engine, false)
	if len(s.AgainstEngines) > 0 {
		add("against_engines", quoted(s.AgainstEngines), false)
	}
	rules("enable", s.Enable, true)
	rules("disable", s.Disable, false)
	if len(s.Deny) > 0 {
		add("deny", quoted(s.Deny), false)
	}
	if len(s.AllowFiles) > 0 {
		add("allow_files", quoted(s.AllowFiles), false)
	}
	if s.DenyOverrides {
		add("deny_overrides", "true", false)
	}
	if len(s.ToolComments) > 0 {
		add("tool_comments", quoted(s.ToolComments), false)
	}
	text("min_severity", s.MinSeverity, s.min != p.min)
	text("fail_on", s.FailOn, s.FailOn != nil && s.fail != p.fail.from)
	return list
}

// placeIn is where a file sets a value, as FILE:LINE.
func (s *Settings) placeIn(file, name string) string {
	return fmt.Sprintf("%s:%d", file, s.places[name].Start.Line)
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
	return s.placeIn(s.called, name)
}

// quoted is a list as settings files write it.
func quoted(list []string) string {
	var words []string
	for _, word := range list {
		words = append(words, strconv.Quote(word))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// CheckRules refuses names that no rule has.
func CheckRules(ids []string) error { return checkRules(ids) }
