package proxy

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Merging two results of one request. If one of them is empty, the result is the other one.

// union joins lists without duplicates.
func union(lists ...[]json.RawMessage) []json.RawMessage {
	all := []json.RawMessage{}
	known := map[string]bool{}
	for _, v := range slices.Concat(lists...) {
		if !known[string(v)] {
			known[string(v)] = true
			all = append(all, v)
		}
	}
	return all
}

// mergeLists joins lists, without what both have.
func mergeLists(ours, theirs json.RawMessage) json.RawMessage {
	return encoded(union(listOf(ours), listOf(theirs)))
}

// mergeLocations joins locations. The protocol has no list of both links and locations: links
// become locations if there is any location.
func mergeLocations(ours, theirs json.RawMessage) json.RawMessage {
	all := union(listOf(ours), listOf(theirs))
	links := 0
	plain := make([]json.RawMessage, len(all))
	for i, v := range all {
		if o := objectOf(v); o["targetUri"] != nil {
			links++
			v = encoded(object{"range": o["targetSelectionRange"], "uri": o["targetUri"]})
		}
		plain[i] = v
	}
	if links == len(all) {
		return encoded(all)
	}
	return encoded(union(plain))
}

// mergeSymbols joins symbols if both lists are of the same form: trees, or symbols with locations.
// If not, only theirs are shown.
func mergeSymbols(ours, theirs json.RawMessage) json.RawMessage {
	isTree := func(list json.RawMessage) bool {
		all := listOf(list)
		return len(all) > 0 && objectOf(all[0])["selectionRange"] != nil
	}
	if isTree(ours) != isTree(theirs) {
		return theirs
	}
	return mergeLists(theirs, ours)
}

// mark is the member of data that marks an item of this server. Resolving another item is up to
// the other server.
const mark = "tofumerge"

// mergeResolvable joins lists of items that the editor may send back to have them resolved.
func mergeResolvable(ours, theirs json.RawMessage) json.RawMessage {
	var marked []json.RawMessage
	for _, v := range listOf(ours) {
		item := objectOf(v)
		if item == nil {
			continue
		}
		data := item["data"]
		if isEmpty(data) {
			data = null
		}
		item["data"] = encoded(object{mark: data})
		marked = append(marked, encoded(item))
	}
	return encoded(append(marked, listOf(theirs)...))
}

// isMarked reports whether an item is one of this server's.
func isMarked(item json.RawMessage) bool {
	data := objectOf(objectOf(item)["data"])
	_, ok := data[mark]
	return ok && len(data) == 1
}

// unmarked is a marked item as this server made it.
func unmarked(item json.RawMessage) json.RawMessage {
	o := objectOf(item)
	if o["data"] = objectOf(o["data"])[mark]; isEmpty(o["data"]) {
		delete(o, "data")
	}
	return encoded(o)
}

// mergeHovers puts the text of the other server below this one's, in this one's markup.
func mergeHovers(ours, theirs json.RawMessage) json.RawMessage {
	var own protocol.Hover
	if json.Unmarshal(ours, &own) != nil {
		return theirs
	}
	contents := objectOf(theirs)["contents"]
	text, between := hoverText(contents), "\n\n"
	if text == "" {
		return ours
	}
	if own.Contents.Kind == protocol.Markdown {
		between = "\n\n---\n\n"
		if textOf(objectOf(contents)["kind"]) == string(protocol.PlainText) {
			text = fenced("text", text)
		}
	}
	own.Contents.Value = strings.TrimRight(own.Contents.Value, "\n") + between + text
	return encoded(own)
}

// hoverText is the text of the contents of a hover, which have four forms.
func hoverText(contents json.RawMessage) string {
	var parts []string
	for _, v := range listOf(contents) {
		text, o := textOf(v), objectOf(v)
		if o != nil {
			text = textOf(o["value"])
		}
		if language := textOf(o["language"]); language != "" {
			text = fenced(language, text)
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// fenced is text in a fenced code block, whose fence is longer than any in the text.
func fenced(language, text string) string {
	longest, run := 2, 0
	for _, c := range []byte(text) {
		if run++; c != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + text + "\n" + fence
}

// mergeReports joins the diagnostics of a document. The merged report has no result id: the editor
// must always request all of it.
func mergeReports(ours, theirs json.RawMessage) json.RawMessage {
	a, b := objectOf(ours), objectOf(theirs)
	merged := object{"kind": encoded(protocol.FullReport), "items": mergeLists(a["items"], b["items"])}
	related := objectOf(a["relatedDocuments"])
	for uri, report := range objectOf(b["relatedDocuments"]) {
		if related == nil {
			related = object{}
		}
		if related[uri] != nil {
			report = mergeReports(related[uri], report)
		}
		related[uri] = report
	}
	if related != nil {
		merged["relatedDocuments"] = encoded(related)
	}
	return encoded(merged)
}

// mergeWorkspaceReports joins the diagnostics of a workspace, document by document.
func mergeWorkspaceReports(ours, theirs json.RawMessage) json.RawMessage {
	items := []json.RawMessage{}
	at := map[string]int{}
	for _, report := range append(listOf(objectOf(ours)["items"]), listOf(objectOf(theirs)["items"])...) {
		o := objectOf(report)
		if i, isKnown := at[string(o["uri"])]; isKnown {
			whole, before := objectOf(mergeReports(items[i], report)), objectOf(items[i])
			whole["uri"], whole["version"] = before["uri"], before["version"]
			items[i] = encoded(whole)
			continue
		}
		at[string(o["uri"])] = len(items)
		items = append(items, report)
	}
	return encoded(map[string]any{"items": items})
}
