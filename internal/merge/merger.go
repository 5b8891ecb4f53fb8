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

// A merger is the state of one merge.
type merger struct {
	src *load.Module
	*definer
	once      map[*rules.Rule]source.Item // the first item of a rule with Once in the override file at hand
	hasEffect bool                        // an override of that file takes effect
	deferred  []func()                    // applied after the rest of that file

	renewals    map[renewalKey]*renewal
	spareGroups [][]group // memory for groups, to be used again

	vars  map[*MergedItem]*computed.Variable
	work  limits.Budget // of the conversions of vars
	added map[*source.Block]bool
	order int32
	hints int // how many missing names similar ones were looked for; see maxHints
	// similar caches the candidates for misspelt names.
	similar map[candidatesKey]candidateSet
	// unwritten holds the ranges of diagnostics that have no counterpart in the native text of a
	// JSON file.
	unwritten      map[*hcl.Diagnostic]hcl.Range
	doubts         ambiguities
	advised        []untriedRemedy       // whose remedies are tried when all files are merged
	effectiveFiles map[*source.File]bool // see Module
	// partial is set if some primary file is broken, so that seemingly missing declarations may
	// exist.
	partial bool
}

// newMerger returns a merger for a module, by the rules of the module's engine.
func newMerger(src *load.Module) *merger {
	own := newDefiner(rules.NewSet(src.Engine))
	own.meant = meantNames(src)
	return &merger{
		src:            src,
		definer:        own,
		vars:           map[*MergedItem]*computed.Variable{},
		work:           limits.FreeBudget,
		added:          map[*source.Block]bool{},
		once:           map[*rules.Rule]source.Item{},
		renewals:       map[renewalKey]*renewal{},
		effectiveFiles: map[*source.File]bool{},
		similar:        map[candidatesKey]candidateSet{},

		unwritten: map[*hcl.Diagnostic]hcl.Range{},
		doubts:    ambiguities{},
	}
}

