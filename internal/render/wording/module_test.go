package wording_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

const module = `
-- main.tf --
variable "secret" {
  default   = "s3cret"
  sensitive = true
}
variable "total" {
  type    = string
  default = "1"
}
locals {
  long = "0123456789012345678901234567890123456789012345678901234567890123456789"
  text = <<-EOT
    one
    two
  EOT
}
resource "a_b" "x" {
  size  = 1
  old   = 2
  tags  = { Name = "n", Owner = "o" }
  disk {
    size = 1
    zone = "a"
  }
  disk {
    size = 2
  }
  lifecycle {
    prevent_destroy = true
  }
}
-- override.tf --
variable "secret" {
  default = "0ther"
}
variable "total" {
  default = 2
}
locals {
  long = "0123456789012345678901234567890123456789012345678901234567890123456x89"
  text = <<-EOT
    one
    three
  EOT
}
resource "a_b" "x" {
  size = 3
  zone = 4
  tags = { Name = "m" }
  disk {
    size = 9
  }
  lifecycle {
    prevent_destroy = false
  }
}
`

// changed words the changes of a module, a line each.
func changed(redact wording.Redactor, blocks []*changes.Block) string {
	var out strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&out, "%s%s\n", b.Address, wording.BlockNote(b))
		for l := range (wording.ModuleChanges{Redact: redact}).Lines(b) {
			fmt.Fprintf(&out, "  %d %s: %s, %s\n", l.Kind, l.Name, l.Value, l.By)
			for _, below := range l.Below {
				fmt.Fprintf(&out, "    %d %s\n", below.Kind, below.Text)
			}
		}
	}
	return out.String()
}

