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

import (
	"encoding/json"
	"strings"
)

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

// InitializeParams are the parameters of initialize: the client's name and capabilities.
type InitializeParams struct {
	ProcessID             *int               `json:"processId"`
	RootPath              *string            `json:"rootPath,omitempty"`
	RootURI               *DocumentURI       `json:"rootUri"`
	WorkspaceFolders      []WorkspaceFolder  `json:"workspaceFolders,omitempty"`
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions,omitempty"`
}

// Info is the name and the version of a program.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// A WorkspaceFolder is a directory that is open in a client.
type WorkspaceFolder struct {
	URI DocumentURI `json:"uri"`
}

// ClientCapabilities are the capabilities of a client that the server uses. They are only read, and
// their names differ from those on the wire in the case of letters alone.
type ClientCapabilities struct {
	General      struct{ PositionEncodings []PositionEncodingKind }
	TextDocument struct {
		Diagnostic *struct{ RelatedDocumentSupport bool }
		Hover      struct{ ContentFormat []MarkupKind }

		Definition, Declaration, Implementation LinkSupport

		CodeAction struct {
			DataSupport, DisabledSupport bool
			ResolveSupport               struct{ Properties []string }
		}
		Completion struct{ CompletionItem struct{ SnippetSupport bool } }
	}
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges    bool
			ResourceOperations []string
		}
		Configuration                                 bool
		DidChangeConfiguration, DidChangeWatchedFiles Dynamic
		Diagnostics, CodeLens, InlayHint              RefreshSupport
	}
	Window struct {
		WorkDoneProgress bool
		ShowDocument     struct{ Support bool }
		ShowMessage      *struct{}
	}
}

// LinkSupport is set if a client accepts a LocationLink instead of a Location.
type LinkSupport struct{ LinkSupport bool }

// Dynamic is set if the server may register for something after initialize.
type Dynamic struct{ DynamicRegistration bool }

// RefreshSupport is set if the server may make a client request something again.
type RefreshSupport struct{ RefreshSupport bool }

// InitializeResult is the result of initialize: the server's name and capabilities.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   Info               `json:"serverInfo"`
}

// ServerCapabilities are the capabilities of the server.
type ServerCapabilities struct {
	PositionEncoding   PositionEncodingKind    `json:"positionEncoding"`
	TextDocumentSync   TextDocumentSyncOptions `json:"textDocumentSync"`
	DiagnosticProvider *DiagnosticOptions      `json:"diagnosticProvider,omitempty"`

	HoverProvider          bool                  `json:"hoverProvider,omitempty"`
	DefinitionProvider     bool                  `json:"definitionProvider,omitempty"`
	ReferencesProvider     bool                  `json:"referencesProvider,omitempty"`
	DeclarationProvider    bool                  `json:"declarationProvider,omitempty"`
	ImplementationProvider bool                  `json:"implementationProvider,omitempty"`
	InlayHintProvider      any                   `json:"inlayHintProvider,omitempty"`
	CodeLensProvider       any                   `json:"codeLensProvider,omitempty"`
	CodeActionProvider     any                   `json:"codeActionProvider,omitempty"`
	CompletionProvider     any                   `json:"completionProvider,omitempty"`
	ExecuteCommandProvider any                   `json:"executeCommandProvider,omitempty"`
	Workspace              WorkspaceCapabilities `json:"workspace"`
}

// WorkspaceCapabilities are the server's capabilities that aren't about a single document.
type WorkspaceCapabilities struct {
	WorkspaceFolders    WorkspaceFoldersCapabilities `json:"workspaceFolders"`
	TextDocumentContent *TextDocumentContentOptions  `json:"textDocumentContent,omitempty"`
}

// WorkspaceFoldersCapabilities state whether the server supports several folders, and wants to know
// when they change.
type WorkspaceFoldersCapabilities struct {
	Supported           bool `json:"supported"`
	ChangeNotifications bool `json:"changeNotifications"`
}

// DidChangeWorkspaceFoldersParams are the folders that were opened and closed.
type DidChangeWorkspaceFoldersParams struct {
	Event struct{ Added, Removed []WorkspaceFolder }
}

// DidChangeConfigurationParams are the new settings, if the client sends them along.
type DidChangeConfigurationParams struct{ Settings json.RawMessage }

// ConfigurationParams are the parameters of workspace/configuration, which asks a client for
// settings.
type ConfigurationParams struct {
	Items []ConfigurationItem `json:"items"`
}

// A ConfigurationItem names a section of the settings.
type ConfigurationItem struct {
	Section string `json:"section"`
}

