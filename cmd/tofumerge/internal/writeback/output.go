package writeback

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/enginechoice"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
)

// An Output is the file of a flag such as -o, found before anything is read.
type Output struct {
	name string // as it was given, behind the flag
	file *replace.Output
}

// FindOutput finds the file that a flag names, as seen from a directory.
func FindOutput(base, flag, name string) (*Output, error) {
	if name == "" || name == "-" {
		return nil, errors.New(flag + " needs the name of a file; for standard output, leave it out")
	}
	path := repo.In(base, name)
	if IsForeignLink(path) {
		return nil, fmt.Errorf("%s %s is a link that points outside the repository or into .git; write to a file", flag, diag.Escape(name))
	}
	file, err := replace.FindOutput(path)
	if err != nil {
		return nil, err
	}
	return &Output{flag + " " + diag.Escape(name), file}, nil
}

// String is the flag with the name of its file.
func (o *Output) String() string { return o.name }

// IsSame reports whether both are one file.
func (o *Output) IsSame(other *Output) bool {
	return o.file.Path != "" && (o.file.Path == other.file.Path || repo.IsSameFile(o.file.Path, other.file.Path))
}

// Write replaces the file as a whole.
func (o *Output) Write(text []byte, warn func(string)) error {
	return o.file.Write(text, replace.Options{Warn: warn})
}

// An Input is a file that the run reads, with a description for the user.
type Input struct{ Path, What string }

// Check refuses a file that would take part in a module, or that is one of those that the
// result is made from: the files of the module, settings above it, and others.
func (o *Output) Check(src *load.Module, settings string, others ...Input) error {
	if o.file.Path == "" {
		return nil
	}
	if repo.IsSameFile(filepath.Dir(o.file.Path), src.Dir) {
		for _, e := range load.Classify([]string{filepath.Base(o.file.Path)}, src.Engine) {
			if e.Status == load.Read || e.Status == load.Foreign {
				return fmt.Errorf("%s would become part of the module; write to another directory, or to a "+
					"name that does not end in .tf, .tofu or .json", o.name)
			}
		}
	}
	if what := ReadAs(o.file.Path, src.Dir, settings); what != "" {
		return fmt.Errorf("%s would be read as %s of the module; write to another directory or name",
			o.name, what)
	}
	info, err := os.Stat(o.file.Path)
	if err != nil {
		return nil
	}
	for _, in := range append(inputs(src, settings), others...) {
		if found, err := os.Stat(in.Path); err == nil && os.SameFile(found, info) {
			return fmt.Errorf("%s would overwrite %s; write to another file", o.name, in.What)
		}
	}
	return nil
}

// inputs are the files that the result for a module is made from.
func inputs(src *load.Module, settings string) []Input {
	var list []Input
	for _, f := range src.Files {
		if f.Overlay {
			list = append(list, Input{f.Path, "the file of --overlay " + diag.Escape(f.Name)})
			continue
		}
		list = append(list, Input{f.Path, diag.Escape(f.Name) + " of the module"})
	}
	for _, e := range src.Names {
		list = append(list, Input{filepath.Join(src.Dir, e.Name), diag.Escape(e.Name) + " of the module"})
	}
	for at := range repo.Ancestors(src.Dir) {
		list = append(list, Input{filepath.Join(at, settings), "the configuration file"})
	}
	return list
}

// roleWords describe as what engines read files beside a module.
var roleWords = map[sidefiles.Role]string{
	sidefiles.Variables:     "variables",
	sidefiles.Backend:       "arguments of the backend",
	sidefiles.Lock:          "the dependency lock file",
	sidefiles.Test:          "a test",
	sidefiles.TestVariables: "variables of the tests",
	sidefiles.Mock:          "a mock",
	sidefiles.Query:         "a query",
	sidefiles.Migration:     "a migration",
}

// StateFiles are the files that engines write beside a root module.
var StateFiles = []string{"terraform.tfstate", "terraform.tfstate.backup"}

// ReadAs describes the role in which a module would read a file besides the configuration, or "".
// settings is the name of settings files. Some systems ignore the case of names.
func ReadAs(path, module, settings string) string {
	dir, name := filepath.Dir(path), strings.ToLower(filepath.Base(path))
	if what := readFromAbove(dir, name, module, settings); what != "" {
		return what
	}
	isBeside, isTest := repo.IsSameFile(dir, module), repo.IsSameFile(dir, filepath.Join(module, sidefiles.TestDir))
	switch role, ok := sidefiles.RoleOf(name, isTest); {
	case ok && (isBeside || isTest):
		return roleWords[role]
	case isBeside && slices.Contains(StateFiles, name):
		return "the state"
	}
	return ""
}

// readFromAbove describes as what a file that applies to a module would be read, from its
// directory, or from one above it, or "".
func readFromAbove(dir, name, module, settings string) string {
	whats := map[string]string{settings: "the configuration file"}
	for _, file := range enginechoice.VersionFiles() {
		whats[file] = "the version file"
	}
	for at := range repo.Ancestors(module) {
		for file, what := range whats {
			file = filepath.Join(at, filepath.FromSlash(file))
			if filepath.Base(file) == name && repo.IsSameFile(dir, filepath.Dir(file)) {
				return what
			}
		}
	}
	return ""
}

// NotWritten is the error that a file could not be written.
func NotWritten(path string, err error) error {
	return fmt.Errorf("can't write %s: %w", diag.Escape(path), input.StripPath(err))
}
