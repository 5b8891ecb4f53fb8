package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Of equal diagnostics three are written, with the locations of some others and the number of the
// rest.
func TestAlike(t *testing.T) {
	const one = "Error: Odd\n  other.tf:%d:1\n  The detail.\n"
	three := fmt.Sprintf(one+"\n"+one+"\n"+one, 1, 2, 3)
	for n, want := range map[int]string{
		1: fmt.Sprintf(one, 1),
		3: three,
		4: three + "  Also at other.tf:4:1.\n",
		6: three + "  Also at other.tf:4:1, other.tf:5:1 and other.tf:6:1.\n",
	} {
		if diff := cmp.Diff(want, written(t, n)); diff != "" {
			t.Errorf("%d (-want +got):\n%s", n, diff)
		}
	}
	if got := written(t, 60); !strings.Contains(got, "other.tf:23:1 and\n  37 more locations.\n") || strings.Contains(got, "other.tf:24") {
		t.Errorf("of many:\n%s", got)
	}
}

// written returns some equal diagnostics at different locations.
func written(t *testing.T, n int) string {
	t.Helper()
	m := merged(t, map[string][]byte{"main.tf": []byte("locals {}\n")}).Source
	var diags hcl.Diagnostics
	for i := range n {
		pos := hcl.Pos{Line: i + 1, Column: 1}
		diags = append(diags, diag.New(hcl.Range{Filename: "other.tf", Start: pos, End: pos}, "Odd", "The detail."))
	}
	var out strings.Builder
	Diagnostics(&out, diags, m, screen.Plain())
	return out.String()
}

// A diagnostic of a file as a whole has no line. A warning that people read as an error starts
// like one, and nothing in a text acts on the terminal.
func TestOddDiagnostics(t *testing.T) {
	m := merged(t, map[string][]byte{"main.tf": []byte("locals {}\n")}).Source
	whole := diag.ShowAsError(&hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "One\nline", Detail: "\x1b[31mred", Subject: &hcl.Range{Filename: "a\x1b.tf"}})
	plain := &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Nowhere"}
	var out strings.Builder
	Diagnostics(&out, hcl.Diagnostics{whole, plain}, m, screen.Plain())
	want := "Error: One\\nline\n  a\\x1b.tf\n  \\x1b[31mred\n\nWarning: Nowhere\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMessage(t *testing.T) {
	text := "a message that is so long that it goes on in the next line\nand then ends\x1b"
	for head, want := range map[string]string{
		WarningHead: "Warning: a message that is so long that it goes on in the\n  next line\nand then ends\\x1b\n",
		"":          "a message that is so long that it goes on in the next line\nand then ends\\x1b\n",
	} {
		var out strings.Builder
		Message(&out, head, text, narrow)
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", head, diff)
		}
	}
	colored := screen.Screen{Palette: screen.NewPalette(true), Width: 60, IsTerminal: true}
	var problem, warning, aside strings.Builder
	Message(&problem, ErrorHead, "x", colored)
	Message(&warning, WarningHead, "x", colored)
	Aside(&aside, text, colored)
	if want := colored.Error("Error:") + " x\n"; problem.String() != want {
		t.Errorf("%q, want %q", problem.String(), want)
	}
	if want := colored.Warning("Warning:") + " x\n"; warning.String() != want {
		t.Errorf("%q, want %q", warning.String(), want)
	}
	if want := colored.Dim("a message that is so long that it goes on in the next line") + "\n" + colored.Dim(`and then ends\x1b`) + "\n"; aside.String() != want {
		t.Errorf("%q, want %q", aside.String(), want)
	}
}

// The table of rules has a row for each, whose titles go on below themselves.
func TestRules(t *testing.T) {
	rules := []*check.Rule{check.EnginesDiffer, check.FindRule("no-effect")}
	isOn := func(r *check.Rule) bool { return r.ID == "no-effect" }
	got := Rules(rules, isOn, screen.Plain())
	want := fmt.Sprintf("engines-differ  %-7s  off  %s\nno-effect       %-7s  on   %s\n", rules[0].Severity, rules[0].Title, rules[1].Severity, rules[1].Title)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	tight := narrow
	tight.Width = 50
	lines := strings.Split(strings.TrimSuffix(Rules(rules, isOn, tight), "\n"), "\n")
	if len(lines) < 3 {
		t.Errorf("nothing is broken: %q", lines)
	}
	for _, line := range lines {
		if screen.Columns(line) > 50 || !strings.HasPrefix(line, "engines-differ ") && !strings.HasPrefix(line, "no-effect ") && !strings.HasPrefix(line, strings.Repeat(" ", 30)) {
			t.Errorf("%q", line)
		}
	}
}

// Paragraphs and items are broken; indented text stays unchanged.
func TestFlow(t *testing.T) {
	got := Flow(`
A paragraph whose lines
are joined and broken again, at the width of the screen.

    code stays, however long it is, since it would mean something else otherwise

- an item that goes on in a line of its own
  which belongs to it, and is joined
- another one
`, narrow)
	want := `A paragraph whose lines are joined and broken again, at the
width of the screen.

    code stays, however long it is, since it would mean something else otherwise

- an item that goes on in a line of its own which belongs to
  it, and is joined
- another one
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A page contains no Markdown syntax any more, except in code.
func TestMarkdown(t *testing.T) {
	page := "# A *title*\n\nSee [the page](https://example.com/a_(b)) and **all of it**.\n\n```hcl\na = [1](2)\n\n# b\n```\n"
	got := Markdown(page, narrow)
	want := "A *title*\n\nSee the page) and all of it.\n\n    a = [1](2)\n\n    # b\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	colored := screen.Screen{Palette: screen.NewPalette(true), Width: 60}
	if got := Markdown("# T\n**b**\n", colored); got != colored.Place("T")+" "+colored.Place("b")+"\n" {
		t.Errorf("%q", got)
	}
}
