package sidefiles

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// A Role is the purpose of a file.
type Role string

// The roles.
const (
	Variables     Role = "variables"      // values of input variables
	Backend       Role = "backend"        // arguments of a backend
	Lock          Role = "lock"           // the versions of providers that init chose
	Test          Role = "test"           // files for the command test
	TestVariables Role = "test_variables" // values of input variables in tests
	Mock          Role = "mock"           // values of mocked providers in tests
	Query         Role = "query"          // files for the command query
	Migration     Role = "migration"      // files for the command "state migrate"
	Symbols       Role = "symbols"        // symbol libraries
)

// isAutoVariables reports whether engines load a variables file of that name without an option.
func isAutoVariables(name string) bool {
	isFixed := name == "terraform.tfvars" || name == "terraform.tfvars.json"
	return isFixed || strings.HasSuffix(name, ".auto.tfvars") || strings.HasSuffix(name, ".auto.tfvars.json")
}

// kinds are the files that some release loads for a module, or on request, by how their names end.
var kinds = []struct {
	ending  string
	role    Role
	inTests bool // also in the directory of tests
	// hidden files are loaded there, too.
	hidden bool
}{
	{ending: ".tfvars", role: Variables},
	{ending: ".tfvars.json", role: Variables},
	{ending: ".tfbackend", role: Backend},
	{ending: ".tofutest.hcl", role: Test, inTests: true},
	{ending: ".tofutest.json", role: Test, inTests: true},
	{ending: ".tftest.hcl", role: Test, inTests: true, hidden: true},
	{ending: ".tftest.json", role: Test, inTests: true, hidden: true},
	{ending: ".tfmock.hcl", role: Mock, inTests: true},
	{ending: ".tfmock.json", role: Mock, inTests: true},
	{ending: ".tfquery.hcl", role: Query},
	{ending: ".tfquery.json", role: Query},
	{ending: ".tfmigrate.hcl", role: Migration},
	{ending: ".sym.hcl", role: Symbols},
}

// TestDir is the directory of tests that engines look into by default.
const TestDir = "tests"

// RoleOf returns the role of a file in the directory of a module, or in its directory of tests if isTest is set. The
// role may exist only in some releases, or only with an option. It returns "" for a file without a role.
func RoleOf(name string, isTest bool) Role {
	switch {
	case isAutoVariables(name) && isTest:
		return TestVariables
	case isAutoVariables(name):
		return Variables // also if the name is ignored otherwise
	case name == load.LockName && !isTest:
		return Lock
	}
	for _, k := range kinds {
		isSeen := !load.IsIgnoredName(name) || isTest && k.hidden // some hidden files are loaded as tests
		canBeHere := k.inTests || !isTest
		if strings.HasSuffix(name, k.ending) && isSeen && canBeHere {
			return k.role
		}
	}
	return ""
}