// RegistrationParams are the parameters of client/registerCapability.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// A Registration names a method that a client is asked to send.
type Registration struct {
	ID              string `json:"id"`
	Method          string `json:"method"`
	RegisterOptions any    `json:"registerOptions,omitempty"`
}

// DidChangeWatchedFilesRegistrationOptions list the files that a client watches.
type DidChangeWatchedFilesRegistrationOptions struct {
	Watchers []FileSystemWatcher `json:"watchers"`
}

// A FileSystemWatcher watches the files that a pattern matches.
type FileSystemWatcher struct {
	GlobPattern string `json:"globPattern"`
}

// ShowMessageParams are a message for the user.
type ShowMessageParams struct {
	Type    MessageType `json:"type"`
	Message string      `json:"message"`
}

// ShowMessageRequestParams are a message for the user, who answers with one of some actions.
type ShowMessageRequestParams struct {
	Type    MessageType     `json:"type"`
	Message string          `json:"message"`
	Actions []MessageAction `json:"actions"`
}

// A MessageAction is an answer of the user, which is nil if the user doesn't answer.
type MessageAction struct {
	Title string `json:"title"`
}

// A MessageType is how urgent a message is.
type MessageType int

// The message types that the server uses.
const (
	MessageError MessageType = 1
	MessageInfo  MessageType = 3
)

// CancelParams name a request that the client no longer needs an answer to. An ID is a number
// or a string.
type CancelParams struct{ ID json.RawMessage }

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
	Context struct{ IncludeDeclaration bool }
}

// A TextDocumentIdentifier names a document.
type TextDocumentIdentifier struct {
	URI DocumentURI `json:"uri"`
}

// TextDocumentParams are the parameters that all requests about a document have.
type TextDocumentParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// Document returns the document that a request is about.
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
type DidOpenTextDocumentParams struct{ TextDocument TextDocumentItem }

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
type FileEvent struct{ URI DocumentURI }

// DidChangeWatchedFilesParams report changes to files that the client watches.
type DidChangeWatchedFilesParams struct{ Changes []FileEvent }

// CodeActionParams are the parameters of textDocument/codeAction.
type CodeActionParams struct {
	TextDocumentRangeParams
	Context CodeActionContext `json:"context"`
}

// A CodeActionContext describes which actions a client wants.
type CodeActionContext struct {
	Diagnostics []Diagnostic          `json:"diagnostics"`
	Only        []CodeActionKind      `json:"only,omitempty"` // empty for all kinds
	TriggerKind CodeActionTriggerKind `json:"triggerKind,omitempty"`
}

// A CodeActionTriggerKind distinguishes the user's requests for actions from the client's own.
type CodeActionTriggerKind int

// ActionsAutomatic is the kind of the client's own requests.
const ActionsAutomatic CodeActionTriggerKind = 2

// A CodeActionKind is a path of names separated by dots, from general to specific.
type CodeActionKind string

// A CodeAction is a change that the user can choose. One with Data gets its edit when the
// client resolves it.
type CodeAction struct {
	Title       string              `json:"title"`
	Kind        CodeActionKind      `json:"kind,omitempty"`
	Diagnostics []Diagnostic        `json:"diagnostics,omitempty"`
	IsPreferred bool                `json:"isPreferred,omitempty"`
	Disabled    *CodeActionDisabled `json:"disabled,omitempty"`
	Edit        *WorkspaceEdit      `json:"edit,omitempty"`
	Command     *Command            `json:"command,omitempty"`
	Data        json.RawMessage     `json:"data,omitempty"`
}

// CodeActionDisabled is the reason why the user can't choose an action.
type CodeActionDisabled struct {
	Reason string `json:"reason"`
}

// CodeActionOptions are the server's capabilities for code actions.
type CodeActionOptions struct {
	CodeActionKinds []CodeActionKind `json:"codeActionKinds"`
	ResolveProvider bool             `json:"resolveProvider"`
}

