package protocol

// PrimaryMethod is the request of the server's own that asks what the blocks of primary files hold
// to which the blocks of an override file are applied.
const PrimaryMethod = "tofumerge/primary"

// PrimaryParams name blocks of an override file, and what is looked for in the primary ones.
type PrimaryParams struct {
	TextDocumentParams
	Items []PrimaryItem `json:"items"`
}

// A PrimaryItem is an argument, or nested blocks of one type. The result has a boolean for each.
type PrimaryItem struct {
	// Brace is where the body of the block in the override file starts.
	Brace Position `json:"brace"`
	Name  string   `json:"name"`
	// Blocks is how many nested blocks are looked for; 0 looks for an argument.
	Blocks int `json:"blocks,omitempty"`
}
