package source

import (
	"iter"

	"github.com/hashicorp/hcl/v2"
)

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
func (b *Block) Remarks() [][]byte { return b.File.rawTexts(b.RemarksAt()) }

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
