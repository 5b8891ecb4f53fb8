package values

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Part is a part of earlier nested blocks that the blocks which replaced them lack: an argument,
// the blocks of a type, or a key of an object.
type Part struct {
	Path *Path
	// Fewer is how many blocks of the type at Path are lost: that many more were in one block than
	// are now in any. 0 if nothing is left there.
	Fewer int
}

// String names the part for people: filter.enc, or 2 filter blocks.
func (p Part) String() string {
	name := p.Path.Address().String()
	switch p.Fewer {
	case 0:
		return name
	case 1:
		return "1 " + name + " block"
	}
	return fmt.Sprintf("%d %s blocks", p.Fewer, name)
}

// Lacking lists the outermost parts of earlier nested blocks that none of the blocks which replaced them has,
// in the order of the earlier ones. At each depth it compares the names in all blocks of a type, never
// positions.
func Lacking(m *load.Module, blocks, earlier []source.Item) []Part {
	return NewLack(m, blocks).Of(earlier)
}

// A lack finds the parts that some blocks lack. They may have replaced very many others, one layer after the
// other, so they are analysed only once.
type lack struct {
	module *load.Module
	is     namesake
	keys   keyTables
	parts  []Part
}

// NewLack analyses blocks that replaced others. Call Of for each layer of earlier blocks.
func NewLack(m *load.Module, blocks []source.Item) *lack {
	return &lack{module: m, is: namesake{blocks: blocksOf(blocks)}, keys: keyTables{}}
}

// Of is Lacking for one layer of earlier blocks.
func (l *lack) Of(earlier []source.Item) []Part {
	l.parts = nil
	l.compareBlocks(nil, blocksOf(earlier), &l.is, Full)
	return l.parts
}

// compareBlocks adds the parts of blocks was at a path that is, the later items of the same name, lacks. r is
// the room left for longer paths.
func (l *lack) compareBlocks(path *Path, was []*source.Block, is *namesake, r Budget) {
	if !r.IsLeft() {
		return
	}
	has := is.inside()
	for _, old := range namesakes(was, map[string]*namesake{}) {
		now, at := has[old.name], path.To(old.name)
		switch {
		case now == nil && old.blocks == nil && !slices.ContainsFunc(old.attrs, func(a *source.Attr) bool { return isSet(wholeNode(a, Budget{})) }):
		case now == nil:
			l.parts = append(l.parts, Part{Path: at})
		case old.blocks != nil && now.attrs == nil:
			if fewer := old.most.Known - now.most.Most; fewer > 0 && now.most.Open == 0 {
				l.parts = append(l.parts, Part{at, fewer})
			}
			l.compareBlocks(at, old.blocks, now, r.Behind(old.name))
		case now.blocks == nil:
			l.compareValues(at, old.attrs, now, r.Behind(old.name))
		}
	}
}

// A namesake is the items of one name in several blocks.
type namesake struct {
	name   string
	attrs  []*source.Attr
	blocks []*source.Block
	in     *source.Block // the block that holds the last item
	number Number        // how many blocks of the name it holds
	most   Number        // the maximum in one block

	// Computed on demand: the groups in the blocks, and the values of the arguments, none if they are
	// not all known.
	names  map[string]*namesake
	values []*Node
}

// inside returns the items in the blocks, grouped by name.
func (n *namesake) inside() map[string]*namesake {
	if n.names == nil {
		n.names = map[string]*namesake{}
		namesakes(n.blocks, n.names)
	}
	return n.names
}

// knownValues returns the values of the arguments; none if one has no parts or is secret.
func (n *namesake) knownValues(m *load.Module, r Budget) []*Node {
	if n.values != nil {
		return n.values
	}
	n.values = []*Node{}
	for _, a := range n.attrs {
		if !mayHaveParts(a) || m.Secrets().Covers(a) {
			n.values = n.values[:0]
			break
		}
		n.values = append(n.values, wholeNode(a, r))
	}
	return n.values
}

// namesakes groups the items in blocks by name, and lists the groups in the order of their first items. It
// adds them to known. For a dynamic block it reads the content.
func namesakes(blocks []*source.Block, known map[string]*namesake) (list []*namesake) {
	for _, b := range blocks {
		for _, it := range source.ContentOf(b).Items() {
			n := known[it.Called()]
			if n == nil {
				n = &namesake{name: it.Called()}
				known[n.name] = n
				list = append(list, n)
			}
			switch it := it.(type) {
			case *source.Attr:
				n.attrs = append(n.attrs, it)
			case *source.Block:
				n.add(it, b)
			}
		}
	}
	return list
}

