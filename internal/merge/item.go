package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Contents of blocks that no override can change. There may be very many of them, and most are
// never needed.

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

// body is the merged body of an item that is being merged, which has one from then on.
func (e *MergedItem) body(set *rules.Set) *MergedBody {
	if e.inner.Load() == nil {
		e.inner.Store(newBody(e.Path, set))
	}
	return e.inner.Load()
}

// bodyOf merges the contents of an item's blocks. Errors in them were reported when their files
// were read.
func bodyOf(e *MergedItem, set *rules.Set) *MergedBody {
	own := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule}
	m := &merger{rules: set, root: newBody("", set), aliasTargets: map[Key]*MergedItem{}}
	c := own.body(set)
	for _, it := range e.Live {
		m.definePart(m.root, own, it.(*source.Block))
	}
	m.rank(own)
	return c
}
