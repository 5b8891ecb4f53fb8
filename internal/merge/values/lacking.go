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

// IsInside reports whether the part is lost from within an argument or a block type that the later blocks also have:
// filter.enc, or 2 of 3 filter blocks. Otherwise the later blocks lack all items of its name.
func (p Part) IsInside() bool { return p.Path.From != nil || p.Fewer > 0 }

// String names the part for people: filter.enc if all of it is lost, or 2 filter blocks.
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

// A lack finds the parts that earlier nested blocks have and the blocks that replaced them lack. The later ones may
// have replaced very many layers, so it analyses them only once.
type lack struct {
	module *load.Module
	later  namesake // the blocks that replaced others
	keys   keyTables
	parts  []Part // found so far in the layer at hand
}

// NewLack analyses blocks that replaced others. Call Of for each layer of earlier blocks.
func NewLack(m *load.Module, blocks []source.Item) *lack {
	return &lack{module: m, later: namesake{blocks: blocksOf(blocks)}, keys: keyTables{}}
}

// Of lists the parts that one layer of earlier blocks has and the later ones lack: see Lacking.
func (l *lack) Of(earlier []source.Item) []Part {
	l.parts = nil
	l.compareBlocks(nil, blocksOf(earlier), &l.later, Full)
	return l.parts
}

// compareBlocks adds to l.parts what the earlier blocks contain and the later ones, which replaced them, don't. path
// leads to both. budget limits how much deeper it looks.
func (l *lack) compareBlocks(path *Path, earlier []*source.Block, later *namesake, budget Budget) {
	if !budget.IsLeft() {
		return
	}
	has := later.inside() // what the later blocks contain, by name
	isSetArgument := func(a *source.Attr) bool { return isSet(wholeNode(a, Budget{})) }
	for _, older := range namesakes(earlier, map[string]*namesake{}) { // nobody needs the map that it fills
		newer, inner := has[older.name], path.To(older.name)
		// If one has arguments and the other blocks, they can't be compared.
		switch {
		case newer == nil && older.blocks == nil && !slices.ContainsFunc(older.attrs, isSetArgument): // only null: no loss
		case newer == nil: // the later blocks lack the name
			l.parts = append(l.parts, Part{Path: inner})
		case older.blocks != nil && newer.attrs == nil: // blocks on both sides
			// Were there certainly more blocks of the type in one block than any has now? At least Known were there,
			// and at most Most are there now, unless dynamic blocks make any number (Open).
			if fewer := older.most.Known - newer.most.Most; fewer > 0 && newer.most.Open == 0 {
				l.parts = append(l.parts, Part{inner, fewer})
			}
			l.compareBlocks(inner, older.blocks, newer, budget.Behind(older.name))
		case newer.blocks == nil: // arguments on both sides
			l.compareValues(inner, older.attrs, newer, budget.Behind(older.name))
		}
	}
}

// A namesake is all the items of one name in several blocks, such as every filter block in two rule blocks, or
// every argument enc in these.
type namesake struct {
	name       string
	attrs      []*source.Attr
	blocks     []*source.Block
	lastHolder *source.Block // the block that holds the last item
	inLast     Number        // how many blocks of the name lastHolder holds
	most       Number        // the maximum of such blocks in one block

	// Computed on demand: the groups in the blocks, and the values of the arguments, none if they are
	// not all known.
	names  map[string]*namesake
	values []*Node
}

// inside returns all the items in the blocks, grouped by name. It groups them on the first call.
func (n *namesake) inside() map[string]*namesake {
	if n.names == nil {
		n.names = map[string]*namesake{}
		namesakes(n.blocks, n.names)
	}
	return n.names
}

// knownValues returns the values of the arguments, computed on the first call. It returns none if the parts of one
// of them can't be known, as of var.x, or are secret: then it may have any part.
func (n *namesake) knownValues(m *load.Module, budget Budget) []*Node {
	if n.values != nil {
		return n.values
	}
	n.values = []*Node{} // not nil: computed, even if it stays empty
	for _, a := range n.attrs {
		if !mayHaveParts(a) || m.Secrets().Covers(a) {
			n.values = n.values[:0]
			break
		}
		n.values = append(n.values, wholeNode(a, budget))
	}
	return n.values
}

