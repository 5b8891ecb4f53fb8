package protocol

import "encoding/json"

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
	URI  DocumentURI `json:"uri"`
	Name string      `json:"name"`
}

// ClientCapabilities are the capabilities of a client that the server uses.
type ClientCapabilities struct {
	General struct {
		PositionEncodings []PositionEncodingKind `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
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
			DocumentChanges    bool     `json:"documentChanges"`
			ResourceOperations []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
		WorkspaceFolders       bool           `json:"workspaceFolders"`
		Configuration          bool           `json:"configuration"`
		DidChangeConfiguration Dynamic        `json:"didChangeConfiguration"`
		DidChangeWatchedFiles  Dynamic        `json:"didChangeWatchedFiles"`
		Diagnostics            RefreshSupport `json:"diagnostics"`
		CodeLens               RefreshSupport `json:"codeLens"`
		InlayHint              RefreshSupport `json:"inlayHint"`
	} `json:"workspace"`
	Window struct {
		WorkDoneProgress bool                `json:"workDoneProgress"`
		ShowDocument     ShowDocumentSupport `json:"showDocument"`
		ShowMessage      *struct{}           `json:"showMessage"`
	} `json:"window"`
}

// LinkSupport is set if a client accepts a LocationLink instead of a Location.
type LinkSupport struct {
	LinkSupport bool `json:"linkSupport"`
}

// Dynamic is set if the server may register for something after initialize.
type Dynamic struct {
	DynamicRegistration bool `json:"dynamicRegistration"`
}

// RefreshSupport is set if the server may make a client request something again.
type RefreshSupport struct {
	RefreshSupport bool `json:"refreshSupport"`
}

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

	HoverProvider             bool                  `json:"hoverProvider,omitempty"`
	DefinitionProvider        bool                  `json:"definitionProvider,omitempty"`
	ReferencesProvider        bool                  `json:"referencesProvider,omitempty"`
	DocumentHighlightProvider bool                  `json:"documentHighlightProvider,omitempty"`
	DeclarationProvider       bool                  `json:"declarationProvider,omitempty"`
	ImplementationProvider    bool                  `json:"implementationProvider,omitempty"`
	DocumentSymbolProvider    bool                  `json:"documentSymbolProvider,omitempty"`
	InlayHintProvider         any                   `json:"inlayHintProvider,omitempty"`
	CodeLensProvider          any                   `json:"codeLensProvider,omitempty"`
	CodeActionProvider        any                   `json:"codeActionProvider,omitempty"`
	CompletionProvider        any                   `json:"completionProvider,omitempty"`
	ExecuteCommandProvider    any                   `json:"executeCommandProvider,omitempty"`
	Workspace                 WorkspaceCapabilities `json:"workspace"`
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
	Event struct {
		Added   []WorkspaceFolder `json:"added"`
		Removed []WorkspaceFolder `json:"removed"`
	} `json:"event"`
}

// DidChangeConfigurationParams are the new settings, if the client sends them along.
type DidChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// ConfigurationParams are the parameters of workspace/configuration, which asks a client for
// settings.
type ConfigurationParams struct {
	Items []ConfigurationItem `json:"items"`
}

// A ConfigurationItem names a section of the settings.
type ConfigurationItem struct {
	ScopeURI DocumentURI `json:"scopeUri,omitempty"`
	Section  string      `json:"section"`
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

// The message types.
const (
	MessageError MessageType = iota + 1
	MessageWarning
	MessageInfo
	MessageLog
)

// CancelParams name a request that the client no longer needs an answer to. An ID is a number
// or a string.
type CancelParams struct {
	ID json.RawMessage `json:"id"`
}
