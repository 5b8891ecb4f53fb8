package lsptest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Position is a point in a document.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range is a range of a document.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a range of a named document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// An Edit replaces a range of a document, or the whole document if there is no range.
type Edit struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// A Document is an open document.
type Document struct {
	URI     string
	Version int
	Text    string
	shown   int // the version that the last published diagnostics were about
}

// URI returns the file URI of a path.
func URI(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// splitLines splits a text after each line end: \n, \r\n or \r. A text that ends with one has an empty last line.
func splitLines(text string) []string {
	var lines []string
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			lines = append(lines, text[from:i+1])
			from = i + 1
		}
	}
	return append(lines, text[from:])
}

// width returns how long a text is in the units of a position encoding: utf-8, utf-32 or else utf-16.
func width(text, encoding string) int {
	switch encoding {
	case "utf-8":
		return len(text)
	case "utf-32":
		return utf8.RuneCountInString(text)
	}
	return len(utf16.Encode([]rune(text)))
}

// PositionOf returns the position of an offset in a text.
func PositionOf(text string, at int, encoding string) Position {
	lines := splitLines(text[:at])
	last := len(lines) - 1
	return Position{Line: last, Character: width(lines[last], encoding)}
}

// offsetOf returns the offset of a position in a text. A position behind the end of a line is moved to
// that end, and one behind the end of the text to the end of the text.
func offsetOf(text string, p Position, encoding string) int {
	lines := splitLines(text)
	if p.Line >= len(lines) {
		return len(text)
	}
	return len(strings.Join(lines[:p.Line], "")) + offsetInLine(lines[p.Line], p.Character, encoding)
}

// offsetInLine returns the offset in bytes of a character, which counts in units of the encoding, in a line. One
// behind the end of the line is moved to that end, and one inside a character to its start.
func offsetInLine(line string, character int, encoding string) (at int) {
	units := 0
	for _, r := range strings.TrimRight(line, "\r\n") {
		if units += width(string(r), encoding); units > character {
			break
		}
		at += utf8.RuneLen(r)
	}
	return at
}

// hasRange reports whether a range is valid in the document: its ends exist, are in order and don't split a
// character.
func (d *Document) hasRange(r Range, encoding string) bool {
	lines := splitLines(d.Text)
	exists := func(p Position) bool {
		if p.Line >= len(lines) {
			return false
		}
		before := lines[p.Line][:offsetInLine(lines[p.Line], p.Character, encoding)]
		return p.Character == width(before, encoding) // it isn't if offsetInLine has moved an invalid position
	}
	isInOrder := cmp.Or(cmp.Compare(r.Start.Line, r.End.Line), cmp.Compare(r.Start.Character, r.End.Character)) <= 0
	return exists(r.Start) && exists(r.End) && isInOrder
}

// Open opens a document. Its text may differ from the file's.
func (c *Client) Open(path, text string) *Document { return c.OpenAs(path, text, 1) }

// OpenAs is Open with a version other than 1.
func (c *Client) OpenAs(path, text string, version int) *Document {
	doc := &Document{URI: URI(path), Version: version, Text: text}
	c.mutex.Lock()
	c.documents[doc.URI] = doc
	c.mutex.Unlock()
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": doc.URI, "languageId": "terraform", "version": doc.Version, "text": text,
	}})
	return doc
}

// Change edits a document. Each edit applies to the result of its predecessor.
func (c *Client) Change(doc *Document, edits ...Edit) {
	text := doc.Text
	for _, e := range edits {
		if e.Range == nil {
			text = e.Text
			continue
		}
		from, to := offsetOf(text, e.Range.Start, c.Encoding), offsetOf(text, e.Range.End, c.Encoding)
		text = text[:from] + e.Text + text[to:]
	}
	c.sendChange(doc, text, edits)
}

// Replace replaces the bytes between two offsets of a document. The offsets must not split a
// character.
func (c *Client) Replace(doc *Document, from, to int, text string) {
	r := Range{PositionOf(doc.Text, from, c.Encoding), PositionOf(doc.Text, to, c.Encoding)}
	c.sendChange(doc, doc.Text[:from]+text+doc.Text[to:], []Edit{{Range: &r, Text: text}})
}

