package merge

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A space keeps apart equal names of different kinds.
type space int

// The spaces of names inside a block.
const (
	metaSpace space = iota // names as the block itself has them
	Body                   // names inside an escaping block, which the language gives no meaning
)

// A Key is what items must have in common to address each other inside one body.
type Key struct {
	Space space
	Name  string
	ID    string // labels and alias, where the rule keeps items apart by them
}

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
	index     *index // nil while there are few items
	untouched untouched
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

func newBody(path string, set *rules.Set) *MergedBody { return &MergedBody{kind: set.Kind(path)} }

// claim returns the item of a key, or nil, for the merge to change. A source item that
// had none so far gets it.
func (c *MergedBody) claim(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.indexed(k); e != nil {
		return e
	}
	it := c.untouched.find(c, k)
	if it == nil {
		return nil
	}
	c.untouched.drop(k, it)
	return c.add(c.defined(k, it))
}

// claimNamed claims the item of a name that the rule does not divide further.
func (c *MergedBody) claimNamed(name string) *MergedItem { return c.claim(Key{Name: name}) }

// Item returns the merged item of a key, or nil. It is the same each time.
func (c *MergedBody) Item(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.indexed(k); e != nil {
		return e
	}
	it := c.untouched.find(c, k)
	if it == nil {
		return nil
	}
	known := c.answers()
	known.mutex.Lock()
	defer known.mutex.Unlock()
	e := known.made[k]
	if e == nil {
		if known.made == nil {
			known.made = map[Key]*MergedItem{}
		}
		e = c.defined(k, it)
		known.made[k] = e
	}
	return e
}

// All lists the items of the body, those that no override addressed at the end.
func (c *MergedBody) All() []*MergedItem {
	known := c.answers()
	if list := known.all.Load(); list != nil {
		return *list
	}
	list := slices.Clip(c.Items)
	for _, it := range c.untouched.inLoadOrder() {
		list = append(list, c.Owner(it))
	}
	known.all.Store(&list)
	return list
}

// defined is the item that nothing but a primary file has to do with.
func (c *MergedBody) defined(k Key, it source.Item) *MergedItem {
	e := c.newItem(k, c.rule(k), it)
	e.define(it)
	return e
}

// newItem makes the merged item that an item starts.
func (c *MergedBody) newItem(k Key, rule *rules.Rule, it source.Item) *MergedItem {
	return &MergedItem{Key: k, Path: rules.Join(c.kind.Path, k.Name), Rule: rule, Escaped: k.Space == Body && c.knows(it)}
}

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

// Owner returns the merged item to which an item of a part belongs, or nil.
func (c *MergedBody) Owner(it source.Item) *MergedItem {
	key, _ := c.key(it, isEscaped(it))
	return c.Item(key)
}

// IsUntouched reports whether no override addressed an item, so it is unchanged.
func (c *MergedBody) IsUntouched(it source.Item) bool {
	return c.untouched.has(c, it)
}

// isEscaped reports whether an item is in an escaping block.
func isEscaped(it source.Item) bool {
	in := it.Within()
	return in != nil && in.Type == source.EscapeBlock
}

// At returns the merged item that is printed at an item's position, or nil.
func (c *MergedBody) At(it source.Item) *MergedItem {
	if e := c.moved[it]; e != nil {
		return e
	}
	if e := c.Owner(it); e != nil && e.Place == it {
		return e
	}
	return nil
}

// key returns the key by which an item addresses a merged item, and the rule for it. Escaped items,
// and dynamic blocks, never have the name of a language item.
func (c *MergedBody) key(it source.Item, escaped bool) (Key, *rules.Rule) {
	key := Key{Space: Body, Name: it.Called()}
	if !escaped && c.knows(it) {
		key.Space = metaSpace
	}
	rule := c.rule(key)
	key.ID = rule.Match.ID(it)
	return key, rule
}

// rule is the rule for the items of a key.
func (c *MergedBody) rule(k Key) *rules.Rule { return c.kind.Names.Find(k.Name, k.Space == Body) }