// A WorkspaceEdit edits documents. It has either Changes or DocumentChanges.
type WorkspaceEdit struct {
	Changes         map[DocumentURI][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []DocumentChange           `json:"documentChanges,omitempty"`
}

// A DocumentChange edits one version of a document, or creates an empty file.
type DocumentChange struct {
	Kind         string                                  `json:"kind,omitempty"` // CreateFile, or empty for an edit
	URI          DocumentURI                             `json:"uri,omitempty"`  // of the new file
	TextDocument OptionalVersionedTextDocumentIdentifier `json:"textDocument,omitzero"`
	Edits        []TextEdit                              `json:"edits,omitempty"`
}

// CreateFile is the kind of a change that creates a file, and what clients call it that can do so.
const CreateFile = "create"

// An OptionalVersionedTextDocumentIdentifier names a document, and its version if it is open.
type OptionalVersionedTextDocumentIdentifier struct {
	URI     DocumentURI `json:"uri"`
	Version *int32      `json:"version"`
}

// ExecuteCommandParams are the parameters of workspace/executeCommand.
type ExecuteCommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// ExecuteCommandOptions name the commands of the server.
type ExecuteCommandOptions struct {
	Commands []string `json:"commands"`
}

// ShowDocumentParams ask the client to show a document. It selects Selection, if there is one.
type ShowDocumentParams struct {
	URI       DocumentURI `json:"uri"`
	TakeFocus bool        `json:"takeFocus,omitempty"`
	Selection *Range      `json:"selection,omitempty"`
}

// A CompletionList is the result of textDocument/completion.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// A CompletionItem is one suggestion.
type CompletionItem struct {
	Label            string             `json:"label"`
	Kind             CompletionItemKind `json:"kind,omitempty"`
	Detail           string             `json:"detail,omitempty"`
	Documentation    *MarkupContent     `json:"documentation,omitempty"`
	SortText         string             `json:"sortText,omitempty"`
	FilterText       string             `json:"filterText,omitempty"`
	InsertTextFormat InsertTextFormat   `json:"insertTextFormat,omitempty"`
	InsertTextMode   InsertTextMode     `json:"insertTextMode,omitempty"`
	TextEdit         *TextEdit          `json:"textEdit,omitempty"`
}

// A CompletionItemKind chooses the icon of an item.
type CompletionItemKind int

// The kinds that the server uses.
const (
	CompleteClass     CompletionItemKind = 7
	CompleteProperty  CompletionItemKind = 10
	CompleteSnippet   CompletionItemKind = 15
	CompleteReference CompletionItemKind = 18
)

// An InsertTextFormat distinguishes plain texts from snippets, which have placeholders.
type InsertTextFormat int

// The formats.
const (
	InsertPlain InsertTextFormat = iota + 1
	InsertSnippet
)

// An InsertTextMode controls whether a client adjusts the indentation of a text.
type InsertTextMode int

// InsertAsIs inserts a text unchanged.
const InsertAsIs InsertTextMode = 1

// CompletionOptions are the server's capabilities for completion.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters,omitempty"`
}

// A Diagnostic is a problem in a range of a document.
type Diagnostic struct {
	Range              Range                          `json:"range"`
	Severity           DiagnosticSeverity             `json:"severity,omitempty"`
	Code               string                         `json:"code,omitempty"`
	CodeDescription    *CodeDescription               `json:"codeDescription,omitempty"`
	Source             string                         `json:"source,omitempty"`
	Message            string                         `json:"message"`
	Tags               []DiagnosticTag                `json:"tags,omitempty"`
	RelatedInformation []DiagnosticRelatedInformation `json:"relatedInformation,omitempty"`
}

// A DiagnosticSeverity is how serious a diagnostic is.
type DiagnosticSeverity int

// The severities.
const (
	SeverityError DiagnosticSeverity = iota + 1
	SeverityWarning
	SeverityInformation
	SeverityHint
)

// A DiagnosticTag controls how a client may draw the range of a diagnostic.
type DiagnosticTag int

// The tags. Clients fade out unnecessary code and strike through deprecated code.
const (
	TagUnnecessary DiagnosticTag = iota + 1
	TagDeprecated
)

// A CodeDescription links to the documentation of a code.
type CodeDescription struct {
	Href string `json:"href"`
}

