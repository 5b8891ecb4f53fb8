package proxy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/document"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Notifications of the editor, and the documents that it has open: a server that is started again
// gets them from here.

// documents are those that the editor has open, guarded by the mutex of the proxy.
type documents struct {
	open   map[protocol.DocumentURI]*openDocument
	opened int
}

// An openDocument is open in the editor.
type openDocument struct {
	order    int // in which documents were opened
	language string
	version  int32
	text     *document.Text // nil if unknown: too large, or after invalid edits
}

// forBoth are notifications for both servers. Others are for the one whose method it is.
var forBoth = []string{
	"initialized", "exit", "$/setTrace", "window/workDoneProgress/cancel",
	"textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose",
	"workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders",
}

// notification passes a notification of the editor on.
func (p *proxy) notification(m message) {
	if m.Method == "textDocument/didChange" {
		p.outdate(uriOf(m.Params)) // before the other server can publish for the new text
	}
	isOurs := isOwn(m.Method) || slices.Contains(forBoth, m.Method)
	if !isOwn(m.Method) {
		p.tellTheirs(m)
	}
	if isOurs {
		p.ours.notify(m.Method, m.Params)
	}
	p.judgeAgainAfter(m)
}

// tellTheirs passes a notification to the other server, and records the state that it needs after a
// crash. The proxy is locked while it sends, so that a server that joins meanwhile misses nothing.
func (p *proxy) tellTheirs(m message) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	params, isWanted := m.Params, true
	switch m.Method {
	case "exit":
		p.isEnding = true
	case "workspace/didChangeConfiguration":
		p.settings = m.Params
	case "workspace/didChangeWorkspaceFolders":
		p.changeFolders(m.Params)
	case "textDocument/didOpen":
		isWanted = p.sync.OpenClose
		p.opens(m.Params)
	case "textDocument/didClose":
		isWanted = p.sync.OpenClose
		delete(p.open, uriOf(m.Params))
	case "textDocument/didSave":
		isWanted = p.sync.Save
	case "textDocument/didChange":
		params, isWanted = p.changes(m.Params)
	}
	if isWanted && p.theirs != nil {
		p.theirs.notify(m.Method, params)
	}
}

// uriOf is the document that parameters are about.
func uriOf(params json.RawMessage) protocol.DocumentURI {
	var about protocol.TextDocumentParams
	_ = json.Unmarshal(params, &about)
	return about.TextDocument.URI
}

// changeFolders records the folders that the editor opened and closed. The proxy is locked.
func (p *proxy) changeFolders(params json.RawMessage) {
	event := objectOf(objectOf(params)["event"])
	removed := listOf(event["removed"])
	p.folders = slices.DeleteFunc(slices.Clone(p.folders), func(f json.RawMessage) bool {
		return slices.ContainsFunc(removed, func(gone json.RawMessage) bool {
			return textOf(objectOf(gone)["uri"]) == textOf(objectOf(f)["uri"])
		})
	})
	p.folders = append(p.folders, listOf(event["added"])...)
	p.hasFolders = true
}

// opens records a document. The proxy is locked.
func (p *proxy) opens(params json.RawMessage) {
	var given protocol.DidOpenTextDocumentParams
	if json.Unmarshal(params, &given) != nil {
		return
	}
	p.opened++
	d := given.TextDocument
	doc := &openDocument{order: p.opened, language: d.LanguageID, version: d.Version}
	if int64(len(d.Text)) <= p.MaxFileSize {
		doc.text = document.New([]byte(d.Text))
	}
	p.open[d.URI] = doc
}

// changes records edits, and returns them as the other server wants them. The proxy is locked.
func (p *proxy) changes(params json.RawMessage) (changed json.RawMessage, isWanted bool) {
	var given protocol.DidChangeTextDocumentParams
	doc := p.open[uriOf(params)]
	if doc == nil || json.Unmarshal(params, &given) != nil {
		return params, p.sync.Change > 0
	}
	doc.version = given.TextDocument.Version
	if doc.text == nil && len(given.ContentChanges) > 0 && given.ContentChanges[0].Range == nil {
		doc.text = document.New(nil)
	}
	if doc.text != nil {
		doc.text, _ = doc.text.Apply(given.ContentChanges, protocol.PositionEncodingKind(p.encoding), p.MaxFileSize)
	}
	if p.sync.Change != protocol.SyncWhole {
		return params, p.sync.Change > 0
	}
	if doc.text == nil {
		return nil, false
	}
	given.ContentChanges = []protocol.TextDocumentContentChangeEvent{{Text: string(doc.text.Bytes())}}
	return encoded(given), true
}

// openAgain opens all documents in a server that was started again. The proxy is locked.
func (p *proxy) openAgain(x *peer) {
	var uris []protocol.DocumentURI
	for uri, doc := range p.open {
		if doc.text != nil && p.sync.OpenClose {
			uris = append(uris, uri)
		}
	}
	slices.SortFunc(uris, func(a, b protocol.DocumentURI) int { return p.open[a].order - p.open[b].order })
	for _, uri := range uris {
		doc := p.open[uri]
		x.notify("textDocument/didOpen", encoded(protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
			URI: uri, LanguageID: doc.language, Version: doc.version, Text: string(doc.text.Bytes()),
		}}))
	}
}

// judgeAgainAfter has diagnostics judged again if a notification may change what primary blocks
// hold.
func (p *proxy) judgeAgainAfter(m message) {
	switch {
	case m.Method == "workspace/didChangeWatchedFiles":
		p.judgeSoon("")
	case strings.HasPrefix(m.Method, "textDocument/did"):
		p.judgeSoon(uriOf(m.Params))
	}
}
