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
	for i := range f.Len() {
		if from, to := Spread(f.Block(i)); from <= r.Start.Byte && r.Start.Byte < to {
			b := f.Block(i)
			if b.Body == nil {
				b = b.Tree()
			}
			return innermost(b, r.Start.Byte)
		}
	}
	return nil
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
