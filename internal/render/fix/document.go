package fix

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// How JSON files are edited. A file that was loaded is valid JSON, so that
// finding the parts of its text takes no more than its brackets, strings and commas.

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

// parse takes the text apart, without recursion.
func (d *document) parse() {
	var around *node
	key, keyEnd := -1, -1
	open := func(i int) *node {
		n := &node{key: i, start: i, around: around}
		if key >= 0 {
			n.key, n.keyEnd = key, keyEnd
		}
		key = -1
		if around != nil {
			around.members = append(around.members, n)
		}
		d.at[i] = n
		return n
	}
	for i := 0; i < len(d.text); i++ {
		switch c := d.text[i]; c {
		case ' ', '\t', '\r', '\n', ',', ':', '\xef', '\xbb', '\xbf':
		case '{', '[':
			around = open(i)
		case '}', ']':
			if around != nil {
				around.end = i + 1
				around = around.around
			}
		case '"':
			end := d.stringEnd(i)
			if around != nil && d.text[around.start] == '{' && key < 0 {
				key, keyEnd = i, end
			} else {
				open(i).end = end
			}
			i = end - 1
		default:
			end := i
			for end < len(d.text) && d.text[end] != ',' && d.text[end] != '}' && d.text[end] != ']' && d.text[end] > ' ' {
				end++
			}
			open(i).end = end
			i = end - 1
		}
	}
}

// stringEnd is the offset behind the string that starts at one.
func (d *document) stringEnd(at int) int {
	for i := at + 1; i < len(d.text); i++ {
		switch d.text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(d.text)
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
		origin = it.Origin()
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
