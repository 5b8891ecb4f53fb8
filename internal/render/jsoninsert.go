package render

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// What a JSON file gets that it did not have, and what it can't have.

// add puts a block into the file that only overrides declare: beside what has
// its type and labels as far as there is such, else at the end of the file or, if
// it opens the module, at its beginning.
func (ed *jsonEditor) add(q *piece, first bool) {
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
	ed.insert(root, end, append([]string{b.Type}, b.Labels...), body, first)
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
func (ed *jsonEditor) insert(from, to int, names []string, n node, first bool) {
	old := ed.file.Given[from:to]
	indent := indentAt(ed.file.Given, from)
	switch {
	case len(names) == 0 && old[0] == '{':
		ed.wrap(from, to, ed.laidOut(n, indent))
		return
	case old[0] == '[':
		ed.extend(from, old, indent, "", labelled(names, n), first)
		return
	}
	for _, p := range partsOf(old) {
		if p.name == names[0] && (old[p.start] == '{' || old[p.start] == '[') {
			ed.insert(from+p.start, from+p.end, names[1:], n, first)
			return
		}
	}
	ed.extend(from, old, indent, names[0], labelled(names[1:], n), first)
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

// extend adds a part, which in an object has a name, at one end of a value.
func (ed *jsonEditor) extend(from int, old []byte, indent, name string, n node, first bool) {
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
	value := key + ed.laidOut(n, sp.inner)
	if first {
		at := from + parts[0].key
		ed.put(at, at, value+","+sp.between)
		return
	}
	at := from + parts[len(parts)-1].end
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

func hasComments(text []byte) bool {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	return slices.ContainsFunc(tokens, func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenComment })
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
			if hasComments(f.Src[t.Lead:t.End]) {
				list = append(list, it)
			}
		}
		if e.Inner != nil && e.Place != nil {
			list = append(list, commentedIn(e.Inner)...)
		}
	}
	return list
}
