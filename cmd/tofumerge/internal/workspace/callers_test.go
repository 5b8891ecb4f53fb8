package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

const calls = `
-- shared/main.tf --
variable "size" {
  default = 1
}
variable "zone" {
  default = "a"
}
-- shared/terraform.tfvars --
size = 2
-- prod/main.tf --
module "shared" {
  source = "../shared"
  size   = 3
}
module "elsewhere" {
  source  = "example/shared/aws"
  version = "1.0"
}
-- prod/inner/main.tf --
module "same" {
  source = "../../shared/../shared"
}
-- broken/main.tf --
module "shared" {
-- alone/main.tf --
variable "size" {
  default = 1
}
-- alone/terraform.tfvars --
size = 2
`

// describe formats calls with the locations at which they set the size.
func describe(found []layers.Caller) string {
	var list []string
	for _, c := range found {
		text := fmt.Sprintf("%s at %s:%d", c.Address, c.Range.Filename, c.Range.Start.Line)
		if at, ok := c.Arguments["size"]; ok {
			text += fmt.Sprintf(", size at %s:%d", at.Filename, at.Start.Line)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// callersOf are the calls of each module in a run.
func callersOf(t *testing.T, w *try, s *workspace.Search, args ...string) string {
	t.Helper()
	r, err := w.Select(args, s)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = workspace.Each(r, func(m *workspace.Module) string { return describe(w.Callers(m.Source)) }, func(m *workspace.Module, found string) error {
		fmt.Fprintf(&out, "%s: %s\n", m.Dir, found)
		return nil
	})
	r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The callers of a module are looked for in its repository, wherever the command runs.
func TestCallers(t *testing.T) {
	dir := clitest.Tree(t, calls)
	named := func() *workspace.Search { return &workspace.Search{DirsOnly: true} }
	if got, want := callersOf(t, newTry(t, dir), named(), "shared"), "shared: \n"; got != want {
		t.Errorf("outside of a repository: %q, want %q", got, want)
	}
	clitest.Git(t, dir, "init", "-q")
	want := "shared: module.shared at prod/main.tf:1, size at prod/main.tf:3; module.same at prod/inner/main.tf:1\nalone: \n"
	if diff := cmp.Diff(want, callersOf(t, newTry(t, dir), named(), "shared", "alone")); diff != "" {
		t.Errorf("in a repository (-want +got):\n%s", diff)
	}
}

// Values are compared by the variables files that git tracks, and not at all for a module that
// another one calls.
func TestValues(t *testing.T) {
	dir := clitest.Tree(t, calls)
	clitest.Git(t, dir, "init", "-q")
	clitest.Commit(t, dir)
	clitest.Unpack(t, dir, "-- alone/terraform.tfvars --\nsize = 5\n-- alone/mine.auto.tfvars --\nsize = 6\n-- shared/terraform.tfvars --\nsize = 5\n"+
		"-- prod/terraform.tfvars --\n!\n")
	w := newTry(t, dir)
	r, err := w.Select([]string{"alone", "shared", "prod"}, &workspace.Search{DirsOnly: true, Sides: workspace.Sides{Since: &workspace.Rev{Name: "HEAD"}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = workspace.Each(r, func(m *workspace.Module) workspace.Values { return w.Values(m) }, func(m *workspace.Module, v workspace.Values) error {
		text := fmt.Sprintf("%s: untracked %v, called %v, %d and %d diagnostics", m.Dir, v.Untracked, v.IsCalled, len(v.Diags), len(v.Past))
		for _, c := range v.Changes {
			text += ", changed " + c.Name
		}
		got = append(got, text)
		return nil
	})
	r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"alone: untracked [alone/mine.auto.tfvars], called false, 0 and 0 diagnostics, changed size",
		"shared: untracked [], called true, 0 and 0 diagnostics",
		"prod: untracked [prod/terraform.tfvars], called false, 0 and 0 diagnostics",
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
