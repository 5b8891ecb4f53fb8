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
	suspects       suspects                           // blocks that seem to be declared twice
	effectiveFiles map[*source.File]bool              // override files with an override that takes effect
	mutex          sync.Mutex                         // guards alone
	alone          map[Key]*MergedItem                // items of AllOf that overrides don't address
	all            func() []*MergedItem               // AllOf with all blocks, computed once
	order          func() map[*source.File]int        // load order
}

// All lists the items of the top level, also those of blocks that no override can change. They are made on
// the first call, which may be expensive in a large module.
func (m *Module) All() []*MergedItem { return m.all() }

// AllOf lists the items that overrides may address, and the items of those other top-level blocks that wants
// chooses, by file and index: the others may be very many. Blocks with the same type and labels share an item, so
// wants must choose all of them or none. Items of m.alone change only here, under the lock. Items of m.Root have
// readers, so a block is added to a copy.
func (m *Module) AllOf(wants func(f *source.File, i int) bool) []*MergedItem {
	list := slices.Clip(m.Root.All())
	isNew := make([]bool, len(list)) // by index in list: this call made or copied the item, and so may still change it
	listed := map[Key]int{}          // indexes in list
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
		if !isListed { // the first block with the key
			at, listed[key] = len(list), len(list)
			isNew = append(isNew, m.alone[key] == nil)
			if isNew[at] {
				m.alone[key] = m.Root.newItem(key, rule, b)
				m.alone[key].cache.Store(&itemCache{contentRules: m.Root.kind.Rules})
			}
			list = append(list, m.alone[key])
		}
		// Add the block to the item, unless it is there.
		switch e := list[at]; {
		case !isNew[at] && e.Has(b): // an earlier call added it
		case isNew[at] || e == m.alone[key]:
			e.addDefinition(b)
		default: // an item of m.Root
			list[at], isNew[at] = e.copyWith(b), true
		}
	})
	return list
}

// EachAlone visits the top-level blocks of primary files that no override addresses, in load order, as file and
// index. It leaves out suspects: blocks that may be declared twice have items in m.Root.
func (m *Module) EachAlone(visit func(f *source.File, i int)) {
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if f.Role == source.Primary && !f.IsAddressed(i) && !m.suspects.has(f, i) {
				visit(f, i)
			}
		}
	}
}

