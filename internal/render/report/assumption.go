package report

import (
	"slices"
	"strings"
)

// The assumption that is made if no file and no user chooses the engine of a module. Formats
// without room for remarks about the whole report add it to each finding.

// AssumedEngines names the engines that were assumed, in the order of the modules.
func (r *Report) AssumedEngines() []string {
	var list []string
	for i := range r.Modules {
		if m := &r.Modules[i]; m.Assumed != "" && !slices.Contains(list, m.Engine) {
			list = append(list, m.Engine)
		}
	}
	return list
}

// AssumedText lists the assumed engines in one line, with the remedy.
func AssumedText(engines []string) string {
	return assumedText(engines) + "; to name it, use --engine"
}

func assumedText(engines []string) string {
	return "engine assumed: " + strings.Join(engines, ", ")
}

// assumption is AssumedText; empty if no engine was assumed.
func (r *Report) assumption() string {
	if assumed := r.AssumedEngines(); len(assumed) > 0 {
		return AssumedText(assumed)
	}
	return ""
}

// asides are the words in brackets, behind the text of a finding, by its module: which
// engine was assumed.
func (r *Report) asides() map[string]string {
	asides := map[string]string{}
	for i := range r.Modules {
		if m := &r.Modules[i]; m.Assumed != "" {
			asides[m.Directory] = " (" + assumedText([]string{m.Engine}) + ")"
		}
	}
	return asides
}
