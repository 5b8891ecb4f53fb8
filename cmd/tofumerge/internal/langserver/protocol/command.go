package protocol

import "encoding/json"

// ExecuteCommandParams are the parameters of workspace/executeCommand.
type ExecuteCommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// ExecuteCommandOptions name the commands of the server.
type ExecuteCommandOptions struct {
	Commands []string `json:"commands"`
}

// ShowDocumentParams ask the client to show a document. It selects Selection, if there is one.
type ShowDocumentParams struct {
	URI       DocumentURI `json:"uri"`
	TakeFocus bool        `json:"takeFocus,omitempty"`
	Selection *Range      `json:"selection,omitempty"`
}

// ShowDocumentSupport is set if a client can show a document that the server names.
type ShowDocumentSupport struct {
	Support bool `json:"support"`
}
