package proxy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// The capabilities of the two servers, as one server, and the editor's, as each server sees them.

// RunHidden is the command that lists the diagnostics that were hidden. The proxy runs it.
const RunHidden = "tofumerge.hiddenDiagnostics"

// mergeOffers joins the capabilities of two servers.
func mergeOffers(ours, theirs object) object {
	merged := object{}
	for name, v := range ours {
		merged[name] = v
	}
	for name, v := range theirs {
		merged[name] = mergeOffer(merged[name], v)
	}
	for _, m := range methods {
		if first, _, _ := strings.Cut(m.offer, "/"); m.from == fromTheirs && isOffered(theirs, first) {
			merged[first] = theirs[first]
		}
	}
	merged["textDocumentSync"] = mergeSync(ours["textDocumentSync"], theirs["textDocumentSync"])
	merged["executeCommandProvider"] = mergeOffer(merged["executeCommandProvider"], encoded(protocol.ExecuteCommandOptions{Commands: []string{RunHidden}}))
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

// A syncKind is which notifications about documents the other server wants.
type syncKind struct {
	opens, saves bool
	change       protocol.TextDocumentSyncKind // 1 for whole texts
}

const syncWhole protocol.TextDocumentSyncKind = 1

// syncOf decodes the capability, which is a number in old servers.
func syncOf(v json.RawMessage) (k syncKind) {
	if json.Unmarshal(v, &k.change) == nil {
		return syncKind{k.change > 0, k.change > 0, k.change}
	}
	var options struct {
		OpenClose bool                          `json:"openClose"`
		Change    protocol.TextDocumentSyncKind `json:"change"`
	}
	_ = json.Unmarshal(v, &options)
	return syncKind{options.OpenClose, isOffered(objectOf(v), "save"), options.Change}
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

// withoutDynamic changes the parameters of initialize for the other server: it should declare at
// once what this server declares too, so that the options of both are merged.
func withoutDynamic(capabilities object) {
	documents := objectOf(capabilities["textDocument"])
	for name, v := range documents {
		about := objectOf(v)
		isShared := name == "synchronization" || slices.ContainsFunc(methods, func(m method) bool {
			return m.name == "textDocument/"+name || strings.HasPrefix(m.name, "textDocument/"+name+"/")
		})
		if isShared && about["dynamicRegistration"] != nil {
			about["dynamicRegistration"] = encoded(false)
			documents[name] = encoded(about)
		}
	}
	if documents != nil {
		capabilities["textDocument"] = encoded(documents)
	}
}

// paramsForTheirs are the parameters of initialize for the other server: the editor's, but with
// this process as its parent, and without the options for this server.
func (p *proxy) paramsForTheirs() json.RawMessage {
	params := objectOf(p.params)
	capabilities := objectOf(params["capabilities"])
	if capabilities != nil {
		withoutDynamic(capabilities)
		params["capabilities"] = encoded(capabilities)
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
// encoding, and takes its options from the member of its name.
func (p *proxy) paramsForOurs(encoding json.RawMessage) json.RawMessage {
	params := objectOf(p.params)
	params["initializationOptions"] = objectOf(params["initializationOptions"])[mark]
	if isEmpty(params["initializationOptions"]) {
		delete(params, "initializationOptions")
	}
	if !isEmpty(encoding) {
		capabilities := objectOf(params["capabilities"])
		general := objectOf(capabilities["general"])
		if capabilities == nil {
			capabilities = object{}
		}
		if general == nil {
			general = object{}
		}
		general["positionEncodings"] = encoded([]json.RawMessage{encoding})
		capabilities["general"] = encoded(general)
		params["capabilities"] = encoded(capabilities)
	}
	return encoded(params)
}
