package merge

import (
	"cmp"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/early"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A Module is the effective configuration of a loaded module. Once it is merged, several
// goroutines may read it.
type Module struct {
	Source *load.Module
	Root   *MergedBody // the top-level blocks

	vars           map[*MergedItem]*computed.Variable // those that overrides changed
	added          map[*source.Block]bool             // blocks that overrides added
	suspects       suspects
	effectiveFiles map[*source.File]bool // override files with an override that takes effect
	mutex          sync.Mutex            // guards alone
	alone          map[Key]*MergedItem   // items of AllOf that overrides don't address
	all            func() []*MergedItem
	order          func() map[*source.File]int // load order
}

// All lists the items of the top level, also those of blocks that no override can change. They are made on
// the first call, which may be expensive in a large module.
func (m *Module) All() []*MergedItem { return m.all() }

// AllOf lists the items that overrides may address, and some of the others, which may be very many. wants
// chooses the latter by the file and the index of their block; it must want either all or none of those of a
// type and labels.
func (m *Module) AllOf(wants func(f *source.File, i int) bool) []*MergedItem {
	list := slices.Clip(m.Root.All())
	made := make([]bool, len(list)) // in this call: such an item has no block before it is visited
	listed := map[Key]int{}         // indices
	for i, e := range list {
		listed[e.Key] = i
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.EachAlone(func(f *source.File, i int) {
		if !wants(f, i) {
			return
		}
		b := f.Block(i)
		key, rule := m.Root.key(b, false)
		at, isListed := listed[key]
		if !isListed {
			at, listed[key] = len(list), len(list)
			made = append(made, m.alone[key] == nil)
			if made[at] {
				m.alone[key] = m.Root.newItem(key, rule, b)
				m.alone[key].asked.Store(&itemAnswers{alone: m.Root.kind.Rules})
			}
			list = append(list, m.alone[key])
		}
		switch e := list[at]; {
		case !made[at] && e.Has(b):
		case made[at] || e == m.alone[key]:
			e.define(b)
		default:
			list[at], made[at] = e.with(b), true
		}
	})
	return list
}

// EachAlone visits the blocks of primary files that no override can change, in load order, as file and index.
// It leaves out those that may be declared twice, which have items in m.Root.
func (m *Module) EachAlone(visit func(f *source.File, i int)) {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if f.Role == source.Primary && !f.IsAddressed(i) && !m.suspects.has(f, i) {
				visit(f, i)
			}
		}
	}
}

// with returns a copy of the item with one more block of a primary file. The item itself is shared and can't
// change.
func (e *MergedItem) with(b *source.Block) *MergedItem {
	more := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule, Steps: slices.Clip(e.Steps), Live: slices.Clip(e.Live), Value: e.Value, Place: e.Place, Order: e.Order, Escaped: e.Escaped}
	more.inner.Store(e.inner.Load())
	if set := e.ownRules(); set != nil {
		more.asked.Store(&itemAnswers{alone: set})
	}
	more.define(b)
	return more
}

// IsPartOfAddition reports whether an item is in a block that an override file added as a whole.
func (m *Module) IsPartOfAddition(it source.Item) bool {
	for b := Holder(it); b != nil; b = Holder(b) {
		if m.added[b] {
			return true
		}
	}
	return false
}

// TrapOfName returns a sentence to append to messages: the file may be an override file by mistake, by its
// name. It is "" if nothing suggests that, or if an override in the file takes effect.
func (m *Module) TrapOfName(f *source.File) string {
	if m.effectiveFiles[f] {
		return ""
	}
	return trapOfName(f)
}

// InLoadOrder returns the items sorted by the file and position of their first source item. Those without one
// come first.
func (m *Module) InLoadOrder(items []*MergedItem) []*MergedItem {
	type place struct{ file, at, item int }
	order, places := m.order(), make([]place, len(items))
	for i, e := range items {
		places[i].item = i
		if k := slices.IndexFunc(e.Steps, func(s Step) bool { return s.Item != nil }); k >= 0 {
			it := e.Steps[k].Item
			places[i].file, places[i].at = order[it.Source()], source.StartByte(it)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(a.file-b.file, a.at-b.at, a.item-b.item) })
	ordered := make([]*MergedItem, len(items))
	for i, p := range places {
		ordered[i] = items[p.item]
	}
	return ordered
}

// Aliases returns the further addresses of e, an item inside a block: a data block inside a check has that of
// a top-level data block.
func (m *Module) Aliases(e *MergedItem) (list []string) {
	set := m.Root.kind.Rules
	for _, from := range set.Addressing[e.Path] {
		list = append(list, address(set.At(from), Key{Name: from, ID: e.Key.ID}))
	}
	return list
}

// HasAlias reports whether override files may address a block of type inner, inside a top-level block of type
// outer, by a top-level block. data inside check is such a block.
func (m *Module) HasAlias(outer, inner string) bool {
	return len(m.Root.kind.Rules.Addressing[rules.Join(outer, inner)]) > 0
}

