package sidefiles_test

import (
	"slices"
	"testing"

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

// Variables files are loaded in a fixed order, the others of the directory only by an option. Of those, engines look
// for the first two before they read them.
func TestVariablesAmong(t *testing.T) {
	got := sidefiles.VariablesAmong([]string{
		"main.tf", "z.auto.tfvars", "a.auto.tfvars.json", ".hidden.auto.tfvars", "terraform.tfvars.json", "terraform.tfvars", "prod.tfvars",
		".terraform.lock.hcl", "a.tftest.hcl", "b.auto.tfvars~",
	})
	want := []string{"terraform.tfvars", "terraform.tfvars.json", ".hidden.auto.tfvars", "a.auto.tfvars.json", "z.auto.tfvars"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, name := range got {
		if sidefiles.IsLookedFor(name) != (i < 2) {
			t.Errorf("%s is looked for: %v", name, i >= 2)
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
		{".a.tftest.hcl", true, sidefiles.Test}, {".a.tftest.hcl", false, ""}, {".a.tofutest.hcl", true, ""}, {"a.tofutest.json", true, sidefiles.Test},
		{".terraform.lock.hcl", false, sidefiles.Lock}, {".terraform.lock.hcl", true, ""}, {"s3.tfbackend", false, sidefiles.Backend},
		{"s3.tfbackend", true, ""}, {".x.auto.tfvars", false, sidefiles.Variables}, {".x.tfvars", false, ""}, {"terraform.tfvars", true, sidefiles.TestVariables},
		{"q.tfquery.json", false, sidefiles.Query}, {"e.sym.hcl", false, sidefiles.Symbols}, {"b.tftest.json~", false, ""}, {"main.tf", false, ""}, {"x.terraform.tfvars.json", false, sidefiles.Variables},
	} {
		if got := sidefiles.RoleOf(c.name, c.isTest); got != c.want {
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
