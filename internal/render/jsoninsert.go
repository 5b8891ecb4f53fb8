package render

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// What a JSON file gets that it did not have, and what it can't have.

// A spot is where a property goes in a JSON value: before all others, behind the
// one that an offset of the file is in, or behind all.
type spot struct {
	first  bool
	behind int
}

func (ed *jsonEditor) addAll(pieces []*piece, where spot) {
	for _, q := range pieces {
		ed.add(q, where)
		ed.addAll(q.added, where)
	}
}

// add puts a block into the file that only overrides declare: beside what has
// its type and labels as far as there is such, else at its spot.
func (ed *jsonEditor) add(q *piece, where spot) {
	b := ed.grower.Tree(q.block)
	shape, _ := load.Root.Inner(b)
	var body node
	if a, ok := q.only.(*load.Attr); ok {
		o := &object{}
		o.add(a.Name, attrJSON(a, nil, shape.Body))
		body = o
	} else {
		body = ed.body(q.content, b, shape.Body)
	}
	root := load.RootStart(ed.file.Given)
	end := len(bytes.TrimRight(ed.file.Given, " \t\r\n"))
	ed.insert(root, end, append([]string{b.Type}, b.Labels...), body, where)
}

// labelled puts names around a node.
func labelled(names []string, n node) node {
	for _, name := range slices.Backward(names) {
		o := &object{}
		o.add(name, n)
		n = o
	}
	return n
}

// insert puts a node that names lead to into the value at from to to.
func (ed *jsonEditor) insert(from, to int, names []string, n node, where spot) {
	old := ed.file.Given[from:to]
	indent := indentAt(ed.file.Given, from)
	switch {
	case len(names) == 0 && old[0] == '{':
		ed.wrap(from, to, ed.laidOut(n, indent))
		return
	case old[0] == '[':
		ed.extend(from, old, indent, "", labelled(names, n), where)
		return
	}
	for _, p := range partsOf(old) {
		if p.name == names[0] && (old[p.start] == '{' || old[p.start] == '[') {
			ed.insert(from+p.start, from+p.end, names[1:], n, where)
			return
		}
	}
	ed.extend(from, old, indent, names[0], labelled(names[1:], n), where)
}

// wrap makes an array of a body and another one.
func (ed *jsonEditor) wrap(from, to int, other string) {
	if i, again := ed.wrapped[from]; again {
		end := &ed.edits[i]
		end.text = strings.TrimSuffix(end.text, "]") + ", " + other + "]"
		return
	}
	ed.put(from, from, "[")
	ed.wrapped[from] = len(ed.edits)
	ed.put(to, to, ", "+other+"]")
}

// extend adds a part, which in an object has a name, to a value.
func (ed *jsonEditor) extend(from int, old []byte, indent, name string, n node, where spot) {
	parts := partsOf(old)
	key := ""
	if old[0] == '{' {
		key = string(quoteJSON(name)) + ": "
	}
	if len(parts) == 0 {
		inner, eol := indent+ed.unit, ed.file.LineEnd
		ed.put(from, from+len(old), string(old[0])+eol+inner+key+ed.laidOut(n, inner)+eol+indent+string(old[len(old)-1]))
		return
	}
	sp := spacingOf(old, parts, indent, ed.file.LineEnd)
	value := key + ed.fitting(n, sp)
	if where.first {
		at := from + parts[0].key
		ed.put(at, at, value+","+sp.between)
		return
	}
	after := parts[len(parts)-1]
	for _, p := range parts {
		if from+p.key <= where.behind && where.behind < from+p.end {
			after = p
		}
	}
	at := from + after.end
	ed.put(at, at, ","+sp.between+value)
}

func (ed *jsonEditor) put(from, to int, text string) {
	ed.edits = append(ed.edits, edit{from, to, text})
}

// lostComments lists the items of native override files with comments that a JSON
// file can't keep.
func lostComments(p *printed) []load.Item {
	var list []load.Item
	touched := p.extra()
	for _, i := range p.indexes() {
		touched = append(touched, p.pieces[i])
	}
	for _, q := range touched {
		if q.content != nil && q.touched {
			list = append(list, commentedIn(q.content)...)
		}
	}
	return list
}

func commentedIn(c *merge.Content) []load.Item {
	var list []load.Item
	for _, e := range c.Entries {
		for _, it := range e.Live {
			f := it.Source()
			if f.Role != load.Override || f.Syntax != load.Native || e.Inner != nil && e.Place != nil {
				continue
			}
			t := load.TriviaOf(it)
			if len(load.CommentsIn(f.Src[t.Lead:t.End])) > 0 {
				list = append(list, it)
			}
		}
		if e.Inner != nil && e.Place != nil {
			list = append(list, commentedIn(e.Inner)...)
		}
	}
	return list
}
