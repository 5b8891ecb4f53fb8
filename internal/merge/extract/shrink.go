package extract

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A variable's type and its default depend on each other: of several arguments of one block, some
// may follow from the others. Each one is left out once, together with one of every other such
// block, and stays out if the result is still EDITED.

// A looseBlock is a block that may hold more than it must.
type looseBlock struct {
	own   address.Address
	parts []address.Address
	tried address.Address
}

func (x *extraction) shrink() error {
	blocks := x.shrinkable()
	isSame := true
	for i := 0; ; i++ {
		isTried := false
		for _, b := range blocks {
			b.tried = address.Address{}
			if i < len(b.parts) {
				isTried = x.leaveOut(b, i) || isTried
			}
		}
		if !isTried {
			break
		}
		next, err := x.try()
		if err != nil {
			return err
		}
		if isSame = x.restore(blocks, next); isSame {
			x.last = next
		}
	}
	if isSame {
		return nil
	}
	next, err := x.try()
	if err == nil {
		x.last = next
	}
	return err
}

// shrinkable lists the blocks of several parts whose rule depends on more than each of them.
func (x *extraction) shrinkable() []*looseBlock {
	var list []*looseBlock
	for _, p := range x.override.written() {
		if !p.IsPartial || p.Entry == nil || !p.Entry.Rule.IsCheckedByBlock() {
			continue
		}
		b := &looseBlock{own: p.own}
		for _, inner := range p.held {
			if !inner.isKey {
				b.parts = append(b.parts, inner.own)
			}
		}
		if len(b.parts) > 1 {
			list = append(list, b)
		}
	}
	return list
}

// leaveOut takes out a part of a block that holds more than that.
func (x *extraction) leaveOut(b *looseBlock, i int) bool {
	present := slices.DeleteFunc(slices.Clone(b.parts), func(own address.Address) bool { return len(x.override.parts[own]) == 0 })
	if len(present) < 2 {
		return false
	}
	b.tried = b.parts[i]
	return x.override.withdraw(b.tried)
}

// restore puts parts back without which a trial is not EDITED. It reports whether none was.
func (x *extraction) restore(blocks []*looseBlock, t *trial) bool {
	isRefused := len(x.refusals(t)) > 0
	var differing []address.Address
	for _, d := range t.remaining() {
		if x.stages[d.Address] != left {
			differing = append(differing, d.Address)
		}
	}
	isSame := true
	for _, b := range blocks {
		if b.tried.IsEmpty() || !isRefused && !slices.ContainsFunc(differing, b.holds) {
			continue
		}
		if e := x.edited.of[b.tried]; e != nil {
			x.override.put(b.tried, e, e.Live)
		} else {
			x.override.putVoid(b.tried, x.base.of[b.tried])
		}
		isSame = false
	}
	return isSame
}

func (b *looseBlock) holds(own address.Address) bool {
	_, isIn := own.In(b.own)
	return isIn
}
