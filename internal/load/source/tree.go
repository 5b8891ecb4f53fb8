package source

import (
	"bytes"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// An Item is an *Attr or a *Block as one file wrote it.
type Item interface {
	// Source is the file of the item.
	Source() *File
	// Extent is the item's own text, without comments around it.
	Extent() hcl.Range
	// Header is the short text that names the item: an argument's name, a
	// block's type and labels.
	Header() hcl.Range
	// Within is the block that holds the item, nil at the top level.
	Within() *Block
	// Called is the item's name: an argument's name, a block's type, for a
	// dynamic block the type that it makes.
	Called() string
}

// An Attr is one argument.
type Attr struct {
	File  *File
	Name  string
	in    *body // that holds it, nil for one of a file's top level
	name  Span
	value Span
	rare  *rare // nil for the zero value
}

// rare is what few arguments have. It is apart, since there may be very many of the others.
type rare struct {
	expr   hcl.Expression // nil if it can be had again
	from   *Origin        // nil in a native file
	whole  *Attr          // for a part, the argument that it is a part of
	behind Place          // where the argument ends; zero with its value
}

// rarely is what few arguments have.
func (a *Attr) rarely() rare {
	if a.rare == nil {
		return rare{}
	}
	return *a.rare
}

// from is the JSON text of the argument; nil in a native file.
func (a *Attr) from() *Origin {
	if a.rare == nil {
		return nil
	}
	return a.rare.from
}

// end is where the argument ends.
func (a *Attr) end() Place {
	if a.rare == nil || a.rare.behind == (Place{}) {
		return a.value.End
	}
	return a.rare.behind
}

// Source implements Item.
func (a *Attr) Source() *File { return a.File }

// Extent implements Item: name, equals sign and value.
func (a *Attr) Extent() hcl.Range { return Span{a.name.Start, a.end()}.in(a.File) }

// Header implements Item: the name.
func (a *Attr) Header() hcl.Range { return a.name.in(a.File) }

// Value is where the value's expression is.
func (a *Attr) Value() hcl.Range { return a.value.in(a.File) }

// Expr is the value's expression. The expressions of most arguments, on which no rule depends, are
// parsed on each call.
func (a *Attr) Expr() hcl.Expression {
	if a.HasExpr() {
		return a.rare.expr
	}
	at := a.Value()
	text := a.File.Text(at)
	if !a.File.Parsed {
		if expr := simpleExpr(text, at); expr != nil {
			return expr
		}
	}
	if bytes.HasPrefix(text, []byte("<<")) {
		text = append(text, '\n') // a heredoc ends with its line
	}
	expr, _ := parse.Expression(text, a.File.Name, at.Start)
	return expr
}

// With is the argument with another expression for its value.
func (a *Attr) With(expr hcl.Expression) *Attr {
	changed, own := *a, a.rarely()
	own.expr = expr
	changed.rare = &own
	return &changed
}

// ForgetExpr releases the value's expression, which is parsed again on demand.
func (a *Attr) ForgetExpr() {
	if !a.HasExpr() {
		return
	}
	if a.rare.expr = nil; *a.rare == (rare{}) {
		a.rare = nil
	}
}

// HasExpr reports whether the value's expression is in memory.
func (a *Attr) HasExpr() bool { return a.rare != nil && a.rare.expr != nil }

// Within implements Item.
func (a *Attr) Within() *Block { return a.in.block() }

// Called implements Item.
func (a *Attr) Called() string { return a.Name }

// A Block is one block.
type Block struct {
	File    *File
	Type    string
	Labels  []string
	in      *body   // that holds it, nil at the top level
	body    *body   // nil for a top-level block whose body is built on demand
	labelAt *[]Span // nil if the stub has them
	from    *Origin // nil in a native file
	start   Place
	typeEnd [2]uint32 // column and byte
	def     Place     // where type and labels end
	end     Place
}

// Source implements Item.
func (b *Block) Source() *File { return b.File }

// Extent implements Item: from the type through the closing brace.
func (b *Block) Extent() hcl.Range { return Span{b.start, b.end}.in(b.File) }

// Header implements Item: type and labels.
func (b *Block) Header() hcl.Range { return Span{b.start, b.def}.in(b.File) }

// Start is where the block starts.
func (b *Block) Start() Place { return b.start }

// Address is the type and the labels in one string, for keys of maps.
func (b *Block) Address() string { return b.Type + "\x00" + strings.Join(b.Labels, "\x00") }

// TypeAt is where the type is.
func (b *Block) TypeAt() hcl.Range { return b.typ().in(b.File) }

func (b *Block) typ() Span { return Span{b.start, Place{b.start.Line, b.typeEnd[0], b.typeEnd[1]}} }

// setType notes where the type is, which is in one line.
func (b *Block) setType(at Span) {
	b.start, b.typeEnd = at.Start, [2]uint32{at.End.Column, at.End.Byte}
}

// LabelAt is where a label is.
func (b *Block) LabelAt(i int) hcl.Range { return b.labelSpan(i).in(b.File) }

func (b *Block) labelSpan(i int) Span {
	if b.labelAt != nil {
		return (*b.labelAt)[i]
	}
	return b.File.stubs[b.File.index(int(b.start.Byte))].labelAt(i)
}

// Within implements Item.
func (b *Block) Within() *Block { return b.in.block() }

// Called implements Item.
func (b *Block) Called() string {
	if b.Type == DynamicBlock && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// DynamicBlock is the type of blocks that make others, of the type that is their label.
//
//	dynamic "ingress" {
//	  for_each = var.ports
//	  content {
//	    from_port = ingress.value
//	  }
//	}
const DynamicBlock = "dynamic"

// EscapeBlock is the block whose items are treated as items of the block around it, even if they
// have the names of meta-arguments.
const EscapeBlock = "_"

// ContentOf is the block that holds the arguments which a block makes: of a
// dynamic block its content, of any other the block itself.
func ContentOf(b *Block) *Block {
	if b.Type == DynamicBlock && len(b.Labels) == 1 {
		if content := b.Blocks("content"); len(content) > 0 {
			return content[0]
		}
	}
	return b
}

// Top is the top-level block that an item is, or is in.
func Top(it Item) *Block {
	for b := it.Within(); b != nil; b = b.Within() {
		it = b
	}
	b, _ := it.(*Block)
	return b
}

// IsOverride reports whether an item is in an override file.
func IsOverride(it Item) bool { return it.Source().Role == Override }

// A body holds the items of a block. Each item refers to its body, so all of a block's items stay
// in memory, with the same identity, as long as one of them is in use.
type body struct {
	of    *Block
	items []Item // in source order

	opening Place                    // where the brace starts
	trivia  atomic.Pointer[[]Trivia] // of the items; nil until needed
	unmade  *leftovers               // nil if there is nothing of it
}

// leftovers are the properties of a JSON body that make no item of the native text.
type leftovers struct {
	idle    []*Attr
	remarks [][2]uint32 // values of comment properties
	voids   []emptyProperty
}

// block is the body's block, or nil.
func (y *body) block() *Block {
	if y == nil {
		return nil
	}
	return y.of
}

// Items are the contents of the block, in source order. Callers must not change them.
func (b *Block) Items() []Item { return b.content().items }

// OpenBrace is where the opening brace is.
func (b *Block) OpenBrace() hcl.Range { return braceAt(b.content().opening).in(b.File) }

// CloseBrace is where the closing brace is.
func (b *Block) CloseBrace() hcl.Range { return braceAt(b.end.forward(-1)).in(b.File) }

func braceAt(p Place) Span { return Span{p, p.forward(1)} }

// adds returns the contents of a block under construction besides its items.
func (b *Block) adds() *leftovers {
	if b.body.unmade == nil {
		b.body.unmade = new(leftovers)
	}
	return b.body.unmade
}

// Idle returns the properties of an override's JSON body that make no block, such as "ingress": [].
// They are not items of the native text.
func (b *Block) Idle() []*Attr {
	if u := b.content().unmade; u != nil {
		return u.idle
	}
	return nil
}

// Remarks are the values of the comment properties of a JSON body.
func (b *Block) Remarks() [][]byte { return b.File.given(b.RemarksAt()) }

// RemarksAt returns the ranges of Remarks in File.Raw.
func (b *Block) RemarksAt() [][2]uint32 {
	if u := b.content().unmade; u != nil {
		return u.remarks
	}
	return nil
}

// EachRemark visits where in File.Raw the values of comment properties are, of the block
// and of those in it.
func (b *Block) EachRemark(visit func(at [2]uint32)) {
	for _, at := range b.RemarksAt() {
		visit(at)
	}
	for _, it := range b.Items() {
		if inner, ok := it.(*Block); ok {
			inner.EachRemark(visit)
		}
	}
}

// AddRemark adds the range of a comment property's value.
func (b *Block) AddRemark(at [2]uint32) { b.adds().remarks = append(b.adds().remarks, at) }

// AddVoid adds a property that makes no nested block.
func (b *Block) AddVoid(name string, at [2]uint32) {
	b.adds().voids = append(b.adds().voids, emptyProperty{name, at})
}

// AddIdle adds a property that makes no block, with the ranges of its key and value, and whether it
// may as well be an argument.
func (b *Block) AddIdle(name string, key, value [2]uint32, isGuess bool) {
	from := &Origin{Key: key, Value: value, Void: true, Guessed: isGuess, unwritten: true}
	b.adds().idle = append(b.adds().idle, &Attr{File: b.File, in: b.body, Name: name, rare: &rare{from: from}})
}

// An emptyProperty is a property that makes no nested block.
type emptyProperty struct {
	name string
	at   [2]uint32
}

// Voids yields the names and texts of properties of a JSON body that make no nested
// block, such as "ingress": [].
func (b *Block) Voids() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		u := b.content().unmade
		if u == nil {
			return
		}
		for _, v := range u.voids {
			if !yield(v.name, b.File.Raw[v.at[0]:v.at[1]]) {
				return
			}
		}
	}
}

// Attr returns the first argument of a name, or nil.
func (b *Block) Attr(name string) *Attr {
	for _, it := range b.Items() {
		if a, ok := it.(*Attr); ok && a.Name == name {
			return a
		}
	}
	return nil
}

// Blocks returns the nested blocks of a type, in order.
func (b *Block) Blocks(typ string) []*Block {
	var found []*Block
	for _, it := range b.Items() {
		if nb, ok := it.(*Block); ok && nb.Type == typ {
			found = append(found, nb)
		}
	}
	return found
}
