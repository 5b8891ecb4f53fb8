package render

import (
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A ModuleRecord is a module directory that was checked.
type ModuleRecord struct {
	Directory string `json:"directory"` // as it is reached from where the program runs, with slashes
	Files     int    `json:"files"`     // that were read
}

// A FindingRecord is something that check found.
type FindingRecord struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error, warning or notice
	Module   string `json:"module"`   // the directory of a ModuleRecord
	// Path is the file, as it is reached from where the program runs, with slashes.
	Path  string      `json:"path"`
	Range RangeRecord `json:"range"` // line 0 for a file as a whole
	// Summary says what is wrong without any value of the configuration; Message
	// says it in full.
	Summary string          `json:"summary"`
	Message string          `json:"message"`
	Related []RelatedRecord `json:"related,omitempty"`
	Address string          `json:"address,omitempty"`
	URL     string          `json:"url"`
	History *HistoryRecord  `json:"history,omitempty"`
}

// RuleURL is the page of a rule.
func RuleURL(id string) string {
	return "https://github.com/tofumerge/tofumerge/blob/main/docs/rules/" + id + ".md"
}

// level is the severity of a finding.
func (f *FindingRecord) level() merge.Severity {
	s, _ := merge.ParseSeverity(f.Severity)
	return s
}
