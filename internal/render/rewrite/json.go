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
	eol     string // the line end of the file
	unit    string // one level of indentation
	lines   []int  // the offsets at which lines start
	edits   []textedit.Edit
	wrapped map[jsontree.Value]*arrayWrap // single bodies that become the first element of an array
	known   map[jsontree.Value]valueParts // cached results of partsOf
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
	m.Source.PlaceOnDisk(diags)
	return ed.edits, diags
}

// newEditor returns an editor of a JSON text. What it adds is indented as the text is.
func newEditor(given []byte, eol string) *editor {
	return &editor{
		Writer:  &jsonout.Writer{},
		given:   given,
		root:    jsontree.NewReader(given).Root(),
		eol:     eol,
		unit:    indentUnitOf(given),
		lines:   textedit.LineStarts(given),
		wrapped: map[jsontree.Value]*arrayWrap{},
		known:   map[jsontree.Value]valueParts{},
	}
}

// editFile makes the edits to a file: it inserts the blocks that the file gets from elsewhere, and rewrites those
// of its own that overrides changed.
func (ed *editor) editFile(file *plan.File) {
	if ed.root.IsEmpty() {
		ed.addAll(slices.Concat(file.Before, file.After), spot{}) // nothing is there to insert them beside
		return
	}
	ed.addAll(file.Before, spot{first: true})
	for _, i := range file.Indexes() {
		at, _ := source.Spread(file.Blocks[i].Source) // where the block starts
		ed.addAll(file.Blocks[i].Behind, spot{behind: at})
	}
	ed.addAll(file.After, behindAll)
	ed.closeArrays()
	// Last, so that the [ that makes an array of a body precedes the body's new text at the same offset.
	for _, i := range file.Indexes() {
		if b := file.Blocks[i]; b.Changed {
			ed.rewriteBlock(b)
		}
	}
}

// indentUnitOf returns one level of a text's indentation: that of its first indented line, else two blanks.
func indentUnitOf(src []byte) string {
	for line := range bytes.Lines(src) {
		rest := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:n])
		}
	}
	return textedit.IndentUnit
}

// rewriteBlock replaces the body of a block that overrides changed; parts of it that don't differ keep their bytes.
func (ed *editor) rewriteBlock(b *plan.Block) {
	old := ed.root.At(int(b.Source.From.Value[0])) // the block's body in the file
	text := ed.patched(old, ed.Body(b), bodyScope{content: b.Content}, ed.indentAt(old.Start()))
	if text != string(old.Raw()) {
		ed.put(old.Start(), old.End(), text)
	}
}

// indentAt returns the blanks at the start of the line that contains an offset. It looks the line up in a table: a
// file may be one long line, which would be scanned for each offset.
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

// CommentsLeftOut warns of comments that get lost when parts are written to a new file called name: a JSON file can't
// have the comments of native parts, and a native file can't have the comment properties of JSON parts.
func CommentsLeftOut(parts []*merge.Part, name string) (diags hcl.Diagnostics) {
	for _, m := range parts {
		if isJSON := strings.HasSuffix(name, ".json"); isJSON == (m.Item.Source().Syntax == source.JSON) {
			continue // same syntax: comments are copied
		}
		if hasComments(m) {
			d := commentLost(m.Item, name)
			d.Summary = "Comment is left out"
			if m.Item.Source().Syntax == source.JSON {
				d.Detail = fmt.Sprintf("Native syntax doesn't allow comment properties, so %s is written to %s without them.", diag.Escape(m.Item.Called()), diag.FileName(name))
			}
			diags = append(diags, d)
		}
		// The parts of a partial block may have comments, too.
		if m.IsPartial {
			diags = append(diags, CommentsLeftOut(m.Held, name)...)
		}
	}
	return diags
}

