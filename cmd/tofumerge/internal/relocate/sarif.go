package relocate

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// relate adds the further origins of its locations to a result of SARIF.
func (d *doc) relate(n *node) {
	locations := n.at(locationsMember)
	if locations == nil {
		return
	}
	var texts []string
	for _, l := range locations.kids {
		if at := l.at(locationMember); at != nil {
			d.renameMessage(l.at(messageMember), at)
			for _, other := range at.others {
				texts = append(texts, fmt.Sprintf(
					`{"physicalLocation":{"artifactLocation":{"uri":%s},"region":{"startLine":%d,"endLine":%d}},"message":{"text":"also comes from here"}}`,
					quoted(beside(at.name, escapedPath(other.name))), other.first, other.last))
			}
		}
	}
	if len(texts) == 0 {
		return
	}
	added := strings.Join(texts, ",")
	if known := n.at(relatedMember); known != nil && d.text[known.start] == '[' {
		if strings.TrimSpace(string(d.text[known.start+1:known.end-1])) != "" {
			added = "," + added
		}
		d.edits = append(d.edits, textedit.Replace(known.end-1, known.end-1, added))
		return
	}
	d.edits = append(d.edits, textedit.Replace(locations.end, locations.end, `,"`+relatedMember+`":[`+added+`]`))
}

// renameMessage gives the message of a location that is nothing but the name of its file the new name.
func (d *doc) renameMessage(n, location *node) {
	if text, ok := d.string(n); ok && location.name != "" && text == pathOf(location.was) {
		d.edits = append(d.edits, textedit.Replace(n.start, n.end, quoted(pathOf(location.name))))
	}
}

// pathOf is the path that a URI names.
func pathOf(uri string) string {
	if u, err := url.Parse(uri); err == nil && (u.Scheme == "file" || u.Scheme == "") {
		return u.Path
	}
	return uri
}

func escapedPath(name string) string { return (&url.URL{Path: name}).EscapedPath() }
