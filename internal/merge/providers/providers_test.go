package providers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
)

const module = `
-- main.tf --
terraform {
  required_providers {
    aws   = { source = "hashicorp/aws", version = "~> 5.0" }
    other = { source = "hashicorp/AWS", version = ">= 5.30" }
    built = { source = "terraform.io/builtin/terraform" }
    mine  = { source = "example.com/team/mine" }
    odd   = { version = "five" }
  }
}
provider "tls" {
  version = ">= 4.0"
}
resource "random_id" "a" {
}
resource "random_id" "b" {
}
resource "null_thing" "c" {
  provider = google
}
-- override.tf --
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 6.0" }
  }
}
resource "null_thing" "c" {
  provider = azurerm
}
`

// merged is a module, even if the engine refuses a constraint of it.
func merged(t *testing.T, files string) *merge.Module {
	t.Helper()
	m, _ := mergetest.ArchiveAs(t, files, engine.Default())
	return m
}

// The required providers are those of the effective configuration, each once.
func TestRequired(t *testing.T) {
	var got strings.Builder
	for _, r := range providers.Required(merged(t, module)) {
		fmt.Fprintf(&got, "%s %v by %s implied %v:", r.Source, r.Names, r.Address, r.IsImplied)
		for _, c := range r.Constraints {
			fmt.Fprintf(&got, " %s (%s, %v)", c.Text, c.Item.File.Name, c.Versions != nil)
		}
		got.WriteString("\n")
	}
	want := `example.com/team/mine [mine] by terraform.required_providers.mine implied false:
registry.opentofu.org/hashicorp/aws [aws other] by terraform.required_providers.aws implied false: ~> 6.0 (override.tf, true) >= 5.30 (main.tf, true)
registry.opentofu.org/hashicorp/azurerm [azurerm] by null_thing.c implied true:
registry.opentofu.org/hashicorp/odd [odd] by terraform.required_providers.odd implied false: five (main.tf, false)
registry.opentofu.org/hashicorp/random [random] by random_id.a implied true:
registry.opentofu.org/hashicorp/tls [tls] by provider.tls implied true: >= 4.0 (main.tf, true)
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// locked is a provider in a lock file, by its address and version; one without a version can't be read.
func locked(line int, address, text string) providers.LockedProvider {
	v, _ := version.NewVersion(text)
	return providers.LockedProvider{Source: address, Version: v, Range: hcl.Range{Start: hcl.Pos{Line: line}}}
}

func TestCompare(t *testing.T) {
	lock := []providers.LockedProvider{
		locked(1, "registry.opentofu.org/HashiCorp/aws", "5.40.0"),
		locked(2, "registry.opentofu.org/hashicorp/aws", "6.1.0"), // of two, the first is used
		locked(3, "registry.opentofu.org/hashicorp/odd", "1.0.0"),
		locked(4, "registry.opentofu.org/hashicorp/tls", "4.0.0"),
		locked(5, "registry.terraform.io/hashicorp/random", "3.0.0"),
		locked(6, "registry.terraform.io/hashicorp/tls", "4.1.0"),
		locked(7, "registry.opentofu.org/hashicorp/unused", "1.0.0"),
		locked(8, "example.com/team/mine", ""),
	}
	list := providers.Compare(merged(t, module), lock)
	var got strings.Builder
	for _, p := range list {
		fmt.Fprintf(&got, "%s: %s, locked %v at %d", p.Source, p.Status, p.Locked, p.Range.Start.Line)
		if p.LockedFor != "" {
			fmt.Fprintf(&got, " for %s", p.LockedFor)
		}
		for _, c := range p.Unmet() {
			fmt.Fprintf(&got, ", not %s", c.Text)
		}
		got.WriteString("\n")
	}
	want := `example.com/team/mine: undecided, locked true at 8
registry.opentofu.org/hashicorp/aws: not_met, locked true at 1, not ~> 6.0
registry.opentofu.org/hashicorp/azurerm: not_locked, locked false at 0
registry.opentofu.org/hashicorp/odd: undecided, locked true at 3
registry.opentofu.org/hashicorp/random: not_locked, locked false at 5 for terraform
registry.opentofu.org/hashicorp/tls: met, locked true at 4
registry.opentofu.org/hashicorp/unused: not_required, locked true at 7
registry.terraform.io/hashicorp/tls: not_required, locked true at 6
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A constraint that is not met weighs more than one that can't be read, whichever comes first.
func TestNotMetWins(t *testing.T) {
	for _, versions := range [][2]string{{"five", "~> 2.0"}, {"~> 2.0", "five"}} {
		m := merged(t, fmt.Sprintf(`
-- main.tf --
terraform {
  required_providers {
    a = { source = "x/a", version = %q }
    b = { source = "x/a", version = %q }
  }
}
`, versions[0], versions[1]))
		list := providers.Compare(m, []providers.LockedProvider{locked(1, "registry.opentofu.org/x/a", "1.0.0")})
		if len(list) != 1 || list[0].Status != providers.NotMet {
			t.Fatalf("%v: %+v", versions, list)
		}
		if unmet := list[0].Unmet(); len(unmet) != 1 || unmet[0].Text != "~> 2.0" {
			t.Errorf("%v: not met are %+v", versions, unmet)
		}
	}
}

// The requirements of an unreadable file are unknown, so nothing in the lock file is superfluous.
func TestPartial(t *testing.T) {
	m, diags := mergetest.ArchiveAs(t, "-- a.tf --\nresource \"a_b\" \"c\" {\n}\n-- broken.tf --\nresource {\n", engine.Default())
	if !diags.HasErrors() {
		t.Fatal("the module can be read")
	}
	list := providers.Compare(m, []providers.LockedProvider{locked(1, "registry.opentofu.org/x/a", "1.0.0")})
	if len(list) != 2 || list[1].Status != providers.Undecided || list[1].Unmet() != nil {
		t.Errorf("%+v", list)
	}
}

// A module that is called may need providers, too.
func TestCalls(t *testing.T) {
	for text, want := range map[string]bool{"locals {\n}\n": false, "module \"m\" {\n  source = \"./m\"\n}\n": true} {
		if got := providers.Calls(mergetest.Archive(t, "-- main.tf --\n"+text)); got != want {
			t.Errorf("%q calls others: %v", text, got)
		}
	}
}
