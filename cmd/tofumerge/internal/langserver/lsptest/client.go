// Package lsptest is a language client for tests: it keeps documents and diagnostics as an editor
// does, and records the server's mistakes.
//
// It shares no code with the server. It has its own framing and its own position arithmetic, so
// that a bug of the server isn't hidden by the same bug here.
package lsptest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"strconv"
	"sync"
	"testing"
	"time"
)

// patience is how long a client waits for the server's messages.
const patience = 2 * time.Minute

// A Client is connected to one server.
type Client struct {
	tb testing.TB

	writing sync.Mutex
	in      io.WriteCloser

	mutex     sync.Mutex
	changed   *sync.Cond // wakes those that wait for a message; it uses mutex, which guards the fields below
	nextID    int
	pending   map[string]chan Message // by the id of a request, the channel for its answer
	documents map[string]*Document
	published map[string]Published
	results   map[string]result // of PullWorkspace, by URI
	parts     []workspaceReport // of the answer that is awaited
	refreshes int               // requests to ask for diagnostics again
	wrong     []string          // the server's mistakes so far
	readErr   error             // why reading ended; nil before

	// Encoding is the position encoding: utf-8, utf-16 or utf-32.
	Encoding string
	// Server is the server's answer to initialize.
	Server struct {
		Capabilities map[string]json.RawMessage
		ServerInfo   struct{ Name, Version string }
	}
}

// A Message is a JSON-RPC message.
type Message struct {
	JSONRPC string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id,omitempty"`
	Method  string           `json:"method,omitempty"`
	Params  json.RawMessage  `json:"params,omitempty"`
	Result  json.RawMessage  `json:"result,omitempty"`
	Error   *Error           `json:"error,omitempty"`
}

// An Error is the server's answer to a request that failed.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// Published is the last that the server published about a document.
type Published struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// A Diagnostic is a problem in a document.
type Diagnostic struct {
	Range    Range           `json:"range"`
	Severity int             `json:"severity"`
	Code     string          `json:"code"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Tags     []int           `json:"tags,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
	Related  []struct {
		Location Location `json:"location"`
		Message  string   `json:"message"`
	} `json:"relatedInformation,omitempty"`
}

// Connect makes a client of a server that reads from in and writes to out. When the test
// ends, it closes the connection and fails the test if the server did anything wrong.
func Connect(tb testing.TB, in io.WriteCloser, out io.Reader) *Client {
	c := &Client{
		tb: tb, in: in, Encoding: "utf-16",
		pending: map[string]chan Message{}, documents: map[string]*Document{},
		published: map[string]Published{},
	}
	c.changed = sync.NewCond(&c.mutex)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.read(bufio.NewReader(out))
	}()
	tb.Cleanup(func() {
		c.in.Close()
		select {
		case <-done:
		case <-time.After(patience):
			tb.Error("the server did not end")
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for _, w := range c.wrong {
			tb.Error(w)
		}
	})
	return c
}

// read handles the server's messages until the connection ends.
func (c *Client) read(out *bufio.Reader) {
	for {
		body, err := readFrame(out)
		if err != nil {
			c.endReading(err)
			return
		}
		var m Message
		if err := json.Unmarshal(body, &m); err != nil || m.JSONRPC != "2.0" {
			c.complain("not a JSON-RPC message: %.200s", body)
			continue
		}
		c.handleMessage(m)
	}
}

// readFrame reads the body of the next message.
func readFrame(out *bufio.Reader) ([]byte, error) {
	header, err := textproto.NewReader(out).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	body := make([]byte, n)
	_, err = io.ReadFull(out, body)
	return body, err
}

// endReading records why the connection ended, and fails the requests that wait for an answer.
func (c *Client) endReading(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.readErr = err
	for id, reply := range c.pending {
		close(reply)
		delete(c.pending, id)
	}
	c.changed.Broadcast()
}

// complain records a mistake of the server, for which the test fails at its end.
func (c *Client) complain(format string, args ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.complainLocked(format, args...)
}

// complainLocked is complain for a caller that holds the mutex. It keeps only the first mistakes.
func (c *Client) complainLocked(format string, args ...any) {
	if len(c.wrong) < 20 {
		c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
	}
}

