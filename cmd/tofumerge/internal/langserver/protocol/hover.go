package protocol

// A Hover is what there is to say of a stretch of a document.
type Hover struct {
	Contents MarkupContent `json:"contents"`
	Range    *Range        `json:"range,omitempty"`
}

// MarkupContent is text for people.
type MarkupContent struct {
	Kind  MarkupKind `json:"kind"`
	Value string     `json:"value"`
}

// A MarkupKind says how a text is marked up.
type MarkupKind string

// The kinds. A client says which ones it can show, the one that it likes best first.
const (
	PlainText MarkupKind = "plaintext"
	Markdown  MarkupKind = "markdown"
)
