// Package source holds the contents of a file as items: arguments and blocks, each a range of the
// file's bytes, with the comments around it.
//
// Its input is a Description: the positions of one top-level block and everything in it, which come
// from the outline, from the parser, or from the translation of a JSON file to native text. A Builder
// makes the items:
//
//	# The web server.                     Lead of the block's trivia
//	resource "aws_instance" "web" {       Header: through the last label
//	  ami = "ami-0abc" # golden           Attr: Header is ami, Value is "ami-0abc"
//	}                                     Extent: resource through }
//
// A block that no override file may change keeps only a stub, which locates it. Its items are built
// again on demand.
//
// Nothing is copied, formatted or evaluated, and no item is judged. Of a text with syntax errors there are only the
// blocks that the parser found before the error. Reading is safe for several goroutines; building is not.
package source

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/outline"
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
	in    *body // the body that holds it; nil for an argument at the top level of a file
	name  outline.Span
	value outline.Span
	rare  *rare // what only few arguments have; nil stands for the zero value
}

// rare holds what few arguments have. It is separate to keep Attr small, since there may be very many.
type rare struct {
	expr  hcl.Expression // nil if it can be parsed from the file
	from  *Origin        // nil in a native file
	whole *Attr          // for a part made by Part, the argument that it is a part of
}

// A Block is one block.
type Block struct {
	File       *File
	Type       string
	Labels     []string
	From       *Origin         // the JSON text that the block is from; nil in a native file
	in         *body           // the body that holds it; nil at the top level
	body       *body           // nil for a top-level block whose body is built on demand
	labelSpans *[]outline.Span // where the labels are; nil if the stub has that
	start      outline.Place
	typeEnd    [2]uint32     // column and byte where the type ends
	head       outline.Place // where type and labels end
	end        outline.Place
}

// A body holds the items of a block. Each item refers to its body, so all of a block's items stay
// in memory, with the same identity, as long as one of them is in use.
type body struct {
	of    *Block
	items []Item // in source order

	opening   outline.Place            // where the brace starts
	trivia    atomic.Pointer[[]Trivia] // of the items; nil until needed
	leftovers []Leftover
}

