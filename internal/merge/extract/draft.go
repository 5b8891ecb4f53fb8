package extract

import (
	"cmp"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A draft is a file in the making.
type draft struct {
	base, edited *index
	top          []*Part
	blocks       map[address.Address]*Part   // the blocks that are written in part
	parts        map[address.Address][]*Part // by the address of the expressed difference
}

func newDraft(base, edited *index) *draft {
	return &draft{base: base, edited: edited, blocks: map[address.Address]*Part{}, parts: map[address.Address][]*Part{}}
}

// put adds the effective items of a merged item of EDITED: all items, or the chosen ones.
func (d *draft) put(own address.Address, e *merge.MergedItem, chosen []source.Item) {
	if e.Inner() != nil && e.Rule.Do == rules.Merge {
		d.putBlock(own, e)
		return
	}
	for _, it := range chosen {
		p := &Part{Item: it, Entry: e, Address: own, IsEscaped: d.isEscaped(e)}
		earlier := d.earlier(own)
		if len(chosen) > 1 {
			earlier = nil // which of several blocks would it be?
		}
		p.HasLead, p.HasTail = newComments(it, earlier)
		d.insert(e, p)
	}
}

// putBlock adds a block that is merged item by item, with all that is in effect in it.
func (d *draft) putBlock(own address.Address, e *merge.MergedItem) {
	p := d.block(e)
	p.isDue = !e.Rule.OmitEmpty
	d.parts[own] = append(d.parts[own], p)
	for _, inner := range e.Inner().All() {
		if at, known := d.edited.own[inner]; known && inner.InEffect() && inner.Rule.Do != rules.Identify {
			d.put(at, inner, inner.Live)
		}
	}
}

// putVoid adds the constant that means nothing for an argument that only BASE has.
func (d *draft) putVoid(own address.Address, e *merge.MergedItem) {
	p := &Part{Item: e.Live[0], Address: own, Void: e.Rule.Void, IsEscaped: d.isEscaped(e)}
	d.insert(e, p)
}

// insert adds a part to the block that holds the merged item.
func (d *draft) insert(e *merge.MergedItem, p *Part) {
	p.rank = d.rank(p.Address)
	d.parts[p.Address] = append(d.parts[p.Address], p)
	x := d.indexOf(e)
	around := x.around(e)
	if around == nil {
		d.top = append(d.top, p)
		return
	}
	b := d.block(around)
	if e.Rule.IsApart() && slices.ContainsFunc(b.Held, func(o *Part) bool { return o.Address == p.Address }) {
		b = d.another(b) // a block holds one only
	}
	b.Held = append(b.Held, p)
}

// another adds one more block like one at the top level.
func (d *draft) another(b *Part) *Part {
	more := *b
	more.Held = nil
	d.top = append(d.top, &more)
	return &more
}

// block returns the part for a block that is written in part, including everything in its address.
func (d *draft) block(e *merge.MergedItem) *Part {
	x := d.indexOf(e)
	own := x.own[e]
	if known := d.blocks[own]; known != nil {
		return known
	}
	p := &Part{Item: e.Live[0], Entry: e, Address: own, IsPartial: true, isOpen: true, rank: d.rank(own)}
	p.HasLead, _ = newComments(p.Item, d.earlier(own))
	d.blocks[own] = p
	for _, inner := range e.Inner().All() {
		if inner.Rule.Do == rules.Identify && inner.InEffect() {
			p.Held = append(p.Held, &Part{Item: inner.Live[0], Entry: inner, Address: x.own[inner], isKey: true, rank: -1})
		}
	}
	if around := x.around(e); around != nil {
		b := d.block(around)
		b.Held = append(b.Held, p)
	} else {
		d.top = append(d.top, p)
	}
	return p
}

func (d *draft) indexOf(e *merge.MergedItem) *index {
	if _, isEdited := d.edited.own[e]; isEdited {
		return d.edited
	}
	return d.base
}

func (d *draft) isEscaped(e *merge.MergedItem) bool {
	around := d.indexOf(e).holder(e)
	return around != nil && around.Inner() != nil && around.Inner().NeedsEscape(e)
}

// earlier is what BASE has in effect under an address, nil if there is nothing.
func (d *draft) earlier(own address.Address) source.Item {
	if e := d.base.of[own]; e != nil && e.InEffect() {
		return e.Live[0]
	}
	return nil
}

// rank orders the parts as BASE has them, then those that only EDITED has.
func (d *draft) rank(own address.Address) int {
	if at, known := d.base.rank[own]; known {
		return at
	}
	return len(d.base.rank) + d.edited.rank[own]
}

// withdraw takes out the parts of an address and all that they hold. It reports whether there
// were any.
func (d *draft) withdraw(own address.Address) bool {
	gone := d.parts[own]
	for _, p := range gone {
		d.forget(p)
	}
	return len(gone) > 0
}

func (d *draft) forget(p *Part) {
	p.isGone = true
	delete(d.parts, p.Address)
	delete(d.blocks, p.Address)
	for _, inner := range p.Held {
		d.forget(inner)
	}
}

// stay are the parts that are not gone, but for blocks that so hold nothing any more.
func (d *draft) stay(list []*Part) []*Part {
	return slices.DeleteFunc(list, func(p *Part) bool {
		if p.isGone || !p.isOpen {
			return p.isGone
		}
		p.Held = d.stay(p.Held)
		if p.isDue || slices.ContainsFunc(p.Held, func(p *Part) bool { return !p.isKey }) {
			return false
		}
		if d.blocks[p.Address] == p {
			delete(d.blocks, p.Address)
		}
		return true
	})
}

// written are the top-level blocks in the order of BASE, with their contents in the same order.
func (d *draft) written() []*Part {
	d.top = d.stay(d.top)
	sortParts(d.top)
	for _, p := range d.top {
		if !p.isOpen {
			continue
		}
		if p.IsPartial = !p.isDue || !p.isComplete(); !p.IsPartial {
			_, p.HasTail = newComments(p.Item, nil)
		}
	}
	return d.top
}

// isComplete reports whether a block holds all that the item holds, and nothing else.
func (p *Part) isComplete() bool {
	b, isBlock := p.Item.(*source.Block)
	if !isBlock || !p.isOpen {
		return true
	}
	if len(p.Entry.Live) > 1 || len(p.Held) != len(b.Items()) {
		return false
	}
	return !slices.ContainsFunc(p.Held, func(inner *Part) bool {
		return inner.Item.Within() != b || inner.Void != "" || inner.Entry != nil && inner.Entry.Value != nil || !inner.isComplete()
	})
}

// sortParts sorts parts, arguments before blocks.
func sortParts(list []*Part) {
	slices.SortStableFunc(list, func(a, b *Part) int {
		if a.isBlock() != b.isBlock() {
			if a.isBlock() {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.rank, b.rank)
	})
	for _, p := range list {
		sortParts(p.Held)
	}
}

// putNew adds what primary files of EDITED hold of a merged item, whole.
func (d *draft) putNew(own address.Address, e *merge.MergedItem) {
	for _, s := range e.Steps {
		if s.Effect != effect.Defined || s.Item == nil {
			continue
		}
		p := &Part{Item: s.Item, Address: own}
		p.HasLead, p.HasTail = newComments(s.Item, nil)
		d.insert(e, p)
	}
}

func (p *Part) isBlock() bool {
	_, isBlock := p.Item.(*source.Block)
	return isBlock
}