// lostComments lists the items that a JSON file gets from native override files and that have comments there, which
// JSON can't hold.
func lostComments(file *plan.File) (list []source.Item) {
	for _, b := range file.Made() {
		if b.Content != nil {
			list = append(list, commentedItemsIn(b.Content)...)
		}
	}
	return list
}

// commentedItemsIn lists the items of a body that native override files supply together with comments. It looks
// into blocks that a primary file has; any other block is one item.
func commentedItemsIn(c *merge.MergedBody) (list []source.Item) {
	for _, e := range c.Items {
		if e.Inner() != nil && e.Place != nil { // a block of a primary file
			list = append(list, commentedItemsIn(e.Inner())...)
			continue
		}
		for _, it := range e.Live {
			f := it.Source()
			if f.Role != source.Override || f.Syntax != source.Native {
				continue
			}
			around := source.TriviaOf(it)
			if len(parse.CommentTexts(f.Native[around.Lead:around.End])) > 0 {
				list = append(list, it)
			}
		}
	}
	return list
}

// hasComments reports whether a part has comments that should be written with it: above it (HasLead), behind it
// (HasTail), or inside it if all of it is written. In JSON, comments are the "//" properties of blocks.
func hasComments(m *merge.Part) bool {
	f := m.Item.Source()
	isWhole := !m.IsPartial && m.Void == "" // and not some items of a block, or a constant (Void) for the value
	if f.Syntax == source.JSON {
		found := false
		if b, isBlock := m.Item.(*source.Block); isBlock && isWhole {
			b.EachRemark(func([2]uint32) { found = true })
		}
		return found
	}
	hasAny := func(from, to int) bool { return len(parse.CommentTexts(f.Native[from:to])) > 0 }
	around, at := source.TriviaOf(m.Item), m.Item.Extent()
	return m.HasLead && hasAny(around.Lead, at.Start.Byte) || m.HasTail && hasAny(at.End.Byte, around.End) ||
		isWhole && hasAny(at.Start.Byte, at.End.Byte)
}

// Additions to a JSON file, and parts that it can't have.

// A spot is the position for a new property in a JSON value: before all others, behind the property
// at an offset of the file, or behind all.
type spot struct {
	first  bool
	behind int // behind the property that contains this offset; if none does, behind all
}

// behindAll is behind all others: no property contains that offset.
var behindAll = spot{behind: -1}

// addAll inserts blocks that only override files declare: beside blocks of the same type and labels as far as
// possible, else at the spot.
func (ed *editor) addAll(blocks []*plan.Block, where spot) {
	if len(blocks) == 0 {
		return
	}
	added, labels := &jsontree.Object{}, map[string]int{}
	ed.collect(blocks, added, labels)
	ed.insertAtRoot(added, labels, where)
}

// insertAtRoot inserts the members of an object, each the blocks of one type, into the root of the file. labels
// is the number of labels of each block type.
func (ed *editor) insertAtRoot(added *jsontree.Object, labels map[string]int, where spot) {
	ed.insert(ed.root, added, func(name string) int { return labels[name] }, where)
}

// Add returns the text of a JSON file with parts, which are top-level blocks, added behind all others. Diagnostics
// are warnings of anything that JSON can't express.
func Add(text []byte, eol string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
	ed := newEditor(text, eol)
	document, diags := jsonout.Made(parts)
	labels := map[string]int{}
	for _, m := range parts {
		b := m.Item.(*source.Block)
		labels[b.Type] = len(b.Labels)
	}
	ed.insertAtRoot(document.Root(), labels, spot{behind: len(text)})
	ed.closeArrays()
	return textedit.Apply(text, 0, len(text), ed.edits), diags
}

// collect adds the bodies of blocks, and of those behind them, to all, below their types and labels. It enters in
// labels how many labels each type has.
func (ed *editor) collect(blocks []*plan.Block, all *jsontree.Object, labels map[string]int) {
	for _, b := range blocks {
		labels[b.Source.Type] = len(b.Source.Labels)
		jsonout.PutBlock(all, b.Source, ed.Body(b))
		ed.collect(b.Behind, all, labels)
	}
}

