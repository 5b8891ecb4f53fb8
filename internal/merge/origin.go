package merge

import "github.com/tofumerge/tofumerge/internal/load/source"

// An origin is what items that come from one block have in common: the block. An
// item of the top level is alone.
type origin struct {
	block *source.Block
	alone source.Item
}

func originOf(it source.Item) origin {
	if b := Holder(it); b != nil {
		return origin{block: b}
	}
	return origin{alone: it}
}

// ShareOrigin reports whether two items come from one block, so that neither replaced the other.
func ShareOrigin(a, b source.Item) bool { return originOf(a) == originOf(b) }

func isOneLayer(a, b source.Item) bool {
	return source.IsOverride(a) == source.IsOverride(b) && (!source.IsOverride(a) || ShareOrigin(a, b))
}

// Holder is the block that an item is in, escaping blocks left out.
func Holder(it source.Item) *source.Block {
	b := it.Within()
	for b != nil && b.Type == source.EscapeBlock {
		b = b.Within()
	}
	return b
}

// isEscaped reports whether an item is in an escaping block.
func isEscaped(it source.Item) bool {
	in := it.Within()
	return in != nil && in.Type == source.EscapeBlock
}
