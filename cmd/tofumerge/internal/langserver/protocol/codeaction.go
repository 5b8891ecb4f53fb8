package protocol

import "encoding/json"

// CodeActionParams ask what can be done about a stretch of a document.
type CodeActionParams struct {
	TextDocumentRangeParams
	Context CodeActionContext `json:"context"`
}

// A CodeActionContext says why actions are asked for.
type CodeActionContext struct {
	Diagnostics []Diagnostic          `json:"diagnostics"`
	Only        []CodeActionKind      `json:"only,omitempty"` // empty: of all kinds
	TriggerKind CodeActionTriggerKind `json:"triggerKind,omitempty"`
}

// A CodeActionTriggerKind says whether a person asked.
type CodeActionTriggerKind int

// The kinds.
const (
	ActionsInvoked CodeActionTriggerKind = iota + 1
	ActionsAutomatic
)

// A CodeActionKind is a path of names with dots between them, the widest kind first.
type CodeActionKind string

// A CodeAction is something that can be done about a document. The edit of one with data is
// made when it is resolved.
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

// CodeActionDisabled says why an action can't be chosen.
type CodeActionDisabled struct {
	Reason string `json:"reason"`
}

// CodeActionOptions say what clients can ask for.
type CodeActionOptions struct {
	CodeActionKinds []CodeActionKind `json:"codeActionKinds"`
	ResolveProvider bool             `json:"resolveProvider"`
}

// A WorkspaceEdit is edits of documents, in one of two forms.
type WorkspaceEdit struct {
	Changes         map[DocumentURI][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []TextDocumentEdit         `json:"documentChanges,omitempty"`
}

// A TextDocumentEdit is edits of a version of a document.
type TextDocumentEdit struct {
	TextDocument OptionalVersionedTextDocumentIdentifier `json:"textDocument"`
	Edits        []TextEdit                              `json:"edits"`
}

// An OptionalVersionedTextDocumentIdentifier names a document, and a version of it if it is
// open.
type OptionalVersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version *int32      `json:"version"`
}