// Address returns the name, for people, of what a top-level block declares, such as aws_instance.web.
func (m *Module) Address(b *source.Block) string {
	key, rule := m.Root.key(b, false)
	return address(rule, key)
}

// Start tells how addresses of top-level blocks of a type begin: with the names in start, followed by the
// labels if hasLabels. own holds the beginnings of items inside that have addresses of their own, as local
// values have. If addresses of the type may begin with anything, isKnown is false.
func (m *Module) Start(typ string) (start []string, hasLabels bool, own [][]string, isKnown bool) {
	r := m.Root.kind.Names.Own(typ)
	if r == nil || m.Root.kind.Rules.HoldsTargets[r.Path] {
		return nil, false, nil, false
	}
	if item := m.Root.kind.Rules.At(rules.Join(r.Path, "*")); item != nil && len(item.Prefix) > 0 {
		own = [][]string{item.Prefix}
	}
	switch start = r.Prefix; {
	case r.Match == rules.ByPosition:
		return start, false, own, len(start) > 0
	case r.Match == rules.ByName && len(start) == 0:
		return []string{typ}, false, own, true
	}
	return start, r.Match != rules.ByName, own, true
}

// Rule returns the rule of a top-level block.
func (m *Module) Rule(b *source.Block) *rules.Rule {
	_, rule := m.Root.key(b, false)
	return rule
}

// OwnAddresses lists the addresses of the items of a top-level block if they don't continue the block's
// address: local.a for an argument of locals. Overrides neither add nor remove any.
func (m *Module) OwnAddresses(b *source.Block) (list []string) {
	_, rule := m.Root.key(b, false)
	own := m.Root.kind.Rules.At(rules.Join(rule.Path, "*"))
	if own == nil {
		return nil
	}
	for _, it := range b.Items() {
		list = append(list, address(own, Key{Name: it.Called()}))
	}
	return list
}

// OwnerOf returns the merged item of a block of a primary file, at any depth; nil if it has none. For a
// top-level block that no override can change, AllOf must have listed the item before.
func (m *Module) OwnerOf(b *source.Block) *MergedItem {
	in := Holder(b)
	if in == nil {
		if e := m.Root.Owner(b); e != nil {
			return e
		}
		key, _ := m.Root.key(b, false)
		m.mutex.Lock()
		defer m.mutex.Unlock()
		return m.alone[key]
	}
	if around := m.OwnerOf(in); around != nil && around.Inner() != nil {
		return around.Inner().Owner(b)
	}
	return nil
}

// The positions at which the merged items of a content are printed, and reported, are computed
// once, on first use, after all files have been applied. Items that no override addressed are
// unchanged, and there is nothing to report about them.

// places returns where the merged items of the body are printed and reported. All files must have been
// applied; the result is computed on the first call. Items that no override addressed are left out: they are
// where they were.
func (c *MergedBody) places() *printPlaces {
	if at := c.answers().at.Load(); at != nil {
		return at
	}
	at := &printPlaces{bySyntax: map[source.Syntax]*source.Block{}, printed: map[*source.Block][]*MergedItem{}, reported: map[*source.Block][]*MergedItem{}, named: map[string][]*MergedItem{}}
	for _, p := range c.Parts {
		at.addPart(p)
	}
	for _, e := range c.Items {
		if e.InEffect() {
			b := at.printedIn(c, e)
			at.printed[b] = append(at.printed[b], e)
		}
		b := at.reportBlock(c, e)
		at.reported[b] = append(at.reported[b], e)
		at.named[e.Key.Name] = append(at.named[e.Key.Name], e)
	}
	c.answers().at.Store(at)
	return at
}

// addPart notes the first part of each kind: any, of each syntax, and the escaping block.
func (at *printPlaces) addPart(p *source.Block) {
	switch {
	case p.Type != source.EscapeBlock:
		if at.plain == nil {
			at.plain = p
		}
		if at.bySyntax[p.File.Syntax] == nil {
			at.bySyntax[p.File.Syntax] = p
		}
	default:
		at.escaping = p
	}
}

// printedIn returns the block in which a merged item in effect is printed.
func (at *printPlaces) printedIn(c *MergedBody, e *MergedItem) *source.Block {
	if e.Place != nil {
		return e.Place.Within()
	}
	return at.additionBlock(c, e)
}

// reportBlock returns the block whose report shows a merged item: where it is printed, or else the body's
// first part. Escaping blocks have no report of their own.
func (at *printPlaces) reportBlock(c *MergedBody, e *MergedItem) *source.Block {
	if !e.InEffect() {
		return at.plain
	}
	b := at.printedIn(c, e)
	switch {
	case e.Place != nil:
		for b != nil && b.Type == source.EscapeBlock {
			b = b.Within()
		}
	case b.Type == source.EscapeBlock:
		return at.plain
	}
	return b
}

