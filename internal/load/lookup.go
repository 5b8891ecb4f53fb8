package load

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// ItemAt is the innermost item that stands where a range starts, which is one that
// people find; nil where there is none, or the file is broken.
func ItemAt(m *Module, r hcl.Range) Item {
	f := m.File(r.Filename)
	if f == nil || f.Broken {
		return nil
	}
	at := r.Start.Byte
	i, _ := slices.BinarySearchFunc(f.stubs, at, func(s stub, at int) int { return int(s.end.byte) - at - 1 })
	if f.Syntax == JSON {
		i, _ = slices.BinarySearchFunc(f.origins, at, func(o origin, at int) int { return int(o.value[1]) - at - 1 })
	}
	if i == f.Len() {
		return nil
	}
	if from, _ := Spread(f.Peek(i)); at < from {
		return nil
	}
	return innermost(f.tree(i), at)
}

// tree is the block of an index with its whole tree. The last one that was not
// kept is remembered, since many questions about one block may follow each other.
func (f *File) tree(i int) *Block {
	if b := f.Peek(i); b.Body != nil {
		return b
	}
	if f.placed.tree == nil || f.placed.block != i {
		f.placed = placed{block: i, tree: f.Block(i).Tree()}
	}
	return f.placed.tree
}

// innermost is the innermost item at an offset in a block. Several that share the
// key of a JSON file end one after the other.
func innermost(b *Block, at int) Item {
	i, _ := slices.BinarySearchFunc(b.Body.Items, at, func(it Item, at int) int {
		_, to := Spread(it)
		return to - at - 1
	})
	if i == len(b.Body.Items) {
		return b
	}
	it := b.Body.Items[i]
	if from, _ := Spread(it); at < from {
		return b
	}
	if inner, ok := it.(*Block); ok {
		return innermost(inner, at)
	}
	return it
}

// CommentsIn lists the comments in a text of native syntax.
func CommentsIn(text []byte) []string {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	var list []string
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			list = append(list, string(t.Bytes))
		}
	}
	return list
}