// meantNames returns, by the names of files, what each would have to be called to be an override file. It
// lists a file only if its name resembles such a name and another primary file declares everything that it
// declares.
func meantNames(src *load.Module) map[string]string {
	names := map[string]string{}
	for _, e := range src.Names {
		if e.Meant != "" {
			names[e.Name] = e.Meant
		}
	}
	if len(names) == 0 {
		return names
	}
	only := map[uint64]*source.File{} // the file that declares something alone, or nil
	for _, f := range src.Files {
		note := func(key uint64, _ int) {
			if first, known := only[key]; known && first != f {
				only[key] = nil
			} else {
				only[key] = f
			}
		}
		if f.Role == source.Primary {
			for i := range f.Len() {
				note(f.Key(i), i)
			}
			f.Names(note)
		}
	}
	for _, f := range only {
		if f != nil {
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

// A renewal tracks the items in effect of a name whose rule is rules.Renew: each override file replaces those
// of earlier files, and adds its own ones.
type renewal struct {
	file         *source.File  // the override file at hand
	earlier, own []*MergedItem // from files before it, and from it
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

// A candidateSet holds items by their addresses, and the addresses in order.
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
	c      *MergedBody
	groups []group
	byKey  map[Key]int   // indices of those to which more items may come; nil while there are few
	inside []source.Item // of escaping blocks
}

// fewGroups is how many groups are looked through one by one.
const fewGroups = 8

// addItems adds items to the groups of what they address, and gathers the contents of escaping blocks in
// g.inside for a second call. escaped tells that the items come from there, so none has the name of a
// language item. Groups share the memory of items, which must not change.
func (g *groupBuilder) addItems(items []source.Item, escaped bool) {
	for i, it := range items {
		key, rule := g.c.key(it, escaped)
		if known := g.known(key, rule); known != nil {
			known.items = append(known.items, it)
			continue
		}
		// The capacity is limited so that append doesn't overwrite the next group's items.
		g.groups = append(g.groups, group{key: key, rule: rule, items: items[i : i+1 : i+1]})
		if g.byKey != nil && rule.Do == rules.Replace {
			g.byKey[key] = len(g.groups) - 1
		}
		if b, ok := it.(*source.Block); ok && rule.Do == rules.Flatten {
			g.inside = append(g.inside, b.Items()...)
		}
	}
}

// known returns the group that takes one more item with the key, or nil if the item starts a group. Only
// items that replace others share groups.
func (g *groupBuilder) known(key Key, rule *rules.Rule) *group {
	if rule.Do != rules.Replace {
		return nil
	}
	if g.byKey == nil && len(g.groups) > fewGroups {
		g.byKey = make(map[Key]int, cap(g.groups))
		for i, made := range g.groups {
			if made.rule.Do == rules.Replace {
				g.byKey[made.key] = i
			}
		}
	}
	if g.byKey != nil {
		if i, ok := g.byKey[key]; ok {
			return &g.groups[i]
		}
		return nil
	}
	for i := range g.groups {
		if made := &g.groups[i]; made.key == key && made.rule.Do == rules.Replace {
			return made
		}
	}
	return nil
}

// lossTo returns the key under which the items that gave way to winner are grouped. All items of one name
// in one block have the same key, because they win together.
func lossTo(winner source.Item) lossKey { return lossKey{originOf(winner), winner.Called()} }

// LostTo reports whether an item was superseded by another one, directly or through others. It must
// be called after all files are applied.
func (c *MergedBody) LostTo(o Outcome, winner source.Item) bool {
	if o.Status != effect.StatusReplaced && o.Status != effect.StatusHidden {
		return false
	}
	w := c.losses().by[o.Item]
	return w != nil && lossTo(w) == lossTo(winner)
}

// EachHidden visits the items of other merged items that have no effect because of a
// merged item, in the content or in the blocks that it holds.
func (c *MergedBody) EachHidden(winner *MergedItem, visit func(source.Item)) {
	for _, o := range c.losses().byLoss[lossTo(winner.Live[0])] {
		if o.owner != winner {
			visit(o.item)
		}
	}
}

// losses returns the losses of the body and of the blocks in it, computed on the first call.
func (c *MergedBody) losses() *losses {
	if end := c.answers().end.Load(); end != nil {
		return end
	}
	end := &losses{by: map[source.Item]source.Item{}, byLoss: map[lossKey][]hiddenItem{}}
	end.addBody(c)
	for _, o := range end.hidden {
		if w := end.winnerOf(o.item); w != nil {
			end.byLoss[lossTo(w)] = append(end.byLoss[lossTo(w)], o)
		}
	}
	for _, it := range end.lost {
		end.winnerOf(it)
	}
	c.answers().end.Store(end)
	return end
}

// addBody notes the superseded items of a body and of the blocks in it.
func (end *losses) addBody(c *MergedBody) {
	for _, e := range c.Items {
		for _, o := range e.Outcomes() {
			if o.By == nil || o.Status != effect.StatusReplaced && o.Status != effect.StatusHidden {
				continue
			}
			end.by[o.Item] = o.By
			end.lost = append(end.lost, o.Item)
			if o.Status == effect.StatusHidden && e.Inner() == nil {
				end.hidden = append(end.hidden, hiddenItem{o.Item, e})
			}
		}
		if e.Inner() != nil {
			end.addBody(e.Inner())
		}
	}
}

// winnerOf returns the item that finally superseded another one, or nil. It shortens the path to it for every
// item on the way, so that long chains stay cheap.
func (end *losses) winnerOf(it source.Item) source.Item {
	w := end.by[it]
	for steps := 0; w != nil && end.by[w] != nil && steps <= len(end.by); steps++ {
		w = end.by[w]
	}
	for next := end.by[it]; next != nil && next != w; it, next = next, end.by[next] {
		end.by[it] = w
	}
	return w
}

// renew applies a group whose rule is rules.Renew. The first item that earlier files hold takes the new
// value; their others are hidden. Once this file has done that, its further items are added.
func (m *merger) renew(c *MergedBody, g *group, fresh bool) {
	by := g.items[0]
	r := m.renewal(c, g.key.Name)
	if r.file != by.Source() {
		r.file, r.earlier, r.own = by.Source(), append(r.earlier, r.own...), nil
	}
	if len(r.earlier) == 0 {
		m.replace(c, g, fresh)
		if e := c.claim(g.key); e != nil && e.InEffect() {
			r.own = append(r.own, e)
		}
		return
	}
	m.put(r.earlier[0], g, fresh)
	for _, e := range r.earlier[1:] {
		e.hide(by, g.rule)
	}
	r.earlier, r.own = nil, append(r.own, r.earlier[0])
}

// renewal returns the state of a name in a body. The first call counts the items in effect as those of
// earlier files.
func (m *merger) renewal(c *MergedBody, name string) *renewal {
	r := m.renewals[renewalKey{c, name}]
	if r == nil {
		r = &renewal{}
		for _, e := range c.Items {
			if e.Key.Name == name && e.InEffect() {
				r.earlier = append(r.earlier, e)
			}
		}
		m.renewals[renewalKey{c, name}] = r
	}
	return r
}

// The type and the default of a variable, which are more than the arguments of the last
// block: package computed knows what engines make of them.

// variable returns the state of a variable's type and default while override blocks are applied to it.
func (m *merger) variable(item *MergedItem) *computed.Variable {
	v := m.vars[item]
	if v == nil {
		v = computed.NewVariable(item.Inner().Parts[0].Attr, item.Address())
		m.vars[item] = v
	}
	return v
}

// Variable returns what engines know of the type and the default of a variable that a primary file declares.
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
	var def *MergedItem
	var inEffect source.Item
	if v.HasDefault() {
		def = item.Inner().claimNamed("default")
		inEffect = def.Live[0]
	}
	r := v.Finish(inEffect)
	typ.convert(r.Type)
	def.convert(r.Default)
	m.report(r.Diags...)
}

// convert makes computed text the value of an argument, and notes it in the history; nil changes nothing.
func (item *MergedItem) convert(text *computed.VariableText) {
	if text != nil {
		item.Value = text.Literal
		item.step(Step{Effect: effect.Converted, Rule: item.Rule, cause: &cause{text.By, item.Value}})
	}
}

// hideOutranked hides the items in an object that another one in effect outranks, such as for_each beside count. e is
// a top-level item with a merged body.
func (m *definer) hideOutranked(e *MergedItem) {
	inner := e.inner.Load()
	for _, r := range m.rules.Ranked[e.Path] {
		winner := inner.lookup(r.Path[len(e.Path)+1:])
		if winner == nil || !winner.InEffect() {
			continue
		}
		for _, path := range r.Outranks {
			loser := inner.lookup(path)
			if loser == nil || !loser.InEffect() {
				continue
			}
			// In one block, the engine refuses both.
			if source.Top(winner.Live[0]) != source.Top(loser.Live[0]) {
				m.report(outranked(e, winner, loser))
			}
			loser.hide(winner.Live[0], r)
			// A block means nothing any more when all that it held has lost.
			if around := inner.lookup(rules.Parent(path)); around != nil && around.Rule.OmitEmpty && around.InEffect() && !around.inner.Load().anyInEffect() {
				around.hide(winner.Live[0], r)
			}
		}
	}
}

// Reapply warns of variables that would change if the override files were applied again, to primary files
// into which they were merged: their default is judged after each override block, by the type in effect
// there.
func (m *Module) Reapply() (diags hcl.Diagnostics) {
	for _, item := range m.Root.Items {
		if final := m.vars[item]; final != nil {
			diags = append(diags, final.Again(item.extensions(), item.Live[0])...)
		}
	}
	m.Source.Places(diags)
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
