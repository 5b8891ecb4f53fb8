package check

import (
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// A Fact is what two findings of the rule denied-override must have in common, apart from
// the address, to be about the same: what the item says, and who wins.
type Fact struct {
	Says equal.Sum // the item's tokens; of a file as a whole its bytes

	// Winners are what is in effect of each name that the item sets: the item itself, or the
	// tokens of the override that wins. Layers are the same by the files. What a primary file
	// says doesn't count, only that it wins.
	Winners, Layers equal.Sum

	// Around are the tokens of the nested block that the item is in, where that is replaced as
	// a whole, and Place is its place among its neighbours.
	Around equal.Sum
	Place  string

	// Row is the history of nested blocks whose order counts, nil where it doesn't.
	Row *merge.MergedItem
}
