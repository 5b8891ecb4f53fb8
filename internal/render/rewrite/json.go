package rewrite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// An editor turns a JSON file into its merged form.
type editor struct {
	*jsonout.Writer
	given   []byte // the text of the file
	root    jsontree.Value
	eol     string
	unit    string // one level of indentation
	lines   []int  // where they start
	edits   []textedit.Edit
	wrapped map[jsontree.Value]*arrayWrap
	known   map[jsontree.Value]takenApart
}

// Edits returns the edits to a JSON file's text that make the merge's changes in it. Diagnostics
// are warnings of changes that JSON can't express.
func Edits(m *merge.Module, file *plan.File) ([]textedit.Edit, hcl.Diagnostics) {
	ed := newEditor(file.File.Raw, file.File.LineEnd)
	ed.editFile(file)
	diags := ed.Diags
	for _, it := range lostComments(file) {
		diags = append(diags, commentLost(it, file.File.Name))
	}
	m.Source.Places(diags)
	return ed.edits, diags
}

// newEditor returns an editor of a JSON text. What it adds takes over the indentation of the text.
func newEditor(given []byte, eol string) *editor {
	return &editor{
		Writer:  &jsonout.Writer{},
		given:   given,
		root:    jsontree.NewReader(given).Root(),
		eol:     eol,
		unit:    unitOf(given),
		lines:   textedit.LineStarts(given),
		wrapped: map[jsontree.Value]*arrayWrap{},
		known:   map[jsontree.Value]takenApart{},
	}
}

// editFile makes the edits to a file: the blocks that it gets from elsewhere, and those of its own that
// overrides changed.
func (ed *editor) editFile(file *plan.File) {
	if ed.root.IsEmpty() {
		ed.addAll(slices.Concat(file.Before, file.After), spot{})
		return // there is nothing else
	}
	ed.addAll(file.Before, spot{first: true})
	for _, i := range file.Indexes() {
		behind, _ := source.Spread(file.Blocks[i].Source)
		ed.addAll(file.Blocks[i].Behind, spot{behind: behind})
	}
	ed.addAll(file.After, spot{behind: -1})
	ed.endWrappings()
	for _, i := range file.Indexes() {
		if b := file.Blocks[i]; b.Changed {
			ed.block(b)
		}
	}
}

// unitOf returns the indentation of a file's first indented line.
func unitOf(src []byte) string {
	for line := range bytes.Lines(src) {
		rest := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:n])
		}
	}
	return textedit.IndentUnit
}

// block rewrites what differs in the body of a block that overrides changed.
func (ed *editor) block(b *plan.Block) {
	old := ed.root.At(int(b.Source.From.Value[0]))
	text := ed.patched(old, ed.Body(b), bodyScope{content: b.Content}, ed.indentAt(old.Start()))
	if text != string(old.Raw()) {
		ed.put(old.Start(), old.End(), text)
	}
}

// indentAt returns the blanks that start the line of an offset. It looks the line up in a table: a file
// may be one long line, which would be scanned for each offset.
func (ed *editor) indentAt(at int) string {
	start := ed.lines[sort.SearchInts(ed.lines, at+1)-1]
	rest := bytes.TrimLeft(ed.given[start:at], " \t")
	return string(ed.given[start : at-len(rest)])
}

// CommentLost is the code of warnings about comments that JSON can't hold.
const CommentLost diag.Code = "comment-lost"

// commentLost warns of a comment that a JSON file can't hold.
func commentLost(it source.Item, name string) *hcl.Diagnostic {
	return diag.WithCode(CommentLost, diag.Warning(
		it.Header(), "Comment is lost", "JSON doesn't allow comments, so %s is written to %s without its comment.",
		diag.Escape(it.Called()), diag.FileName(name),
	))
}

