package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// The code quality report of GitLab,
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"` // GitLab shows one issue of each
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
		End   int `json:"end,omitempty"`
	} `json:"lines"`
}

// writeGitLab writes the findings as GitLab shows them in a merge request. No value of
// the configuration is in it.
func writeGitLab(w io.Writer, r *Report) error {
	issues := []gitlabIssue{}
	seen, asides := map[string]int{}, r.asides()
	for i := range r.Findings {
		f := &r.Findings[i]
		issue := gitlabIssue{
			Description: safetext.OneLine(f.plainText() + asides[f.Module]),
			CheckName:   f.Rule,
			Severity:    gitlabSeverities[f.level()],
		}
		mark := fingerprint(f)
		if seen[mark]++; seen[mark] > 1 {
			mark = fmt.Sprintf("%s-%d", mark, seen[mark])
		}
		issue.Fingerprint = mark
		issue.Location.Path = gitlabPath(f.Path)
		issue.Location.Lines.Begin = max(1, f.Range.Start.Line)
		if end := f.Range.End.Line; end > f.Range.Start.Line {
			issue.Location.Lines.End = end
		}
		issues = append(issues, issue)
	}
	for _, f := range r.silencedFiles() {
		issues = append(issues, gitlabSilence(f))
	}
	return safetext.WriteJSON(w, issues, jsonIndent)
}

// gitlabSilence is an issue about the findings that comments of a file silence. The format has no
// other way to express it: a merge request shows it if their number grows.
func gitlabSilence(f *silencedFile) gitlabIssue {
	text := IgnoredText(0, rulesOf(f.list))
	issue := gitlabIssue{Description: text, CheckName: "tofumerge:ignore", Severity: gitlabSeverities[check.Notice]}
	issue.Fingerprint = fingerprint(&FindingRecord{Rule: issue.CheckName, Path: f.first.Path, Summary: text})
	issue.Location.Path = gitlabPath(f.first.Path)
	issue.Location.Lines.Begin = max(1, f.first.Range.Start.Line)
	return issue
}

func gitlabPath(name string) string { return strings.TrimPrefix(path.Clean(name), "./") }

var gitlabSeverities = map[check.Severity]string{check.Error: "critical", check.Warning: "major", check.Notice: "info"}
