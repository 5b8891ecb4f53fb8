package policy

import (
	"fmt"
	"slices"
	"strconv"
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