// namesakes groups the items in blocks by name, adds the groups to byName, and lists them in the order of their
// first items. For a dynamic block it reads the content.
func namesakes(blocks []*source.Block, byName map[string]*namesake) (list []*namesake) {
	for _, b := range blocks {
		for _, it := range source.ContentOf(b).Items() {
			n := byName[it.Called()]
			if n == nil {
				n = &namesake{name: it.Called()}
				byName[n.name] = n
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

// add adds block b of the name, and updates n.most. within is the block around b. Blocks of one holder must be
// added one after the other, since only the last holder's are counted.
func (n *namesake) add(b, within *source.Block) {
	if n.lastHolder != within {
		n.lastHolder, n.inLast = within, Number{}
	}
	n.blocks = append(n.blocks, b)
	n.inLast = n.inLast.add(blocksMadeBy(b))
	n.most = Number{max(n.most.Known, n.inLast.Known), max(n.most.Most, n.inLast.Most), max(n.most.Open, n.inLast.Open)}
}

// compareValues adds to l.parts the keys of objects that earlier arguments have and later ones, which replaced
// them, lack. path leads to both.
func (l *lack) compareValues(path *Path, earlier []*source.Attr, later *namesake, budget Budget) {
	// The usual case costs little: equal texts lack nothing.
	if len(earlier) == 1 && len(later.attrs) == 1 {
		was, is := earlier[0], later.attrs[0]
		if bytes.Equal(was.File.Text(was.Value()), is.File.Text(is.Value())) {
			return
		}
	}
	newer := later.knownValues(l.module, budget)
	if len(newer) == 0 { // a later value may have any part
		return
	}
	var older []*Node // the earlier values with known parts, apart from null and secret ones
	for _, a := range earlier {
		if n := knownNode(l.module, a, budget); n != nil && isSet(n) && !l.module.Secrets().Covers(a) {
			older = append(older, n)
		}
	}
	known := map[string]bool{} // addresses in l.parts: several of the earlier values may have the same key
	l.keys.eachLacking(path, older, newer, func(at *Path) {
		if name := at.Address().String(); !known[name] {
			known[name] = true
			l.parts = append(l.parts, Part{Path: at})
		}
	})
}

// wholeNode returns the value of an argument. It has parts only if all of them are known: an unknown key of a later
// value may be any of the earlier keys.
func wholeNode(a *source.Attr, budget Budget) *Node {
	n, e := nodeOf(a)
	n.fill(parts.WholeOf(e), budget)
	return n
}

// knownNode returns the value of an argument with those of its parts that are known, also parts from local values;
// nil if it can't have any. budget limits only the parts in the argument's own text: each local value is read once
// for all arguments, in full depth, and kept.
func knownNode(m *load.Module, a *source.Attr, budget Budget) *Node {
	l := localLookup{module: m, seen: map[string]bool{}}
	fromCache := func(name string, _ Budget) *Node { return keptLocal(m, name) }
	return l.ofArgument(a, budget, fromCache)
}

// nodeOf returns an empty node for the value of an argument, and the expression to fill it from: the value, or what
// it encodes if it is a call of jsonencode or the like.
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

// keptLocal returns the value of the local value with a name, computed once for the module; nil if it is unknown,
// secret or large.
func keptLocal(m *load.Module, name string) *Node {
	kept := m.OfLocal(name, func() any {
		l := localLookup{module: m, seen: map[string]bool{}}
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

// A localLookup finds the parts of a value, also those in local values that it uses. It looks into each local value
// once.
type localLookup struct {
	module *load.Module
	seen   map[string]bool // names of the local values that were looked into
}

// ofArgument returns the value of an argument with the parts that are known: those in its text, and those of local
// values that it is (local.x) or that merge(...) puts into it. It returns nil if it can't have parts. lookUp returns
// a local value by its name, or nil.
func (l localLookup) ofArgument(a *source.Attr, budget Budget, lookUp func(string, Budget) *Node) *Node {
	if !mayHaveParts(a) {
		return nil
	}
	n, e := nodeOf(a)
	of := parts.KnownOf(e) // of an object or merge(...), an object with the known keys, or nil; otherwise e itself
	if of != nil {
		n.text = outline.SpanOf(of.Range()) // without parentheses and the like
		n.fill(of, budget)
	}
	// Add what comes from local values that the expression uses, up to maxLocals of them.
	_, isLocal := of.(*hclsyntax.ScopeTraversalExpr)
	for _, name := range parts.Locals(e) {
		if l.seen[name] || len(l.seen) == maxLocals {
			continue
		}
		l.seen[name] = true
		local := lookUp(name, budget)
		if isLocal && local != nil { // the value is local.x and nothing else, so that has all the parts
			return local
		}
		n.addKeys(local) // an argument of merge()
	}
	return n
}

// ofLocal returns the value of a local value; nil if it is unknown or secret.
func (l localLookup) ofLocal(name string, budget Budget) *Node {
	a := l.module.Local(name)
	if a == nil || l.module.Secrets().Covers(a) {
		return nil
	}
	return l.ofArgument(a, budget, l.ofLocal)
}

// addKeys adds the keys of an object that merge() may put into n. Their values are left unknown: another argument
// of merge() may give other ones.
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
	n.Form, n.Sum = Object, Sum{} // the sum is unknown, as the value is
}

// sumOfNull is the sum of null. An argument that is null counts as not set.
var sumOfNull = sumOf('n', nil)

// isSet reports whether a value isn't null.
func isSet(n *Node) bool { return n.Sum != sumOfNull }

// A keyTables caches, for objects in effect, their values by key. Very many earlier objects may be compared with
// the same later ones, so a table is made once, and found by the first of these objects.
type keyTables map[*Node]map[Key][]*Node

// table returns the values of later objects by their keys. It returns nil if nothing is certainly lacking: if one
// is neither an object nor null, or functions such as jsonencode encode them differently.
func (t keyTables) table(later []*Node) map[Key][]*Node {
	values, isKnown := t[later[0]]
	if isKnown {
		return values
	}
	values = map[Key][]*Node{}
	for _, n := range later {
		isObjectOrNull := n.Form == Object || n.Sum == sumOfNull
		if !isObjectOrNull || n.Label != later[0].Label {
			values = nil
			break
		}
		for _, m := range n.Members {
			values[m.Key] = append(values[m.Key], m.Node)
		}
	}
	t[later[0]] = values
	return values
}

// eachLacking calls visit with the path of each key in earlier objects that no later object has. path leads to all
// of them. A single later value may also be a list: its objects are compared with those of earlier lists of the
// same length, index by index. If a later value isn't an object, nothing is certainly lacking.
func (t keyTables) eachLacking(path *Path, earlier, later []*Node, visit func(*Path)) {
	if len(later) == 1 { // earlier values that equal it have lost nothing
		earlier = slices.DeleteFunc(slices.Clone(earlier), func(n *Node) bool { return n.Sum == later[0].Sum })
		for _, n := range earlier {
			t.compareElements(path, n, later[0], visit)
		}
	}
	laterValues := t.table(later)
	if laterValues == nil {
		return
	}
	// Values encoded by different functions, such as jsonencode, can't be compared.
	earlier = slices.DeleteFunc(slices.Clone(earlier), func(n *Node) bool { return n.Label != later[0].Label })
	earlierValues := map[Key][]*Node{}
	for _, n := range earlier {
		for _, m := range n.Members {
			earlierValues[m.Key] = append(earlierValues[m.Key], m.Node)
		}
	}
	// Each key is compared once, with its values in all objects, in the order of the earlier objects.
	for _, n := range earlier {
		for _, m := range n.Members {
			older := earlierValues[m.Key]
			delete(earlierValues, m.Key)
			switch newer := laterValues[m.Key]; {
			case older == nil: // the key was compared for another object
			case newer == nil && !slices.ContainsFunc(older, isSet): // null is as good as nothing
			case newer == nil:
				visit(path.To(m.Name))
			default:
				t.eachLacking(path.To(m.Name), older, newer, visit)
			}
		}
	}
}

// compareElements compares two lists of one length index by index, for keys that objects in them lost. It skips an
// object that the later list also has, at any index: it may have moved there, and has lost nothing. In lists of
// different lengths, no elements correspond.
func (t keyTables) compareElements(path *Path, earlier, later *Node, visit func(*Path)) {
	if earlier.Form != List || later.Form != List || earlier.Label != later.Label || len(earlier.Elements) != len(later.Elements) {
		return
	}
	isInLater := map[Sum]bool{} // at any index
	for _, n := range later.Elements {
		isInLater[n.Sum] = true
	}
	for i, n := range earlier.Elements {
		if n.Form == Object && !isInLater[n.Sum] {
			at := path.At(i, i, false /* isOnly */) // the index is the same in both lists
			t.eachLacking(at, []*Node{n}, []*Node{later.Elements[i]}, visit)
		}
	}
}

// A Loss describes what an earlier value of an argument has and the effective one lacks.
type Loss struct {
	Of       *source.Attr // the earlier argument
	Keys     []*Path      // of its objects
	Elements []Value      // of its lists
	Fewer    int          // how many elements fewer the effective value has; negative if it has more
}

// KeyNames returns the lost keys as addresses, such as deep.a.
func (l *Loss) KeyNames() (names []string) {
	for _, k := range l.Keys {
		names = append(names, k.Address().String())
	}
	return names
}

// Dropped names, for people, the known parts of earlier items that the effective ones, which replaced them, lack:
// keys of objects, or arguments and blocks in nested blocks.
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

// LostBy lists the known parts of each earlier value of an argument that the effective value lacks: it replaced the
// earlier ones as a whole. A part that several of them have is listed for the latest. If the effective value has
// computed keys, these may be any, so nothing is certainly lost.
func LostBy(m *load.Module, effective *source.Attr, earlier []source.Item) []Loss {
	if len(earlier) == 0 || !mayHaveParts(effective) {
		return nil
	}
	later := wholeNode(effective, Full)
	if isVersion(effective) { // short for { version = ... }
		later.Form, later.Members = Object, []Member{{Key{Name: "version"}, &Node{}}}
	}
	if later.Form == Whole && later.Sum != sumOfNull { // it has no parts, or not all are known
		return nil
	}
	var list []Loss
	l := losing{later: later, keys: keyTables{}, listedKeys: map[string]bool{}, listedElements: map[Sum]bool{}}
	// The latest comes first, since l lists each part only once.
	for _, it := range slices.Backward(earlier) {
		a, ok := it.(*source.Attr)
		if !ok {
			continue
		}
		lost := Loss{Of: a}
		if earlierNode := knownNode(m, a, Full); earlierNode != nil {
			l.compare(&lost, earlierNode.withoutDefaultSource(a))
		}
		if len(lost.Keys)+len(lost.Elements) > 0 {
			list = append(list, lost)
		}
	}
	slices.Reverse(list)
	return list
}

// mayHaveParts reports whether an argument's value may have keys or elements. That is so for an object, a list, a
// local value, a call of a function that makes one, a version constraint that stands for an object (see isVersion),
// and null, which lacks every part. It judges by the beginning of the text, which is much cheaper than parsing.
func mayHaveParts(a *source.Attr) bool {
	text := a.File.Text(a.Value())
	// The letters begin jsonencode, local.x, merge, null, tomap and yamlencode.
	startsLikeParts := len(text) > 0 && strings.IndexByte("{[(jlmnty", text[0]) >= 0
	return mayBeWrapped(text) || startsLikeParts || isVersion(a)
}

// mayBeWrapped reports whether a value may be one interpolation in quotes and nothing else, "${...}": that stands
// for the value in the braces.
func mayBeWrapped(text []byte) bool {
	inside, ok := bytes.CutPrefix(text, []byte(`"${`))
	if !ok {
		return false
	}
	n, isSure := outline.Expression(inside)
	return !isSure || len(bytes.Trim(inside[n:], " \t\r\n~}\"")) == 0 // only }" or ~}" follows the expression
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

// withoutDefaultSource returns n, the value of argument a, without what stays in effect if nobody repeats it: in an
// entry of required_providers, a source that also follows from the provider's name.
func (n *Node) withoutDefaultSource(a *source.Attr) *Node {
	if !load.IsRequirement(a) || !load.HasDefaultSource(a) {
		return n
	}
	kept := *n
	kept.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m Member) bool { return m.Name == "source" })
	return &kept
}

// A losing finds the parts of several earlier values that a later value lacks, each once.
type losing struct {
	later          *Node
	keys           keyTables
	laterElements  map[Sum]bool    // the sums of the later value's elements, computed on demand
	listedKeys     map[string]bool // the addresses of the lost keys so far
	listedElements map[Sum]bool    // the sums of the lost elements so far
}

// compare adds to lost what an earlier value has and the later one lacks, unless it was listed before.
func (l *losing) compare(lost *Loss, earlier *Node) {
	if earlier.Form == List && l.later.Form == List && earlier.Sum != l.later.Sum {
		l.compareElements(lost, earlier)
	}
	l.keys.eachLacking(nil, []*Node{earlier}, []*Node{l.later}, func(at *Path) {
		if name := at.Address().String(); !l.listedKeys[name] {
			l.listedKeys[name] = true
			lost.Keys = append(lost.Keys, at)
		}
	})
}

// compareElements sets lost.Fewer, by how many elements an earlier list is longer than the later one. It adds to
// lost.Elements those that the later list has at no index, unless they were listed for another earlier list.
func (l *losing) compareElements(lost *Loss, earlier *Node) {
	lost.Fewer = len(earlier.Elements) - len(l.later.Elements)
	if l.laterElements == nil {
		l.laterElements = map[Sum]bool{}
		for _, n := range l.later.Elements {
			l.laterElements[n.Sum] = true
		}
	}
	for _, n := range earlier.Elements {
		if !l.laterElements[n.Sum] && !l.listedElements[n.Sum] {
			l.listedElements[n.Sum] = true
			lost.Elements = append(lost.Elements, n.Value)
		}
	}
}
