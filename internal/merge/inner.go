package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Contents of blocks that no override can change are merged on demand. There may be very many of
// them, and most are never needed.

// Inner is the merged body of a block that is merged item by item; nil for any other item.
func (e *MergedItem) Inner() *MergedBody {
	c := e.inner.Load()
	if c != nil {
		return c
	}
	set := e.ownRules()
	if set == nil || !expands(set, e) {
		return nil
	}
	e.inner.CompareAndSwap(nil, bodyOf(e, set))
	return e.inner.Load()
}

// ownRules returns the rules for the contents of a block that no override can change; nil for any
// other item.
func (e *MergedItem) ownRules() *rules.Set {
	if asked := e.asked.Load(); asked != nil {
		return asked.alone
	}
	return nil
}

// bodyOf merges the contents of an item's blocks. Errors in them were reported when their files
// were read.
func bodyOf(e *MergedItem, set *rules.Set) *MergedBody {
	own := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule}
	m := newDefiner(set)
	c := own.body(set)
	for _, it := range e.Live {
		m.definePart(m.root, own, it.(*source.Block))
	}
	m.rank(own)
	return c
}
