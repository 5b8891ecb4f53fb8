package proxy

import (
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Requests of the editor.

// request passes a request to the server that answers it, or to both.
func (p *proxy) request(m message) {
	ours, theirs := p.audience(m)
	e := p.editor.exchange(m)
	switch {
	case e == nil:
	case m.Method == "workspace/executeCommand" && textOf(objectOf(m.Params)["command"]) == runHidden:
		e.reply(success(p.hidden()))
	case ours && theirs:
		p.askBoth(e, m)
	case ours:
		p.askOurs(e, m)
	default:
		p.askTheirs(e, m)
	}
}

// askOurs passes a request to this server.
func (p *proxy) askOurs(e *exchange, m message) {
	row := methodOf(m.Method)
	if isMarked(m.Params) {
		m.Params = unmarked(m.Params)
	}
	e.call(p.ours, m.Method, m.Params, func(answer message) {
		switch {
		case row != nil && row.marks && answer.Error == nil:
			answer.Result = row.merge(answer.Result, null)
		case row == nil && answer.code() == jsonrpc2.CodeMethodNotFound && objectOf(m.Params)["range"] != nil:
			answer = message{Result: m.Params} // an item that this server doesn't resolve is complete
		}
		e.reply(answer)
	})
}

// askTheirs passes a request to the other server. It answers with an error if that has no answer for
// a very long time.
func (p *proxy) askTheirs(e *exchange, m message) {
	theirs := p.running()
	if theirs == nil {
		e.reply(failure(protocol.CodeRequestFailed, p.Name+" is not running"))
		return
	}
	deadline := time.AfterFunc(p.times.answer, func() {
		p.logf("%s did not answer %.200s within %v", p.Name, m.Method, p.times.answer)
		e.reply(failure(protocol.CodeRequestFailed, p.Name+" does not answer"))
		e.cancel()
	})
	p.callTheirs(e, theirs, m, func(answer message) {
		deadline.Stop()
		e.reply(answer)
	})
}

// callTheirs sends a request to the other server. done gets the answer without false diagnostics,
// in another goroutine if it is a report of diagnostics.
func (p *proxy) callTheirs(e *exchange, theirs *peer, m message, done func(message)) {
	row := methodOf(m.Method)
	e.call(theirs, m.Method, m.Params, func(answer message) {
		if row == nil || !row.isReport || answer.Error != nil {
			done(answer)
			return
		}
		go func() { done(message{Result: p.withoutFalse(m.Params, answer.Result)}) }()
	})
}

// askBoth sends a request to both servers and merges their results. The editor gets this server's
// alone if the other one doesn't answer in time.
func (p *proxy) askBoth(e *exchange, m message) {
	row, other := methodOf(m.Method), p.running()
	if other == nil {
		p.askOurs(e, m)
		return
	}
	params := objectOf(m.Params)
	for _, token := range []string{"partialResultToken", "previousResultId"} {
		delete(params, token) // a part of a merged result, or an earlier one, is nothing that one server knows
	}
	if params["previousResultIds"] != nil {
		params["previousResultIds"] = encoded([]int{})
	}
	if params != nil {
		m.Params = encoded(params)
	}
	ours, theirs := make(chan message, 1), make(chan message, 1)
	p.callTheirs(e, other, m, func(answer message) { theirs <- answer })
	delete(params, "workDoneToken") // one of the two may report progress
	if params != nil {
		m.Params = encoded(params)
	}
	e.call(p.ours, m.Method, m.Params, func(answer message) { ours <- answer })
	go func() {
		own := <-ours
		select {
		case answer := <-theirs:
			e.reply(p.merged(row, own, answer))
		case <-time.After(p.times.merge):
			p.logf("%s did not answer %s within %v; the answer is without it", p.Name, row.name, p.times.merge)
			e.reply(p.merged(row, own, message{Result: null}))
			e.cancel()
		}
	}()
}

// merged is one answer to a request that both servers answered. An error counts only if the other
// answer is an error, too, or if the document has changed.
func (p *proxy) merged(row *method, ours, theirs message) message {
	switch {
	case ours.Error != nil && (theirs.Error != nil || ours.code() == protocol.CodeContentModified):
		return ours
	case ours.Error != nil:
		return theirs
	case theirs.Error != nil:
		p.trace("%s: %.200s: %.1000s", p.Name, row.name, theirs.Error)
		theirs = message{Result: null}
	}
	switch {
	case isEmpty(theirs.Result) && !row.marks:
		return ours
	case isEmpty(ours.Result):
		return theirs
	}
	return message{Result: row.merge(ours.Result, theirs.Result)}
}
