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

// A document is a JSON file whose values can be looked up. The zero jsontree.Value stands for none.
type document struct {
	file    *source.File
	root    jsontree.Value
	around  map[jsontree.Value]jsontree.Value            // of each value but the root, the object or array that holds it
	members map[jsontree.Value][]jsontree.Value          // of an object or array, what it holds, in order
	byName  map[jsontree.Value]map[string]jsontree.Value // members by name, computed on demand
}

// document returns the document of a JSON file, which it makes once.
func (x *Fixer) document(f *source.File) *document {
	if d := x.json[f]; d != nil {
		return d
	}
	x.json[f] = newDocument(f)
	return x.json[f]
}

// newDocument returns the document of a JSON file, with every value in it indexed.
func newDocument(f *source.File) *document {
	d := &document{
		file: f, root: jsontree.NewReader(f.Raw).Root(), around: map[jsontree.Value]jsontree.Value{},
		members: map[jsontree.Value][]jsontree.Value{}, byName: map[jsontree.Value]map[string]jsontree.Value{},
	}
	d.index(d.root)
	return d
}

// index enters everything inside a value, at any depth, in around and members. The depth is limited when a file is
// read.
func (d *document) index(around jsontree.Value) {
	for v := range around.Children() {
		d.members[around], d.around[v] = append(d.members[around], v), around
		d.index(v)
	}
}

// valueOf returns the JSON value of an argument, or the JSON object that is a block's body. It returns the zero Value
// for an item of a native file.
func (d *document) valueOf(it source.Item) jsontree.Value {
	var origin *source.Origin
	switch it := it.(type) {
	case *source.Attr:
		origin = it.Origin()
	case *source.Block:
		origin = it.From
	}
	if origin == nil { // of a native file
		return jsontree.Value{}
	}
	return d.root.At(int(origin.Value[0]))
}

// removalEdits returns the edits that remove items, in no order. An object or array that would be empty is removed
// itself, unless it is the root.
func (d *document) removalEdits(gone items) []textedit.Edit {
	removed := map[jsontree.Value]map[jsontree.Value]bool{} // by the surrounding value
	var add func(v jsontree.Value)
	// Enters v in removed, and then each value around it that is left empty.
	add = func(v jsontree.Value) {
		around, isInside := d.around[v]
		if !isInside { // v is the root, or there is none
			return
		}
		if removed[around] == nil {
			removed[around] = map[jsontree.Value]bool{}
		}
		removed[around][v] = true
		if len(removed[around]) == len(d.members[around]) && around != d.root {
			add(around) // nothing is left in it
		}
	}
	for it := range gone {
		add(d.valueOf(it))
	}
	var edits []textedit.Edit
	for around, members := range removed {
		if !d.isRemoved(around, removed) { // otherwise a surrounding value goes, with all of this
			edits = append(edits, d.removeMembers(around, members)...)
		}
	}
	return edits
}

// isRemoved reports whether a value, or one around it, is removed. removed holds the removed values by the value
// around them.
func (d *document) isRemoved(v jsontree.Value, removed map[jsontree.Value]map[jsontree.Value]bool) bool {
	for ; v != d.root; v = d.around[v] {
		if removed[d.around[v]][v] {
			return true
		}
	}
	return false
}

// removeMembers returns the edits that remove members of an object, or elements of an array, that are in gone.
// Remaining ones keep the text before them.
func (d *document) removeMembers(around jsontree.Value, gone map[jsontree.Value]bool) (edits []textedit.Edit) {
	list := d.members[around]
	if len(gone) == len(list) { // only at the root: elsewhere the value itself is removed
		return []textedit.Edit{textedit.Replace(around.Start()+1, around.End()-1, "")} // {} stays
	}
	for i := 0; i < len(list); i++ {
		if !gone[list[i]] {
			continue
		}
		// Members that follow each other go in one edit: those from i through last.
		last := i
		for last+1 < len(list) && gone[list[last+1]] {
			last++
		}
		if last+1 < len(list) {
			edits = append(edits, textedit.Replace(list[i].From(), list[last+1].From(), "")) // with the commas behind them
		} else { // up to the end: since others remain, one precedes them
			edits = append(edits, textedit.Replace(list[i-1].End(), list[last].End(), "")) // with the comma before them
		}
		i = last
	}
	return edits
}

// How properties of one JSON file are repeated in another.

// jsonKey looks up a dropped key in the JSON argument r.from; steps are the path to it. It returns the object of r.to
// in which the key belongs and the text of the property to insert there, or why it can't be inserted.
func (r *repetition) jsonKey(steps []*values.Path) (goal object, text, why string) {
	into, from := r.document(r.to.File), r.document(r.from.File)
	target, lost := into.valueOf(r.to), from.valueOf(r.from)
	// Follow the path in both arguments; every value on the way must be an object.
	for i, s := range steps {
		if s.IsIndex || target.Kind() != '{' || lost.Kind() != '{' {
			return object{}, "", whyNotPlain
		}
		if lost = from.member(lost, s.Name); lost == (jsontree.Value{}) {
			return object{}, "", whyNotPlain
		}
		if i < len(steps)-1 { // the last step is the key itself, which target lacks
			target = into.member(target, s.Name)
		}
	}
	return object{json: target}, from.memberText(lost, into, target), ""
}

