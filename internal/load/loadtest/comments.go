package loadtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"
)

// mark precedes the summaries of the diagnostics expected for a line of a native file.
const mark = " #! "

// RunMarked runs a test on each archive in a directory, whose native files list behind "#!" which
// diagnostics each line gets. Lines without the mark get none.
func RunMarked(t *testing.T, dir string, test func(t *testing.T, c *Case) hcl.Diagnostics) {
	t.Helper()
	Each(t, dir, func(t *testing.T, c *Case) {
		for name, text := range c.Files {
			c.Files[name] = []byte(unmarked(string(text)))
		}
		c.checkMarks(t, test(t, c))
	})
}

func unmarked(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		before, _, isMarked := strings.Cut(line, mark)
		out.WriteString(before)
		if isMarked {
			out.WriteString("\n")
		}
	}
	return out.String()
}

func (c *Case) checkMarks(t *testing.T, diags hcl.Diagnostics) {
	t.Helper()
	lines := map[string]map[int][]string{}
	for _, d := range diags {
		at := d.Subject
		if at == nil || c.Files[at.Filename] == nil {
			t.Errorf("nowhere: %s", d)
			continue
		}
		if lines[at.Filename] == nil {
			lines[at.Filename] = map[int][]string{}
		}
		summary := d.Summary
		if d.Severity == hcl.DiagWarning {
			summary = "warning: " + summary
		}
		lines[at.Filename][at.Start.Line] = append(lines[at.Filename][at.Start.Line], summary)
	}
	isSame := true
	files := make([]txtar.File, len(c.arch.Files))
	for i, f := range c.arch.Files {
		files[i] = txtar.File{Name: f.Name, Data: []byte(marked(string(c.Files[f.Name]), lines[f.Name]))}
		if diff := cmp.Diff(string(f.Data), string(files[i].Data)); diff != "" {
			isSame = false
			if !*Update {
				t.Errorf("%s: %s (-want +got):\n%s", c.path, f.Name, diff)
			}
		}
	}
	if !isSame && *Update {
		c.write(t, files)
	}
}

func marked(text string, lines map[int][]string) string {
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if found := lines[n]; found != nil {
			line = strings.TrimSuffix(line, "\n") + mark + strings.Join(found, " | ") + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
