package proxy

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Diagnostics that the servers publish. An editor keeps one list for each document, so the lists of
// both servers become one.

const publishMethod = "textDocument/publishDiagnostics"

// maxKept is how many bytes of diagnostics are kept. Those of further documents are passed on
// unmerged, as if the other server had none.
const maxKept = 64 << 20

// shownDiagnostics are the diagnostics of all documents, by path, or by URI if it isn't a file's.
type shownDiagnostics struct {
	byDocument map[string]*documentDiagnostics
	kept       int // bytes
	// stale are the documents that the editor opened, edited or saved: the false diagnostics of
	// other documents in their directories may have changed.
	stale map[protocol.DocumentURI]bool
	timer *time.Timer
}

// documentDiagnostics are the diagnostics of one document.
type documentDiagnostics struct {
	uri          protocol.DocumentURI
	ours, theirs diagnosticList // theirs as they are shown
	raw          diagnosticList // theirs, with those that are hidden
	hidden       []json.RawMessage
	state        int // number of lists of theirs so far
	// isOutdated is set if the document was edited since the other server published.
	isOutdated bool
}

// A diagnosticList is a list for a version of a document.
type diagnosticList struct {
	version json.RawMessage // null if unknown
	items   []json.RawMessage
}

// keyOf is what two spellings of one URI have in common.
func keyOf(uri protocol.DocumentURI) string {
	if path, isFile := view.PathOf(uri); isFile {
		return path
	}
	return string(uri)
}

// published decodes what a server published.
func published(params json.RawMessage) (uri protocol.DocumentURI, list diagnosticList) {
	o := objectOf(params)
	return protocol.DocumentURI(textOf(o["uri"])), diagnosticList{o["version"], listOf(o["diagnostics"])}
}

func (l *diagnosticList) size() (n int) {
	for _, v := range l.items {
		n += len(v)
	}
	return n
}

