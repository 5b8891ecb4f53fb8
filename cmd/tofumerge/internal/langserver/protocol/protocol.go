// Package protocol holds the types of the Language Server Protocol 3.17 that the server
// speaks, as they are on the wire.
//
// Only what is sent or read is declared. Names are those of the specification:
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
package protocol

// A DocumentURI names a document, as the client spells it.
type DocumentURI string

// A Position is a point of a document: a line, and how many code units of it come before,
// both counted from 0. Client and server agree on the kind of code units.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// A Range is a stretch of a document. The end is not part of it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a stretch of a named document.
type Location struct {
	URI   DocumentURI `json:"uri"`
	Range Range       `json:"range"`
}

// A TextEdit replaces a stretch of a document.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// A TextDocumentContentChangeEvent is an edit that a client made. Without a range the text
// is all of the document.
type TextDocumentContentChangeEvent struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// A PositionEncodingKind says which code units positions count.
type PositionEncodingKind string

// The kinds. A client that names none counts in UTF-16.
const (
	UTF8  PositionEncodingKind = "utf-8"
	UTF16 PositionEncodingKind = "utf-16"
	UTF32 PositionEncodingKind = "utf-32"
)
