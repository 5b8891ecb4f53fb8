package changes

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
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

// valueOf is an item as a whole.
func valueOf(it source.Item) Value {
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

// A form is how a value is looked into.
type form int

const (
	whole  form = iota // not at all
	object             // by the keys of an object, or the names in a block
	list               // by the elements of a list
	blocks             // by the nested blocks of a type
)

// A node is a value with its parts.
type node struct {
	Value
	form     form
	label    string // what nested blocks that are for each other share
	members  []member
	elements []*node
	sum      sum
}

// A member is a key of an object with its value; in a block, an argument or the nested
// blocks of a type.
type member struct {
	key
	node *node
}

// A key identifies a member of an object or a block.
type key struct {
	name     string
	isBlocks bool
}

// nodes are arguments or blocks to be looked into.
func (c *comparison) nodes(items []source.Item) []*node {
	var list []*node
	for _, it := range items {
		switch it := it.(type) {
		case *source.Attr:
			list = append(list, c.attr(it))
		case *source.Block:
			list = append(list, c.block(it, c.budget.behind("")))
		}
	}
	return list
}

// effectiveAttr is an argument in effect, whose value may be computed. The change is made by what
// computed it, or if that is the type in a primary file, by the override that sets the value.
func (c *comparison) effectiveAttr(e *merge.MergedItem, a *source.Attr) *node {
	if e.Value == nil {
		return c.attr(a)
	}
	n := &node{Value: valueOf(a)}
	n.Computed, n.IsComputed = computed.NativeText(e.Value), true
	if by := e.Computed(); by != nil {
		c.by = whereIs(by.By())
		if !source.IsOverride(by.By()) && source.IsOverride(a) { // by the type of a primary file
			c.by = whereIs(a)
		}
	}
	n.sum = sumOfText(n.Computed)
	return n
}

// attr is the node of an argument's value. A secret has no parts, nor has a value that native
// syntax can't express.
func (c *comparison) attr(a *source.Attr) *node { return c.attrIn(a, c.budget) }

func (c *comparison) attrIn(a *source.Attr, r pathBudget) *node {
	n := &node{Value: valueOf(a)}
	if text := a.Display(); !bytes.Equal(text, a.File.Text(a.Value())) {
		n.Computed = text
		n.sum = sumOfText(text)
		return n
	}
	if text := n.Text(); parts.HasLongHeredoc(text) || isLongString(text) {
		n.sum = sumOfText(text)
		return n
	}
	if r.isLeft() && c.finder.isSecret(a) {
		r = pathBudget{}
	}
	n.fill(a.Expr(), r)
	return n
}

// isLongString reports whether a value is a string too long to evaluate for a comparison, so that
// its tokens are compared.
func isLongString(text []byte) bool {
	isString := bytes.HasPrefix(text, []byte("<<")) || bytes.HasPrefix(text, []byte(`"`)) && !mayBeWrapped(text)
	return isString && len(text) > equal.MaxConstant
}

// isSecret reports whether an argument's value is not to be shown.
func (f *finder) isSecret(a *source.Attr) bool { return f.module.Source.Secrets().Covers(a) }

// fill looks into the expression of a value as far as there is room.
func (n *node) fill(expr hcl.Expression, r pathBudget) {
	inner, text := constant.Bare(expr, n.hasQuotes), n.Text()
	if inner != expr {
		text = n.Item.Source().Text(inner.Range())
	}
	switch e := inner.(type) {
	case *hclsyntax.ObjectConsExpr:
		if r.isLeft() && n.fillObject(e, r) {
			return
		}
	case *hclsyntax.TupleConsExpr:
		if r.isLeft() {
			n.fillList(e, r)
			return
		}
	}
	n.form, n.members, n.elements = whole, nil, nil
	n.sum = sumOfExpr(inner, text)
}

// fillObject reports whether all keys of an object are known, each once.
func (n *node) fillObject(e *hclsyntax.ObjectConsExpr, r pathBudget) bool {
	names, ok := parts.Keys(e)
	if !ok {
		return false
	}
	n.form = object
	for i, item := range e.Items {
		if !r.behind(names[i]).isLeft() {
			return false
		}
		part := n.part(item.KeyExpr.Range(), item.ValueExpr)
		part.fill(item.ValueExpr, r.behind(names[i]))
		n.members = append(n.members, member{key{name: names[i]}, part})
	}
	n.sum = sumOfMembers(n.members)
	return true
}

func (n *node) fillList(e *hclsyntax.TupleConsExpr, r pathBudget) {
	n.form = list
	for _, elem := range e.Exprs {
		part := n.part(elem.Range(), elem)
		part.fill(elem, r.behind(""))
		n.elements = append(n.elements, part)
	}
	n.sum = sumOfElements(n.elements)
}

// part is a part of the value, which is found at a range.
func (n *node) part(at hcl.Range, expr hcl.Expression) *node {
	return &node{Value: Value{Item: n.Item, IsPart: true, hasQuotes: n.hasQuotes, at: outline.SpanOf(at), text: outline.SpanOf(expr.Range())}}
}

// block is the node of a nested block, with its contents as far as there is room.
func (c *comparison) block(b *source.Block, r pathBudget) *node {
	n := &node{Value: valueOf(b), form: object, label: b.Address()}
	at := map[string]int{}
	for _, it := range b.Items() {
		name := it.Called()
		switch it := it.(type) {
		case *source.Attr:
			n.members = append(n.members, member{key{name: name}, c.attrIn(it, r.behind(name))})
		case *source.Block:
			i, known := at[name]
			if !known {
				i, at[name] = len(n.members), len(n.members)
				n.members = append(n.members, member{key{name, true}, &node{form: blocks}})
			}
			inner := n.members[i].node
			inner.elements = append(inner.elements, c.block(it, r.behind(name)))
		}
	}
	for _, m := range n.members {
		if m.isBlocks {
			m.node.sum = sumOfElements(m.node.elements)
		}
	}
	n.sum = sumOfBlock(n.label, n.members)
	if !r.isLeftForBlocks() {
		n.form, n.members = whole, nil
	}
	return n
}

// blocksNode is the nested blocks of a type.
func blocksNode(elements []*node) *node {
	return &node{form: blocks, elements: elements, sum: sumOfElements(elements)}
}
