package values

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// A Value is the value of an argument or a part of it, or a nested block.
type Value struct {
	Item source.Item // the argument, or the block
	// IsPart is set if it is a part of the argument's value.
	IsPart bool
	// Computed is the text where the file has none, or another one, in native syntax.
	Computed []byte
	// IsComputed is set if no file has the text.
	IsComputed bool

	hasQuotes bool // the engine takes references in quotes there

	at   outline.Span // what names the value, or the value, in the file's native text
	text outline.Span // the value there
}

// ValueOf is an item as a whole.
func ValueOf(it source.Item) Value {
	v := Value{Item: it, at: outline.SpanOf(it.Header()), text: outline.SpanOf(it.Extent())}
	if a, ok := it.(*source.Attr); ok {
		v.text = outline.SpanOf(a.Value())
		v.hasQuotes = language.TakesQuotes(a)
	}
	return v
}

// Text is the value in native syntax; of a block, all of it. It may share the file's
// memory.
func (v *Value) Text() []byte {
	if v.Computed != nil {
		return v.Computed
	}
	f := v.Item.Source()
	return f.Text(v.text.In(f.Name))
}

// Raw is the JSON text that a part of a value is from; nil in a native file, and for computed
// values.
func (v *Value) Raw() []byte {
	f := v.Item.Source()
	if f.Syntax != source.JSON || v.Computed != nil {
		return nil
	}
	at := f.Place(v.text.In(f.Name))
	return f.Raw[at.Start.Byte:at.End.Byte]
}

// Place is where users find the value: the name or the key in front of it, or an
// element.
func (v *Value) Place() hcl.Range {
	if !v.IsPart {
		return source.Where(v.Item)
	}
	f := v.Item.Source()
	return f.Place(v.at.In(f.Name))
}

// Whole is the value with what names it.
func (v *Value) Whole() hcl.Range {
	if !v.IsPart {
		from, to := source.Spread(v.Item)
		r := source.Where(v.Item)
		r.Start.Byte, r.End.Byte = from, to
		return r
	}
	f := v.Item.Source()
	r := v.Place()
	r.End = f.Place(v.text.In(f.Name)).End
	return r
}

// A Form is how a value is looked into.
type Form int

// The forms.
const (
	Whole  Form = iota // not at all
	Object             // by the keys of an object, or the names in a block
	List               // by the elements of a list
	Blocks             // by the nested blocks of a type
)

// A Node is a value with its parts.
type Node struct {
	Value
	Form     Form
	Label    string // what nested blocks that are for each other share
	Members  []Member
	Elements []*Node
	Sum      Sum
}

// A Member is a key of an object with its value; in a block, an argument or the nested
// blocks of a type.
type Member struct {
	Key
	Node *Node
}

// A Key identifies a member of an object or a block.
type Key struct {
	Name     string
	IsBlocks bool
}

// A Reader looks into the values of a module, as far as there is room for the paths to their parts.
type Reader struct {
	Module *load.Module
	Budget Budget
}

// Items are the nodes of arguments or blocks.
func (r Reader) Items(items []source.Item) []*Node {
	var list []*Node
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

// Attr is the node of an argument's value. A secret has no parts, nor has a value that native
// syntax can't express.
func (r Reader) Attr(a *source.Attr) *Node { return r.attr(a, r.Budget) }

func (r Reader) attr(a *source.Attr, room Budget) *Node {
	n := &Node{Value: ValueOf(a)}
	if text := a.Display(); !bytes.Equal(text, a.File.Text(a.Value())) {
		n.Computed = text
		n.Sum = SumOfText(text)
		return n
	}
	if text := n.Text(); parts.HasLongHeredoc(text) || isLongString(text) {
		n.Sum = SumOfText(text)
		return n
	}
	if room.IsLeft() && r.Module.Secrets().Covers(a) {
		room = Budget{}
	}
	n.fill(a.Expr(), room)
	return n
}

// isLongString reports whether a value is a string too long to evaluate for a comparison, so that
// its tokens are compared.
func isLongString(text []byte) bool {
	isString := bytes.HasPrefix(text, []byte("<<")) || bytes.HasPrefix(text, []byte(`"`)) && !mayBeWrapped(text)
	return isString && len(text) > equal.MaxConstant
}

// fill looks into the expression of a value as far as there is room.
func (n *Node) fill(expr hcl.Expression, r Budget) {
	inner, text := constant.Bare(expr, n.hasQuotes), n.Text()
	if inner != expr {
		text = n.Item.Source().Text(inner.Range())
	}
	switch e := inner.(type) {
	case *hclsyntax.ObjectConsExpr:
		if r.IsLeft() && n.fillObject(e, r) {
			return
		}
	case *hclsyntax.TupleConsExpr:
		if r.IsLeft() {
			n.fillList(e, r)
			return
		}
	}
	n.Form, n.Members, n.Elements = Whole, nil, nil
	n.Sum = sumOfExpr(inner, text)
}

// fillObject reports whether all keys of an object are known, each once.
func (n *Node) fillObject(e *hclsyntax.ObjectConsExpr, r Budget) bool {
	names, ok := parts.Keys(e)
	if !ok {
		return false
	}
	n.Form = Object
	for i, item := range e.Items {
		if !r.Behind(names[i]).IsLeft() {
			return false
		}
		part := n.part(item.KeyExpr.Range(), item.ValueExpr)
		part.fill(item.ValueExpr, r.Behind(names[i]))
		n.Members = append(n.Members, Member{Key{Name: names[i]}, part})
	}
	n.Sum = sumOfMembers(n.Members)
	return true
}

func (n *Node) fillList(e *hclsyntax.TupleConsExpr, r Budget) {
	n.Form = List
	for _, elem := range e.Exprs {
		part := n.part(elem.Range(), elem)
		part.fill(elem, r.Behind(""))
		n.Elements = append(n.Elements, part)
	}
	n.Sum = sumOfElements(n.Elements)
}

// part is a part of the value, which is found at a range.
func (n *Node) part(at hcl.Range, expr hcl.Expression) *Node {
	return &Node{Value: Value{Item: n.Item, IsPart: true, hasQuotes: n.hasQuotes, at: outline.SpanOf(at), text: outline.SpanOf(expr.Range())}}
}

// block is the node of a nested block, with its contents as far as there is room.
func (r Reader) block(b *source.Block, room Budget) *Node {
	n := &Node{Value: ValueOf(b), Form: Object, Label: b.Address()}
	at := map[string]int{}
	for _, it := range b.Items() {
		name := it.Called()
		switch it := it.(type) {
		case *source.Attr:
			n.Members = append(n.Members, Member{Key{Name: name}, r.attr(it, room.Behind(name))})
		case *source.Block:
			i, known := at[name]
			if !known {
				i, at[name] = len(n.Members), len(n.Members)
				n.Members = append(n.Members, Member{Key{name, true}, &Node{Form: Blocks}})
			}
			inner := n.Members[i].Node
			inner.Elements = append(inner.Elements, r.block(it, room.Behind(name)))
		}
	}
	for _, m := range n.Members {
		if m.IsBlocks {
			m.Node.Sum = sumOfElements(m.Node.Elements)
		}
	}
	n.Sum = sumOfBlock(n.Label, n.Members)
	if !room.IsLeftForBlocks() {
		n.Form, n.Members = Whole, nil
	}
	return n
}

// BlocksNode is the nested blocks of a type.
func BlocksNode(elements []*Node) *Node {
	return &Node{Form: Blocks, Elements: elements, Sum: sumOfElements(elements)}
}
