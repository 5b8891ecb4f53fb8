package sidefiles_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
)

// RoleOf considers all releases.
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
