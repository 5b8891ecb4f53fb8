package proxy

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// The capabilities of the two servers, as one server, and the editor's, as each server sees them.

// runHidden is the command that lists the diagnostics that were hidden. The proxy runs it.
const runHidden = "tofumerge.hiddenDiagnostics"

// mergeOffers joins the capabilities of two servers.
func mergeOffers(ours, theirs object) object {
	merged := maps.Clone(ours)
	for name, v := range theirs {
		merged[name] = mergeOffer(merged[name], v)
	}
	for _, m := range methods {
		if first, _, _ := strings.Cut(m.offer, "/"); m.from == fromTheirs && isOffered(theirs, first) {
			merged[first] = theirs[first]
		}
	}
	merged["textDocumentSync"] = mergeSync(ours["textDocumentSync"], theirs["textDocumentSync"])
	merged["executeCommandProvider"] = mergeOffer(merged["executeCommandProvider"], encoded(protocol.ExecuteCommandOptions{Commands: []string{runHidden}}))
	return merged
}

// mergeOffer joins two values of a capability: members of objects, elements of lists, and true if
// one of them is. Otherwise the other server's value is used.
func mergeOffer(ours, theirs json.RawMessage) json.RawMessage {
	a, b := objectOf(ours), objectOf(theirs)
	switch {
	case isEmpty(ours) || string(ours) == "false":
		return theirs
	case isEmpty(theirs) || string(theirs) == "false" || string(theirs) == "true" && a != nil:
		return ours
	case a != nil && b != nil:
		for name, v := range b {
			a[name] = mergeOffer(a[name], v)
		}
		return encoded(a)
	case ours[0] == '[' && theirs[0] == '[':
		return mergeLists(ours, theirs)
	}
	return theirs
}

// mergeSync adds the other server's further needs to this server's.
func mergeSync(ours, theirs json.RawMessage) json.RawMessage {
	merged := objectOf(ours)
	for name, v := range objectOf(theirs) {
		if strings.HasPrefix(name, "willSave") || name == "save" && objectOf(v) != nil {
			merged[name] = v
		}
	}
	return encoded(merged)
}

// syncOf decodes which notifications about documents a server wants: a number in old servers.
func syncOf(v json.RawMessage) (o protocol.TextDocumentSyncOptions) {
	if json.Unmarshal(v, &o.Change) == nil {
		o.OpenClose, o.Save = o.Change > 0, o.Change > 0
		return o
	}
	_ = json.Unmarshal(v, &o)
	o.Save = isOffered(objectOf(v), "save") // true, or an object with options
	return o
}

// isHeldBack reports whether the editor must not learn that the other server registers for a method
// later: this server offers it from the start, so the editor would send requests twice.
func (p *proxy) isHeldBack(method string) bool {
	row := methodOf(method)
	switch {
	case strings.HasPrefix(method, "textDocument/did"):
		return true
	case row == nil:
		return false
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return isOffered(p.ourOffers, row.offer)
}

// paramsForTheirs are the parameters of initialize for the other server: the editor's, but with
// this process as its parent, and without the options for this server. It should declare at once
// what this server declares too, so that the options of both are merged.
func (p *proxy) paramsForTheirs() json.RawMessage {
	params := objectOf(p.params)
	for name, v := range objectOf(objectOf(params["capabilities"])["textDocument"]) {
		isShared := name == "synchronization" || slices.ContainsFunc(methods, func(m method) bool {
			return m.name == "textDocument/"+name || strings.HasPrefix(m.name, "textDocument/"+name+"/")
		})
		if isShared && objectOf(v)["dynamicRegistration"] != nil {
			params.set(false, "capabilities", "textDocument", name, "dynamicRegistration")
		}
	}
	if options := objectOf(params["initializationOptions"]); options[mark] != nil {
		delete(options, mark)
		params["initializationOptions"] = encoded(options)
	}
	params["processId"] = encoded(p.ProcessID)
	if p.hasFolders {
		params["workspaceFolders"] = encoded(p.folders)
	}
	return encoded(params)
}

// paramsForOurs are the parameters of initialize for this server: it uses the other one's position
// encoding, if that has one, and takes its options from the member of its name.
func (p *proxy) paramsForOurs(encoding string) json.RawMessage {
	params := objectOf(p.params)
	params["initializationOptions"] = objectOf(params["initializationOptions"])[mark]
	if isEmpty(params["initializationOptions"]) {
		delete(params, "initializationOptions")
	}
	if encoding != "" {
		params.set([]string{encoding}, "capabilities", "general", "positionEncodings")
	}
	return encoded(params)
}
