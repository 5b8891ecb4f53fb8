package main

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/markdown"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A changesOutput is what changes prints, module by module. It holds only text.
type changesOutput struct {
	*changesCommand
	many     *manyRun
	text     bytes.Buffer
	markdown *markdown.Document
	report   *report.Report // nil before the first module
}

func (c *changesCommand) newOutput(r *manyRun) *changesOutput {
	return &changesOutput{changesCommand: c, many: r, markdown: markdown.NewDocument()}
}

// add adds a module.
func (o *changesOutput) add(m *manyModule) error {
	redact := wording.NewRedactor(m.Source, o.redact)
	list := wording.ModuleChanges{Redact: redact, Blocks: m.blocks}
	if o.many.isMany || o.format == "markdown" && m.dir != "." {
		list.Title = m.dir
	}
	switch {
	case o.format == "json":
		if o.report == nil {
			o.report = report.NewForChanges(m.Source.Engine)
		}
		o.report.Modules = append(o.report.Modules, m.record())
		o.report.Changes = append(o.report.Changes, report.Changes(redact, m.dir, m.blocks)...)
		o.report.Add(m.Source, check.Unignored(m.Source, m.diags))
	case o.format == "markdown":
		o.markdown.Add(list)
	case o.recursive && len(m.blocks) == 0:
	default:
		if o.text.Len() > 0 {
			o.text.WriteString("\n")
		}
		return term.Changes(&o.text, []wording.ModuleChanges{list}, o.screen(o.out))
	}
	return nil
}

// write prints the whole.
func (o *changesOutput) write() error {
	switch {
	case o.format == "json":
		o.report.Totals = o.many.totalsRecord()
		return o.report.Write(o.jsonOut())
	case o.format == "markdown":
		return o.markdown.Write(o.out)
	case o.text.Len() == 0:
		o.text.WriteString(wording.ChangeCount(nil) + "\n")
	}
	_, err := o.out.Write(o.text.Bytes())
	return err
}