// copyWith returns a copy of the item with one more block of a primary file. The item itself can't change: others
// may read it. The copy's steps and Live grow apart from the item's (Clip). Of the cache it gets only the rules,
// because the rest depends on the steps.
func (e *MergedItem) copyWith(b *source.Block) *MergedItem {
	copied := &MergedItem{Key: e.Key, Path: e.Path, Rule: e.Rule, Steps: slices.Clip(e.Steps), Live: slices.Clip(e.Live), Value: e.Value, Place: e.Place, Order: e.Order, Escaped: e.Escaped}
	copied.inner.Store(e.inner.Load())
	if set := e.contentRules(); set != nil {
		copied.cache.Store(&itemCache{contentRules: set})
	}
	copied.addDefinition(b)
	return copied
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

// TrapOfName returns a sentence to append to messages: the file is an override file only because of its name,
// perhaps by mistake. It is "" if nothing suggests that, or if an override in the file takes effect.
func (m *Module) TrapOfName(f *source.File) string {
	if m.effectiveFiles[f] {
		return ""
	}
	return trapOfName(f)
}

// InLoadOrder returns the items sorted by the file and position of their first source item. Those without one
// come first.
func (m *Module) InLoadOrder(items []*MergedItem) []*MergedItem {
	// A place is the load order of a file, the byte offset in it, and the index in items.
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

// Aliases returns the addresses that e, an item inside a block, has besides its own: a data block inside a check also
// has that of a top-level data block. Addressing lists, for a path such as check/data, the top-level types (from).
func (m *Module) Aliases(e *MergedItem) (list []string) {
	set := m.Root.kind.Rules
	for _, from := range set.Addressing[e.Path] {
		list = append(list, address(set.At(from), Key{Name: from, ID: e.Key.ID}))
	}
	return list
}

// HasAlias reports whether a top-level block of an override file may address a block of type inner that is inside
// one of type outer, as a data block addresses the one inside a check.
func (m *Module) HasAlias(outer, inner string) bool {
	return len(m.Root.kind.Rules.Addressing[rules.Join(outer, inner)]) > 0
}

// Address returns the name, for people, of what a top-level block declares, such as aws_instance.web.
func (m *Module) Address(b *source.Block) string {
	key, rule := m.Root.key(b, false)
	return address(rule, key)
}

// Start tells how the addresses of top-level blocks of a type begin: with the names in start, followed by the labels
// if hasLabels. own lists how addresses of the items inside begin, if they don't continue the block's. isKnown is
// false if addresses of the type may begin with anything. The results, for example:
//
//	variable  [var]       labels      var.region
//	resource  []          labels      aws_instance.web
//	terraform [terraform] no labels   terraform
//	locals    [locals]    no labels   own: [[local]], for local.a
func (m *Module) Start(typ string) (start []string, hasLabels bool, own [][]string, isKnown bool) {
	rule := m.Root.kind.Names.Own(typ)
	// A check holds a data block that also has an address at the top level.
	if rule == nil || m.Root.kind.Rules.HoldsTargets[rule.Path] {
		return nil, false, nil, false
	}
	// The items inside may have a prefix of their own: for locals, that is local.
	if item := m.Root.kind.Rules.At(rules.Join(rule.Path, "*")); item != nil && len(item.Prefix) > 0 {
		own = [][]string{item.Prefix}
	}
	start = rule.Prefix
	switch {
	case rule.Match == rules.ByPosition: // as for moved: without labels
		return start, false, own, len(start) > 0
	case rule.Match == rules.ByName && len(start) == 0: // as for locals: the type is the address
		return []string{typ}, false, own, true
	}
	return start, rule.Match != rules.ByName, own, true
}

// Rule returns the rule of a top-level block.
func (m *Module) Rule(b *source.Block) *rules.Rule {
	_, rule := m.Root.key(b, false)
	return rule
}

// OwnAddresses lists the addresses of the items of a top-level block if they don't continue the block's address:
// local.a for an argument of locals. It returns nil for other blocks. b alone tells, as overrides add no such items.
func (m *Module) OwnAddresses(b *source.Block) (list []string) {
	_, rule := m.Root.key(b, false)
	own := m.Root.kind.Rules.At(rules.Join(rule.Path, "*"))
	if own == nil { // addresses of items continue the block's
		return nil
	}
	for _, it := range b.Items() {
		list = append(list, address(own, Key{Name: it.Called()}))
	}
	return list
}

// OwnerOf returns the merged item of a block of a primary file, at any depth; nil if it has none. A top-level block
// that no override can change has one only after AllOf listed it.
func (m *Module) OwnerOf(b *source.Block) *MergedItem {
	holder := Holder(b)
	if holder == nil { // b is at the top level
		if e := m.Root.Owner(b); e != nil {
			return e
		}
		key, _ := m.Root.key(b, false) // at the top level, no block is in an escaping block
		m.mutex.Lock()
		defer m.mutex.Unlock()
		return m.alone[key]
	}
	if around := m.OwnerOf(holder); around != nil && around.Inner() != nil {
		return around.Inner().Owner(b)
	}
	return nil
}

// The positions at which the merged items of a content are printed, and reported, are computed
// once, on first use, after all files have been applied. Items that no override addressed are
// unchanged, and there is nothing to report about them.

// places returns where the merged items of the body are printed and reported. It leaves out arguments that no
// override addressed: they stay where they are, and there is nothing to report. The first call, after the merge,
// computes and caches the result.
func (c *MergedBody) places() *printPlaces {
	if places := c.ensureCache().places.Load(); places != nil {
		return places
	}
	places := &printPlaces{bySyntax: map[source.Syntax]*source.Block{}, printed: map[*source.Block][]*MergedItem{}, reported: map[*source.Block][]*MergedItem{}, named: map[string][]*MergedItem{}}
	for _, p := range c.Parts {
		places.notePart(p)
	}
	// Only items in effect are printed, but all are reported.
	for _, e := range c.Items {
		if e.InEffect() {
			b := places.printedIn(c, e)
			places.printed[b] = append(places.printed[b], e)
		}
		b := places.reportBlock(c, e)
		places.reported[b] = append(places.reported[b], e)
		places.named[e.Key.Name] = append(places.named[e.Key.Name], e)
	}
	c.ensureCache().places.Store(places)
	return places
}

// notePart notes part p of the body in the fields that it belongs to: as the escaping block, as the first other
// part, and as the first one in its syntax.
func (places *printPlaces) notePart(p *source.Block) {
	if p.Type == source.EscapeBlock {
		places.escaping = p
		return
	}
	if places.plain == nil {
		places.plain = p
	}
	if places.bySyntax[p.File.Syntax] == nil {
		places.bySyntax[p.File.Syntax] = p
	}
}

// printedIn returns the block in which a merged item in effect is printed: the one around its Place, or, for an
// addition without one, the result of additionBlock. nil is the top level.
func (places *printPlaces) printedIn(c *MergedBody, e *MergedItem) *source.Block {
	if e.Place != nil {
		return e.Place.Within()
	}
	return places.additionBlock(c, e)
}

// reportBlock returns the block whose report shows a merged item: the one in which it is printed. An escaping block,
// _ {}, has no report, so its items are in that of the block around it. An item without effect, and an override's
// addition to an escaping block, are reported at the body's first part.
func (places *printPlaces) reportBlock(c *MergedBody, e *MergedItem) *source.Block {
	if !e.InEffect() {
		return places.plain
	}
	b := places.printedIn(c, e)
	if e.Place == nil && b.Type == source.EscapeBlock { // an addition, for which b isn't nil
		return places.plain
	}
	for b != nil && b.Type == source.EscapeBlock {
		b = b.Within()
	}
	return b
}

// AdditionBlock returns the part into which e, an item that an override added, is printed. For an item that must be
// escaped it is the escaping block, if there is one; else the first part in the syntax of the item's own file, else
// the first part.
func (c *MergedBody) AdditionBlock(e *MergedItem) *source.Block {
	return c.places().additionBlock(c, e)
}

// additionBlock returns the block of c in which an item of an override file is printed if no primary file has the
// item: one of the same syntax, if there is one. Unlike AdditionBlock, it works while the places are being found.
func (places *printPlaces) additionBlock(c *MergedBody, e *MergedItem) *source.Block {
	if e.Escaped && places.escaping != nil {
		return places.escaping
	}
	if b := places.bySyntax[e.Live[0].Source().Syntax]; b != nil {
		return b
	}
	return c.Parts[0]
}

// Beside returns the part after which addition e is printed in a block of its own, because a block can hold only
// one item of its name. It is the last part that has an argument of the name, else the last part; among equals, one
// in the addition's syntax.
func (c *MergedBody) Beside(e *MergedItem) (found *source.Block) {
	best := -1
	for _, p := range c.Parts {
		if p.Type == source.EscapeBlock {
			continue
		}
		fit := 0 // the higher, the better; the name counts more than the syntax
		if p.File.Syntax == e.Live[0].Source().Syntax {
			fit = 1
		}
		if p.Attr(e.Key.Name) != nil {
			fit += 2
		}
		if fit >= best { // with >=, the last among equals
			found, best = p, fit
		}
	}
	return found
}

// FirstPart returns the first block in which the body is printed, apart from escaping blocks; nil if there is none.
func (c *MergedBody) FirstPart() *source.Block { return c.places().plain }

// PrintedIn lists the merged items in effect that are printed in a block. Arguments that no override addressed are
// left out.
func (c *MergedBody) PrintedIn(b *source.Block) []*MergedItem { return c.places().printed[b] }

// MayHaveAdditions reports whether an item in effect may have no position of its own in primary files. It is a
// cheap test that saves most bodies from computing places: for a long list it answers yes without looking.
func (c *MergedBody) MayHaveAdditions() bool {
	return len(c.Items) > fewItems ||
		slices.ContainsFunc(c.Items, func(e *MergedItem) bool { return e.InEffect() && e.Place == nil })
}

// ReportedIn lists the merged items that the report of a block shows: those printed in it, and if it is the body's
// first part those without effect.
func (c *MergedBody) ReportedIn(b *source.Block) []*MergedItem { return c.places().reported[b] }

// AllNamed lists the merged items with a name, whatever their labels, and inside or outside escaping blocks.
// Arguments that no override addressed are left out.
func (c *MergedBody) AllNamed(name string) []*MergedItem { return c.places().named[name] }

// Values that an engine computes before anything else, such as the source of a module: refusals
// there depend on variables and local values, so they are judged once all files are merged.

// checkEarly returns errors about values that the engine refuses to compute early, such as a module's source.
// Variables and local values are read only if one of these isn't constant, which is rare.
func (m *Module) checkEarly() hcl.Diagnostics {
	values := early.NewModule(m.Source.Engine, m.Source.Files)
	if values == nil {
		return nil
	}
	m.addEarly(values, values.Computes)
	if values.AreConstant() {
		return nil
	}
	m.addEarly(values, values.ReadsNames)
	return values.Judge()
}

// addEarly hands the arguments in effect of top-level items of the wanted types to values.
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
			add(m.Root.newUntouchedItem(key, b)) // nothing of it is kept
		}
	})
}

// eachEffective visits the arguments in effect in an item, each with its path in the rules, such as module/source.
// path is that of the item.
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

// eachWritten visits the arguments in an item that is replaced as a whole, each with its path. path is that of the
// item.
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
