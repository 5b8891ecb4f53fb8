package address_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

const primary = `resource "x_y" "web" {
  size = 1
  disk {
    gb = 1
  }
  disk {
    gb = 2
  }
  dynamic "rule" {
    for_each = []
    content {
      port = 1
    }
  }
  _ {
    count = 3
  }
  count = 2
  provisioner "local-exec" {
    command = "true"
  }
  lifecycle {
    prevent_destroy = true
  }
}

check "up" {
  data "x_y" "seen" {
    size = 1
  }
  assert {
    condition     = data.x_y.seen.size > 0
    error_message = "down"
  }
}

locals {
  zone = "a"
}

variable "region" {}

terraform {
  required_version = ">= 1.0"
}
`

const override = `resource "x_y" "web" {
  size = 2
  disk {
    gb = 3
  }
  lifecycle {
    prevent_destroy = false
  }
}

data "x_y" "seen" {
  size = 2
}
`

// module is a module of a primary and an override file.
func module(t *testing.T) *merge.Module {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.tf": primary, "override.tf": override} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, diags, err := load.Dir(dir, load.Options{Engine: engine.Default(), Trees: load.AllTrees})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m
}

// Each address names what it says, in the form in which it is listed.
func TestFind(t *testing.T) {
	m := module(t)
	for _, c := range []struct {
		given     address.Address
		found     []address.Address
		effective int // items in effect under it
		lost      int // items that the primary file has under it, and that are not in effect
	}{
		{"x_y.web", []address.Address{"x_y.web"}, 1, 0},
		{"resource.x_y.web", []address.Address{"x_y.web"}, 1, 0},
		{"x_y.web.size", []address.Address{"x_y.web.size"}, 1, 1},
		{"x_y.web.disk", []address.Address{"x_y.web.disk"}, 1, 2},
		{"x_y.web.disk[0]", []address.Address{"x_y.web.disk[0]"}, 1, 2},
		{"x_y.web.disk[1]", nil, 0, 0},
		{"x_y.web.disk.gb", []address.Address{"x_y.web.disk.gb"}, 1, 2},
		{"x_y.web.rule.content.port", []address.Address{"x_y.web.rule.content.port"}, 1, 0},
		{"x_y.web.count", []address.Address{"x_y.web.count"}, 1, 0},
		{"x_y.web._.count", []address.Address{"x_y.web._.count"}, 1, 0},
		{"x_y.web._.size", []address.Address{"x_y.web.size"}, 1, 1},
		{"x_y.web.provisioner.local-exec.command", []address.Address{"x_y.web.provisioner.local-exec.command"}, 1, 0},
		{"x_y.web.provisioner[0].command", []address.Address{"x_y.web.provisioner[0].command"}, 1, 0},
		{"x_y.web.lifecycle.prevent_destroy", []address.Address{"x_y.web.lifecycle.prevent_destroy"}, 1, 1},
		{"x_y.web.lifecycle[0].prevent_destroy", []address.Address{"x_y.web.lifecycle.prevent_destroy"}, 1, 1},
		{"data.x_y.seen.size", []address.Address{"check.up.data.x_y.seen.size"}, 1, 1},
		{"local.zone", []address.Address{"local.zone"}, 1, 0},
		{"variable.region", []address.Address{"var.region"}, 1, 0},
		{"terraform.required_version", []address.Address{"terraform.required_version"}, 1, 0},
		{"x_y.worker", nil, 0, 0},
		{"x_y.web[", nil, 0, 0},
	} {
		var found []address.Address
		var effective, lost int
		for _, target := range address.Find(m, c.given) {
			found = append(found, target.Address)
			effective += len(target.Effective())
			for _, o := range target.Item.Outcomes() {
				if !source.IsOverride(o.Item) && o.Status == merge.StatusReplaced {
					lost += len(target.In(o.Item))
				}
			}
		}
		if diff := cmp.Diff(c.found, found); diff != "" || effective != c.effective || lost != c.lost {
			t.Errorf("%s: %d in effect and %d lost, want %d and %d (-want +got):\n%s", c.given, effective, lost, c.effective, c.lost, diff)
		}
	}
}

// What is listed is found, each under its own address.
func TestAllAreFound(t *testing.T) {
	m := module(t)
	all := address.All(m)
	if len(all) < 20 {
		t.Fatalf("only %d addresses: %s", len(all), all)
	}
	for _, a := range all {
		if len(address.Find(m, a)) == 0 {
			t.Errorf("%s is listed and not found", a)
		}
	}
	var tops []address.Address
	for _, target := range address.Top(m) {
		tops = append(tops, target.Address)
	}
	want := []address.Address{"x_y.web", "check.up", "locals", "var.region", "terraform"}
	if diff := cmp.Diff(want, tops); diff != "" {
		t.Errorf("top level (-want +got):\n%s", diff)
	}
}

// An error concerns the top-level block that it is in, a warning the item only.
func TestConcern(t *testing.T) {
	m := module(t)
	concern := address.NewConcern(address.Find(m, "x_y.web.size"))
	web := address.Find(m, "x_y.web")[0].Item.Steps[0].Item
	size := address.Find(m, "x_y.web.size")[0].Item.Steps[0].Item
	check := address.Find(m, "check.up")[0].Item.Steps[0].Item
	for _, c := range []struct {
		severity hcl.DiagnosticSeverity
		at       source.Item
		want     bool
	}{
		{hcl.DiagWarning, size, true},
		{hcl.DiagWarning, web, false},
		{hcl.DiagError, web, true},
		{hcl.DiagError, check, false},
	} {
		at := source.Where(c.at)
		if got := concern.IsAbout(&hcl.Diagnostic{Severity: c.severity, Subject: &at}); got != c.want {
			t.Errorf("severity %d at %s: %v, want %v", c.severity, at, got, c.want)
		}
	}
}

// Patterns follow every way to address an item inside a block.
func TestPatterns(t *testing.T) {
	m := module(t)
	body := address.Find(m, "x_y.web")[0].Item.Steps[0].Item.(*source.Block).Body
	for _, c := range []struct {
		pattern string
		name    string
		number  int
		want    bool
	}{
		{"x_y.web.size", "size", 0, true},
		{"x_y.*.disk[1]", "disk", 1, true},
		{"x_y.*.disk[1]", "disk", 0, false},
		{"**.local-exec", "provisioner", 0, true},
		{"x_y.web.provisioner.remote-exec", "provisioner", 0, false},
		{"x_y.web.rule.rule", "rule", 0, false}, // a dynamic block's label is its name
	} {
		p, err := address.ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		ps := address.Patterns{p}
		for _, it := range body.Items {
			if it.Called() != c.name {
				continue
			}
			at, got := ps.Ways(ps.Reach("x_y.web"), address.Address(c.name), c.number, it)
			if got != c.want || ps.AreAt(at) != c.want {
				t.Errorf("%s matches %s[%d]: %v, want %v", c.pattern, c.name, c.number, got, c.want)
			}
		}
	}
}