// insert puts the members of an object, added, into a value of the file. A member whose name is there is combined
// with the one of that name, and the others go to the spot: {"a": {"y": C}} put into {"a": {"x": B}} makes
// {"a": {"x": B, "y": C}} if a body is below one label. levels returns the number of these labels by a member's name,
// such as 2 for "resource". Bodies aren't joined: they become elements of an array. If the value is an array, added
// becomes an element.
func (ed *editor) insert(into jsontree.Value, added *jsontree.Object, levels func(string) int, where spot) {
	if into.Kind() == '[' {
		ed.insertParts(into, []string{""}, []jsontree.Node{added}, where) // "": an element has no name
		return
	}
	// Members whose name is there go beside the first of that name; fresh collects the others.
	first := ed.partsOf(into).first
	fresh := &jsontree.Object{}
	for i, name := range added.Names {
		if part, ok := first[name]; ok {
			ed.insertBeside(part, added.Values[i], levels(name), where)
		} else {
			fresh.Add(name, added.Values[i])
		}
	}
	if len(fresh.Names) > 0 {
		ed.insertParts(into, fresh.Names, fresh.Values, where)
	}
}

// insertBeside inserts the value n beside old, which has the same name. levels is how many labels are still to come.
// While there are any, old and n are objects by label, so the members of n go into old. Bodies become elements:
// {"a": X} and Y make {"a": [X, Y]}.
func (ed *editor) insertBeside(old jsontree.Value, n jsontree.Node, levels int, where spot) {
	if inner, isObject := n.(*jsontree.Object); levels > 0 && isObject && old.Kind() == '{' {
		ed.insert(old, inner, func(string) int { return levels - 1 }, where)
		return
	}
	// n as a list: an array, or a single value.
	bodies, isArray := n.(jsontree.Array)
	if !isArray {
		bodies = jsontree.Array{n}
	}
	if old.Kind() == '[' {
		ed.insertParts(old, make([]string, len(bodies)), bodies, where) // elements have no names
		return
	}
	// old is a single object: it becomes the first element of an array.
	for _, body := range bodies {
		ed.wrapInArray(old, ed.laidOut(body, ed.indentAt(old.Start())))
	}
}

// wrapInArray makes an array of body, a value of the file, followed by other, a text. Further calls for one body
// add to its array, so closeArrays must be called at the end.
func (ed *editor) wrapInArray(body jsontree.Value, other string) {
	w := ed.wrapped[body]
	if w == nil {
		ed.put(body.Start(), body.Start(), "[")
		w = &arrayWrap{end: len(ed.edits)} // closeArrays sets the text of the next edit
		ed.wrapped[body] = w
		ed.put(body.End(), body.End(), "")
	}
	w.others = append(w.others, other)
}

// An arrayWrap makes an array of a body, with others behind it.
type arrayWrap struct {
	end    int      // the index of the edit that ends the array
	others []string // the texts of the elements behind the body
}

// closeArrays completes the arrays that wrapInArray began, once all their elements are known.
func (ed *editor) closeArrays() {
	for _, w := range ed.wrapped {
		ed.edits[w.end].Text = ", " + strings.Join(w.others, ", ") + "]"
	}
}

// insertParts inserts values into old, an array or an object of the file, at a spot: as elements, or as properties
// with names (unused for an array). They take the layout of the parts that are there.
func (ed *editor) insertParts(old jsontree.Value, names []string, values []jsontree.Node, where spot) {
	parts, indent := ed.partsOf(old).parts, ed.indentAt(old.Start())
	sp := ed.spacingOf(old, parts, indent)
	// The text of each value, with its name if old is an object.
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
	case len(parts) == 0: // replaces the blanks between the brackets
		ed.put(old.Start()+1, old.End()-1, sp.between+added+ed.eol+indent)
	case where.first:
		ed.put(parts[0].From(), parts[0].From(), added+","+sp.between)
	default: // behind a part
		at := where.partBefore(parts).End()
		ed.put(at, at, ","+sp.between+added)
	}
}

