package merge

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A MergedItem is one name of a merged body, with its whole history: an argument, a block, or all nested blocks of
// a type, which are replaced together.
type MergedItem struct {
	Key   Key
	Path  string // block types and the name: resource/ami
	Rule  *rules.Rule
	Steps []Step // the history: what each item of a file did, in the order in which files were applied
	// Live holds the effective items: nothing, one argument, or blocks in order. For a merged block
	// it holds the blocks at whose positions the result is printed.
	Live []source.Item
	// Value is the effective text if no file contains it, otherwise nil.
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
	cache atomic.Pointer[itemCache] // nil while nothing of it is kept
}

// itemCache caches what is computed from an item, mostly if its history is long. Concurrent callers may compute it
// twice, and get equal results.
type itemCache struct {
	outcomes     atomic.Pointer[outcomes]
	live         atomic.Pointer[liveSet]
	contentRules *rules.Set // of a block that no override can change: the rules for its contents
}

// ensureCache returns the item's cache; the first call makes it.
func (e *MergedItem) ensureCache() *itemCache { return loadOrNew(&e.cache) }

// loadOrNew returns what the pointer points to; the first call makes a zero T. Several goroutines get the same.
func loadOrNew[T any](pointer *atomic.Pointer[T]) *T {
	if value := pointer.Load(); value != nil {
		return value
	}
	pointer.CompareAndSwap(nil, new(T))
	return pointer.Load()
}

// outcomes caches the outcomes of an item. They are valid as long as the item has that number of steps.
type outcomes struct {
	steps  int
	list   []Outcome
	before atomic.Pointer[[][]source.Item] // the effective items before each: see before
}

// A liveSet is the set of items in effect, for Has: looking through a long list for each of many items takes too
// long.
type liveSet struct {
	of    []source.Item // the list that it was made of
	items map[source.Item]bool
}

// InEffect reports whether anything of the merged item is in effect.
func (e *MergedItem) InEffect() bool { return len(e.Live) > 0 }

// Has reports whether an item is in effect. If many are, it uses a lookup table, made anew when e.Live has changed.
func (e *MergedItem) Has(it source.Item) bool {
	const few = 8
	if len(e.Live) <= few {
		return slices.Contains(e.Live, it)
	}
	// The table is current if it was made of the slice that e.Live still is.
	set := e.ensureCache().live.Load()
	isCurrent := set != nil && len(set.of) == len(e.Live) && &set.of[0] == &e.Live[0]
	if !isCurrent {
		set = &liveSet{of: e.Live, items: make(map[source.Item]bool, len(e.Live))}
		for _, it := range e.Live {
			set.items[it] = true
		}
		e.ensureCache().live.Store(set)
	}
	return set.items[it]
}

// Attr returns the argument in effect; nil if there is none, or e is nil or a block.
func (e *MergedItem) Attr() *source.Attr {
	if e == nil || len(e.Live) == 0 {
		return nil
	}
	a, _ := e.Live[0].(*source.Attr)
	return a
}

// A MergedBody holds the merged contents of one or more blocks: of all blocks of primary files that declare
// one object, with what overrides did to them. The body of the top level, Module.Root, holds the top-level
// blocks.
type MergedBody struct {
	kind *rules.Kind // what the rules and the language say about such bodies
	// Parts are the blocks, in order, at whose positions the content is printed.
	Parts     []*source.Block
	Items     []*MergedItem               // blocks, and arguments that overrides addressed or that come more than once
	index     *index                      // of Items; nil while there are few
	untouched untouchedItems              // all other arguments
	moved     map[source.Item]*MergedItem // items printed at the position of another one's item

	cache atomic.Pointer[bodyCache] // nil while nothing of it is kept
}

// bodyCache caches what is computed from a merged body. Most bodies never need any of it.
type bodyCache struct {
	mutex     sync.Mutex          // guards untouched
	untouched map[Key]*MergedItem // merged items of arguments that no override addressed: see Item
	all       atomic.Pointer[[]*MergedItem]
	losses    atomic.Pointer[losses]
	places    atomic.Pointer[printPlaces]
}

// ensureCache returns the body's cache; the first call makes it.
func (c *MergedBody) ensureCache() *bodyCache { return loadOrNew(&c.cache) }

