package changes

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// BetweenAll is Between with every block compared, even those that surely have no change.
func BetweenAll(before, after *merge.Module) []*Block {
	return betweenSome(before, after, func(*source.File, int) bool { return true })
}
