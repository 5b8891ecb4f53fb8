package sidefiles

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
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

// detectSyntax are the releases that look at the text of a variables file whose name leaves its syntax open.
var detectSyntax = engine.Releases{OpenTofu: ">= 1.9"}

// SyntaxOf is the syntax of a variables file of any name, as a release reads it: decided by the
// name or, with --var-file=<(…), where the name reveals nothing, by the text.
func SyntaxOf(name string, text []byte, e engine.Release) source.Syntax {
	switch {
	case strings.HasSuffix(name, ".json"):
		return source.JSON
	case strings.HasSuffix(name, ".tfvars"), !detectSyntax.Has(e):
		return source.Native
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")):
		return source.JSON
	}
	return source.Native
}

// fixedVariables are the names of variables files that engines look for, in the order in which they load them.
var fixedVariables = []string{"terraform.tfvars", "terraform.tfvars.json"}

// IsLookedFor reports whether engines look for a variables file of a name before they read it, so that a broken link is
// skipped.
func IsLookedFor(name string) bool { return slices.Contains(fixedVariables, name) }

func isLoaded(name string) bool {
	return IsLookedFor(name) || strings.HasSuffix(name, ".auto.tfvars") || strings.HasSuffix(name, ".auto.tfvars.json")
}

// VariablesAmong lists, of the names in the directory of a module, those of the variables files that engines load for
// it, in their order.
func VariablesAmong(names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isLoaded(name) })
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
	})
	return names
}

// rank orders the files of fixed names before the others.
func rank(name string) int {
	if i := slices.Index(fixedVariables, name); i >= 0 {
		return i
	}
	return len(fixedVariables)
}

// kinds are the files that a release loads for a module, or on request, by the ends of their names.
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

// RoleOf returns the role of a name in the directory of a module, or in its directory of tests, for
// at least one release, even if only an option loads the file; empty if there is none.
func RoleOf(name string, isTest bool) Role {
	switch {
	case isLoaded(name) && isTest:
		return TestVariables
	case isLoaded(name):
		return Variables
	case name == load.LockName && !isTest:
		return Lock
	}
	for _, k := range kinds {
		isSeen := !load.IsIgnoredName(name) || isTest && k.hidden
		if strings.HasSuffix(name, k.ending) && isSeen && (k.inTests || !isTest) {
			return k.role
		}
	}
	return ""
}
