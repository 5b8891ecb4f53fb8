// Package values reads the values of arguments and nested blocks as trees of their parts, and finds
// which parts of earlier ones those that replaced them lack.
//
// Parts are compared by sums of their meaning, and named by paths. A value that is computed, secret
// or too deep has no parts. Nothing is worded or judged here.
package values

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A Value is the value of an argument or a part of it, or a nested block.
type Value struct {
	Item source.Item // the argument, or the block
	// IsPart is set if it is a part of the argument's value.
	IsPart bool
	// Computed is the value in native syntax if the file's native text isn't; nil otherwise.
	Computed []byte
	// IsComputed is set if no file has the text.
	IsComputed bool

	hasQuotes bool // the engine takes references in quotes there

	at   outline.Span // of what names the value, or of an element, in the file's native text
	text outline.Span // of the value
}

// ValueOf returns the value of an argument, or a nested block as a whole.
func ValueOf(it source.Item) Value {
	v := Value{Item: it, at: outline.SpanOf(it.Header()), text: outline.SpanOf(it.Extent())}
	if a, ok := it.(*source.Attr); ok {
		v.text = outline.SpanOf(a.Value())
		v.hasQuotes = language.TakesQuotes(a)
	}
	return v
}

// Text returns the value in native syntax, for a block all of it. It may share the file's memory.
func (v *Value) Text() []byte {
	if v.Computed != nil {
		return v.Computed
	}
	f := v.Item.Source()
	return f.Text(v.text.In(f.Name))
}

// Raw returns the JSON text of a value. It is nil in a native file, and if the value is a converted one (Computed).
func (v *Value) Raw() []byte {
	f := v.Item.Source()
	if f.Syntax != source.JSON || v.Computed != nil {
		return nil
	}
	at := f.Place(v.text.In(f.Name))
	return f.Raw[at.Start.Byte:at.End.Byte]
}

// Place returns the range, in the file on disk, that users look at: of the argument's name or the key before the
// value, or of the element.
func (v *Value) Place() hcl.Range {
	if !v.IsPart {
		return source.Where(v.Item)
	}
	f := v.Item.Source()
	return f.Place(v.at.In(f.Name))
}

// Whole returns the range, in the file on disk, from the name or key through the value. For an argument or a block,
// only the byte offsets are those of the whole; lines and columns are those of the name.
func (v *Value) Whole() hcl.Range {
	if !v.IsPart {
		from, to := source.Spread(v.Item)
		r := source.Where(v.Item)
		r.Start.Byte, r.End.Byte = from, to
		return r
	}
	// For a part: from the place of its name to the end of the value.
	f := v.Item.Source()
	r := v.Place()
	r.End = f.Place(v.text.In(f.Name)).End
	return r
}

// A Form tells what parts a value is compared by.
type Form int

// The forms.
const (
	Whole  Form = iota // none: it is compared as a whole
	Object             // the keys of an object, or the names in a block
	List               // the elements of a list
	Blocks             // the nested blocks of a type
)

// A Node is a value with its parts, as deep as its Form says.
type Node struct {
	Value
	Form     Form
	Label    string // nodes with different ones don't correspond: type and labels of a block, or an encoding function
	Members  []Member
	Elements []*Node
	IsPlain  bool // it is compared as a whole, and refers to nothing
	Sum      Sum
}

// A Member is a key of an object with its value; in a block, an argument, or the nested blocks of a type.
type Member struct {
	Key
	Node *Node
}

// A Key identifies a member of an object or a block.
type Key struct {
	Name     string
	IsBlocks bool
}

// A Reader reads the values of a module as nodes. Its Budget limits how deep: values further down have no parts.
type Reader struct {
	Module *load.Module
	Budget Budget
}

// Items returns the nodes of arguments and blocks.
func (r Reader) Items(items []source.Item) (list []*Node) {
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			list = append(list, r.Attr(it))
		case *source.Block:
			list = append(list, r.block(it, r.Budget.Behind("")))
		}
	}
	return list
}

// Attr returns the node of an argument's value. Secrets have no parts, and neither have values that native syntax
// can't express.
func (r Reader) Attr(a *source.Attr) *Node { return r.attr(a, r.Budget) }