// sendChange gives a document its next version with a text, and sends the edits that make it of the last one.
func (c *Client) sendChange(doc *Document, text string, edits []Edit) {
	c.mutex.Lock()
	doc.Text = text
	doc.Version++
	version := doc.Version
	c.mutex.Unlock()
	c.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": doc.URI, "version": version},
		"contentChanges": edits,
	})
}

// Close closes a document.
func (c *Client) Close(doc *Document) {
	c.mutex.Lock()
	delete(c.documents, doc.URI)
	c.mutex.Unlock()
	c.Notify("textDocument/didClose", docParams(doc.URI))
}

// Save notifies the server that a document was saved.
func (c *Client) Save(doc *Document) { c.Notify("textDocument/didSave", docParams(doc.URI)) }

// The kinds of changes that Watched reports.
const (
	Created = iota + 1
	Changed
	Deleted
)

// Watched notifies the server that a file on disk changed.
func (c *Client) Watched(path string, kind int) {
	c.Notify("workspace/didChangeWatchedFiles", map[string]any{
		"changes": []any{map[string]any{"uri": URI(path), "type": kind}},
	})
}

// docParams returns the parameters of a request about a document.
func docParams(uri string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}}
}

// At returns the parameters of a request about a position.
func At(uri string, p Position) map[string]any {
	params := docParams(uri)
	params["position"] = p
	return params
}

// In returns the parameters of a request about a range.
func In(uri string, r Range) map[string]any {
	params := docParams(uri)
	params["range"] = r
	return params
}

// A report is the answer to a request for diagnostics.
type report struct {
	Kind    string
	Items   []Diagnostic
	Related map[string]report `json:"relatedDocuments"`
}

// Pull asks for the diagnostics of all open documents. It returns them, together with those
// that the server added for related documents, by URI.
func (c *Client) Pull() (map[string][]Diagnostic, error) {
	c.mutex.Lock()
	uris := slices.Sorted(maps.Keys(c.documents))
	c.mutex.Unlock()
	all := map[string][]Diagnostic{}
	for _, uri := range uris {
		var r report
		if err := c.Try("textDocument/diagnostic", docParams(uri), &r); err != nil {
			return nil, err
		}
		if r.Kind != "full" {
			return nil, fmt.Errorf("a report of kind %q, although the request named no earlier one", r.Kind)
		}
		all[uri] = r.Items
		for other, related := range r.Related {
			if related.Kind == "full" && all[other] == nil {
				all[other] = related.Items
			}
		}
	}
	return all, nil
}

// A WorkspaceEdit edits documents.
type WorkspaceEdit struct {
	DocumentChanges []DocumentEdit
}

// A DocumentEdit edits one version of a document.
type DocumentEdit struct {
	TextDocument struct {
		URI     string
		Version *int
	}
	Edits []TextEdit
}

// A TextEdit replaces a range of a document. All edits of a DocumentEdit are about the same
// text.
type TextEdit struct {
	Range   Range
	NewText string
}

// Apply applies the server's edits of open documents. It complains about edits that an editor
// would refuse: of another version, outside the text, or overlapping.
func (c *Client) Apply(e WorkspaceEdit) {
	for _, change := range e.DocumentChanges {
		c.mutex.Lock()
		doc := c.documents[change.TextDocument.URI]
		if doc == nil {
			c.mutex.Unlock()
			continue
		}
		edits := c.sequentialEditsLocked(doc, change)
		c.mutex.Unlock()
		c.Change(doc, edits...)
	}
}

