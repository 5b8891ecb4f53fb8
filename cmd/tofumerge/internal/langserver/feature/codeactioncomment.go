package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// nameOf is the name of an item in titles: the address of a top-level block, the name of
// anything else.
func nameOf(v *view.View, it source.Item) string {
	if b, ok := it.(*source.Block); ok && b.Within() == nil {
		return address.OfBlock(v.Merged, b).String()
	}
	return wording.Name(it)
}

// ignore adds the action that writes a comment above each item of a finding, which switches the
// rule off there. Errors can't be switched off, nor can findings about such comments, and JSON has
// no comments.
func (a *actions) ignore(f check.Finding, about []protocol.Diagnostic) {
	it := load.ItemAt(a.view.Merged.Source, f.Range)
	if f.Severity == check.Error || f.Rule.Unsilenced || it == nil {
		return
	}
	edits := map[string][]textedit.Edit{}
	for _, it := range append([]source.Item{it}, f.Also...) {
		file := it.Source()
		if file.Syntax == source.JSON || file.Broken {
			return
		}
		edits[file.Name] = append(edits[file.Name], check.Ignore(it, f.Rule))
	}
	a.add(protocol.CodeAction{
		Title: "Ignore " + f.Rule.ID + " with a comment", Kind: quickFix, Diagnostics: about,
		Edit: workspaceEdit(a.view, a.client, edits),
	})
}