// insertIntoBody repeats dropped items as properties of the body of to, a block of a JSON file, or says why it can't.
// It copies whole properties: dropped has all items of a name or none, so the blocks in one property come together.
func (x *Fixer) insertIntoBody(to *source.Block, dropped []source.Item) (insertion, string) {
	goal := x.document(to.File)
	body := goal.valueOf(to)
	if body.Kind() != '{' {
		return insertion{}, whyNotPlain
	}
	var texts []string
	copied := map[jsontree.Value]bool{}
	for _, it := range dropped {
		origin := x.document(it.Source())
		lost := origin.valueOf(it)
		for lost != (jsontree.Value{}) && !lost.IsMember() {
			lost = origin.around[lost] // from one of several blocks to the property with all of them
		}
		switch {
		case lost == (jsontree.Value{}) || lost.Name() != it.Called(): // named by its label: "TYPE": {"LABEL": {…}}
			return insertion{}, whyNotPlain
		case !copied[lost]: // several blocks may be in one property
			copied[lost] = true
			texts = append(texts, origin.memberText(lost, goal, body))
		}
	}
	return insertion{to.File, goal.appendMembers(body, texts)}, ""
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

// memberText returns the text of v, a member of an object of d, with its name. It is indented for into, an object of
// the document goal.
func (d *document) memberText(v jsontree.Value, goal *document, into jsontree.Value) string {
	// One line needs no indenting: looking for the indentation takes long if very many members are on one line.
	if text := string(d.file.Raw[v.From():v.End()]); textedit.IsOneLine(text) {
		return text
	}
	return d.relocated(v.From(), v.End(), goal, goal.indentIn(into))
}

// isSpread reports whether the members of an object, or the elements of an array, are on lines of their own.
func (d *document) isSpread(object jsontree.Value) bool {
	list := d.members[object]
	return len(list) > 0 && bytes.IndexByte(d.file.Raw[object.Start():list[0].From()], '\n') >= 0
}

// indentIn returns the indentation for members of an object.
func (d *document) indentIn(object jsontree.Value) string {
	if d.isSpread(object) {
		return textedit.IndentAt(d.file.Raw, d.members[object][0].From())
	}
	return textedit.IndentAt(d.file.Raw, object.Start())
}

// appendMembers returns the edit that adds properties, given as texts, behind all members of an object.
func (d *document) appendMembers(object jsontree.Value, texts []string) textedit.Edit {
	separator := ", "
	if d.isSpread(object) {
		separator = "," + d.file.LineEnd + d.indentIn(object)
	}
	added := strings.Join(texts, separator)
	if list := d.members[object]; len(list) > 0 {
		at := list[len(list)-1].End()
		return textedit.Replace(at, at, separator+added)
	}
	// An empty object is replaced.
	return textedit.Replace(object.Start(), object.End(), "{"+added+"}")
}

// insertBesideElement inserts the bodies of a run of blocks beside the body of run.at, or says why it can't. A body
// that isn't in an array becomes an element of a new one: "rule": B becomes "rule": [A, B]. isOnly is set if no other
// run is inserted. If two runs go around such a body, the one before it inserts "[A, " and the one behind it ", C]".
func (x *Fixer) insertBesideElement(run blockRun, isOnly bool) ([]textedit.Edit, string) {
	goal := x.document(run.at.File)
	neighbour := goal.valueOf(run.at)
	around, isInside := goal.around[neighbour]
	if neighbour.Kind() != '{' || !isInside || isLabelled(run.at) {
		return nil, whyNotPlain
	}
	// The bodies of the run, indented as the line on which the neighbour starts.
	to := textedit.IndentAt(goal.file.Raw, neighbour.Start())
	var texts []string
	for _, b := range run.list {
		origin := x.document(b.File)
		body := origin.valueOf(b)
		if body.Kind() != '{' || isLabelled(b) {
			return nil, whyNotPlain
		}
		texts = append(texts, origin.relocated(body.Start(), body.End(), goal, to))
	}
	// In an array that has its elements on lines of their own, the new ones get lines, too.
	isElement, separator := around.Kind() == '[', ", "
	if isElement && goal.isSpread(around) {
		separator = "," + goal.file.LineEnd + to
	}
	added := strings.Join(texts, separator)
	before, after := "", "" // what is inserted on each side of the neighbour
	if run.after {
		after = separator + added
	} else {
		before = added + separator
	}
	// A body outside of an array needs brackets: both from an only run, else one from each.
	if !isElement && (isOnly || !run.after) {
		before = "[" + before
	}
	if !isElement && (isOnly || run.after) {
		after += "]"
	}
	var edits []textedit.Edit
	if before != "" {
		edits = append(edits, textedit.Replace(neighbour.Start(), neighbour.Start(), before))
	}
	if after != "" {
		edits = append(edits, textedit.Replace(neighbour.End(), neighbour.End(), after))
	}
	return edits, ""
}

// isLabelled reports whether a block of a JSON file is more than its body: it also has labels, or it is dynamic.
func isLabelled(b *source.Block) bool { return b.Type == source.DynamicBlock || len(b.Labels) > 0 }

// relocated returns the text from start to end for the file of goal, with its line ends. Lines that are indented like
// the first one, or deeper, get the indentation to instead.
func (d *document) relocated(start, end int, goal *document, to string) string {
	from := textedit.IndentAt(d.file.Raw, start)
	text := strings.ReplaceAll(string(d.file.Raw[start:end]), "\r\n", "\n")
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n"+from, "\n"+to), "\n", goal.file.LineEnd)
}