// about returns the diagnostics of a document; nil if too much is kept already. The diagnostics
// are locked.
func (p *proxy) about(uri protocol.DocumentURI) *documentDiagnostics {
	d := p.shown.byDocument[keyOf(uri)]
	if d == nil && p.shown.kept < maxKept {
		d = &documentDiagnostics{uri: uri}
		p.shown.byDocument[keyOf(uri)] = d
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if d != nil && p.open[uri] != nil {
		d.uri = uri // the editor's own spelling
	}
	return d
}

// publishOurs passes on what this server published.
func (p *proxy) publishOurs(params json.RawMessage) {
	uri, list := published(params)
	p.showing.Lock()
	defer p.showing.Unlock()
	d := p.about(uri)
	if d == nil {
		p.editor.notify(publishMethod, params)
		return
	}
	p.shown.kept += list.size() - d.ours.size()
	d.ours = list
	p.publish(d)
}

// publishTheirs passes on the diagnostics of the other server, once the false ones are known.
func (p *proxy) publishTheirs(params json.RawMessage) {
	uri, list := published(params)
	p.showing.Lock()
	d := p.about(uri)
	if d == nil {
		p.showing.Unlock()
		p.editor.notify(publishMethod, params)
		return
	}
	p.shown.kept += list.size() - d.raw.size()
	d.raw, d.isOutdated = list, false
	p.judge(d)
	p.showing.Unlock()
}

// judge decides which diagnostics of the other server are shown, and publishes. A later list makes
// the decision on an earlier one void. The diagnostics are locked.
func (p *proxy) judge(d *documentDiagnostics) {
	d.state++
	state, list := d.state, d.raw
	take := func(shown, hidden []json.RawMessage) {
		if d.state != state || p.shown.byDocument[keyOf(d.uri)] != d {
			return
		}
		d.theirs = diagnosticList{list.version, shown}
		p.hides(d, hidden, len(list.items))
		p.publish(d)
	}
	suspects := p.suspects(list.items)
	if len(suspects) == 0 {
		take(list.items, nil)
		return
	}
	go func() {
		shown, hidden := p.judged(d.uri, list.items, suspects)
		p.showing.Lock()
		defer p.showing.Unlock()
		take(shown, hidden)
	}()
}

// hides records the hidden diagnostics of a document. The diagnostics are locked.
func (p *proxy) hides(d *documentDiagnostics, hidden []json.RawMessage, of int) {
	if len(hidden) != len(d.hidden) {
		p.logf("%.1000s: %d of %d diagnostics of %s hidden, because the primary block has what they miss", keyOf(d.uri), len(hidden), of, p.Name)
	}
	d.hidden = hidden
}

// A suspect is a diagnostic that may be false.
type suspect struct {
	index int // in the list
	item  protocol.PrimaryItem
}

// suspects finds the diagnostics that the table of false findings knows.
func (p *proxy) suspects(items []json.RawMessage) []suspect {
	p.mutex.Lock()
	known := p.known
	p.mutex.Unlock()
	var list []suspect
	for i, diagnostic := range items {
		if item, ok := suspected(known, diagnostic); ok {
			list = append(list, suspect{i, item})
		}
	}
	return list
}

// judged splits the diagnostics of a document into those that are shown and those that are hidden,
// because this server confirms that they are false.
func (p *proxy) judged(uri protocol.DocumentURI, items []json.RawMessage, suspects []suspect) (shown, hidden []json.RawMessage) {
	isHidden := map[int]bool{}
	if len(suspects) > 0 {
		for i, isFalse := range p.confirmed(uri, suspects) {
			isHidden[suspects[i].index] = isFalse
		}
	}
	shown = []json.RawMessage{}
	for i, v := range items {
		if isHidden[i] {
			hidden = append(hidden, v)
		} else {
			shown = append(shown, v)
		}
	}
	return shown, hidden
}

// confirmed asks this server which suspects are false. It returns nothing without an answer in time.
func (p *proxy) confirmed(uri protocol.DocumentURI, suspects []suspect) []bool {
	params := protocol.PrimaryParams{}
	params.TextDocument.URI = uri
	for _, s := range suspects {
		params.Items = append(params.Items, s.item)
	}
	answers := make(chan message, 1)
	p.ours.call(protocol.PrimaryMethod, encoded(params), func(answer message) { answers <- answer })
	var isFalse []bool
	select {
	case answer := <-answers:
		if json.Unmarshal(answer.Result, &isFalse) == nil && len(isFalse) == len(suspects) {
			return isFalse
		}
	case <-time.After(p.times.judge):
	}
	return nil
}

// publish sends the editor the diagnostics of a document. They have a version only if both lists
// are about it. The diagnostics are locked.
func (p *proxy) publish(d *documentDiagnostics) {
	params := map[string]any{"uri": d.uri, "diagnostics": union(d.ours.items, d.theirs.items)}
	version := d.ours.version
	if len(d.ours.items) == 0 && isEmpty(version) || len(d.theirs.items) > 0 && len(d.ours.items) == 0 {
		version = d.theirs.version
	}
	isOne := len(d.ours.items) == 0 || len(d.theirs.items) == 0 || string(d.ours.version) == string(d.theirs.version)
	if !isEmpty(version) && isOne {
		params["version"] = version
	}
	p.editor.notify(publishMethod, encoded(params))
	if len(d.ours.items) == 0 && len(d.raw.items) == 0 {
		delete(p.shown.byDocument, keyOf(d.uri))
	}
}

// forgetTheirs removes the diagnostics of the other server.
func (p *proxy) forgetTheirs() {
	p.showing.Lock()
	defer p.showing.Unlock()
	for _, key := range slices.Sorted(maps.Keys(p.shown.byDocument)) {
		d := p.shown.byDocument[key]
		isShown := len(d.theirs.items) > 0
		p.shown.kept -= d.raw.size()
		d.raw, d.theirs, d.hidden = diagnosticList{}, diagnosticList{}, nil
		d.state++
		if isShown {
			p.publish(d)
		}
	}
}

// judgeSoon has the diagnostics of the documents in the directory of one judged again, once edits
// pause: all of them if the URI is empty.
func (p *proxy) judgeSoon(touched protocol.DocumentURI) {
	p.showing.Lock()
	defer p.showing.Unlock()
	p.shown.stale[touched] = true
	if p.shown.timer != nil {
		p.shown.timer.Reset(p.times.settle)
		return
	}
	p.shown.timer = time.AfterFunc(p.times.settle, p.judgeAgain)
}

// outdate records that a document was edited. Its diagnostics are judged when the other server
// publishes them for the new text, in which they may be on other lines.
func (p *proxy) outdate(edited protocol.DocumentURI) {
	p.showing.Lock()
	defer p.showing.Unlock()
	if d := p.shown.byDocument[keyOf(edited)]; d != nil {
		d.isOutdated = true
	}
}

// judgeAgain judges the diagnostics that judgeSoon collected.
func (p *proxy) judgeAgain() {
	p.showing.Lock()
	defer p.showing.Unlock()
	stale := p.shown.stale
	p.shown.stale = map[protocol.DocumentURI]bool{}
	dirs := map[string]bool{}
	for uri := range stale {
		dirs[filepath.Dir(keyOf(uri))] = true
	}
	for _, key := range slices.Sorted(maps.Keys(p.shown.byDocument)) {
		d := p.shown.byDocument[key]
		if (stale[""] || dirs[filepath.Dir(key)]) && !d.isOutdated && len(p.suspects(d.raw.items)) > 0 {
			p.judge(d)
		}
	}
}
