package command

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
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
func NewList(ws *workspace.Workspace, words complete.Words) *cobra.Command {
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
  tofumerge list --modules live/prod
  tofumerge list --json | jq '.files[].filename'
  tofumerge list -z | xargs -0 wc -l`,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	modulesFlag(cmd.Flags(), &o.search.Modules)
	searchFlags(cmd, words, &o.search, "list all modules below each directory")
	o.format.define(cmd, words, "print `FORMAT`: text or json", "text", "json")
	outputFlag(cmd, ws)
	cmd.Flags().BoolVarP(&o.names, "null", "z", false, "print only file names, each followed by NUL")
	cmd.Flags().BoolVar(&o.redact, "redact", false, "with --json, hide values that are not effective")
	return cmd
}

func (o *listOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.format.settle(cmd, "text", "json"); err != nil {
		return err
	}
	if o.format.isJSON && o.names {
		return errors.New("-z prints names and --json prints an object; use only one of them")
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	r.Done, r.Undone, r.NeedsTotals, r.CountsIdle = "read", "", o.format.isJSON, true
	v := &listView{listOptions: o, run: r}
	failed := workspace.Each(r, v.list, v.add)
	if failed != nil && (r.Failed == 0 || r.IsMisnamed) {
		return failed
	}
	if r.IsMany {
		if err := v.write(); err != nil {
			return err
		}
	}
	r.Finish()
	return failed
}

// A listView is what list prints. It holds text and records, and no module.
type listView struct {
	*listOptions
	run    *workspace.Run
	text   bytes.Buffer
	report *report.Report
}

// A listedModule is what list prints of one module.
type listedModule struct {
	text   bytes.Buffer
	others []report.OtherFileRecord
}

// list words a module.
func (v *listView) list(m *workspace.Module) *listedModule {
	l := &listedModule{}
	if !v.names && !m.IsCalled() {
		var diags hcl.Diagnostics
		l.others, diags = otherFiles(v.ws, m.Module)
		m.Diags = append(m.Diags, diags...)
	}
	switch {
	case v.format.isJSON:
	case v.names:
		v.writeNames(l, m)
	default:
		to := v.ws.Screen(v.ws.Out)
		if v.run.IsMany {
			fmt.Fprintln(&l.text, to.Place(diag.Escape(m.Heading())+":"))
		}
		_ = term.Files(&l.text, report.Files(m.Module, m.Diags), to) // a buffer takes all
		_ = term.OtherFiles(&l.text, l.others, m.Source.Engine, to)
	}
	return l
}

// writeNames writes the names of the files as they can be opened from the directory that the
// command runs in.
func (v *listView) writeNames(l *listedModule, m *workspace.Module) {
	for _, f := range m.Source.Files {
		switch {
		case !f.Overlay:
			l.text.WriteString(filepath.Join(filepath.FromSlash(m.Dir), f.Name) + "\x00")
		case f.Path != "":
			l.text.WriteString(f.Name + "\x00")
		}
	}
}

// add adds a module, which has been worded unless it is repeated.
func (v *listView) add(m *workspace.Module, l *listedModule) error {
	if m.IsRepeated() {
		v.addRepeated(m)
		return nil
	}
	switch {
	case v.format.isJSON:
		v.addRecords(m, l)
	case v.names:
		v.text.Write(l.text.Bytes())
	default:
		addParagraph(&v.text, l.text.Bytes())
	}
	if !v.run.IsMany { // people read the table above the messages
		if err := v.write(); err != nil {
			return err
		}
	}
	return v.run.Report(m, m.Diags)
}

// addRepeated adds that a module is one that was listed before.
func (v *listView) addRepeated(m *workspace.Module) {
	switch {
	case v.format.isJSON:
		v.report.Modules = append(v.report.Modules, m.Record())
	case !v.names:
		to := v.ws.Screen(v.ws.Out)
		addParagraph(&v.text, fmt.Appendf(nil, "%s %s\n", to.Place(diag.Escape(m.Heading())+":"), m.SameAs()))
	}
}

func (v *listView) addRecords(m *workspace.Module, l *listedModule) {
	if v.report == nil {
		v.report = report.New(m.Source, nil)
		v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
	}
	dir := ""
	if v.run.IsMany {
		dir = m.Dir
		v.report.Modules = append(v.report.Modules, m.Record())
	} else {
		v.report.OtherFiles = []report.OtherFileRecord{}
	}
	v.report.AddFiles(dir, report.Files(m.Module, m.Diags))
	v.report.AddOtherFiles(dir, l.others)
	histories := report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact))
	for i := range histories {
		histories[i].Address = segments.Concat(m.Own().String(), histories[i].Address)
	}
	v.report.AddHistories(dir, histories)
	v.ws.Record(v.report, m.Module, m.Own(), m.Diags)
}

// write prints the whole.
func (v *listView) write() error {
	if v.report != nil {
		v.report.Totals, v.report.Skipped = v.run.TotalsRecord(), v.search.Record()
		return v.report.Write(v.ws.JSONOut())
	}
	_, err := v.ws.Out.Write(v.text.Bytes())
	return err
}
