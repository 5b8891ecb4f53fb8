package extract

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// newComments reports whether an item has comments above it, and behind it, that the earlier item
// lacks: they explain the edit, whereas the others are in BASE already.
func newComments(it, earlier source.Item) (lead, tail bool) {
	above, behind := commentsOf(it)
	var wasAbove, wasBehind []string
	if earlier != nil {
		wasAbove, wasBehind = commentsOf(earlier)
	}
	return len(above) > 0 && !slices.Equal(above, wasAbove), len(behind) > 0 && !slices.Equal(behind, wasBehind)
}

// commentsOf lists the comments around an item: those above it and before it on its line, and
// those behind it.
func commentsOf(it source.Item) (above, behind []string) {
	around, at, src := source.TriviaOf(it), it.Extent(), it.Source().Native
	if around.Lead < at.Start.Byte {
		above = comments.Texts(src[around.Lead:at.Start.Byte])
	}
	if around.End > at.End.Byte {
		behind = comments.Texts(src[at.End.Byte:around.End])
	}
	return above, behind
}