func TestChangeLines(t *testing.T) {
	m := mergetest.Archive(t, module)
	got := changed(wording.NewRedactor(m.Source, false), changes.Of(m))
	want := `var.secret
  0 default: (sensitive value) → (sensitive value), override.tf:2
var.total
  0 default: "1" → 2, override.tf:5
locals
  0 local.long: "0123456789012345678901234567890123456789012345678901234567890123456789" → "0123456789012345678901234567890123456789012345678901234567890123456x89", override.tf:8
  0 local.text: , override.tf:9
    2 two
    1 three
a_b.x
  0 size: 1 → 3, override.tf:15
  0 tags.Name: "n" → "m", override.tf:17
  2 tags.Owner: "o", dropped by override.tf:17
  0 disk[0].size: 1 → 9, override.tf:19
  2 disk[0].zone: "a", dropped by override.tf:18
  2 disk[1]: a 3-line disk block, dropped by override.tf:18
  2 disk[1].size: 2, dropped by override.tf:18
  0 lifecycle.prevent_destroy: true → false, override.tf:22
  1 zone: 4, override.tf:16
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	redacted := changed(wording.NewRedactor(m.Source, true), changes.Of(m))
	for _, want := range []string{"(redacted) → 3", "(redacted) → 2", "(sensitive value) → (sensitive value)", "tags.Owner: (redacted)"} {
		if !strings.Contains(redacted, want) {
			t.Errorf("no %q in:\n%s", want, redacted)
		}
	}
	if strings.Contains(redacted, `"n"`) || strings.Contains(got+redacted, "s3cret") || strings.Contains(got+redacted, "0ther") {
		t.Errorf("values that are hidden show up in:\n%s", got+redacted)
	}
}

// Between modules each side has its own location, and a value that disappeared has only the earlier
// one.
func TestChangesBetween(t *testing.T) {
	before := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = 1\n  b = 2\n  c = 3\n}\noutput \"o\" {\n  value = 1\n}\n")
	after := mergetest.Archive(t, "-- main.tf --\nlocals {\n\n  a = 4\n  b = 2\n}\n-- new.tf --\noutput \"p\" {\n  value = 1\n}\n")
	got := changed(wording.NewRedactor(after.Source, false), changes.Between(before, after))
	for _, want := range []string{
		"locals\n  0 local.a: 1 → 4, main.tf:3, was main.tf:2\n  2 local.c: 3, was main.tf:4\n",
		"output.p (new)\n  1 value: 1, new.tf:2\n", "output.o (removed)\n  2 value: 1, was main.tf:7\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "local.b") {
		t.Errorf("what stays the same is listed:\n%s", got)
	}
}

func TestChangeCount(t *testing.T) {
	m := mergetest.Archive(t, module)
	if got, want := wording.ChangeCount(changes.Of(m)), "8 changed, 1 added, 4 dropped in 4 blocks"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, test := range []struct {
		m    wording.ModuleChanges
		want string
	}{
		{wording.ModuleChanges{}, "No override changes anything."},
		{wording.ModuleChanges{Against: "main\x1b"}, `No effective value differs from main\x1b.`},
	} {
		if got := test.m.Count(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	if got := wording.Kinds(map[changes.Kind]int{changes.Dropped: 2}, true); got != "2 removed" {
		t.Errorf("between modules: %s", got)
	}
}

// explained words the effective items of an address, and its history.
func explained(t *testing.T, m *merge.Module, redact bool, text string) string {
	t.Helper()
	a, err := address.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := wording.NewRedactor(m.Source, redact)
	var out strings.Builder
	for _, target := range address.Find(m, a) {
		words, value := r.InEffectAt(target, 2)
		fmt.Fprintf(&out, "%s%s%s\n", target.Address, words, value)
		for _, row := range r.History(target) {
			fmt.Fprintf(&out, "%s\n", strings.TrimSpace(strings.Join([]string{row.Words(), wording.Place(row.At), row.Value, row.Note, r.CausedBy(row)}, " ")))
		}
	}
	return out.String()
}

func TestHistory(t *testing.T) {
	m := mergetest.Archive(t, module)
	for _, test := range []struct {
		address string
		redact  bool
		want    string
	}{
		{"a_b.x.size", false, "a_b.x.size = 3\neffective override.tf:15 3\nreplaced main.tf:17 1  by override.tf:15\n"},
		{"a_b.x.size", true, "a_b.x.size = 3\neffective override.tf:15 3\nreplaced main.tf:17 (redacted)  by override.tf:15\n"},
		{"a_b.x.tags", false, "a_b.x.tags = { Name = \"m\" }\neffective override.tf:17 { Name = \"m\" } drops Owner\n" +
			"replaced main.tf:19 { Name = \"n\", Owner = \"o\" }  by override.tf:17\n"},
		{"a_b.x.disk", false, "a_b.x.disk: 1 disk block\neffective override.tf:18 a 3-line disk block drops zone\n" +
			"replaced main.tf:24 a 3-line disk block  by override.tf:18\nreplaced main.tf:20 a 4-line disk block  by override.tf:18\n"},
		{"var.secret.default", true, "var.secret.default = (sensitive value)\neffective override.tf:2 (sensitive value)\n" +
			"replaced main.tf:2 (sensitive value)  by override.tf:2\n"},
		{"local.text", false, "local.text = <<-EOT\n    one\n… 2 more lines\neffective override.tf:9 a 2-line heredoc\nreplaced main.tf:11 a 2-line heredoc  by override.tf:9\n"},
	} {
		if diff := cmp.Diff(test.want, explained(t, m, test.redact, test.address)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.address, diff)
		}
	}
}

// Why an item has no effect, in the engine's own name.
func TestWhyIdle(t *testing.T) {
	terraform, err := engine.Parse("terraform@1.11.4")
	if err != nil {
		t.Fatal(err)
	}
	tofu := engine.Default()
	for _, test := range []struct {
		main, override string
		e              engine.Release
		want           []string
	}{
		{"terraform {\n}\n", "terraform {\n  required_version = \">= 1.0\"\n}\n", tofu, []string{"OpenTofu ignores it in .tf files"}},
		{"terraform {\n}\n", "terraform {\n  required_version = \">= 1.0\"\n}\n", terraform, nil},
		{"resource \"a_b\" \"x\" {\n}\n", "resource \"a_b\" \"x\" {\n  depends_on = []\n}\n", terraform, []string{"Terraform ignores this value"}},
		{"resource \"a_b\" \"x\" {\n  lifecycle {\n    ignore_changes = [a]\n  }\n}\n",
			"resource \"a_b\" \"x\" {\n  lifecycle {\n    ignore_changes = []\n  }\n}\n", tofu, []string{"OpenTofu ignores this value"}},
	} {
		m, _ := mergetest.ArchiveAs(t, "-- main.tf --\n"+test.main+"-- override.tf --\n"+test.override, test.e)
		var got []string
		address.Walk(m, func(_ address.Address, e *merge.MergedItem) {
			for _, o := range e.Outcomes() {
				if o.Status == effect.StatusNoEffect {
					got = append(got, wording.WhyIdle(o))
				}
			}
		})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, %s: -want +got:\n%s", test.e, test.override, diff)
		}
	}
}

const relative = `
-- main.tf --
module "near" {
  source = "./near"
}
module "up" {
  source = "../up"
}
module "far" {
  source = "a/b/c"
}
locals {
  text = "path.module"
  dir  = "${path.module}/x"
}
-- override.tf --
module "near" {
  source = "./other"
}
`

// Sources and other settings whose meaning depends on the directory.
func TestRelative(t *testing.T) {
	m := mergetest.Archive(t, relative)
	var sources []string
	for _, s := range wording.RelativeSources(m) {
		sources = append(sources, s.String())
	}
	const remark = " is relative to the module's directory, and the new directory lacks its target; flatten both with -r, from a directory that holds them, or change the source"
	want := []string{"override.tf:2: module.near.source" + remark, "main.tf:5: module.up.source" + remark}
	if diff := cmp.Diff(want, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"main.tf:12"}, wording.ModuleDirs(m)); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
}

// The layers of a variable, the effective one first, and the result of its type.
func TestLayerRows(t *testing.T) {
	m := mergetest.Archive(t, "-- main.tf --\n"+`variable "stage" {
  type    = string
  default = "dev"
}
variable "secret" {
  sensitive = true
}
variable "wrong" {
  type = number
}
variable "unset" {
}
terraform {
  backend "remote" {
  }
}
`)
	file, diags := assignments.Parse("terraform.tfvars", []byte("stage = 1\nsecret = \"s3cret\"\nwrong = \"large\"\nother = 1\n"), m.Source.Engine)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	in := layers.Inputs{Files: []*assignments.File{file}, Environment: assignments.Environment([]string{"TF_VAR_stage=env"})}
	set := layers.Of(m, in)
	rows := func(r wording.Redactor) string {
		var out strings.Builder
		for _, v := range set.Variables() {
			result := set.Result(v)
			words, value := r.LayerResult(result, 1)
			fmt.Fprintf(&out, "%s%s%s; %s\n", v.Name, words, value, wording.ResultNote(result))
			for _, row := range r.LayerRows(set, v, result) {
				fmt.Fprintf(&out, "  %s, %s, %s, %s; %s\n", row.Words, row.Place, row.Value, row.Note, wording.LayerUse(row.Outcome))
			}
		}
		return out.String()
	}
	r := wording.NewRedactor(m.Source, false)
	want := `stage = "1"; 
  in effect locally, terraform.tfvars:1, 1, converted by the type at main.tf:2; outranks TF_VAR_stage
  outranked, TF_VAR_stage, env, by terraform.tfvars:1; outranked by terraform.tfvars:1
  outranked, main.tf:3, "dev", default, by terraform.tfvars:1; outranked by terraform.tfvars:1
secret = (sensitive value); 
  in effect locally, terraform.tfvars:2, (sensitive value), ; sets it
wrong is refused; The value doesn't fit the type of the variable: a number is required.
  refused, terraform.tfvars:3, "large", ; wrong value
unset has no value; Nothing gives a value, so the engine prompts for one, or fails.
other is not declared; 
  undeclared, terraform.tfvars:4, 1, ; undeclared
`
	if diff := cmp.Diff(want, rows(r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if note := r.RemoteNote(set); note != "The workspace of the backend \"remote\" block at main.tf:14 may set variables, too; that can't be seen here." {
		t.Errorf("%s", note)
	}
	r.Redact = true
	if text := rows(r); strings.Contains(text, `"dev"`) || strings.Contains(text, "env,") || !strings.Contains(text, `stage = "1"`) {
		t.Errorf("redacted, it is\n%s", text)
	}
	r.All = true
	if text := rows(r); strings.Contains(text, `"1"`) || !strings.Contains(text, "stage = (redacted)") {
		t.Errorf("with all values redacted, it is\n%s", text)
	}
}
