package protocol

// A LocationLink leads from a stretch of the document at hand to a stretch of a document.
type LocationLink struct {
	OriginSelectionRange *Range      `json:"originSelectionRange,omitempty"`
	TargetURI            DocumentURI `json:"targetUri"`
	TargetRange          Range       `json:"targetRange"`          // all of what it leads to
	TargetSelectionRange Range       `json:"targetSelectionRange"` // what names it
}

// ReferenceParams ask for the places that have to do with what is at a position.
type ReferenceParams struct {
	TextDocumentPositionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// A DocumentHighlight is a stretch that has to do with the one that is pointed at.
type DocumentHighlight struct {
	Range Range `json:"range"`
}

// A DocumentLink is a stretch of a document that leads somewhere.
type DocumentLink struct {
	Range   Range       `json:"range"`
	Target  DocumentURI `json:"target,omitempty"`
	Tooltip string      `json:"tooltip,omitempty"`
}
