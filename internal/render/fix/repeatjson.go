package fix

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// How properties of one JSON file are repeated in another.

// property is the text of the key of a JSON object at a path, and the object to insert it into.
func (r *repetition) property(steps []*changes.Path) (goal object, text, why string) {
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