// CommentsLeftOut warns of comments that a file which is made of parts can't have: a JSON file those
// of native parts, and a native file the comment properties of JSON.
func CommentsLeftOut(parts []*merge.Part, name string) (diags hcl.Diagnostics) {
	for _, m := range parts {
		if isJSON := strings.HasSuffix(name, ".json"); isJSON == (m.Item.Source().Syntax == source.JSON) {
			continue
		}
		if hasComments(m) {
			d := commentLost(m.Item, name)
			d.Summary = "Comment is left out"
			if m.Item.Source().Syntax == source.JSON {
				d.Detail = fmt.Sprintf("Native syntax doesn't allow comment properties, so %s is written to %s without them.", diag.Escape(m.Item.Called()), diag.FileName(name))
			}
			diags = append(diags, d)
		}
		if m.IsPartial {
			diags = append(diags, CommentsLeftOut(m.Held, name)...)
		}
	}
	return diags
}

// lostComments lists the items of native override files with comments that a JSON
// file can't keep.
func lostComments(file *plan.File) (list []source.Item) {
	for _, b := range file.Made() {
		if b.Content != nil {
			list = append(list, commentedIn(b.Content)...)
		}
	}
	return list
}

// commentedIn lists the items of a body that native override files supply together with comments. It looks into
// blocks that a primary file has; any other block is one item.
func commentedIn(c *merge.MergedBody) (list []source.Item) {
	for _, e := range c.Items {
		for _, it := range e.Live {
			f := it.Source()
			if f.Role != source.Override || f.Syntax != source.Native || e.Inner() != nil && e.Place != nil {
				continue
			}
			around := source.TriviaOf(it)
			if len(parse.CommentTexts(f.Native[around.Lead:around.End])) > 0 {
				list = append(list, it)
			}
		}
		if e.Inner() != nil && e.Place != nil {
			list = append(list, commentedIn(e.Inner())...)
		}
	}
	return list
}

// hasComments reports whether comments belong to a part: around it, if those are wanted, or in it,
// unless only its contents are written.
func hasComments(m *merge.Part) bool {
	f, isWhole := m.Item.Source(), !m.IsPartial && m.Void == ""
	if f.Syntax == source.JSON {
		found := false
		if b, isBlock := m.Item.(*source.Block); isBlock && isWhole {
			b.EachRemark(func([2]uint32) { found = true })
		}
		return found
	}
	count := func(from, to int) int { return len(parse.CommentTexts(f.Native[from:max(from, to)])) }
	around, at := source.TriviaOf(m.Item), m.Item.Extent()
	return m.HasLead && count(around.Lead, at.Start.Byte) > 0 || m.HasTail && count(at.End.Byte, around.End) > 0 ||
		isWhole && count(at.Start.Byte, at.End.Byte) > 0
}

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
	added, labels := &jsontree.Object{}, map[string]int{}
	ed.gather(blocks, added, labels)
	ed.insertAtRoot(added, labels, where)
}

