package protocol

import "encoding/json"

// CodeActionParams are the parameters of textDocument/codeAction.
type CodeActionParams struct {
	TextDocumentRangeParams
	Context CodeActionContext `json:"context"`
}

// A CodeActionContext describes which actions a client wants.
type CodeActionContext struct {
	Diagnostics []Diagnostic          `json:"diagnostics"`
	Only        []CodeActionKind      `json:"only,omitempty"` // empty for all kinds
	TriggerKind CodeActionTriggerKind `json:"triggerKind,omitempty"`
}

// A CodeActionTriggerKind distinguishes the user's requests for actions from the client's own.
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

// CodeActionDisabled is the reason why the user can't choose an action.
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
	DocumentChanges []DocumentChange           `json:"documentChanges,omitempty"`
}

// A DocumentChange edits one version of a document, or creates an empty file.
type DocumentChange struct {
	Kind         string                                  `json:"kind,omitempty"` // CreateFile, or empty for an edit
	URI          DocumentURI                             `json:"uri,omitempty"`  // of the new file
	TextDocument OptionalVersionedTextDocumentIdentifier `json:"textDocument,omitzero"`
	Edits        []TextEdit                              `json:"edits,omitempty"`
}

// CreateFile is the kind of a change that creates a file, and what clients call it that can do so.
const CreateFile = "create"

// An OptionalVersionedTextDocumentIdentifier names a document, and its version if it is open.
type OptionalVersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version *int32      `json:"version"`
}
