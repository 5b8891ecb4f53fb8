package feature

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render/fix"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The kinds of code actions.
const (
	quickFix        protocol.CodeActionKind = "quickfix"
	quickRewrite    protocol.CodeActionKind = "refactor.rewrite"
	sourceFixAll    protocol.CodeActionKind = "source.fixAll.tofumerge"
	sourceEffective protocol.CodeActionKind = "source.tofumerge.effective"
)

// ActionKinds lists all kinds of code actions.
var ActionKinds = []protocol.CodeActionKind{quickFix, quickRewrite, sourceFixAll, sourceEffective}

// A Fixer fixes findings. It proves each fix by merging the fixed module and comparing the meaning.
// Both methods return the new contents of the files that change, by name.
type Fixer interface {
	// Fix fixes a finding. If it can't, contents is nil and why is the reason.
	Fix(ctx context.Context, r view.Request, of FindingAt) (contents map[string][]byte, why string, err error)
	// FixAll fixes those findings in a file for which IsFixedAtOnce is true. contents is nil if
	// it can't fix any.
	FixAll(ctx context.Context, r view.Request, name string) (contents map[string][]byte, err error)
}

// A FindingAt identifies a finding of a module.
type FindingAt struct {
	Rule string `json:"rule"`
	File string `json:"file"`
	Byte int    `json:"byte"` // of File.Raw
}

// Is reports whether at identifies a finding. A finding that only counts others ("3 more …") has no place of
// its own and never matches.
func (at FindingAt) Is(f check.Finding) bool {
	return f.Rule.ID == at.Rule && f.Range.Filename == at.File && f.Range.Start.Byte == at.Byte && f.More == 0
}

// ActionData is what Resolve needs to know of an action. The client sends it back.
type ActionData struct {
	URI protocol.DocumentURI `json:"uri"`           // of the document with the action
	All bool                 `json:"all,omitempty"` // fix the whole file instead of a finding
	FindingAt
}

// CodeActions lists the actions for a range of a file: for the findings in it, and for the whole file. nil if
// the module or the file was not read. A fix has no edit yet: Resolve makes and proves it once the user
// chooses the action.
func CodeActions(v *view.View, c *Client, name string, p protocol.CodeActionParams) []protocol.CodeAction {
	if indexOf(v) == nil || v.Text(name) == nil {
		return nil
	}
	a := &actions{view: v, client: c, file: v.Merged.Source.File(name), params: p, fixer: fix.New(v.Merged, v.Findings)}
	if a.wants(quickFix) {
		a.quickFixes()
	}
	if a.wantsSource(sourceFixAll) {
		a.fixAll()
	}
	if a.wantsSource(sourceEffective) && c.runs(ShowEffective) {
		title := "Show effective configuration"
		a.add(protocol.CodeAction{
			Title: title, Kind: sourceEffective, Command: c.command(title, ShowEffective, v.URI(name), p.Range.Start),
		})
	}
	return a.list
}

// actions collects in list the actions for one request, which is about file.
type actions struct {
	view   *view.View
	client *Client
	file   *source.File
	params protocol.CodeActionParams
	fixer  *fix.Fixer
	list   []protocol.CodeAction
}

// add adds an action to the list.
func (a *actions) add(action protocol.CodeAction) { a.list = append(a.list, action) }

// wants reports whether the client asks for actions of a kind. Only lists the kinds that it asks for, each with
// those below it: source includes source.fixAll. An empty list stands for all kinds.
func (a *actions) wants(kind protocol.CodeActionKind) bool {
	only := a.params.Context.Only
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || o == kind || strings.HasPrefix(string(kind), string(o)+".")
	})
}

// wantsSource reports whether the client asks for actions of a kind on a whole file. A client that asks on
// its own, because the cursor moved, gets none unless it names the kind.
func (a *actions) wantsSource(kind protocol.CodeActionKind) bool {
	isAutomatic := len(a.params.Context.Only) == 0 && a.params.Context.TriggerKind == protocol.ActionsAutomatic
	return a.wants(kind) && !isAutomatic
}

// maxActions is the number of actions after which quickFixes stops; nobody reads more.
const maxActions = 200

// quickFixes adds the actions for the findings in the range.
func (a *actions) quickFixes() {
	isRefused := a.isRefused() // then nothing can be fixed, only ignored
	for _, f := range a.view.Findings {
		if len(a.list) >= maxActions {
			return
		}
		if f.Range.Filename != a.file.Name || f.More > 0 || f.Range.Start.Line == 0 {
			continue // in another file, a count of further findings, or about the whole file
		}
		about := a.diagnosticsOf(f)
		if len(about) == 0 && !intersect(a.view.Range(f.Range), a.params.Range) {
			continue
		}
		if !isRefused {
			a.fix(f, about)
		}
		a.ignore(f, about)
	}
}

