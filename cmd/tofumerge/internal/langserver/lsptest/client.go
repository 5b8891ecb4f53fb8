// Package lsptest is a client of the language server, for tests: it keeps documents and
// diagnostics as an editor does, and notes what no server may do.
//
// It shares no code with the server. What is on the wire is read and written anew here, and
// so are positions, so that a mistake is not made twice.
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

// patience is how long a client waits for what must come.
const patience = 60 * time.Second

// A Client is connected to one server.
type Client struct {
	tb testing.TB

	writing sync.Mutex
	in      io.WriteCloser

	mutex     sync.Mutex
	changed   *sync.Cond
	nextID    int
	pending   map[string]chan Message
	documents map[string]*Document
	published map[string]Published
	asked     map[string]int // requests and notifications of the server, by method
	wrong     []string
	gone      error // why nothing is read any more

	// Encoding is what positions count: utf-8, utf-16 or utf-32.
	Encoding string
	// Server is what the server said of itself.
	Server struct {
		Capabilities map[string]json.RawMessage
		ServerInfo   struct{ Name, Version string }
	}
	// Answer, if set, answers requests of the server that it returns true for.
	Answer func(method string, params json.RawMessage) (result any, ok bool)
	// Seen, if set, is called with the diagnostics of each document as they come.
	Seen func(uri string, p Published)
}

// A Message is one of JSON-RPC.
type Message struct {
	JSONRPC string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id,omitempty"`
	Method  string           `json:"method,omitempty"`
	Params  json.RawMessage  `json:"params,omitempty"`
	Result  json.RawMessage  `json:"result,omitempty"`
	Error   *Error           `json:"error,omitempty"`
}

// An Error is the answer to a request that failed.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// Published is what a server sent last about a document.
type Published struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// A Diagnostic is something wrong with a document.
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

// Connect makes a client of a server that reads and writes these. When the test ends, so
// does the connection, and all that the server did wrong is reported.
func Connect(tb testing.TB, in io.WriteCloser, out io.Reader) *Client {
	c := &Client{
		tb: tb, in: in, Encoding: "utf-16",
		pending: map[string]chan Message{}, documents: map[string]*Document{},
		published: map[string]Published{}, asked: map[string]int{},
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
		for _, w := range c.Wrong() {
			tb.Error(w)
		}
	})
	return c
}

// Wrong lists what the server did wrong so far.
func (c *Client) Wrong() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return append([]string(nil), c.wrong...)
}

// read takes up messages until there are no more.
func (c *Client) read(out *bufio.Reader) {
	for {
		body, err := readFrame(out)
		if err != nil {
			c.end(err)
			return
		}
		var m Message
		if err := json.Unmarshal(body, &m); err != nil || m.JSONRPC != "2.0" {
			c.complain("no message: %.200s", body)
			continue
		}
		c.take(m)
	}
}

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

// end notes that nothing comes any more.
func (c *Client) end(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.gone = err
	for id, reply := range c.pending {
		close(reply)
		delete(c.pending, id)
	}
	c.changed.Broadcast()
}

func (c *Client) complain(format string, args ...any) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.complainLocked(format, args...)
}

func (c *Client) complainLocked(format string, args ...any) {
	if len(c.wrong) < 20 {
		c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
	}
}

// take does what a message asks for.
func (c *Client) take(m Message) {
	switch {
	case m.Method == "":
		c.reply(m)
		return
	case m.Method == "textDocument/publishDiagnostics":
		c.publish(m.Params)
	case m.ID != nil:
		result, ok := any(nil), false
		if c.Answer != nil {
			result, ok = c.Answer(m.Method, m.Params)
		}
		if !ok && m.Method == "workspace/configuration" {
			var p struct{ Items []any }
			_ = json.Unmarshal(m.Params, &p)
			result = make([]any, len(p.Items))
		}
		// The pipe may be full until this client reads, so nothing may wait here.
		go c.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.asked[m.Method]++
	c.changed.Broadcast()
}

func (c *Client) reply(m Message) {
	if m.ID == nil || string(*m.ID) == "null" {
		return // the answer to something that is no message
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	waiting, ok := c.pending[string(*m.ID)]
	if !ok {
		c.complainLocked("an answer to %s, which nobody asked or which was answered", *m.ID)
		return
	}
	delete(c.pending, string(*m.ID))
	waiting <- m
}

// publish takes up diagnostics, and judges them by the document that they are about.
func (c *Client) publish(params json.RawMessage) {
	var p Published
	if err := json.Unmarshal(params, &p); err != nil {
		c.complain("%v: %.200s", err, params)
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if p.Diagnostics == nil {
		c.complainLocked("no list of diagnostics: %s", params)
	}
	if doc := c.documents[p.URI]; doc != nil && p.Version != nil {
		if *p.Version > doc.Version || *p.Version < doc.shown {
			c.complainLocked("diagnostics of version %d of %s, which is at %d and whose diagnostics were at %d",
				*p.Version, p.URI, doc.Version, doc.shown)
		}
		doc.shown = *p.Version
		if *p.Version == doc.Version {
			for _, d := range p.Diagnostics {
				if !doc.holds(d.Range, c.Encoding) {
					c.complainLocked("%s has no %+v, which is where %q is", p.URI, d.Range, d.Message)
				}
			}
		}
	}
	c.published[p.URI] = p
	if c.Seen != nil {
		c.Seen(p.URI, p)
	}
	c.changed.Broadcast()
}

// ErrGone is the answer to a request if the server ended instead.
var ErrGone = errors.New("the server ended")

// Start sends a request. What it returns waits for the answer.
func (c *Client) Start(method string, params any) (id int, wait func(result any) error) {
	answer := make(chan Message, 1)
	c.mutex.Lock()
	c.nextID++
	id = c.nextID
	if c.gone != nil {
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
				return ErrGone
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

// Try sends a request and waits for the answer.
func (c *Client) Try(method string, params, result any) error {
	_, wait := c.Start(method, params)
	return wait(result)
}

// Call is Try where nothing else than an answer will do.
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

// Cancel says that an answer is not needed.
func (c *Client) Cancel(id int) { c.Notify("$/cancelRequest", map[string]any{"id": id}) }

func (c *Client) send(message any) {
	body, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	c.Raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

// Raw sends bytes as they are.
func (c *Client) Raw(text string) {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, _ = io.WriteString(c.in, text) // a server that ended shows in what it does not answer
}

// Asked is how often the server has sent a request or notification.
func (c *Client) Asked(method string) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.asked[method]
}

// Published are the diagnostics of all documents as they are now.
func (c *Client) Published() map[string]Published {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return maps.Clone(c.published)
}

// Wait waits until something is so, which is looked at whenever a message came.
func (c *Client) Wait(what string, isSo func(published map[string]Published) bool) {
	c.tb.Helper()
	if err := c.WaitAtMost(patience, isSo); err != nil {
		c.tb.Fatalf("waited for %s: %v\npublished: %.2000s", what, err, fmt.Sprintf("%+v", c.Published()))
	}
}

// WaitAtMost is Wait for so long.
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
		case c.gone != nil:
			return fmt.Errorf("%w: %w", ErrGone, c.gone)
		case isLate:
			return errors.New("it took too long")
		}
		c.changed.Wait()
	}
	return nil
}
