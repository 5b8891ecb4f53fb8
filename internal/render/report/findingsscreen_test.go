package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// findingAt is a finding at a line of a file, with the source line.
func findingAt(module, file, severity, rule string, line int, source string) FindingRecord {
	f := FindingRecord{Rule: rule, Severity: severity, Module: module, Path: module + "/" + file, Message: "It drops encrypted. Repeat it here."}
	f.Range.Filename, f.Range.Start.Line, f.Range.Start.Column = file, line, 3
	f.source = &sourceLine{[]byte(source), 2, len(source) - 2}
	return f
}

// On a terminal, findings stand below their files. Findings in copied files appear once, unless all
// are requested.
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
	for _, test := range []struct {
		name string
		o    FormatOptions
		want string
	}{
		{"once", FormatOptions{}, `
a/override.tf
    7:3  warning  drops
         It drops encrypted. Repeat it here.
      7 |   disk {
        |   ^^^^^^
         The same lines are in 1 more module: b; -v lists each.

  120:3  error  no-effect  [fixable]
         It drops encrypted. Repeat it here.
    120 |   enabled = false
        |   ^^^^^^^^^^^^^^^

b/odd.tf
    error  unreadable
    It is no regular file.

c/override.tf
  7:3  warning  drops
       It drops encrypted. Repeat it here.
    7 |   disk { # other
      |   ^^^^^^^^^^^^^^

2 errors, 3 warnings in 3 modules; 1 fixable with --fix
`},
		{"each", FormatOptions{ShowsAll: true}, `
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
`},
	} {
		test.o.Screen = screen.Screen{Palette: screen.NewPalette(false), Width: 80, IsTerminal: true}
		var out strings.Builder
		if err := writeFindings(&out, r, test.o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, "\n"+out.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Overrides of a module that have nothing to override are one line, unless all are requested; a single
// one is written in full.
func TestFindingsWithoutBase(t *testing.T) {
	r := &Report{Modules: []ModuleRecord{{Directory: "a"}, {Directory: "b"}}}
	for _, at := range []struct {
		module, file string
		line         int
	}{{"a", "a_override.tf", 1}, {"a", "a_override.tf", 1}, {"a", "b_override.tf", 3}, {"a", "b_override.tf", 9}, {"b", "override.tf", 2}} {
		f := findingAt(at.module, at.file, "error", "merge-error", at.line, "  ami = 1")
		f.noBase = true
		r.Findings = append(r.Findings, f)
	}
	r.CountFindings()
	written := func(o FormatOptions) string {
		o.Screen = screen.Screen{Palette: screen.NewPalette(false), Width: 80, IsTerminal: true}
		var out strings.Builder
		if err := writeFindings(&out, r, o); err != nil {
			t.Fatal(err)
		}
		return "\n" + out.String()
	}
	if diff := cmp.Diff(`
a/a_override.tf
  1:3  error  merge-error
       4 overrides have no base here: a_override.tf:1, a_override.tf:1,
       b_override.tf:3 … 1 more; -v lists each. Add the primary files, or remove
       these.

b/override.tf
  2:3  error  merge-error
       It drops encrypted. Repeat it here.
    2 |   ami = 1
      |   ^^^^^^^

5 errors in 2 modules
`, written(FormatOptions{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := strings.Count(written(FormatOptions{ShowsAll: true}), "It drops encrypted."); n != len(r.Findings) {
		t.Errorf("with ShowsAll, %d are listed", n)
	}
}

// In a narrow terminal the severity follows its location, and words that don't fit go to the next line.
func TestFindingsNarrow(t *testing.T) {
	r := &Report{Modules: []ModuleRecord{{Directory: "a"}}, Findings: []FindingRecord{findingAt("a", "override.tf", "warning", "drops-keys", 12345, "  disk {")}}
	var out strings.Builder
	o := FormatOptions{Screen: screen.Screen{Palette: screen.NewPalette(false), Width: 14, IsTerminal: true}}
	if err := writeFindings(&out, r, o); err != nil {
		t.Fatal(err)
	}
	const want = "a/override.tf\n  12345:3  warning\n           drops-keys\n"
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("it begins with\n%s", out.String())
	}
}