// isRefused reports whether the engine refuses the module. Then nothing is fixed, since a fix is proved by
// merging the module before and after it.
func (a *actions) isRefused() bool {
	return slices.ContainsFunc(a.view.Findings, func(f check.Finding) bool { return f.IsRefusal() })
}

// diagnosticsOf returns those of the client's diagnostics that show a finding: the client lists an action with
// the diagnostics that it names.
func (a *actions) diagnosticsOf(f check.Finding) (list []protocol.Diagnostic) {
	start := a.view.Range(f.Range).Start
	for _, d := range a.params.Context.Diagnostics {
		if d.Code == f.Rule.ID && d.Range.Start == start {
			list = append(list, d)
		}
	}
	return list
}

// fix adds the action that fixes a finding, without its edit, which Resolve makes. about are the diagnostics
// that show the finding. If nothing can fix it, a client that shows disabled actions gets one with the reason.
func (a *actions) fix(f check.Finding, about []protocol.Diagnostic) {
	repair, why := a.fixer.Of(f)
	if repair == nil && (why == "" || !a.client.DisabledActions) {
		return
	}
	action := protocol.CodeAction{Title: fixTitle(a.view, f), Kind: quickFix, Diagnostics: about}
	if repair == nil {
		action.Disabled = &protocol.CodeActionDisabled{Reason: why}
	} else {
		// Editors may apply a preferred fix unasked. One that repeats dropped parts isn't: the drop may be intended.
		action.IsPreferred = !repair.Repeats()
		action.Data = a.data(ActionData{FindingAt: FindingAt{f.Rule.ID, f.Range.Filename, f.Range.Start.Byte}})
	}
	a.add(action)
}

// IsFixedAtOnce reports whether sourceFixAll fixes a finding. Editors may run that action on each save, so it
// leaves findings that may be intended: an override may repeat a value to pin it, or because the author will
// change it next, and a replacement may drop something on purpose. It also leaves findings whose fix edits
// other files.
func IsFixedAtOnce(f check.Finding) bool {
	isElsewhere := func(it source.Item) bool { return it.Source().Name != f.Range.Filename }
	return (f.Rule.ID == "no-effect" || f.Rule.ID == "superseded-override") && !slices.ContainsFunc(f.Also, isElsewhere)
}

// fixAll adds the action that removes everything in the file that has no effect.
func (a *actions) fixAll() {
	isFixable := func(f check.Finding) bool {
		if f.Range.Filename != a.file.Name || !IsFixedAtOnce(f) {
			return false
		}
		repair, _ := a.fixer.Of(f)
		return repair != nil
	}
	if a.isRefused() || !slices.ContainsFunc(a.view.Findings, isFixable) {
		return
	}
	a.add(protocol.CodeAction{
		Title: "Remove everything that has no effect from this file", Kind: sourceFixAll,
		Data: a.data(ActionData{All: true, FindingAt: FindingAt{File: a.file.Name}}),
	})
}

// data encodes what Resolve needs to make the edit of an action later. It sets d.URI.
func (a *actions) data(d ActionData) json.RawMessage {
	d.URI = a.view.URI(a.file.Name)
	text, _ := json.Marshal(d) // strings and numbers: can't fail
	return text
}

// fixTitle returns the title of the action that fixes a finding: what the fix does to which item. If the finding has
// a related location, the title also says what the item repeats or drops, or what supersedes it.
func fixTitle(v *view.View, f check.Finding) string {
	what := "this"
	if it := load.ItemAt(v.Merged.Source, f.Range); it != nil {
		what = nameOf(v, it)
	}
	// at is the place that the item repeats or drops, or that supersedes it; empty if the finding has none.
	at := ""
	if f.Related != nil && f.Related.Range.Start.Line > 0 {
		at = diag.Place(f.Related.Range)
	}
	if n := len(f.Also); n > 0 {
		what += fmt.Sprintf(" and %d more like it", n)
	}
	switch id := f.Rule.ID; {
	case id == "unmarked-override":
		return "Update the comment above " + what
	case len(f.Also) > 0 && id == "equivalent-override": // they may repeat different places, so leave out at
		return "Remove " + what
	case fix.IsRepeated(f.Rule) && at != "":
		return "Repeat here what " + what + " drops from " + at
	case fix.IsRepeated(f.Rule):
		return "Repeat here what " + what + " drops"
	case id == "no-effect":
		return "Remove " + what + ", which has no effect"
	case id == "equivalent-override" && at != "":
		return "Remove " + what + ", which repeats " + at
	case at != "":
		return "Remove " + what + ", superseded by " + at
	}
	return "Remove " + what
}

