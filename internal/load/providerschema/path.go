package providerschema

import "github.com/tofumerge/tofumerge/internal/load/source"

// PathOf is the path of a block's body.
func PathOf(b *source.Block) string {
	switch {
	case b.Within() == nil:
		return TopPath(b)
	case b.Type == source.EscapeBlock:
		return PathOf(b.Within())
	}
	return PathOf(b.Within()) + "/" + b.Called()
}

// TopPath is the path of the body of a top-level block.
func TopPath(b *source.Block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "/" + b.Labels[0]
}
