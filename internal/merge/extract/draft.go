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

// A part is a part of the file in the making, and what it holds so far.
type part struct {
	merge.Part
	own  address.Address
	held []*part

	isOpen bool // a block that is written in part, unless all parts are
	isKey  bool // it belongs to the address of the block
	isDue  bool // the block itself is a difference, whatever it holds
	// isGone is set if the part was removed again.
	isGone bool
	rank   int
}

// made are parts as they are written.
func made(list []*part) []*merge.Part {
	var parts []*merge.Part
	for _, p := range list {
		p.Held = made(p.held)
		parts = append(parts, &p.Part)
	}
	return parts
}

// A draft is a file in the making.
type draft struct {
	base, edited *index
	top          []*part
	blocks       map[address.Address]*part   // the blocks that are written in part
	parts        map[address.Address][]*part // by the address of the expressed difference
}

func newDraft(base, edited *index) *draft {
	return &draft{base: base, edited: edited, blocks: map[address.Address]*part{}, parts: map[address.Address][]*part{}}
}

// put adds the effective items of a merged item of EDITED: all items, or the chosen ones.
func (d *draft) put(own address.Address, e *merge.MergedItem, chosen []source.Item) {
	if e.Inner() != nil && e.Rule.Do == rules.Merge {
		d.putBlock(own, e)
		return
	}
	for _, it := range chosen {
		p := &part{Part: merge.Part{Item: it, Entry: e, IsEscaped: d.isEscaped(e)}, own: own}
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
	d.insert(e, &part{Part: merge.Part{Item: e.Live[0], Void: e.Rule.Void, IsEscaped: d.isEscaped(e)}, own: own})
}

// insert adds a part to the block that holds the merged item.
func (d *draft) insert(e *merge.MergedItem, p *part) {
	p.rank = d.rank(p.own)
	d.parts[p.own] = append(d.parts[p.own], p)
	x := d.indexOf(e)
	around := x.around(e)
	if around == nil {
		d.top = append(d.top, p)
		return
	}
	b := d.block(around)
	if e.Rule.IsApart() && slices.ContainsFunc(b.held, func(o *part) bool { return o.own == p.own }) {
		b = d.another(b) // a block holds one only
	}
	b.held = append(b.held, p)
}

// another adds one more block like one at the top level.
func (d *draft) another(b *part) *part {
	more := *b
	more.held = nil
	d.top = append(d.top, &more)
	return &more
}

// block returns the part for a block that is written in part, including everything in its address.
func (d *draft) block(e *merge.MergedItem) *part {
	x := d.indexOf(e)
	own := x.own[e]
	if known := d.blocks[own]; known != nil {
		return known
	}
	p := &part{Part: merge.Part{Item: e.Live[0], Entry: e, IsPartial: true}, own: own, isOpen: true, rank: d.rank(own)}
	p.HasLead, _ = newComments(p.Item, d.earlier(own))
	d.blocks[own] = p
	for _, inner := range e.Inner().All() {
		if inner.Rule.Do == rules.Identify && inner.InEffect() {
			p.held = append(p.held, &part{Part: merge.Part{Item: inner.Live[0], Entry: inner}, own: x.own[inner], isKey: true, rank: -1})
		}
	}
	if around := x.around(e); around != nil {
		b := d.block(around)
		b.held = append(b.held, p)
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

func (d *draft) forget(p *part) {
	p.isGone = true
	delete(d.parts, p.own)
	delete(d.blocks, p.own)
	for _, inner := range p.held {
		d.forget(inner)
	}
}

// stay are the parts that are not gone, but for blocks that so hold nothing any more.
func (d *draft) stay(list []*part) []*part {
	return slices.DeleteFunc(list, func(p *part) bool {
		if p.isGone || !p.isOpen {
			return p.isGone
		}
		p.held = d.stay(p.held)
		if p.isDue || slices.ContainsFunc(p.held, func(p *part) bool { return !p.isKey }) {
			return false
		}
		if d.blocks[p.own] == p {
			delete(d.blocks, p.own)
		}
		return true
	})
}

// written are the top-level blocks in the order of BASE, with their contents in the same order.
func (d *draft) written() []*part {
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
func (p *part) isComplete() bool {
	b, isBlock := p.Item.(*source.Block)
	if !isBlock || !p.isOpen {
		return true
	}
	if len(p.Entry.Live) > 1 || len(p.held) != len(b.Items()) {
		return false
	}
	return !slices.ContainsFunc(p.held, func(inner *part) bool {
		return inner.Item.Within() != b || inner.Void != "" || inner.Entry != nil && inner.Entry.Value != nil || !inner.isComplete()
	})
}

// sortParts sorts parts, arguments before blocks.
func sortParts(list []*part) {
	slices.SortStableFunc(list, func(a, b *part) int {
		if a.isBlock() != b.isBlock() {
			if a.isBlock() {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.rank, b.rank)
	})
	for _, p := range list {
		sortParts(p.held)
	}
}

// putNew adds what primary files of EDITED hold of a merged item, whole.
func (d *draft) putNew(own address.Address, e *merge.MergedItem) {
	for _, s := range e.Steps {
		if s.Effect != effect.Defined || s.Item == nil {
			continue
		}
		p := &part{Part: merge.Part{Item: s.Item}, own: own}
		p.HasLead, p.HasTail = newComments(s.Item, nil)
		d.insert(e, p)
	}
}

func (p *part) isBlock() bool {
	_, isBlock := p.Item.(*source.Block)
	return isBlock
}