// A Leftover is a property of a JSON body that makes no item of the native text: a comment, or null or [] under the
// name of a nested block type, which declares no block.
type Leftover struct {
	Name       string
	Key, Value [2]uint32 // in File.Raw
	IsComment  bool
	IsIdle     bool // in an override file: no effect, unless it is an argument
	IsVoid     bool // only the provider knows what the name means
	IsGuess    bool // it may as well be an argument
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

// A Role is how a file takes part in a module.
type Role int

// The roles of a file that is read.
const (
	Primary Role = iota
	Override
)

// String returns the role's word.
func (r Role) String() string { return [...]string{Primary: "primary", Override: "override"}[r] }

// A Syntax is one of the two spellings of the language.
type Syntax int

// The syntaxes. Names of JSON files end in .json.
const (
	Native Syntax = iota
	JSON
)

// String returns the syntax's word.
func (s Syntax) String() string { return [...]string{Native: "native", JSON: "json"}[s] }

// A File is one configuration file that takes part in a module.
type File struct {
	Name   string // relative to the module directory; also the Filename of every range
	Path   string // as it is opened
	Role   Role
	Syntax Syntax
	Tofu   bool           // has an extension that only OpenTofu reads
	Engine engine.Release // that reads the file
	// Overlay marks a file that isn't in the module's directory.
	Overlay bool
	// Raw is the file's content. Native is its native text, to which all ranges of items refer: the
	// content itself, or the translation of a JSON file. File.Place converts ranges of Native to
	// ranges of Raw.
	Raw, Native []byte
	LineEnd     string // of most lines; LF if no line has one
	// Outside marks a link that points outside the directories whose files messages may quote.
	Outside bool
	// Broken marks a file that could not be read or parsed, so that some or all of its declarations
	// are unknown.
	Broken bool
	// Parsed makes the parser read all native text of the file, see load.Options.
	Parsed bool

	// Remarks are the ranges in Raw of the values of comment properties at the root of a JSON file.
	Remarks [][2]uint32
	// Translator made the native text of a JSON file; nil for a native one.
	Translator translator

	stubs  []stub                  // every top-level block, in source order
	types  []string                // the types of blocks, see stub.kind
	blocks []atomic.Pointer[Block] // the same blocks, where built: those that are kept or were requested
	names  []nameStub

	origins        []Origin        // the origins of a JSON file's blocks
	inexpressibles []inexpressible // parts that native syntax can't express

	waypoints  waypoints
	builtMutex sync.Mutex // guards builtBodies
	// builtBodies holds the bodies that were built on demand, by the start of their blocks, as long as
	// any part of them is in use.
	builtBodies map[uint32]weak.Pointer[body]
}

// A stub locates a top-level block and the parts of its header in the file. The parts are relative to the
// block's start, in bytes. It holds no pointers, so that many stubs cost the garbage collector nothing.
type stub struct {
	start     outline.Place
	end       outline.Place
	key       uint64       // see File.Key
	typeEnd   uint32       // where the type ends
	head      uint32       // where type and labels end
	labels    [2][2]uint16 // from where to where the labels are, quotes included
	count     uint8        // how many labels
	isPartial bool         // it doesn't describe the whole header: see stubOf
	isKept    bool         // the file keeps the block with its contents
	kind      uint32       // the index of the type in File.types
}

// A nameStub is the name of an argument in a block that may exist only as a stub, such as locals: see AddNames.
type nameStub struct {
	span  [2]uint32 // byte offsets in File.Native
	block uint32    // index in File.stubs
}

// A translator made the native text of a file, knows which JSON text each part is from, and can repeat the
// translation.
type translator interface {
	// Grow builds a top-level block once more, with all that it holds.
	Grow(b *Block) *Block
	// ValuePart is the stretch of File.Raw that a stretch of an argument's native
	// value, in bytes from the start of the value, was made from.
	ValuePart(a *Attr, from, to int) [2]uint32
	// KeyAt is the stretch of the key that starts at an offset of File.Raw.
	KeyAt(at uint32) [2]uint32
}

// An Origin is the JSON text that an item is from, as byte offsets in File.Raw.
type Origin struct {
	Key      [2]uint32 // the name: of an argument, of a block's type
	Labels   [2]uint32 // where the keys of the first two labels start
	Value    [2]uint32 // an argument's value, a block's body
	Property [2]uint32 // the value of the key that is a nested block's type
	Element  bool      // a block that is one of an array, so that no key is its own
	Guessed  bool      // whether it is an argument or a block is a guess
	Void     bool      // null or [], which may also mean no block at all
	// unwritten: the argument does not appear in the native text.
	unwritten bool
	Bad       bool // something is wrong with an argument's value, and was reported
	// reading is how the translator reads an argument's strings.
	Reading int
}

// An inexpressible is about a part of a JSON file that native syntax can't express.
type inexpressible struct {
	at   uint32
	diag *hcl.Diagnostic
}

// waypoints are positions in File.Raw, one every few hundred bytes, computed on demand: many positions may
// be needed, and a line may be as long as the file, so counting from its start each time would take the
// square of its length.
type waypoints struct {
	mutex sync.Mutex
	known []hcl.Pos
}

// Trivia locates the comments around an item of a native file, in byte offsets.
type Trivia struct {
	// Lead is the start of the unbroken run of whole-line comments directly above the item; it
	// equals Start if there is no such comment.
	Lead int
	// Start is where the item starts, with the comments before it on its line.
	Start int
	// End is where the item ends, with its trailing comments.
	End int
}

// rareOrZero returns the rare properties of an argument, all zero if it has none.
func (a *Attr) rareOrZero() rare {
	if a.rare == nil {
		return rare{}
	}
	return *a.rare
}

// Origin returns the JSON text that the argument is from; nil in a native file.
func (a *Attr) Origin() *Origin { return a.rareOrZero().from }

// Source implements Item.
func (a *Attr) Source() *File { return a.File }

// Extent implements Item: name, equals sign and value.
func (a *Attr) Extent() hcl.Range {
	return outline.Span{Start: a.name.Start, End: a.value.End}.In(a.File.Name)
}

// Header implements Item: the name.
func (a *Attr) Header() hcl.Range { return a.name.In(a.File.Name) }

// Value returns where the value's expression is.
func (a *Attr) Value() hcl.Range { return a.value.In(a.File.Name) }

// Within implements Item. It is nil for an argument at the top level.
func (a *Attr) Within() *Block { return a.in.block() }

// Called implements Item.
func (a *Attr) Called() string { return a.Name }

// Source implements Item.
func (b *Block) Source() *File { return b.File }

// Extent implements Item: from the type through the closing brace.
func (b *Block) Extent() hcl.Range { return outline.Span{Start: b.start, End: b.end}.In(b.File.Name) }

// Header implements Item: type and labels.
func (b *Block) Header() hcl.Range { return outline.Span{Start: b.start, End: b.head}.In(b.File.Name) }

// Address returns the type and the labels in one string, to be used as a key of maps.
func (b *Block) Address() string { return b.Type + "\x00" + strings.Join(b.Labels, "\x00") }

// TypeAt returns where the type is.
func (b *Block) TypeAt() hcl.Range {
	end := outline.Place{Line: b.start.Line, Column: b.typeEnd[0], Byte: b.typeEnd[1]}
	return outline.Span{Start: b.start, End: end}.In(b.File.Name)
}

// setType sets where the type is, which is also where the block starts. The type must be on one line.
func (b *Block) setType(at outline.Span) {
	b.start, b.typeEnd = at.Start, [2]uint32{at.End.Column, at.End.Byte}
}

// LabelAt returns where label i is, quotes included.
func (b *Block) LabelAt(i int) hcl.Range { return b.labelSpan(i).In(b.File.Name) }

// labelSpan returns where label i is, quotes included. It asks the stub if the block itself doesn't have positions.
func (b *Block) labelSpan(i int) outline.Span {
	if b.labelSpans != nil {
		return (*b.labelSpans)[i]
	}
	return b.File.stubs[b.File.IndexAt(int(b.start.Byte))].labelAt(i)
}

// Within implements Item.
func (b *Block) Within() *Block { return b.in.block() }

// Called implements Item. A dynamic block is called by the type of the blocks that it makes.
func (b *Block) Called() string {
	if b.Type == DynamicBlock && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// Top returns the top-level block that an item is, or is in; nil for an argument outside of blocks.
func Top(it Item) *Block {
	for b := it.Within(); b != nil; b = b.Within() {
		it = b
	}
	b, _ := it.(*Block)
	return b
}

// IsOverride reports whether an item is in an override file.
func IsOverride(it Item) bool { return it.Source().Role == Override }

// block returns the block that the body belongs to. A nil body, which stands for the top level, has none.
func (y *body) block() *Block {
	if y == nil {
		return nil
	}
	return y.of
}

// StartByte returns where an item starts. Unlike Extent, it builds no range.
func StartByte(it Item) int {
	switch it := it.(type) {
	case *Attr:
		return int(it.name.Start.Byte)
	case *Block:
		return int(it.start.Byte)
	}
	return 0
}

// Text returns the part of the file's native text that r covers. It shares the file's memory, but an append copies
// it.
func (f *File) Text(r hcl.Range) []byte {
	return f.Native[r.Start.Byte:r.End.Byte:r.End.Byte]
}

// unquoted returns the text of a label without its quotes, if it has any.
func unquoted(label []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(label, []byte(`"`)), []byte(`"`))
}

// withoutContents returns a copy of the block without its contents.
func (b *Block) withoutContents() Block {
	return Block{
		File: b.File, Type: b.Type, Labels: b.Labels, start: b.start, typeEnd: b.typeEnd, labelSpans: b.labelSpans,
		head: b.head, end: b.end, From: b.From,
	}
}

// ItemAt returns the innermost item whose text in File.Raw, name included, contains an offset. It is nil between
// blocks.
func (f *File) ItemAt(at int) Item {
	// Find the first block that ends behind the offset. In a JSON file, the stubs are about the native text, but
	// origins[i] is of the same block as stubs[i].
	var i int
	if f.Syntax == JSON {
		i = sort.Search(len(f.origins), func(i int) bool { return int(f.origins[i].Value[1]) > at })
	} else {
		i = sort.Search(len(f.stubs), func(i int) bool { return int(f.stubs[i].end.Byte) > at })
	}
	if i == f.Len() {
		return nil
	}
	if from, _ := Spread(f.headerOf(i)); at < from {
		return nil
	}
	return innermost(f.Block(i), at)
}

// HolderOf returns the innermost item of a JSON file that contains an offset of File.Raw. In a top-level block that
// no override file may change, that is the block itself, since the file doesn't keep its items.
func (f *File) HolderOf(at uint32) Item {
	// The last block whose body starts at or before the offset; the first one for an offset in its keys.
	next := sort.Search(len(f.origins), func(i int) bool { return f.origins[i].Value[0] > at })
	b := f.Block(max(0, next-1))
	if b.body == nil {
		return b
	}
	return innermost(b, int(at))
}

// EachInexpressible calls visit for each part of the file that native syntax can't express, with the innermost item
// that contains it, and an error that describes it.
func (f *File) EachInexpressible(visit func(Item, *hcl.Diagnostic)) {
	for _, d := range f.inexpressibles {
		visit(f.HolderOf(d.at), d.diag)
	}
}

// innermost returns the innermost item of a block that contains an offset of File.Raw, or else the block itself.
// Several items may come from one JSON key and start with it, so it searches by their ends.
func innermost(b *Block, at int) Item {
	items := b.Items()
	i := sort.Search(len(items), func(i int) bool { // the first that ends behind the offset
		_, to := Spread(items[i])
		return to > at
	})
	if i == len(items) {
		return b
	}
	it := items[i]
	if from, _ := Spread(it); at < from {
		return b
	}
	if inner, ok := it.(*Block); ok {
		return innermost(inner, at)
	}
	return it
}

// start returns the offset from which the JSON text belongs to this item alone: a nested block's body, without the
// key that it may share with others; otherwise the key.
func (o *Origin) start() uint32 {
	if o.Property[1] > 0 {
		return o.Value[0]
	}
	return o.Key[0]
}

// covers reports whether an offset is in an argument's name or value, or in a block's body.
func (o *Origin) covers(at uint32) bool { return at >= o.start() && at < o.Value[1] }

// Raw returns the JSON text of the argument's value; nil in a native file.
func (a *Attr) Raw() []byte {
	if a.Origin() == nil {
		return nil
	}
	return a.File.Raw[a.Origin().Value[0]:a.Origin().Value[1]]
}

// IsGuess reports whether an item of a JSON file is an argument or a nested block by guess: nothing but the form of
// its value told which.
func IsGuess(it Item) bool {
	origin := originFor(it)
	return origin != nil && origin.Guessed
}

// IsVoid reports whether the value is null or [] in JSON and the name is a provider's: the provider may read it as
// no nested block at all.
func (a *Attr) IsVoid() bool { return a.Origin() != nil && a.Origin().Void }

// originFor returns the JSON text that an item is from; nil in a native file.
func originFor(it Item) *Origin {
	if a, ok := it.(*Attr); ok {
		return a.Origin()
	}
	return it.(*Block).From
}

// Spread returns the offsets in File.Raw between which an item is, from its name or key to the end of its value.
func Spread(it Item) (from, to int) {
	origin := originFor(it)
	if origin == nil {
		r := it.Extent()
		return r.Start.Byte, r.End.Byte
	}
	return int(origin.Key[0]), int(origin.Value[1])
}

// Display returns the text of the argument's value for people: in native syntax, or the JSON text if native
// syntax can't express it.
func (a *Attr) Display() []byte {
	text := a.File.Text(a.Value())
	if a.Origin() == nil {
		return text
	}
	parts := a.File.inexpressibles // sorted by offset; find the first one at or behind the start of the argument
	i, _ := slices.BinarySearchFunc(parts, a.Origin().start(), func(d inexpressible, at uint32) int { return int(d.at) - int(at) })
	if i < len(parts) && a.Origin().covers(parts[i].at) {
		return a.Raw()
	}
	return text
}

// NoteInexpressible adds an error about a part of the JSON text, at an offset, that native syntax can't express.
// Callers add them in source order, because Display relies on it for its search.
func (f *File) NoteInexpressible(at uint32, d *hcl.Diagnostic) {
	f.inexpressibles = append(f.inexpressibles, inexpressible{at, d})
}

// ContentOf returns the block that holds the arguments of the blocks that b declares: the content block of a dynamic
// block, or else b itself.
func ContentOf(b *Block) *Block {
	if b.Type == DynamicBlock && len(b.Labels) == 1 {
		if content := b.Blocks("content"); len(content) > 0 {
			return content[0]
		}
	}
	return b
}

// Items returns the contents of the block, in source order. Callers must not change them.
func (b *Block) Items() []Item { return b.content().items }

// OpenBrace returns where the opening brace is.
func (b *Block) OpenBrace() hcl.Range { return b.braceAt(b.content().opening) }

// CloseBrace returns where the closing brace is.
func (b *Block) CloseBrace() hcl.Range { return b.braceAt(b.end.Forward(-1)) }

// braceAt returns the range of the brace at a place.
func (b *Block) braceAt(p outline.Place) hcl.Range {
	return outline.Span{Start: p, End: p.Forward(1)}.In(b.File.Name)
}

// Idle returns those properties of a JSON body in an override file that declare no block, such as "ingress": []. They
// change nothing, unless the name is that of an argument, which they replace: so they come as arguments, but without
// native text. The leftovers of a block in a primary file never count as idle.
func (b *Block) Idle() (idle []*Attr) {
	contents := b.content()
	for _, p := range contents.leftovers {
		if p.IsIdle {
			// Its value is null or []; unwritten says that it has no native text.
			from := &Origin{Key: p.Key, Value: p.Value, Void: true, Guessed: p.IsGuess, unwritten: true}
			idle = append(idle, &Attr{File: b.File, in: contents, Name: p.Name, rare: &rare{from: from}})
		}
	}
	return idle
}

// Remarks returns the ranges in File.Raw of the values of a JSON body's comments, which are properties named "//".
func (b *Block) Remarks() (list [][2]uint32) {
	for _, p := range b.content().leftovers {
		if p.IsComment {
			list = append(list, p.Value)
		}
	}
	return list
}

// EachRemark calls visit with the range of each comment in the block's JSON body and in those of all blocks inside.
func (b *Block) EachRemark(visit func(at [2]uint32)) {
	for _, at := range b.Remarks() {
		visit(at)
	}
	for _, it := range b.Items() {
		if inner, ok := it.(*Block); ok {
			inner.EachRemark(visit)
		}
	}
}

// Voids yields the names and JSON texts of properties such as "ingress": [] that declare no nested block, for names
// whose meaning only the provider knows: the property may be an argument as well, so it must not get lost.
func (b *Block) Voids() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, p := range b.content().leftovers {
			if p.IsVoid && !yield(p.Name, b.File.Raw[p.Value[0]:p.Value[1]]) {
				return
			}
		}
	}
}

