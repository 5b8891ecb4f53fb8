package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/beside"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// checkOutputName refuses values of --output that can't be meant.
func (r *renderCommand) checkOutputName() error {
	switch {
	case r.noOutput:
		return errors.New("--no-output prints no configuration to write to --output; use only one of them")
	case r.output == "":
		return errors.New("--output needs the name of a file; for standard output, leave it out")
	case r.output == "-":
		return errors.New("--output needs the name of a file; for standard output, leave it out")
	}
	return nil
}

// checkOutput refuses an output file that would take part in the module, or
// that is one of the files it is made from.
func (r *renderCommand) checkOutput(out *replace.Output, src *load.Module) error {
	if out == nil || out.Path == "" {
		return nil
	}
	if repo.IsSameFile(filepath.Dir(out.Path), src.Dir) {
		for _, e := range load.Classify([]string{filepath.Base(out.Path)}, src.Engine) {
			if e.Status == load.Read || e.Status == load.Foreign {
				return fmt.Errorf("-o %s would become part of the module; write to another directory, or to a "+
					"name that does not end in .tf, .tofu or .json", diag.Escape(r.output))
			}
		}
	}
	if what := readBeside(out.Path, src.Dir); what != "" {
		return fmt.Errorf("-o %s would be read as %s of the module; write to another directory or name",
			diag.Escape(r.output), what)
	}
	info, err := os.Stat(out.Path)
	if err != nil {
		return nil
	}
	for _, in := range r.inputs(src) {
		if found, err := os.Stat(in.path); err == nil && os.SameFile(found, info) {
			return fmt.Errorf("-o %s would overwrite %s; write to another file", diag.Escape(r.output), in.what)
		}
	}
	return nil
}

// An input is a file that the run reads.
type namedInput struct{ path, what string }

// inputs are the files that a result is made from.
func (r *renderCommand) inputs(src *load.Module) []namedInput {
	var list []namedInput
	for _, f := range src.Files {
		if f.Overlay {
			list = append(list, namedInput{f.Path, "the file of --overlay " + diag.Escape(f.Name)})
			continue
		}
		list = append(list, namedInput{f.Path, diag.Escape(f.Name) + " of the module"})
	}
	for _, e := range src.Names {
		list = append(list, namedInput{filepath.Join(src.Dir, e.Name), diag.Escape(e.Name) + " of the module"})
	}
	if r.schema != "" {
		list = append(list, namedInput{repo.In(r.base(), r.schema), "the file of --provider-schema"})
	}
	for at := range repo.Upward(src.Dir) {
		list = append(list, namedInput{filepath.Join(at, configName), "the configuration file"})
	}
	return list
}

// roleWords say what engines read files beside a module as.
var roleWords = map[beside.Role]string{
	beside.Variables:     "variables",
	beside.Backend:       "arguments of the backend",
	beside.Lock:          "the dependency lock file",
	beside.Test:          "a test",
	beside.TestVariables: "variables of the tests",
	beside.Mock:          "a mock",
	beside.Query:         "a query",
	beside.Migration:     "a migration",
}

// stateFiles are those that engines write beside a module.
var stateFiles = []string{"terraform.tfstate", "terraform.tfstate.backup"}

// readBeside says what a file would be read as that is no configuration, or "". Some
// systems ignore the case of names.
func readBeside(path, module string) string {
	dir, name := filepath.Dir(path), strings.ToLower(filepath.Base(path))
	if what := readFromAbove(dir, name, module); what != "" {
		return what
	}
	isBeside, isTest := repo.IsSameFile(dir, module), repo.IsSameFile(dir, filepath.Join(module, beside.TestDir))
	switch role, ok := beside.RoleOf(name, isTest); {
	case ok && (isBeside || isTest):
		return roleWords[role]
	case isBeside && slices.Contains(stateFiles, name):
		return "the state"
	}
	return ""
}

// readFromAbove says what a file would be read as that counts for a module from its
// directory, or from one above it, or "".
func readFromAbove(dir, name, module string) string {
	whats := map[string]string{configName: "the configuration file"}
	for _, file := range enginechoice.VersionFiles() {
		whats[file] = "the version file"
	}
	for at := range repo.Upward(module) {
		for file, what := range whats {
			file = filepath.Join(at, filepath.FromSlash(file))
			if filepath.Base(file) == name && repo.IsSameFile(dir, filepath.Dir(file)) {
				return what
			}
		}
	}
	return ""
}

func notWritten(path string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("can't write %s: %w", diag.Escape(path), err)
}