// addDefinition adds an item of a primary file to the history, and puts it into effect beside earlier blocks. A
// second argument has no effect: it is in an escaping block, and the one outside, which comes first, wins.
func (e *MergedItem) addDefinition(it source.Item) {
	if e.Place == nil {
		e.Place = it
	}
	e.addStep(Step{Item: it, Effect: effect.Defined, Rule: e.Rule})
	if _, isAttr := it.(*source.Attr); isAttr && e.InEffect() {
		return // duplicate in an escaping block: the first one wins
	}
	e.Live = append(e.Live, it)
}

// An Outcome is what became of one source item once all files are applied.
type Outcome struct {
	Item   source.Item
	Effect effect.Kind
	Status effect.Status
	By     source.Item // what decided; nil if nothing but the item itself
	Rule   *rules.Rule // the rule that decided
}

// addStep appends to the history. A long one gets more spare capacity than append would give it: growing step by
// step copies it too often.
func (e *MergedItem) addStep(s Step) {
	if len(e.Steps) == cap(e.Steps) {
		more := len(e.Steps)
		if more >= manySteps {
			more *= 3
		}
		e.Steps = slices.Grow(e.Steps, max(1, more))
	}
	e.Steps = append(e.Steps, s)
}

// hide ends the effect of the merged item because rule r prefers another item, by.
func (e *MergedItem) hide(by source.Item, r *rules.Rule) {
	e.addStep(Step{Effect: effect.Hidden, Rule: r}.because(by))
	e.Live = nil
}

// manySteps is the length of a history that is likely to grow much longer.
const manySteps = 8

// Address is how people name a top-level merged item: aws_instance.web, var.region,
// provider.aws.west, terraform.
func (e *MergedItem) Address() string { return address(e.Rule, e.Key) }

// An index finds merged items by hashes of their keys: a map by the keys themselves takes three times the memory.
type index struct {
	items     map[uint64]*MergedItem
	colliding map[Key]*MergedItem // items whose hash another item has, too; nil if there are none
}

var keySeed = maphash.MakeSeed()

// add notes an item. If another one already has the hash of its key, it goes to colliding.
func (x *index) add(e *MergedItem) {
	hash := maphash.Comparable(keySeed, e.Key)
	if other := x.items[hash]; other == nil || other.Key == e.Key {
		x.items[hash] = e
		return
	}
	if x.colliding == nil {
		x.colliding = map[Key]*MergedItem{}
	}
	x.colliding[e.Key] = e
}

// find returns the item of a key, or nil.
func (x *index) find(k Key) *MergedItem {
	if e := x.items[maphash.Comparable(keySeed, k)]; e == nil || e.Key == k {
		return e
	}
	return x.colliding[k]
}

// losses tells which item superseded which other one in a body and in the blocks in it.
type losses struct {
	supersededBy map[source.Item]source.Item // what each item gave way to
	lost         []source.Item               // those items, in order
	hidden       []hiddenItem                // in order; losses() also sorts them into byLoss
	byLoss       map[lossKey][]hiddenItem    // the hidden items, by what finally won over them
}

// A hiddenItem is an item that something else took precedence over.
type hiddenItem struct {
	item  source.Item
	owner *MergedItem
}

// A lossKey identifies the winners that items gave way to: the items of one name in one block, which win together.
type lossKey struct {
	to   origin
	name string
}

// printPlaces holds where the merged items of a body are printed and reported, and the items by their names.
type printPlaces struct {
	escaping, plain   *source.Block                   // the escaping block, and the first other part
	bySyntax          map[source.Syntax]*source.Block // the first plain part in each syntax
	printed, reported map[*source.Block][]*MergedItem // items by the block in which they are printed, or reported
	named             map[string][]*MergedItem        // items by their names
}

// A space keeps apart equal names of different kinds: count as a meta-argument, and as an argument of the provider.
type space int

// The spaces of names inside a block.
const (
	metaSpace space = iota // names that the language gives a meaning there
	Body                   // other names; in an escaping block, all
)

// A Key is what items must have in common to address each other inside one body.
type Key struct {
	Space space
	Name  string
	ID    string // labels and alias, where the rule keeps items apart by them
}

// address returns the address that people read for the declaration with key k and rule r: aws_instance.web,
// var.region, terraform, local.a. It joins the rule's prefix (such as var), sometimes the name, and the ID (labels
// and alias).
func address(r *rules.Rule, k Key) string {
	parts := append([]string{}, r.Prefix...)
	switch {
	case r.Path == "*": // x, a type that the language doesn't know
		parts = append(parts, k.Name)
	case r.Match == rules.ByPosition: // moved: all share the prefix, and the ID is only a position
		return spelling.JoinPath(parts...)
	case k.ID != "": // var.region: the ID follows the prefix
	case len(parts) == 0: // locals, without prefix and ID
		parts = append(parts, k.Name)
	case r.Path != k.Name: // local.a: the name of a local value follows the prefix; the path is locals/*
		parts = append(parts, k.Name)
	}
	return spelling.ConcatPaths(spelling.JoinPath(parts...), k.ID)
}

