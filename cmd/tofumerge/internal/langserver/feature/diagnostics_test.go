package feature

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

func TestDiagnostics(t *testing.T) {
	loadtest.Run(t, "testdata/diagnostics", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		return map[string]string{"diagnostics": diagnosticsText(v)}
	})
}

// diagnosticsText writes diagnostics as clients show them.
func diagnosticsText(v *view.View) string {
	var out strings.Builder
	all := Diagnostics(v)
	severities := []string{"", "error", "warning", "information", "hint"}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&out, "%s\n", name)
		for _, d := range all[name] {
			fmt.Fprintf(&out, "  %d:%d-%d %s %s %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Character, severities[d.Severity], d.Code, d.Message)
			if text := v.Text(name); text != nil {
				from, to := text.Offset(d.Range.Start, v.Encoding), text.Offset(d.Range.End, v.Encoding)
				fmt.Fprintf(&out, "\n    at %s", text.Bytes()[from:to])
			}
			if slices.Contains(d.Tags, protocol.TagUnnecessary) {
				out.WriteString(" (faded out)")
			}
			out.WriteString("\n")
			for _, r := range d.RelatedInformation {
				at := r.Location.Range.Start
				fmt.Fprintf(&out, "    %s:%d:%d %s\n", path.Base(string(r.Location.URI)), at.Line, at.Character, r.Message)
			}
		}
	}
	return out.String()
}

func TestIdleRules(t *testing.T) {
	for _, id := range unnecessaryRules {
		if check.FindRule(id) == nil {
			t.Errorf("there is no rule %s", id)
		}
	}
}

// Long lists of findings and long messages are cut.
func TestDiagnosticsAreBounded(t *testing.T) {
	var base, override strings.Builder
	const n = 10_000
	for i := range n {
		fmt.Fprintf(&base, "variable \"v%d\" {\n  default = 1\n}\n", i)
		fmt.Fprintf(&override, "variable \"v%d\" {\n  default = 1\n}\n", i)
	}
	fmt.Fprintf(&override, "resource \"x_y\" \"%s\" {}\n", strings.Repeat("n", 100_000))
	v := viewOf(t, map[string][]byte{
		"main.tf": []byte(base.String()), "override.tf": []byte(override.String()),
	}, engine.Default(), protocol.UTF16)
	if len(v.Findings) <= n {
		t.Fatalf("only %d findings", len(v.Findings))
	}
	size := 0
	list := Diagnostics(v)["override.tf"]
	for _, d := range list {
		size += len(d.Message)
	}
	if len(list) > 200 || size > 50_000 {
		t.Errorf("%d diagnostics with %d bytes", len(list), size)
	}
}

// Findings about files that aren't part of the module have locations.
func TestDiagnosticsElsewhere(t *testing.T) {
	rule := check.FindRule("unreadable")
	at := hcl.Range{Filename: "../.tofumerge.hcl", Start: hcl.Pos{Line: 3, Column: 5, Byte: 40}, End: hcl.Pos{Line: 3, Column: 9, Byte: 44}}
	long := hcl.Range{Filename: "gone.tf", Start: hcl.Pos{Line: 3, Column: 5, Byte: 40}, End: hcl.Pos{Line: 9, Column: 1, Byte: 400}}
	v := &view.View{Dir: "/m/a", Encoding: protocol.UTF16, Findings: []check.Finding{
		check.Unreadable("", fmt.Errorf("no\x1b such\ndirectory")), rule.At(at, "b"), rule.At(long, "c"), check.Unreadable("x.tf", fmt.Errorf("d")),
	}}
	all := Diagnostics(v)
	for name, want := range map[string]protocol.Range{
		"":                  {},
		"../.tofumerge.hcl": {Start: protocol.Position{Line: 2, Character: 4}, End: protocol.Position{Line: 2, Character: 8}},
		"gone.tf":           {Start: protocol.Position{Line: 2, Character: 4}, End: protocol.Position{Line: 2, Character: 4}},
		"x.tf":              {},
	} {
		if len(all[name]) != 1 || all[name][0].Range != want {
			t.Errorf("%q: %+v, want range %+v", name, all[name], want)
		}
	}
	if got := all[""][0].Message; strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("the message is %q", got)
	}
}