// Attr returns the first argument with a name, or nil.
func (b *Block) Attr(name string) *Attr {
	for _, it := range b.Items() {
		if a, ok := it.(*Attr); ok && a.Name == name {
			return a
		}
	}
	return nil
}

// Blocks returns the nested blocks of a type, in order.
func (b *Block) Blocks(typ string) (found []*Block) {
	for _, it := range b.Items() {
		if nb, ok := it.(*Block); ok && nb.Type == typ {
			found = append(found, nb)
		}
	}
	return found
}

// IsPart reports whether the argument stands for a part of another argument's value, an element or a key of it, as
// Part makes it.
func (a *Attr) IsPart() bool { return a.rareOrZero().whole != nil }

// Part returns an argument that stands for value, a part of a's value. It has the ranges and the origin of the part,
// but the name of the whole argument. For an object's member, name is the range of the key; for an element of a list,
// that of the element itself.
func (a *Attr) Part(name hcl.Range, value hclsyntax.Expression) *Attr {
	valueSpan := outline.SpanOf(value.Range())
	own := &rare{expr: value, whole: cmp.Or(a.rareOrZero().whole, a)} // a may be a part itself
	part := &Attr{File: a.File, in: a.in, Name: a.Name, name: outline.SpanOf(name), value: valueSpan, rare: own}
	if a.Origin() != nil {
		from := *a.Origin()
		from.Key = own.whole.origin(int(part.name.Start.Byte), int(part.name.End.Byte))
		from.Value = own.whole.origin(int(part.value.Start.Byte), int(part.value.End.Byte))
		from.Property = [2]uint32{} // a part isn't a block
		own.from = &from
	}
	return part
}

