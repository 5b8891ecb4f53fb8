package rewrite

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Additions to a JSON file, and parts that it can't have.

// A spot is the position for a new property in a JSON value: before all others, behind the property
// at an offset of the file, or behind all.
type spot struct {
	first  bool
	behind int
}

// addAll inserts the blocks that only overrides declare: beside blocks with the same type and
// labels as far as possible, else at their spot.
func (ed *editor) addAll(blocks []*plan.Block, where spot) {
	if len(blocks) == 0 {
		return
	}
	added, labels := &jsonvalue.Object{}, map[string]int{}
	ed.gather(blocks, added, labels)
	ed.insertAtRoot(added, labels, where)
}

// insertAtRoot inserts the members of an object into the file. labels is the number of labels of
// each block type.
func (ed *editor) insertAtRoot(added *jsonvalue.Object, labels map[string]int, where spot) {
	root := jsontree.RootStart(ed.given)
	end := len(bytes.TrimRight(ed.given, " \t\r\n"))
	ed.insert(root, end, added, func(name string) int { return labels[name] }, where)
}

// Add returns a text of a JSON file with more blocks behind all others. Diagnostics are warnings of
// anything that JSON can't express.
func Add(text []byte, eol string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
	ed := newEditor(text, eol)
	document, diags := jsonout.Made(parts)
	labels := map[string]int{}
	for _, m := range parts {
		b := m.Item.(*source.Block)
		labels[b.Type] = len(b.Labels)
	}
	ed.insertAtRoot(document.Root(), labels, spot{behind: len(text)})
	ed.endWrappings()
	return textedit.Apply(text, 0, len(text), ed.edits), diags
}

// gather puts blocks into one object, and notes how many labels each type has.
func (ed *editor) gather(blocks []*plan.Block, all *jsonvalue.Object, labels map[string]int) {
	for _, b := range blocks {
		labels[b.Source.Type] = len(b.Source.Labels)
		jsonout.PutBlock(all, b.Source, ed.Body(b))
		ed.gather(b.Behind, all, labels)
	}
}

// insert puts the members of an object into the value at from to to. levels returns how
// many labels are between a member's name and its body.
func (ed *editor) insert(from, to int, n *jsonvalue.Object, levels func(string) int, where spot) {
	old := ed.given[from:to]
	if old[0] == '[' {
		ed.extend(from, to, []string{""}, []jsonvalue.Node{n}, where)
		return
	}
	first := ed.apart(from, to).first
	fresh := &jsonvalue.Object{}
	for i, name := range n.Names {
		if part, ok := first[name]; ok {
			ed.beside(from+part.start, from+part.end, n.Values[i], levels(name), where)
		} else {
			fresh.Add(name, n.Values[i])
		}
	}
	if len(fresh.Names) > 0 {
		ed.extend(from, to, fresh.Names, fresh.Values, where)
	}
}

// beside inserts a value beside the value between from and to, which has the same name.
func (ed *editor) beside(from, to int, n jsonvalue.Node, levels int, where spot) {
	old := ed.given[from:to]
	inner, isObject := n.(*jsonvalue.Object)
	bodies, several := n.(jsonvalue.Array)
	switch {
	case levels > 0 && isObject && old[0] == '{':
		ed.insert(from, to, inner, func(string) int { return levels - 1 }, where)
		return
	case !several:
		bodies = jsonvalue.Array{n}
	}
	if old[0] == '[' {
		ed.extend(from, to, make([]string, len(bodies)), bodies, where)
		return
	}
	for _, body := range bodies {
		ed.wrap(from, to, ed.laidOut(body, ed.indentAt(from)))
	}
}

// wrap makes an array of a body and another one.
func (ed *editor) wrap(from, to int, other string) {
	w := ed.wrapped[from]
	if w == nil {
		ed.put(from, from, "[")
		w = &arrayWrap{end: len(ed.edits)}
		ed.wrapped[from] = w
		ed.put(to, to, "")
	}
	w.others = append(w.others, other)
}

// An arrayWrap makes an array of a body, with others behind it.
type arrayWrap struct {
	end    int // the edit that ends the array
	others []string
}

// endWrappings sets the texts that end the arrays of wrapped bodies.
func (ed *editor) endWrappings() {
	for _, w := range ed.wrapped {
		ed.edits[w.end].Text = ", " + strings.Join(w.others, ", ") + "]"
	}
}

// extend adds parts, which in an object have names, to a value.
func (ed *editor) extend(from, to int, names []string, values []jsonvalue.Node, where spot) {
	old, parts := ed.given[from:to], ed.apart(from, to).parts
	indent, eol := ed.indentAt(from), ed.eol
	sp := spacing{between: eol + indent + ed.unit, inner: indent + ed.unit}
	if len(parts) > 0 {
		sp = spacingOf(old, parts, indent, eol)
	}
	var texts []string
	for i, n := range values {
		text := ed.fitting(n, sp)
		if old[0] == '{' {
			text = string(jsonvalue.Quote(names[i])) + ": " + text
		}
		texts = append(texts, text)
	}
	added := strings.Join(texts, ","+sp.between)
	switch {
	case len(parts) == 0:
		ed.put(from, from+len(old), string(old[0])+sp.between+added+eol+indent+string(old[len(old)-1]))
	case where.first:
		at := from + parts[0].key
		ed.put(at, at, added+","+sp.between)
	default:
		at := from + where.among(parts, from).end
		ed.put(at, at, ","+sp.between+added)
	}
}

// among is the part behind which new ones are inserted: the part at the spot, else the last one.
func (where spot) among(parts []jsonPart, from int) jsonPart {
	i := sort.Search(len(parts), func(i int) bool { return where.behind < from+parts[i].end })
	if i < len(parts) && from+parts[i].key <= where.behind {
		return parts[i]
	}
	return parts[len(parts)-1]
}

// jsonParts are the parts of an object or an array of the file.
type jsonParts struct {
	parts []jsonPart
	first map[string]jsonPart // those that are objects or arrays, the first of each name
}

// apart takes the value at from to to apart, once.
func (ed *editor) apart(from, to int) jsonParts {
	if d, known := ed.known[[2]int{from, to}]; known {
		return d
	}
	old := ed.given[from:to]
	d := jsonParts{partsOf(old), map[string]jsonPart{}}
	for _, part := range slices.Backward(d.parts) {
		if old[part.start] == '{' || old[part.start] == '[' {
			d.first[part.name] = part
		}
	}
	ed.known[[2]int{from, to}] = d
	return d
}

func (ed *editor) put(from, to int, text string) {
	ed.edits = append(ed.edits, textedit.Replace(from, to, text))
}
