package proxy

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Requests of the editor.

// request passes a request to the server that answers it, or to both.
func (p *proxy) request(m message) {
	ours, theirs := p.audience(m)
	e := p.editor.exchange(m)
	switch {
	case e == nil:
	case m.Method == "workspace/executeCommand" && textOf(objectOf(m.Params)["command"]) == RunHidden:
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
		e.reply(failure(codeRequestFailed, p.Name+" is not running"))
		return
	}
	late := time.AfterFunc(p.times.answer, func() {
		p.logf("%s did not answer %.200s within %v", p.Name, m.Method, p.times.answer)
		e.reply(failure(codeRequestFailed, p.Name+" does not answer"))
		e.cancel()
	})
	row := methodOf(m.Method)
	e.call(theirs, m.Method, m.Params, func(answer message) {
		late.Stop()
		if row == nil || !row.isReport || answer.Error != nil {
			e.reply(answer)
			return
		}
		p.withoutFalse(m.Params, answer.Result, func(report json.RawMessage) { e.reply(message{Result: report}) })
	})
}

// A joint is the answer of both servers while it is put together.
type joint struct {
	proxy *proxy
	e     *exchange
	row   *method

	mutex        sync.Mutex
	ours, theirs *message
	isSettled    bool
}

// askBoth sends a request to both servers and merges their results.
func (p *proxy) askBoth(e *exchange, m message) {
	j := &joint{proxy: p, e: e, row: methodOf(m.Method)}
	theirs := p.running()
	if theirs == nil {
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
	e.call(theirs, m.Method, m.Params, func(answer message) {
		if !j.row.isReport || answer.Error != nil {
			j.take(nil, &answer)
			return
		}
		p.withoutFalse(m.Params, answer.Result, func(report json.RawMessage) { j.take(nil, &message{Result: report}) })
	})
	delete(params, "workDoneToken") // one of the two may report progress
	if params != nil {
		m.Params = encoded(params)
	}
	e.call(p.ours, m.Method, m.Params, func(answer message) { j.take(&answer, nil) })
}

// take takes the answer of one server. The editor gets this server's alone if the other one doesn't
// answer in time.
func (j *joint) take(ours, theirs *message) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if ours != nil {
		j.ours = ours
	}
	if theirs != nil {
		j.theirs = theirs
	}
	switch {
	case j.isSettled:
	case j.ours != nil && j.theirs != nil:
		j.settle()
	case j.ours != nil:
		time.AfterFunc(j.proxy.times.merge, j.giveUp)
	}
}

// giveUp answers without the other server.
func (j *joint) giveUp() {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.isSettled {
		return
	}
	j.proxy.logf("%s did not answer %s within %v; the answer is without it", j.proxy.Name, j.row.name, j.proxy.times.merge)
	j.theirs = &message{Result: null}
	j.settle()
	j.e.cancel()
}

// settle answers the request. The joint is locked.
func (j *joint) settle() {
	j.isSettled = true
	a, b := j.ours, j.theirs
	switch {
	case a.Error != nil && (b.Error != nil || a.code() == codeContentModified):
		j.e.reply(*a)
		return
	case a.Error != nil:
		j.e.reply(*b)
		return
	case b.Error != nil:
		j.proxy.trace("%s: %.200s: %.1000s", j.proxy.Name, j.row.name, b.Error)
		b = &message{Result: null}
	}
	switch {
	case isEmpty(b.Result) && !j.row.marks:
		j.e.reply(*a)
	case isEmpty(a.Result):
		j.e.reply(*b)
	default:
		j.e.reply(message{Result: j.row.merge(a.Result, b.Result)})
	}
}