// keyOf returns the key by which an item addresses a merged item in a body of a kind, and the rule for it. In an
// escaping block (escaped), and for a dynamic block, the name belongs to the provider, even if the language has the
// same one.
func keyOf(kind *rules.Kind, it source.Item, escaped bool) (Key, *rules.Rule) {
	key := Key{Space: Body, Name: it.Called()}
	if !escaped && isInLanguage(kind, it) {
		key.Space = metaSpace
	}
	rule := ruleOf(kind, key)
	key.ID = rule.Match.ID(it)
	return key, rule
}

// ruleOf returns the rule for the items of a key in a body of a kind. Names in space Body are the provider's, even if
// they are spelt like one of the language.
func ruleOf(kind *rules.Kind, k Key) *rules.Rule { return kind.Names.Find(k.Name, k.Space == Body) }

// isInLanguage reports whether the language gives an item of this name and form, argument or block, a meaning in
// bodies of a kind. If the language has no description of such bodies, which only override files may contain, the
// table of rules decides.
func isInLanguage(kind *rules.Kind, it source.Item) bool {
	name := it.Called()
	if kind.Shape == nil {
		return kind.Names.Own(name) != nil
	}
	if b, ok := it.(*source.Block); ok {
		_, known := kind.Shape.Block(b.Type)
		isDynamic := b.Type != name // dynamic "disk" is called disk: it makes blocks of the provider
		return known && !isDynamic
	}
	_, known := kind.Shape.Arg(name)          // true for any name if authors choose the names, as in locals
	areNamesChosen := kind.Shape.Names != nil // then the language gives none a meaning of its own
	return known && !areNamesChosen
}

// What histories are made of.

// A Step records what one source item did, and by which rule.
type Step struct {
	Item   source.Item // nil: what happened was caused by the absence, or by the presence, of something else
	Effect effect.Kind
	Rule   *rules.Rule
	cause  *cause // nil unless another item caused the step, or the step computed a text
}

// A cause is what caused a step other than its own item. It is kept apart because most steps have none.
type cause struct {
	by    source.Item
	value *computed.Literal // the text that the step computed, or nil
}

// By returns what caused the step: its own item, or another one, such as a sibling or a later block.
func (s *Step) By() source.Item {
	if s.cause != nil {
		return s.cause.by
	}
	return s.Item
}

// Value returns the computed text that is in effect from the step on; nil if the step computed none.
func (s *Step) Value() *computed.Literal {
	if s.cause == nil {
		return nil
	}
	return s.cause.value
}

// because returns the step with the item that caused it, unless that is the step's own item.
func (s Step) because(by source.Item) Step {
	if by != s.Item {
		s.cause = &cause{by: by}
	}
	return s
}

// Why describes in a sentence the effect of the deciding rule on the item.
func (o Outcome) Why() string {
	why, _ := o.why()
	return why
}

// Sentence returns Why, followed by the releases that the rule holds for if not all behave so, unless Why names them.
func (o Outcome) Sentence() string {
	why, isScoped := o.why()
	if isScoped {
		return why
	}
	return o.Rule.Scoped(why)
}

// IsPlain reports whether Sentence states nothing but that another item replaced this one.
func (o Outcome) IsPlain() bool { return rules.IsPlain(o.Sentence()) }

// why returns a sentence that explains the outcome: mostly the rule's own, unless the rule gave way to something. If
// isScoped is set, the sentence is complete, because it names the releases or holds for all. Otherwise it holds for
// the releases of the rule.
func (o Outcome) why() (text string, isScoped bool) {
	a, isAttr := o.Item.(*source.Attr)
	switch {
	case o.Status == effect.StatusUndecided && isAttr && a.IsVoid():
		return "In JSON, null or [] for a nested block means no block, and replaces none; for an argument it replaces all.", true
	case o.Status == effect.StatusNoEffect && isAttr && a.IsVoid():
		return "In JSON, null or [] for a nested block means no block, and replaces none.", true
	case o.Status == effect.StatusNoEffect && !isAttr && o.Rule.OmitEmpty: // an added block without any effective item
		return "Nothing in it has an effect.", true
	case o.Status == effect.StatusNoEffect && o.Rule.Kept != "" && o.By != nil: // the earlier value, o.By, stays
		return o.Rule.Kept, false
	case o.Status == effect.StatusNoEffect && o.Rule.IsIgnoring():
		return o.Rule.Ignores(o.Item.Source().Engine), true
	case o.Status == effect.StatusHidden && o.Rule.Wins != "":
		return o.Rule.Wins, false
	case !isAttr && o.Rule.WhyBlock != "":
		return o.Rule.WhyBlock, false
	}
	return o.Rule.Why, false
}

