package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// The start and the end of a session, and of the other server in it.

// A session holds the state of the other server.
type session struct {
	process     *Process
	theirs      *peer // nil unless it is initialized and runs
	info        protocol.Info
	theirOffers object
	sync        protocol.TextDocumentSyncOptions // what it wants to know of documents
	known       []falseFinding
	registered  registrations
	encoding    string // of positions

	isJoined   bool // it took part in the session from the start
	starts     []time.Time
	hasFolders bool
	folders    []json.RawMessage
	settings   json.RawMessage // of the last didChangeConfiguration
}

// startsWithin is the period for the number of starts of the other server, to give up on one that
// keeps crashing.
const startsWithin = 3 * time.Minute

// running is the other server; nil if it doesn't run or isn't initialized.
func (p *proxy) running() *peer {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.theirs
}

// initialize starts the other server, then this one with the position encoding of the other one,
// and answers with what both can do.
func (p *proxy) initialize(m message) {
	e := p.editor.exchange(m)
	if e == nil {
		return
	}
	params := objectOf(m.Params)
	p.mutex.Lock()
	isFirst := p.params == nil && params != nil
	if isFirst {
		p.params = m.Params
		p.hasFolders = !isEmpty(params["workspaceFolders"])
		p.folders = listOf(params["workspaceFolders"])
	}
	p.mutex.Unlock()
	if !isFirst {
		e.call(p.ours, m.Method, m.Params, e.reply) // which reports the error
		return
	}
	go func() {
		result, err := p.startTheirs()
		if err != nil {
			p.show(protocol.MessageError, "%s: %v; the session goes on without it", p.Name, err)
		}
		p.initializeOurs(e, result)
	}()
}

// initializeOurs initializes this server. result is the other server's answer, or nil.
func (p *proxy) initializeOurs(e *exchange, result object) {
	theirOffers := objectOf(result["capabilities"])
	encoding := ""
	if result != nil {
		encoding = encodingOf(theirOffers)
	}
	e.call(p.ours, "initialize", p.paramsForOurs(encoding), func(answer message) {
		own := objectOf(answer.Result)
		if own == nil {
			e.reply(answer)
			return
		}
		offers := objectOf(own["capabilities"])
		p.mutex.Lock()
		p.ourOffers = offers
		p.mutex.Unlock()
		merged := object{}
		maps.Copy(merged, result)
		merged["serverInfo"] = own["serverInfo"]
		merged["capabilities"] = encoded(mergeOffers(offers, theirOffers))
		e.reply(success(merged))
	})
}

// encodingOf is the position encoding that a server chose.
func encodingOf(offers object) string {
	if kind := textOf(offers["positionEncoding"]); kind != "" {
		return kind
	}
	return string(protocol.UTF16)
}

// startTheirs starts and initializes the other server, and returns its answer. The error is for
// people.
func (p *proxy) startTheirs() (result object, err error) {
	process, err := p.Start()
	if err != nil {
		return nil, err
	}
	x := p.connect(process)
	p.mutex.Lock()
	p.starts = append(p.starts, time.Now())
	params := p.paramsForTheirs()
	p.mutex.Unlock()
	deadline := time.AfterFunc(p.times.start, process.Kill)
	ready := make(chan error, 1)
	x.call("initialize", params, func(answer message) { // joins at once, before the server can end
		result = objectOf(answer.Result)
		switch inTime := deadline.Stop(); {
		case !inTime:
			ready <- fmt.Errorf("it was not ready within %v", p.times.start)
		case result == nil:
			ready <- fmt.Errorf("it can't be initialized: %.1000s", answer.Error)
		case !p.join(x, process, result):
			ready <- errors.New("it counts positions differently than before")
		default:
			ready <- nil
		}
	})
	if err = <-ready; err != nil {
		process.Kill()
		return nil, err
	}
	return result, nil
}

