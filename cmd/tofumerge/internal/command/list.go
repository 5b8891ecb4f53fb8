package command

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// listOptions holds the flags of list.
type listOptions struct {
	ws            *workspace.Workspace
	search        workspace.Search
	format        format
	names, redact bool // names is -z
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
files. If the engine refuses the module, list prints what it can and exits with status 1.`,
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

// run lists the modules that the arguments name. Modules with errors are listed too, and make the run fail at its
// end.
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
	r.Done, r.Undone = "read", "" // "": no module is skipped because of errors
	r.NeedsTotals = o.format.isJSON
	r.HidesIdle = true // the list shows overrides without effect itself
	v := &listView{listOptions: o, view: view{work: r}}
	failed := workspace.Each(r, v.list, v.add)
	// Errors in modules don't stop the output, only those of the run (no module failed) and of a wrong DIR do.
	if failed != nil && (r.Failed == 0 || r.IsMisnamed) {
		return failed
	}
	if r.IsMany { // v.add has printed a single module
		if err := v.print(o.ws); err != nil {
			return err
		}
	}
	r.Finish()
	return failed
}

// A listView collects the output of list.
type listView struct {
	*listOptions
	view
}

// list returns the text for a module: a table of its files and overrides or, under -z, the paths of the files. It is
// empty under --json, for which add collects records.
func (v *listView) list(m *workspace.Module) *bytes.Buffer {
	text := &bytes.Buffer{}
	switch {
	case v.format.isJSON:
	case v.names:
		for _, f := range m.Source.Files {
			switch {
			case !f.Overlay:
				text.WriteString(filepath.Join(filepath.FromSlash(m.Dir), f.Name) + "\x00")
			case f.Path != "": // a file of --overlay, under the name that the user gave it; standard input has no path
				text.WriteString(f.Name + "\x00")
			}
		}
	default:
		to := v.ws.Screen(v.ws.Out)
		if v.work.IsMany {
			fmt.Fprintln(text, to.Place(diag.Escape(m.Dir)+":"))
		}
		term.Files(text, report.Files(m.Module, m.Diags), to)
	}
	return text
}

// add adds a module to the output, and prints the messages about it. For a single module, the output comes first.
func (v *listView) add(m *workspace.Module, text *bytes.Buffer) error {
	switch {
	case v.format.isJSON:
		if v.report == nil {
			v.report = report.New(m.Source.Engine)
			v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
		}
		dir := v.record(v.ws, m, m.Diags)
		v.report.AddFiles(dir, report.Files(m.Module, m.Diags))
		v.report.AddHistories(dir, slices.Values(report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact))))
	case v.names:
		v.text.Write(text.Bytes())
	default:
		v.addText(text.Bytes())
	}
	if !v.work.IsMany { // people read the table above the messages
		if err := v.print(v.ws); err != nil {
			return err
		}
	}
	return v.work.Report(m, m.Diags)
}
