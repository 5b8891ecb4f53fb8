package section

import (
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// The facts about entries take several times the memory of the module, and a page shows only a part
// of it. So they are computed block by block, when the block is shown.

// blockFacts are the addresses and the changes of some entries.
type blockFacts struct {
	names   map[*merge.MergedItem]address.Address
	changes map[*merge.MergedItem][]*changes.Change
}

func newAbout() *blockFacts {
	return &blockFacts{map[*merge.MergedItem]address.Address{}, map[*merge.MergedItem][]*changes.Change{}}
}

func (a *blockFacts) name(own address.Address, e *merge.MergedItem) { a.names[e] = own }

func (a *blockFacts) change(b *changes.Block) {
	for i := range b.Changes {
		c := &b.Changes[i]
		a.changes[c.Item] = append(a.changes[c.Item], c)
	}
}

// turnTo computes the facts about the entries in a block.
func (b *builder) turnTo(block *plan.Block) {
	b.near = newAbout()
	top := b.m.Root.Owner(block.Source)
	if top == nil || !address.WalkOne(b.m, top, b.near.name) {
		return
	}
	if changed, _ := changes.In(b.m, top); changed != nil {
		b.near.change(changed)
	}
}

// about returns the facts about an entry: those of the current block, or else of all.
func (b *builder) about(e *merge.MergedItem) *blockFacts {
	if _, isNear := b.near.names[e]; isNear {
		return b.near
	}
	if b.all == nil {
		b.all = newAbout()
		address.Walk(b.m, b.all.name)
		changes.Each(b.m, b.all.change)
	}
	return b.all
}
