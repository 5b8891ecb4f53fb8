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

// String names the part: filter.enc, or 2 filter blocks.
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

// Lacking lists the outermost parts of earlier nested blocks that none of the blocks which replaced
// them has, in source order. At each depth, all blocks of a type are compared as a whole, by the
// names in them and never by position.
func Lacking(m *load.Module, blocks, earlier []source.Item) []Part {
	return NewLack(m, blocks).Of(earlier)
}

// A lack gathers the parts that blocks lack. Since these may have replaced very many others, one
// after the other, they are taken apart once.
type lack struct {
	module *load.Module
	is     namesake
	keys   keyTables
	parts  []Part
}

// NewLack looks at nested blocks of a module, to find what they lack of several others.
func NewLack(m *load.Module, blocks []source.Item) *lack {
	return &lack{module: m, is: namesake{blocks: blocksOf(blocks)}, keys: keyTables{}}
}

// Of is Lacking for some earlier blocks.
func (l *lack) Of(earlier []source.Item) []Part {
	l.parts = nil
	l.inBlocks(nil, blocksOf(earlier), &l.is, Full)
	return l.parts
}

func (l *lack) inBlocks(path *Path, was []*source.Block, is *namesake, r Budget) {
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
			l.inBlocks(at, old.blocks, now, r.Behind(old.name))
		case now.blocks == nil:
			l.inValues(at, old.attrs, now, r.Behind(old.name))
		}
	}
}

// A namesake is the items of one name in several blocks.
type namesake struct {
	name   string
	attrs  []*source.Attr
	blocks []*source.Block
	in     *source.Block // the last block with the name
	number Number        // how many there are in it
	most   Number        // the maximum in one block

	// Computed on demand: the groups in the blocks, and the values of the arguments, none if they are
	// not all known.
	names  map[string]*namesake
	values []*Node
}

func (n *namesake) inside() map[string]*namesake {
	if n.names == nil {
		n.names = map[string]*namesake{}
		namesakes(n.blocks, n.names)
	}
	return n.names
}

