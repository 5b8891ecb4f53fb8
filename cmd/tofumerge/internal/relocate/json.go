package relocate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A node is a value in a document, by its offsets. A document of 256 MB may have 100 million of them,
// so they are small. Only members that a table names are remembered.
type node struct {
	start, end uint32
	from, to   uint32 // its own members or elements are these of doc.kids
	name       uint16 // number of the member's name in the table; 0 for an element
	isElement  bool   // of a list
}

// A moved is a location that has the name of another file now.
type moved struct {
	name, was string
	others    []span // its further origins
}

// A doc is a document on its way.
type doc struct {
	*Mapper
	text  []byte
	edits []textedit.Edit
	stack []frame
	open  []node            // the members and elements of the containers in stack
	kids  []node            // those of containers that have ended, which stand beside each other
	moved map[uint32]*moved // by the start of the location
}

// kidsOf are the members or elements of a node.
func (d *doc) kidsOf(n *node) []node { return d.kids[n.from:n.to] }

// at follows a path of names and numbers of elements; nil without a path, or without such a value.
func (d *doc) at(n *node, path string) *node {
	if path == "" {
		return nil
	}
	for path != "" && n != nil {
		var name string
		name, path, _ = strings.Cut(path, ".")
		n = d.step(n, name)
	}
	return n
}

func (d *doc) step(n *node, name string) *node {
	kids := d.kidsOf(n)
	i := slices.IndexFunc(kids, func(kid node) bool { return kid.name == wanted()[name] })
	if number, err := strconv.Atoi(name); err == nil && d.text[n.start] == '[' {
		i = number
	}
	if i < 0 || i >= len(kids) {
		return nil
	}
	return &kids[i]
}

// A frame is a container that has not ended.
type frame struct {
	node
	isList bool
	keeps  bool   // keep its elements, or the members that a table names
	key    uint16 // number of the member's name that comes; 0 if no table names it
	hasKey bool
	open   int // its first one in doc.open
}

// The reasons why a text is not mapped.
var (
	errOther   = errors.New("isn't JSON")
	errTooDeep = fmt.Errorf("nests more than %d levels deep", limits.MaxDepth)
	errTooLong = errors.New("is too long")
)

// json maps the documents of JSON in a text.
func (m *Mapper) json(text []byte) ([]byte, error) {
	body := bytes.TrimPrefix(text, spelling.UTF8BOM)
	d := &doc{Mapper: m, text: body, moved: map[uint32]*moved{}}
	if err := d.read(); err != nil {
		return text, err
	}
	if len(d.edits) > 0 {
		body = textedit.Apply(body, 0, len(body), d.edits)
	}
	body = m.plain(body)
	if bytes.HasPrefix(text, spelling.UTF8BOM) {
		body = slices.Concat(spelling.UTF8BOM, body)
	}
	return body, nil
}

// read reads all tokens.
func (d *doc) read() error {
	dec := json.NewDecoder(bytes.NewReader(d.text))
	dec.UseNumber()
	at := 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) && len(d.stack) == 0 {
			return nil
		}
		if err != nil {
			return errOther
		}
		end := int(dec.InputOffset())
		for at < end && strings.IndexByte(" \t\r\n,:", d.text[at]) >= 0 {
			at++
		}
		n := node{start: uint32(at), end: uint32(end)}
		at = end
		var top *frame
		if len(d.stack) > 0 {
			top = &d.stack[len(d.stack)-1]
		}
		delim, isDelim := token.(json.Delim)
		switch {
		case isDelim && (delim == '{' || delim == '['):
			if len(d.stack) == limits.MaxDepth {
				return errTooDeep
			}
			d.stack = append(d.stack, frame{node: n, isList: delim == '[', keeps: delim == '{' || top != nil && top.wants(), open: len(d.open)})
		case isDelim:
			f := d.stack[len(d.stack)-1]
			d.stack = d.stack[:len(d.stack)-1]
			f.end, f.from = uint32(end), uint32(len(d.kids))
			d.kids, d.open = append(d.kids, d.open[f.open:]...), d.open[:f.open]
			f.to = uint32(len(d.kids))
			var outer *frame
			if len(d.stack) > 0 {
				outer = &d.stack[len(d.stack)-1]
			}
			if !f.isList {
				f.isElement = outer != nil && outer.isList
				d.locate(&f.node)
			}
			if outer != nil {
				d.add(outer, f.node)
			}
		case top != nil && !top.isList && !top.hasKey:
			name, _ := token.(string)
			top.key, top.hasKey = wanted()[name], true
		case top != nil:
			d.add(top, n)
		}
	}
}

// wants reports whether the value that comes is remembered.
func (f *frame) wants() bool { return f.keeps && (f.isList || f.key > 0) }

func (d *doc) add(f *frame, n node) {
	if f.wants() {
		n.name = f.key
		d.open = append(d.open, n)
	}
	f.key, f.hasKey = 0, false
}

