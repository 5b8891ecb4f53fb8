package sidefiles_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func release(t *testing.T, name string) engine.Release {
	t.Helper()
	e, err := engine.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// directory makes empty files.
func directory(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func list(f sidefiles.Files) string {
	var out strings.Builder
	for _, file := range f.List {
		fmt.Fprintf(&out, "%s: %s, %s", file.Name, file.Role, file.Status)
		if file.Order > 0 {
			fmt.Fprintf(&out, " as number %d", file.Order)
		}
		if file.Needs != "" {
			fmt.Fprintf(&out, " for %s", file.Needs)
		}
		if file.By != "" {
			fmt.Fprintf(&out, " by %s", file.By)
		}
		if file.Syntax == source.JSON {
			out.WriteString(" in JSON")
		}
		out.WriteString("\n")
	}
	return out.String()
}

var names = []string{
	"main.tf", "notes.txt", "z.auto.tfvars", "a.auto.tfvars.json", ".hidden.auto.tfvars", "terraform.tfvars", "terraform.tfvars.json",
	"prod.tfvars", ".dev.tfvars", "s3.tfbackend", ".terraform.lock.hcl", "a.tftest.hcl", "a.tofutest.hcl", "b.tftest.json", "b.tftest.json~",
	"c.tfquery.hcl", "d.tfmigrate.hcl", "e.tfmock.hcl", "sub.tfvars/x", "tests/a.tftest.hcl", "tests/.b.tftest.hcl", "tests/v.auto.tfvars",
	"tests/prod.tfvars", "tests/m.tfmock.json", "tests/s3.tfbackend", "tests/deep/c.tftest.hcl",
}

// Files are listed by role, variables in load order, each with its treatment by the release.
func TestFind(t *testing.T) {
	dir := directory(t, names...)
	for engine, want := range map[string]string{
		"opentofu@1.9.0": `terraform.tfvars: variables, read as number 1
terraform.tfvars.json: variables, read as number 2 in JSON
.hidden.auto.tfvars: variables, read as number 3
a.auto.tfvars.json: variables, read as number 4 in JSON
z.auto.tfvars: variables, read as number 5
prod.tfvars: variables, on_request for -var-file
s3.tfbackend: backend, on_request for -backend-config
.terraform.lock.hcl: lock, read
a.tftest.hcl: test, shadowed by a.tofutest.hcl
a.tofutest.hcl: test, read
b.tftest.json: test, read in JSON
tests/a.tftest.hcl: test, read
tests/v.auto.tfvars: test_variables, read as number 6
e.tfmock.hcl: mock, not_read
tests/m.tfmock.json: mock, not_read in JSON
c.tfquery.hcl: query, not_read
d.tfmigrate.hcl: migration, not_read
`,
		"terraform@1.14.0": `terraform.tfvars: variables, read as number 1
terraform.tfvars.json: variables, read as number 2 in JSON
.hidden.auto.tfvars: variables, read as number 3
a.auto.tfvars.json: variables, read as number 4 in JSON
z.auto.tfvars: variables, read as number 5
prod.tfvars: variables, on_request for -var-file
s3.tfbackend: backend, on_request for -backend-config
.terraform.lock.hcl: lock, read
a.tftest.hcl: test, read
a.tofutest.hcl: test, not_read
b.tftest.json: test, read in JSON
tests/.b.tftest.hcl: test, read
tests/a.tftest.hcl: test, read
tests/v.auto.tfvars: test_variables, read as number 6
e.tfmock.hcl: mock, on_request for mock_provider
tests/m.tfmock.json: mock, on_request for mock_provider in JSON
c.tfquery.hcl: query, read
d.tfmigrate.hcl: migration, not_read
`,
		"terraform@1.5.0": `terraform.tfvars: variables, read as number 1
terraform.tfvars.json: variables, read as number 2 in JSON
.hidden.auto.tfvars: variables, read as number 3
a.auto.tfvars.json: variables, read as number 4 in JSON
z.auto.tfvars: variables, read as number 5
prod.tfvars: variables, on_request for -var-file
s3.tfbackend: backend, on_request for -backend-config
.terraform.lock.hcl: lock, read
a.tftest.hcl: test, not_read
a.tofutest.hcl: test, not_read
b.tftest.json: test, not_read in JSON
tests/a.tftest.hcl: test, not_read
tests/v.auto.tfvars: test_variables, not_read
e.tfmock.hcl: mock, not_read
tests/m.tfmock.json: mock, not_read in JSON
c.tfquery.hcl: query, not_read
d.tfmigrate.hcl: migration, not_read
`,
	} {
		found, err := sidefiles.Find(dir, release(t, engine), nil)
		if err != nil || found.Tests != nil || found.Outside {
			t.Fatalf("%v, %+v", err, found)
		}
		if diff := cmp.Diff(want, list(found)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", engine, diff)
		}
		again, err := sidefiles.FindIn(inMemory{names: direct("")}, inMemory{names: direct("tests/")}, nil, release(t, engine))
		if diff := cmp.Diff(list(found), list(again)); err != nil || diff != "" {
			t.Errorf("%s, not on the disk: %v\n%s", engine, err, diff)
		}
	}
}

// direct are the names in one directory.
func direct(prefix string) []string {
	var list []string
	for _, name := range names {
		if inner, ok := strings.CutPrefix(name, prefix); ok && !strings.Contains(inner, "/") {
			list = append(list, inner)
		}
	}
	return list
}

// An inMemory directory has names only.
type inMemory struct {
	load.Directory // only the embedded methods are called
	names          []string
	err            error
}

func (d inMemory) Names() ([]string, map[string]bool, error) { return d.names, nil, d.err }

// A directory of tests that can't be listed is reported, and hides nothing else.
func TestTestsUnlisted(t *testing.T) {
	e := release(t, "opentofu@1.9.0")
	dir := directory(t, "a.tfvars", "tests")
	if found, err := sidefiles.Find(dir, e, nil); err != nil || found.Tests == nil || found.Outside || len(found.List) != 1 {
		t.Errorf("a file called tests: %v, %+v", err, found)
	}
	dir = directory(t, "a.tfvars", "tests/a.tftest.hcl")
	asked := ""
	found, err := sidefiles.Find(dir, e, func(path string) bool { asked = path; return true })
	if err != nil || !found.Outside || found.Tests != nil || len(found.List) != 1 || asked != filepath.Join(dir, "tests") {
		t.Errorf("tests elsewhere: %v, %+v", err, found)
	}
	dir = directory(t, "a.tfvars")
	if err := os.Symlink("nowhere", filepath.Join(dir, "tests")); err == nil {
		if found, err := sidefiles.Find(dir, e, nil); err != nil || found.Tests != nil || len(found.List) != 1 {
			t.Errorf("a link to nothing: %v, %+v", err, found)
		}
	}
	if _, err := sidefiles.Find(filepath.Join(dir, "nowhere"), e, nil); err == nil {
		t.Error("a directory that isn't there is no error")
	}
	failure := errors.New("broken")
	main := inMemory{names: []string{"a.tfvars"}}
	for _, c := range []struct {
		dir, tests load.Directory
		problem    error
		unlisted   error
		err        error
		files      int
	}{
		{main, nil, nil, nil, nil, 1},
		{main, inMemory{names: []string{"a.tftest.hcl"}}, failure, failure, nil, 1},
		{main, inMemory{err: failure}, nil, failure, nil, 1},
		{inMemory{err: failure}, nil, nil, nil, failure, 0},
	} {
		found, err := sidefiles.FindIn(c.dir, c.tests, c.problem, e)
		if err != c.err || found.Tests != c.unlisted || len(found.List) != c.files {
			t.Errorf("%+v: %v, %+v", c, err, found)
		}
	}
}

// RoleOf considers all releases, SyntaxOf only the followed one.
func TestRoleOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		isTest bool
		want   sidefiles.Role
	}{
		{"a.tfvars", false, sidefiles.Variables}, {"a.tfvars", true, ""}, {"a.auto.tfvars", true, sidefiles.TestVariables},
		{"a.tfmigrate.hcl", false, sidefiles.Migration}, {"a.tfmigrate.hcl", true, ""}, {"a.tfmock.hcl", true, sidefiles.Mock},
		{".a.tftest.hcl", true, sidefiles.Test}, {".a.tftest.hcl", false, ""}, {"main.tf", false, ""}, {"x.terraform.tfvars.json", false, sidefiles.Variables},
	} {
		if got, ok := sidefiles.RoleOf(c.name, c.isTest); got != c.want || ok != (c.want != "") {
			t.Errorf("%s, in tests %v: %q, want %q", c.name, c.isTest, got, c.want)
		}
	}
}

