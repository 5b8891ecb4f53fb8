package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// tried is a tree of directories that are written, and how often each was loaded.
type tried struct {
	root  string
	loads map[string]int
}

func write(t *testing.T, archive string) *tried {
	t.Helper()
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &tried{root, map[string]int{}}
}

func (x *tried) rel(dir string) string {
	rel, err := filepath.Rel(x.root, dir)
	if err != nil {
		return err.Error()
	}
	return filepath.ToSlash(rel)
}

// walk follows the tree below a directory, and formats it: a line for each module, with its
// directory, and below it the calls that can't be followed.
func (x *tried) walk(t *testing.T, dir string) (string, []*workspace.Node, error) {
	t.Helper()
	root := filepath.Join(x.root, dir)
	installed, err := workspace.ReadInstalled(root, workspace.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := workspace.Loader{
		Load: func(dir string, isRoot bool) (*merge.Module, hcl.Diagnostics, error) {
			x.loads[x.rel(dir)]++
			src, diags, err := load.Dir(dir, load.Options{})
			if err != nil {
				return nil, nil, errors.New("can't read it")
			}
			m, more := merge.Files(src, merge.Options{})
			return m, append(diags, more...), nil
		},
		Real:      func(dir string) string { return filepath.Clean(dir) },
		Shown:     x.rel,
		Installed: installed,
	}.Walk(root)
	var out strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&out, "%s: %s\n", n.Own, x.rel(n.Dir))
		if n.First == n {
			for _, d := range n.Unfound {
				fmt.Fprintf(&out, "  %s:%d: %s: %s\n", d.Subject.Filename, d.Subject.Start.Line, d.Summary, d.Detail)
			}
		}
	}
	return out.String(), nodes, err
}

// The source in effect is followed, calls in the order of their names, and each directory is loaded once.
func TestWalk(t *testing.T) {
	x := write(t, `
-- root/main.tf --
module "b" {
  source = "../wrong"
}
module "a" {
  source = "./one"
}
module "gone" {
  source = "./gone"
}
module "expr" {
  source = var.source
}
-- root/override.tf --
module "b" {
  source = "./two"
}
-- root/one/main.tf --
module "deep" {
  source = "../two"
}
-- root/two/main.tf --
locals {
  a = 1
}
`)
	got, nodes, err := x.walk(t, "root")
	if err != nil {
		t.Fatal(err)
	}
	want := `: root
  main.tf:11: Module call is not followed: The source of module.expr is an expression, which only OpenTofu evaluates.
  main.tf:8: Module can't be read: module.gone: can't read it.
module.a: root/one
module.a.module.deep: root/two
module.b: root/two
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if x.loads["root/two"] != 1 || x.loads["wrong"] != 0 {
		t.Errorf("loaded are %v", x.loads)
	}
	if nodes[3].First != nodes[2] || nodes[3].Module != nil {
		t.Errorf("the second node of a directory is %+v", nodes[3])
	}
	local, _ := address.Parse("local.a")
	if got := nodes[2].Within(local).String(); got != "module.a.module.deep.local.a" {
		t.Errorf("the address from the root is %s", got)
	}
}

// A cyclic call ends there, with one warning for each directory.
func TestCycle(t *testing.T) {
	x := write(t, `
-- main.tf --
module "one" {
  source = "./one"
}
module "two" {
  source = "./one"
}
-- one/main.tf --
module "back" {
  source = "../"
}
module "self" {
  source = "./"
}
`)
	got, _, err := x.walk(t, ".")
	want := `: .
module.one: one
  main.tf:2: Cycle of module calls: module.one.module.back points to ., which is the module itself or calls it. Remove one of the calls.
  main.tf:5: Cycle of module calls: module.one.module.self points to one, which is the module itself or calls it. Remove one of the calls.
module.two: one
`
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// Installed modules are followed as long as they match the configuration.
func TestInstalled(t *testing.T) {
	x := write(t, `
-- main.tf --
module "good" {
  source  = "a/b/c"
  version = "~> 1.0"
}
module "missing" {
  source = "a/b/missing"
}
module "moved" {
  source = "git::https://user:secret@example.com/m.git"
}
module "old" {
  source  = "a/b/c"
  version = "~> 2.0"
}
module "lost" {
  source = "a/b/lost"
}
-- .terraform/modules/modules.json --
{"Modules": [
  {"Key": "", "Dir": "."},
  {"Key": "good", "Source": "registry.opentofu.org/a/b/c", "Version": "1.2.0", "Dir": ".terraform/modules/good"},
  {"Key": "moved", "Source": "git::https://example.com/other.git", "Dir": ".terraform/modules/moved"},
  {"Key": "old", "Source": "registry.opentofu.org/a/b/c", "Version": "1.2.0", "Dir": ".terraform/modules/good"},
  {"Key": "lost", "Source": "registry.opentofu.org/a/b/lost", "Dir": ".terraform/modules/lost"}
]}
-- .terraform/modules/good/main.tf --
locals {
}
`)
	got, _, err := x.walk(t, ".")
	want := `: .
  main.tf:15: Module can't be read: module.lost: can't read it. To install it again, run: tofu init
  main.tf:5: Module is not installed: module.missing is not followed. To install it, run: tofu init
  main.tf:8: Module is not installed: module.moved is installed from another source, and so it is not followed. To install it again, run: tofu init
  main.tf:11: Module is not installed: module.old is installed in a version that its constraint rules out, and so it is not followed. To install it again, run: tofu init -upgrade
module.good: .terraform/modules/good
`
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// A few directories that call each other make more modules than anybody works with.
func TestTooLarge(t *testing.T) {
	var files strings.Builder
	for level := range 15 {
		fmt.Fprintf(&files, "-- d%d/main.tf --\n", level)
		for call := range 2 {
			fmt.Fprintf(&files, "module \"m%d\" {\n  source = \"../d%d\"\n}\n", call, level+1)
		}
	}
	files.WriteString("-- d15/main.tf --\nlocals {\n}\n")
	if _, nodes, err := write(t, files.String()).walk(t, "d0"); !errors.Is(err, workspace.ErrTooLarge) || nodes != nil {
		t.Errorf("%d modules, %v", len(nodes), err)
	}
}

// The error is about the root where that can't be loaded.
func TestNoRoot(t *testing.T) {
	if _, _, err := write(t, "").walk(t, "none"); err == nil || err.Error() != "can't read it" {
		t.Errorf("the error is %v", err)
	}
}

// A manifest that is not what init writes is an error without a word of it.
func TestOddManifest(t *testing.T) {
	for _, text := range []string{"{", `{"Modules": [{"Key": 1}]}`} {
		x := write(t, "-- .terraform/modules/modules.json --\n"+text)
		_, err := workspace.ReadInstalled(x.root, workspace.DataDir)
		if want := "can't read .terraform/modules/modules.json: it is not the JSON that init writes"; err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
