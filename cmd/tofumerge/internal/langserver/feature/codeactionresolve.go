package feature

import (
	"context"
	"encoding/json"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Why an action that was listed can't be done.
const (
	whyMoved   = "the file has changed since"
	whyNothing = "without any of it, the module may not be the same to every engine"
)

// DataOf is what an action took along, and whether it took anything.
func DataOf(action protocol.CodeAction) (d ActionData, ok bool) {
	ok = len(action.Data) > 0 && json.Unmarshal(action.Data, &d) == nil
	return d, ok
}

// Resolve makes the edit of an action of CodeActions, of the texts of a view. Where there is
// none the action comes back disabled, with the reason; people may have chosen it already, so
// that they should be told. The error is that of the context, or one of the fixer.
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
	case v.Merged == nil, !d.All && !has(v.Findings, d.FindingAt):
		why = whyMoved
	case d.All:
		contents, err = x.FixAll(ctx, requestOf(v), d.File)
		why = whyNothing
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

// Resolved are actions with their edits, for clients that want them at once. Those without
// stay if the client shows them.
func Resolved(
	ctx context.Context, v *view.View, c *Client, x Fixer, list []protocol.CodeAction,
) ([]protocol.CodeAction, error) {
	var made []protocol.CodeAction
	for _, action := range list {
		action, err := Resolve(ctx, v, c, x, action)
		if err != nil {
			return nil, err
		}
		if action.Disabled == nil || c.DisabledActions {
			action.Data = nil
			made = append(made, action)
		}
	}
	return made, nil
}

func has(found []check.Finding, at FindingAt) bool {
	for _, f := range found {
		if at.Is(f) {
			return true
		}
	}
	return false
}
