package fix

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// How JSON files are edited. A file that was loaded is valid JSON.

// A node is a JSON value, and where it is in the text.
type node struct {
	key, keyEnd int // of the name in front of it; the start of an element
	start, end  int
	around      *node
	members     []*node
	byName      map[string]*node // members by name, computed on demand
}

// A document is the text of a JSON file, taken apart.
type document struct {
	file *source.File
	text []byte
	at   map[int]*node // by where the value starts
}

func (x *Fixer) document(f *source.File) *document {
	if d := x.json[f]; d != nil {
		return d
	}
	x.json[f] = newDocument(f)
	return x.json[f]
}

func newDocument(f *source.File) *document {
	d := &document{file: f, text: f.Raw, at: map[int]*node{}}
	d.add(jsontree.NewReader(d.text).Root(), nil)
	return d
}

// add adds a value with all that is in it. The depth of values is limited when a file is read.
func (d *document) add(v jsontree.Value, around *node) {
	at, key := v.Span(), v.Key()
	n := &node{key: int(at[0]), start: int(at[0]), end: int(at[1]), around: around}
	if key[1] > key[0] {
		n.key, n.keyEnd = int(key[0]), int(key[1])
	}
	if around != nil {
		around.members = append(around.members, n)
	}
	d.at[n.start] = n
	for inner := range v.Children() {
		d.add(inner, n)
	}
}

// name is the text of a member's key, with its quotes.
func (d *document) name(n *node) string {
	if n.keyEnd <= n.key {
		return ""
	}
	return string(d.text[n.key:n.keyEnd])
}

// valueOf is the node of an argument's value or of a block's body, or nil.
func (d *document) valueOf(it source.Item) *node {
	var origin *source.Origin
	switch it := it.(type) {
	case *source.Attr:
		origin = it.Origin()
	case *source.Block:
		origin = it.From
	}
	if origin == nil {
		return nil
	}
	return d.at[int(origin.Value[0])]
}

// without returns the edits that remove items.
func (d *document) without(gone items) []textedit.Edit {
	removed := map[*node]map[*node]bool{} // by the surrounding node
	var add func(n *node)
	add = func(n *node) {
		around := n.around
		if around == nil {
			return
		}
		if removed[around] == nil {
			removed[around] = map[*node]bool{}
		}
		removed[around][n] = true
		if len(removed[around]) == len(around.members) && around.around != nil {
			add(around)
		}
	}
	for it := range gone {
		if n := d.valueOf(it); n != nil {
			add(n)
		}
	}
	var edits []textedit.Edit
	for around, members := range removed {
		if !isIn(around, removed) {
			edits = append(edits, d.runsIn(around, members)...)
		}
	}
	return edits
}

// isIn reports whether a node, or one around it, is among those that are removed.
func isIn(n *node, removed map[*node]map[*node]bool) bool {
	for ; n.around != nil; n = n.around {
		if removed[n.around][n] {
			return true
		}
	}
	return false
}

// runsIn removes members of an object or elements of an array. Remaining members keep the text
// before them.
func (d *document) runsIn(around *node, gone map[*node]bool) []textedit.Edit {
	list := around.members
	if len(gone) == len(list) {
		return []textedit.Edit{textedit.Replace(around.start+1, around.end-1, "")}
	}
	var edits []textedit.Edit
	for i := 0; i < len(list); i++ {
		if !gone[list[i]] {
			continue
		}
		last := i
		for last+1 < len(list) && gone[list[last+1]] {
			last++
		}
		if last+1 < len(list) {
			edits = append(edits, textedit.Replace(list[i].key, list[last+1].key, ""))
		} else {
			edits = append(edits, textedit.Replace(list[i-1].end, list[last].end, ""))
		}
		i = last
	}
	return edits
}

// How properties of one JSON file are repeated in another.

// property is the text of the key of a JSON object at a path, and the object to insert it into.
func (r *repetition) property(steps []*values.Path) (goal object, text, why string) {
	into, from := r.document(r.to.File), r.document(r.from.File)
	has, had := into.valueOf(r.to), from.valueOf(r.from)
	for i, s := range steps {
		if s.IsIndex || !into.isObject(has) || !from.isObject(had) {
			return object{}, "", whyNotPlain
		}
		if had = from.member(had, s.Name); had == nil {
			return object{}, "", whyNotPlain
		}
		if i < len(steps)-1 {
			has = into.member(has, s.Name)
		}
	}
	return object{json: has}, from.property(had, into, has), ""
}

