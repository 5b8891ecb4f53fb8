package merge

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A merger is the state of one merge. Its definer adds the primary files; its own methods then apply the override
// files, one after the other.
type merger struct {
	src *load.Module
	*definer
	firstOnce map[*rules.Rule]source.Item // the first item of a rule with Once in the override file at hand
	hasEffect bool                        // an override of that file takes effect
	deferred  []func()                    // applied after the rest of that file

	renewals    map[renewalKey]*renewal
	spareGroups [][]group // memory for groups, to be used again

	vars  map[*MergedItem]*computed.Variable // variables that overrides change
	work  limits.Budget                      // of the conversions of vars
	added map[*source.Block]bool             // blocks that overrides added
	order int32                              // see nextOrder
	hints int                                // how many missing names similar ones were looked for; see maxHints
	// similar caches the candidates for misspelt names.
	similar map[candidatesKey]candidateSet
	// unwritten holds the ranges of diagnostics that have no counterpart in the native text of a
	// JSON file.
	unwritten      map[*hcl.Diagnostic]hcl.Range
	ambiguities    ambiguities
	untried        []untriedRemedy       // whose remedies are tried when all files are merged
	effectiveFiles map[*source.File]bool // see Module
	// hasBrokenPrimary is set if a primary file couldn't be parsed: declarations that seem to be missing
	// may be in there.
	hasBrokenPrimary bool
}

// newMerger returns a merger for a module, by the rules of the module's engine.
func newMerger(src *load.Module) *merger {
	own := newDefiner(rules.NewSet(src.Engine))
	own.intendedNames = intendedNames(src)
	return &merger{
		src:            src,
		definer:        own,
		vars:           map[*MergedItem]*computed.Variable{},
		work:           limits.FreeBudget,
		added:          map[*source.Block]bool{},
		firstOnce:      map[*rules.Rule]source.Item{},
		renewals:       map[renewalKey]*renewal{},
		effectiveFiles: map[*source.File]bool{},
		similar:        map[candidatesKey]candidateSet{},

		unwritten:   map[*hcl.Diagnostic]hcl.Range{},
		ambiguities: ambiguities{},
	}
}

// intendedNames finds primary files that are meant to be override files, but misnamed: their name resembles such a
// name, and other primary files declare everything that they declare. It maps their names to the intended ones.
func intendedNames(src *load.Module) map[string]string {
	names := map[string]string{}
	for _, e := range src.Names {
		if e.Meant != "" {
			names[e.Name] = e.Meant
		}
	}
	if len(names) == 0 { // the usual case, in which no declarations need to be read
		return names
	}
	onlyFile := map[uint64]*source.File{} // by what is declared: the only file that declares it; nil if several do
	for _, f := range src.Files {
		note := func(declared uint64, _ int) {
			if first, known := onlyFile[declared]; known && first != f {
				onlyFile[declared] = nil
			} else {
				onlyFile[declared] = f
			}
		}
		if f.Role == source.Primary {
			for i := range f.Len() {
				note(f.Key(i), i) // of the block's type and labels
			}
			f.Names(note) // of names that blocks declare inside, such as local values
		}
	}
	for _, f := range onlyFile {
		if f != nil { // it alone declares something, so it isn't meant to override
			delete(names, f.Name)
		}
	}
	return names
}

// nextOrder returns the next number for MergedItem.Order.
func (m *merger) nextOrder() int32 {
	m.order++
	return m.order
}

// A renewal tracks the items in effect of a name whose rule is rules.Renew, such as required_version: each override
// file replaces the items of earlier files, and may hold several itself.
type renewal struct {
	file         *source.File  // the override file that renewed the items last; nil before the first
	fromEarlier  []*MergedItem // items of files before it, which its first item is going to replace; then empty
	fromThisFile []*MergedItem // its own items in effect, which the next file is going to replace
}

// A renewalKey identifies a name in a body.
type renewalKey struct {
	content *MergedBody
	name    string
}

// A remedy is a sentence that advises what to do with an item. If it advises to move the item, target is the
// block of a primary file to move it to; otherwise target is nil.
type remedy struct {
	text   string
	it     source.Item
	rule   *rules.Rule
	target *source.Block
	path   []*source.Block // the blocks around the item there, below target
}

