package protocol

// A TextDocumentIdentifier names a document.
type TextDocumentIdentifier struct {
	URI DocumentURI `json:"uri"`
}

// TextDocumentParams are about a document. Others embed them.
type TextDocumentParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// Document is the document that a request is about.
func (p TextDocumentParams) Document() DocumentURI { return p.TextDocument.URI }

// TextDocumentPositionParams are about a point of a document.
type TextDocumentPositionParams struct {
	TextDocumentParams
	Position Position `json:"position"`
}

// TextDocumentRangeParams are about a stretch of a document.
type TextDocumentRangeParams struct {
	TextDocumentParams
	Range Range `json:"range"`
}

// A TextDocumentItem is a document that was opened.
type TextDocumentItem struct {
	URI        DocumentURI `json:"uri"`
	LanguageID string      `json:"languageId"`
	Version    int32       `json:"version"`
	Text       string      `json:"text"`
}

// DidOpenTextDocumentParams say that a document was opened.
type DidOpenTextDocumentParams struct {
	TextDocument TextDocumentItem `json:"textDocument"`
}

// A VersionedTextDocumentIdentifier names a document, and a version of it.
type VersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version int32       `json:"version"`
}

// DidChangeTextDocumentParams are edits, each of what the one before made.
type DidChangeTextDocumentParams struct {
	TextDocument   VersionedTextDocumentIdentifier  `json:"textDocument"`
	ContentChanges []TextDocumentContentChangeEvent `json:"contentChanges"`
}

// A TextDocumentSyncKind says how a client sends edits.
type TextDocumentSyncKind int

// SyncIncremental has it send only what changes.
const SyncIncremental TextDocumentSyncKind = 2

// TextDocumentSyncOptions say which changes of documents the server wants to hear of.
type TextDocumentSyncOptions struct {
	OpenClose bool                 `json:"openClose"`
	Change    TextDocumentSyncKind `json:"change"`
	Save      bool                 `json:"save"`
}

// A FileChangeType says what became of a file.
type FileChangeType int

// The types.
const (
	FileCreated FileChangeType = iota + 1
	FileChanged
	FileDeleted
)

// A FileEvent says what became of a file.
type FileEvent struct {
	URI  DocumentURI    `json:"uri"`
	Type FileChangeType `json:"type"`
}

// DidChangeWatchedFilesParams say what became of files.
type DidChangeWatchedFilesParams struct {
	Changes []FileEvent `json:"changes"`
}
