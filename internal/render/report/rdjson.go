package report

import (
	"io"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// The format of reviewdog, https://github.com/reviewdog/reviewdog/tree/master/proto/rdf: one
// DiagnosticResult. Its columns are in bytes.

type rdResult struct {
	Source      rdSource       `json:"source"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition  `json:"start"`
	End   *rdPosition `json:"end,omitempty"`
}

type rdPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

type rdCode struct {
	Value string `json:"value"`
	URL   string `json:"url"`
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

// writeRDJSON writes the findings with suggestions, which reviewdog offers in a pull
// request. Values are in suggestions only, and no secrets.
func writeRDJSON(w io.Writer, r *Report) error {
	result := rdResult{
		Source:      rdSource{"tofumerge", home},
		Diagnostics: []rdDiagnostic{},
	}
	asides := r.asides()
	for i := range r.Findings {
		f := &r.Findings[i]
		d := rdDiagnostic{
			Message:  safetext.Printable(f.plainText() + asides[f.Module]),
			Location: rdLocation{Path: f.Path},
			Severity: rdSeverities[f.level()],
			Code:     rdCode{f.Rule, f.URL},
		}
		if start, end := f.Range.Start, f.Range.End; start.Line > 0 {
			d.Location.Range = &rdRange{Start: rdPosition{start.Line, f.columns[0]}}
			if f.columns[1] > 0 {
				d.Location.Range.End = &rdPosition{end.Line, f.columns[1]}
			}
		}
		d.Suggestions = rdSuggestions(f)
		result.Diagnostics = append(result.Diagnostics, d)
	}
	return writeJSON(w, result, jsonIndent)
}

// rdSuggestions are the edits of a fix. A fix with several edits is left out, because each
// suggestion is offered separately.
func rdSuggestions(f *FindingRecord) []rdSuggestion {
	if f.Fix == nil || len(f.Fix.Edits) != 1 || f.Fix.Edits[0].Path != f.Path {
		return nil
	}
	e := f.Fix.Edits[0]
	end := rdPosition{e.End.Line, e.End.Byte}
	return []rdSuggestion{{rdRange{rdPosition{e.Start.Line, e.Start.Byte}, &end}, e.Text}}
}

var rdSeverities = map[check.Severity]string{check.Error: "ERROR", check.Warning: "WARNING", check.Notice: "INFO"}