// Outcomes returns what became of each source item of a merged one, in the order in
// which they were applied.
func (e *MergedItem) Outcomes() []Outcome { return e.allOutcomes().list }

// fewSteps is the number of steps up to which outcomes are computed each time: most items have no
// more, and caching theirs would take as much memory as the items.
const fewSteps = 4

// allOutcomes computes the outcomes of an item. It caches those of a long history.
func (e *MergedItem) allOutcomes() *outcomes {
	if kept := e.cache.Load(); kept != nil {
		if known := kept.outcomes.Load(); known != nil && known.steps == len(e.Steps) {
			return known
		}
	}
	ended := enders(e.Steps) // by the index of a step: what ended its effect
	known := &outcomes{steps: len(e.Steps), list: make([]Outcome, 0, len(e.Steps))}
	for i, s := range e.Steps {
		if s.Item != nil {
			known.list = append(known.list, e.outcome(s, ended[i]))
		}
	}
	if len(e.Steps) > fewSteps {
		e.ensureCache().outcomes.Store(known)
	}
	return known
}

// outcome returns what became of the item of step s, and what decided that: the step itself, or ender, the later
// step that ended its effect. ender is nil if there is none.
func (e *MergedItem) outcome(s Step, ender *Step) Outcome {
	o := Outcome{Item: s.Item, Effect: s.Effect, Rule: s.Rule}
	if by := s.By(); by != s.Item { // o.By stays nil if nothing but the item decided
		o.By = by
	}
	if lost := s.Effect.Lost(); lost != "" { // it never took effect
		o.Status = lost
		return o
	}
	switch isLive := e.Has(s.Item); {
	case isLive && e.Inner() != nil:
		o.Status = effect.StatusMerged
	case isLive && s.Rule.TofuOnly && !s.Item.Source().Tofu: // it is printed, although OpenTofu ignores it
		o.Status = effect.StatusNoEffect
	case isLive:
		o.Status = effect.StatusEffective
	case ender != nil:
		o.Status, o.By, o.Rule = ender.Effect.Ends(), ender.By(), ender.Rule
	case e.InEffect() && e.Inner() != nil: // an override block merged into those in e.Live
		o.Status = effect.StatusMerged
	default: // such as an argument that was already set outside an escaping block
		o.Status = effect.StatusNoEffect
		if e.InEffect() {
			o.By = e.Live[0]
		}
	}
	return o
}

// enders returns, for each step, the later step that ended the effect of its item, or nil. Items from one
// block don't replace each other, so a step looks for a replacement from another block. For a main block with one
// disk, an override with two and another override with one, the steps and the indexes of their enders are:
//
//	0 Defined   1   the override replaced it
//	1 Replaced  3   step 2 is from the same block
//	2 Replaced  3
//	3 Replaced  nil
func enders(steps []Step) []*Step {
	list := make([]*Step, len(steps))
	// The steps are read backwards. These are indexes of steps after step i; none, which is larger than all
	// indexes, if there is no such step.
	none := len(steps)
	nextClearing := none   // the next step that hides or removes everything earlier
	nextReplacing := none  // the next step that replaces
	replacingAfter := none // after nextReplacing, the first replacing step that is from another block
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		ender := nextReplacing
		switch {
		case s.Effect == effect.Extended: // only what clears the item ends a merged block
			ender = none
		case s.Item != nil && nextReplacing < none && ShareOrigin(s.Item, steps[nextReplacing].Item):
			ender = replacingAfter
		}
		if ender = min(ender, nextClearing); ender < none { // the earlier of the two
			list[i] = &steps[ender]
		}
		switch s.Effect { // what the step does to earlier ones
		case effect.Hidden, effect.Cleared:
			nextClearing = i
		case effect.Replaced, effect.Added:
			if nextReplacing < none && !ShareOrigin(s.Item, steps[nextReplacing].Item) {
				replacingAfter = nextReplacing
			}
			nextReplacing = i
		}
	}
	return list
}

