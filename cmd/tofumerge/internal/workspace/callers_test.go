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
