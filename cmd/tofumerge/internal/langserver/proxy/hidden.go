package proxy

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// hiddenReport is the result of runHidden.
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

// withoutFalse removes false diagnostics from the report with which the other server answered a
// request, document by document.
func (p *proxy) withoutFalse(params, result json.RawMessage) json.RawMessage {
	root := objectOf(result)
	if root == nil {
		return result
	}
	p.correct(uriOf(params), root)
	if related := objectOf(root["relatedDocuments"]); related != nil {
		for uri, report := range related {
			if of := objectOf(report); p.correct(protocol.DocumentURI(uri), of) {
				related[uri] = encoded(of)
			}
		}
		root["relatedDocuments"] = encoded(related)
	}
	if root["kind"] == nil { // a report on the workspace
		items := listOf(root["items"])
		for i, item := range items {
			if of := objectOf(item); p.correct(protocol.DocumentURI(textOf(of["uri"])), of) {
				items[i] = encoded(of)
			}
		}
		root["items"] = encoded(items)
	}
	return encoded(root)
}

// correct removes the false diagnostics of a report on one document; false if there are none.
func (p *proxy) correct(uri protocol.DocumentURI, report object) bool {
	if textOf(report["kind"]) != string(protocol.FullReport) {
		return false
	}
	items := listOf(report["items"])
	shown, hidden := p.judged(uri, items, p.suspects(items))
	if len(hidden) > 0 {
		report["items"] = encoded(shown)
	}
	p.showing.Lock()
	defer p.showing.Unlock()
	if len(hidden) > 0 || p.shown.byDocument[keyOf(uri)] != nil {
		if d := p.about(uri); d != nil {
			p.hides(d, hidden, len(items))
		}
	}
	return len(hidden) > 0
}