// insertAtRoot inserts the members of an object into the file. labels is the number of labels of
// each block type.
func (ed *editor) insertAtRoot(added *jsontree.Object, labels map[string]int, where spot) {
	ed.insert(ed.root, added, func(name string) int { return labels[name] }, where)
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
func (ed *editor) gather(blocks []*plan.Block, all *jsontree.Object, labels map[string]int) {
	for _, b := range blocks {
		labels[b.Source.Type] = len(b.Source.Labels)
		jsonout.PutBlock(all, b.Source, ed.Body(b))
		ed.gather(b.Behind, all, labels)
	}
}

// insert puts the members of an object into a value of the file. A member whose name is there goes beside that
// one, and the others go to the spot. An array gets the object as one more element. levels returns how many
// labels are between a member's name and its body: objects are joined only above the body.
func (ed *editor) insert(old jsontree.Value, n *jsontree.Object, levels func(string) int, where spot) {
	if old.Kind() == '[' {
		ed.extend(old, []string{""}, []jsontree.Node{n}, where)
		return
	}
	first := ed.takeApart(old).first
	fresh := &jsontree.Object{}
	for i, name := range n.Names {
		if part, ok := first[name]; ok {
			ed.insertBeside(part, n.Values[i], levels(name), where)
		} else {
			fresh.Add(name, n.Values[i])
		}
	}
	if len(fresh.Names) > 0 {
		ed.extend(old, fresh.Names, fresh.Values, where)
	}
}

// insertBeside inserts a value beside another one of the same name: into its labels, behind the elements
// of its array, or by making an array of both.
func (ed *editor) insertBeside(old jsontree.Value, n jsontree.Node, levels int, where spot) {
	inner, isObject := n.(*jsontree.Object)
	bodies, several := n.(jsontree.Array)
	switch {
	case levels > 0 && isObject && old.Kind() == '{':
		ed.insert(old, inner, func(string) int { return levels - 1 }, where)
		return
	case !several:
		bodies = jsontree.Array{n}
	}
	if old.Kind() == '[' {
		ed.extend(old, make([]string, len(bodies)), bodies, where)
		return
	}
	for _, body := range bodies {
		ed.wrap(old, ed.laidOut(body, ed.indentAt(old.Start())))
	}
}

// wrap makes an array of a body and another one.
func (ed *editor) wrap(body jsontree.Value, other string) {
	w := ed.wrapped[body]
	if w == nil {
		ed.put(body.Start(), body.Start(), "[")
		w = &arrayWrap{end: len(ed.edits)}
		ed.wrapped[body] = w
		ed.put(body.End(), body.End(), "")
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

// extend adds parts to a value at a spot: elements to an array, and to an object properties with names.
// They take the layout of the parts that are there.
func (ed *editor) extend(old jsontree.Value, names []string, values []jsontree.Node, where spot) {
	parts, indent := ed.takeApart(old).parts, ed.indentAt(old.Start())
	sp := ed.spacingOf(old, parts, indent)
	var texts []string
	for i, n := range values {
		text := ed.fitting(n, sp)
		if old.Kind() == '{' {
			text = string(jsontree.Quote(names[i])) + ": " + text
		}
		texts = append(texts, text)
	}
	added := strings.Join(texts, ","+sp.between)
	switch {
	case len(parts) == 0:
		ed.put(old.Start()+1, old.End()-1, sp.between+added+ed.eol+indent)
	case where.first:
		ed.put(parts[0].From(), parts[0].From(), added+","+sp.between)
	default:
		at := where.partBefore(parts).End()
		ed.put(at, at, ","+sp.between+added)
	}
}

// partBefore returns the part behind which new ones are inserted: the part at the spot, else the last one.
func (where spot) partBefore(parts []jsontree.Value) jsontree.Value {
	i := sort.Search(len(parts), func(i int) bool { return where.behind < parts[i].End() })
	if i < len(parts) && parts[i].From() <= where.behind {
		return parts[i]
	}
	return parts[len(parts)-1]
}

// takenApart are the parts of an object or an array of the file.
type takenApart struct {
	parts []jsontree.Value
	first map[string]jsontree.Value // those that are objects or arrays, the first of each name
}

// takeApart finds the parts of a value, once for each.
func (ed *editor) takeApart(old jsontree.Value) takenApart {
	if d, known := ed.known[old]; known {
		return d
	}
	d := takenApart{slices.Collect(old.Children()), map[string]jsontree.Value{}}
	for _, part := range slices.Backward(d.parts) {
		if part.Kind() == '{' || part.Kind() == '[' {
			d.first[part.Name()] = part
		}
	}
	ed.known[old] = d
	return d
}

func (ed *editor) put(from, to int, text string) {
	ed.edits = append(ed.edits, textedit.Replace(from, to, text))
}

// Only the properties that differ are written anew, in the layout of the file.

// A bodyScope describes the body in a JSON value: a merged block, or the labels around such blocks. The
// zero scope is a value that is replaced as a whole.
type bodyScope struct {
	content *merge.MergedBody
	entries map[string]*merge.MergedItem // blocks that differ in their labels, by those
	labels  []string                     // those that were met
}

// scopeOf returns the scope of a property, and whether overrides may have changed anything in it.
func (s bodyScope) scopeOf(name string) (inner bodyScope, changed bool) {
	if s.content == nil {
		labels := append(s.labels[:len(s.labels):len(s.labels)], name)
		if e := s.entries[spelling.JoinPath(labels...)]; e != nil {
			return bodyScope{content: e.Inner()}, plan.IsChanged(e)
		}
		return bodyScope{entries: s.entries, labels: labels}, true
	}
	named := s.content.AllNamed(name)
	switch {
	case len(named) == 0: // also what dynamic blocks are called by
		return bodyScope{}, true
	case named[0].Key.ID != "":
		inner.entries = map[string]*merge.MergedItem{}
		for _, e := range slices.Backward(named) {
			inner.entries[e.Key.ID] = e
		}
	case len(named) == 1:
		inner.content = named[0].Inner()
	}
	return inner, slices.ContainsFunc(named, plan.IsChanged)
}

// patched returns the text of an old value at an indentation, with the parts that differ in n rewritten. A
// short value on one line stays on one line.
func (ed *editor) patched(old jsontree.Value, n jsontree.Node, s bodyScope, indent string) string {
	if isSame(old, n) {
		return string(old.Raw())
	}
	switch n := n.(type) {
	case *jsontree.Object:
		switch {
		case s.content == nil && s.entries == nil:
		case old.Kind() == '{':
			return ed.patchedObject(old, n, s, indent)
		default:
			return ed.patchedArray(old, jsontree.Array{n}, s, indent)
		}
	case jsontree.Blocks:
		return ed.patchedArray(old, jsontree.Array(n), s, indent)
	}
	const short = 80
	if old.Kind() == '{' || old.Kind() == '[' {
		if line := onOneLine(n); len(line) <= short && bytes.IndexByte(old.Raw(), '\n') < 0 {
			return line
		}
	}
	return ed.laidOut(n, indent)
}

// isSame reports whether two values differ in blanks only.
func isSame(old jsontree.Value, n jsontree.Node) bool {
	var one, other bytes.Buffer
	return json.Compact(&one, old.Raw()) == nil && json.Compact(&other, jsontree.Text(n)) == nil &&
		bytes.Equal(one.Bytes(), other.Bytes())
}

// laidOut returns the text of a new value on a line of an indentation.
func (ed *editor) laidOut(n jsontree.Node, indent string) string {
	return strings.ReplaceAll(jsontree.Indented(n, ed.unit, indent, &bytes.Buffer{}), "\n", ed.eol)
}

// fitting returns the text of a new value beside others: on one line if those are.
func (ed *editor) fitting(n jsontree.Node, sp spacing) string {
	if strings.Contains(sp.between, "\n") {
		return ed.laidOut(n, sp.inner)
	}
	return onOneLine(n)
}

// onOneLine returns JSON on one line, with a blank behind each colon and comma.
func onOneLine(n jsontree.Node) string {
	return strings.NewReplacer(",\n", ", ", "\n", "").Replace(jsontree.Indented(n, "", "", &bytes.Buffer{}))
}

// patchedObject returns the text of an object. Remaining properties keep their order and the text between
// them, and new ones follow their predecessor.
func (ed *editor) patchedObject(old jsontree.Value, n *jsontree.Object, s bodyScope, indent string) string {
	parts := slices.Collect(old.Children())
	if len(parts) == 0 {
		return ed.laidOut(n, indent)
	}
	return ed.patchedParts(old, parts, pairByName(parts, n), indent, func(m pair, sp spacing) string {
		if m.old < 0 {
			return string(jsontree.Quote(n.Names[m.new])) + ": " + ed.fitting(n.Values[m.new], sp)
		}
		part := parts[m.old]
		within, changed := s.scopeOf(part.Name())
		if m.new < 0 || !changed {
			return string(old.Slice(part.From(), part.End()))
		}
		return string(old.Slice(part.From(), part.Start())) + ed.patched(part, n.Values[m.new], within, sp.inner)
	})
}

// patchedParts returns the text of a value that consists of pairs, of which there must be one at least.
// The text around the parts that stay is kept.
func (ed *editor) patchedParts(old jsontree.Value, parts []jsontree.Value, pairs []pair, indent string, text func(pair, spacing) string) string {
	sp := ed.spacingOf(old, parts, indent)
	var out strings.Builder
	out.Write(old.Slice(old.Start(), parts[0].From()))
	for i, m := range pairs {
		switch {
		case i > 0 && m.old > 0:
			out.Write(old.Slice(parts[m.old-1].End(), parts[m.old].From()))
		case i > 0:
			out.WriteString("," + sp.between)
		}
		out.WriteString(text(m, sp))
	}
	out.Write(old.Slice(parts[len(parts)-1].End(), old.End()))
	return out.String()
}

// A pair is a part of a new value and its earlier version; either may be missing, -1.
type pair struct{ old, new int }

// pairByName pairs the old properties with the new ones of their names, in the new order. Properties of
// one name pair up one after the other. Comments stay behind the property that they follow or, if the
// order changed, go to the front.
func pairByName(parts []jsontree.Value, n *jsontree.Object) []pair {
	at := map[string][]int{}
	for i, part := range parts {
		if name := part.Name(); name != "//" {
			at[name] = append(at[name], i)
		}
	}
	var list []pair
	inOrder, last := true, -1 // of the properties that stay
	for i, name := range n.Names {
		switch old := at[name]; {
		case name == "//":
		case len(old) == 0:
			list = append(list, pair{-1, i})
		default:
			list = append(list, pair{old[0], i})
			inOrder, last = inOrder && old[0] > last, old[0]
			at[name] = old[1:]
		}
	}
	return withComments(list, parts, inOrder)
}

// withComments puts the comments into a list of pairs: each behind everything that it was behind, or all
// in front.
func withComments(list []pair, parts []jsontree.Value, inOrder bool) []pair {
	var all []pair
	at := 0
	upTo := func(end int) {
		for ; at < end; at++ {
			if parts[at].Name() == "//" {
				all = append(all, pair{at, -1})
			}
		}
	}
	if !inOrder {
		upTo(len(parts))
	}
	var added []pair // behind the property that stays last, and its comments
	for _, m := range list {
		if m.old < 0 {
			added = append(added, m)
			continue
		}
		upTo(m.old)
		all = append(append(all, added...), m)
		added = nil
	}
	upTo(len(parts))
	return append(all, added...)
}

// A spacing is the text between the parts of an object or an array.
type spacing struct {
	between string // from behind a comma to the next part
	inner   string // the indentation of the parts
}

// spacingOf returns the text between the parts of a value, as before its first part: a line end and its
// indentation, or one blank. An empty value, whose own line has an indentation, gets lines.
func (ed *editor) spacingOf(old jsontree.Value, parts []jsontree.Value, indent string) spacing {
	inner := indent + ed.unit
	if len(parts) > 0 {
		open := old.Slice(old.Start()+1, parts[0].From())
		i := bytes.LastIndexByte(open, '\n')
		if i < 0 {
			return spacing{between: " ", inner: indent}
		}
		inner = string(open[i+1:])
	}
	return spacing{between: ed.eol + inner, inner: inner}
}

// patchedArray returns the text of an array. Elements are paired by position, so an equal one keeps its
// bytes. A body that stands alone becomes the first element if it stays.
func (ed *editor) patchedArray(old jsontree.Value, n jsontree.Array, s bodyScope, indent string) string {
	if old.Kind() == '{' && len(n) == 1 {
		return ed.patched(old, n[0], s, indent)
	}
	if old.Kind() == '{' && len(n) > 1 && isSame(old, n[0]) {
		old = jsontree.NewReader([]byte("[" + string(old.Raw()) + "]")).Root()
	}
	parts := slices.Collect(old.Children())
	if old.Kind() != '[' || len(parts) == 0 || len(n) == 0 {
		return ed.laidOut(n, indent)
	}
	var pairs []pair
	for i := range n {
		pairs = append(pairs, pair{i, i})
		if i >= len(parts) {
			pairs[i].old = -1
		}
	}
	return ed.patchedParts(old, parts, pairs, indent, func(m pair, sp spacing) string {
		if m.old < 0 {
			return ed.fitting(n[m.new], sp)
		}
		return ed.patched(parts[m.old], n[m.new], s, sp.inner)
	})
}
