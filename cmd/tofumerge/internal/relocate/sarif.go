package relocate

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// relate adds the further origins of its locations to a result of SARIF.
func (d *doc) relate(n *node) {
	locations := d.at(n, locationsMember)
	if locations == nil {
		return
	}
	var texts []string
	for _, l := range d.kidsOf(locations) {
		at := d.at(&l, locationMember)
		if at == nil {
			continue
		}
		if to := d.moved[at.start]; to != nil {
			d.renameMessage(d.at(&l, messageMember), to)
			for _, other := range to.others {
				texts = append(texts, fmt.Sprintf(
					`{"physicalLocation":{"artifactLocation":{"uri":%s},"region":{"startLine":%d,"endLine":%d}},"message":{"text":"also comes from here"}}`,
					quoted(beside(to.name, escapedPath(other.name))), other.first, other.last))
			}
		}
	}
	if len(texts) == 0 {
		return
	}
	added := strings.Join(texts, ",")
	if known := d.at(n, relatedMember); known != nil && d.text[known.start] == '[' {
		if strings.TrimSpace(string(d.text[known.start+1:known.end-1])) != "" {
			added = "," + added
		}
		d.edits = append(d.edits, textedit.Replace(int(known.end-1), int(known.end-1), added))
		return
	}
	d.edits = append(d.edits, textedit.Replace(int(locations.end), int(locations.end), `,"`+relatedMember+`":[`+added+`]`))
}

// renameMessage gives the message of a location that is nothing but the name of its file the new name.
func (d *doc) renameMessage(n *node, location *moved) {
	if text, ok := d.string(n); ok && location.name != "" && text == pathOf(location.was) {
		d.edits = append(d.edits, d.replace(n, quoted(pathOf(location.name))))
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
