package relocate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A node is a value in a document, by its offsets. Only members that a table names are remembered.
type node struct {
	start, end int
	isElement  bool     // of a list
	names      []string // of the members of an object
	kids       []*node
	// others are the further origins of a location.
	others []span
	name   string // of the file of the location as it is written now
	was    string // and as it was
}

// at follows a path of names and numbers of elements; nil without a path, or without such a value.
func (n *node) at(path string) *node {
	if path == "" {
		return nil
	}
	for path != "" && n != nil {
		var name string
		name, path, _ = strings.Cut(path, ".")
		n = n.step(name)
	}
	return n
}

func (n *node) step(name string) *node {
	i := slices.Index(n.names, name)
	if number, err := strconv.Atoi(name); err == nil && len(n.names) == 0 {
		i = number
	}
	if i < 0 || i >= len(n.kids) {
		return nil
	}
	return n.kids[i]
}

// A doc is a document on its way.
type doc struct {
	*Mapper
	text  []byte
	edits []textedit.Edit
}

// A frame is a container that has not ended.
type frame struct {
	node   *node
	isList bool
	keeps  bool   // keep its elements, or the members that a table names
	key    string // of the member that comes
	hasKey bool
}

// json maps the documents of JSON in a text. It reports false if that is something else.
func (m *Mapper) json(text []byte) ([]byte, bool) {
	body := bytes.TrimPrefix(text, spelling.UTF8BOM)
	d := &doc{Mapper: m, text: body}
	if !d.read() {
		return text, false
	}
	out := m.plain(textedit.Apply(body, 0, len(body), d.edits))
	return append(bytes.Clone(text[:len(text)-len(body)]), out...), true
}

// read reads all tokens.
func (d *doc) read() bool {
	dec := json.NewDecoder(bytes.NewReader(d.text))
	dec.UseNumber()
	var stack []*frame
	at := 0
	for {
		token, err := dec.Token()
		if err != nil {
			return errors.Is(err, io.EOF) && len(stack) == 0
		}
		end := int(dec.InputOffset())
		for at < end && strings.IndexByte(" \t\r\n,:", d.text[at]) >= 0 {
			at++
		}
		n := &node{start: at, end: end}
		at = end
		top := len(stack) - 1
		delim, isDelim := token.(json.Delim)
		switch {
		case isDelim && (delim == '{' || delim == '['):
			stack = append(stack, &frame{node: n, isList: delim == '[', keeps: delim == '{' || top >= 0 && stack[top].wants()})
		case isDelim:
			f := stack[top]
			stack = stack[:top]
			f.node.end = end
			if !f.isList {
				f.node.isElement = top > 0 && stack[top-1].isList
				d.locate(f.node)
			}
			if top > 0 {
				stack[top-1].add(f.node)
			}
		case top >= 0 && !stack[top].isList && !stack[top].hasKey:
			stack[top].key, _ = token.(string)
			stack[top].hasKey = true
		case top >= 0:
			stack[top].add(n)
		}
	}
}

// wants reports whether the value that comes is remembered.
func (f *frame) wants() bool { return f.keeps && (f.isList || wanted[f.key]) }

func (f *frame) add(n *node) {
	if f.wants() {
		f.node.kids = append(f.node.kids, n)
		if !f.isList {
			f.node.names = append(f.node.names, f.key)
		}
	}
	f.hasKey = false
}

// locate maps an object that is a location, or holds findings.
func (d *doc) locate(n *node) {
	if len(n.kids) == 0 {
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
			f = d.fileAt(n.at(path), s.isURI)
		}
	}
	if f == nil {
		return n.at(s.files[0]) != nil
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
	for _, path := range s.files {
		if at := n.at(path); at != nil {
			n.was, _ = d.string(at)
			n.name = d.rename(at, spans[0].name, s.isURI)
		}
	}
	n.others = spans[1:]
	return true
}

// linesOf are the lines of an object of a shape, if it has any.
func (d *doc) linesOf(n *node, s *shape) (first, last int, ok bool) {
	if first, ok = d.number(n.at(s.first)); !ok {
		return 0, 0, false
	}
	if last, ok = d.number(n.at(s.last)); !ok {
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
		d.set(n.at(end.line), end.to)
		if column, ok := d.number(n.at(end.column)); ok {
			column = f.column(was[i], column, to, end.to)
			d.set(n.at(end.column), column)
			if at := n.at(end.offset); at != nil {
				d.set(at, f.offset(to.name, end.to, column))
			}
		}
	}
	if listed := n.at(s.numbered); listed != nil {
		for _, line := range listed.kids {
			at := line.at(s.numberOf)
			if number, ok := d.number(at); ok {
				d.set(at, number+to.first-was[0])
			}
		}
	}
	for _, path := range s.drop {
		d.remove(n.at(path))
	}
}

// set writes a number, if it has one.
func (d *doc) set(n *node, to int) {
	if _, ok := d.number(n); ok {
		d.edits = append(d.edits, textedit.Replace(n.start, n.end, strconv.Itoa(to)))
	}
}

// remove removes a member that is not the only one of its object.
func (d *doc) remove(n *node) {
	if n == nil {
		return
	}
	blank := func(c byte) bool { return strings.IndexByte(" \t\r\n", c) >= 0 }
	from, to := bytes.LastIndexByte(d.text[:n.start], ':')-1, n.end
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
		if to = n.end; from > 0 && d.text[from-1] == ',' {
			from--
		}
	}
	d.edits = append(d.edits, textedit.Replace(from, to, ""))
}

// number is the number in a node, if it is one.
func (d *doc) number(n *node) (int, bool) {
	if n == nil || len(n.kids) > 0 {
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
	d.edits = append(d.edits, textedit.Replace(n.start, n.end, quoted(to)))
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
