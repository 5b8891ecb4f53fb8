package cli

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/render/markdown"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A changesOutput is what changes prints, module by module. It holds only text.
type changesOutput struct {
	*changesCommand
	many       *manyRun
	text       bytes.Buffer
	markdown   *markdown.Document
	report     *report.Report // nil before the first module
	hasChanges bool
	same       []report.ModuleRecord // of directories that other calls lead to as well
}

func (c *changesCommand) newOutput(r *manyRun) *changesOutput {
	return &changesOutput{changesCommand: c, many: r, markdown: markdown.NewDocument(c.against)}
}

// compare finds what overrides change in a module, and words it.
func (o *changesOutput) compare(m *manyModule) {
	m.blocks = m.changed()
	o.word(m)
}

// word words the changes of a module.
func (o *changesOutput) word(m *manyModule) {
	if o.format == "text" && !(o.Recursive && len(m.blocks) == 0) && !m.isRefused() {
		_ = term.Changes(&m.text, []wording.ModuleChanges{o.changesOf(m)}, o.changesCommand.ws.Screen(o.changesCommand.ws.Out)) // a buffer takes all
	}
}

func (o *changesOutput) changesOf(m *manyModule) wording.ModuleChanges {
	list := wording.ModuleChanges{Against: m.past.label(), Redact: wording.NewRedactor(m.Source, o.redact), Blocks: m.blocks}
	if o.many.isMany || o.format == "markdown" && m.dir != "." {
		list.Title = m.dir
	}
	return list
}

// add adds a module.
func (o *changesOutput) add(m *manyModule) error {
	o.hasChanges = o.hasChanges || len(m.blocks) > 0
	switch {
	case o.format == "json":
		if o.report == nil {
			o.report = report.NewForChanges(m.Source.Engine)
		}
		o.report.Modules = append(o.report.Modules, m.record())
		o.report.Changes = append(o.report.Changes, report.Changes(o.changesOf(m).Redact, m.record().Directory, m.blocks)...)
		o.report.Add(m.Source, o.changesCommand.ws.Unignored(m.Source, m.diags))
	case o.format == "markdown":
		o.markdown.Add(o.changesOf(m))
	case m.text.Len() > 0:
		if o.text.Len() > 0 {
			o.text.WriteString("\n")
		}
		o.text.Write(m.text.Bytes())
	}
	return nil
}

// write prints the whole.
func (o *changesOutput) write() error {
	switch {
	case o.format == "json":
		o.report.Modules = append(o.report.Modules, o.same...)
		o.report.Totals, o.report.Skipped = o.many.totalsRecord(), o.many.search.Record()
		return o.report.Write(o.changesCommand.ws.JSONOut())
	case o.format == "markdown":
		o.markdown.Skipped = o.many.search.Skipped
		return o.markdown.Write(o.changesCommand.ws.Out)
	case o.text.Len() == 0:
		o.text.WriteString(wording.ModuleChanges{Against: o.against}.Count() + "\n")
	}
	_, err := o.changesCommand.ws.Out.Write(o.text.Bytes())
	return err
}