// add adds a block of the name, and updates the maximum that one block holds. within is the block around it;
// the blocks in one must be added without others between them.
func (n *namesake) add(b, within *source.Block) {
	if n.in != within {
		n.in, n.number = within, Number{}
	}
	n.blocks = append(n.blocks, b)
	n.number = n.number.add(numberOf(b))
	n.most = Number{max(n.most.Known, n.number.Known), max(n.most.Most, n.number.Most), max(n.most.Open, n.number.Open)}
}

// compareValues adds the keys of the values was at a path that is, the later items of the same name, lacks.
func (l *lack) compareValues(path *Path, was []*source.Attr, is *namesake, r Budget) {
	if len(was) == 1 && len(is.attrs) == 1 && bytes.Equal(was[0].File.Text(was[0].Value()), is.attrs[0].File.Text(is.attrs[0].Value())) {
		return
	}
	now := is.knownValues(l.module, r)
	if len(now) == 0 {
		return
	}
	var old []*Node
	for _, a := range was {
		if n := knownNode(l.module, a, r); n != nil && isSet(n) && !l.module.Secrets().Covers(a) {
			old = append(old, n)
		}
	}
	known := map[string]bool{} // several lists may have lost the same
	l.keys.lacking(path, old, now, func(at *Path) {
		if name := at.Address().String(); !known[name] {
			known[name] = true
			l.parts = append(l.parts, Part{Path: at})
		}
	})
}

// wholeNode returns the value of an argument, with parts only if all of them are known.
func wholeNode(a *source.Attr, r Budget) *Node {
	n, e := nodeOf(a)
	n.fill(parts.WholeOf(e), r)
	return n
}

// knownNode returns the value of an argument with the parts that are known, also of local values; nil if it
// can't have any.
func knownNode(m *load.Module, a *source.Attr, r Budget) *Node {
	l := localLookup{m, map[string]bool{}}
	return l.ofArgument(a, r, func(name string, _ Budget) *Node { return keptLocal(m, name) })
}

// nodeOf returns the value of an argument, to be filled from the expression. That is what jsonencode or the
// like encodes, if the value is such a call.
func nodeOf(a *source.Attr) (*Node, hcl.Expression) {
	n := &Node{Value: ValueOf(a)}
	e, function := parts.Encoded(a.Expr())
	n.Label = function
	return n, e
}

// Very many arguments may refer to one local value, each in a few bytes. So it is looked into once,
// and only if it has few keys, and few are looked into for each argument.
const (
	maxLocals    = 8
	maxLocalKeys = 32 // at all depths
)

// keptLocal returns the value of a local value, computed once for the module; nil if it is unknown, secret or
// large.
func keptLocal(m *load.Module, name string) *Node {
	kept := m.OfLocal(name, func() any {
		l := localLookup{m, map[string]bool{}}
		n := l.ofLocal(name, Full)
		if n.size() > maxLocalKeys {
			n = nil
		}
		return n
	})
	n, _ := kept.(*Node)
	return n
}

// size counts the parts of a value at all depths.
func (n *Node) size() int {
	if n == nil {
		return 0
	}
	size := len(n.Members) + len(n.Elements)
	for _, m := range n.Members {
		size += m.Node.size()
	}
	for _, inner := range n.Elements {
		size += inner.size()
	}
	return size
}

// A localLookup finds the parts of a value in the local values that it is made of, each once.
type localLookup struct {
	module *load.Module
	seen   map[string]bool
}

// ofArgument returns the value of an argument with the parts that are known, also those of the local values
// that it uses, which find returns; nil if it can't have parts.
func (l localLookup) ofArgument(a *source.Attr, r Budget, find func(string, Budget) *Node) *Node {
	if !mayHaveParts(a) {
		return nil
	}
	n, e := nodeOf(a)
	of := parts.MadeOf(e)
	if of != nil {
		n.text = outline.SpanOf(of.Range())
		n.fill(of, r)
	}
	_, isLocal := of.(*hclsyntax.ScopeTraversalExpr)
	for _, name := range parts.Locals(e) {
		if l.seen[name] || len(l.seen) == maxLocals {
			continue
		}
		l.seen[name] = true
		local := find(name, r)
		if isLocal && local != nil {
			return local
		}
		n.addKeys(local)
	}
	return n
}