// attr is Attr with what is left of the budget. A converted value, a long text and a sensitive value have no parts.
func (r Reader) attr(a *source.Attr, budget Budget) *Node {
	n := &Node{Value: ValueOf(a)}
	if text := a.Display(); !bytes.Equal(text, a.File.Text(a.Value())) { // a converted value
		n.Computed = text
		n.Sum = SumOfText(text)
		return n
	}
	if text := n.Text(); parts.HasLongHeredoc(text) || isLongString(text) {
		n.Sum = SumOfText(text)
		return n
	}
	if budget.IsLeft() && r.Module.Secrets().Covers(a) { // a sensitive value is compared as a whole
		budget = Budget{}
	}
	n.fill(a.Expr(), budget)
	return n
}

// isLongString reports whether a value is a string too long to be evaluated. Such values are compared by their
// tokens instead. "${a}" isn't one: it is the value of a, of any type.
func isLongString(text []byte) bool {
	isString := bytes.HasPrefix(text, []byte("<<")) || bytes.HasPrefix(text, []byte(`"`)) && !mayBeWrapped(text)
	return isString && len(text) > equal.MaxConstant
}

// fill sets the form, parts and sum of a value from its expression, as deep as the budget allows.
func (n *Node) fill(expr hcl.Expression, budget Budget) {
	inner, text := constant.Bare(expr, n.hasQuotes), n.Text()
	if inner != expr { // parentheses or quotes were around it
		text = n.Item.Source().Text(inner.Range())
	}
	switch e := inner.(type) {
	case *hclsyntax.ObjectConsExpr:
		if budget.IsLeft() && n.fillObject(e, budget) {
			return
		}
	case *hclsyntax.TupleConsExpr:
		if budget.IsLeft() {
			n.fillList(e, budget)
			return
		}
	}
	// Neither a list nor an object, or one that can't be taken apart, which fillObject may have half filled.
	n.Form, n.Members, n.Elements = Whole, nil, nil
	n.Sum = n.sumOf(inner, text)
}

// fillObject fills an object. It returns false, with the node half filled, if a key is computed or comes twice, or
// if the budget is too small for one of the keys. The caller then compares the object as a whole.
func (n *Node) fillObject(e *hclsyntax.ObjectConsExpr, budget Budget) bool {
	names, ok := parts.Keys(e)
	if !ok {
		return false
	}
	n.Form = Object
	for i, item := range e.Items {
		if !budget.Behind(names[i]).IsLeft() {
			return false
		}
		part := n.part(item.KeyExpr.Range(), item.ValueExpr)
		part.fill(item.ValueExpr, budget.Behind(names[i]))
		n.Members = append(n.Members, Member{Key{Name: names[i]}, part})
	}
	n.Sum = sumOfMembers(n.Members)
	return true
}

// fillList fills a list with its elements.
func (n *Node) fillList(e *hclsyntax.TupleConsExpr, budget Budget) {
	n.Form = List
	for _, elem := range e.Exprs {
		part := n.part(elem.Range(), elem)
		part.fill(elem, budget.Behind("")) // an index takes a step, but no name
		n.Elements = append(n.Elements, part)
	}
	n.Sum = sumOfElements(n.Elements)
}

// part returns an empty node for the part of n with value expr. at is the range of what names the part: its key, or
// the element itself.
func (n *Node) part(at hcl.Range, expr hcl.Expression) *Node {
	return &Node{Value: Value{Item: n.Item, IsPart: true, hasQuotes: n.hasQuotes, at: outline.SpanOf(at), text: outline.SpanOf(expr.Range())}}
}