// locate maps an object that is a location, or holds findings.
func (d *doc) locate(n *node) {
	if n.from == n.to {
		return
	}
	for i := range shapes {
		if d.shape(n, &shapes[i]) {
			break
		}
	}
	for i := range groupings {
		if n.isElement { // no object can follow any other one
			d.group(n, &groupings[i])
		}
	}
	d.relate(n)
}

// shape maps an object that has a shape, and reports whether it has.
func (d *doc) shape(n *node, s *shape) bool {
	first, last, ok := d.linesOf(n, s)
	if !ok {
		return false
	}
	var f *File
	for _, path := range s.files {
		if f == nil {
			f = d.fileAt(d.at(n, path), s.isURI)
		}
	}
	if f == nil {
		return d.at(n, s.files[0]) != nil
	}
	spans := f.trace(first, last)
	if len(spans) == 0 {
		d.unmapped++
		return true
	}
	d.setLines(n, s, f, [2]int{first, last}, spans[0])
	if s.isFixed {
		return true
	}
	to := &moved{others: spans[1:]}
	for _, path := range s.files {
		if at := d.at(n, path); at != nil {
			to.was, _ = d.string(at)
			to.name = d.rename(at, spans[0].name, s.isURI)
		}
	}
	d.moved[n.start] = to
	return true
}

// linesOf are the lines of an object of a shape, if it has any.
func (d *doc) linesOf(n *node, s *shape) (first, last int, ok bool) {
	if first, ok = d.number(d.at(n, s.first)); !ok {
		return 0, 0, false
	}
	if last, ok = d.number(d.at(n, s.last)); !ok {
		last = first
	}
	return first, last, true
}

// setLines writes the numbers of a location.
func (d *doc) setLines(n *node, s *shape, f *File, was [2]int, to span) {
	for i, end := range []struct {
		line, column, offset string
		to                   int
	}{{s.first, s.column, s.offset, to.first}, {s.last, s.toCol, s.toByte, to.last}} {
		d.set(d.at(n, end.line), end.to)
		if column, ok := d.number(d.at(n, end.column)); ok {
			column = f.column(was[i], column, to, end.to)
			d.set(d.at(n, end.column), column)
			if at := d.at(n, end.offset); at != nil {
				d.set(at, f.offset(to.name, end.to, column))
			}
		}
	}
	if listed := d.at(n, s.numbered); listed != nil {
		for _, line := range d.kidsOf(listed) {
			at := d.at(&line, s.numberOf)
			if number, ok := d.number(at); ok {
				d.set(at, number+to.first-was[0])
			}
		}
	}
	for _, path := range s.drop {
		d.remove(d.at(n, path))
	}
}

// set writes a number, if it has one.
func (d *doc) set(n *node, to int) {
	if _, ok := d.number(n); ok {
		d.edits = append(d.edits, d.replace(n, strconv.Itoa(to)))
	}
}

// remove removes a member that is not the only one of its object.
func (d *doc) remove(n *node) {
	if n == nil {
		return
	}
	blank := func(c byte) bool { return strings.IndexByte(" \t\r\n", c) >= 0 }
	from, to := bytes.LastIndexByte(d.text[:n.start], ':')-1, int(n.end)
	for from > 0 && blank(d.text[from]) {
		from--
	}
	from = bytes.LastIndexByte(d.text[:from], '"') // names in the table have no quotes
	for to < len(d.text) && blank(d.text[to]) {
		to++
	}
	if to < len(d.text) && d.text[to] == ',' {
		to++
	} else {
		for from > 0 && blank(d.text[from-1]) {
			from--
		}
		if to = int(n.end); from > 0 && d.text[from-1] == ',' {
			from--
		}
	}
	d.edits = append(d.edits, textedit.Replace(from, to, ""))
}

// replace is the edit of a value.
func (d *doc) replace(n *node, text string) textedit.Edit {
	return textedit.Replace(int(n.start), int(n.end), text)
}

// number is the number in a node, if it is one.
func (d *doc) number(n *node) (int, bool) {
	if n == nil {
		return 0, false
	}
	number, err := strconv.Atoi(string(d.text[n.start:min(n.end, n.start+16)]))
	return number, err == nil && number >= 0
}

// fileAt is the flattened file that a string names.
func (d *doc) fileAt(n *node, isURI bool) *File {
	name, ok := d.string(n)
	if !ok {
		return nil
	}
	if isURI {
		name = pathOf(name)
	}
	return d.File(name)
}

func (d *doc) string(n *node) (text string, ok bool) {
	if n == nil || d.text[n.start] != '"' {
		return "", false
	}
	return text, json.Unmarshal(d.text[n.start:n.end], &text) == nil
}

// rename gives a name the file of an original.
func (d *doc) rename(n *node, base string, isURI bool) string {
	name, ok := d.string(n)
	if !ok {
		return ""
	}
	if isURI {
		base = escapedPath(base)
	}
	to := beside(name, base)
	d.edits = append(d.edits, d.replace(n, quoted(to)))
	return to
}

// quoted is a string of JSON.
func quoted(text string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string
	return strings.TrimSuffix(out.String(), "\n")
}

