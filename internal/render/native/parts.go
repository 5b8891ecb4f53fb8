package native

import "github.com/tofumerge/tofumerge/internal/render/plan"

// Of returns the text of a block as it is printed.
func (t Texts) Of(block *plan.Block) []byte { return t.of(block) }
