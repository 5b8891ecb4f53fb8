package load

import (
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
	if f.Syntax == Native {
		i := f.Index(r.Start.Byte + 1)
		if i == 0 {
			return nil
		}
		return inBlock(f.Block(i-1), r.Start.Byte)
	}
	for i := range f.Len() {
		if it := inBlock(f.Block(i), r.Start.Byte); it != nil {
			return it
		}
	}
	return nil
}

// inBlock is the innermost item at an offset in a block, nil if it is not in it.
func inBlock(b *Block, at int) Item {
	if from, to := Spread(b); at < from || at >= to {
		return nil
	}
	return innermost(b.Tree(), at)
}

func innermost(b *Block, at int) Item {
	for _, it := range b.Body.Items {
		from, to := Spread(it)
		if at < from || at >= to {
			continue
		}
		if inner, ok := it.(*Block); ok {
			return innermost(inner, at)
		}
		return it
	}
	return b
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
