package protocol

import "encoding/json"

// CodeActionParams are the parameters of textDocument/codeAction.
type CodeActionParams struct {
	TextDocumentRangeParams
	Context CodeActionContext `json:"context"`
}

// A CodeActionContext says what a client wants actions for.
type CodeActionContext struct {
	Diagnostics []Diagnostic          `json:"diagnostics"`
	Only        []CodeActionKind      `json:"only,omitempty"` // empty for all kinds
	TriggerKind CodeActionTriggerKind `json:"triggerKind,omitempty"`
}

// A CodeActionTriggerKind says whether the user asked for actions, or the client did on its own.
type CodeActionTriggerKind int

// The trigger kinds.
const (
	ActionsInvoked CodeActionTriggerKind = iota + 1
	ActionsAutomatic
)

// A CodeActionKind is a path of names separated by dots, from general to specific.
type CodeActionKind string

// A CodeAction is a change that the user can choose. One with Data gets its edit when the
// client resolves it.
type CodeAction struct {
	Title       string              `json:"title"`
	Kind        CodeActionKind      `json:"kind,omitempty"`
	Diagnostics []Diagnostic        `json:"diagnostics,omitempty"`
	IsPreferred bool                `json:"isPreferred,omitempty"`
	Disabled    *CodeActionDisabled `json:"disabled,omitempty"`
	Edit        *WorkspaceEdit      `json:"edit,omitempty"`
	Command     *Command            `json:"command,omitempty"`
	Data        json.RawMessage     `json:"data,omitempty"`
}

// CodeActionDisabled says why the user can't choose an action.
type CodeActionDisabled struct {
	Reason string `json:"reason"`
}

// CodeActionOptions are the server's capabilities for code actions.
type CodeActionOptions struct {
	CodeActionKinds []CodeActionKind `json:"codeActionKinds"`
	ResolveProvider bool             `json:"resolveProvider"`
}

// A WorkspaceEdit edits documents. It has either Changes or DocumentChanges.
type WorkspaceEdit struct {
	Changes         map[DocumentURI][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []TextDocumentEdit         `json:"documentChanges,omitempty"`
}

// A TextDocumentEdit edits one version of a document.
type TextDocumentEdit struct {
	TextDocument OptionalVersionedTextDocumentIdentifier `json:"textDocument"`
	Edits        []TextEdit                              `json:"edits"`
}

// An OptionalVersionedTextDocumentIdentifier names a document, and its version if it is open.
type OptionalVersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version *int32      `json:"version"`
}
