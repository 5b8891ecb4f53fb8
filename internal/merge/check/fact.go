package check

import (
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// A Fact is what two findings of the rule denied-override must have in common, apart from the
// address, to be the same: the text of the item, and the winners.
type Fact struct {
	Tokens equal.Sum // the item's tokens; of a file as a whole its bytes

	// Winners identifies the effective items of each name that the item sets: the item itself, or
	// the tokens of the winning override. WinningFiles identifies them by their files. For a primary file
	// only its win matters, not its text.
	Winners, WinningFiles equal.Sum

	// Around holds the tokens of the nested block around the item, if that block is replaced as a
	// whole, and Place is its position among its neighbours.
	Around equal.Sum
	Place  string

	// Row is the history of nested blocks whose order matters, otherwise nil.
	Row *merge.MergedItem
}