// An untriedRemedy is a diagnostic that advises to move an item. tryRemedies finds out whether that works.
type untriedRemedy struct {
	*hcl.Diagnostic
	remedy
}

// A candidatesKey identifies the declarations of a rule in a body.
type candidatesKey struct {
	in   *MergedBody
	rule *rules.Rule
}

// A candidateSet holds the declarations that a misspelt name may mean, by their addresses, and these addresses in
// order.
type candidateSet struct {
	items map[string]source.Item
	names []string
}

// A group is the items of one override block that address one merged item.
type group struct {
	key   Key
	rule  *rules.Rule
	items []source.Item
}

// A groupBuilder makes the groups of one override block.
type groupBuilder struct {
	c      *MergedBody   // that the items address
	groups []group       // in the order of their first items
	byKey  map[Key]int   // indices of those with the action Replace, which further items join; nil while there are few
	inside []source.Item // of escaping blocks
}

// fewGroups is how many groups are looked through one by one.
const fewGroups = 8

// addItems adds each item to the group of what it addresses. Of an escaping block, as in _ { count = 1 }, it also
// gathers the items in g.inside. The caller passes these to a second call with escaped set, because their names are
// the provider's and not the language's. Groups share the memory of items, so nobody may change items.
func (g *groupBuilder) addItems(items []source.Item, escaped bool) {
	for i, it := range items {
		key, rule := g.c.key(it, escaped)
		if existing := g.groupFor(key, rule); existing != nil {
			existing.items = append(existing.items, it)
			continue
		}
		// The capacity is limited so that append doesn't overwrite the next group's items.
		g.groups = append(g.groups, group{key: key, rule: rule, items: items[i : i+1 : i+1]})
		if g.byKey != nil && rule.Do == rules.Replace { // an item with any other action has its group to itself
			g.byKey[key] = len(g.groups) - 1
		}
		if b, ok := it.(*source.Block); ok && rule.Do == rules.Flatten { // an escaping block
			g.inside = append(g.inside, b.Items()...)
		}
	}
}

// groupFor returns the existing group that an item with the key joins, or nil if the item starts a group. Only
// items that replace others share groups. Beyond fewGroups it finds them by a map.
func (g *groupBuilder) groupFor(key Key, rule *rules.Rule) *group {
	if rule.Do != rules.Replace {
		return nil
	}
	if g.byKey == nil && len(g.groups) > fewGroups {
		g.byKey = make(map[Key]int, cap(g.groups))
		for i, other := range g.groups {
			if other.rule.Do == rules.Replace {
				g.byKey[other.key] = i
			}
		}
	}
	if g.byKey != nil { // there are many groups
		if i, ok := g.byKey[key]; ok {
			return &g.groups[i]
		}
		return nil
	}
	for i := range g.groups {
		if other := &g.groups[i]; other.key == key && other.rule.Do == rules.Replace {
			return other
		}
	}
	return nil
}

// lossKeyOf returns the key under which the items that gave way to winner are grouped. It is the same for all items
// of one name in one block, because they win together.
func lossKeyOf(winner source.Item) lossKey { return lossKey{originOf(winner), winner.Called()} }

// LostTo reports whether the item of outcome o finally gave way to winner, directly or through items that gave way
// in turn. Items of one name in one block win together, so any of them may be passed as winner. Call it after the
// merge.
func (c *MergedBody) LostTo(o Outcome, winner source.Item) bool {
	if o.Status != effect.StatusReplaced && o.Status != effect.StatusHidden {
		return false
	}
	w := c.losses().supersededBy[o.Item] // the last of the chain: losses has followed it
	return w != nil && lossKeyOf(w) == lossKeyOf(winner)
}

// EachHidden visits the items that have no effect because a rule prefers winner: those of other merged items, in
// the body and in the blocks in it. For count, these may be for_each and lifecycle.enabled.
func (c *MergedBody) EachHidden(winner *MergedItem, visit func(source.Item)) {
	for _, o := range c.losses().byLoss[lossKeyOf(winner.Live[0])] {
		if o.owner != winner {
			visit(o.item)
		}
	}
}

