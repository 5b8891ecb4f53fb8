package protocol

// A LocationLink links a range of the document that a request is about to a range of the same or
// another document.
type LocationLink struct {
	OriginSelectionRange *Range      `json:"originSelectionRange,omitempty"`
	TargetURI            DocumentURI `json:"targetUri"`
	TargetRange          Range       `json:"targetRange"`          // the whole target
	TargetSelectionRange Range       `json:"targetSelectionRange"` // its name
}

// ReferenceParams are the parameters of textDocument/references.
type ReferenceParams struct {
	TextDocumentPositionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// A DocumentHighlight is a range that refers to the same thing as the one under the cursor.
type DocumentHighlight struct {
	Range Range `json:"range"`
}