// sequentialEditsLocked turns the edits of change, which are all about the document's text, into edits that apply one
// after the other: from the end of the text, so that none moves the next one. It complains about invalid ones. The
// caller holds the mutex.
func (c *Client) sequentialEditsLocked(doc *Document, change DocumentEdit) (edits []Edit) {
	if v := change.TextDocument.Version; v == nil {
		c.complainLocked("an edit of the open document %s without a version", doc.URI)
	} else if *v != doc.Version {
		c.complainLocked("an edit of %s for version %d; the document is at version %d", doc.URI, *v, doc.Version)
	}
	offset := func(p Position) int { return offsetOf(doc.Text, p, c.Encoding) }
	list := slices.Clone(change.Edits)
	slices.Reverse(list) // of insertions at one position, the last one goes in first
	slices.SortStableFunc(list, func(a, b TextEdit) int { return offset(b.Range.Start) - offset(a.Range.Start) })
	end := len(doc.Text)
	for _, e := range list {
		if !doc.hasRange(e.Range, c.Encoding) || offset(e.Range.End) > end {
			c.complainLocked("an edit of %s at %+v is outside the text or overlaps another: %+v", doc.URI, e.Range, list)
		}
		end = offset(e.Range.Start)
		edits = append(edits, Edit{Range: &e.Range, Text: e.NewText})
	}
	return edits
}

// WaitFor waits for the diagnostics of a document's current version.
func (c *Client) WaitFor(doc *Document) []Diagnostic {
	c.tb.Helper()
	c.Wait("diagnostics of "+doc.URI, func(published map[string]Published) bool {
		p := published[doc.URI]
		return p.Version != nil && *p.Version == doc.Version
	})
	return c.Published()[doc.URI].Diagnostics
}

// A result is the newest result that a client has for a document.
type result struct {
	id    string
	items []Diagnostic
}

// PullWorkspace asks for the diagnostics of the whole workspace, and returns them by URI. It tells the server which
// results the client has, so that unchanged ones aren't sent again. With a token, it asks for partial results.
// Reports that contradict the protocol are errors.
func (c *Client) PullWorkspace(token any) (map[string][]Diagnostic, error) {
	c.mutex.Lock()
	previous := []map[string]string{}
	for uri, r := range c.results {
		previous = append(previous, map[string]string{"uri": uri, "value": r.id})
	}
	c.parts = nil
	c.mutex.Unlock()
	params := map[string]any{"previousResultIds": previous}
	if token != nil {
		params["partialResultToken"] = token
	}
	var last workspaceReport
	if err := c.Try("workspace/diagnostic", params, &last); err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.results == nil {
		c.results = map[string]result{}
	}
	// With a token, all items must come as partial results; without one, all in the answer.
	if token == nil && len(c.parts) > 0 || token != nil && len(last.Items) > 0 {
		return nil, fmt.Errorf("with token %v: %d partial results, and %d items in the answer", token, len(c.parts), len(last.Items))
	}
	isReported := map[string]bool{}
	for _, part := range append(c.parts, last) {
		for _, item := range part.Items {
			earlier, isKnown := c.results[item.URI]
			switch {
			case isReported[item.URI]:
				return nil, fmt.Errorf("two reports on %s", item.URI)
			case item.Kind == "full":
				c.results[item.URI] = result{item.ResultID, item.Items}
			case !isKnown || earlier.id != item.ResultID: // unchanged since a result that the client doesn't have
				return nil, fmt.Errorf("a report of kind %q on %s, but the client's result is %q", item.Kind, item.URI, earlier.id)
			}
			isReported[item.URI] = true
		}
	}
	all := map[string][]Diagnostic{}
	for uri, r := range c.results {
		if !isReported[uri] {
			return nil, fmt.Errorf("no report on %s, for which the client has a result", uri)
		}
		all[uri] = r.items
	}
	return all, nil
}

type workspaceReport struct {
	Items []struct {
		Kind     string
		ResultID string
		URI      string
		Items    []Diagnostic
	}
}

// storePart stores a partial result of PullWorkspace.
func (c *Client) storePart(params json.RawMessage) {
	var p struct{ Value workspaceReport }
	if json.Unmarshal(params, &p) != nil || p.Value.Items == nil {
		return // the progress of something else
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.parts = append(c.parts, p.Value)
}

// WaitForRefresh waits until the server has asked the client to ask for diagnostics again.
func (c *Client) WaitForRefresh() {
	c.tb.Helper()
	c.Wait("workspace/diagnostic/refresh", func(map[string]Published) bool { return c.refreshes > 0 })
}
