package command

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// listOptions hold the flags of list.
type listOptions struct {
	ws            *workspace.Workspace
	search        workspace.Search
	format        format
	names, redact bool
}

// NewList returns the command that lists the files of modules and what each override file does.
func NewList(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &listOptions{ws: ws, search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "list [DIR...]",
		Short: "List the files of a module, and what each override does",
		Long: `list prints the files of a module in load order, and what each override does: it
changes (~), adds (+), removes (-) or repeats (=) something, or has no effect.

It also names shadowed and ignored files, and files whose names only resemble override
files. If the engine refuses the module, list prints what it can and exits with status 1.

A second group lists other files that the engine loads for the directory and never merges:
test files, variables files in load order, and others. list compares the lock file with the
effective version constraints. For each variables file it prints the variables that the file
sets if the module is run as the root module, and the values that they outrank.`,
		Example: `  tofumerge list modules/web
  tofumerge list -r . --exclude examples
  tofumerge list --json | jq '.files[].filename'
  tofumerge list -z | xargs -0 wc -l`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	searchFlags(cmd, words, &o.search, "list all modules below each directory")
	o.format.define(cmd, words, "print `FORMAT`: text or json", "text", "json")
	outputFlag(cmd, ws)
	cmd.Flags().BoolVarP(&o.names, "null", "z", false, "print only file names, each followed by NUL")
	cmd.Flags().BoolVar(&o.redact, "redact", false, "with --json, hide values that are not effective")
	return cmd
}

func (o *listOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.format.settle(cmd); err != nil {
		return err
	}
	if o.format.isJSON && o.names {
		return errors.New("-z prints names and --json prints an object; use only one of them")
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.Undone, r.NeedsTotals, r.HidesIdle = "read", "", o.format.isJSON, true
	v := &listView{listOptions: o, view: view{work: r}}
	failed := workspace.Each(r, v.list, v.add)
	if failed != nil && (r.Failed == 0 || r.IsMisnamed) {
		return failed
	}
	if r.IsMany {
		if err := v.print(o.ws); err != nil {
			return err
		}
	}
	r.Finish()
	return failed
}

// A listView is what list prints.
type listView struct {
	*listOptions
	view
}

// A listedModule is what list prints of one module.
type listedModule struct {
	text   bytes.Buffer
	others []report.OtherFileRecord
}

// list words a module.
func (v *listView) list(m *workspace.Module) *listedModule {
	l := &listedModule{}
	if !v.names {
		var diags hcl.Diagnostics
		l.others, diags = otherFiles(v.ws, m.Module)
		m.Diags = append(m.Diags, diags...)
	}
	switch {
	case v.format.isJSON:
	case v.names:
		for _, f := range m.Source.Files {
			switch {
			case !f.Overlay:
				l.text.WriteString(filepath.Join(filepath.FromSlash(m.Dir), f.Name) + "\x00")
			case f.Path != "":
				l.text.WriteString(f.Name + "\x00")
			}
		}
	default:
		to := v.ws.Screen(v.ws.Out)
		if v.work.IsMany {
			fmt.Fprintln(&l.text, to.Place(diag.Escape(m.Dir)+":"))
		}
		_ = term.Files(&l.text, report.Files(m.Module, m.Diags), to) // a buffer takes all
		_ = term.OtherFiles(&l.text, l.others, m.Source.Engine, to)
	}
	return l
}

// add adds a module, which has been worded.
func (v *listView) add(m *workspace.Module, l *listedModule) error {
	switch {
	case v.format.isJSON:
		if v.report == nil {
			v.report = report.New(m.Source.Engine)
			v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
		}
		dir := v.record(v.ws, m, m.Diags)
		if !v.work.IsMany {
			v.report.OtherFiles = []report.OtherFileRecord{}
		}
		v.report.AddFiles(dir, report.Files(m.Module, m.Diags))
		v.report.AddOtherFiles(dir, l.others)
		v.report.AddHistories(dir, slices.Values(report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact))))
	case v.names:
		v.text.Write(l.text.Bytes())
	default:
		v.addText(l.text.Bytes())
	}
	if !v.work.IsMany { // people read the table above the messages
		if err := v.print(v.ws); err != nil {
			return err
		}
	}
	return v.work.Report(m, m.Diags)
}

// Records of the files that the engine loads for a directory and never merges. None of them can
// make a command fail: an unreadable one is a warning.

// otherFiles records them, and their problems.
func otherFiles(ws *workspace.Workspace, mod *merge.Module) ([]report.OtherFileRecord, hcl.Diagnostics) {
	found, err := workspace.Beside(mod.Source)
	if err != nil {
		return nil, hcl.Diagnostics{besideProblem(".", "Directory can't be read", fmt.Sprintf("Its other files are unknown: %v.", err))}
	}
	var diags hcl.Diagnostics
	switch {
	case found.Outside:
		diags = append(diags, besideProblem(sidefiles.TestDir, "Tests not listed", load.NotListed))
	case found.Tests != nil:
		diags = append(diags, besideProblem(sidefiles.TestDir, "Tests can't be read", fmt.Sprintf("The test files in it are unknown: %v.", found.Tests)))
	}
	list := report.OtherFiles(found.List)
	if i := slices.IndexFunc(list, func(f report.OtherFileRecord) bool { return f.Role == sidefiles.Lock }); i >= 0 {
		diags = append(diags, addLock(ws, &list[i], mod)...)
	}
	return list, append(diags, addAssignments(ws, list, mod, found)...)
}

// addLock adds the providers of the lock file to its record.
func addLock(ws *workspace.Workspace, rec *report.OtherFileRecord, mod *merge.Module) hcl.Diagnostics {
	const cannotRead = "Lock file can't be read"
	if !mod.Source.ShowSource && workspace.SideFileEscapesRepo(mod.Source, rec.Filename) {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, load.NotQuoted+" To read it, use --show-source.")}
	}
	locked, diags, err := providers.Locked(mod.Source, ws.MaxFileSize)
	if err != nil {
		rec.Broken = true
		return hcl.Diagnostics{besideProblem(rec.Filename, cannotRead, fmt.Sprintf("The providers in it are unknown: %v.", input.StripPath(err)))}
	}
	if rec.Broken = diags.HasErrors(); rec.Broken {
		for _, d := range diags {
			d.Severity = hcl.DiagWarning
		}
		return diags
	}
	rec.Providers = report.Providers(providers.Compare(mod, locked))
	rec.CallsModules = providers.Calls(mod)
	return nil
}

func besideProblem(name, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: detail, Subject: &hcl.Range{Filename: name}}
}

// addAssignments adds the effects of a module's variables files to their records.
func addAssignments(ws *workspace.Workspace, list []report.OtherFileRecord, m *merge.Module, found sidefiles.Files) hcl.Diagnostics {
	if !slices.ContainsFunc(list, isVariablesFile) {
		return nil
	}
	set, diags, err := (&layerOptions{ws: ws}).of(m, found)
	if err != nil {
		return nil // only the other flags can cause it
	}
	files := set.ByFile()
	for i := range list {
		if rec := &list[i]; isVariablesFile(*rec) {
			rec.Broken = slices.Contains(set.Broken, rec.Filename)
			rec.Variables = report.Assignments(set, files[rec.Filename])
		}
	}
	return diags
}

// isVariablesFile reports whether a file is loaded for the directory and gives values.
func isVariablesFile(f report.OtherFileRecord) bool {
	return f.Role == sidefiles.Variables && f.Status == sidefiles.Read
}
