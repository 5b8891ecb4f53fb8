package fix

import (
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
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
	d := &document{file: f, text: f.Raw, at: map[int]*node{}}
	d.parse()
	x.json[f] = d
	return d
}

// parse takes the text apart.
func (d *document) parse() { d.add(jsontree.NewReader(d.text).Root(), nil) }

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