// ofLocal returns the value of a local value; nil if it is unknown or secret.
func (l localLookup) ofLocal(name string, r Budget) *Node {
	a := l.module.Local(name)
	if a == nil || l.module.Secrets().Covers(a) {
		return nil
	}
	return l.ofArgument(a, r, l.ofLocal)
}

// addKeys adds the keys of an object that merge() may put into n. Their values are unknown, since others may
// win.
func (n *Node) addKeys(from *Node) {
	if from == nil || from.Form != Object {
		return
	}
	has := map[Key]bool{}
	for _, m := range n.Members {
		has[m.Key] = true
	}
	for _, m := range from.Members {
		if !has[m.Key] {
			n.Members = append(n.Members, Member{m.Key, &Node{}})
		}
	}
	n.Form, n.Sum = Object, Sum{}
}

// null is the sum of null, which counts as no value.
var null = sumOf('n', nil)

// isSet reports whether a value isn't null.
func isSet(n *Node) bool { return n.Sum != null }

// keyTables caches the values of later objects by their keys. A table is found by the first of the objects:
// very many earlier objects may be compared with the same later ones.
type keyTables map[*Node]map[Key][]*Node

// table returns the values of the objects by their keys; nil if a value isn't an object, or the functions
// that encode them differ.
func (t keyTables) table(is []*Node) map[Key][]*Node {
	has, isKnown := t[is[0]]
	if isKnown {
		return has
	}
	has = map[Key][]*Node{}
	for _, n := range is {
		if n.Form != Object && n.Sum != null || n.Label != is[0].Label {
			has = nil
			break
		}
		for _, m := range n.Members {
			has[m.Key] = append(has[m.Key], m.Node)
		}
	}
	t[is[0]] = has
	return has
}

// lacking calls visit with the paths of the keys in earlier objects that no later object has. Objects in two
// lists of one length are compared index by index. If a later value isn't an object, nothing is certainly
// lacking.
func (t keyTables) lacking(path *Path, was, is []*Node, visit func(*Path)) {
	if len(is) == 1 {
		was = slices.DeleteFunc(slices.Clone(was), func(n *Node) bool { return n.Sum == is[0].Sum })
		for _, n := range was {
			t.compareElements(path, n, is[0], visit)
		}
	}
	has := t.table(is)
	if has == nil {
		return
	}
	was = slices.DeleteFunc(slices.Clone(was), func(n *Node) bool { return n.Label != is[0].Label })
	had := map[Key][]*Node{}
	for _, n := range was {
		for _, m := range n.Members {
			had[m.Key] = append(had[m.Key], m.Node)
		}
	}
	for _, n := range was {
		for _, m := range n.Members {
			old := had[m.Key]
			delete(had, m.Key)
			switch now := has[m.Key]; {
			case old == nil: // visited
			case now == nil && !slices.ContainsFunc(old, isSet): // null is as good as nothing
			case now == nil:
				visit(path.To(m.Name))
			default:
				t.lacking(path.To(m.Name), old, now, visit)
			}
		}
	}
}

// compareElements compares two lists of one length index by index. It skips elements that the later list has
// at another index.
func (t keyTables) compareElements(path *Path, was, is *Node, visit func(*Path)) {
	if was.Form != List || is.Form != List || was.Label != is.Label || len(was.Elements) != len(is.Elements) {
		return
	}
	has := map[Sum]bool{}
	for _, n := range is.Elements {
		has[n.Sum] = true
	}
	for i, n := range was.Elements {
		if n.Form == Object && !has[n.Sum] {
			t.lacking(path.At(i, i, false), []*Node{n}, []*Node{is.Elements[i]}, visit)
		}
	}
}

// A Loss describes the parts of earlier values of an argument that the effective one lacks.
type Loss struct {
	Of       *source.Attr // one of the earlier arguments
	Keys     []*Path      // of its objects
	Elements []Value      // of its lists
	Fewer    int          // how many elements fewer the effective value has; negative if it has more
}

// KeyNames returns the keys as addresses: deep.a.
func (l *Loss) KeyNames() (names []string) {
	for _, k := range l.Keys {
		names = append(names, k.Address().String())
	}
	return names
}

