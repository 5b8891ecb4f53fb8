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
	f := d.fileAt(d.at(n, g.file), false)
	if f == nil {
		return
	}
	name, _ := d.string(d.at(n, g.file))
	own := name[strings.LastIndexAny(name, `/\`)+1:]
	var found []movedFinding
	names := []string{own}
	for i := range g.lists {
		of := d.at(n, g.lists[i].name)
		if of == nil {
			continue
		}
		elements := d.kidsOf(of)
		for e := range elements {
			x := movedFinding{&g.lists[i], of, &elements[e], span{name: own}}
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
	for cut > 0 && d.edits[cut-1].Start >= int(n.start) {
		cut--
	}
	inner := slices.Clone(d.edits[cut:])
	slices.SortStableFunc(inner, func(a, b textedit.Edit) int { return a.Start - b.Start })
	d.edits = d.edits[:cut]
	space := int(n.start)
	for space > 0 && strings.IndexByte(" \t\r\n", d.text[space-1]) >= 0 {
		space--
	}
	var objects []string
	for _, name := range names {
		objects = append(objects, d.part(n, g, name, name == names[0], found, inner))
	}
	text := strings.Join(objects, ","+string(d.text[space:n.start]))
	d.edits = append(d.edits, d.replace(n, text))
}

// part is the object with the findings of one file.
func (d *doc) part(n *node, g *grouping, name string, isFirst bool, found []movedFinding, inner []textedit.Edit) string {
	file := d.at(n, g.file)
	was, _ := d.string(file)
	edits := []textedit.Edit{d.replace(file, quoted(beside(was, name)))}
	counted := 0
	for i := range g.lists {
		of := d.at(n, g.lists[i].name)
		if of == nil || of.from == of.to {
			continue
		}
		kids := d.kidsOf(of)
		var texts []string
		for _, x := range found {
			if x.of == of && x.to.name == name {
				texts = append(texts, string(textedit.Apply(d.text, int(x.element.start), int(x.element.end), within(inner, x.element))))
			}
		}
		if i == 0 {
			counted = len(kids) - len(texts)
		}
		first, last := kids[0], kids[len(kids)-1]
		between := "," + string(d.text[of.start+1:first.start])
		edits = append(edits, textedit.Replace(int(first.start), int(last.end), strings.Join(texts, between)))
	}
	if failed, ok := d.number(d.at(n, g.counts+"."+g.failed)); ok {
		at := d.at(n, g.counts+"."+g.failed)
		edits = append(edits, d.replace(at, strconv.Itoa(max(0, failed-counted))))
	}
	if at := d.at(n, g.counts+"."+g.passed); at != nil && !isFirst {
		edits = append(edits, d.replace(at, "0"))
	}
	return string(textedit.Apply(d.text, int(n.start), int(n.end), edits))
}

// within are the edits inside a node, of edits that are in order.
func within(edits []textedit.Edit, n *node) []textedit.Edit {
	byStart := func(e textedit.Edit, at int) int { return e.Start - at }
	from, _ := slices.BinarySearchFunc(edits, int(n.start), byStart)
	to, _ := slices.BinarySearchFunc(edits, int(n.end), byStart)
	return edits[from:to]
}