// AdditionBlock returns the part to which an addition is printed: for escaped items an escaping block if
// there is one, else the first part in the syntax of the item's own file, else the first part.
func (c *MergedBody) AdditionBlock(e *MergedItem) *source.Block {
	return c.places().additionBlock(c, e)
}

// additionBlock is AdditionBlock for places that are still being computed.
func (at *printPlaces) additionBlock(c *MergedBody, e *MergedItem) *source.Block {
	if e.Escaped && at.escaping != nil {
		return at.escaping
	}
	if b := at.bySyntax[e.Live[0].Source().Syntax]; b != nil {
		return b
	}
	return c.Parts[0]
}

// Beside returns the part after which an addition is printed in a block of its own, because a block can hold
// only one item of its name: the last part that holds one, else the last part. A part in the addition's
// syntax is preferred.
func (c *MergedBody) Beside(e *MergedItem) (found *source.Block) {
	best := -1
	for _, p := range c.Parts {
		if p.Type == source.EscapeBlock {
			continue
		}
		fit := 0
		if p.File.Syntax == e.Live[0].Source().Syntax {
			fit = 1
		}
		if p.Attr(e.Key.Name) != nil {
			fit += 2
		}
		if fit >= best {
			found, best = p, fit
		}
	}
	return found
}

// FirstPart returns the first block in which the body is printed, escaping blocks left out; nil if there is
// none.
func (c *MergedBody) FirstPart() *source.Block { return c.places().plain }

// PrintedIn lists the merged items in effect that are printed in a block, without those that no override
// addressed.
func (c *MergedBody) PrintedIn(b *source.Block) []*MergedItem { return c.places().printed[b] }

// MayHaveAdditions reports whether an item in effect may have no position of its own. It costs less than
// places, and most bodies have none.
func (c *MergedBody) MayHaveAdditions() bool {
	return len(c.Items) > fewItems ||
		slices.ContainsFunc(c.Items, func(e *MergedItem) bool { return e.InEffect() && e.Place == nil })
}

// ReportedIn lists the merged items that the report of a block shows: those printed in it, and for the first
// part also those that are not in effect.
func (c *MergedBody) ReportedIn(b *source.Block) []*MergedItem { return c.places().reported[b] }

// AllNamed lists the merged items with a name, whatever their labels, positions and spaces, without those
// that no override addressed.
func (c *MergedBody) AllNamed(name string) []*MergedItem { return c.places().named[name] }

// Values that an engine computes before anything else, such as the source of a module: refusals
// there depend on variables and local values, so they are judged once all files are merged.

// checkEarly returns errors about values that the engine refuses to compute early, such as a module's source.
// Hardly any module has one that isn't constant, so only then are variables and local values read.
func (m *Module) checkEarly() hcl.Diagnostics {
	values := early.NewModule(m.Source.Engine, m.Source.Files)
	if values == nil {
		return nil
	}
	if m.addEarly(values, values.Computes); values.AreConstant() {
		return nil
	}
	m.addEarly(values, values.ReadsNames)
	return values.Judge()
}

// addEarly hands the arguments in effect of some top-level items to values: those of the wanted types.
func (m *Module) addEarly(values *early.Module, isWanted func(typ string) bool) {
	add := func(e *MergedItem) {
		if e.InEffect() && isWanted(e.Path) {
			values.Declare(e.Path, e.Key.ID, e.Live[0])
			eachEffective(e, e.Path, func(path string, a *source.Attr) { values.Add(e.Key.ID, path, a) })
		}
	}
	for _, e := range m.Root.All() {
		add(e)
	}
	m.EachAlone(func(f *source.File, i int) {
		if isWanted(f.TypeOf(i)) {
			b := f.Block(i)
			key, _ := m.Root.key(b, false)
			add(m.Root.defined(key, b)) // nothing of it is kept
		}
	})
}

// eachEffective visits the arguments in effect in an item, with their paths in the rules, which start with
// path.
func eachEffective(e *MergedItem, path string, visit func(path string, a *source.Attr)) {
	if e.Inner() == nil {
		for _, it := range e.Live {
			eachWritten(it, path, visit)
		}
		return
	}
	for _, inner := range e.Inner().All() {
		if inner.InEffect() && !inner.Escaped { // an escaped name is the provider's or the called module's
			eachEffective(inner, path+"/"+inner.Key.Name, visit)
		}
	}
}

// eachWritten visits the arguments in an item as its file has them, with paths that start with path.
func eachWritten(it source.Item, path string, visit func(path string, a *source.Attr)) {
	switch it := it.(type) {
	case *source.Attr:
		visit(path, it)
	case *source.Block:
		for _, inner := range it.Items() {
			eachWritten(inner, path+"/"+inner.Called(), visit)
		}
	}
}
