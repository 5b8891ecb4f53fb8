package cli

import (
	"bytes"
	"path/filepath"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What list prints of several modules.

// runMany lists modules one after the other. As of one, it lists what it can of those that
// have errors.
func (l *listCommand) runMany(args []string) error {
	r, err := l.app.newMany(args, &l.Search, "read")
	if err != nil {
		return err
	}
	r.undone, r.json = "", l.json
	out := &listOutput{listCommand: l, many: r}
	failed := r.each(out.list, func(m *manyModule) error {
		err := l.ws.Report(m.Source, m.diags)
		if err == nil {
			r.describe(m, m.diags)
		}
		if err := out.add(m); err != nil {
			return err
		}
		return err
	})
	if failed != nil && (r.failed == 0 || r.isMisnamed) {
		return failed
	}
	if err := out.write(); err != nil {
		return err
	}
	r.finish()
	return failed
}

// A listOutput is what list prints of several modules. It holds only text.
type listOutput struct {
	*listCommand
	many   *manyRun
	text   bytes.Buffer
	report *report.Report
}

// list words a module.
func (o *listOutput) list(m *manyModule) {
	if !o.names {
		others, more := o.listCommand.app.otherFiles(m.Module)
		m.others, m.diags = others, append(m.diags, more...)
	}
	switch {
	case o.json:
	case o.names:
		for _, f := range m.Source.Files {
			if !f.Overlay {
				m.text.WriteString(filepath.Join(filepath.FromSlash(m.dir), f.Name) + "\x00")
			}
		}
	default:
		to := o.listCommand.ws.Screen(o.listCommand.ws.Out)
		m.text.WriteString(to.Place(diag.Escape(m.dir)+":") + "\n")
		_ = term.Files(&m.text, report.Files(m.Module, m.diags), to) // a buffer takes all
		_ = term.OtherFiles(&m.text, m.others, m.Source.Engine, to)
	}
}

// add adds a module.
func (o *listOutput) add(m *manyModule) error {
	if o.json {
		o.addRecords(m)
		return nil
	}
	if o.text.Len() > 0 && !o.names {
		o.text.WriteString("\n")
	}
	_, err := o.text.Write(m.text.Bytes())
	return err
}

func (o *listOutput) addRecords(m *manyModule) {
	if o.report == nil {
		o.report = report.New(m.Source, nil)
		o.report.Modules, o.report.Files, o.report.Histories = []report.ModuleRecord{}, []report.FileRecord{}, []report.HistoryRecord{}
	}
	o.report.Modules = append(o.report.Modules, m.record())
	o.report.AddFiles(m.dir, report.Files(m.Module, m.diags))
	o.report.AddOtherFiles(m.dir, m.others)
	o.report.AddHistories(m.dir, report.Overridden(m.Module, wording.NewRedactor(m.Source, o.redact)))
	o.report.Add(m.Source, o.listCommand.ws.Unignored(m.Source, m.diags))
}

// write prints the whole.
func (o *listOutput) write() error {
	if o.report != nil {
		o.report.Totals, o.report.Skipped = o.many.totalsRecord(), o.many.search.Record()
		return o.report.Write(o.listCommand.ws.JSONOut())
	}
	_, err := o.listCommand.ws.Out.Write(o.text.Bytes())
	return err
}
