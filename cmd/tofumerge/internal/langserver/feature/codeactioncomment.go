package feature

import (
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/winners"
	"github.com/tofumerge/tofumerge/internal/render/marker"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Actions that write comments: comments that switch a rule off, and comments that name
// override files.

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

// edit makes an edit of the file.
func (a *actions) edit(edits []textedit.Edit) *protocol.WorkspaceEdit {
	return workspaceEdit(a.view, a.client, map[string][]textedit.Edit{a.file.Name: edits})
}

// isMarkable reports whether the file can have comments that name override files. In a module with
// errors their correct text is unknown.
func (a *actions) isMarkable() bool {
	return a.file.Role == source.Primary && a.file.Syntax == source.Native && !a.view.Diags.HasErrors()
}

func (a *actions) overrides(b *source.Block) []winners.Override { return overridesIn(a.view)[b] }

// markBlock adds the actions that correct the comments above the blocks whose headers are in
// the range.
func (a *actions) markBlock() {
	if !a.isMarkable() {
		return
	}
	text := a.view.Text(a.file.Name)
	from := text.Offset(a.params.Range.Start, a.view.Encoding)
	to := text.Offset(a.params.Range.End, a.view.Encoding)
	for i := range a.file.Len() {
		b := a.file.Block(i)
		at := b.Header()
		start := textedit.LineStart(a.file.Native, source.TriviaOf(b).Lead)
		if start > to || at.End.Byte < from {
			continue
		}
		if edits := marker.EditsAt(b, a.overrides(b)); len(edits) > 0 {
			a.add(protocol.CodeAction{Title: markTitle(a.overrides(b)), Kind: rewrite, Edit: a.edit(edits)})
		}
	}
}

func markTitle(overrides []winners.Override) string {
	if len(overrides) == 0 {
		return "Remove the stale comment that names override files"
	}
	return "Name the override files in a comment"
}

// markFound adds the action of markBlock for a finding about the comment.
func (a *actions) markFound(f check.Finding, about []protocol.Diagnostic) {
	if f.Rule.ID != "unmarked-override" || !a.isMarkable() {
		return
	}
	if it := load.ItemAt(a.view.Merged.Source, f.Range); it != nil {
		b := source.Top(it)
		if edits := marker.EditsAt(b, a.overrides(b)); len(edits) > 0 {
			a.add(protocol.CodeAction{
				Title: markTitle(a.overrides(b)), Kind: quickFix, Diagnostics: about, IsPreferred: true, Edit: a.edit(edits),
			})
		}
	}
}

// markFile adds the action that corrects all such comments of the file.
func (a *actions) markFile() {
	if !a.isMarkable() {
		return
	}
	if edits := marker.Edits(a.view.Merged.Source, a.file, a.overrides); len(edits) > 0 {
		a.add(protocol.CodeAction{
			Title: "Name the override files above all overridden blocks", Kind: sourceMark, Edit: a.edit(edits),
		})
	}
}
