package command

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A diffView is what diff prints.
type diffView struct {
	*diffOptions
	view
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
	was, now := newSide(m.Past.Label(), m.Past.Module, diag.Refusals(m.Past.Diags)), newSide(m.Dir, m.Module, m.Diags)
	m.Diags = now.diags
	return changed([]*patch.File{was.compare(now)})
}

// changed are the files that are not the same.
func changed(diffs []*patch.File) []*patch.File {
	return slices.DeleteFunc(diffs, func(f *patch.File) bool { return !f.Changes() })
}

// writePatch writes the changes of files, for people in colour.
func writePatch(to io.Writer, ws *workspace.Workspace, files []*patch.File) error {
	return patch.Writer{Context: patch.Context, Palette: ws.Screen(ws.Out).Palette}.Write(to, files)
}

// add adds the files of a module.
func (v *diffView) add(m *workspace.Module, diffs []*patch.File) error {
	if err := v.work.ReportPast(m); err != nil {
		return err
	}
	if err := v.work.Report(m, m.Diags); err != nil {
		return err
	}
	v.hasChanges = v.hasChanges || len(diffs) > 0
	if v.format.isJSON {
		v.addRecords(m, diffs)
		return nil
	}
	if v.work.IsMany && m.Past == nil { // names are those from the directory that the command runs in
		prefix := v.ws.Prefix(m.Source.Dir)
		v.isOutside = v.isOutside || len(diffs) > 0 && prefix != "" && !filepath.IsLocal(prefix)
		for _, f := range diffs {
			f.Name = prefix + f.Name
		}
	}
	return writePatch(&v.text, v.ws, diffs)
}

func (v *diffView) addRecords(m *workspace.Module, diffs []*patch.File) {
	if v.report == nil {
		v.report = report.New(m.Source.Engine)
		v.report.Files, v.report.Histories = []report.FileRecord{}, []report.HistoryRecord{}
	}
	dir := v.record(v.ws, m, m.Diags)
	v.report.AddFiles(dir, report.DiffRecords(diffs))
	v.report.AddHistories(dir, m.Own(), slices.Values(report.Overridden(m.Module, wording.NewRedactor(m.Source, v.redact))))
}

// status reports by its status that there are differences, if that is wanted.
func (v *diffView) status() error {
	if v.detailed && v.hasChanges {
		return workspace.ErrFound
	}
	return nil
}
