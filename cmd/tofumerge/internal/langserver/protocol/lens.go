package protocol

import "encoding/json"

// A CodeLens is a line that an editor shows above a line of a document.
type CodeLens struct {
	Range   Range    `json:"range"`
	Command *Command `json:"command,omitempty"`
}

// A Command is run by the client or the server when the user chooses it. One without a name
// is text that does nothing.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}