// handleMessage handles a message as an editor does: it answers requests, and records answers, diagnostics and
// partial results.
func (c *Client) handleMessage(m Message) {
	switch {
	case m.Method == "":
		c.passAnswer(m)
		return
	case m.Method == "textDocument/publishDiagnostics":
		c.storePublished(m.Params)
	case m.Method == "$/progress":
		c.storePart(m.Params)
	case m.ID != nil:
		var result any
		if m.Method == "workspace/configuration" {
			var p struct{ Items []any }
			_ = json.Unmarshal(m.Params, &p)
			result = make([]any, len(p.Items)) // null for each: the client has no settings
		}
		// Sending must not block reading: the server may not read before this client does.
		go c.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if m.Method == "workspace/diagnostic/refresh" {
		c.refreshes++
	}
	c.changed.Broadcast()
}

// passAnswer passes an answer on to the request that waits for it.
func (c *Client) passAnswer(m Message) {
	if m.ID == nil || string(*m.ID) == "null" {
		return // the answer to something that isn't a message
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	waiting, ok := c.pending[string(*m.ID)]
	if !ok {
		c.complainLocked("an answer to request %s, which wasn't sent or has an answer already", *m.ID)
		return
	}
	delete(c.pending, string(*m.ID))
	waiting <- m
}

// storePublished stores published diagnostics. It checks that their version isn't older than the last one or newer
// than the document's, and that the document has their ranges.
func (c *Client) storePublished(params json.RawMessage) {
	var p Published
	if err := json.Unmarshal(params, &p); err != nil {
		c.complain("%v: %.200s", err, params)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if p.Diagnostics == nil {
		c.complainLocked("diagnostics without a list: %s", params)
	}
	if doc := c.documents[p.URI]; doc != nil && p.Version != nil {
		if *p.Version > doc.Version || *p.Version < doc.shown {
			c.complainLocked("diagnostics for version %d of %s; the document is at version %d, the diagnostics before were for %d",
				*p.Version, p.URI, doc.Version, doc.shown)
		}
		doc.shown = *p.Version
		if *p.Version == doc.Version { // doc.Text is the text that the ranges are about
			for _, d := range p.Diagnostics {
				if !doc.hasRange(d.Range, c.Encoding) {
					c.complainLocked("%s has no range %+v, where %q is reported", p.URI, d.Range, d.Message)
				}
			}
		}
	}
	c.published[p.URI] = p
	c.changed.Broadcast()
}

// errGone is the error of a request to which the server never answered, because it ended.
var errGone = errors.New("the server ended")

// Start sends a request and returns its id. wait waits for the answer and decodes it into result, unless that is nil.
func (c *Client) Start(method string, params any) (id int, wait func(result any) error) {
	answer := make(chan Message, 1)
	c.mutex.Lock()
	c.nextID++
	id = c.nextID
	if c.readErr != nil {
		close(answer)
	} else {
		c.pending[strconv.Itoa(id)] = answer
	}
	c.mutex.Unlock()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return id, func(result any) error {
		select {
		case m, ok := <-answer:
			switch {
			case !ok:
				return errGone
			case m.Error != nil:
				return m.Error
			case result != nil:
				return json.Unmarshal(m.Result, result)
			}
			return nil
		case <-time.After(patience):
			return fmt.Errorf("no answer to %s", method)
		}
	}
}

// Try sends a request, waits for the answer and decodes it into result.
func (c *Client) Try(method string, params, result any) error {
	_, wait := c.Start(method, params)
	return wait(result)
}

// Call is Try, but it fails the test on an error.
func (c *Client) Call(method string, params, result any) {
	c.tb.Helper()
	if err := c.Try(method, params, result); err != nil {
		c.tb.Fatalf("%s %+v: %v", method, params, err)
	}
}

// Notify sends a notification.
func (c *Client) Notify(method string, params any) {
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Cancel notifies the server that the answer to a request is no longer needed.
func (c *Client) Cancel(id int) { c.Notify("$/cancelRequest", map[string]any{"id": id}) }

// send writes a message to the server. Several goroutines may call it.
func (c *Client) send(message any) {
	body, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	// An error shows elsewhere: if the server has ended, requests fail with errGone.
	_, _ = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// Published returns the last published diagnostics of each document, by URI.
func (c *Client) Published() map[string]Published {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return maps.Clone(c.published)
}

// Wait waits until isSo returns true. It calls isSo after each message, and fails the test if
// that takes too long.
func (c *Client) Wait(what string, isSo func(published map[string]Published) bool) {
	c.tb.Helper()
	if err := c.WaitAtMost(patience, isSo); err != nil {
		c.tb.Fatalf("waited for %s: %v\npublished: %.2000s", what, err, fmt.Sprintf("%+v", c.Published()))
	}
}

// WaitAtMost is Wait with its own time limit and an error instead of a failed test.
func (c *Client) WaitAtMost(limit time.Duration, isSo func(published map[string]Published) bool) error {
	isLate := false
	deadline := time.AfterFunc(limit, func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		isLate = true
		c.changed.Broadcast()
	})
	defer deadline.Stop()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for !isSo(c.published) {
		switch {
		case c.readErr != nil:
			return fmt.Errorf("%w: %w", errGone, c.readErr)
		case isLate:
			return fmt.Errorf("it took longer than %v", limit)
		}
		c.changed.Wait()
	}
	return nil
}

// Capabilities returns the capabilities of an editor that supports everything the server can do.
func Capabilities(encodings ...string) map[string]any {
	refresh := map[string]any{"refreshSupport": true}
	dynamic := map[string]any{"dynamicRegistration": true}
	return map[string]any{
		"general": map[string]any{"positionEncodings": encodings},
		"window":  map[string]any{"workDoneProgress": true, "showDocument": map[string]any{"support": true}},
		"workspace": map[string]any{
			"applyEdit": true, "workspaceFolders": true, "configuration": true,
			"workspaceEdit":          map[string]any{"documentChanges": true},
			"didChangeConfiguration": dynamic, "didChangeWatchedFiles": dynamic,
			"codeLens": refresh, "inlayHint": refresh, "diagnostics": refresh,
		},
		"textDocument": map[string]any{
			"synchronization":    map[string]any{"didSave": true},
			"publishDiagnostics": map[string]any{"versionSupport": true, "relatedInformation": true, "codeDescriptionSupport": true, "dataSupport": true, "tagSupport": map[string]any{"valueSet": []int{1, 2}}},
			"diagnostic":         map[string]any{"dynamicRegistration": false, "relatedDocumentSupport": true},
			"hover":              map[string]any{"contentFormat": []string{"markdown", "plaintext"}},
			"definition":         map[string]any{"linkSupport": true},
			"inlayHint":          map[string]any{"resolveSupport": map[string]any{"properties": []string{"tooltip"}}},
			"codeLens":           map[string]any{},
			"references":         map[string]any{},
			"completion":         map[string]any{"completionItem": map[string]any{"snippetSupport": true, "documentationFormat": []string{"markdown"}}},
			"codeAction": map[string]any{
				"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{"quickfix", "refactor", "source", "source.fixAll"}}},
				"dataSupport":              true, "resolveSupport": map[string]any{"properties": []string{"edit"}}, "isPreferredSupport": true,
			},
		},
	}
}

// Initialize starts a session with directories as workspace folders. encodings are the position encodings that the
// client offers. Without any, it doesn't mention them, which means utf-16.
func (c *Client) Initialize(dirs []string, encodings ...string) {
	c.tb.Helper()
	capabilities := Capabilities(encodings...)
	if len(encodings) == 0 {
		delete(capabilities, "general")
	}
	c.InitializeWith(dirs, capabilities, nil)
}

// InitializeWith is Initialize with the given capabilities and initialization options.
func (c *Client) InitializeWith(dirs []string, capabilities map[string]any, options any) {
	c.tb.Helper()
	folders := []any{}
	for _, dir := range dirs {
		folders = append(folders, map[string]any{"uri": URI(dir), "name": dir})
	}
	params := map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": capabilities, "workspaceFolders": folders,
		"clientInfo": map[string]any{"name": "lsptest"}, "initializationOptions": options,
	}
	if len(dirs) > 0 {
		params["rootUri"] = URI(dirs[0])
	}
	c.Call("initialize", params, &c.Server)
	var encoding string
	_ = json.Unmarshal(c.Server.Capabilities["positionEncoding"], &encoding)
	if encoding != "" {
		c.Encoding = encoding
	}
	c.Notify("initialized", map[string]any{})
}

// Shutdown ends the session as an editor does, and waits until the server has ended.
func (c *Client) Shutdown() {
	c.tb.Helper()
	c.Call("shutdown", nil, nil)
	c.Notify("exit", nil)
	c.Wait("the end", func(map[string]Published) bool { return c.readErr != nil })
}
