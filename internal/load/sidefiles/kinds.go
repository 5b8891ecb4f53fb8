package sidefiles

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Role is the purpose of a file.
type Role string

// The roles, in the order in which files are listed.
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

var roles = []Role{Variables, Backend, Lock, Test, TestVariables, Mock, Query, Migration, Symbols}

// The releases that load kinds of files, as their sources have it.
var (
	sinceTests     = engine.Releases{OpenTofu: ">= 1.6", Terraform: ">= 1.6"}
	sinceTofuTests = engine.Releases{OpenTofu: ">= 1.8"}
	// Before these the variables files of the test directory are not loaded.
	sinceTestVariables = engine.Releases{OpenTofu: ">= 1.7", Terraform: ">= 1.7"}
	// These load files of the test directory that they would pass over elsewhere.
	hiddenTests     = engine.Releases{Terraform: ">= 1.13"}
	sinceMocks      = engine.Releases{Terraform: ">= 1.7"}
	sinceQueries    = engine.Releases{Terraform: ">= 1.14"}
	sinceMigrations = engine.Releases{Terraform: ">= 1.16"}
	// These look at the text of a variables file whose name leaves its syntax open.
	detectSyntax = engine.Releases{OpenTofu: ">= 1.9"}
)

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

// A kind is files by their name.
type kind struct {
	name   string // the whole name; or else
	suffix string // how it ends
	role   Role
	syntax source.Syntax
	in     engine.Releases // that load it
	// needs is the option that loads a file which isn't loaded by default.
	needs string
	// yields is the suffix of the files that take precedence over a file of the same name.
	yields string
	// dotted files are loaded even if their names make them hidden ones.
	dotted bool
	// opened are names that are opened whatever has them: a directory is an error.
	opened bool
}

// Options that load a file.
const (
	needsVarFile       = "-var-file"
	needsBackendConfig = "-backend-config"
	needsMockProvider  = "mock_provider"
	needsSymbols       = "symbols"
)

// kinds lists the files in the directory of a module; the first kind that matches a name wins.
var kinds = []kind{
	{name: "terraform.tfvars", role: Variables, dotted: true, opened: true},
	{name: "terraform.tfvars.json", role: Variables, syntax: source.JSON, dotted: true, opened: true},
	{suffix: ".auto.tfvars", role: Variables, dotted: true, opened: true},
	{suffix: ".auto.tfvars.json", role: Variables, syntax: source.JSON, dotted: true, opened: true},
	{suffix: ".tfvars", role: Variables, needs: needsVarFile},
	{suffix: ".tfvars.json", role: Variables, syntax: source.JSON, needs: needsVarFile},
	{suffix: ".tfbackend", role: Backend, needs: needsBackendConfig},
	{name: load.LockName, role: Lock, dotted: true},
	{suffix: ".tofutest.hcl", role: Test, in: sinceTofuTests},
	{suffix: ".tofutest.json", role: Test, syntax: source.JSON, in: sinceTofuTests},
	{suffix: ".tftest.hcl", role: Test, in: sinceTests, yields: ".tofutest.hcl"},
	{suffix: ".tftest.json", role: Test, syntax: source.JSON, in: sinceTests, yields: ".tofutest.json"},
	{suffix: ".tfmock.hcl", role: Mock, in: sinceMocks, needs: needsMockProvider},
	{suffix: ".tfmock.json", role: Mock, syntax: source.JSON, in: sinceMocks, needs: needsMockProvider},
	{suffix: ".tfquery.hcl", role: Query, in: sinceQueries},
	{suffix: ".tfquery.json", role: Query, syntax: source.JSON, in: sinceQueries},
	{suffix: ".tfmigrate.hcl", role: Migration, in: sinceMigrations},
	{suffix: ".sym.hcl", role: Symbols, in: engine.SinceSymbols, needs: needsSymbols},
}

// TestDir is the directory of tests that engines look into by default.
const TestDir = "tests"

// inTests converts a kind to its form in the test directory, and reports whether it has one.
func (k kind) inTests(e engine.Release) (kind, bool) {
	switch k.role {
	case Test:
		k.dotted = hiddenTests.Has(e)
	case Mock:
	case Variables:
		k.role, k.in = TestVariables, sinceTestVariables
		return k, k.needs == ""
	default:
		return k, false
	}
	return k, true
}

// fits reports whether a name is one of the kind.
func (k kind) fits(name string) bool {
	if k.name != "" {
		return name == k.name
	}
	return strings.HasSuffix(name, k.suffix) && (k.dotted || !load.IsIgnoredName(name))
}

// rank orders variables files as they are loaded: the two of fixed names in the order of the
// table, then the others together, and last those that are not loaded for the directory.
func (k kind) rank() int {
	switch {
	case k.needs != "":
		return len(kinds) + 1
	case k.name == "":
		return len(kinds)
	}
	return slices.IndexFunc(kinds, func(o kind) bool { return o.name == k.name })
}