// block returns the node of a nested block. Without budget for paths into it, the node has a sum, but no members.
func (r Reader) block(b *source.Block, budget Budget) *Node {
	n := &Node{Value: ValueOf(b), Form: Object, Label: b.Address()}
	indexOf := map[string]int{} // the index in n.Members of a type of blocks
	for _, it := range b.Items() {
		name := it.Called()
		switch it := it.(type) {
		case *source.Attr:
			n.Members = append(n.Members, Member{Key{Name: name}, r.attr(it, budget.Behind(name))})
		case *source.Block:
			// All nested blocks of a type are elements of one member.
			i, known := indexOf[name]
			if !known {
				i, indexOf[name] = len(n.Members), len(n.Members)
				n.Members = append(n.Members, Member{Key{Name: name, IsBlocks: true}, &Node{Form: Blocks}})
			}
			inner := n.Members[i].Node
			inner.Elements = append(inner.Elements, r.block(it, budget.Behind(name)))
		}
	}
	for _, m := range n.Members {
		if m.IsBlocks {
			m.Node.Sum = sumOfElements(m.Node.Elements)
		}
	}
	n.Sum = sumOfBlock(n.Label, n.Members) // of all members, whether or not they stay
	if !budget.IsLeftForBlocks() {
		n.Form, n.Members = Whole, nil
	}
	return n
}

// BlocksNode returns a node for nested blocks of one type, from the nodes of the blocks.
func BlocksNode(elements []*Node) *Node {
	return &Node{Form: Blocks, Elements: elements, Sum: sumOfElements(elements)}
}

// A Path leads from an argument, or from nested blocks, to a part of them. It is the last step, linked to the
// earlier ones; nil is the start.
type Path struct {
	From *Path // the way to here; nil at its start
	// Name is an object's key, or in a nested block the name of an argument or the type of blocks;
	// empty for an index.
	Name string
	// Before and After are the index in the earlier and in the later list, from 0; -1 in
	// a list without the element.
	Before, After int
	IsIndex       bool // the step is an index, not a name
	// IsOnly is set if there is only one block, so people need no index.
	IsOnly bool
}

// To returns the path with one more step, to a name.
func (p *Path) To(name string) *Path { return &Path{From: p, Name: name} }

// Steps lists the steps, the outermost first.
func (p *Path) Steps() (list []*Path) {
	for at := p; at != nil; at = at.From {
		list = append(list, at)
	}
	slices.Reverse(list)
	return list
}

// At returns the path with one more step, to an element or a block: see Path.Before, After and IsOnly.
func (p *Path) At(before, after int, isOnly bool) *Path {
	return &Path{From: p, Before: before, After: after, IsOnly: isOnly, IsIndex: true}
}

// Index returns the index in the later list, or in the earlier one if the later doesn't have the element.
func (p *Path) Index() int { return indexOr(p.After, p.Before) }

// Earlier returns the index in the earlier list, or in the later one if the earlier doesn't have the element.
func (p *Path) Earlier() int { return indexOr(p.Before, p.After) }

// indexOr returns index, or the other one if index is negative.
func indexOr(index, other int) int {
	if index >= 0 {
		return index
	}
	return other
}

// Address returns the path as an address: tags.Owner, [2], ["cost centre"]. The index of a lone block is left
// out.
func (p *Path) Address() address.Address { return p.AddressBy((*Path).Index) }

// AddressBy is Address with indexes from a function, which is (*Path).Index or (*Path).Earlier.
func (p *Path) AddressBy(index func(*Path) int) (a address.Address) {
	for _, s := range p.Steps() {
		switch {
		case s.IsIndex && s.IsOnly: // the only block is named without an index
		case s.IsIndex:
			a = a.At(index(s))
		default:
			a = a.Child(s.Name)
		}
	}
	return a
}

// The output for each change must stay in proportion to the file, so parts with longer paths are
// not compared.
const (
	maxSteps = 32  // of a path
	maxNames = 256 // bytes of the names in a path
	// maxBlockNames is maxNames for nested blocks: dynamic blocks of providers with long names nest
	// deep, and nobody sees the difference between two blocks that are shown as a whole.
	maxBlockNames = 1024
)

// A Budget limits how much longer a path to a part may become, in steps and in bytes of names.
type Budget struct{ steps, names int }

// Full is the budget of a path without steps.
var Full = Budget{maxSteps, maxNames}

// BudgetFor returns the budget for paths that continue an address.
func BudgetFor(own address.Address) Budget {
	return Budget{steps: maxSteps, names: maxNames - len(own.String())} // the names of a path count by their length
}

