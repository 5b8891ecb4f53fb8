package protocol

import "encoding/json"

// A CodeLens is a line that an editor shows above a line of a document.
type CodeLens struct {
	Range   Range    `json:"range"`
	Command *Command `json:"command,omitempty"`
}

// A Command is something that a client or the server does when a person asks for it. One
// without a name is only a title.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}
