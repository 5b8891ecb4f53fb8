package proxy

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/transport"
)

// A peer is one of the three programs that the proxy talks to: the editor or a server. The mutex
// of the proxy guards its maps.
type peer struct {
	proxy  *proxy
	name   string
	stream *transport.Stream
	next   int64
	// calls are the requests that the proxy sent and that have no answer yet.
	calls map[string]func(message)
	// asked are the peer's requests without an answer so far.
	asked map[string]*exchange
	isEnd bool // no more answers come
}

// cancelled is the error of a request whose answer is no longer wanted.
const cancelled = "the request was cancelled"

// maxPending is how many requests of one peer may wait for their answers.
const maxPending = 1000

func (p *proxy) newPeer(name string, stream *transport.Stream) *peer {
	return &peer{proxy: p, name: name, stream: stream, calls: map[string]func(message){}, asked: map[string]*exchange{}}
}

// send sends a message. It doesn't block. An error shows where the stream is read.
func (x *peer) send(m message) {
	m.Version = "2.0"
	_ = x.stream.WriteObject(m)
}

func (x *peer) notify(method string, params json.RawMessage) {
	x.send(message{Method: method, Params: params})
}

// call sends a request. done is called once: with the answer, or with the error that the peer has
// ended or that the request was dropped.
func (x *peer) call(method string, params json.RawMessage, done func(message)) (id string) {
	x.proxy.mutex.Lock()
	x.next++
	id = strconv.FormatInt(x.next, 10)
	isEnd := x.isEnd
	if !isEnd {
		x.calls[id] = done
	}
	x.proxy.mutex.Unlock()
	if isEnd {
		done(failure(protocol.CodeRequestFailed, x.name+" has ended"))
		return id
	}
	x.send(message{ID: json.RawMessage(id), Method: method, Params: params})
	return id
}

// drop ends a request with an error, and notifies the peer that its answer isn't needed.
func (x *peer) drop(id string) {
	if x.answered(id, failure(protocol.CodeRequestCancelled, cancelled)) {
		x.notify("$/cancelRequest", encoded(map[string]any{"id": json.RawMessage(id)}))
	}
}

// answered passes an answer to the call that waits for it; false if none does, as for a late answer.
func (x *peer) answered(id string, m message) bool {
	x.proxy.mutex.Lock()
	done := x.calls[id]
	delete(x.calls, id)
	x.proxy.mutex.Unlock()
	if done != nil {
		done(m)
	}
	return done != nil
}

// end fails the requests that wait for the peer, and withdraws its own.
func (x *peer) end() {
	x.proxy.mutex.Lock()
	calls, asked := x.calls, x.asked
	x.calls, x.asked, x.isEnd = nil, nil, true
	x.proxy.mutex.Unlock()
	for _, done := range calls {
		done(failure(protocol.CodeRequestFailed, x.name+" has ended"))
	}
	for _, e := range asked {
		e.cancel()
	}
}

// read hands each message of a peer to a function, until the stream ends. It calls before for each,
// which may wait until the message can be passed on.
func (x *peer) read(before func(), take func(message)) error {
	for {
		var m message
		if err := x.stream.ReadObject(&m); err != nil {
			return err
		}
		before()
		if m.Method == "" {
			x.answered(string(m.ID), m)
			continue
		}
		take(m)
	}
}

// An exchange is a request of one peer that others answer.
type exchange struct {
	from   *peer
	id     json.RawMessage
	method string
	isDone bool
	drops  []func() // withdraw the requests made because of it
	begun  time.Time
}

// exchange accepts a request; nil if it refused it, since too many of its peer wait.
func (x *peer) exchange(m message) *exchange {
	e := &exchange{from: x, id: m.ID, method: m.Method, begun: time.Now()}
	x.proxy.mutex.Lock()
	isFull := len(x.asked) >= maxPending
	if !isFull && !x.isEnd {
		x.asked[string(m.ID)] = e
	}
	x.proxy.mutex.Unlock()
	if isFull {
		refused := failure(protocol.CodeServerCancelled, "too many requests wait for an answer")
		refused.ID = m.ID
		x.send(refused)
		return nil
	}
	return e
}

// call sends a peer a request because of the exchange.
func (e *exchange) call(x *peer, method string, params json.RawMessage, done func(message)) {
	id := x.call(method, params, done)
	e.from.proxy.mutex.Lock()
	defer e.from.proxy.mutex.Unlock()
	e.drops = append(e.drops, func() { x.drop(id) })
}

// reply answers the request, unless it has its answer.
func (e *exchange) reply(m message) {
	e.from.proxy.mutex.Lock()
	wasDone := e.isDone
	e.isDone = true
	if e.from.asked[string(e.id)] == e {
		delete(e.from.asked, string(e.id))
	}
	e.from.proxy.mutex.Unlock()
	if wasDone {
		return
	}
	e.from.send(message{ID: e.id, Result: m.Result, Error: m.Error})
	e.from.proxy.trace("%.200s: %v", e.method, time.Since(e.begun).Round(time.Microsecond))
}

// cancel answers the request with the error that it was cancelled, at once: whether the others
// stop working on it is up to them.
func (e *exchange) cancel() {
	e.reply(failure(protocol.CodeRequestCancelled, cancelled))
	e.from.proxy.mutex.Lock()
	drops := e.drops
	e.from.proxy.mutex.Unlock()
	for _, drop := range drops {
		drop()
	}
}

// cancelled handles a $/cancelRequest of the peer.
func (x *peer) cancelled(params json.RawMessage) {
	id := objectOf(params)["id"]
	x.proxy.mutex.Lock()
	e := x.asked[string(id)]
	x.proxy.mutex.Unlock()
	if e != nil {
		e.cancel()
	}
}

// forward passes a request on, and its answer back.
func (x *peer) forward(to *peer, m message) {
	if e := x.exchange(m); e != nil {
		e.call(to, m.Method, m.Params, e.reply)
	}
}
