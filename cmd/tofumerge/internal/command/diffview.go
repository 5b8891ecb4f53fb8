package command

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A diffView is what diff prints. It holds text and records, and no module.
type diffView struct {
	*diffOptions
	run        *workspace.Run // nil for two configurations
	text       bytes.Buffer
	report     *report.Report
	isOutside  bool // the patch has files that it can't be applied to
	hasChanges bool
}

// compare compares the files of a module with their merged form.
func (v *diffView) compare(m *workspace.Module) []*patch.File {
	if m.Past != nil {
		return v.since(m)
	}
	if m.Diags.HasErrors() {
		return nil
	}
	diffs, more := render.Diff(m.Module)
	m.Diags = slices.DeleteFunc(slices.Concat(m.Diags, more, m.Reapply()), isForOneFile)
	return changed(diffs)
}

// since compares a module with its earlier state.
func (v *diffView) since(m *workspace.Module) []*patch.File {
	if m.Past.IsSame {
		return nil
	}
	was := &diffSide{title: m.Past.Label(), mod: m.Past.Module, diags: diag.Refusals(m.Past.Diags)}
	now := &diffSide{title: m.Dir, mod: m.Module, diags: m.Diags}
	for _, side := range []*diffSide{was, now} {
		if err := side.write(); err != nil {
			return nil // nothing is written but to memory
		}
	}
	m.Diags = now.diags
	return changed([]*patch.File{patch.Compare([2]string{was.title, now.title}, was.text.Bytes(), now.text.Bytes())})
}

// changed are the files that are not the same.
func changed(diffs []*patch.File) []*patch.File {
	return slices.DeleteFunc(diffs, func(f *patch.File) bool { return !f.Changes() })
}

// add adds the files of a module.
func (v *diffView) add(m *workspace.Module, diffs []*patch.File) error {
	if err := v.run.ReportPast(m); err != nil {
		return err
	}
	if err := v.run.Report(m, m.Diags); err != nil {
		return err
	}
	if v.format.isJSON {
		v.addRecords(m)
	}
	dir := ""
	if v.run.IsMany {
		dir = m.Dir
		if m.Past == nil {
			v.addPrefix(m, diffs)
		}
	}
	return v.addFiles(dir, diffs)
}

// addPrefix makes the names those from the directory that the command runs in.
func (v *diffView) addPrefix(m *workspace.Module, diffs []*patch.File) {
	prefix := v.ws.Prefix(m.Source.Dir)
	v.isOutside = v.isOutside || len(diffs) > 0 && prefix != "" && !filepath.IsLocal(prefix)
	if v.format.isJSON {
		return // records name the module
	}
	for _, f := range diffs {
		f.Name = prefix + f.Name
	}
}

// addFiles adds files of a module in the format of the flags.
func (v *diffView) addFiles(dir string, diffs []*patch.File) error {
	v.hasChanges = v.hasChanges || len(diffs) > 0
	if v.format.isJSON {
		v.report.AddFiles(dir, report.DiffRecords(diffs))
		return nil
	}
	return patch.Writer{Context: patch.Context, Palette: v.ws.Screen(v.ws.Out).Palette}.Write(&v.text, diffs)
}

func (v *diffView) addRecords(m *workspace.Module) {
	if v.report == nil {
		v.report = report.New(m.Source, nil)
		v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
	}
	dir := ""
	if v.run.IsMany {
		dir = m.Dir
		v.report.Modules = append(v.report.Modules, m.Record())
	}
	v.report.AddHistories(dir, report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact)))
	v.ws.Record(v.report, m.Module, m.Own(), m.Diags)
}

// write prints the whole.
func (v *diffView) write() error {
	switch {
	case v.format.isJSON:
		if v.run != nil {
			v.report.Totals, v.report.Skipped = v.run.TotalsRecord(), v.search.Record()
		}
		return v.report.Write(v.ws.JSONOut())
	case v.isOutside:
		v.ws.Warn(fmt.Sprintf("patch and git refuse this patch, because %s is outside the current directory; "+
			"run tofumerge in a directory above all modules, or use -C", diag.Escape(v.run.Named[0])))
	}
	_, err := v.ws.Out.Write(v.text.Bytes())
	return err
}
