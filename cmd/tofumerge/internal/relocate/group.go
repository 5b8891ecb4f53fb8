package relocate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// A movedFinding is an element of a list that comes from a file.
type movedFinding struct {
	list    *list
	of      *node // the list
	element *node
	to      span
}

// group maps the findings of an object that are in one file, and gives those that come from others objects
// of their own behind it.
func (d *doc) group(n *node, g *grouping) {
	f := d.fileAt(n.at(g.file), false)
	if f == nil {
		return
	}
	name, _ := d.string(n.at(g.file))
	own := name[strings.LastIndexAny(name, `/\`)+1:]
	var found []movedFinding
	names := []string{own}
	for i := range g.lists {
		of := n.at(g.lists[i].name)
		if of == nil {
			continue
		}
		for _, element := range of.kids {
			x := movedFinding{&g.lists[i], of, element, span{name: own}}
			d.moveLines(f, &x)
			found = append(found, x)
			if !slices.Contains(names, x.to.name) {
				names = append(names, x.to.name)
			}
		}
	}
	if len(names) > 1 {
		d.split(n, g, names, found)
	}
}

// moveLines maps the lines of a finding. One without lines stays.
func (d *doc) moveLines(f *File, x *movedFinding) {
	from, to, ok := d.linesOf(x.element, &x.list.shape)
	if !ok || from == 0 {
		return
	}
	spans := f.trace(from, to)
	if len(spans) == 0 {
		d.unmapped++
		return
	}
	x.to = spans[0]
	d.setLines(x.element, &x.list.shape, f, [2]int{from, to}, x.to)
}

// split writes an object for each file.
func (d *doc) split(n *node, g *grouping, names []string, found []movedFinding) {
	cut := len(d.edits)
	for cut > 0 && d.edits[cut-1].Start >= n.start {
		cut--
	}
	inner := slices.Clone(d.edits[cut:])
	slices.SortStableFunc(inner, func(a, b textedit.Edit) int { return a.Start - b.Start })
	d.edits = d.edits[:cut]
	space := n.start
	for space > 0 && strings.IndexByte(" \t\r\n", d.text[space-1]) >= 0 {
		space--
	}
	var objects []string
	for _, name := range names {
		objects = append(objects, d.part(n, g, name, name == names[0], found, inner))
	}
	text := strings.Join(objects, ","+string(d.text[space:n.start]))
	d.edits = append(d.edits, textedit.Replace(n.start, n.end, text))
}

// part is the object with the findings of one file.
func (d *doc) part(n *node, g *grouping, name string, isFirst bool, found []movedFinding, inner []textedit.Edit) string {
	file := n.at(g.file)
	was, _ := d.string(file)
	edits := []textedit.Edit{textedit.Replace(file.start, file.end, quoted(beside(was, name)))}
	counted := 0
	for i := range g.lists {
		of := n.at(g.lists[i].name)
		if of == nil || len(of.kids) == 0 {
			continue
		}
		var texts []string
		for _, x := range found {
			if x.of == of && x.to.name == name {
				texts = append(texts, string(textedit.Apply(d.text, x.element.start, x.element.end, within(inner, x.element))))
			}
		}
		if i == 0 {
			counted = len(of.kids) - len(texts)
		}
		first, last := of.kids[0], of.kids[len(of.kids)-1]
		between := "," + string(d.text[of.start+1:first.start])
		edits = append(edits, textedit.Replace(first.start, last.end, strings.Join(texts, between)))
	}
	if failed, ok := d.number(n.at(g.counts + "." + g.failed)); ok {
		at := n.at(g.counts + "." + g.failed)
		edits = append(edits, textedit.Replace(at.start, at.end, strconv.Itoa(max(0, failed-counted))))
	}
	if at := n.at(g.counts + "." + g.passed); at != nil && !isFirst {
		edits = append(edits, textedit.Replace(at.start, at.end, "0"))
	}
	return string(textedit.Apply(d.text, n.start, n.end, edits))
}

// within are the edits inside a node, of edits that are in order.
func within(edits []textedit.Edit, n *node) []textedit.Edit {
	byStart := func(e textedit.Edit, at int) int { return e.Start - at }
	from, _ := slices.BinarySearchFunc(edits, n.start, byStart)
	to, _ := slices.BinarySearchFunc(edits, n.end, byStart)
	return edits[from:to]
}
