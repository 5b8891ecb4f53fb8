package proxy

import (
	"encoding/json"
	"maps"
	"slices"
)

// Dynamic registrations of the other server.

// registrations are the methods by the ids of their registrations.
type registrations map[string]registration

type registration struct {
	method string
	// isHeldBack is set if the editor doesn't know of it.
	isHeldBack bool
}

// maxRegistrations is how many registrations are remembered. More than that pass, but stay in
// force when the other server crashes.
const maxRegistrations = 10_000

// has reports whether a method is registered.
func (r registrations) has(method string) bool {
	for _, x := range r {
		if x.method == method {
			return true
		}
	}
	return false
}

// entriesOf decodes the registrations of a request, whose member has one of two names: the
// protocol itself has the misspelt one.
func entriesOf(params json.RawMessage) (name string, list []json.RawMessage) {
	o := objectOf(params)
	for _, name := range []string{"registrations", "unregisterations"} {
		if o[name] != nil {
			return name, listOf(o[name])
		}
	}
	return "", nil
}

// register passes registrations on, without those that are held back.
func (p *proxy) register(x *peer, m message) {
	p.pass(x, m, func(id, method string) bool {
		isHeldBack := p.isHeldBack(method)
		p.mutex.Lock()
		defer p.mutex.Unlock()
		if len(p.registered) < maxRegistrations && p.registered != nil {
			p.registered[id] = registration{method, isHeldBack}
		}
		return !isHeldBack
	})
}

// unregistered passes on that registrations end, without those that were held back.
func (p *proxy) unregistered(x *peer, m message) {
	p.pass(x, m, func(id, _ string) bool {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		isHeldBack := p.registered[id].isHeldBack
		delete(p.registered, id)
		return !isHeldBack
	})
}

// pass forwards those entries of a request that a function selects. If none is left, it answers
// the request itself.
func (p *proxy) pass(x *peer, m message, selects func(id, method string) bool) {
	name, list := entriesOf(m.Params)
	passed := slices.DeleteFunc(slices.Clone(list), func(v json.RawMessage) bool {
		o := objectOf(v)
		return !selects(textOf(o["id"]), textOf(o["method"]))
	})
	if len(list) > 0 && len(passed) == 0 {
		x.send(message{ID: m.ID, Result: null})
		return
	}
	if len(passed) < len(list) {
		m.Params = encoded(map[string]any{name: passed})
	}
	x.forward(p.editor, m)
}

// unregister ends the registrations of a server that crashed.
func (p *proxy) unregister(all registrations) {
	type entry struct {
		ID     string `json:"id"`
		Method string `json:"method"`
	}
	var list []entry
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if !all[id].isHeldBack {
			list = append(list, entry{id, all[id].method})
		}
	}
	if len(list) > 0 {
		p.editor.call("client/unregisterCapability", encoded(map[string]any{"unregisterations": list}), func(message) {})
	}
}
