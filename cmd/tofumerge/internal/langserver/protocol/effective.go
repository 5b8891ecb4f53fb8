package protocol

import "strings"

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

// Document is a document in the directory of the module whose effective configuration the
// virtual document shows.
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
