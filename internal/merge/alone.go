package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What blocks hold in which no override may have a say. There may be very many of them, and most
// are never asked.

// Inner is the merged body of a block that is merged item by item; nil for any other item.
func (e *MergedItem) Inner() *MergedBody {
	if c := e.inner.Load(); c != nil || e.alone == nil || !e.alone.expands(e) {
		return c
	}
	e.inner.CompareAndSwap(nil, e.alone.bodyOf(e))
	return e.inner.Load()
}

// IsAlone reports whether the item is a block of primary files in which no override may have a
// say.
func (e *MergedItem) IsAlone() bool { return e.alone != nil }

// body is the merged body of an item that is being merged, which has one from then on.
func (e *MergedItem) body(rules *ruleSet) *MergedBody {
	if e.inner.Load() == nil {
		e.inner.Store(newBody(e.Path, rules))
	}
	return e.inner.Load()
}

// bodyOf merges what the blocks of an item hold. What is wrong with them was reported when their
// files were read.
func (rs *ruleSet) bodyOf(e *MergedItem) *MergedBody {
	own := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule}
	m := &merger{rules: rs, root: newBody("", rs), homes: map[Key]*MergedItem{}}
	c := own.body(rs)
	for _, it := range e.Live {
		m.definePart(m.root, own, it.(*source.Block))
	}
	m.rank(own)
	return c
}