// Before returns the items in effect before the item of outcome i, an index of Outcomes. It lists only those that the
// last override block before it put into effect or, if there was none, those of all primary files.
func (e *MergedItem) Before(i int) []source.Item {
	known := e.allOutcomes()
	list := known.before.Load()
	if list == nil {
		list = new(before(known.list))
		known.before.Store(list)
	}
	return (*list)[i]
}

// before lists, for each outcome, the items in effect before it: those of the last layer that put any into effect.
// A layer is all primary files together, or one block of an override file.
func before(outcomes []Outcome) [][]source.Item {
	list := make([][]source.Item, len(outcomes))
	groups := make(map[origin][]source.Item, len(outcomes)) // what each layer has put into effect so far
	var last []source.Item                                  // the group that was extended last
	for i, o := range outcomes {
		list[i] = last[:len(last):len(last)] // a caller's append must not write to the group
		putsInEffect := o.Effect == effect.Defined || o.Effect == effect.Added || o.Effect == effect.Replaced
		if !putsInEffect || o.Status == effect.StatusNoEffect {
			continue
		}
		var layer origin // empty for all items of primary files
		if source.IsOverride(o.Item) {
			layer = originOf(o.Item)
		}
		groups[layer] = append(groups[layer], o.Item)
		last = groups[layer]
	}
	return list
}

// Losers lists the items that a later one replaced, in order. It leaves out winner, the item that a caller compares
// with them, which may itself have been replaced later.
func (e *MergedItem) Losers(winner source.Item) (list []source.Item) {
	for _, o := range e.Outcomes() {
		if o.Status == effect.StatusReplaced && o.Item != winner {
			list = append(list, o.Item)
		}
	}
	return list
}

// Layers groups the Losers by layer, in order: those of all primary files, then those of each override block.
func (e *MergedItem) Layers(winner source.Item) (layers [][]source.Item) {
	for _, it := range e.Losers(winner) {
		if n := len(layers); n > 0 && ShareLayer(layers[n-1][0], it) {
			layers[n-1] = append(layers[n-1], it)
		} else {
			layers = append(layers, []source.Item{it})
		}
	}
	return layers
}

// IsReportedByItems reports whether the effects of a block are reported by the items in it: if it
// has items, and each of them is judged separately. A block that is ignored as a whole is reported
// itself, whatever it addresses.
func (e *MergedItem) IsReportedByItems(it source.Item) bool {
	b, ok := it.(*source.Block)
	return ok && e.Inner() != nil && e.Rule.Do != rules.Drop && len(b.Items()) > 0
}

// IsOverridden reports whether an override file addressed the merged item itself, not only items in it, even
// without effect.
func (e *MergedItem) IsOverridden() bool {
	isOverride := func(it source.Item) bool { return it != nil && it.Source().Role == source.Override }
	// Overrides come last, and there may be thousands of primary blocks before them.
	for _, s := range slices.Backward(e.Steps) {
		if isOverride(s.Item) || isOverride(s.By()) {
			return true
		}
	}
	return false
}

// Computed returns the step that computed the effective text, because no file contains it; nil if a file does.
func (e *MergedItem) Computed() *Step {
	if e.Value == nil {
		return nil
	}
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Effect == effect.Converted {
			return s
		}
	}
	return nil
}

// Words returns the status of the item in the words that people read, such as "superseded".
func (o Outcome) Words() string {
	ofBlock := o.Effect.OfBlock()
	switch {
	case o.Status == effect.StatusMerged && ofBlock != "": // a block whose items are judged one by one: "added"
		return ofBlock
	case o.Status == effect.StatusHidden && o.Rule.Wins == "": // not outranked, but displaced, as cloud by a backend
		return effect.StatusReplaced.Words()
	case o.Status == effect.StatusReplaced && source.IsOverride(o.Item): // an override, which a later one replaced
		return "superseded"
	}
	return o.Status.Words()
}

// An origin identifies the block that items come from. An item of the top level is an origin of its own.
type origin struct {
	block *source.Block
	alone source.Item
}

// originOf returns the origin of an item: the block that it is in. For an item in an escaping block, that is the
// block around the escaping one; a top-level item is its own origin.
func originOf(it source.Item) origin {
	if b := Holder(it); b != nil {
		return origin{block: b}
	}
	return origin{alone: it}
}

// ShareOrigin reports whether two items of one history are from one block, such as two ingress blocks in one resource
// block of an override file. Such items take effect side by side: neither replaced the other.
func ShareOrigin(a, b source.Item) bool { return originOf(a) == originOf(b) }

