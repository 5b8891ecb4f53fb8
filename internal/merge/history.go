package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
)

// An Effect is what one source item did to the name it addresses.
type Effect int

// The effects.
const (
	Defined   Effect = iota // a primary file gave it first
	Added                   // an override file gave it first
	Replaced                // took the place of what was there
	Extended                // a block whose items were merged
	Hidden                  // something else took precedence
	Cleared                 // taken away by a later block's lack of it
	Converted               // the value in effect is computed from what was written
	Ignored                 // did nothing
	Undecided               // only the provider's schema tells whether it counts
	Matched                 // is part of the address
	Refused                 // is an error
	Missing                 // addresses nothing, which is an error
)

// A Step records what one source item did, and by which rule.
type Step struct {
	Item source.Item // nil: what happened was caused by the absence, or by the presence, of something else
	By   source.Item // what caused it: the item itself, a sibling, a later block
	Did  Effect
	Rule *Rule
	// Value is a text that no file holds, which is in effect from here on.
	Value *computed.Literal
}

// A Space keeps apart names that are spelled alike.
type Space int

// The spaces of names inside a block.
const (
	Meta Space = iota // names as the block itself has them
	Body              // names inside an escaping block, which the language gives no meaning
)

// A Key is what items must have in common to address each other inside one body.
type Key struct {
	Space Space
	Name  string
	ID    string // labels and alias, where the rule tells items apart by them
}

// An Entry is one name of a merged body, with its whole history.
type MergedItem struct {
	Key   Key
	Path  string
	Rule  *Rule
	Steps []Step
	// Live is what is in effect: nothing, one argument, or blocks in order. For
	// a merged block it is the blocks whose places the result is printed in.
	Live []source.Item
	// Value is the text in effect if it is not that of Live.
	Value *computed.Literal
	// Place is the item in whose place Live is printed; nil if it is an addition.
	Place source.Item
	// Order is when an override added the entry, counted from 1; 0 if none did.
	Order int
	// Escaped tells that the name is one of the language's, so that the item
	// must stay inside an escaping block.
	Escaped bool
	// Inner is the merged body, where the rule merges and some file addressed it.
	Inner *MergedBody

	outcomes []Outcome // of the first steps, as many as told
	told     int
	before   [][]source.Item // what was in effect before each outcome, once somebody asked
	live     liveSet
}

// A liveSet is a long list of items in effect, to be looked up.
type liveSet struct {
	of    []source.Item // the list that it was made of
	items map[source.Item]bool
}

// In tells whether anything of the entry is in effect.
func (e *MergedItem) InEffect() bool { return len(e.Live) > 0 }

// Has tells whether an item is in effect. Of many items they are looked up.
func (e *MergedItem) Has(it source.Item) bool {
	const few = 8
	if len(e.Live) <= few {
		return slices.Contains(e.Live, it)
	}
	if of := e.live.of; len(of) != len(e.Live) || &of[0] != &e.Live[0] {
		e.live = liveSet{of: e.Live, items: make(map[source.Item]bool, len(e.Live))}
		for _, it := range e.Live {
			e.live.items[it] = true
		}
	}
	return e.live.items[it]
}

// Attr is the argument in effect, or nil.
func (e *MergedItem) Attr() *source.Attr {
	if e == nil || len(e.Live) == 0 {
		return nil
	}
	a, _ := e.Live[0].(*source.Attr)
	return a
}

func (e *MergedItem) step(s Step) { e.Steps = append(e.Steps, s) }

// A Content is a merged body: what the blocks that make it up hold together.
type MergedBody struct {
	Path string
	// Parts are the blocks, in order, in whose places the content is printed.
	Parts []*source.Block
	shape *language.BodyShape
	Items []*MergedItem
	rules *ruleSet
	index map[Key]*MergedItem
	// quiet are items of primary files that no override addressed so far; they
	// become entries when somebody asks for them.
	untouched map[Key]source.Item
	moved     map[source.Item]*MergedItem // entries that took the place of another one's item
	end       *ending                     // once somebody asked
	at        *places                     // once somebody asked
}

func newBody(path string, rules *ruleSet) *MergedBody {
	return &MergedBody{Path: path, rules: rules, shape: rules.language.At(path), index: map[Key]*MergedItem{}, untouched: map[Key]source.Item{}}
}

// Entry returns the entry of a key, or nil. An item that had none so far gets
// it: asking for an entry changes the content, so one module is not to be
// looked at by several goroutines at once.
func (c *MergedBody) Item(k Key) *MergedItem {
	if c == nil {
		return nil
	}
	if e := c.index[k]; e != nil {
		return e
	}
	it := c.untouched[k]
	if it == nil {
		return nil
	}
	delete(c.untouched, k)
	rule := c.rules.find(c.Path, k)
	e := c.add(c.newItem(k, rule, it))
	e.define(it)
	return e
}

// newEntry makes the entry that an item starts.
func (c *MergedBody) newItem(k Key, rule *Rule, it source.Item) *MergedItem {
	return &MergedItem{Key: k, Path: join(c.Path, k.Name), Rule: rule, Escaped: k.Space == Body && c.knows(it)}
}

