package feature

import (
	"bytes"
	"maps"
	"slices"

	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// A Committer provides the committed texts.
type Committer interface {
	// Committed returns a file of a module directory as it is at HEAD. It reports false if there is
	// none.
	Committed(dir, name string) (text []byte, ok bool)
}

// MoveChange adds the action that moves a change of a primary file to an override file: the lines in
// the range that are not as they are committed, and those beside them. It is offered only if the
// override is proved to express all of that.
func MoveChange(v *view.View, c *Client, x Committer, name string, p protocol.CodeActionParams) []protocol.CodeAction {
	if indexOf(v) == nil || v.Text(name) == nil || v.Diags.HasErrors() {
		return nil
	}
	a := &actions{view: v, client: c, file: v.Merged.Source.File(name), params: p}
	if a.file.Role != source.Primary || !a.wants(quickRewrite) || a.isRefused() {
		return nil
	}
	for _, h := range a.changedLines(x) {
		m := view.Once(v, moveKey{name, h}, func(v *view.View) movedChange { return moveOf(v, name, h) })
		if edit := a.moving(m); edit != nil {
			a.add(protocol.CodeAction{Title: "Move this change to " + m.into, Kind: quickRewrite, Edit: edit})
			break
		}
	}
	return a.list
}

type committedKey struct{ name string }

type moveKey struct {
	name string
	hunk udiff.Edit
}

// changedLines are the edits that restore the committed text of the lines in the range.
func (a *actions) changedLines(x Committer) []udiff.Edit {
	name := a.file.Name
	edits := view.Once(a.view, committedKey{name}, func(v *view.View) []udiff.Edit {
		was, ok := x.Committed(v.Dir, name)
		if now := v.Text(name).Bytes(); ok && !bytes.Equal(was, now) {
			return extract.ChangedLines(now, was)
		}
		return nil
	})
	text := a.view.Text(name)
	from, to := text.Offset(a.params.Range.Start, a.view.Encoding), text.Offset(a.params.Range.End, a.view.Encoding)
	return slices.DeleteFunc(slices.Clone(edits), func(h udiff.Edit) bool {
		isAt := from <= h.End && to >= h.Start
		return !isAt || h.Start < h.End && from == h.End // the start of the next line
	})
}

// A movedChange is a change that was moved.
type movedChange struct {
	into     string            // the name of the override file
	contents map[string][]byte // of the files that change; nil if no override expresses the change
}

// moveOf moves a change of a primary file: it finds the override that replaces the change.
func moveOf(v *view.View, name string, h udiff.Edit) (m movedChange) {
	edited, now := v.Merged.Source, v.Text(name).Bytes()
	without := textedit.Apply(now, 0, len(now), []textedit.Edit{textedit.Replace(h.Start, h.End, h.New)})
	files := map[string][]byte{}
	for _, f := range edited.Files {
		files[f.Name] = f.Raw
	}
	base := maps.Clone(files)
	base[name] = without
	opts := load.Options{Engine: edited.Engine, Schema: edited.Schema, MaxFileSize: 1 << 62, Cache: load.NewCache(), Absent: func(string) bool { return true }}
	read := func(list ...map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
		opts.Contents = map[string][]byte{}
		for _, files := range list {
			maps.Copy(opts.Contents, files)
		}
		return load.Dir(edited.Dir, opts)
	}
	src, diags, err := read(base)
	if err != nil || diags.HasErrors() {
		return m
	}
	into := intoName(edited)
	existing := src.File(into)
	if existing == nil && slices.ContainsFunc(edited.Names, func(e load.DirEntry) bool { return e.Name == into }) {
		return m // a file without relevance
	}
	r, err := extract.Find(src, edited, extract.Options{
		Name: into,
		Load: func(more map[string][]byte) (*load.Module, hcl.Diagnostics, error) { return read(base, more) },
		Write: func(name string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
			if existing != nil {
				return rewrite.Into(existing, edited, parts, func(files map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
					return read(files)
				})
			}
			return rewrite.Made(edited, name, parts)
		},
	})
	if err != nil || len(r.Left) > 0 || len(r.Texts) == 0 {
		return m
	}
	for _, f := range r.TakeBack() {
		if !bytes.Equal(f.Text, without) {
			return m // something of it would be lost, or be in both files
		}
	}
	maps.Copy(r.Texts, map[string][]byte{name: without})
	return movedChange{into, r.Texts}
}

// intoName is the name of the override file to which changes are moved: one that the module has, or that
// it can have, and that is applied last.
func intoName(m *load.Module) string {
	var names []string
	for _, e := range m.Names {
		if e.Status != load.Ignored {
			names = append(names, e.Name)
		}
	}
	return extract.LastName(names, extract.Ending(names, m.Engine), m.Engine)
}

// moving is the edit that moves a change; nil if there is none, or if the client can't create files.
func (a *actions) moving(m movedChange) *protocol.WorkspaceEdit {
	isNew := m.contents != nil && a.view.Merged.Source.File(m.into) == nil
	if m.contents == nil || isNew && !a.client.CreatesFiles {
		return nil
	}
	edit := workspaceEdit(a.view, a.client, editsTo(a.view, m.contents))
	if isNew {
		uri := a.view.URI(m.into)
		document := protocol.OptionalVersionedTextDocumentIdentifier{URI: uri}
		edit.DocumentChanges = append(edit.DocumentChanges,
			protocol.DocumentChange{Kind: protocol.CreateFile, URI: uri},
			protocol.DocumentChange{TextDocument: document, Edits: []protocol.TextEdit{{NewText: string(m.contents[m.into])}}})
	}
	return edit
}
