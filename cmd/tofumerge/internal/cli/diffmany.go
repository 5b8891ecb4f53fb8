package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What overrides change in the modules below a directory, as one patch.

// refuseWithRecursive refuses what can't be compared module by module.
func (d *diffCommand) refuseWithRecursive(args []string) error {
	switch {
	case len(args) > 1:
		return fmt.Errorf("diff -r takes one directory, not %d: it compares each module below with itself without its overrides; "+
			"to compare two modules, leave -r out", len(args))
	case d.hasAgainst:
		return errors.New("--against compares one module; use it without -r, or run: tofumerge changes -r --against git:REV")
	case d.otherEngine != "":
		return errors.New("--against-engine compares one module; use it without -r, or run: tofumerge check -r --against-engine")
	}
	return nil
}

// runRecursive prints a patch for all modules below a directory.
func (d *diffCommand) runRecursive(args []string) error {
	if err := d.refuseWithRecursive(args); err != nil {
		return err
	}
	d.SeesIgnored = d.detailed
	r, err := d.app.newMany(args, &d.Search, "compared")
	if err != nil {
		return err
	}
	r.json = d.json
	out := &diffsOutput{diffCommand: d, many: r}
	if err := r.each(d.compare, out.add); err != nil {
		return err
	}
	if err := out.write(); err != nil {
		return err
	}
	r.finish()
	if d.detailed && out.hasChanges {
		return workspace.ErrFound
	}
	return nil
}

// compare compares the files of a module with what they are after the merge.
func (d *diffCommand) compare(m *manyModule) {
	if m.diags.HasErrors() {
		return
	}
	diffs, more := render.Diff(m.Module)
	m.diags = slices.DeleteFunc(slices.Concat(m.diags, more, m.Reapply()), isForOneFile)
	if d.ignoreBlanks {
		for _, diff := range diffs {
			diff.IgnoreBlanks()
		}
	}
	m.diffs = slices.DeleteFunc(diffs, func(f *patch.File) bool { return !f.Changes() })
}

// A diffsOutput is what diff prints of several modules. It holds text, or numbers of lines.
type diffsOutput struct {
	*diffCommand
	many       *manyRun
	text       bytes.Buffer
	stats      []*patch.File // without their texts
	report     *report.Report
	isOutside  bool // the patch has files that it can't be applied to
	hasChanges bool
}

// add adds a module.
func (o *diffsOutput) add(m *manyModule) error {
	if err := o.diffCommand.ws.Report(m.Source, m.diags); err != nil {
		return err
	}
	o.many.describe(m, m.diags)
	o.hasChanges = o.hasChanges || len(m.diffs) > 0
	if o.json {
		o.addRecords(m, m.diags)
		return nil
	}
	prefix := o.diffCommand.ws.Prefix(o.many.path(m))
	o.isOutside = o.isOutside || len(m.diffs) > 0 && prefix != "" && !filepath.IsLocal(prefix)
	for _, f := range m.diffs {
		f.Name = prefix + f.Name
	}
	if o.stat {
		for _, f := range m.diffs {
			o.stats = append(o.stats, &patch.File{Name: f.Name, IsNew: f.IsNew, Runs: f.Runs})
		}
		return nil
	}
	return patch.Writer{Context: o.context, Palette: o.diffCommand.ws.Screen(o.diffCommand.ws.Out).Palette}.Write(&o.text, m.diffs)
}

func (o *diffsOutput) addRecords(m *manyModule, diags hcl.Diagnostics) {
	if o.report == nil {
		o.report = report.New(m.Source, nil)
		o.report.Modules, o.report.Files, o.report.Histories = []report.ModuleRecord{}, []report.FileRecord{}, []report.HistoryRecord{}
	}
	o.report.Modules = append(o.report.Modules, m.record())
	o.report.AddFiles(m.dir, report.DiffRecords(m.diffs))
	o.report.AddHistories(m.dir, report.Overridden(m.Module, wording.NewRedactor(m.Source, o.redact)))
	o.report.Add(m.Source, o.diffCommand.ws.Unignored(m.Source, diags))
}

// write prints the whole.
func (o *diffsOutput) write() error {
	switch {
	case o.json:
		o.report.Totals, o.report.Skipped = o.many.totalsRecord(), o.many.search.Record()
		return o.report.Write(o.diffCommand.ws.JSONOut())
	case o.stat:
		return term.Stat(o.diffCommand.ws.Out, o.stats, o.diffCommand.ws.Screen(o.diffCommand.ws.Out))
	case o.isOutside:
		o.diffCommand.ws.Warn(fmt.Sprintf("patch and git refuse this patch, because %s leads out of the current directory; "+
			"run tofumerge in a directory above all modules, or use -C", diag.Escape(o.many.named[0])))
	}
	_, err := o.diffCommand.ws.Out.Write(o.text.Bytes())
	return err
}
