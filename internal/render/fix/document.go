package fix

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// How JSON files are edited. A file that was loaded is valid JSON.

// A document is a JSON file, taken apart. The zero jsontree.Value stands for none.
type document struct {
	file    *source.File
	root    jsontree.Value
	around  map[jsontree.Value]jsontree.Value
	members map[jsontree.Value][]jsontree.Value
	byName  map[jsontree.Value]map[string]jsontree.Value // members by name, computed on demand
}

func (x *Fixer) document(f *source.File) *document {
	if d := x.json[f]; d != nil {
		return d
	}
	x.json[f] = newDocument(f)
	return x.json[f]
}

// newDocument takes a JSON file apart.
func newDocument(f *source.File) *document {
	d := &document{
		file: f, root: jsontree.NewReader(f.Raw).Root(), around: map[jsontree.Value]jsontree.Value{},
		members: map[jsontree.Value][]jsontree.Value{}, byName: map[jsontree.Value]map[string]jsontree.Value{},
	}
	d.add(d.root)
	return d
}

// add enters everything inside a value. The depth of values is limited when a file is read.
func (d *document) add(around jsontree.Value) {
	for v := range around.Children() {
		d.members[around], d.around[v] = append(d.members[around], v), around
		d.add(v)
	}
}

// valueOf returns an argument's value or a block's body; the zero Value for an item that no JSON made.
func (d *document) valueOf(it source.Item) jsontree.Value {
	var origin *source.Origin
	switch it := it.(type) {
	case *source.Attr:
		origin = it.Origin()
	case *source.Block:
		origin = it.From
	}
	if origin == nil {
		return jsontree.Value{}
	}
	return d.root.At(int(origin.Value[0]))
}

// without returns the edits that remove items. An object or array that would be empty is removed itself,
// except for the root.
func (d *document) without(gone items) []textedit.Edit {
	removed := map[jsontree.Value]map[jsontree.Value]bool{} // by the surrounding value
	var add func(v jsontree.Value)
	add = func(v jsontree.Value) {
		around, ok := d.around[v]
		if !ok {
			return
		}
		if removed[around] == nil {
			removed[around] = map[jsontree.Value]bool{}
		}
		removed[around][v] = true
		if len(removed[around]) == len(d.members[around]) && around != d.root {
			add(around)
		}
	}
	for it := range gone {
		add(d.valueOf(it))
	}
	var edits []textedit.Edit
	for around, members := range removed {
		if !d.isIn(around, removed) {
			edits = append(edits, d.runsIn(around, members)...)
		}
	}
	return edits
}

// isIn reports whether a value, or one around it, is among those that are removed.
func (d *document) isIn(v jsontree.Value, removed map[jsontree.Value]map[jsontree.Value]bool) bool {
	for ; v != d.root; v = d.around[v] {
		if removed[d.around[v]][v] {
			return true
		}
	}
	return false
}

// runsIn removes members of an object or elements of an array. Remaining members keep the text
// before them.
func (d *document) runsIn(around jsontree.Value, gone map[jsontree.Value]bool) (edits []textedit.Edit) {
	list := d.members[around]
	if len(gone) == len(list) {
		return []textedit.Edit{textedit.Replace(around.Start()+1, around.End()-1, "")}
	}
	for i := 0; i < len(list); i++ {
		if !gone[list[i]] {
			continue
		}
		last := i
		for last+1 < len(list) && gone[list[last+1]] {
			last++
		}
		if last+1 < len(list) {
			edits = append(edits, textedit.Replace(list[i].From(), list[last+1].From(), ""))
		} else {
			edits = append(edits, textedit.Replace(list[i-1].End(), list[last].End(), ""))
		}
		i = last
	}
	return edits
}

// How properties of one JSON file are repeated in another.

// jsonKey returns the text of the key of a JSON object at a path, and the object to insert it into, or why
// it can't.
func (r *repetition) jsonKey(steps []*values.Path) (goal object, text, why string) {
	into, from := r.document(r.to.File), r.document(r.from.File)
	has, had := into.valueOf(r.to), from.valueOf(r.from)
	for i, s := range steps {
		if s.IsIndex || has.Kind() != '{' || had.Kind() != '{' {
			return object{}, "", whyNotPlain
		}
		if had = from.member(had, s.Name); had == (jsontree.Value{}) {
			return object{}, "", whyNotPlain
		}
		if i < len(steps)-1 {
			has = into.member(has, s.Name)
		}
	}
	return object{json: has}, from.property(had, into, has), ""
}