// intersect reports whether two ranges have a point in common. Ends count: a cursor is an empty range and may
// be right behind a word.
func intersect(a, b protocol.Range) bool {
	return !isBefore(a.End, b.Start) && !isBefore(b.End, a.Start)
}

// isBefore reports whether a is before b.
func isBefore(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// Why a listed action can't be applied.
const (
	whyChanged = "the file has changed since the action was listed"
	whyNoFix   = "removing any part of it may change the module for some engine"
)

// DataOf decodes the data of an action. It reports false if the action has none.
func DataOf(action protocol.CodeAction) (d ActionData, ok bool) {
	ok = len(action.Data) > 0 && json.Unmarshal(action.Data, &d) == nil
	return d, ok
}

// Resolve returns an action of CodeActions with its edit, which fits the texts of v; x makes and proves it. If
// there is no such edit, the action is disabled and says why, because the user may have chosen it already. An
// action that has an edit, or no data, is returned unchanged. The error is the fixer's.
func Resolve(
	ctx context.Context, v *view.View, c *Client, x Fixer, action protocol.CodeAction,
) (protocol.CodeAction, error) {
	d, ok := DataOf(action)
	if !ok || action.Edit != nil {
		return action, nil
	}
	var contents map[string][]byte
	var why string
	var err error
	switch {
	case v.Merged == nil, !d.All && !slices.ContainsFunc(v.Findings, d.Is): // the module or the finding is gone
		why = whyChanged
	case d.All:
		contents, err = x.FixAll(ctx, requestOf(v), d.File)
		why = whyNoFix
	default:
		contents, why, err = x.Fix(ctx, requestOf(v), d.FindingAt)
	}
	if err != nil {
		return action, err
	}
	if contents == nil {
		action.Disabled = &protocol.CodeActionDisabled{Reason: why}
		return action, nil
	}
	action.Edit = workspaceEdit(v, c, editsTo(v, contents))
	return action, nil
}

// Resolved resolves actions for a client that wants their edits at once. It drops disabled
// actions if the client can't show them.
func Resolved(
	ctx context.Context, v *view.View, c *Client, x Fixer, list []protocol.CodeAction,
) ([]protocol.CodeAction, error) {
	var resolved []protocol.CodeAction
	for _, action := range list {
		action, err := Resolve(ctx, v, c, x, action)
		if err != nil {
			return nil, err
		}
		if action.Disabled == nil || c.DisabledActions {
			action.Data = nil
			resolved = append(resolved, action)
		}
	}
	return resolved, nil
}

// workspaceEdit puts edits of a view's files, by file name, into the form that the client supports: with the
// version of each document, so that the client refuses edits of a text that has changed, or without.
func workspaceEdit(v *view.View, c *Client, edits map[string][]textedit.Edit) *protocol.WorkspaceEdit {
	edit := &protocol.WorkspaceEdit{}
	for _, f := range v.Merged.Source.Files {
		list, uri := edits[f.Name], v.URI(f.Name)
		if len(list) == 0 {
			continue
		}
		// Convert the offsets of the edits to positions.
		text := v.Text(f.Name)
		changes := make([]protocol.TextEdit, len(list))
		for i, e := range list {
			changes[i] = protocol.TextEdit{Range: text.Range(e.Start, e.End, v.Encoding), NewText: e.Text}
		}
		// Without versions, the edits go by URI only.
		if !c.DocumentChanges {
			if edit.Changes == nil {
				edit.Changes = map[protocol.DocumentURI][]protocol.TextEdit{}
			}
			edit.Changes[uri] = changes
			continue
		}
		document := protocol.OptionalVersionedTextDocumentIdentifier{URI: uri}
		if c.Version != nil {
			document.Version = c.Version(uri)
		}
		edit.DocumentChanges = append(edit.DocumentChanges, protocol.DocumentChange{TextDocument: document, Edits: changes})
	}
	return edit
}

// editsTo returns, by file name, the edits of whole lines that turn the files of a view into contents. Files
// that the view lacks get none.
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

// requestOf returns a request to analyse the texts of a view once more. With it, a fixer makes edits of these
// texts, even if the files on the disk have changed since.
func requestOf(v *view.View) view.Request {
	contents := map[string][]byte{}
	for _, f := range v.Merged.Source.Files {
		if f.Raw != nil { // nil if the file could not be read
			contents[f.Name] = f.Raw
		}
	}
	return view.Request{Dir: v.Dir, Open: contents}
}

// nameOf returns the name of an item in titles: the address of a top-level block, the name of anything
// else.
func nameOf(v *view.View, it source.Item) string {
	if b, ok := it.(*source.Block); ok && b.Within() == nil {
		return address.OfBlock(v.Merged, b).String()
	}
	return wording.Name(it)
}

// ignore adds the action that switches the rule of a finding off at each of its items, with a comment. about are the
// diagnostics that show the finding. Errors and findings about such comments can't be switched off, and JSON has no
// comments: for these it adds nothing.
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

// A Committer provides the committed texts.
type Committer interface {
	// Committed returns a file of a module directory as it is at HEAD. It reports false if there is
	// none.
	Committed(dir, name string) (text []byte, ok bool)
}

// MoveChange returns an action that moves an uncommitted change of a primary file to an override file: the
// changed lines that the range touches, with the changed lines next to them. x knows the committed text. nil
// unless merging proves that an override expresses the whole change.
func MoveChange(v *view.View, c *Client, x Committer, name string, p protocol.CodeActionParams) []protocol.CodeAction {
	if indexOf(v) == nil || v.Text(name) == nil || v.Diags.HasErrors() {
		return nil
	}
	a := &actions{view: v, client: c, file: v.Merged.Source.File(name), params: p}
	if a.file.Role != source.Primary || !a.wants(quickRewrite) || a.isRefused() {
		return nil
	}
	for _, h := range a.hunksInRange(x) {
		// Editors ask again at each move of the cursor, and the proof takes several merges.
		m := view.Once(v, moveKey{name, h}, func(v *view.View) movedChange { return moveOf(v, name, h) })
		if edit := a.moveEdit(m); edit != nil {
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

// hunksInRange returns the uncommitted changes that the range touches, each as the edit that restores the
// committed lines. x knows the committed text; a file that isn't committed has no changes.
func (a *actions) hunksInRange(x Committer) []udiff.Edit {
	name := a.file.Name
	edits := view.Once(a.view, committedKey{name}, func(v *view.View) []udiff.Edit {
		was, ok := x.Committed(v.Dir, name)
		if now := v.Text(name).Bytes(); ok && !bytes.Equal(was, now) {
			return extract.ChangedLines(now, was)
		}
		return nil
	})
	text := a.view.Text(name)
	// Keep the changes that the range touches. An edit goes from Start to End in the present text.
	from, to := text.Offset(a.params.Range.Start, a.view.Encoding), text.Offset(a.params.Range.End, a.view.Encoding)
	return slices.DeleteFunc(slices.Clone(edits), func(h udiff.Edit) bool {
		isTouched := from <= h.End && to >= h.Start
		// The range starts on the line after the change. Deleted lines (Start == End) show there, so they count.
		isBehind := h.Start < h.End && from == h.End
		return !isTouched || isBehind
	})
}

// A movedChange is a change of a primary file that is moved to an override file.
type movedChange struct {
	into     string            // the name of the override file
	contents map[string][]byte // of the files that change; nil if no override expresses the change
}

// moveOf moves one change of a primary file to an override file. name is the primary file; hunk is the edit that
// restores its committed lines. Together the restored file and the override must mean what the module means
// now: then the result holds both files, otherwise its contents are nil.
func moveOf(v *view.View, name string, hunk udiff.Edit) (m movedChange) {
	edited, now := v.Merged.Source, v.Text(name).Bytes()
	restored := textedit.Apply(now, 0, len(now), []textedit.Edit{textedit.Replace(hunk.Start, hunk.End, hunk.New)})
	// files are all files of the module by name, and base is the module without the change.
	files := map[string][]byte{}
	for _, f := range edited.Files {
		files[f.Name] = f.Raw
	}
	base := maps.Clone(files)
	base[name] = restored
	// Load from memory only: no name of the directory counts, and the texts are within the limit already.
	opts := load.Options{Engine: edited.Engine, Schema: edited.Schema, MaxFileSize: 1 << 62, Cache: load.NewCache(), Absent: func(string) bool { return true }}
	// read loads the module of all files in list. Of two with one name, it takes the later.
	read := func(list ...map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
		opts.Contents = map[string][]byte{}
		for _, files := range list {
			maps.Copy(opts.Contents, files)
		}
		return load.Dir(edited.Dir, opts)
	}
	// src is the module without the change.
	src, diags, err := read(base)
	if err != nil || diags.HasErrors() {
		return m
	}
	// Find the override that turns base into the module.
	into := moveTarget(edited)
	existing := src.File(into)
	if existing == nil && slices.ContainsFunc(edited.Names, func(e load.DirEntry) bool { return e.Name == into }) {
		return m // the name belongs to a file that isn't loaded, and must not be overwritten
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
		return m // the override expresses only a part of the change, or there is nothing to express
	}
	// TakeBack tells what can go from the files once the override has it: that must be exactly the change.
	for _, f := range r.TakeBack() {
		if !bytes.Equal(f.Text, restored) {
			return m // a part of the hunk would be lost, or stay in the primary file, too
		}
	}
	r.Texts[name] = restored
	return movedChange{into, r.Texts}
}

// moveTarget returns the name of the override file to which changes are moved: the one that engines apply
// last, so that no other override hides the change. The file may not exist yet.
func moveTarget(m *load.Module) string {
	var names []string
	for _, e := range m.Names {
		if e.Status != load.Ignored {
			names = append(names, e.Name)
		}
	}
	return extract.LastName(names, extract.Ending(names, m.Engine), m.Engine)
}

// moveEdit returns the edit that moves a change; nil if no override expresses the change, or if the client
// can't create the file that it needs.
func (a *actions) moveEdit(m movedChange) *protocol.WorkspaceEdit {
	// The override file must be created if the module has none of that name.
	isNew := m.contents != nil && a.view.Merged.Source.File(m.into) == nil
	if m.contents == nil || isNew && !a.client.CreatesFiles {
		return nil
	}
	// Change the files that exist, and create the override file if it doesn't.
	edit := workspaceEdit(a.view, a.client, editsTo(a.view, m.contents))
	if isNew { // editsTo has left it out
		uri := a.view.URI(m.into)
		document := protocol.OptionalVersionedTextDocumentIdentifier{URI: uri}
		edit.DocumentChanges = append(edit.DocumentChanges,
			protocol.DocumentChange{Kind: protocol.CreateFile, URI: uri},
			protocol.DocumentChange{TextDocument: document, Edits: []protocol.TextEdit{{NewText: string(m.contents[m.into])}}})
	}
	return edit
}

// The names of commands. The client runs those that open something in the editor, and names
// the ones that it has in its initialization options. The server runs the others.
const (
	// ShowOverrides lists locations. Its arguments are the URI of a document, a position in it, and
	// locations. The client runs it. If it doesn't have it but can show a document, the server runs
	// it, and shows the location that the user chooses.
	ShowOverrides = "tofumerge.showOverrides"
	// ShowEffective shows the effective configuration. Its arguments are the URI of a document
	// and a position in it. The client runs it.
	ShowEffective = "tofumerge.showEffective"
	// RunEffective returns the effective configuration. The server runs it.
	RunEffective = "tofumerge.effective"
	// RunExplain returns the history of the item at a position, as Hover words it. The server runs
	// it.
	RunExplain = "tofumerge.explain"
)

// A Client holds the abilities of a client on which answers depend.
type Client struct {
	// Commands are the commands that the client runs.
	Commands []string
	// Snippets is set if texts to insert may be snippets.
	Snippets bool
	// DocumentChanges is set if edits may name the version of a document.
	DocumentChanges bool
	// CreatesFiles is set if edits may create files.
	CreatesFiles bool
	// Version returns the version of an open document, and nil for others.
	Version func(protocol.DocumentURI) *int32
	// ShowsDocuments is set if the client shows documents that the server names.
	ShowsDocuments bool
	// LazyEdits is set if the client resolves an action's edit when the user chooses it.
	LazyEdits bool
	// DisabledActions is set if the client shows disabled actions.
	DisabledActions bool
}

// runs reports whether the client runs a command.
func (c *Client) runs(command string) bool { return slices.Contains(c.Commands, command) }

// ServerShowsOverrides reports whether the server runs ShowOverrides, because the client doesn't, but can show the
// document that the user chooses.
func (c *Client) ServerShowsOverrides() bool { return !c.runs(ShowOverrides) && c.ShowsDocuments }

// command returns a command for a client to show as title; name is what it runs. If neither the client nor the
// server can run it, it has only the title, which the client shows as text.
func (c *Client) command(title, name string, arguments ...any) *protocol.Command {
	command := &protocol.Command{Title: title}
	isRun := c.runs(name) || name == ShowOverrides && c.ServerShowsOverrides()
	if !isRun {
		return command
	}
	command.Command = name
	for _, a := range arguments {
		text, err := json.Marshal(a)
		if err != nil {
			return &protocol.Command{Title: title}
		}
		command.Arguments = append(command.Arguments, text)
	}
	return command
}
