package command

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The sources of variables' values besides the configuration, from flags and the directory of a
// module.

// layerOptions hold the flags.
type layerOptions struct {
	ws      *workspace.Workspace
	env     bool
	options []givenOption // in the order given
	test    string        // FILE or FILE:RUN
}

// A givenOption is the value of one option.
type givenOption struct {
	text   string
	isFile bool
}

// An optionFlag is a flag whose values are added to another flag's, in the order given.
type optionFlag struct {
	to     *[]givenOption
	isFile bool
}

// Set implements pflag.Value.
func (f optionFlag) Set(text string) error {
	*f.to = append(*f.to, givenOption{text, f.isFile})
	return nil
}

// String implements pflag.Value.
func (f optionFlag) String() string { return "" }

// Type implements pflag.Value.
func (f optionFlag) Type() string { return "string" }

// define defines the flags.
func (o *layerOptions) define(cmd *cobra.Command, words complete.Words) {
	flags := cmd.Flags()
	flags.BoolVar(&o.env, "env", false, "count TF_VAR_ variables")
	flags.Var(optionFlag{&o.options, false}, "var", "count `NAME=VALUE` for a variable; repeatable")
	flags.Var(optionFlag{&o.options, true}, "var-file", "count the variables file `FILE`; repeatable")
	flags.StringVar(&o.test, "test", "", "count what the test `FILE[:RUN]` sets")
	words.ForFlag(cmd, "var", complete.Nothing)
}

// A layerReader finds the layers of modules.
type layerReader struct {
	*layerOptions
	values []assignments.Value // of options, by their index among all; empty for files
	files  map[string][]byte   // of options, by name
}

// read reads the files that the flags name.
func (o *layerOptions) read() (*layerReader, error) {
	r := &layerReader{layerOptions: o, files: map[string][]byte{}}
	for _, given := range o.options {
		var value assignments.Value
		if given.isFile {
			text, err := input.ReadFile(repo.In(o.ws.Base(), given.text), o.ws.MaxFileSize)
			if err != nil {
				return nil, fmt.Errorf("can't read --var-file %s: %w", diag.Escape(given.text), input.StripPath(err))
			}
			r.files[given.text] = text
		} else {
			v, diags := assignments.Option(given.text)
			if diags.HasErrors() {
				return nil, fmt.Errorf("--var takes NAME=VALUE: %s", strings.TrimSuffix(diags[0].Detail, "."))
			}
			value = v
		}
		r.values = append(r.values, value)
	}
	return r, nil
}

// of finds the layers of a module. Problems with files are warnings: no merged value depends on
// them.
func (r *layerReader) of(m *merge.Module) (*layers.Set, hcl.Diagnostics, error) {
	found, err := workspace.Beside(m.Source)
	if err != nil {
		return nil, nil, err
	}
	return r.beside(m, found)
}

// beside is of for a module whose other files have been found.
func (r *layerReader) beside(m *merge.Module, found sidefiles.Files) (*layers.Set, hcl.Diagnostics, error) {
	in := layers.Inputs{}
	var diags hcl.Diagnostics
	read := func(role sidefiles.Role) []*assignments.File {
		list, more := r.ws.VariablesFiles(m.Source, found.List, role)
		diags = append(diags, more...)
		return list
	}
	in.Files = read(sidefiles.Variables)
	if r.env && r.ws.Environ != nil {
		in.Environment = assignments.Environment(r.ws.Environ())
	}
	for i, given := range r.options {
		if !given.isFile {
			in.Options = append(in.Options, layers.OptionInput{Value: &r.values[i]})
			continue
		}
		f, more := assignments.Parse(given.text, r.files[given.text], m.Source.Engine)
		in.Options, diags = append(in.Options, layers.OptionInput{File: f}), append(diags, diag.Given(more)...)
	}
	if r.test != "" {
		test, more, err := r.testOf(m.Source, found)
		if err != nil {
			return nil, nil, err
		}
		in.Test = test
		in.Test.Files = read(sidefiles.TestVariables)
		diags = append(diags, more...)
	}
	set := layers.Of(m, in)
	diags = append(diags, diag.Given(undeclaredOptions(set))...)
	for _, d := range diags {
		d.Severity = hcl.DiagWarning
	}
	return set, diags, nil
}

// undeclaredOptions are about the options that give values to variables which the module doesn't
// declare, as far as the engine complains.
func undeclaredOptions(set *layers.Set) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, v := range set.Variables() {
		for i := range v.Layers {
			l := &v.Layers[i]
			isOption := l.Rule.Source == layers.Option || l.Rule.Source == layers.OptionFile
			if v.Item != nil || !isOption || set.IsPartial {
				continue
			}
			at, effect := l.Range, "nothing uses the value"
			if l.Rule.Text {
				at = hcl.Range{Filename: l.Range.Filename} // it is in no file
			}
			switch set.ComplaintAbout(l) {
			case layers.Silence:
				continue
			case layers.Error:
				effect = set.Module.Source.Engine.Product.Title() + " refuses the run"
			}
			diags = append(diags, diag.New(at, "Value for undeclared variable", "The module doesn't declare a variable %q, so %s.", diag.Escape(v.Name), effect))
		}
	}
	return diags
}

// testOf reads the requested test file.
func (r *layerReader) testOf(src *load.Module, found sidefiles.Files) (*layers.TestInputs, hcl.Diagnostics, error) {
	name, run, hasRun := strings.Cut(r.test, ":")
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	i := slices.IndexFunc(found.List, func(f sidefiles.File) bool { return f.Name == name && f.Role == sidefiles.Test })
	if i < 0 {
		return nil, nil, fmt.Errorf("the module has no test file %s; to list its files, run: tofumerge list", diag.Escape(name))
	}
	text, err := src.TextOf(name, r.ws.MaxFileSize)
	if err != nil {
		return nil, nil, fmt.Errorf("can't read the test file %s: %w", diag.Escape(name), input.StripPath(err))
	}
	tests, diags := assignments.ParseTests(name, text)
	in := &layers.TestInputs{File: tests}
	if !hasRun || tests.Broken {
		return in, diags, nil
	}
	in.Run = tests.Run(run)
	switch {
	case in.Run == nil:
		return nil, nil, fmt.Errorf("%s has no run block %q; it has %s", diag.Escape(name), run, runsOf(tests))
	case in.Run.IsElsewhere:
		return nil, nil, fmt.Errorf("the run block %q at %s is about another module", run, wording.PlaceOf(in.Run.Range))
	}
	return in, diags, nil
}

// runsOf words the names of run blocks.
func runsOf(t *assignments.Tests) string {
	var names []string
	for _, run := range t.Runs {
		names = append(names, diag.Escape(run.Name))
	}
	if len(names) == 0 {
		return "none"
	}
	return wording.Some(names, ", ")
}
