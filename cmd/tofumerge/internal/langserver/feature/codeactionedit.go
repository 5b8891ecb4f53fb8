package feature

import (
	"github.com/aymanbagabas/go-udiff"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// workspaceEdit puts edits of a view's files into the form that the client supports.
func workspaceEdit(v *view.View, c *Client, edits map[string][]textedit.Edit) *protocol.WorkspaceEdit {
	made := &protocol.WorkspaceEdit{}
	for _, f := range v.Merged.Source.Files {
		list, uri := edits[f.Name], v.URI(f.Name)
		if len(list) == 0 {
			continue
		}
		text := v.Text(f.Name)
		changes := make([]protocol.TextEdit, len(list))
		for i, e := range list {
			changes[i] = protocol.TextEdit{Range: text.Range(e.Start, e.End, v.Encoding), NewText: e.Text}
		}
		if !c.DocumentChanges {
			if made.Changes == nil {
				made.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
			}
			made.Changes[uri] = changes
			continue
		}
		document := protocol.OptionalVersionedTextDocumentIdentifier{URI: uri}
		if c.Version != nil {
			document.Version = c.Version(uri)
		}
		made.DocumentChanges = append(made.DocumentChanges, protocol.DocumentChange{TextDocument: document, Edits: changes})
	}
	return made
}

// editsTo returns edits of whole lines that turn the files of a view into contents, both by
// name.
func editsTo(v *view.View, contents map[string][]byte) map[string][]textedit.Edit {
	edits := map[string][]textedit.Edit{}
	for name, text := range contents {
		now := v.Text(name)
		if now == nil {
			continue
		}
		for _, e := range udiff.Lines(string(now.Bytes()), string(text)) {
			edits[name] = append(edits[name], textedit.Replace(e.Start, e.End, e.New))
		}
	}
	return edits
}

// requestOf is a request for the module with the texts in a view, even if they have changed since.
func requestOf(v *view.View) view.Request {
	contents := map[string][]byte{}
	for _, f := range v.Merged.Source.Files {
		if f.Raw != nil { // nil if the file could not be read
			contents[f.Name] = f.Raw
		}
	}
	return view.Request{Dir: v.Dir, Open: contents}
}