// ShareLayer reports whether two items are of one layer: both of primary files, or of one block of an
// override file.
func ShareLayer(a, b source.Item) bool {
	return source.IsOverride(a) == source.IsOverride(b) && (!source.IsOverride(a) || ShareOrigin(a, b))
}

// Holder returns the block that an item is in, which is never an escaping block; nil at the top level.
func Holder(it source.Item) *source.Block {
	b := it.Within()
	for b != nil && b.Type == source.EscapeBlock {
		b = b.Within()
	}
	return b
}

// isEscaped reports whether an item is in an escaping block.
func isEscaped(it source.Item) bool {
	in := it.Within()
	return in != nil && in.Type == source.EscapeBlock
}

// What primary files declare and no override addresses has no merged items, since there may be very
// much of it: the arguments of a body are its untouched items, and top-level blocks stay in their
// files, except for those that may be declared twice.

// fewItems is how many items of a body are looked through one by one. There are as many bodies as
// blocks that overrides address, and a map takes ten times the room of a short list.
const fewItems = 24

// untouchedItems holds the items of a body that only primary files set. The merge takes out those that
// overrides address; afterwards nothing changes.
type untouchedItems struct {
	few  []source.Item
	many map[Key]source.Item // instead, once there are more
}

// count returns how many items there are.
func (u *untouchedItems) count() int { return len(u.few) + len(u.many) }

// grow reserves memory for n more items, unless a map holds them.
func (u *untouchedItems) grow(n int) {
	if u.many == nil {
		u.few = slices.Grow(u.few, min(n, fewItems))
	}
}

// add adds an item under its key, which no other one has. kind is that of the body.
func (u *untouchedItems) add(kind *rules.Kind, key Key, it source.Item) {
	switch {
	case u.many != nil:
		u.many[key] = it
	case len(u.few) < fewItems:
		u.few = append(u.few, it)
	default:
		u.many = make(map[Key]source.Item, 2*fewItems)
		u.many[key] = it
		for _, it := range u.few {
			key, _ := keyOf(kind, it, isEscaped(it))
			u.many[key] = it
		}
		u.few = nil
	}
}

// find returns the item of a key, or nil. kind is that of the body.
func (u *untouchedItems) find(kind *rules.Kind, key Key) source.Item {
	for _, it := range u.few {
		if it.Called() == key.Name {
			if k, _ := keyOf(kind, it, isEscaped(it)); k == key {
				return it
			}
		}
	}
	return u.many[key]
}

// has reports whether an item is untouched. kind is that of the body.
func (u *untouchedItems) has(kind *rules.Kind, it source.Item) bool {
	if u.many == nil {
		return slices.Contains(u.few, it)
	}
	key, _ := keyOf(kind, it, isEscaped(it))
	return u.many[key] == it
}

// drop takes out an item, which must be there under the key.
func (u *untouchedItems) drop(key Key, it source.Item) {
	if u.many != nil {
		delete(u.many, key)
		return
	}
	i := slices.Index(u.few, it)
	u.few = slices.Delete(u.few, i, i+1)
}

// inLoadOrder lists the items by the name of their file, and then by position.
func (u *untouchedItems) inLoadOrder() []source.Item {
	items := slices.AppendSeq(slices.Clone(u.few), maps.Values(u.many))
	slices.SortFunc(items, func(a, b source.Item) int {
		return cmp.Or(strings.Compare(a.Source().Name, b.Source().Name), source.StartByte(a)-source.StartByte(b))
	})
	return items
}

// A declaration is a top-level block of a primary file that no override addresses, by its index in the file.
type declaration struct {
	file  *source.File
	index int32
}

// suspects are declarations that may declare the same as another one. Their blocks have merged items.
type suspects map[declaration]bool

// has reports whether block i of a file is a suspect.
func (s suspects) has(f *source.File, i int) bool {
	return len(s) > 0 && s[declaration{f, int32(i)}]
}

// A Part is a block or an argument to be written to a new file that is made of parts of others.
type Part struct {
	Item source.Item
	// Entry is the merged item whose effective value is written; nil for the item as its file wrote it.
	Entry *MergedItem
	// Void, if set, is written as the value.
	Void string
	// IsEscaped is set if the part belongs in an escaping block.
	IsEscaped bool
	// IsPartial is set if of a block only the parts in Held are written.
	IsPartial bool
	Held      []*Part
	// HasLead and HasTail are set if the comments above the item, and those behind it, are copied.
	HasLead, HasTail bool
}