// A shape is an object of JSON that is a location. Members are paths of names from the object; a number
// is an element of a list.
type shape struct {
	about string
	// files are the members that may name the file: the first that means a flattened one decides,
	// and all are renamed.
	files []string
	// isFixed is set if an object within this one is a location, too, and gets the name.
	isFixed        bool
	first, last    string
	column, toCol  string
	offset, toByte string   // from the beginning of the file, from 0
	drop           []string // members that would be wrong
	numbered       string   // a list of lines, each with its number
	numberOf       string   // the member of such a line that is its number
	isURI          bool     // names are URIs
}

// shapes are the locations in the reports of known tools. The first that fits is used.
var shapes = []shape{
	{
		about: "SARIF", files: []string{"artifactLocation.uri"}, first: "region.startLine", last: "region.endLine",
		column: "region.startColumn", toCol: "region.endColumn",
		drop:  []string{"region.charOffset", "region.charLength", "region.byteOffset", "region.byteLength", "artifactLocation.index"},
		isURI: true,
	},
	{
		about: "tflint, terraform validate", files: []string{"filename"}, first: "start.line", last: "end.line",
		column: "start.column", toCol: "end.column", offset: "start.byte", toByte: "end.byte",
	},
	{about: "source lines of terraform validate", files: []string{"range.filename"}, isFixed: true, first: "snippet.start_line"},
	{about: "tfsec", files: []string{"filename"}, first: "start_line", last: "end_line"},
	{about: "trivy, a cause", files: []string{"Filename"}, first: "Location.StartLine", last: "Location.EndLine"},
	{about: "GitLab's code quality", files: []string{"path"}, first: "lines.begin", last: "lines.end"},
	{
		about: "Semgrep", files: []string{"path"}, first: "start.line", last: "end.line", column: "start.col", toCol: "end.col",
		offset: "start.offset", toByte: "end.offset",
	},
	{about: "terraform-config-inspect", files: []string{"filename"}, first: "line"},
	{
		about: "checkov", files: []string{"file_abs_path", "file_path", "repo_file_path"},
		first: "file_line_range.0", last: "file_line_range.1", numbered: "code_block", numberOf: "0",
	},
}

// A grouping is an object of JSON with findings that all are in one file. Those that come from another
// one get an object of their own.
type grouping struct {
	file  string
	lists []list
	// counts is the member with the number of findings in the first list, by an object with these
	// members.
	counts, failed, passed string
}

// A list is a member with findings, whose shape has no files.
type list struct {
	name string
	shape
}

// groupings are those in the reports of known tools.
var groupings = []grouping{{
	file: "Target",
	lists: []list{
		{"Misconfigurations", shape{
			first: "CauseMetadata.StartLine", last: "CauseMetadata.EndLine", numbered: "CauseMetadata.Code.Lines", numberOf: "Number",
		}},
		{"Secrets", shape{first: "StartLine", last: "EndLine", numbered: "Code.Lines", numberOf: "Number"}},
	},
	counts: "MisconfSummary", failed: "Failures", passed: "Successes",
}}

// Members of a result in SARIF.
const (
	locationsMember = "locations"
	locationMember  = "physicalLocation"
	relatedMember   = "relatedLocations"
	messageMember   = "message.text"
)

// wanted numbers, from 1, the names of all members that a table names; nothing else of a document is
// remembered.
var wanted = sync.OnceValue(wantedNames)

func wantedNames() map[string]uint16 {
	paths := []string{locationsMember, locationMember, relatedMember, messageMember}
	all := shapes
	for _, g := range groupings {
		paths = append(paths, g.file, g.counts, g.failed, g.passed)
		for _, l := range g.lists {
			paths = append(paths, l.name)
			all = append(all, l.shape)
		}
	}
	for _, s := range all {
		paths = append(paths, s.first, s.last, s.column, s.toCol, s.offset, s.toByte, s.numbered, s.numberOf)
		paths = slices.Concat(paths, s.files, s.drop)
	}
	names := map[string]uint16{}
	for name := range strings.SplitSeq(strings.Join(paths, "."), ".") {
		if name != "" && names[name] == 0 {
			names[name] = uint16(len(names) + 1)
		}
	}
	return names
}

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

// formOf detects the form of a stream by its beginning; Auto if that is too short. A text in
// brackets isn't a document.
func formOf(beginning []byte, isWhole bool) Form {
	text := bytes.TrimLeft(bytes.TrimPrefix(beginning, spelling.UTF8BOM), " \t\r\n")
	isEnough := isWhole || len(beginning) >= sniffed
	switch {
	case len(text) == 0 && !isEnough:
		return Auto
	case len(text) == 0:
		return Text
	case text[0] == '{' || text[0] == '[':
		dec := json.NewDecoder(bytes.NewReader(text[:min(len(text), sniffed)]))
		for n := 0; ; n++ {
			_, err := dec.Token()
			switch {
			case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
				if !isEnough && n < certain {
					return Auto
				}
				return JSON
			case err != nil:
				return Text
			case n >= certain:
				return JSON
			}
		}
	}
	return Text
}

// certain is how many tokens no other text has by chance.
const certain = 8
