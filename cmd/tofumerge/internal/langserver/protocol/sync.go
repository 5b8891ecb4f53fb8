package protocol

// A TextDocumentIdentifier names a document.
type TextDocumentIdentifier struct {
	URI DocumentURI `json:"uri"`
}

// TextDocumentParams are the parameters that all requests about a document have.
type TextDocumentParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// Document is the document that a request is about.
func (p TextDocumentParams) Document() DocumentURI { return p.TextDocument.URI }

// TextDocumentPositionParams are the parameters of requests about a position.
type TextDocumentPositionParams struct {
	TextDocumentParams
	Position Position `json:"position"`
}

// TextDocumentRangeParams are the parameters of requests about a range.
type TextDocumentRangeParams struct {
	TextDocumentParams
	Range Range `json:"range"`
}

// A TextDocumentItem is a document with its text.
type TextDocumentItem struct {
	URI     DocumentURI `json:"uri"`
	Version int32       `json:"version"`
	Text    string      `json:"text"`
}

// DidOpenTextDocumentParams report that a document was opened.
type DidOpenTextDocumentParams struct {
	TextDocument TextDocumentItem `json:"textDocument"`
}

// A VersionedTextDocumentIdentifier names a version of a document.
type VersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version int32       `json:"version"`
}

// DidChangeTextDocumentParams are edits of a document, in order: each applies to the result of its
// predecessor.
type DidChangeTextDocumentParams struct {
	TextDocument   VersionedTextDocumentIdentifier  `json:"textDocument"`
	ContentChanges []TextDocumentContentChangeEvent `json:"contentChanges"`
}

// A TextDocumentSyncKind is the way in which a client sends edits.
type TextDocumentSyncKind int

// SyncIncremental stands for the edits alone, not whole documents.
const SyncIncremental TextDocumentSyncKind = 2

// TextDocumentSyncOptions select the notifications about documents that the server wants.
type TextDocumentSyncOptions struct {
	OpenClose bool                 `json:"openClose"`
	Change    TextDocumentSyncKind `json:"change"`
	Save      bool                 `json:"save"`
}

// A FileEvent reports a change to a file: it was created, changed or deleted.
type FileEvent struct {
	URI DocumentURI `json:"uri"`
}

// DidChangeWatchedFilesParams report changes to files that the client watches.
type DidChangeWatchedFilesParams struct {
	Changes []FileEvent `json:"changes"`
}