// join makes an initialized server part of the session. It reports false if that is impossible.
// After a restart, the server gets the editor's messages since the start.
func (p *proxy) join(x *peer, process *Process, result object) bool {
	offers := objectOf(result["capabilities"])
	var info protocol.Info
	_ = json.Unmarshal(result["serverInfo"], &info)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.isEnding || p.isJoined && p.encoding != encodingOf(offers) {
		return false
	}
	isAgain := p.isJoined
	p.theirs, p.process, p.info, p.theirOffers, p.isJoined = x, process, info, offers, true
	p.encoding, p.sync, p.known = encodingOf(offers), syncOf(offers["textDocumentSync"]), knownFor(info)
	p.registered = registrations{}
	if len(p.known) == 0 {
		p.logf("nothing is known about %s %s: all of its diagnostics are shown", info.Name, info.Version)
	}
	if !isAgain {
		return true
	}
	x.notify("initialized", encoded(object{}))
	if p.settings != nil {
		x.notify("workspace/didChangeConfiguration", p.settings)
	}
	p.openAgain(x)
	return true
}

// theirsEnded handles the end of the other server. Unless the session ends too, it starts it
// again.
func (p *proxy) theirsEnded(x *peer, why string) {
	x.end()
	p.mutex.Lock()
	wasJoined := p.theirs == x
	if wasJoined {
		p.theirs = nil
	}
	registered, isEnding := p.registered, p.isEnding
	p.mutex.Unlock()
	if isEnding || !wasJoined {
		return
	}
	p.unregister(registered)
	p.forgetTheirs()
	p.logf("%s ended: %s", p.Name, why)
	p.startAgain()
}

// startAgain starts the other server again, after a pause that grows.
func (p *proxy) startAgain() {
	p.mutex.Lock()
	p.starts = slices.DeleteFunc(p.starts, func(at time.Time) bool { return time.Since(at) > startsWithin })
	often := len(p.starts)
	p.mutex.Unlock()
	if often >= p.times.starts {
		p.show(protocol.MessageError, "%s ended %d times within %v and is not started again; to try again, restart the server in the editor", p.Name, often, startsWithin)
		return
	}
	time.AfterFunc(p.times.again<<min(max(0, often-1), 5), func() {
		if p.ends() {
			return
		}
		switch _, err := p.startTheirs(); {
		case err == nil:
			p.logf("%s runs again", p.Name)
		case !p.ends():
			p.logf("%s can't be started again: %v", p.Name, err)
			p.mutex.Lock()
			p.starts = append(p.starts, time.Now()) // included even if no process was started
			p.mutex.Unlock()
			p.startAgain()
		}
	})
}

// ends reports whether the session is ending.
func (p *proxy) ends() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.isEnding
}

// shutdown shuts both servers down. The editor gets this server's answer, once the other one has
// answered or has had its time.
func (p *proxy) shutdown(m message) {
	e := p.editor.exchange(m)
	if e == nil {
		return
	}
	p.mutex.Lock()
	p.isEnding = true
	theirs := p.theirs
	p.mutex.Unlock()
	ended := make(chan message, 1)
	if theirs == nil {
		ended <- message{}
	} else {
		theirs.call(m.Method, m.Params, func(answer message) { ended <- answer })
	}
	e.call(p.ours, m.Method, m.Params, func(answer message) {
		go func() {
			select {
			case <-ended:
			case <-time.After(p.times.end):
			}
			e.reply(answer)
		}()
	})
}

// endTheirs ends the process of the other server, unless it ends in time on its own.
func (p *proxy) endTheirs() {
	p.mutex.Lock()
	p.isEnding = true
	process, theirs := p.process, p.theirs
	p.mutex.Unlock()
	if process == nil {
		return
	}
	if theirs != nil {
		_ = theirs.stream.Close()
	}
	_ = process.In.Close()
	select {
	case <-process.Ended:
	case <-time.After(p.times.end):
		process.Kill()
		<-process.Ended
	}
}