// WithItem returns a copy of b with the item it added to home, which is b itself or a block nested in it. If path
// isn't empty, it leads inwards from home to the block that gets the item: each step goes to the block with the same
// address, which WithItem adds if it is missing. With a resource as b and home, and path the lifecycle block of
// another file, the item is added to the resource's own lifecycle block, or to a new one. The copy serves only to
// validate the item, which keeps its own file.
func WithItem(b, home *Block, path []*Block, it Item) *Block {
	own := b.withoutContents()
	items := slices.Clone(b.Items())
	switch {
	case b != home: // the block on the way to home changes
		for i, inner := range items {
			if inner, isBlock := inner.(*Block); isBlock && inner.holds(home) {
				items[i] = WithItem(inner, home, path, it)
			}
		}
	case len(path) == 0: // b itself gets the item
		items = append(items, it)
	default: // a block in b gets it, at the first step of path or further inwards
		i := slices.IndexFunc(items, func(candidate Item) bool {
			inner, isBlock := candidate.(*Block)
			return isBlock && inner.Address() == path[0].Address()
		})
		if i < 0 { // it is missing
			empty := path[0].withoutContents()
			empty.in, empty.body = path[0].in, &body{of: &empty}
			i, items = len(items), append(items, &empty)
		}
		inner := items[i].(*Block) // home for the rest of path
		items[i] = WithItem(inner, inner, path[1:], it)
	}
	own.in, own.body = b.in, &body{of: &own, items: items}
	return &own
}

