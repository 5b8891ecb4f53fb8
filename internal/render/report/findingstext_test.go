package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// checkText reads the lines for people, which have nothing in them that a
// terminal acts on.
func checkText(t testing.TB, r *Report, text string, _ []reading) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, f := range r.Findings {
		start := safetext.Inert(diag.Escape(f.Path))
		if f.Range.Start.Line > 0 {
			start += fmt.Sprintf(":%d:%d", f.Range.Start.Line, f.Range.Start.Column)
		}
		start += ": " + f.Severity + ": "
		if !strings.HasPrefix(lines[0], start) || !strings.HasSuffix(lines[0], " ["+f.Rule+"]") {
			t.Errorf("%q, want %q … [%s]", lines[0], start, f.Rule)
		}
		for _, line := range lines[:1+len(f.Related)] {
			if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q is not safe to print", line)
			}
		}
		lines = lines[1+len(f.Related):]
	}
	if len(r.Findings) > 0 && len(lines) != 0 {
		t.Errorf("more lines than findings: %q", lines)
	}
}

// Nothing found is a report, too.
func TestNoFindings(t *testing.T) {
	r := &Report{Modules: []ModuleRecord{{Directory: ".", Engine: "opentofu@1.12.6", Files: 1}}}
	checkReaders(t, r, secretValue)
	if got := linesFor(t, r, false) + as(t, "github", r, false); got != "" {
		t.Errorf("%q where nothing was found", got)
	}
	if got := readSARIF(t, sarifOf(t, r)).Results; got == nil || !bytes.Contains([]byte(sarifOf(t, r)), []byte(`"results": []`)) {
		t.Errorf("results %v, want an empty list", got)
	}
}
