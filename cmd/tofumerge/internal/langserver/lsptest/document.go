package lsptest

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Position is a point of a document.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range is a stretch of a document.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a stretch of a named document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// An Edit replaces a stretch of a document, or all of it.
type Edit struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// A Document is one that is open.
type Document struct {
	URI     string
	Version int
	Text    string
	shown   int // version of the diagnostics that came last
}

// URI is how a client names a path.
func URI(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// splitLines splits a text behind its line ends.
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

// width is how many code units a text has.
func width(text, encoding string) int {
	switch encoding {
	case "utf-8":
		return len(text)
	case "utf-32":
		return utf8.RuneCountInString(text)
	}
	return len(utf16.Encode([]rune(text)))
}

// PositionOf is where a byte of a text is.
func PositionOf(text string, at int, encoding string) Position {
	lines := splitLines(text[:at])
	last := len(lines) - 1
	return Position{Line: last, Character: width(lines[last], encoding)}
}

// offsetOf is the byte at a position, which an editor would have had in the text.
func offsetOf(text string, p Position, encoding string) int {
	lines := splitLines(text)
	if p.Line >= len(lines) {
		return len(text)
	}
	at := len(strings.Join(lines[:p.Line], ""))
	units := 0
	for _, r := range strings.TrimRight(lines[p.Line], "\r\n") {
		if units += width(string(r), encoding); units > p.Character {
			break
		}
		at += utf8.RuneLen(r)
	}
	return at
}

// holds reports whether a range is one of the document: its ends are between characters,
// in order.
func (d *Document) holds(r Range, encoding string) bool {
	return d.hasPoint(r.Start, encoding) && d.hasPoint(r.End, encoding) &&
		offsetOf(d.Text, r.Start, encoding) <= offsetOf(d.Text, r.End, encoding)
}

func (d *Document) hasPoint(p Position, encoding string) bool {
	lines := splitLines(d.Text)
	return p.Line < len(lines) && PositionOf(d.Text, offsetOf(d.Text, p, encoding), encoding) == p
}

// Open opens a document, the text of which need not be that on disk.
func (c *Client) Open(path, text string) *Document { return c.OpenAs(path, text, 1) }

// OpenAs is Open with a version.
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

// Change edits a document, each edit being about what the one before made.
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
	c.set(doc, text, edits)
}

// Replace exchanges the bytes between two offsets of a document, which are between
// characters.
func (c *Client) Replace(doc *Document, from, to int, text string) {
	r := Range{PositionOf(doc.Text, from, c.Encoding), PositionOf(doc.Text, to, c.Encoding)}
	c.set(doc, doc.Text[:from]+text+doc.Text[to:], []Edit{{Range: &r, Text: text}})
}

func (c *Client) set(doc *Document, text string, edits []Edit) {
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
	c.Notify("textDocument/didClose", of(doc.URI))
}

// Save says that a document was saved.
func (c *Client) Save(doc *Document) { c.Notify("textDocument/didSave", of(doc.URI)) }

// The kinds of changes of files.
const (
	Created = iota + 1
	Changed
	Deleted
)

// Watched says what became of a file on the disk.
func (c *Client) Watched(path string, kind int) {
	c.Notify("workspace/didChangeWatchedFiles", map[string]any{
		"changes": []any{map[string]any{"uri": URI(path), "type": kind}},
	})
}

// of are the parameters of what is about a document.
func of(uri string) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}}
}

// At are the parameters of what is about a point of a document.
func At(uri string, p Position) map[string]any {
	params := of(uri)
	params["position"] = p
	return params
}

// In are the parameters of what is about a stretch of a document.
func In(uri string, r Range) map[string]any {
	params := of(uri)
	params["range"] = r
	return params
}

// A report is the answer to a request for diagnostics.
type report struct {
	Kind    string
	Items   []Diagnostic
	Related map[string]report `json:"relatedDocuments"`
}

// Pull asks for the diagnostics of all open documents, and returns them with those that
// came of others, by document.
func (c *Client) Pull() (map[string][]Diagnostic, error) {
	c.mutex.Lock()
	uris := slices.Sorted(maps.Keys(c.documents))
	c.mutex.Unlock()
	all := map[string][]Diagnostic{}
	for _, uri := range uris {
		var r report
		if err := c.Try("textDocument/diagnostic", of(uri), &r); err != nil {
			return nil, err
		}
		if r.Kind != "full" {
			return nil, fmt.Errorf("a report of kind %q, and no earlier one was named", r.Kind)
		}
		all[uri] = r.Items
		for other, r := range r.Related {
			if r.Kind == "full" && all[other] == nil {
				all[other] = r.Items
			}
		}
	}
	return all, nil
}

// A WorkspaceEdit changes documents.
type WorkspaceEdit struct {
	DocumentChanges []struct {
		TextDocument struct {
			URI     string
			Version *int
		}
		Edits []struct {
			Range   Range
			NewText string
		}
	}
}

// Apply makes a change that the server asks for, as far as it is of open documents. What no
// editor would do is noted: edits of another version, at places that are not there, or that
// overlap.
func (c *Client) Apply(e WorkspaceEdit) {
	for _, change := range e.DocumentChanges {
		c.mutex.Lock()
		doc := c.documents[change.TextDocument.URI]
		if doc == nil {
			c.mutex.Unlock()
			continue
		}
		if v := change.TextDocument.Version; v == nil || *v != doc.Version {
			c.complainLocked("an edit of version %v of %s, which is at %d", v, doc.URI, doc.Version)
		}
		text := doc.Text
		var edits []Edit
		end := len(text)
		slices.Reverse(change.Edits) // from the end, so that no place moves
		slices.SortStableFunc(change.Edits, func(a, b struct {
			Range   Range
			NewText string
		}) int {
			return offsetOf(text, b.Range.Start, c.Encoding) - offsetOf(text, a.Range.Start, c.Encoding)
		})
		for _, one := range change.Edits {
			from, to := offsetOf(text, one.Range.Start, c.Encoding), offsetOf(text, one.Range.End, c.Encoding)
			if !doc.holds(one.Range, c.Encoding) || to > end {
				c.complainLocked("an edit of %s at %+v, which is not there or was edited: %+v", doc.URI, one.Range, change.Edits)
			}
			end = from
			edits = append(edits, Edit{Range: &one.Range, Text: one.NewText})
		}
		c.mutex.Unlock()
		c.Change(doc, edits...)
	}
}

// WaitFor waits for the diagnostics of a document's present version.
func (c *Client) WaitFor(doc *Document) []Diagnostic {
	c.tb.Helper()
	c.Wait("diagnostics of "+doc.URI, func(published map[string]Published) bool {
		p := published[doc.URI]
		return p.Version != nil && *p.Version == doc.Version
	})
	return c.Published()[doc.URI].Diagnostics
}
