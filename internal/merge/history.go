package merge

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A MergedItem is one name of a merged body, with its whole history.
type MergedItem struct {
	Key   Key
	Path  string
	Rule  *rules.Rule
	Steps []Step
	// Live holds the effective items: nothing, one argument, or blocks in order. For a merged block
	// it holds the blocks at whose positions the result is printed.
	Live []source.Item
	// Value is the effective text if it differs from Live's.
	Value *computed.Literal
	// Place is the item at whose position Live is printed; nil for an addition.
	Place source.Item
	// Order numbers the merged items that overrides added, from 1; 0 if no override added it.
	Order int32
	// Escaped is set if the name is the language's, so that the item must stay inside an escaping
	// block.
	Escaped bool
	// inner is the merged body, if the rule merges and some file addressed it. If no override can
	// change a block, its body is merged on demand.
	inner atomic.Pointer[MergedBody]
	asked atomic.Pointer[itemAnswers] // nil while nothing of it is kept
}

// itemAnswers caches computed properties of items with long histories. Concurrent callers compute
// equal results.
type itemAnswers struct {
	outcomes atomic.Pointer[outcomes]
	live     atomic.Pointer[liveSet]
	alone    *rules.Set // of a block that no override can change: the rules for its contents
}

func (e *MergedItem) answers() *itemAnswers { return lazily(&e.asked) }

// lazily returns the target of a pointer, which is made on first use.
func lazily[T any](to *atomic.Pointer[T]) *T {
	if made := to.Load(); made != nil {
		return made
	}
	to.CompareAndSwap(nil, new(T))
	return to.Load()
}

// outcomes are the outcomes of an item, valid as long as it has that number of steps.
type outcomes struct {
	steps  int
	list   []Outcome
	before atomic.Pointer[[][]source.Item] // the effective items before each
}

// A liveSet is a long list of items in effect, to be looked up.
type liveSet struct {
	of    []source.Item // the list that it was made of
	items map[source.Item]bool
}

// InEffect reports whether anything of the merged item is in effect.
func (e *MergedItem) InEffect() bool { return len(e.Live) > 0 }

// Has reports whether an item is in effect. For many items it uses a lookup table.
func (e *MergedItem) Has(it source.Item) bool {
	const few = 8
	if len(e.Live) <= few {
		return slices.Contains(e.Live, it)
	}
	set := e.answers().live.Load()
	if set == nil || len(set.of) != len(e.Live) || &set.of[0] != &e.Live[0] {
		set = &liveSet{of: e.Live, items: make(map[source.Item]bool, len(e.Live))}
		for _, it := range e.Live {
			set.items[it] = true
		}
		e.answers().live.Store(set)
	}
	return set.items[it]
}

// Attr is the argument in effect, or nil.
func (e *MergedItem) Attr() *source.Attr {
	if e == nil || len(e.Live) == 0 {
		return nil
	}
	a, _ := e.Live[0].(*source.Attr)
	return a
}

// A MergedBody is the merged contents of the blocks that make it up.
type MergedBody struct {
	kind *rules.Kind
	// Parts are the blocks, in order, at whose positions the content is printed.
	Parts     []*source.Block
	Items     []*MergedItem
	index     *index // of Items; nil while there are few
	untouched untouchedItems
	moved     map[source.Item]*MergedItem // items printed at the position of another one's item

	asked atomic.Pointer[bodyAnswers] // nil while nothing of it is kept
}

// bodyAnswers caches computed properties of a body. Most bodies never need them.
type bodyAnswers struct {
	mutex sync.Mutex // guards made
	made  map[Key]*MergedItem
	all   atomic.Pointer[[]*MergedItem]
	end   atomic.Pointer[losses]
	at    atomic.Pointer[printPlaces]
}

func (c *MergedBody) answers() *bodyAnswers { return lazily(&c.asked) }

// define puts an item of a primary file first in a merged item's history, or beside
// the others there.
func (e *MergedItem) define(it source.Item) {
	if e.Place == nil {
		e.Place = it
	}
	e.step(Step{Item: it, Effect: effect.Defined, Rule: e.Rule})
	if _, isAttr := it.(*source.Attr); isAttr && e.InEffect() {
		return // duplicate in an escaping block: the first one wins
	}
	e.Live = append(e.Live, it)
}

// An Outcome is what became of one source item.
type Outcome struct {
	Item   source.Item
	Effect effect.Kind
	Status effect.Status
	By     source.Item // what decided; nil if nothing but the item itself
	Rule   *rules.Rule // the rule that decided
}

func (e *MergedItem) step(s Step) {
	if len(e.Steps) == cap(e.Steps) {
		more := len(e.Steps)
		if more >= manySteps {
			more *= 3
		}
		e.Steps = slices.Grow(e.Steps, max(1, more)) // append makes long ones anew more often
	}
	e.Steps = append(e.Steps, s)
}

// hide ends the effect of an item, because of another one that a rule prefers.
func (e *MergedItem) hide(by source.Item, r *rules.Rule) {
	e.step(Step{Effect: effect.Hidden, Rule: r}.because(by))
	e.Live = nil
}

// manySteps is of how many steps it is likely that many more follow.
const manySteps = 8

// Address is how people name a top-level merged item: aws_instance.web, var.region,
// provider.aws.west, terraform.
func (e *MergedItem) Address() string { return address(e.Rule, e.Key) }

// An index finds items by the hashes of their keys, which take a third of the memory.
type index struct {
	items map[uint64]*MergedItem
	alike map[Key]*MergedItem // items whose hash another item has, too; nil if there are none
}

var keySeed = maphash.MakeSeed()

func (x *index) add(e *MergedItem) {
	hash := maphash.Comparable(keySeed, e.Key)
	if other := x.items[hash]; other == nil || other.Key == e.Key {
		x.items[hash] = e
		return
	}
	if x.alike == nil {
		x.alike = map[Key]*MergedItem{}
	}
	x.alike[e.Key] = e
}

func (x *index) find(k Key) *MergedItem {
	if e := x.items[maphash.Comparable(keySeed, k)]; e == nil || e.Key == k {
		return e
	}
	return x.alike[k]
}

// losses lists, for the histories of a body and of the blocks in it, the item by which each
// superseded one was finally superseded. It is computed once.
type losses struct {
	by     map[source.Item]source.Item // what each item gave way to
	lost   []source.Item               // those items, in order
	hidden []hiddenItem                // until they are sorted by winner
	byLoss map[lossKey][]hiddenItem
}

// A hiddenItem is an item that something else took precedence over.
type hiddenItem struct {
	item  source.Item
	owner *MergedItem
}

// A lossKey is the same for items that gave way to one block's items of one name.
type lossKey struct {
	to   origin
	name string
}

// printPlaces sorts the merged items of a content by the blocks that it is printed in, and
// by their names.
type printPlaces struct {
	escaping, plain   *source.Block // the first part of each kind; there is one escaping block at most
	bySyntax          map[source.Syntax]*source.Block
	printed, reported map[*source.Block][]*MergedItem
	named             map[string][]*MergedItem
}