// Dropped names, for people, the known parts of earlier items that the items which replaced them lack: keys
// of objects, or arguments and blocks in nested blocks.
func Dropped(m *load.Module, effective, earlier []source.Item) (names []string) {
	if len(effective) == 0 {
		return nil
	}
	if a, isAttr := effective[0].(*source.Attr); isAttr {
		for _, lost := range LostBy(m, a, earlier) {
			names = append(names, lost.KeyNames()...)
		}
		return names
	}
	for _, p := range Lacking(m, effective, earlier) {
		names = append(names, p.String())
	}
	return names
}

// LostBy lists, for each earlier value of an argument, the parts that the effective value lacks, which
// replaced it as a whole. A part of several earlier values is listed for the latest. Computed keys in the
// effective value may be any, so nothing is certainly lost then; of an earlier value, the known keys count.
func LostBy(m *load.Module, effective *source.Attr, earlier []source.Item) []Loss {
	if len(earlier) == 0 || !mayHaveParts(effective) {
		return nil
	}
	is := wholeNode(effective, Full)
	if isVersion(effective) {
		is.Form, is.Members = Object, []Member{{Key{Name: "version"}, &Node{}}}
	}
	if is.Form == Whole && is.Sum != null {
		return nil
	}
	var list []Loss
	l := losing{is: is, keys: keyTables{}, known: map[string]bool{}}
	for _, it := range slices.Backward(earlier) {
		a, ok := it.(*source.Attr)
		if !ok {
			continue
		}
		lost := Loss{Of: a}
		if was := knownNode(m, a, Full); was != nil {
			l.compare(&lost, was.losable(a))
		}
		if len(lost.Keys)+len(lost.Elements) > 0 {
			list = append(list, lost)
		}
	}
	slices.Reverse(list)
	return list
}

// mayHaveParts reports whether an argument may be an object or a list, or call a function or use a local
// value that makes one; null may, too. It judges by the beginning of the text, without parsing.
func mayHaveParts(a *source.Attr) bool {
	text := a.File.Text(a.Value())
	return mayBeWrapped(text) || len(text) > 0 && strings.IndexByte("{[(jlmnty", text[0]) >= 0 || isVersion(a)
}

// mayBeWrapped reports whether a value may be a single sequence in quotes, "${...}", which stands for its
// contents.
func mayBeWrapped(text []byte) bool {
	inside, ok := bytes.CutPrefix(text, []byte(`"${`))
	if !ok {
		return false
	}
	n, isSure := outline.Expression(inside)
	return !isSure || len(bytes.Trim(inside[n:], " \t\r\n~}\"")) == 0
}

// isVersion reports whether an argument is an entry of required_providers that is only a version constraint:
// it is short for an object with the key version.
func isVersion(a *source.Attr) bool {
	if !load.IsRequirement(a) {
		return false
	}
	_, isText := constant.String(a)
	return isText
}

// losable returns the value of an argument without the parts that stay in effect if nobody repeats them: the
// source of a provider that follows from its name.
func (n *Node) losable(a *source.Attr) *Node {
	if !load.IsRequirement(a) || !load.HasDefaultSource(a) {
		return n
	}
	losable := *n
	losable.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m Member) bool { return m.Name == "source" })
	return &losable
}

// A losing finds the parts of several earlier values that a later value lacks, each once.
type losing struct {
	is       *Node
	keys     keyTables
	elements map[Sum]bool // of the value, computed on demand
	known    map[string]bool
}

// compare adds to lost what an earlier value has and the later one lacks.
func (l *losing) compare(lost *Loss, was *Node) {
	if was.Form == List && l.is.Form == List && was.Sum != l.is.Sum {
		l.compareElements(lost, was)
	}
	l.keys.lacking(nil, []*Node{was}, []*Node{l.is}, func(at *Path) {
		if name := at.Address().String(); !l.known[name] {
			l.known[name] = true
			lost.Keys = append(lost.Keys, at)
		}
	})
}

// compareElements adds to lost the elements that the later list doesn't have at any index.
func (l *losing) compareElements(lost *Loss, was *Node) {
	lost.Fewer = len(was.Elements) - len(l.is.Elements)
	if l.elements == nil {
		l.elements = map[Sum]bool{}
		for _, n := range l.is.Elements {
			l.elements[n.Sum] = true
		}
	}
	for _, n := range was.Elements {
		if name := string(n.Sum[:]); !l.elements[n.Sum] && !l.known[name] {
			l.known[name] = true
			lost.Elements = append(lost.Elements, n.Value)
		}
	}
}