// Behind returns the budget that is left after one more step, with a name; "" for an index.
func (b Budget) Behind(name string) Budget {
	return Budget{b.steps - 1, b.names - len(name) - 4} // the name may need [""]
}

// IsLeft reports whether a path may become longer.
func (b Budget) IsLeft() bool { return b.steps > 0 && b.names > 0 }

// IsLeftForBlocks is IsLeft for a path to nested blocks, whose names may be longer: maxBlockNames bytes in total.
func (b Budget) IsLeftForBlocks() bool {
	// b.names started at maxNames, so here it may become negative.
	return b.steps > 0 && b.names > maxNames-maxBlockNames
}

// A Sum is a hash of what a value means: two values with the same differ at most in layout, comments, the
// spelling of constants and the order of keys. Sums are made once, from the inside out, so comparing values
// costs nothing.
type Sum [16]byte

// sumOf returns the sum of a text. kind is a letter for each kind of value, so that values of different kinds never
// share a sum.
func sumOf(kind byte, text []byte) (s Sum) {
	h := sha256.New()
	h.Write([]byte{kind})
	h.Write(text)
	copy(s[:], h.Sum(nil))
	return s
}

// sumOf returns the sum of a value that is compared as a whole, from its expression e and its text, and sets
// n.IsPlain. A string, number or bool has the sum of what it evaluates to, so 1 and 1.0 share one; any other value
// has that of its tokens.
func (n *Node) sumOf(e hcl.Expression, text []byte) Sum {
	if n.IsPlain = parts.IsPlain(e); !n.IsPlain {
		return SumOfText(text)
	}
	v, diags := limits.Evaluate(e)
	switch {
	case diags.HasErrors() || !v.IsKnown():
		return SumOfText(text)
	case v.IsNull():
		return sumOf('n', nil)
	case v.Type() == cty.String:
		return sumOf('s', []byte(v.AsString()))
	case v.Type() == cty.Number:
		return sumOf('i', []byte(v.AsBigFloat().Text('p', 0))) // 'p': exact, in hexadecimal
	case v.Type() == cty.Bool && v.True():
		return sumOf('b', []byte{1})
	case v.Type() == cty.Bool:
		return sumOf('b', []byte{0})
	}
	return SumOfText(text)
}

// SumOfText returns a hash of a native text's tokens: texts that differ only in layout have the same one.
func SumOfText(text []byte) Sum {
	tokens := equal.SumOf(text)
	return sumOf('t', tokens[:]) // t keeps it apart from the hashes of other kinds of values
}

// sumOfMembers returns a hash of an object, whatever the order of its members is.
func sumOfMembers(members []Member) Sum { return sumOf('o', memberSums(members)) }

// sumOfBlock returns a hash of a block: of its type and labels, and of its contents.
func sumOfBlock(label string, members []Member) Sum {
	of := sumOf('l', []byte(label))
	return sumOf('k', append(of[:], memberSums(members)...))
}

