package lookup_test

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
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
)

const primary = `resource "x_y" "web" {
  size = 1
  tags = { Name = "a" }
  ports = [{ to = 1 }]
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
  tags = {
    Name  = "b"
    "a.b" = 1
    a     = { b = 2 }
    1     = "one"
  }
  ports = [{ to = 2 }, { to = 3 }]
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

// parsed is the address of a text.
func parsed(t *testing.T, text string) address.Address {
	t.Helper()
	a, err := address.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// module is a module of a primary and an override file.
func module(t *testing.T) *merge.Module {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.tf": primary, "override.tf": override} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, diags, err := load.Dir(dir, load.Options{Engine: engine.Default()})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m
}

// Each address finds its target, in the form in which it is listed.
func TestFind(t *testing.T) {
	m := module(t)
	for _, c := range []struct {
		given     string
		found     []string
		effective int // items in effect under it
		lost      int // items that the primary file has under it, and that are not in effect
	}{
		{"x_y.web", []string{"x_y.web"}, 1, 0},
		{"resource.x_y.web", []string{"x_y.web"}, 1, 0},
		{"x_y.web.size", []string{"x_y.web.size"}, 1, 1},
		{"x_y.web.disk", []string{"x_y.web.disk"}, 1, 2},
		{"x_y.web.disk[0]", []string{"x_y.web.disk[0]"}, 1, 1},
		{"x_y.web.disk[1]", []string{"x_y.web.disk[1]"}, 0, 1}, // one that only the primary file has
		{"x_y.web.disk[2]", nil, 0, 0},
		{"x_y.web.disk[1].gb", []string{"x_y.web.disk[1].gb"}, 0, 1},
		{"x_y.web.size[0]", nil, 0, 0},
		{"x_y.web[0].size", []string{"x_y.web.size"}, 1, 1},
		{"x_y.web.tags.Name", []string{"x_y.web.tags.Name"}, 1, 1},
		{`x_y.web.tags["a.b"]`, []string{`x_y.web.tags["a.b"]`}, 1, 0},
		{"x_y.web.tags.a.b", []string{"x_y.web.tags.a.b"}, 1, 0},
		{"x_y.web.tags[1]", nil, 0, 0},
		{`x_y.web.tags["1"]`, []string{`x_y.web.tags["1"]`}, 1, 0},
		{"x_y.web.ports[1].to", []string{"x_y.web.ports[1].to"}, 1, 0},
		{"x_y.web.ports.to", []string{"x_y.web.ports.to"}, 2, 1},
		{"x_y.web.ports[2]", nil, 0, 0},
		{"x_y.web.disk.gb", []string{"x_y.web.disk.gb"}, 1, 2},
		{"x_y.web.rule.content.port", []string{"x_y.web.rule.content.port"}, 1, 0},
		{"x_y.web.count", []string{"x_y.web.count"}, 1, 0},
		{"x_y.web._.count", []string{"x_y.web._.count"}, 1, 0},
		{"x_y.web._.size", []string{"x_y.web.size"}, 1, 1},
		{"x_y.web.provisioner.local-exec.command", []string{"x_y.web.provisioner.local-exec.command"}, 1, 0},
		{"x_y.web.provisioner[0].command", []string{"x_y.web.provisioner[0].command"}, 1, 0},
		{"x_y.web.lifecycle.prevent_destroy", []string{"x_y.web.lifecycle.prevent_destroy"}, 1, 1},
		{"x_y.web.lifecycle[0].prevent_destroy", []string{"x_y.web.lifecycle.prevent_destroy"}, 1, 1},
		{"data.x_y.seen.size", []string{"check.up.data.x_y.seen.size"}, 1, 1},
		{"local.zone", []string{"local.zone"}, 1, 0},
		{"variable.region", []string{"var.region"}, 1, 0},
		{"terraform.required_version", []string{"terraform.required_version"}, 1, 0},
		{"x_y.worker", nil, 0, 0},
	} {
		var found []string
		var effective, lost int
		for _, target := range lookup.Find(m, parsed(t, c.given)) {
			found = append(found, target.Address.String())
			effective += len(target.Effective())
			for _, o := range target.Item.Outcomes() {
				if !source.IsOverride(o.Item) && o.Status == effect.StatusReplaced {
					lost += len(target.In(o.Item))
				}
			}
		}
		if diff := cmp.Diff(c.found, found); diff != "" || effective != c.effective || lost != c.lost {
			t.Errorf("%s: %d in effect and %d lost, want %d and %d (-want +got):\n%s", c.given, effective, lost, c.effective, c.lost, diff)
		}
	}
}

// Every listed address is found, under that address.
func TestAllAreFound(t *testing.T) {
	m := module(t)
	all := lookup.All(m)
	if len(all) < 20 {
		t.Fatalf("only %d addresses: %s", len(all), all)
	}
	for _, a := range all {
		if len(lookup.Find(m, a)) == 0 {
			t.Errorf("%s is listed and not found", a)
		}
	}
	var tops []string
	for _, target := range lookup.Top(m) {
		tops = append(tops, target.Address.String())
	}
	want := []string{"x_y.web", "check.up", "locals", "var.region", "terraform"}
	if diff := cmp.Diff(want, tops); diff != "" {
		t.Errorf("top level (-want +got):\n%s", diff)
	}
}

// An error concerns the top-level block that it is in, a warning the item only.
func TestConcern(t *testing.T) {
	m := module(t)
	targets := append(lookup.Find(m, parsed(t, "x_y.web.lifecycle.prevent_destroy")), lookup.Find(m, parsed(t, "x_y.web.size"))...)
	concern := lookup.NewConcern(targets)
	prevents := targets[0].Item.Steps[0].Item
	web := lookup.Find(m, parsed(t, "x_y.web"))[0].Item.Steps[0].Item
	size := lookup.Find(m, parsed(t, "x_y.web.size"))[0].Item.Steps[0].Item
	check := lookup.Find(m, parsed(t, "check.up"))[0].Item.Steps[0].Item
	for _, c := range []struct {
		severity hcl.DiagnosticSeverity
		at       source.Item
		want     bool
	}{
		{hcl.DiagWarning, size, true},
		{hcl.DiagWarning, web, false},
		{hcl.DiagError, web, true},
		{hcl.DiagError, check, false},
		{hcl.DiagWarning, prevents, true},
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
	web := lookup.Find(m, parsed(t, "x_y.web"))[0].Item.Steps[0].Item.(*source.Block)
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
		ps := address.NewPatterns(p)
		for _, it := range web.Items() {
			if it.Called() != c.name {
				continue
			}
			at, got := ps.FollowItem(ps.Reach(address.New("x_y", "web")), address.New(c.name), c.number, it)
			if got != c.want || ps.HasMatchAt(at) != c.want {
				t.Errorf("%s matches %s[%d]: %v, want %v", c.pattern, c.name, c.number, got, c.want)
			}
		}
	}
}

// A pattern matches blocks by the numbers that they have in effect, or have in the primary file.
func TestMatching(t *testing.T) {
	m := module(t)
	for _, c := range []struct {
		pattern string
		want    []string
	}{
		{"x_y.*.disk", []string{"x_y.web.disk"}},
		{"x_y.*.disk[0]", []string{"x_y.web.disk[0]"}},
		{"x_y.*.disk[1].gb", []string{"x_y.web.disk[1].gb"}},
		{"x_y.*.disk[2]", nil},
		{"**.Name", []string{"x_y.web.tags.Name"}},
		{"**.to", []string{"x_y.web.ports[0].to", "x_y.web.ports[1].to"}},
	} {
		p, err := address.ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, target := range address.Matching(m, p) {
			got = append(got, target.Address.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.pattern, diff)
		}
	}
}

// An item of a file belongs to the merged item that it is part of, or to a part of that.
func TestOfItem(t *testing.T) {
	m := module(t)
	for _, c := range []struct {
		file string
		path []int // indexes, from the top level inwards
		want []string
	}{
		{"main.tf", []int{0}, []string{"x_y.web"}},
		{"main.tf", []int{0, 0}, []string{"x_y.web.size"}},
		{"main.tf", []int{0, 4, 0}, []string{"x_y.web.disk.gb"}},
		{"override.tf", []int{0, 3, 0}, []string{"x_y.web.disk.gb"}},
		{"main.tf", []int{2}, []string{"locals"}},
		{"main.tf", []int{2, 0}, []string{"local.zone"}},
	} {
		var it source.Item = m.Source.File(c.file).Block(c.path[0])
		for _, i := range c.path[1:] {
			it = it.(*source.Block).Items()[i]
		}
		var got []string
		for _, target := range lookup.OfItem(m, it) {
			got = append(got, target.Address.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.file, c.path, diff)
		}
	}
}

// The items of a body have addresses below its block's; no body has none.
func TestWalkIn(t *testing.T) {
	m := module(t)
	web := lookup.Find(m, parsed(t, "x_y.web"))[0]
	count := 0
	address.WalkIn(m, web.Of, web.Item.Inner(), func(own address.Address, e *merge.MergedItem) {
		if _, isIn := own.In(web.Of); !isIn || own == web.Of {
			t.Errorf("%s is not in %s", own, web.Of)
		}
		count++
	})
	if count < 8 {
		t.Errorf("only %d items are visited", count)
	}
	address.WalkIn(m, web.Of, nil, func(own address.Address, _ *merge.MergedItem) { t.Errorf("%s is in nothing", own) })
}
