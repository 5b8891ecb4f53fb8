package proxy

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// hiddenReport is the result of RunHidden.
type hiddenReport struct {
	// Server is the other server. Known is set if the table of false findings has rows for it.
	Server    protocol.Info    `json:"server"`
	Known     bool             `json:"known"`
	Total     int              `json:"total"`
	Documents []hiddenDocument `json:"documents"`
}

// A hiddenDocument holds the diagnostics of one document that are hidden at the moment.
type hiddenDocument struct {
	URI         protocol.DocumentURI `json:"uri"`
	Diagnostics []json.RawMessage    `json:"diagnostics"`
}

// hidden lists the hidden diagnostics.
func (p *proxy) hidden() hiddenReport {
	p.showing.Lock()
	defer p.showing.Unlock()
	p.mutex.Lock()
	r := hiddenReport{Server: p.info, Known: len(p.known) > 0, Documents: []hiddenDocument{}}
	p.mutex.Unlock()
	for _, key := range slices.Sorted(maps.Keys(p.shown.byDocument)) {
		if d := p.shown.byDocument[key]; len(d.hidden) > 0 {
			r.Total += len(d.hidden)
			r.Documents = append(r.Documents, hiddenDocument{d.uri, d.hidden})
		}
	}
	return r
}

// withoutFalse removes false diagnostics from the report that the other server answered a request
// with, document by document.
func (p *proxy) withoutFalse(params, result json.RawMessage, done func(json.RawMessage)) {
	r := &report{proxy: p, root: objectOf(result), done: done}
	r.collect(uriOf(params), r.root)
	for uri, related := range objectOf(r.root["relatedDocuments"]) {
		r.related = true
		r.collect(protocol.DocumentURI(uri), objectOf(related))
	}
	if textOf(r.root["kind"]) == "" {
		for _, item := range listOf(r.root["items"]) {
			o := objectOf(item)
			r.workspace = append(r.workspace, o)
			r.collect(protocol.DocumentURI(textOf(o["uri"])), o)
		}
	}
	if r.root == nil {
		done(result)
		return
	}
	r.next()
}

// A report is the answer to a request for diagnostics while false ones are removed from it.
type report struct {
	proxy     *proxy
	root      object
	related   bool
	workspace []object
	parts     []reportPart
	changed   map[protocol.DocumentURI]object
	done      func(json.RawMessage)
}

// A reportPart is the part about one document.
type reportPart struct {
	uri protocol.DocumentURI
	of  object
}

// collect adds the part about a document if it has a list of diagnostics.
func (r *report) collect(uri protocol.DocumentURI, of object) {
	if textOf(of["kind"]) == string(protocol.FullReport) {
		r.parts = append(r.parts, reportPart{uri, of})
	}
}

// next removes the false diagnostics of the next part, or passes on the report if there is none.
func (r *report) next() {
	if len(r.parts) == 0 {
		r.finish()
		return
	}
	part := r.parts[0]
	r.parts = r.parts[1:]
	p, items := r.proxy, listOf(part.of["items"])
	suspects := p.suspects(items)
	take := func(isFalse []bool) {
		shown, hidden := parted(items, suspects, isFalse)
		if len(hidden) > 0 {
			part.of["items"] = encoded(shown)
		}
		p.hidesPulled(part.uri, hidden, len(items))
		if r.related && len(hidden) > 0 {
			if r.changed == nil {
				r.changed = map[protocol.DocumentURI]object{}
			}
			r.changed[part.uri] = part.of
		}
		r.next()
	}
	if len(suspects) == 0 {
		take(nil)
		return
	}
	p.confirm(part.uri, suspects, take)
}

// finish puts the report together again.
func (r *report) finish() {
	if r.workspace != nil {
		r.root["items"] = encoded(r.workspace)
	}
	related := objectOf(r.root["relatedDocuments"])
	for uri, of := range r.changed {
		if _, isRelated := related[string(uri)]; isRelated {
			related[string(uri)] = encoded(of)
		}
	}
	if related != nil {
		r.root["relatedDocuments"] = encoded(related)
	}
	r.done(encoded(r.root))
}

// hidesPulled records the hidden diagnostics of a document whose diagnostics the editor requests.
func (p *proxy) hidesPulled(uri protocol.DocumentURI, hidden []json.RawMessage, of int) {
	p.showing.Lock()
	defer p.showing.Unlock()
	if d := p.shown.byDocument[keyOf(uri)]; d == nil && len(hidden) == 0 {
		return
	}
	if d := p.about(uri); d != nil {
		p.hides(d, hidden, of)
	}
}