// intoBody repeats properties in the body of a JSON block, or says why it can't.
func (x *Fixer) intoBody(to *source.Block, dropped []source.Item) (insertion, string) {
	goal := x.document(to.File)
	has := goal.valueOf(to)
	if has.Kind() != '{' {
		return insertion{}, whyNotPlain
	}
	var texts []string
	known := map[jsontree.Value]bool{}
	for _, it := range dropped {
		origin := x.document(it.Source())
		had := origin.valueOf(it)
		for had != (jsontree.Value{}) && !had.IsMember() {
			had = origin.around[had] // one of several blocks that are all repeated
		}
		switch {
		case had == (jsontree.Value{}) || had.Name() != it.Called():
			return insertion{}, whyNotPlain
		case !known[had]:
			known[had] = true
			texts = append(texts, origin.property(had, goal, has))
		}
	}
	return insertion{to.File, goal.insertInto(has, texts)}, ""
}

// member returns the last member of an object with a name; the zero Value if there is none.
func (d *document) member(object jsontree.Value, name string) jsontree.Value {
	if d.byName[object] == nil {
		d.byName[object] = map[string]jsontree.Value{}
		for _, v := range d.members[object] {
			d.byName[object][v.Name()] = v
		}
	}
	return d.byName[object][name]
}

// property returns the text of a member, with its name, to be put into an object of another file.
func (d *document) property(v jsontree.Value, goal *document, into jsontree.Value) string {
	if text := string(d.file.Raw[v.From():v.End()]); textedit.IsOneLine(text) { // which may be one of very many in its line
		return text
	}
	return d.relocated(v.From(), v.End(), goal, goal.indentIn(into))
}

// isSpread reports whether the members of an object are on lines of their own.
func (d *document) isSpread(object jsontree.Value) bool {
	list := d.members[object]
	return len(list) > 0 && bytes.IndexByte(d.file.Raw[object.Start():list[0].From()], '\n') >= 0
}

// indentIn returns the indentation of the members of an object.
func (d *document) indentIn(object jsontree.Value) string {
	if d.isSpread(object) {
		return textedit.IndentAt(d.file.Raw, d.members[object][0].From())
	}
	return textedit.IndentAt(d.file.Raw, object.Start())
}

// insertInto puts properties into an object, behind all others.
func (d *document) insertInto(object jsontree.Value, texts []string) textedit.Edit {
	separator := ", "
	if d.isSpread(object) {
		separator = "," + d.file.LineEnd + d.indentIn(object)
	}
	added := strings.Join(texts, separator)
	if list := d.members[object]; len(list) > 0 {
		at := list[len(list)-1].End()
		return textedit.Replace(at, at, separator+added)
	}
	return textedit.Replace(object.Start(), object.End(), "{"+added+"}")
}

// besideElement inserts the bodies of blocks beside the body of another one, which is an element of an
// array or becomes one, or says why it can't. isOnly is set if no others are inserted beside it; otherwise
// the run before the body opens the array, and the one behind closes it.
func (x *Fixer) besideElement(run blockRun, isOnly bool) ([]textedit.Edit, string) {
	goal := x.document(run.at.File)
	has := goal.valueOf(run.at)
	around, isInside := goal.around[has]
	if has.Kind() != '{' || !isInside || isLabelled(run.at) {
		return nil, whyNotPlain
	}
	to := textedit.IndentAt(goal.file.Raw, has.Start())
	var texts []string
	for _, b := range run.list {
		origin := x.document(b.File)
		had := origin.valueOf(b)
		if had.Kind() != '{' || isLabelled(b) {
			return nil, whyNotPlain
		}
		texts = append(texts, origin.relocated(had.Start(), had.End(), goal, to))
	}
	isElement := around.Kind() == '['
	separator, opening, closing := ", ", "", ""
	switch {
	case isElement && goal.isSpread(around):
		separator = "," + goal.file.LineEnd + to
	case !isElement:
		opening, closing = "[", "]"
	}
	added := strings.Join(texts, separator)
	at := func(offset int, text string) textedit.Edit { return textedit.Replace(offset, offset, text) }
	switch {
	case run.after && isOnly && !isElement:
		return []textedit.Edit{at(has.Start(), opening), at(has.End(), separator+added+closing)}, ""
	case run.after:
		return []textedit.Edit{at(has.End(), separator+added+closing)}, ""
	case isOnly && !isElement:
		return []textedit.Edit{at(has.Start(), opening+added+separator), at(has.End(), closing)}, ""
	}
	return []textedit.Edit{at(has.Start(), opening+added+separator)}, ""
}

// isLabelled reports whether a block of a JSON file has more than its body: labels, or a dynamic
// type.
func isLabelled(b *source.Block) bool { return b.Type == source.DynamicBlock || len(b.Labels) > 0 }

// relocated returns a stretch of the text for another file, where lines start with an indentation.
func (d *document) relocated(start, end int, goal *document, to string) string {
	from := textedit.IndentAt(d.file.Raw, start)
	text := strings.ReplaceAll(string(d.file.Raw[start:end]), "\r\n", "\n")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n"+from, "\n"+to), "\n", goal.file.LineEnd)
}