func TestSyntaxOf(t *testing.T) {
	for _, c := range []struct {
		name, text, engine string
		want               source.Syntax
	}{
		{"a.tfvars.json", "a = 1", "opentofu@1.9.0", source.JSON},
		{"a.tfvars", "{}", "opentofu@1.9.0", source.Native},
		{"/dev/fd/63", " \n{}", "opentofu@1.9.0", source.JSON},
		{"/dev/fd/63", "a = {}", "opentofu@1.9.0", source.Native},
		{"/dev/fd/63", "{}", "opentofu@1.8.0", source.Native},
		{"/dev/fd/63", "{}", "terraform@1.9.0", source.Native},
	} {
		if got := sidefiles.SyntaxOf(c.name, []byte(c.text), release(t, c.engine)); got != c.want {
			t.Errorf("%s of %q as %s: %v", c.name, c.text, c.engine, got)
		}
	}
}

// Engines look for files of fixed names, so a broken link is skipped.
func TestIsLookedFor(t *testing.T) {
	found, err := sidefiles.Find(directory(t, "terraform.tfvars", "a.auto.tfvars", ".terraform.lock.hcl"), release(t, "opentofu@1.9.0"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.List {
		if f.IsLookedFor() != (f.Name != "a.auto.tfvars") {
			t.Errorf("%s: %v", f.Name, f.IsLookedFor())
		}
	}
}
