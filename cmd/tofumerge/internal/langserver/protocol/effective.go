package protocol

import "strings"

// The requests about the effective configuration of a module are the server's own, but for
// workspace/textDocumentContent, which is of LSP 3.18.

// EffectiveScheme is that of the URIs of documents with effective configurations.
const EffectiveScheme = "tofumerge"

// EffectiveParams ask for the effective configuration of the module of a document.
type EffectiveParams struct {
	TextDocumentParams
	// Position is a place in the document, the item of which is to be found in the result.
	Position *Position `json:"position,omitempty"`
	EffectiveOptions
}

// EffectiveOptions say how an effective configuration is written.
type EffectiveOptions struct {
	Format string `json:"format,omitempty"` // native, which is the default, or json
	// Annotate has comments say what overrides did; the default is true.
	Annotate *bool `json:"annotate,omitempty"`
	// File asks for what becomes of the document alone, laid out as it is and without
	// comments, to be compared with it.
	File bool `json:"file,omitempty"`
}

// An EffectiveResult is the effective configuration of a module.
type EffectiveResult struct {
	URI     DocumentURI `json:"uri"` // under which it can be asked for again
	Content string      `json:"content"`
	// Range is where the item is that was asked about, if it is there.
	Range *Range `json:"range,omitempty"`
}

// EffectiveChangedParams say that an effective configuration may be another one now.
type EffectiveChangedParams struct {
	// Directory is that of the module. Clients ask again for all that they show of it.
	Directory DocumentURI `json:"directory"`
}

// TextDocumentContentParams ask for the text of a document that is no file.
type TextDocumentContentParams struct {
	URI DocumentURI `json:"uri"`
}

// Document is a document of the module that the effective configuration is of.
func (p TextDocumentContentParams) Document() DocumentURI {
	uri, _, _ := strings.Cut(string(p.URI), "?")
	return DocumentURI("file" + strings.TrimPrefix(uri, EffectiveScheme))
}

// A TextDocumentContentResult is the text of a document that is no file.
type TextDocumentContentResult struct {
	Text string `json:"text"`
}

// TextDocumentContentOptions say of which schemes the server has documents.
type TextDocumentContentOptions struct {
	Schemes []string `json:"schemes"`
}

// ExecuteCommandParams ask the server to run a command.
type ExecuteCommandParams struct {
	Command   string            `json:"command"`
	Arguments []EffectiveParams `json:"arguments,omitempty"`
}

// Document is the document that the command is about.
func (p ExecuteCommandParams) Document() DocumentURI {
	if len(p.Arguments) == 0 {
		return ""
	}
	return p.Arguments[0].TextDocument.URI
}

// ExecuteCommandOptions name the commands of the server.
type ExecuteCommandOptions struct {
	Commands []string `json:"commands"`
}
