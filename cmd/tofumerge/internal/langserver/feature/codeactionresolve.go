package feature

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

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

// Resolve makes the edit of an action of CodeActions, for the texts of a view. If it can't, it
// disables the action and gives the reason, because the user may have chosen the action
// already. The error is the fixer's.
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
	case v.Merged == nil, !d.All && !slices.ContainsFunc(v.Findings, d.Is):
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
