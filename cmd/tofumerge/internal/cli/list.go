package cli

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A listCommand says which files there are and what each override file does.
type listCommand struct {
	*app
	workspace.Search
	json, names, redact, modules bool
}

func newListCommand(a *app) *cobra.Command {
	l := &listCommand{app: a, Search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "list [DIR...]",
		Short: "List the files of a module, and what each override does",
		Long: `list prints the files of a module in load order, and what each override file overrides,
replaces and adds, or what in it has no effect.

It also names shadowed and ignored files, and files whose names only resemble override
files. If the engine refuses the module, list prints what it can and exits with status 1.

A second group names what else the engine loads for the directory and never merges: test
files, variables files in the order in which they are loaded, and others. Of these list
reads only the lock file, and compares it with the effective version constraints.`,
		Example: `  tofumerge list modules/web
  tofumerge list -r . --exclude examples
  tofumerge list --modules live/prod
  tofumerge list --json | jq '.files[].filename'
  tofumerge list -z | xargs -0 wc -l`,
		RunE: l.run,

		ValidArgsFunction: a.completeDirFlag,
	}
	modulesFlag(cmd.Flags(), &l.modules)
	searchFlags(&l.Search, cmd.Flags(), "list all modules below each directory")
	l.app.completeFlag(cmd, "exclude", l.app.completeDirFlag)
	cmd.Flags().BoolVar(&l.json, "json", false, "print JSON")
	cmd.Flags().BoolVarP(
		&l.names, "null", "z", false, "print only the names of files read, each ended by NUL",
	)
	cmd.Flags().BoolVar(&l.redact, "redact", false, "with --json, hide values that are not effective")
	return cmd
}

func (l *listCommand) run(_ *cobra.Command, args []string) error {
	if l.json && l.names {
		return errors.New("-z prints names and --json prints an object; use only one of them")
	}
	if l.modules {
		return l.runModules(args)
	}
	if l.Recursive || len(args) > 1 || len(l.Exclude) > 0 {
		return l.runMany(args)
	}
	mod, diags, err := l.ws.Load(l.ws.Dir(args), load.AddressedTrees, merge.Options{})
	if err != nil {
		return orRecursive(err)
	}
	var others []report.OtherFileRecord
	if !l.names {
		var more hcl.Diagnostics
		others, more = l.app.otherFiles(mod)
		diags = append(diags, more...)
	}
	if err := l.write(mod, others, diags, args); err != nil {
		return err
	}
	if err := l.ws.Report(mod.Source, diags); err != nil {
		return err
	}
	l.ws.Summarize("", mod, false, diags)
	return nil
}

func (l *listCommand) write(
	mod *merge.Module, others []report.OtherFileRecord, diags hcl.Diagnostics, args []string,
) error {
	switch {
	case l.json:
		r := report.New(mod.Source, l.ws.Unignored(mod.Source, diags))
		r.Files, r.OtherFiles = report.Files(mod, diags), others
		r.Histories = report.Overridden(mod, wording.NewRedactor(mod.Source, l.redact))
		return r.Write(l.ws.JSONOut())
	case l.names:
		return l.writeNames(mod.Source, args)
	}
	if err := term.Files(l.ws.Out, report.Files(mod, diags), l.ws.Screen(l.ws.Out)); err != nil {
		return err
	}
	return term.OtherFiles(l.ws.Out, others, mod.Source.Engine, l.ws.Screen(l.ws.Out))
}

// writeNames writes the names of the files as they can be opened from where the
// command runs.
func (l *listCommand) writeNames(src *load.Module, args []string) error {
	var out strings.Builder
	for _, f := range src.Files {
		name := f.Name
		if len(args) > 0 && !f.Overlay {
			name = filepath.Join(args[0], f.Name)
		}
		if !f.Overlay || f.Path != "" {
			out.WriteString(name + "\x00")
		}
	}
	_, err := io.WriteString(l.ws.Out, out.String())
	return err
}
