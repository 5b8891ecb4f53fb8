package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

func readBy(t *testing.T, archive, as string) compare.Reading {
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
			got := list(EngineFindings(readBy(t, c.archive, c.a), readBy(t, c.archive, c.b)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// An engine that reads none of the files is a finding at the first of them.
func TestNoReading(t *testing.T) {
	a := readBy(t, "-- main.tofu --\nlocals {}\n", "opentofu@1.9.0")
	f := NoReading(a, readBy(t, plain, "terraform@1.9.0").Engine())
	if f.Message != "terraform@1.9.0 reads none of the files of this module." || f.Range.Filename != "main.tofu" || f.Rule != check.EnginesDiffer {
		t.Errorf("%+v", f)
	}
}