// holds reports whether b is the other block or surrounds it.
func (b *Block) holds(other *Block) bool {
	for other != nil && other != b {
		other = other.Within()
	}
	return other != nil
}

// Most blocks of a large module are declared, judged and never touched by an
// override. All that stays of such a block is its stub: where its header and its
// end are. Stubs hold no pointers, so that neither their number nor their size
// costs the garbage collector anything.

// Forget drops all blocks, so that the file can be read again.
func (f *File) Forget() { f.stubs, f.types, f.blocks, f.names = nil, nil, nil, nil }

// IndexAt returns the index of the top-level block that starts at a byte of File.Native, or of the next one.
func (f *File) IndexAt(start int) int {
	return sort.Search(len(f.stubs), func(i int) bool { return int(f.stubs[i].start.Byte) >= start })
}

// whole returns where the block is.
func (s *stub) whole() outline.Span { return outline.Span{Start: s.start, End: s.end} }

// typeAt returns where the block's type is.
func (s *stub) typeAt() outline.Span {
	return outline.Span{Start: s.start, End: s.start.Forward(int(s.typeEnd))}
}

// labelAt returns where label i is, quotes included.
func (s *stub) labelAt(i int) outline.Span {
	return outline.Span{Start: s.start.Forward(int(s.labels[i][0])), End: s.start.Forward(int(s.labels[i][1]))}
}

// Names are hashed with a separate seed, so that the hash of a name and the Key of a block are unrelated.
var seed, nameSeed = maphash.MakeSeed(), maphash.MakeSeed()

// Key returns a hash of the type and labels of the block with index i, by which override blocks find the blocks that
// they change. It differs from run to run.
func (f *File) Key(i int) uint64 { return f.stubs[i].key }

// KeyOf returns a hash of a block type and labels. File.Key returns the same for a block that has these.
func KeyOf(typ string, labels []string) uint64 {
	key := maphash.String(seed, typ)
	for _, l := range labels {
		key = bits.RotateLeft64(key, 1) ^ maphash.String(seed, l)
	}
	return key
}

// Names calls visit for each name that AddNames added, with a hash of the name and the index of its block. A hash,
// unlike a name, doesn't take memory.
func (f *File) Names(visit func(key uint64, block int)) {
	for _, n := range f.names {
		visit(maphash.Bytes(nameSeed, f.Native[n.span[0]:n.span[1]]), int(n.block))
	}
}
