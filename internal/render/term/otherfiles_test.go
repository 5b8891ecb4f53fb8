package term_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

func others(t *testing.T, files ...report.OtherFileRecord) string {
	t.Helper()
	var out strings.Builder
	if err := term.OtherFiles(&out, files, engine.Default(), screen.Plain()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Each file has its role, and why it is loaded only sometimes.
func TestOtherFiles(t *testing.T) {
	got := others(t,
		report.OtherFileRecord{Filename: "terraform.tfvars", Role: sidefiles.Variables, Status: sidefiles.Read, Order: 1},
		report.OtherFileRecord{Filename: "prod.tfvars", Role: sidefiles.Variables, Status: sidefiles.OnRequest, Needs: "-var-file"},
		report.OtherFileRecord{Filename: "broken.tfvars", Role: sidefiles.Variables, Status: sidefiles.Read, Order: 2, Broken: true},
		report.OtherFileRecord{Filename: "a.tftest.hcl", Role: sidefiles.Test, Status: sidefiles.Shadowed, ShadowedBy: "tests/a.tofutest.hcl"},
		report.OtherFileRecord{Filename: "b\x1b.tofutest.hcl", Role: sidefiles.Test, Status: sidefiles.Read},
		report.OtherFileRecord{Filename: "tests/v.auto.tfvars", Role: sidefiles.TestVariables, Status: sidefiles.Read, Order: 3},
		report.OtherFileRecord{Filename: "m.tfmock.hcl", Role: sidefiles.Mock, Status: sidefiles.OnRequest, Needs: "mock_provider"},
		report.OtherFileRecord{Filename: "c.tfquery.hcl", Role: sidefiles.Query, Status: sidefiles.Unread, ReadBy: "Terraform 1.14 and later"},
	)
	want := `
Never merged:
variables 1  terraform.tfvars
variables    prod.tfvars          only with -var-file
variables 2  broken.tfvars        can't be read or parsed
shadowed     a.tftest.hcl         by a.tofutest.hcl
test         b\x1b.tofutest.hcl
variables 3  tests/v.auto.tfvars  in tests only
mock         m.tfmock.hcl         only if a mock_provider in a test names its directory
not read     c.tfquery.hcl        by Terraform 1.14 and later only
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := others(t); got != "" {
		t.Errorf("without files: %q", got)
	}
}

// Of many files of a role, ten are listed, with the number of the others below them.
func TestOtherFilesOfMany(t *testing.T) {
	var files []report.OtherFileRecord
	for i := range 12 {
		files = append(files, report.OtherFileRecord{Filename: fmt.Sprintf("%02d.tftest.hcl", i), Role: sidefiles.Test, Status: sidefiles.Read})
	}
	files = append(files, report.OtherFileRecord{Filename: "m.tfmock.hcl", Role: sidefiles.Mock, Status: sidefiles.Read})
	got := others(t, files...)
	if !strings.Contains(got, "09.tftest.hcl\n"+strings.Repeat(" ", 13)+"… 2 more\nmock") || strings.Contains(got, "10.tftest.hcl") {
		t.Error(got)
	}
	if got := others(t, files[:10]...); strings.Contains(got, "more") {
		t.Error(got)
	}
}

func provider(source string, status providers.Status, locked string, change func(*report.ProviderRecord)) report.ProviderRecord {
	p := report.ProviderRecord{Source: source, Status: status}
	p.RequiredBy = &report.RequirerRecord{Range: place(1)}
	if locked != "" {
		p.Locked = &locked
	}
	if change != nil {
		change(&p)
	}
	return p
}

func place(line int) report.RangeRecord {
	return report.RangeRecord{Filename: "main.tf", Start: report.PosRecord{Line: line}}
}

// A lock file has a total, and for each provider why it is needed and who isn't content.
func TestProviders(t *testing.T) {
	list := []report.ProviderRecord{
		provider("registry.opentofu.org/a/met", providers.Met, "1.0.0", func(p *report.ProviderRecord) {
			p.Constraints = []report.ConstraintRecord{{Constraint: ">= 1.0", Range: place(2), IsReadable: true, IsMet: true}}
		}),
		provider("registry.terraform.io/a/not", providers.NotMet, "2.0.0", func(p *report.ProviderRecord) {
			p.Constraints = []report.ConstraintRecord{
				{Constraint: ">= 1.0", Range: place(2), IsReadable: true, IsMet: true},
				{Constraint: "~> 3.0", Range: place(3), IsReadable: true},
				{Constraint: "~> 4.0", Range: place(4), IsReadable: true},
			}
		}),
		provider("registry.opentofu.org/a/odd", providers.Undecided, "3.0.0", func(p *report.ProviderRecord) {
			p.Constraints = []report.ConstraintRecord{{Constraint: "x\x1b", Range: place(5)}}
		}),
		provider("registry.opentofu.org/a/unreadable", providers.Undecided, "", nil),
		provider("registry.opentofu.org/a/broken", providers.Undecided, "1.0.0", func(p *report.ProviderRecord) { p.RequiredBy = nil }),
		provider("registry.opentofu.org/a/missing", providers.NotLocked, "", func(p *report.ProviderRecord) { p.LockedFor = "terraform" }),
		provider("registry.opentofu.org/a/implied", providers.Met, "1.0.0", func(p *report.ProviderRecord) {
			p.RequiredBy.Implied, p.RequiredBy.Address = true, "implied_a.b"
		}),
		provider("registry.opentofu.org/a/idle", providers.NotRequired, "1.0.0", func(p *report.ProviderRecord) { p.RequiredBy = nil }),
	}
	lock := report.OtherFileRecord{Filename: ".terraform.lock.hcl", Role: sidefiles.Lock, Status: sidefiles.Read, Providers: list}
	want := `
Never merged:
lock file    .terraform.lock.hcl  7 providers, 1 not met, 3 undecided, 1 not locked, 1 not required
  met           a/met                        1.0.0  >= 1.0 (main.tf:2)
  not met       registry.terraform.io/a/not  2.0.0  needs ~> 3.0 (main.tf:3); ~> 4.0 (main.tf:4)
  undecided     a/odd                        3.0.0  invalid constraint x\x1b (main.tf:5)
  undecided     a/unreadable                        its locked version can't be read; any version (main.tf:1)
  undecided     a/broken                     1.0.0  a file can't be read or parsed
  not locked    a/missing                           locked for Terraform only; any version (main.tf:1)
  met           a/implied                    1.0.0  implied by implied_a.b (main.tf:1)
  not required  a/idle                       1.0.0
`
	if diff := cmp.Diff(want, others(t, lock)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	lock.CallsModules = true
	if got := others(t, lock); !strings.Contains(got, "1.0.0  a called module may need it\n") {
		t.Error(got)
	}
}

// If there are many providers, those that fit are left out.
func TestProvidersOfMany(t *testing.T) {
	lock := report.OtherFileRecord{Filename: ".terraform.lock.hcl", Role: sidefiles.Lock, Status: sidefiles.Read}
	for i := range 21 {
		status := providers.Met
		if i%2 == 0 {
			status = providers.NotLocked
		}
		lock.Providers = append(lock.Providers, provider(fmt.Sprintf("registry.opentofu.org/a/p%02d", i), status, "", nil))
	}
	got := others(t, lock)
	if strings.Contains(got, "p01") || !strings.Contains(got, "p20") || !strings.Contains(got, "\n  … 10 more\n") {
		t.Error(got)
	}
	lock.Providers = lock.Providers[:20]
	if got := others(t, lock); !strings.Contains(got, "p01") || strings.Contains(got, "more") {
		t.Error(got)
	}
}