// memberSums returns the hashes of members' names and values, in a row. Members are sorted, since their order means
// nothing.
func memberSums(members []Member) (all []byte) {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b Member) int {
		if a.IsBlocks != b.IsBlocks { // arguments first
			if a.IsBlocks {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, m := range sorted {
		name := sumOf('m', []byte(m.Name))
		all = append(append(all, name[:]...), m.Node.Sum[:]...)
	}
	return all
}

// sumOfElements returns the sum of a list, or of the nested blocks of a type: a hash of the elements' hashes, equal
// for equal values. The letter keeps it apart from the sums of other kinds of values.
func sumOfElements(elements []*Node) Sum {
	var all []byte
	for _, n := range elements {
		all = append(all, n.Sum[:]...)
	}
	return sumOf('a', all)
}

// A BlockLoss describes the nested blocks of an earlier layer that have no equal among those that replaced
// them.
type BlockLoss struct {
	Before, After Number
	// Gone are the blocks of the layer that no later block equals, apart from layout, comments, the
	// spelling of constants and the order of arguments, and for which there is no later dynamic
	// block with the same for_each.
	Gone []*source.Block
	// GoneKnown is how many blocks those in Gone make at least.
	GoneKnown int
	// Stay maps the other blocks of the layer to the equal later block. IsRest is set if it contains
	// all later blocks.
	Stay   map[*source.Block]*source.Block
	IsRest bool
	// IsCertain is set if there certainly are fewer blocks, or fewer with some labels; otherwise it
	// depends on a for_each. Fewer is the minimum difference.
	IsCertain bool
	Fewer     int
}

// replacementBlocks are the nested blocks in effect, which replaced earlier ones. It holds them by what Lost
// compares earlier layers with.
type replacementBlocks struct {
	read    Reader
	written int                     // blocks as written; a dynamic one is one
	number  Number                  // blocks that they make
	labels  map[string]int          // how many have the same type and labels
	equal   map[Sum][]*source.Block // by their meaning
	forEach map[Sum][]*source.Block // dynamic ones by their for_each, and by each list that it joins by concat
}

// NewReplacing prepares Lost for the nested blocks in effect, which replaced earlier layers: it counts the blocks and
// indexes them by their meaning, and the dynamic ones also by their for_each.
func NewReplacing(m *load.Module, live []source.Item) *replacementBlocks {
	r := &replacementBlocks{
		read:  Reader{m, Full},
		equal: map[Sum][]*source.Block{}, forEach: map[Sum][]*source.Block{}, labels: map[string]int{},
	}
	for _, b := range blocksOf(live) {
		r.written++
		r.labels[b.Address()]++
		r.number = r.number.add(blocksMadeBy(b))
		s := r.sumOf(b)
		r.equal[s] = append(r.equal[s], b)
		if a := forEachOf(b); a != nil {
			s := r.read.Attr(a).Sum
			r.forEach[s] = append(r.forEach[s], b)
		}
	}
	// for_each = concat(var.a, var.b) extends both lists, so it also makes up for a lost block with for_each = var.a.
	// These are appended last, so that sameForEach prefers a block with an equal for_each.
	for _, b := range blocksOf(live) {
		if a := forEachOf(b); a != nil {
			for _, s := range joinedSums(a) {
				r.forEach[s] = append(r.forEach[s], b)
			}
		}
	}
	return r
}

// sumOf returns the sum of what a block means.
func (r *replacementBlocks) sumOf(b *source.Block) Sum { return r.read.block(b, Full).Sum }

// Lost returns what an earlier layer lost to the blocks that replaced it. It returns false if there are certainly no
// fewer blocks now, or if each block of the layer has a counterpart: an equal block, or for a dynamic block one with
// the same for_each, or one whose for_each joins the earlier list with others by concat.
func (r *replacementBlocks) Lost(layer []source.Item) (BlockLoss, bool) {
	earlier := blocksOf(layer)
	lost := BlockLoss{After: r.number, Stay: map[*source.Block]*source.Block{}}
	for _, b := range earlier {
		lost.Before = lost.Before.add(blocksMadeBy(b))
	}
	// Are there fewer blocks now, in all or with some labels?
	missingAlike := r.countMissingAlike(earlier)
	lost.Fewer = max(lost.Before.Known-lost.After.Most, missingAlike)
	if lost.Before.isWithin(lost.After) && missingAlike == 0 {
		return BlockLoss{}, false
	}
	// Blocks that stay drop out on both sides, so that only the others need to be compared by number: if x, y became x
	// and a dynamic block, y may be one that this makes.
	before, after := r.pairUp(earlier, &lost) // fills lost.Stay and lost.Gone
	lost.IsCertain = after.Open == 0 && (before.Known > after.Most || missingAlike > 0)
	// Nothing is lost if the rest of the layer certainly makes no more blocks than the rest of those in effect.
	if !lost.IsCertain && before.isWithin(after) {
		return BlockLoss{}, false
	}
	return lost, len(lost.Gone) > 0
}

// countMissingAlike counts the blocks of an earlier layer that have no counterpart of the same type and labels: one
// if the layer has three and only two are in effect. It returns 0 if a block in effect is dynamic, since that may
// make any.
func (r *replacementBlocks) countMissingAlike(earlier []*source.Block) (n int) {
	if len(r.forEach) > 0 {
		return 0
	}
	counts := map[string]int{}
	for _, b := range earlier {
		if b.Type == source.DynamicBlock {
			continue
		}
		// Each block beyond the number in effect is missing.
		if counts[b.Address()]++; counts[b.Address()] > r.labels[b.Address()] {
			n++
		}
	}
	return n
}

// pairUp pairs the blocks of an earlier layer with equal ones in effect, and dynamic ones with those of the same
// for_each. It fills in lost.Stay, lost.IsRest and the Gone fields, and returns how many blocks each side makes
// besides the pairs.
func (r *replacementBlocks) pairUp(earlier []*source.Block, lost *BlockLoss) (before, after Number) {
	before, after = lost.Before, lost.After
	taken := map[*source.Block]bool{} // later blocks that have a partner
	var unequal []*source.Block
	take := func(b, later *source.Block) {
		taken[later] = true
		// Both sides lose the number of b: if later makes more blocks than b, the others remain.
		before, after = before.minus(blocksMadeBy(b)), after.minus(blocksMadeBy(b))
	}
	// First pair each block with an equal one.
	next := map[Sum]int{} // by sum: the index in r.equal of the first later block without a partner
	for _, b := range earlier {
		s := r.sumOf(b)
		if next[s] == len(r.equal[s]) {
			unequal = append(unequal, b)
			continue
		}
		lost.Stay[b] = r.equal[s][next[s]]
		next[s]++
		take(b, lost.Stay[b])
	}
	lost.IsRest = len(taken) == r.written // counted before pairs by for_each, which aren't in Stay
	// Then pair dynamic blocks by for_each. Other blocks without a partner are gone.
	nextDynamic := map[Sum]int{}
	for _, b := range unequal {
		if later := r.sameForEach(b, taken, nextDynamic); later != nil {
			take(b, later)
		} else if blocksMadeBy(b) != (Number{}) { // it makes some
			lost.Gone = append(lost.Gone, b)
			lost.GoneKnown += blocksMadeBy(b).Known
		}
	}
	return before, after
}

// sameForEach returns a later dynamic block, not in taken, whose for_each equals that of b, or joins that list with
// others by concat: it makes at least as many blocks. It returns nil if there is none, or if b isn't dynamic. next
// holds, by the sum of a for_each, how many candidates earlier calls have looked at.
func (r *replacementBlocks) sameForEach(b *source.Block, taken map[*source.Block]bool, next map[Sum]int) *source.Block {
	a := forEachOf(b)
	if a == nil {
		return nil
	}
	s := r.read.Attr(a).Sum
	for list := r.forEach[s]; next[s] < len(list); {
		later := list[next[s]]
		next[s]++
		if !taken[later] {
			return later
		}
	}
	return nil
}

// blocksOf returns the blocks among items.
func blocksOf(items []source.Item) (list []*source.Block) {
	for _, it := range items {
		if b, ok := it.(*source.Block); ok {
			list = append(list, b)
		}
	}
	return list
}

// forEachOf returns the for_each of a dynamic block; nil for any other.
func forEachOf(b *source.Block) *source.Attr {
	if b.Type != source.DynamicBlock {
		return nil
	}
	return b.Attr("for_each")
}

// A Number is how many nested blocks some items make: at least Known, and at most Most. If some items are Open,
// there is no maximum. Only the for_each of a dynamic block shows how many it makes.
type Number struct {
	Known int
	Most  int
	Open  int // dynamic blocks that may make any number
}

// add adds two numbers.
func (n Number) add(o Number) Number {
	return Number{n.Known + o.Known, n.Most + o.Most, n.Open + o.Open}
}

// minus subtracts o, the number of some of the items that n counts.
func (n Number) minus(o Number) Number {
	return Number{n.Known - o.Known, n.Most - o.Most, n.Open - o.Open}
}

// isWithin reports whether n is certainly at most o.
func (n Number) isWithin(o Number) bool { return n.Open == 0 && n.Most <= o.Known }

// unknownNumber is how many blocks a dynamic block makes if its for_each shows nothing.
var unknownNumber = Number{Open: 1}

// blocksMadeBy returns how many blocks a block makes: one, or for a dynamic block as many as its for_each has
// elements.
func blocksMadeBy(b *source.Block) Number {
	if b.Type != source.DynamicBlock {
		return Number{Known: 1, Most: 1}
	}
	if a := forEachOf(b); a != nil {
		return lengthOf(a.Expr())
	}
	return unknownNumber
}

// lengthOf returns how many elements a list, a set, a map or an object has, by the text of its expression alone: 2
// for [a, b], at least 1 and at most 2 for x ? [a] : [a, b], and unknownNumber for var.x.
func lengthOf(e hcl.Expression) Number {
	switch e := constant.Bare(e, false).(type) {
	case *hclsyntax.TupleConsExpr:
		return Number{Known: len(e.Exprs), Most: len(e.Exprs)}
	case *hclsyntax.ObjectConsExpr:
		var keys []string // those that are known
		for _, item := range e.Items {
			if name, ok := parts.Key(item.KeyExpr); ok {
				keys = append(keys, name)
			}
		}
		return distinct(keys, len(e.Items))
	case *hclsyntax.ConditionalExpr:
		yes, no := lengthOf(e.TrueResult), lengthOf(e.FalseResult)
		return Number{min(yes.Known, no.Known), max(yes.Most, no.Most), max(yes.Open, no.Open)}
	case *hclsyntax.FunctionCallExpr:
		return lengthOfCall(e)
	}
	return unknownNumber
}

// lengthOfCall returns how many elements the result of a function call has, by its text alone: 3 for
// concat([a, b], [c]), and unknownNumber for most functions.
func lengthOfCall(e *hclsyntax.FunctionCallExpr) Number {
	switch {
	case e.ExpandFinal || len(e.Args) == 0: // unknown
	case e.Name == "concat":
		var n Number
		for _, arg := range e.Args {
			n = n.add(lengthOf(arg))
		}
		return n
	case e.Name == "tolist" || e.Name == "tomap":
		return lengthOf(e.Args[0])
	case e.Name == "toset":
		if list, ok := constant.Bare(e.Args[0], false).(*hclsyntax.TupleConsExpr); ok {
			return lengthOfSet(list)
		}
		n := lengthOf(e.Args[0])
		n.Known = min(n.Known, 1) // all elements may be equal
		return n
	}
	return unknownNumber
}

// lengthOfSet returns how many elements toset(list) has: equal ones count once, and in a list of strings and numbers
// 1 and "1" are equal. An element that isn't constant may equal any other.
func lengthOfSet(list *hclsyntax.TupleConsExpr) Number {
	var elements []string // the constant ones, as strings
	for _, e := range list.Exprs {
		if !parts.IsPlain(e) {
			continue
		}
		v, diags := limits.Evaluate(e)
		if s, err := convert.Convert(v, cty.String); !diags.HasErrors() && err == nil && s.IsKnown() && !s.IsNull() {
			elements = append(elements, s.AsString())
		}
	}
	return distinct(elements, len(list.Exprs))
}

// distinct returns how many of several keys or elements differ. known are those that are known; all counts them and
// the unknown ones, each of which may equal another.
func distinct(known []string, all int) Number {
	differ := map[string]bool{}
	for _, name := range known {
		differ[name] = true
	}
	unknown := all - len(known)
	atLeastOne := min(all, 1) // unless there are none at all
	return Number{Known: max(len(differ), atLeastOne), Most: len(differ) + unknown}
}

// joinedSums returns a hash of each list that a, the argument for_each of a dynamic block, joins: of var.x and of
// var.y for concat(var.x, var.y). With them, callers see that such a block lacks nothing of an earlier one with
// for_each = var.x. joinedSums returns none if a isn't a call of concat.
func joinedSums(a *source.Attr) (sums []Sum) {
	call, ok := constant.Bare(a.Expr(), false).(*hclsyntax.FunctionCallExpr) // without parentheses
	if !ok || call.ExpandFinal || call.Name != "concat" {
		return nil
	}
	whole := &Node{Value: ValueOf(a)}
	for _, arg := range call.Args {
		part := whole.part(arg.Range(), arg)
		part.fill(arg, Full)
		sums = append(sums, part.Sum)
	}
	return sums
}