// partBefore returns the part behind which new ones are inserted: the part at the spot, else the last one. The spot
// isn't before all others: that has no part before it.
func (where spot) partBefore(parts []jsontree.Value) jsontree.Value {
	// The first part that ends after the offset is the only one that may contain it.
	i := sort.Search(len(parts), func(i int) bool { return where.behind < parts[i].End() })
	if i < len(parts) && parts[i].From() <= where.behind {
		return parts[i]
	}
	return parts[len(parts)-1]
}

// valueParts are the elements of an array or the properties of an object of the file.
type valueParts struct {
	parts []jsontree.Value
	first map[string]jsontree.Value // by name, the first part that is an object or array
}

// partsOf returns the parts of a value and, by name, the first part that is an object or an array: only beside these
// can blocks be inserted. It caches them, since very many blocks may be inserted into one value.
func (ed *editor) partsOf(old jsontree.Value) valueParts {
	if d, known := ed.known[old]; known {
		return d
	}
	d := valueParts{slices.Collect(old.Children()), map[string]jsontree.Value{}}
	for _, part := range slices.Backward(d.parts) { // so that the first of a name overwrites the others
		if part.Kind() == '{' || part.Kind() == '[' {
			d.first[part.Name()] = part
		}
	}
	ed.known[old] = d
	return d
}

// put adds an edit that replaces the text between two offsets.
func (ed *editor) put(from, to int, text string) {
	ed.edits = append(ed.edits, textedit.Replace(from, to, text))
}

// Only the properties that differ are written anew, in the layout of the file.

// A bodyScope tells which merged configuration a JSON value holds: the contents of a merged block, or an
// object whose keys are the labels around such blocks. The zero scope is a value that is replaced as a whole.
type bodyScope struct {
	content *merge.MergedBody            // set if the value is a block's body
	entries map[string]*merge.MergedItem // otherwise: the blocks inside, by their joined labels
	labels  []string                     // the labels on the way from the type to this value
}

// scopeOf follows a property with a name into a value that has the scope s. The name is a label, as long as labels
// are missing, and then an argument or a type of nested blocks. scopeOf returns the scope of the property, and
// whether overrides may have changed anything in it. If not, the property keeps its bytes.
func (s bodyScope) scopeOf(name string) (inner bodyScope, changed bool) {
	if s.content == nil { // name is a label
		labels := append(s.labels[:len(s.labels):len(s.labels)], name)
		if e := s.entries[spelling.JoinPath(labels...)]; e != nil { // the last label
			return bodyScope{content: e.Inner()}, plan.IsAddressed(e)
		}
		return bodyScope{entries: s.entries, labels: labels}, true
	}
	// name is an argument or a block type of the body.
	named := s.content.AllNamed(name)
	switch {
	case len(named) == 0: // also for the property "dynamic": its blocks go by the types that they make
		return bodyScope{}, true
	case named[0].Key.ID != "": // labels keep blocks of this type apart
		inner.entries = map[string]*merge.MergedItem{}
		for _, e := range slices.Backward(named) { // so that the first of equal ones counts
			inner.entries[e.Key.ID] = e
		}
	case len(named) == 1: // a block without labels, or an argument, which has no inner contents
		inner.content = named[0].Inner()
	default: // several blocks without labels are replaced as a whole
	}
	return inner, slices.ContainsFunc(named, plan.IsAddressed)
}

