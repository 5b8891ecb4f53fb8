package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Workflow commands of GitHub Actions,
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.

// What GitHub's runner takes back in the text of a command, and in the values of
// its properties.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a workflow command for each finding, which GitHub shows beside the line, and
// others about findings that comments silence or settings leave out, which it shows with the run. It contains names of
// arguments and keys, and no values.
func writeGitHub(w io.Writer, r *Report) error {
	var out strings.Builder
	if text := r.Ignored(); text != "" { // first, because GitHub shows a few of a run
		fmt.Fprintf(&out, "::notice title=tofumerge::%s\n", githubData.Replace(text))
	}
	if text := r.LeftOut(); text != "" {
		fmt.Fprintf(&out, "::notice title=settings::%s\n", githubData.Replace(safetext.OneLine(text)))
	}
	if text := r.assumption(); text != "" {
		fmt.Fprintf(&out, "::notice title=engine::%s\n", githubData.Replace(text))
	}
	for _, text := range r.Notes {
		fmt.Fprintf(&out, "::notice title=since::%s\n", githubData.Replace(safetext.OneLine(text)))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&out, "::%s %s::%s\n", f.level(), githubProperties(f), githubData.Replace(githubMessage(f)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// githubProperties describes the location of a finding. Columns are for ranges in one line only:
// GitHub refuses them elsewhere.
func githubProperties(f *FindingRecord) string {
	var out strings.Builder
	out.WriteString("file=" + githubProperty.Replace(safetext.LoggedName(f.Path)))
	start, end := f.Range.Start, f.Range.End
	if start.Line > 0 {
		fmt.Fprintf(&out, ",line=%d,endLine=%d", start.Line, max(start.Line, end.Line))
	}
	if start.Line > 0 && start.Line == end.Line {
		fmt.Fprintf(&out, ",col=%d,endColumn=%d", start.Column, end.Column)
	}
	return out.String() + ",title=" + githubProperty.Replace(f.Rule)
}

func githubMessage(f *FindingRecord) string {
	text := safetext.OneLine(f.plainText())
	if f.Address != "" {
		text += " (" + safetext.OneLine(f.Address) + ")"
	}
	return text + "\n" + f.URL
}