// losses returns which items of the body, and of the blocks in it, gave way to which others. The first call computes
// and caches that.
func (c *MergedBody) losses() *losses {
	if l := c.ensureCache().losses.Load(); l != nil {
		return l
	}
	l := &losses{supersededBy: map[source.Item]source.Item{}, byLoss: map[lossKey][]hiddenItem{}}
	l.addBody(c)
	// Group the hidden items, those that lost to another name, by what finally won over them.
	for _, o := range l.hidden {
		if w := l.winnerOf(o.item); w != nil {
			l.byLoss[lossKeyOf(w)] = append(l.byLoss[lossKeyOf(w)], o)
		}
	}
	// Link all lost items directly to their winners, which winnerOf does: LostTo looks only one step ahead.
	for _, it := range l.lost {
		l.winnerOf(it)
	}
	c.ensureCache().losses.Store(l)
	return l
}

// addBody notes the items of a body, and of the blocks in it, that gave way to another one. A block with a body of
// its own, such as lifecycle, is hidden only when its items are, and so l.hidden lists these instead.
func (l *losses) addBody(c *MergedBody) {
	for _, e := range c.Items {
		for _, o := range e.Outcomes() {
			if o.By == nil || o.Status != effect.StatusReplaced && o.Status != effect.StatusHidden {
				continue
			}
			l.supersededBy[o.Item] = o.By
			l.lost = append(l.lost, o.Item)
			if o.Status == effect.StatusHidden && e.Inner() == nil {
				l.hidden = append(l.hidden, hiddenItem{o.Item, e})
			}
		}
		if e.Inner() != nil {
			l.addBody(e.Inner())
		}
	}
}

// winnerOf returns the item that finally superseded another one, or nil. It links every item on the way directly to
// it, so that long chains stay cheap.
func (l *losses) winnerOf(it source.Item) source.Item {
	winner := l.supersededBy[it]
	// The number of steps is limited in case of a circle.
	for steps := 0; winner != nil && l.supersededBy[winner] != nil && steps <= len(l.supersededBy); steps++ {
		winner = l.supersededBy[winner]
	}
	// The second walk links each item on the way to the winner.
	for next := l.supersededBy[it]; next != nil && next != winner; {
		l.supersededBy[it] = winner
		it, next = next, l.supersededBy[next]
	}
	return winner
}

// renew applies a group whose rule is rules.Renew: each override file replaces the items of earlier files. The file's
// first item takes the place of the first earlier one, and the other earlier ones are hidden. Then there are no
// earlier ones left, so that further items of the file are added.
func (m *merger) renew(c *MergedBody, g *group, inAddition bool) {
	by := g.items[0]
	r := m.renewal(c, g.key.Name)
	if r.file != by.Source() { // a new file: the items of the last one are earlier ones now
		r.file, r.fromEarlier, r.fromThisFile = by.Source(), append(r.fromEarlier, r.fromThisFile...), nil
	}
	if len(r.fromEarlier) == 0 { // a further item of the file, or nothing to replace: it is added
		m.replace(c, g, inAddition)
		if e := c.claim(g.key); e != nil && e.InEffect() {
			r.fromThisFile = append(r.fromThisFile, e)
		}
		return
	}
	// The file's first item: it takes the place of all items of earlier files.
	m.putInEffect(r.fromEarlier[0], g, inAddition)
	for _, e := range r.fromEarlier[1:] {
		e.hide(by, g.rule)
	}
	r.fromEarlier, r.fromThisFile = nil, append(r.fromThisFile, r.fromEarlier[0])
}

// renewal returns which items of a name in a body a later override file replaces. On the first call, these are all
// items in effect.
func (m *merger) renewal(c *MergedBody, name string) *renewal {
	r := m.renewals[renewalKey{c, name}]
	if r == nil {
		r = &renewal{}
		for _, e := range c.Items {
			if e.Key.Name == name && e.InEffect() {
				r.fromEarlier = append(r.fromEarlier, e)
			}
		}
		m.renewals[renewalKey{c, name}] = r
	}
	return r
}

