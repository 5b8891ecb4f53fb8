package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

func reading(t *testing.T, archive, as string) compare.Reading {
	t.Helper()
	release, err := engine.Parse(as)
	if err != nil {
		t.Fatal(err)
	}
	m, diags := mergetest.ArchiveAs(t, archive, release)
	return compare.Reading{Module: m, Diags: diags}
}

// list are findings as text.
func list(findings []check.Finding) string {
	var out strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&out, "%s:%d %s\n", f.Range.Filename, f.Range.Start.Line, f.Message)
	}
	return out.String()
}

const (
	removed    = "-- main.tf --\nremoved {\n  from = a_b.c\n}\n"
	deprecated = "-- main.tf --\nvariable \"v\" {\n  deprecated = \"a\"\n}\n-- override.tf --\nvariable \"v\" {\n  deprecated = \"b\"\n}\n"
	plain      = "-- main.tf --\nlocals {\n  a = 1\n  b = 1\n}\n"
	long       = "a long text that is not shown as a whole, since nobody reads that far, not even here: "
)

var cases = []struct{ name, a, b, archive, want string }{
	{
		"nothing differs", "opentofu@1.9.0", "terraform@1.9.0",
		plain + "-- override.tf --\nlocals {\n  a = 2\n}\n", "",
	},
	{
		"a file that one of them reads", "opentofu@1.9.0", "terraform@1.9.0",
		plain + "-- override.tofu --\nlocals {\n  a = 2\n}\n",
		"override.tofu:2 local.a: opentofu@1.9.0 uses 2 at override.tofu:2; terraform@1.9.0 uses 1 at main.tf:2.\n",
	},
	{
		"the same with the engines the other way round", "terraform@1.9.0", "opentofu@1.9.0",
		plain + "-- override.tofu --\nlocals {\n  a = 2\n}\n",
		"override.tofu:2 local.a: terraform@1.9.0 uses 1 at main.tf:2; opentofu@1.9.0 uses 2 at override.tofu:2.\n",
	},
	{
		"long values show where they differ", "opentofu@1.9.0", "terraform@1.9.0",
		"-- main.tf --\nlocals {\n  a = \"" + long + "one\"\n}\n-- override.tofu --\nlocals {\n  a = \"" + long + "two\"\n}\n",
		"override.tofu:2 local.a: opentofu@1.9.0 uses a 91-column string (from column 88 on: …ven here: two\") at override.tofu:2; " +
			"terraform@1.9.0 uses a 91-column string (from column 88 on: …ven here: one\") at main.tf:2.\n",
	},
	{
		"several of a kind, and none", "opentofu@1.9.0", "terraform@1.9.0",
		"-- main.tf --\nresource \"a_b\" \"c\" {\n  disk {\n    size = 1\n  }\n}\n-- override.tofu --\nresource \"a_b\" \"c\" {\n" +
			"  zone = 1\n  disk {\n    size = 2\n  }\n  disk {\n    size = 3\n  }\n}\n",
		"override.tofu:3 a_b.c.disk: opentofu@1.9.0 uses a 3-line disk block at override.tofu:3, a 3-line disk block at override.tofu:6; " +
			"terraform@1.9.0 uses a 3-line disk block at main.tf:2.\n" +
			"override.tofu:2 a_b.c.zone: opentofu@1.9.0 uses 1 at override.tofu:2; terraform@1.9.0 has none.\n",
	},
	{
		"rules differ", "opentofu@1.12.0", "terraform@1.15.0",
		deprecated, "override.tf:2 var.v.deprecated: opentofu@1.12.0 uses \"b\" at override.tf:2; terraform@1.15.0 uses \"a\" at main.tf:2. " +
			"OpenTofu 1.10 and later: Replaced; it can't be removed. Terraform 1.15 and later: Ignored, although the documentation says otherwise.\n",
	},
	{
		"one of them refuses the module", "opentofu@1.12.0", "terraform@1.9.0",
		"-- main.tf --\nvariable \"v\" {\n  deprecated = \"a\"\n}\n", "main.tf:2 terraform@1.9.0 refuses the module, opentofu@1.12.0 accepts it. " +
			"Terraform 1.9 does not support the argument deprecated (supported by OpenTofu 1.10 and later, Terraform 1.15 and later).\n",
	},
	{
		"the engine that is followed refuses it", "terraform@1.9.0", "opentofu@1.12.0",
		"-- main.tf --\nvariable \"v\" {\n  deprecated = \"a\"\n}\n", "",
	},
	{
		"an engine implies what a block doesn't say", "opentofu@1.12.0", "terraform@1.12.0",
		removed, "main.tf:1 removed: opentofu@1.12.0 uses a 3-line removed block at main.tf:1 (implies lifecycle.destroy = false); " +
			"terraform@1.12.0 uses a 3-line removed block at main.tf:1 (implies lifecycle.destroy = true).\n",
	},
}

