package protocol

import "encoding/json"

// InitializeParams are what a client says of itself.
type InitializeParams struct {
	ProcessID             *int               `json:"processId"`
	ClientInfo            *Info              `json:"clientInfo,omitempty"`
	RootPath              *string            `json:"rootPath,omitempty"`
	RootURI               *DocumentURI       `json:"rootUri"`
	WorkspaceFolders      []WorkspaceFolder  `json:"workspaceFolders,omitempty"`
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions,omitempty"`
	WorkDoneToken         any                `json:"workDoneToken,omitempty"`
}

// Info is the name and the version of a program.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// A WorkspaceFolder is a directory that a client works on.
type WorkspaceFolder struct {
	URI  DocumentURI `json:"uri"`
	Name string      `json:"name"`
}

// ClientCapabilities are what a client can do.
type ClientCapabilities struct {
	General struct {
		PositionEncodings []PositionEncodingKind `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		PublishDiagnostics struct {
			RelatedInformation     bool `json:"relatedInformation"`
			VersionSupport         bool `json:"versionSupport"`
			CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
			DataSupport            bool `json:"dataSupport"`
		} `json:"publishDiagnostics"`
		Diagnostic *struct {
			DynamicRegistration    bool `json:"dynamicRegistration"`
			RelatedDocumentSupport bool `json:"relatedDocumentSupport"`
		} `json:"diagnostic"`
		Hover struct {
			ContentFormat []MarkupKind `json:"contentFormat"`
		} `json:"hover"`
		Definition     LinkSupport `json:"definition"`
		Declaration    LinkSupport `json:"declaration"`
		Implementation LinkSupport `json:"implementation"`
		SemanticTokens *struct{}   `json:"semanticTokens"`
		CodeAction     struct {
			DataSupport     bool `json:"dataSupport"`
			DisabledSupport bool `json:"disabledSupport"`
			ResolveSupport  struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"codeAction"`
		Completion struct {
			CompletionItem struct {
				SnippetSupport bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
	} `json:"textDocument"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
		WorkspaceFolders       bool           `json:"workspaceFolders"`
		Configuration          bool           `json:"configuration"`
		DidChangeConfiguration Dynamic        `json:"didChangeConfiguration"`
		DidChangeWatchedFiles  Dynamic        `json:"didChangeWatchedFiles"`
		Diagnostics            RefreshSupport `json:"diagnostics"`
		CodeLens               RefreshSupport `json:"codeLens"`
		InlayHint              RefreshSupport `json:"inlayHint"`
		SemanticTokens         RefreshSupport `json:"semanticTokens"`
	} `json:"workspace"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
	} `json:"window"`
}

// LinkSupport says whether a client takes links instead of places.
type LinkSupport struct {
	LinkSupport bool `json:"linkSupport"`
}

// Dynamic says whether a client can be asked later for something.
type Dynamic struct {
	DynamicRegistration bool `json:"dynamicRegistration"`
}

// RefreshSupport says whether a client can be told to ask again for something.
type RefreshSupport struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// InitializeResult is what the server says of itself.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   Info               `json:"serverInfo"`
}

// ServerCapabilities are what the server can do.
type ServerCapabilities struct {
	PositionEncoding   PositionEncodingKind    `json:"positionEncoding"`
	TextDocumentSync   TextDocumentSyncOptions `json:"textDocumentSync"`
	DiagnosticProvider *DiagnosticOptions      `json:"diagnosticProvider,omitempty"`

	HoverProvider             bool                  `json:"hoverProvider,omitempty"`
	DefinitionProvider        bool                  `json:"definitionProvider,omitempty"`
	ReferencesProvider        bool                  `json:"referencesProvider,omitempty"`
	DocumentHighlightProvider bool                  `json:"documentHighlightProvider,omitempty"`
	DeclarationProvider       bool                  `json:"declarationProvider,omitempty"`
	ImplementationProvider    bool                  `json:"implementationProvider,omitempty"`
	DocumentLinkProvider      any                   `json:"documentLinkProvider,omitempty"`
	InlayHintProvider         any                   `json:"inlayHintProvider,omitempty"`
	CodeLensProvider          any                   `json:"codeLensProvider,omitempty"`
	CodeActionProvider        any                   `json:"codeActionProvider,omitempty"`
	SemanticTokensProvider    any                   `json:"semanticTokensProvider,omitempty"`
	CompletionProvider        any                   `json:"completionProvider,omitempty"`
	ExecuteCommandProvider    any                   `json:"executeCommandProvider,omitempty"`
	Workspace                 WorkspaceCapabilities `json:"workspace"`
}

// WorkspaceCapabilities are what the server can do with folders.
type WorkspaceCapabilities struct {
	WorkspaceFolders    WorkspaceFoldersCapabilities `json:"workspaceFolders"`
	TextDocumentContent *TextDocumentContentOptions  `json:"textDocumentContent,omitempty"`
}

// WorkspaceFoldersCapabilities say that a client may have several folders.
type WorkspaceFoldersCapabilities struct {
	Supported           bool `json:"supported"`
	ChangeNotifications bool `json:"changeNotifications"`
}

// DidChangeWorkspaceFoldersParams are folders that came or went.
type DidChangeWorkspaceFoldersParams struct {
	Event struct {
		Added   []WorkspaceFolder `json:"added"`
		Removed []WorkspaceFolder `json:"removed"`
	} `json:"event"`
}

// DidChangeConfigurationParams are settings, if the client sends them.
type DidChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// ConfigurationParams ask a client for settings.
type ConfigurationParams struct {
	Items []ConfigurationItem `json:"items"`
}

// A ConfigurationItem names settings.
type ConfigurationItem struct {
	ScopeURI DocumentURI `json:"scopeUri,omitempty"`
	Section  string      `json:"section"`
}

// RegistrationParams ask a client to send more.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// A Registration names a method that a client is asked to send.
type Registration struct {
	ID              string `json:"id"`
	Method          string `json:"method"`
	RegisterOptions any    `json:"registerOptions,omitempty"`
}

// DidChangeWatchedFilesRegistrationOptions say which files a client watches.
type DidChangeWatchedFilesRegistrationOptions struct {
	Watchers []FileSystemWatcher `json:"watchers"`
}

// A FileSystemWatcher watches the files that a pattern matches.
type FileSystemWatcher struct {
	GlobPattern string `json:"globPattern"`
}

// ShowMessageParams are a message for people.
type ShowMessageParams struct {
	Type    MessageType `json:"type"`
	Message string      `json:"message"`
}

// A MessageType says how urgent a message is.
type MessageType int

// The types.
const (
	MessageError MessageType = iota + 1
	MessageWarning
	MessageInfo
	MessageLog
)

// CancelParams name a request that nobody waits for any more, by its number or text.
type CancelParams struct {
	ID json.RawMessage `json:"id"`
}
