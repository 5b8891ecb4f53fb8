// Package protocol holds the types of the Language Server Protocol 3.17 that the server speaks, as
// they are on the wire, and carries its messages over a pair of streams.
//
// A jsonrpc2.Conn gets only valid messages from a Stream. The stream answers an invalid one with an
// error and reads the next, unless a header doesn't let it find that. It never blocks on a client
// that doesn't read: it writes frames in a goroutine, and ends the connection if too many wait.
//
// It declares only types that the server sends or reads, with the names of the specification:
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
package protocol

// The error codes that the protocol adds to JSON-RPC's.
const (
	CodeNotInitialized   = -32002
	CodeRequestFailed    = -32803
	CodeServerCancelled  = -32802
	CodeContentModified  = -32801
	CodeRequestCancelled = -32800
)

// A DocumentURI names a document. Clients may spell the URI of the same file differently.
type DocumentURI string

// A Position is a point in a document: a line and an offset in it in code units, both starting at
// 0. Client and server agree on the kind of code units.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// A Range is a range of a document. It doesn't include End.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a range of a named document.
type Location struct {
	URI   DocumentURI `json:"uri"`
	Range Range       `json:"range"`
}

// A TextEdit replaces a range of a document.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// A TextDocumentContentChangeEvent is an edit in a client. Without a range, the text replaces
// the whole document.
type TextDocumentContentChangeEvent struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// A PositionEncodingKind is the kind of code units in positions.
type PositionEncodingKind string

// The encodings. A client that offers none uses UTF-16.
const (
	UTF8  PositionEncodingKind = "utf-8"
	UTF16 PositionEncodingKind = "utf-16"
	UTF32 PositionEncodingKind = "utf-32"
)