func TestFindings(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := list(report.EngineFindings(reading(t, c.archive, c.a), reading(t, c.archive, c.b)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A warning is about the side that has an override, with the code by which programs know it.
func TestWarning(t *testing.T) {
	const archive = plain + "-- override.tofu --\nlocals {\n  a = 2\n}\n"
	for want, engines := range [][2]string{{"opentofu@1.9.0", "terraform@1.9.0"}, {"terraform@1.9.0", "opentofu@1.9.0"}} {
		d := compare.Differences(reading(t, archive, engines[0]), reading(t, archive, engines[1]))[0]
		warning, side := report.EngineWarning(d)
		if side != want || warning.Subject == nil || diag.CodeOf(warning) != diag.EnginesDiffer ||
			warning.Severity != hcl.DiagWarning || warning.Summary != "Engines differ" {
			t.Errorf("%v: side %d, %+v", engines, side, warning)
		}
	}
}

// EngineNotes mention assumptions and items without effect, for each side separately.
func TestNotes(t *testing.T) {
	a, b := reading(t, removed, "opentofu@1.12.0"), reading(t, removed, "terraform@1.12.0")
	d := compare.Differences(a, b)[0]
	got := [][]string{report.EngineNotes(d, 0), report.EngineNotes(d, 1)}
	want := [][]string{{"main.tf:1 implies lifecycle.destroy = false"}, {"main.tf:1 implies lifecycle.destroy = true"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const version = "-- main.tf --\nterraform {\n  required_version = \">= 1.0\"\n}\n-- override.tf --\nterraform {\n  required_version = \">= 1.1\"\n}\n"
	a, b = reading(t, version, "opentofu@1.12.0"), reading(t, version, "terraform@1.15.0")
	d = compare.Differences(a, b)[0]
	if got := append(report.EngineNotes(d, 0), report.EngineNotes(d, 1)...); !cmp.Equal(got, []string{"main.tf:2 is ignored", "override.tf:2 is ignored"}) {
		t.Errorf("%q", got)
	}
}

// An engine that reads none of the files refuses the module, with one sentence for readings and findings.
func TestNoFiles(t *testing.T) {
	a := reading(t, "-- main.tofu --\nlocals {}\n", "opentofu@1.9.0")
	other := reading(t, plain, "terraform@1.9.0").Engine()
	const want = "terraform@1.9.0 reads none of the files of this module."
	none := report.NoFiles(a, other)
	if none.Engine() != other || len(none.Refusals()) != 1 || none.Refusals()[0].Detail != want || none.Module.Source.Dir != a.Module.Source.Dir {
		t.Errorf("%+v, %+v", none.Module.Source, none.Refusals())
	}
	f := report.NoReading(a, other)
	if f.Message != want || f.Range.Filename != "main.tofu" || f.Rule != check.EnginesDiffer {
		t.Errorf("%+v", f)
	}
}