// intoBody repeats properties in the body of a JSON block.
func (x *Fixer) intoBody(to *source.Block, dropped []source.Item) (insertion, string) {
	goal := x.document(to.File)
	has := goal.valueOf(to)
	if !goal.isObject(has) {
		return insertion{}, whyNotPlain
	}
	var texts []string
	known := map[*node]bool{}
	for _, it := range dropped {
		origin := x.document(it.Source())
		had := origin.valueOf(it)
		for had != nil && origin.name(had) == "" {
			had = had.around // one of several blocks that are all repeated
		}
		switch {
		case had == nil || unquoted(origin.name(had)) != it.Called():
			return insertion{}, whyNotPlain
		case !known[had]:
			known[had] = true
			texts = append(texts, origin.property(had, goal, has))
		}
	}
	return insertion{to.File, goal.into(has, texts)}, ""
}

func (d *document) isObject(n *node) bool { return n != nil && d.text[n.start] == '{' }

// member is the member of an object with a name, or nil.
func (d *document) member(object *node, name string) *node {
	if object.byName == nil {
		object.byName = map[string]*node{}
		for _, n := range object.members {
			object.byName[unquoted(d.name(n))] = n
		}
	}
	return object.byName[name]
}

// unquoted is the name that the text of a key has.
func unquoted(key string) string {
	var name string
	if json.Unmarshal([]byte(key), &name) != nil {
		return key
	}
	return name
}

// property is the text of a member, with its name, to be put into an object of another
// file.
func (d *document) property(n *node, goal *document, into *node) string {
	if text := string(d.text[n.key:n.end]); textedit.IsOneLine(text) { // which may be one of very many in its line
		return text
	}
	return d.relocated(n.key, n.end, goal, goal.indentIn(into))
}

// isSpread reports whether the members of an object are on lines of their own.
func (d *document) isSpread(object *node) bool {
	return len(object.members) > 0 && bytes.IndexByte(d.text[object.start:object.members[0].key], '\n') >= 0
}

// indentIn is the indentation of the members of an object.
func (d *document) indentIn(object *node) string {
	if d.isSpread(object) {
		return textedit.IndentAt(d.text, object.members[0].key)
	}
	return textedit.IndentAt(d.text, object.start)
}

// into puts properties into an object, behind all others.
func (d *document) into(object *node, texts []string) textedit.Edit {
	separator := ", "
	if d.isSpread(object) {
		separator = "," + d.file.LineEnd + d.indentIn(object)
	}
	added := strings.Join(texts, separator)
	if n := len(object.members); n > 0 {
		at := object.members[n-1].end
		return textedit.Replace(at, at, separator+added)
	}
	return textedit.Replace(object.start, object.end, "{"+added+"}")
}

// besideElement inserts the bodies of blocks beside the body of another one, which is an element of
// an array or becomes one. isOnly is set if no others are inserted beside it.
func (x *Fixer) besideElement(run blockRun, isOnly bool) ([]textedit.Edit, string) {
	goal := x.document(run.at.File)
	has := goal.valueOf(run.at)
	if !goal.isObject(has) || has.around == nil || isLabelled(run.at) {
		return nil, whyNotPlain
	}
	to := textedit.IndentAt(goal.text, has.start)
	var texts []string
	for _, b := range run.list {
		origin := x.document(b.File)
		had := origin.valueOf(b)
		if !origin.isObject(had) || isLabelled(b) {
			return nil, whyNotPlain
		}
		texts = append(texts, origin.relocated(had.start, had.end, goal, to))
	}
	isElement := goal.text[has.around.start] == '['
	separator, opening, closing := ", ", "", ""
	switch {
	case isElement && goal.isSpread(has.around):
		separator = "," + goal.file.LineEnd + to
	case !isElement:
		opening, closing = "[", "]"
	}
	added := strings.Join(texts, separator)
	at := func(offset int, text string) textedit.Edit { return textedit.Replace(offset, offset, text) }
	switch {
	case run.after && isOnly && !isElement:
		return []textedit.Edit{at(has.start, opening), at(has.end, separator+added+closing)}, ""
	case run.after:
		return []textedit.Edit{at(has.end, separator+added+closing)}, ""
	case isOnly && !isElement:
		return []textedit.Edit{at(has.start, opening+added+separator), at(has.end, closing)}, ""
	}
	return []textedit.Edit{at(has.start, opening+added+separator)}, ""
}

// isLabelled reports whether a block of a JSON file has more than its body: labels, or a dynamic
// type.
func isLabelled(b *source.Block) bool { return b.Type == source.DynamicBlock || len(b.Labels) > 0 }

// relocated is a stretch of the text for another file, where lines start with an indentation.
func (d *document) relocated(start, end int, goal *document, to string) string {
	from := textedit.IndentAt(d.text, start)
	text := strings.ReplaceAll(string(d.text[start:end]), "\r\n", "\n")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n"+from, "\n"+to), "\n", goal.file.LineEnd)
}
