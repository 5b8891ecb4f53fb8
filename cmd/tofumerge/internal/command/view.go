package command

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// A view is what a command prints of the modules of a run: text or, with --json, a report. It holds
// no module.
type view struct {
	work   *workspace.Run // on the modules; nil for a comparison of two configurations
	text   bytes.Buffer
	report *report.Report // with --json, from the first module on
}

// addText adds a paragraph.
func (v *view) addText(text []byte) {
	if v.text.Len() > 0 {
		v.text.WriteString("\n")
	}
	v.text.Write(text)
}

// record adds a module to the report, with diagnostics about it. It returns the directory by which
// records name the module: none if the run has no other.
func (v *view) record(ws *workspace.Workspace, m *workspace.Module, diags hcl.Diagnostics) (dir string) {
	if v.work.IsMany {
		rec := m.Record()
		dir = rec.Directory
		v.report.Modules = append(v.report.Modules, rec)
	}
	ws.Record(v.report, m.Module, m.Own(), diags)
	return dir
}

// print prints the report, with the totals of the run if they are wanted, or the text.
func (v *view) print(ws *workspace.Workspace) error {
	if v.report == nil {
		_, err := ws.Out.Write(v.text.Bytes())
		return err
	}
	if v.work != nil {
		v.report.Skipped = v.work.Search.Record()
		if v.work.NeedsTotals {
			v.report.Totals = v.work.TotalsRecord()
		}
	}
	return v.report.Write(ws.JSONOut())
}