// The type and the default of a variable, which are more than the arguments of the last
// block: package computed knows what engines make of them.

// variable returns the state of a variable's type and default to which override blocks are applied. It starts with
// the first primary block.
func (m *merger) variable(item *MergedItem) *computed.Variable {
	v := m.vars[item]
	if v == nil {
		v = computed.NewVariable(item.Inner().Parts[0].Attr, item.Address())
		m.vars[item] = v
	}
	return v
}

// Variable returns what an engine makes of the type and the default of a variable that a primary file declares.
func (m *Module) Variable(item *MergedItem) *computed.Variable {
	if known := m.vars[item]; known != nil {
		return known
	}
	return computed.NewVariable(func(name string) *source.Attr { return item.Inner().Item(Key{Name: name}).Attr() }, item.Address())
}

// checkVariable applies override block b to a variable's type and default, and reports why the engine refuses
// that.
func checkVariable(m *merger, item *MergedItem, b *source.Block) {
	m.report(m.variable(item).Apply(b, &m.work)...)
}

// finishVariable decides how to print the type and the default of a variable: as written, or as computed
// text.
func finishVariable(m *merger, item *MergedItem) {
	v := m.vars[item]
	if v == nil || !v.IsFit() {
		return // there are errors, and nothing will be printed
	}
	typ := item.Inner().claimNamed("type")
	var def *MergedItem      // the default; nil without one
	var inEffect source.Item // the argument that sets it
	if v.HasDefault() {
		def = item.Inner().claimNamed("default")
		inEffect = def.Live[0]
	}
	r := v.Finish(inEffect)
	if r.Type != nil { // the type as written won't do
		typ.convert(r.Type)
	}
	if r.Default != nil {
		def.convert(r.Default)
	}
	m.report(r.Diags...)
}

// convert makes computed text the value of an argument, and notes that in the history.
func (item *MergedItem) convert(text *computed.VariableText) {
	item.Value = text.Literal
	item.addStep(Step{Effect: effect.Converted, Rule: item.Rule, cause: &cause{by: text.By, value: item.Value}})
}

// hideOutranked hides the items in e that another one in effect there outranks, such as count beside for_each. e is
// a top-level item with a merged body.
func (m *definer) hideOutranked(e *MergedItem) {
	inner := e.inner.Load()
	for _, r := range m.rules.Ranked[e.Path] {
		winner := inner.lookup(r.Path[len(e.Path)+1:]) // the path without resource/, for example
		if winner == nil || !winner.InEffect() {
			continue
		}
		for _, path := range r.Outranks {
			loser := inner.lookup(path)
			if loser == nil || !loser.InEffect() {
				continue
			}
			// In one block, the engine itself refuses the two, so only those of different blocks get a warning.
			if source.Top(winner.Live[0]) != source.Top(loser.Live[0]) {
				m.report(outranked(e, winner, loser))
			}
			loser.hide(winner.Live[0], r)
			// A block means nothing any more when all that it held has lost.
			around := inner.lookup(rules.Parent(path))
			isOmittable := around != nil && around.Rule.OmitEmpty && around.InEffect()
			if isOmittable && !around.inner.Load().anyInEffect() {
				around.hide(winner.Live[0], r)
			}
		}
	}
}

// Reapply warns of variables that would change if the override files stayed after they were merged into the primary
// files: engines check the default after each override block, by the type in effect then, so a second application
// can give another result.
func (m *Module) Reapply() (diags hcl.Diagnostics) {
	for _, item := range m.Root.Items {
		if final := m.vars[item]; final != nil {
			diags = append(diags, final.Again(item.extensions(), item.Live[0])...)
		}
	}
	m.Source.PlaceOnDisk(diags) // point them to the files on disk; JSON files were judged by their native text
	return diags
}

// extensions lists the override blocks that were merged into the item, in order.
func (item *MergedItem) extensions() (list []*source.Block) {
	for _, s := range item.Steps {
		if b, ok := s.Item.(*source.Block); ok && s.Effect == effect.Extended {
			list = append(list, b)
		}
	}
	return list
}
