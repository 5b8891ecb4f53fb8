package cli

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// runModules lists the modules of a tree.
func (l *listCommand) runModules(args []string) error {
	if err := l.CheckForCalls(); err != nil {
		return err
	}
	t, err := l.ws.Follow(args, load.AddressedTrees, merge.Options{})
	if err != nil {
		return err
	}
	var others []report.OtherFileRecord
	if root := t.Nodes[0]; !l.names { // of called modules, engines read only the configuration
		var more hcl.Diagnostics
		others, more = l.app.otherFiles(root.Module)
		root.Diags = append(root.Diags, more...)
	}
	if l.json {
		err = l.writeTree(t, others)
	} else {
		err = l.printTree(t, others)
	}
	if err != nil {
		return err
	}
	if err := t.ReportModules(); err != nil {
		return err
	}
	t.Finish(t.Totals())
	return nil
}

// printTree prints the files of each module, once for each directory.
func (l *listCommand) printTree(t *workspace.Tree, others []report.OtherFileRecord) error {
	var text bytes.Buffer
	to := l.ws.Screen(l.ws.Out)
	for _, n := range t.Nodes {
		switch {
		case l.names && n.First == n:
			for _, f := range n.Module.Source.Files {
				if !f.Overlay {
					text.WriteString(t.Workspace.Prefix(n.Dir) + f.Name + "\x00")
				}
			}
			continue
		case l.names:
			continue
		case text.Len() > 0:
			text.WriteString("\n")
		}
		head := to.Place(diag.Escape(t.Title(n)) + ":")
		if n.First != n {
			fmt.Fprintf(&text, "%s %s\n", head, workspace.SameAs(n))
			continue
		}
		text.WriteString(head + "\n")
		if err := term.Files(&text, report.Files(n.Module, n.Diags), to); err != nil {
			return err
		}
		if len(n.Path) == 0 {
			if err := term.OtherFiles(&text, others, n.Module.Source.Engine, to); err != nil {
				return err
			}
		}
	}
	_, err := l.ws.Out.Write(text.Bytes())
	return err
}

func (l *listCommand) writeTree(t *workspace.Tree, others []report.OtherFileRecord) error {
	doc := report.New(t.Nodes[0].Module.Source, nil)
	doc.Totals = t.Totals()
	doc.Files, doc.Histories = []report.FileRecord{}, []report.HistoryRecord{}
	for _, n := range t.Nodes {
		rec := t.Record(n)
		doc.Modules = append(doc.Modules, rec)
		if n.First != n {
			continue
		}
		src := n.Module.Source
		doc.AddFiles(rec.Directory, report.Files(n.Module, n.Diags))
		if len(n.Path) == 0 {
			doc.AddOtherFiles(rec.Directory, others)
		}
		histories := report.Overridden(n.Module, wording.NewRedactor(src, l.redact))
		for i := range histories {
			histories[i].Address = segments.Concat(n.Own.String(), histories[i].Address)
		}
		doc.AddHistories(rec.Directory, histories)
		doc.Add(src, l.ws.Unignored(src, workspace.DiagsOf(n)))
	}
	return doc.Write(l.ws.JSONOut())
}
