package cli

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// How explain looks for something in all modules below a directory.

// An explainOutput is what explain prints of several modules. It holds only text and records.
type explainOutput struct {
	*explainCommand
	many      *manyRun
	asked     []string
	isFound   []atomic.Bool // by what is asked for
	histories sync.Map      // of modules, until they are taken
	text      bytes.Buffer
	report    *report.Report
}

// runMany explains what is asked for wherever it is; without anything, all of all modules.
func (x *explainCommand) runMany(dirs, asked []string) error {
	for _, text := range asked {
		switch {
		case isPlaceInFile(text):
			return fmt.Errorf("%s is in one module; leave -r out", diag.Escape(text))
		case isInvalid(text):
			_, err := address.Parse(text)
			return err
		}
	}
	r, err := x.app.newMany(dirs, &x.Search, "explained")
	if err != nil {
		return err
	}
	r.trees, r.json = load.AllTrees, x.json
	o := &explainOutput{explainCommand: x, many: r, asked: asked, isFound: make([]atomic.Bool, len(asked))}
	if err := r.each(o.explain, o.add); err != nil {
		return err
	}
	if err := o.checkFound(); err != nil {
		return err
	}
	if err := o.write(); err != nil {
		return err
	}
	r.finish()
	return nil
}

// explain words what a module has of what is asked for.
func (o *explainOutput) explain(m *manyModule) {
	if m.diags.HasErrors() {
		return
	}
	var targets []address.Target
	if len(o.asked) == 0 {
		targets = address.Top(m.Module)
	}
	for i, text := range o.asked {
		if found, err := o.named(m.Module, text); err == nil {
			targets = append(targets, found...)
			o.isFound[i].Store(true)
		}
	}
	if len(targets) == 0 {
		return
	}
	own, _ := concerning(targets, m.diags)
	m.diags = own
	if o.json {
		redact := wording.NewRedactor(m.Source, o.redact)
		o.histories.Store(m, slices.Collect(report.Histories(m.Module, redact, targets, o.all)))
		return
	}
	m.diags = slices.DeleteFunc(m.diags, isInTable)
	to := o.explainCommand.ws.Screen(o.explainCommand.ws.Out)
	m.text.WriteString(to.Place(diag.Escape(m.dir)+":") + "\n")
	_ = term.Explain(m.Module, to, term.ExplainOptions{ // a buffer takes all
		All: o.all, Redact: o.redact, Highlight: o.explainCommand.ws.Highlights(o.explainCommand.ws.Out),
	}).Write(&m.text, targets)
}

// add adds a module. Warnings of one that has nothing of what is asked for are not wanted.
func (o *explainOutput) add(m *manyModule) error {
	histories, hasHistories := o.histories.LoadAndDelete(m)
	hasAny := hasHistories || m.text.Len() > 0
	if !hasAny {
		m.diags = errorsOf(m.diags)
	}
	if o.json && o.report == nil {
		o.report = report.New(m.Source, nil)
		o.report.Modules, o.report.Histories = []report.ModuleRecord{}, []report.HistoryRecord{}
	}
	if err := o.explainCommand.ws.Report(m.Source, m.diags); err != nil || !hasAny {
		return err
	}
	o.many.describe(m, m.diags)
	if !o.json {
		if o.text.Len() > 0 {
			o.text.WriteString("\n")
		}
		_, err := o.text.Write(m.text.Bytes())
		return err
	}
	o.report.Modules = append(o.report.Modules, m.record())
	o.report.AddHistories(m.dir, histories.([]report.HistoryRecord))
	o.report.Add(m.Source, o.explainCommand.ws.Unignored(m.Source, m.diags))
	return nil
}

// checkFound refuses what is in no module.
func (o *explainOutput) checkFound() error {
	for i, text := range o.asked {
		if !o.isFound[i].Load() {
			return fmt.Errorf("nothing in %s has the address %s; to list all addresses, run: tofumerge explain -r --all",
				wording.Count(o.many.totals.Modules, "module"), diag.Escape(text))
		}
	}
	return nil
}

// write prints the whole.
func (o *explainOutput) write() error {
	if o.report != nil {
		o.report.Skipped = o.Search.Record()
		return o.report.Write(o.explainCommand.ws.JSONOut())
	}
	_, err := o.explainCommand.ws.Out.Write(o.text.Bytes())
	return err
}
