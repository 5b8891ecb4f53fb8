package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
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

// Is reports whether at identifies a finding.
func (at FindingAt) Is(f check.Finding) bool {
	return f.Rule.ID == at.Rule && f.Range.Filename == at.File && f.Range.Start.Byte == at.Byte && f.More == 0
}

// ActionData is what Resolve needs to know of an action. The client sends it back.
type ActionData struct {
	URI protocol.DocumentURI `json:"uri"`           // of the document with the action
	All bool                 `json:"all,omitempty"` // fix the whole file instead of a finding
	FindingAt
}

// CodeActions lists the actions for a range of a file: for the findings in it, and for the whole
// file. Edits that need a proof are left to Resolve.
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
	if a.wantsSource(sourceEffective) && c.knows(ShowEffective) {
		title := "Show effective configuration"
		a.add(protocol.CodeAction{
			Title: title, Kind: sourceEffective, Command: c.command(title, ShowEffective, v.URI(name), p.Range.Start),
		})
	}
	return a.list
}

// actions collects the actions of one request.
type actions struct {
	view   *view.View
	client *Client
	file   *source.File
	params protocol.CodeActionParams
	fixer  *fix.Fixer
	list   []protocol.CodeAction
}

func (a *actions) add(made protocol.CodeAction) { a.list = append(a.list, made) }

// wants reports whether the client asks for actions of a kind.
func (a *actions) wants(kind protocol.CodeActionKind) bool {
	only := a.params.Context.Only
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || o == kind || strings.HasPrefix(string(kind), string(o)+".")
	})
}

// wantsSource is wants for actions on a whole file. A client that asks on its own, because the
// cursor moved, gets none unless it names the kind.
func (a *actions) wantsSource(kind protocol.CodeActionKind) bool {
	isAutomatic := len(a.params.Context.Only) == 0 && a.params.Context.TriggerKind == protocol.ActionsAutomatic
	return a.wants(kind) && !isAutomatic
}

// maxActions is the number of actions after which quickFixes stops; nobody reads more.
const maxActions = 200

// quickFixes adds the actions for the findings in the range.
func (a *actions) quickFixes() {
	isRefused := a.isRefused()
	for _, f := range a.view.Findings {
		if len(a.list) >= maxActions {
			return
		}
		if f.Range.Filename != a.file.Name || f.More > 0 || f.Range.Start.Line == 0 {
			continue
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

// isRefused reports whether the engine refuses the module, so that no fix can be proved.
func (a *actions) isRefused() bool {
	return slices.ContainsFunc(a.view.Findings, func(f check.Finding) bool { return f.IsRefusal() })
}

// diagnosticsOf returns the client's diagnostics that show a finding.
func (a *actions) diagnosticsOf(f check.Finding) []protocol.Diagnostic {
	var list []protocol.Diagnostic
	start := a.view.Range(f.Range).Start
	for _, d := range a.params.Context.Diagnostics {
		if d.Code == f.Rule.ID && d.Range.Start == start {
			list = append(list, d)
		}
	}
	return list
}

// fix adds the action that fixes a finding, if there is one.
func (a *actions) fix(f check.Finding, about []protocol.Diagnostic) {
	made, why := a.fixer.Of(f)
	if made == nil && (why == "" || !a.client.DisabledActions) {
		return
	}
	action := protocol.CodeAction{Title: fixTitle(a.view, f), Kind: quickFix, Diagnostics: about}
	if made == nil {
		action.Disabled = &protocol.CodeActionDisabled{Reason: why}
	} else {
		action.IsPreferred = !made.Repeats()
		action.Data = a.data(ActionData{FindingAt: FindingAt{f.Rule.ID, f.Range.Filename, f.Range.Start.Byte}})
	}
	a.add(action)
}

// IsFixedAtOnce reports whether sourceFixAll fixes a finding, which editors may
// run on each save. It leaves those that may be intended: an override may repeat a value to
// pin it, or because the author will change it next, and a replacement may drop something on
// purpose. It also leaves those whose fix edits other files.
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
		made, _ := a.fixer.Of(f)
		return made != nil
	}
	if a.isRefused() || !slices.ContainsFunc(a.view.Findings, isFixable) {
		return
	}
	a.add(protocol.CodeAction{
		Title: "Remove everything that has no effect from this file", Kind: sourceFixAll,
		Data: a.data(ActionData{All: true, FindingAt: FindingAt{File: a.file.Name}}),
	})
}

// data encodes the data of an action of the file.
func (a *actions) data(d ActionData) json.RawMessage {
	d.URI = a.view.URI(a.file.Name)
	text, _ := json.Marshal(d) // strings and numbers: can't fail
	return text
}

// fixTitle words the fix of a finding.
func fixTitle(v *view.View, f check.Finding) string {
	what := "this"
	if it := load.ItemAt(v.Merged.Source, f.Range); it != nil {
		what = nameOf(v, it)
	}
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
	case len(f.Also) > 0 && id == "equivalent-override":
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

// intersect reports whether two ranges have a point in common, which may be an end.
func intersect(a, b protocol.Range) bool {
	return !isBefore(a.End, b.Start) && !isBefore(b.End, a.Start)
}

func isBefore(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
