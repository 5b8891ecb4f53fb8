package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
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

// Files that engines read in a module's directory besides its configuration, and
// those that say which engine that is, which count from above it, too.
var (
	besideModule = map[string]string{
		"terraform.tfvars":         "the variables",
		"terraform.tfvars.json":    "the variables",
		".terraform.lock.hcl":      "the dependency lock file",
		"terraform.tfstate":        "the state",
		"terraform.tfstate.backup": "the state",
	}
	endingsBeside = map[string]string{
		".auto.tfvars":      "variables",
		".auto.tfvars.json": "variables",
		".tftest.hcl":       "a test",
		".tftest.json":      "a test",
		".tofutest.hcl":     "a test",
		".tofutest.json":    "a test",
	}
	aboveModule = map[string]string{
		configName:           "the configuration file",
		".opentofu-version":  "the version file",
		".terraform-version": "the version file",
		".tool-versions":     "the version file",
		".mise.local.toml":   "the version file",
		"mise.local.toml":    "the version file",
		".mise.toml":         "the version file",
		"mise.toml":          "the version file",
	}
)

// readBeside says what a file would be read as that is no configuration, or "". Some
// systems ignore the case of names.
func readBeside(path, module string) string {
	dir, name := filepath.Dir(path), strings.ToLower(filepath.Base(path))
	if what := aboveModule[name]; what != "" {
		for at := range repo.Upward(module) {
			if repo.IsSameFile(dir, at) {
				return what
			}
		}
	}
	isBeside := repo.IsSameFile(dir, module)
	if what := besideModule[name]; what != "" && isBeside {
		return what
	}
	for ending, what := range endingsBeside {
		isTest := what == "a test" && repo.IsSameFile(dir, filepath.Join(module, "tests"))
		if strings.HasSuffix(name, ending) && (isBeside || isTest) {
			return what
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