// define puts an item of a primary file first in an entry's history, or beside
// the others there.
func (e *MergedItem) define(it source.Item) {
	if e.Place == nil {
		e.Place = it
	}
	e.step(Step{Item: it, By: it, Did: Defined, Rule: e.Rule})
	if _, isAttr := it.(*source.Attr); isAttr && e.InEffect() {
		return // given twice by means of an escaping block: the first one counts
	}
	e.Live = append(e.Live, it)
}

// Named returns the entry of a name that the rule does not tell apart further.
func (c *MergedBody) Named(name string) *MergedItem { return c.Item(Key{Name: name}) }

// Owner returns the entry to which an item of a part belongs, or nil.
func (c *MergedBody) Owner(it source.Item) *MergedItem {
	in := it.Within()
	key, _ := c.key(it, in != nil && in.Type == language.EscapeBlock)
	return c.Item(key)
}

// IsQuiet tells that no override addressed an item and nobody asked for its
// history; it is what it was.
func (c *MergedBody) IsUntouched(it source.Item) bool {
	in := it.Within()
	key, _ := c.key(it, in != nil && in.Type == language.EscapeBlock)
	return c.untouched[key] == it
}

// At returns the entry that is printed in an item's place, or nil.
func (c *MergedBody) At(it source.Item) *MergedItem {
	if e := c.moved[it]; e != nil {
		return e
	}
	if e := c.Owner(it); e != nil && e.Place == it {
		return e
	}
	return nil
}

// key returns what tells which entry an item addresses, and the rule for it.
// Escaped items, and dynamic blocks, never have the name of a language item.
func (c *MergedBody) key(it source.Item, escaped bool) (Key, *Rule) {
	key := Key{Space: Body, Name: it.Called()}
	if !escaped && c.knows(it) {
		key.Space = Meta
	}
	rule := c.rules.find(c.Path, key)
	key.ID = rule.Match.id(it)
	return key, rule
}

// knows tells whether the language gives an item of this name and kind a
// meaning here. Where it has no words for the inside of a block, since only an
// override file can bring one, the table has.
func (c *MergedBody) knows(it source.Item) bool {
	name := it.Called()
	if c.shape == nil {
		return c.rules.byPath[join(c.Path, name)] != nil
	}
	if b, ok := it.(*source.Block); ok {
		_, known := c.shape.Block(b.Type)
		return known && b.Type == name
	}
	_, known := c.shape.Args[name]
	return known
}

func (c *MergedBody) add(e *MergedItem) *MergedItem {
	c.Items = append(c.Items, e)
	c.index[e.Key] = e
	return e
}

// move has an entry printed in an item's place.
func (c *MergedBody) move(e *MergedItem, place source.Item) {
	e.Place = place
	if c.moved == nil {
		c.moved = map[source.Item]*MergedItem{}
	}
	c.moved[place] = e
}

// NeedsEscape tells whether the name of an entry alone means something else, so that
// only an escaping block leads to it.
func (c *MergedBody) NeedsEscape(e *MergedItem) bool {
	return e.Escaped || e.Key.Space == Body && c.shape.Knows(e.Key.Name)
}

// AnyIn tells whether anything of the content is in effect.
func (c *MergedBody) AnyInEffect() bool {
	return len(c.untouched) > 0 || slices.ContainsFunc(c.Items, (*MergedItem).InEffect)
}

// lookup follows a path of plain names through merged blocks.
func (c *MergedBody) lookup(path string) *MergedItem {
	for {
		name, rest, more := strings.Cut(path, "/")
		e := c.Named(name)
		if e == nil || !more {
			return e
		}
		if e.Inner == nil {
			return nil
		}
		c, path = e.Inner, rest
	}
}

// Steps calls visit with every step of every history, in the order of the
// entries. Items that no override addressed have one step, in which a primary
// file defined them.
func (m *Module) Steps(visit func(*MergedItem, Step)) {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if f.Role == source.Primary && f.Kept(i) == nil {
				m.Root.adopt(f.Block(i))
			}
		}
	}
	m.Root.steps(visit)
}

// adopt makes an entry of a block that no override addressed.
func (c *MergedBody) adopt(b *source.Block) {
	key, rule := c.key(b, false)
	e := c.Item(key)
	if e == nil {
		e = c.add(c.newItem(key, rule, b))
	}
	if !e.Has(b) {
		e.define(b)
	}
}

func (c *MergedBody) steps(visit func(*MergedItem, Step)) {
	for _, it := range c.untouchedItems() {
		c.Owner(it)
	}
	for _, e := range c.Items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner != nil {
			e.Inner.steps(visit)
		}
	}
}

// quietItems lists the items that are no entries yet, in load order.
func (c *MergedBody) untouchedItems() []source.Item {
	items := slices.Collect(maps.Values(c.untouched))
	slices.SortFunc(items, func(a, b source.Item) int {
		x, y := a.Header(), b.Header()
		if d := strings.Compare(x.Filename, y.Filename); d != 0 {
			return d
		}
		return x.Start.Byte - y.Start.Byte
	})
	return items
}