// knows reports whether the language gives an item of this name and kind a meaning here. If it has
// no words for the inside of a block, since only an override file can bring one, the table has.
func (c *MergedBody) knows(it source.Item) bool {
	name := it.Called()
	if c.kind.Shape == nil {
		return c.kind.Names.Own(name) != nil
	}
	if b, ok := it.(*source.Block); ok {
		_, known := c.kind.Shape.Block(b.Type)
		return known && b.Type == name
	}
	_, known := c.kind.Shape.Args[name]
	return known
}

// move prints a merged item at an item's position.
func (c *MergedBody) move(e *MergedItem, place source.Item) {
	e.Place = place
	if c.moved == nil {
		c.moved = map[source.Item]*MergedItem{}
	}
	c.moved[place] = e
}

// NeedsEscape reports whether the name of a merged item alone means something else, so that the
// item must be in an escaping block.
func (c *MergedBody) NeedsEscape(e *MergedItem) bool {
	return e.Escaped || e.Key.Space == Body && c.kind.Shape.Knows(e.Key.Name)
}

// anyInEffect reports whether anything of the content is in effect.
func (c *MergedBody) anyInEffect() bool {
	return c.untouched.left() > 0 || slices.ContainsFunc(c.Items, (*MergedItem).InEffect)
}

// lookup follows a path of plain names through merged blocks.
func (c *MergedBody) lookup(path string) *MergedItem {
	for {
		name, rest, more := strings.Cut(path, "/")
		e := c.claimNamed(name)
		if e == nil || !more {
			return e
		}
		if e.Inner() == nil {
			return nil
		}
		c, path = e.Inner(), rest
	}
}

// isDefined reports whether a block of a primary file needs its own item in the root: an override
// may address it, or it may be declared twice.
func (m *Module) isDefined(f *source.File, i int) bool {
	return m.Source.IsAddressedAt(f, i) || m.doubtful[declaration{f, int32(i)}]
}

// All lists the items of the top level, also of blocks that no override addressed.
func (m *Module) All() []*MergedItem { return m.all() }

func (m *Module) allTops() []*MergedItem {
	return m.AllOf(func(*source.File, int) bool { return true })
}

// AllOf lists the items that overrides may address, and the wanted ones of the others, which may be
// very many: all of a type with some labels, or none of them.
func (m *Module) AllOf(wants func(f *source.File, i int) bool) []*MergedItem {
	list := slices.Clip(m.Root.All())
	listed := map[Key]int{} // indices
	for i, e := range list {
		listed[e.Key] = i
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.eachAlone(wants, func(f *source.File, i int) {
		b := f.Block(i)
		key, rule := m.Root.key(b, false)
		at, isListed := listed[key]
		if !isListed {
			at, listed[key] = len(list), len(list)
			if m.alone[key] == nil {
				m.alone[key] = m.Root.newItem(key, rule, b)
				m.alone[key].asked.Store(&itemAnswers{alone: m.Root.kind.Rules})
			}
			list = append(list, m.alone[key])
		}
		switch e := list[at]; {
		case e.Has(b):
		case e == m.alone[key]:
			e.define(b)
		default:
			list[at] = e.with(b)
		}
	})
	return list
}

// EachAlone visits the blocks of primary files that no override can change, in load order.
func (m *Module) EachAlone(visit func(f *source.File, i int)) {
	m.eachAlone(func(*source.File, int) bool { return true }, visit)
}

// eachAlone visits those that are wanted.
func (m *Module) eachAlone(wants func(f *source.File, i int) bool, visit func(f *source.File, i int)) {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if f.Role == source.Primary && wants(f, i) && !m.isDefined(f, i) {
				visit(f, i)
			}
		}
	}
}

// with is the item with one more block of a primary file.
func (e *MergedItem) with(b *source.Block) *MergedItem {
	more := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule, Steps: slices.Clip(e.Steps), Live: slices.Clip(e.Live), Value: e.Value, Place: e.Place, Order: e.Order, Escaped: e.Escaped}
	more.inner.Store(e.inner.Load())
	if set := e.ownRules(); set != nil {
		more.asked.Store(&itemAnswers{alone: set})
	}
	more.define(b)
	return more
}