// patched returns the text of old, a value of the file with scope s, changed to mean the same as n. Only parts that
// differ are written anew, with indent as the indentation of old's line. A short value on one line stays on one line.
func (ed *editor) patched(old jsontree.Value, n jsontree.Node, s bodyScope, indent string) string {
	if isSame(old, n) {
		return string(old.Raw())
	}
	// A body, or objects of labels around bodies, are patched part by part.
	switch n := n.(type) {
	case *jsontree.Object:
		switch {
		case s.content == nil && s.entries == nil: // the value of an argument is replaced as a whole, below
		case old.Kind() == '{':
			return ed.patchedObject(old, n, s, indent)
		default:
			return ed.patchedArray(old, jsontree.Array{n}, s, indent)
		}
	case jsontree.Blocks:
		return ed.patchedArray(old, jsontree.Array(n), s, indent)
	}
	// Anything else is replaced as a whole.
	const short = 80
	if old.Kind() == '{' || old.Kind() == '[' {
		if line := onOneLine(n); len(line) <= short && bytes.IndexByte(old.Raw(), '\n') < 0 {
			return line
		}
	}
	return ed.laidOut(n, indent)
}

// isSame reports whether two values differ only in blanks, if at all.
func isSame(old jsontree.Value, n jsontree.Node) bool {
	var one, other bytes.Buffer
	return json.Compact(&one, old.Raw()) == nil && json.Compact(&other, jsontree.Text(n)) == nil &&
		bytes.Equal(one.Bytes(), other.Bytes())
}

// laidOut returns the text of a new value, each part on a line of its own. indent is the indentation of its first
// line.
func (ed *editor) laidOut(n jsontree.Node, indent string) string {
	return strings.ReplaceAll(jsontree.Indented(n, ed.unit, indent, &bytes.Buffer{}), "\n", ed.eol)
}

// fitting returns the text of a new value in the layout of its neighbours: on lines of its own if those have some
// (see spacing), else on one line.
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

// patchedObject returns the text of object old with the properties of n; parameters are as for patched. Remaining
// properties keep their order and the text between them, and new ones follow their predecessor.
func (ed *editor) patchedObject(old jsontree.Value, n *jsontree.Object, s bodyScope, indent string) string {
	parts := slices.Collect(old.Children())
	if len(parts) == 0 {
		return ed.laidOut(n, indent)
	}
	return ed.patchedParts(old, parts, pairByName(parts, n), indent, func(m pair, sp spacing) string {
		if m.old < 0 { // the property is new
			return string(jsontree.Quote(n.Names[m.new])) + ": " + ed.fitting(n.Values[m.new], sp)
		}
		part := parts[m.old]
		within, changed := s.scopeOf(part.Name())
		if m.new < 0 || !changed { // a comment, or a property that no override changed
			return string(old.Slice(part.From(), part.End()))
		}
		return string(old.Slice(part.From(), part.Start())) + ed.patched(part, n.Values[m.new], within, sp.inner)
	})
}

// patchedParts returns the text of old, an object or array, with one part for each pair, at least one. text returns
// the text of a part. parts are the present parts of old. What is around them and between those that stay is kept.
func (ed *editor) patchedParts(old jsontree.Value, parts []jsontree.Value, pairs []pair, indent string, text func(pair, spacing) string) string {
	sp := ed.spacingOf(old, parts, indent)
	var out strings.Builder
	// The opening bracket, and what is before the first part.
	out.Write(old.Slice(old.Start(), parts[0].From()))
	for i, m := range pairs {
		switch {
		case i > 0 && m.old > 0: // as in the file, what separates the part from its predecessor
			out.Write(old.Slice(parts[m.old-1].End(), parts[m.old].From()))
		case i > 0: // the part is new, or was the first one
			out.WriteString("," + sp.between)
		}
		out.WriteString(text(m, sp))
	}
	// What is behind the last part, and the closing bracket.
	out.Write(old.Slice(parts[len(parts)-1].End(), old.End()))
	return out.String()
}

// A pair is the indexes of a part of the old value and of the new part that takes its place. An index is -1
// if there is no such part: the other one is new, or it is a comment, which stays.
type pair struct{ old, new int }