// A DiagnosticRelatedInformation is another location that a diagnostic mentions.
type DiagnosticRelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// PublishDiagnosticsParams replace all earlier diagnostics of a document.
type PublishDiagnosticsParams struct {
	URI         DocumentURI  `json:"uri"`
	Version     *int32       `json:"version,omitempty"` // of an open document
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// DocumentDiagnosticParams are the parameters of textDocument/diagnostic.
type DocumentDiagnosticParams struct {
	TextDocumentParams
	PreviousResultID string `json:"previousResultId,omitempty"`
}

// A DocumentDiagnosticReport holds the diagnostics of a document, or states that they are the same
// as in an earlier report.
type DocumentDiagnosticReport struct {
	Kind             DocumentDiagnosticReportKind             `json:"kind"`
	ResultID         string                                   `json:"resultId,omitempty"`
	Items            *[]Diagnostic                            `json:"items,omitempty"` // of a full report
	RelatedDocuments map[DocumentURI]DocumentDiagnosticReport `json:"relatedDocuments,omitempty"`
}

// A DocumentDiagnosticReportKind distinguishes reports with and without items.
type DocumentDiagnosticReportKind string

// The kinds of reports.
const (
	FullReport      DocumentDiagnosticReportKind = "full"
	UnchangedReport DocumentDiagnosticReportKind = "unchanged"
)

// DiagnosticOptions are the server's capabilities for pull diagnostics.
type DiagnosticOptions struct {
	Identifier            string `json:"identifier,omitempty"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

// WorkspaceDiagnosticParams are the parameters of workspace/diagnostic, with the results that the
// client has already.
type WorkspaceDiagnosticParams struct {
	PreviousResultIDs  []PreviousResultID `json:"previousResultIds"`
	PartialResultToken any                `json:"partialResultToken,omitempty"`
}

// A PreviousResultID names the result that a client has for a document.
type PreviousResultID struct {
	URI   DocumentURI `json:"uri"`
	Value string      `json:"value"`
}

// A WorkspaceDiagnosticReport holds the diagnostics of documents, open or not.
type WorkspaceDiagnosticReport struct {
	Items []WorkspaceDocumentDiagnosticReport `json:"items"`
}

// A WorkspaceDocumentDiagnosticReport is a DocumentDiagnosticReport that names its document.
type WorkspaceDocumentDiagnosticReport struct {
	DocumentDiagnosticReport
	URI     DocumentURI `json:"uri"`
	Version *int32      `json:"version"` // null if it isn't open
}

// The requests about effective configurations are the server's own, except
// workspace/textDocumentContent, which is from LSP 3.18.

// EffectiveScheme is the URI scheme of documents that show an effective configuration.
const EffectiveScheme = "tofumerge"

// EffectiveParams ask for the effective configuration of the module of a document.
type EffectiveParams struct {
	TextDocumentParams
	// Position selects an item of the document. The result locates that item in the effective
	// configuration.
	Position *Position `json:"position,omitempty"`
	EffectiveOptions
}

// EffectiveOptions control how an effective configuration is written.
type EffectiveOptions struct {
	Format string `json:"format,omitempty"` // native (the default) or json
	// Annotate adds comments that describe the effects of overrides; the default is true.
	Annotate *bool `json:"annotate,omitempty"`
	// File asks for the document alone with the overrides merged in, in its own layout and
	// without added comments, for comparison with it.
	File bool `json:"file,omitempty"`
}

// An EffectiveResult is the effective configuration of a module.
type EffectiveResult struct {
	URI     DocumentURI `json:"uri"` // for workspace/textDocumentContent
	Content string      `json:"content"`
	// Range is where Content has the item at EffectiveParams.Position, if it has it.
	Range *Range `json:"range,omitempty"`
}

// EffectiveChangedParams report that an effective configuration may have changed.
type EffectiveChangedParams struct {
	// Directory is the module's. Clients ask again for every document of it that they show.
	Directory DocumentURI `json:"directory"`
}

// TextDocumentContentParams are the parameters of workspace/textDocumentContent, which asks
// for the text of a virtual document.
type TextDocumentContentParams struct {
	URI DocumentURI `json:"uri"`
}

// Document returns the URI of a file in the directory of the module whose effective configuration the virtual
// document shows. The file need not exist: it only tells the directory.
func (p TextDocumentContentParams) Document() DocumentURI {
	uri, _, _ := strings.Cut(string(p.URI), "?")
	return DocumentURI("file" + strings.TrimPrefix(uri, EffectiveScheme))
}

// A TextDocumentContentResult is the text of a virtual document.
type TextDocumentContentResult struct {
	Text string `json:"text"`
}

// TextDocumentContentOptions name the URI schemes of the server's virtual documents.
type TextDocumentContentOptions struct {
	Schemes []string `json:"schemes"`
}

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

// An InlayHint is text that an editor shows within a line and that isn't part of the document.
type InlayHint struct {
	Position    Position             `json:"position"`
	Label       []InlayHintLabelPart `json:"label"`
	Tooltip     string               `json:"tooltip,omitempty"`
	PaddingLeft bool                 `json:"paddingLeft,omitempty"`
}

// An InlayHintLabelPart is a part of a hint's text. A part with a Location is a link.
type InlayHintLabelPart struct {
	Value    string    `json:"value"`
	Location *Location `json:"location,omitempty"`
}

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

// A ProgressToken names an operation whose progress the server wants to show.
type ProgressToken struct {
	Token string `json:"token"`
}

// ProgressParams report the progress of an operation.
type ProgressParams struct {
	Token string           `json:"token"`
	Value WorkDoneProgress `json:"value"`
}

// WorkDoneProgress reports the beginning or the end of an operation that may take long.
type WorkDoneProgress struct {
	Kind  string `json:"kind"` // begin or end
	Title string `json:"title,omitempty"`
}

// PartialResultParams hold a part of the answer to a request.
type PartialResultParams struct {
	Token any `json:"token"` // a number or a string, from the request
	Value any `json:"value"`
}
