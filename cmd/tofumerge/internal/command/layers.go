package command

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
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
	options []*givenOption // in the order given
	test    string         // FILE or FILE:RUN
}

// A givenOption is one option that gives variables values: --var, or --var-file.
type givenOption struct {
	text   string
	isFile bool

	value assignments.Value // of --var
	file  []byte            // the text of --var-file
}

// define defines the flags.
func (o *layerOptions) define(cmd *cobra.Command, words Words) {
	flags := cmd.Flags()
	add := func(isFile bool) func(string) error {
		return func(text string) error {
			o.options = append(o.options, &givenOption{text: text, isFile: isFile})
			return nil
		}
	}
	flags.BoolVar(&o.env, "env", false, "count TF_VAR_ variables")
	flags.Func("var", "count `NAME=VALUE` for a variable; repeatable", add(false))
	flags.Func("var-file", "count the variables file `FILE`; repeatable", add(true))
	flags.StringVar(&o.test, "test", "", "count what the test `FILE[:RUN]` sets")
	words.ForFlag(cmd, "var", Nothing)
}

// read reads the options, and the files that they name.
func (o *layerOptions) read() error {
	for _, given := range o.options {
		if given.isFile {
			text, err := input.Read(repo.In(o.ws.Base(), given.text), o.ws.MaxFileSize)
			if err != nil {
				return fmt.Errorf("can't read --var-file %s: %w", diag.Escape(given.text), input.StripPath(err))
			}
			given.file = text
			continue
		}
		value, diags := assignments.Option(given.text)
		if diags.HasErrors() {
			return fmt.Errorf("--var takes NAME=VALUE: %s", strings.TrimSuffix(diags[0].Detail, "."))
		}
		given.value = value
	}
	return nil
}

// of finds the layers of a module, whose other files are given. Problems with files are warnings: no
// merged value depends on them.
func (o *layerOptions) of(m *merge.Module, found sidefiles.Files) (*layers.Set, hcl.Diagnostics, error) {
	in := layers.Inputs{}
	var diags hcl.Diagnostics
	read := func(role sidefiles.Role) []*assignments.File {
		list, more := o.ws.VariablesFiles(m.Source, found.List, role)
		diags = append(diags, more...)
		return list
	}
	in.Files = read(sidefiles.Variables)
	if o.env && o.ws.Environ != nil {
		in.Environment = assignments.Environment(o.ws.Environ())
	}
	for _, given := range o.options {
		if !given.isFile {
			in.Options = append(in.Options, layers.OptionInput{Value: &given.value})
			continue
		}
		f, more := assignments.Parse(given.text, given.file, m.Source.Engine)
		in.Options, diags = append(in.Options, layers.OptionInput{File: f}), append(diags, diag.Given(more)...)
	}
	if o.test != "" {
		test, more, err := o.testOf(m.Source, found)
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
func (o *layerOptions) testOf(src *load.Module, found sidefiles.Files) (*layers.TestInputs, hcl.Diagnostics, error) {
	name, run, hasRun := strings.Cut(o.test, ":")
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	i := slices.IndexFunc(found.List, func(f sidefiles.File) bool { return f.Name == name && f.Role == sidefiles.Test })
	if i < 0 {
		return nil, nil, fmt.Errorf("the module has no test file %s; to list its files, run: tofumerge list", diag.Escape(name))
	}
	text, err := src.TextOf(name, o.ws.MaxFileSize)
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
		return nil, nil, fmt.Errorf("the run block %q at %s is about another module", run, diag.Place(in.Run.Range))
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