// pairByName pairs the old properties with the new ones of their names, in the new order. Properties of one name pair
// up one after the other. Comments, which are the properties called "//", are kept: insertComments adds them.
func pairByName(parts []jsontree.Value, n *jsontree.Object) []pair {
	at := map[string][]int{} // by name, the indexes of the old properties not paired yet
	for i, part := range parts {
		if name := part.Name(); name != "//" {
			at[name] = append(at[name], i)
		}
	}
	var list []pair
	inOrder, last := true, -1 // whether remaining properties keep their order, and the index of the latest of them
	for i, name := range n.Names {
		switch old := at[name]; {
		case name == "//": // insertComments keeps the old ones
		case len(old) == 0: // it is new
			list = append(list, pair{-1, i})
		default:
			list = append(list, pair{old[0], i})
			inOrder, last = inOrder && old[0] > last, old[0]
			at[name] = old[1:] // the next property of this name pairs with the next old one
		}
	}
	return insertComments(list, parts, inOrder)
}

// insertComments inserts the comments among parts into a list of pairs: each stays behind the properties that it
// follows. If the remaining properties changed their order (inOrder is false), all comments go to the front.
func insertComments(list []pair, parts []jsontree.Value, inOrder bool) []pair {
	var all []pair
	at := 0                 // the next part to look at
	upTo := func(end int) { // takes over the comments before part end
		for ; at < end; at++ {
			if parts[at].Name() == "//" {
				all = append(all, pair{at, -1})
			}
		}
	}
	if !inOrder { // all comments first
		upTo(len(parts))
	}
	var added []pair // new properties since the last one that stays; they go behind the comments that follow it
	for _, m := range list {
		if m.old < 0 {
			added = append(added, m)
			continue
		}
		// m stays: comments before it in the file come first, then the new properties, then m.
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
	inner   string // the indentation of the lines in a part
}

// spacingOf returns the spacing of the parts of old, as before its first part: a line end and its indentation, or one
// blank if the first part is on the line of the bracket. An empty value gets a line for each part. indent is the
// indentation of old's own line.
func (ed *editor) spacingOf(old jsontree.Value, parts []jsontree.Value, indent string) spacing {
	inner := indent + ed.unit
	if len(parts) > 0 {
		open := old.Slice(old.Start()+1, parts[0].From())
		i := bytes.LastIndexByte(open, '\n')
		if i < 0 { // the first part is on the line of the bracket
			return spacing{between: " ", inner: indent}
		}
		inner = string(open[i+1:])
	}
	return spacing{between: ed.eol + inner, inner: inner}
}

// patchedArray returns the text of old with the elements of n; parameters are as for patched. Elements are paired by
// position, so an equal one keeps its bytes. If old is a single body instead of an array and stays, it becomes the
// first element.
func (ed *editor) patchedArray(old jsontree.Value, n jsontree.Array, s bodyScope, indent string) string {
	// A single body stays one, without brackets.
	if old.Kind() == '{' && len(n) == 1 {
		return ed.patched(old, n[0], s, indent)
	}
	// A single body that stays becomes an array of one element, to which the others are added.
	if old.Kind() == '{' && len(n) > 1 && isSame(old, n[0]) {
		old = jsontree.NewReader([]byte("[" + string(old.Raw()) + "]")).Root()
	}
	parts := slices.Collect(old.Children())
	if old.Kind() != '[' || len(parts) == 0 || len(n) == 0 {
		return ed.laidOut(n, indent)
	}
	// Elements beyond the old ones are new.
	var pairs []pair
	for i := range n {
		pairs = append(pairs, pair{i, i})
		if i >= len(parts) {
			pairs[i].old = -1
		}
	}
	return ed.patchedParts(old, parts, pairs, indent, func(m pair, sp spacing) string {
		if m.old < 0 { // the element is new
			return ed.fitting(n[m.new], sp)
		}
		return ed.patched(parts[m.old], n[m.new], s, sp.inner)
	})
}
