package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// findingAt is a finding at a line of a file, with the source line.
func findingAt(module, file, severity, rule string, line int, source string) FindingRecord {
	f := FindingRecord{Rule: rule, Severity: severity, Module: module, Path: module + "/" + file, Message: "It drops encrypted. Repeat it here."}
	f.Range.Filename, f.Range.Start.Line, f.Range.Start.Column = file, line, 3
	f.source = &Excerpt{[]byte(source), 2, len(source) - 2}
	return f
}

// On a terminal, findings stand below their files.
func TestFindingsScreen(t *testing.T) {
	fixable := findingAt("a", "override.tf", "error", "no-effect", 120, "  enabled = false")
	fixable.Fix = &FixRecord{}
	whole := FindingRecord{Rule: "unreadable", Severity: "error", Module: "b", Path: "b/odd.tf", Message: "It is no regular file."}
	r := &Report{
		Modules: []ModuleRecord{{Directory: "a"}, {Directory: "b"}, {Directory: "c"}},
		Findings: []FindingRecord{
			findingAt("a", "override.tf", "warning", "drops", 7, "  disk {"), fixable,
			findingAt("b", "override.tf", "warning", "drops", 7, "  disk {"), whole,
			findingAt("c", "override.tf", "warning", "drops", 7, "  disk { # other"),
		},
	}
	r.CountFindings()
	var out bytes.Buffer
	writeFindings(&out, r, FormatOptions{Screen: screen.Screen{Palette: screen.NewPalette(false), Width: 80, IsTerminal: true}})
	want := `
a/override.tf
    7:3  warning  drops
         It drops encrypted. Repeat it here.
      7 |   disk {
        |   ^^^^^^

  120:3  error  no-effect  [fixable]
         It drops encrypted. Repeat it here.
    120 |   enabled = false
        |   ^^^^^^^^^^^^^^^

b/override.tf
  7:3  warning  drops
       It drops encrypted. Repeat it here.
    7 |   disk {
      |   ^^^^^^

b/odd.tf
    error  unreadable
    It is no regular file.

c/override.tf
  7:3  warning  drops
       It drops encrypted. Repeat it here.
    7 |   disk { # other
      |   ^^^^^^^^^^^^^^

2 errors, 3 warnings in 3 modules; 1 fixable with --fix
`
	if diff := cmp.Diff(want, "\n"+out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// In a narrow terminal the severity follows its location, and words that don't fit go to the next line.
func TestFindingsNarrow(t *testing.T) {
	r := &Report{Modules: []ModuleRecord{{Directory: "a"}}, Findings: []FindingRecord{findingAt("a", "override.tf", "warning", "drops-keys", 12345, "  disk {")}}
	var out bytes.Buffer
	o := FormatOptions{Screen: screen.Screen{Palette: screen.NewPalette(false), Width: 14, IsTerminal: true}}
	writeFindings(&out, r, o)
	const want = "a/override.tf\n  12345:3  warning\n           drops-keys\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("it begins with\n%s", out.String())
	}
}
