package source

import (
	"iter"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/outline"
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
func (b *Block) OpenBrace() hcl.Range { return b.braceAt(b.content().opening) }

// CloseBrace is where the closing brace is.
func (b *Block) CloseBrace() hcl.Range { return b.braceAt(b.end.Forward(-1)) }

func (b *Block) braceAt(p outline.Place) hcl.Range {
	return outline.Span{Start: p, End: p.Forward(1)}.In(b.File.Name)
}

// Idle returns the properties of an override's JSON body that make no block, such as "ingress": [].
// They are not items of the native text.
func (b *Block) Idle() []*Attr {
	var idle []*Attr
	y := b.content()
	for _, p := range y.leftovers {
		if p.IsIdle {
			from := &Origin{Key: p.Key, Value: p.Value, Void: true, Guessed: p.IsGuess, unwritten: true}
			idle = append(idle, &Attr{File: b.File, in: y, Name: p.Name, rare: &rare{from: from}})
		}
	}
	return idle
}

// Remarks are the ranges in File.Raw of the values of a JSON body's comment properties.
func (b *Block) Remarks() [][2]uint32 {
	var list [][2]uint32
	for _, p := range b.content().leftovers {
		if p.IsComment {
			list = append(list, p.Value)
		}
	}
	return list
}

// EachRemark calls visit with the Remarks of the block and of those in it.
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

// Voids yields the names and texts of properties of a JSON body that make no nested
// block, such as "ingress": [].
func (b *Block) Voids() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, p := range b.content().leftovers {
			if p.IsVoid && !yield(p.Name, b.File.Raw[p.Value[0]:p.Value[1]]) {
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
