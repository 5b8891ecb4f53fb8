package protocol

// A Hover is the result of textDocument/hover: text about a range of a document.
type Hover struct {
	Contents MarkupContent `json:"contents"`
	Range    *Range        `json:"range,omitempty"`
}

// MarkupContent is text that a client shows to the user.
type MarkupContent struct {
	Kind  MarkupKind `json:"kind"`
	Value string     `json:"value"`
}

// A MarkupKind is the syntax of a text.
type MarkupKind string

// The kinds. A client lists those that it can show, in order of preference.
const (
	PlainText MarkupKind = "plaintext"
	Markdown  MarkupKind = "markdown"
)