func (n *namesake) known(m *load.Module, r Budget) []*Node {
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

// namesakes groups the items in blocks by name, in source order; known maps names to groups. Items
// of dynamic blocks' results are in their content.
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

func (n *namesake) add(b, within *source.Block) {
	if n.in != within {
		n.in, n.number = within, Number{}
	}
	n.blocks = append(n.blocks, b)
	n.number = n.number.add(numberOf(b))
	n.most = Number{max(n.most.Known, n.number.Known), max(n.most.Most, n.number.Most), max(n.most.Open, n.number.Open)}
}

// inValues compares the values of an argument.
func (l *lack) inValues(path *Path, was []*source.Attr, is *namesake, r Budget) {
	if len(was) == 1 && len(is.attrs) == 1 && bytes.Equal(was[0].File.Text(was[0].Value()), is.attrs[0].File.Text(is.attrs[0].Value())) {
		return
	}
	now := is.known(l.module, r)
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

// wholeNode is the value of an argument, with parts only if all of them are known.
func wholeNode(a *source.Attr, r Budget) *Node {
	n, e := nodeOf(a)
	n.fill(parts.WholeOf(e), r)
	return n
}

// knownNode is the value of an argument with the parts that are known, or nil.
func knownNode(m *load.Module, a *source.Attr, r Budget) *Node {
	l := localLookup{m, map[string]bool{}}
	return l.known(a, r, func(name string, _ Budget) *Node { return keptLocal(m, name) })
}

// nodeOf is the value of an argument, not filled yet, and the expression for its parts.
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

// keptLocal is the value of a local value, or nil. It is computed once.
func keptLocal(m *load.Module, name string) *Node {
	kept := m.OfLocal(name, func() any {
		l := localLookup{m, map[string]bool{}}
		n := l.node(name, Full)
		if n.size() > maxLocalKeys {
			n = nil
		}
		return n
	})
	n, _ := kept.(*Node)
	return n
}

// size is how many parts a value has at all depths.
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

// known is the value of an argument with the parts that are known, also those of local values that
// find returns; nil if it has no parts.
func (l localLookup) known(a *source.Attr, r Budget, find func(string, Budget) *Node) *Node {
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

// node is the value of a local value, or nil.
func (l localLookup) node(name string, r Budget) *Node {
	a := l.module.Local(name)
	if a == nil || l.module.Secrets().Covers(a) {
		return nil
	}
	return l.known(a, r, l.node)
}

// addKeys adds the keys of an object that merge puts into an object. Their values may be others.
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

// null is the sum of a value that has no parts and is none.
var null = sumOf('n', nil)

func isSet(n *Node) bool { return n.Sum != null }

// keyTables hold the values of later objects by their keys. They are computed on demand, and found by
// the first of the objects, since very many earlier ones may be compared with the same.
type keyTables map[*Node]map[Key][]*Node

// of returns nil if a value isn't an object.
func (t keyTables) of(is []*Node) map[Key][]*Node {
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

// lacking visits the keys of earlier objects that no later value has, also of those at the same
// index of two lists of one length. Nothing is certainly lacking if a later value isn't an object.
func (t keyTables) lacking(path *Path, was, is []*Node, visit func(*Path)) {
	if len(is) == 1 {
		was = slices.DeleteFunc(slices.Clone(was), func(n *Node) bool { return n.Sum == is[0].Sum })
		for _, n := range was {
			t.inElements(path, n, is[0], visit)
		}
	}
	has := t.of(is)
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

// inElements leaves out elements that the later list has at another index.
func (t keyTables) inElements(path *Path, was, is *Node, visit func(*Path)) {
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

// KeyNames are the keys with dots between the steps: deep.a.
func (l *Loss) KeyNames() (names []string) {
	for _, k := range l.Keys {
		names = append(names, k.Address().String())
	}
	return names
}

// Dropped names the known parts of some earlier items that the items which replaced them lack: keys
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

// LostBy lists the parts of each of some earlier values that the effective value of an argument,
// which replaced them as a whole, lacks; a part of several of them is listed for the latest. If one
// of the two isn't an object or list, or the keys of the effective one are computed, nothing is
// certainly lost; of an earlier one, the known keys are used.
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

// mayHaveParts reports whether an argument's value may be an object, a list, or made of these by a
// function or a local value; null has none. JSON that native syntax can't express has no parts.
func mayHaveParts(a *source.Attr) bool {
	text := a.File.Text(a.Value())
	return mayBeWrapped(text) || len(text) > 0 && strings.IndexByte("{[(jlmnty", text[0]) >= 0 || isVersion(a)
}

// mayBeWrapped reports whether a value may be one sequence in quotes, which stands for its
// contents.
func mayBeWrapped(text []byte) bool {
	inside, ok := bytes.CutPrefix(text, []byte(`"${`))
	if !ok {
		return false
	}
	n, isSure := outline.Expression(inside)
	return !isSure || len(bytes.Trim(inside[n:], " \t\r\n~}\"")) == 0
}

// isVersion reports whether an argument is an entry of required_providers that is a version
// constraint alone, which is short for an object.
func isVersion(a *source.Attr) bool {
	if !load.IsRequirement(a) {
		return false
	}
	_, isText := constant.String(a)
	return isText
}

// losable is the earlier value of an argument without the parts that are effective even if nobody
// repeats them: the source of a provider that follows from its name.
func (n *Node) losable(a *source.Attr) *Node {
	if !load.IsRequirement(a) || !load.HasDefaultSource(a) {
		return n
	}
	losable := *n
	losable.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m Member) bool { return m.Name == "source" })
	return &losable
}

// A losing finds the parts of several earlier values that a value lacks, once each.
type losing struct {
	is       *Node
	keys     keyTables
	elements map[Sum]bool // of the value, computed on demand
	known    map[string]bool
}

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

// compareElements adds the elements that the value does not have, wherever they are in it.
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
