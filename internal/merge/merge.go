// Package merge combines the files of a loaded module into the effective configuration: the one an
// engine works with after it applied the override files to the primary files.
//
// Every name in the result keeps its history, the ordered list of the effects of each source item
// on it, with the rule. The effective value is the item that the history leaves in effect. Merging
// copies no text and lays out nothing; if no file contains the effective value, the history holds a
// Literal from which it can be written.
//
// Files takes a module as load read it, and returns a Module and diagnostics. A merged module does
// not change any more, so several goroutines may read it.
//
// The effect of an item of an override file is a row of the table in package rules. The code in
// merge.go names no block of the language and no release. Checks that a table can't express are
// functions at its end or, for a variable's type and default, in package computed.
//
// The package refuses everything that the engine refuses while it loads: an override of an object
// that does not exist or that can't be overridden, and duplicate declarations. It does not evaluate
// expressions with references.
//
// Packages below read the result: address finds items by name, and check judges it.
package merge

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Options control the merge.
type Options struct {
	// NoOverrides leaves the override files out, although they were loaded.
	NoOverrides bool
}

// Dir loads the module of a directory and merges its files. It returns the diagnostics of both.
func Dir(dir string, loading load.Options, opts Options) (*Module, hcl.Diagnostics, error) {
	src, diags, err := load.Dir(dir, loading)
	if err != nil {
		return nil, nil, err
	}
	m, more := Files(src, opts)
	return m, append(diags, more...), nil
}

// Files merges the files of a loaded module. Errors among the diagnostics are refusals of the
// engine; warnings report items without effect and effects that no printed configuration can
// express. The module is complete only if there are no errors.
func Files(src *load.Module, opts Options) (*Module, hcl.Diagnostics) {
	// The primary files are defined first. Blocks that no override addresses are only counted and hashed.
	m := newMerger(src)
	m.declared = make(map[uint64]declaration, countAlone(src))
	for _, f := range src.Files {
		if f.Role == source.Primary {
			m.hasBrokenPrimary = m.hasBrokenPrimary || f.Broken
			m.definePrimaryFile(f)
		}
	}
	m.defineSuspects(src.Files) // blocks whose hashes say that they are declared twice
	m.defineParts()             // the contents of top-level blocks
	// Suspects and contents were defined after the rest, so their errors came late.
	slices.SortStableFunc(m.diags, func(a, b *hcl.Diagnostic) int {
		if c := strings.Compare(a.Subject.Filename, b.Subject.Filename); c != 0 {
			return c
		}
		return a.Subject.Start.Byte - b.Subject.Start.Byte
	})
	// Then the override files are applied, in load order.
	for _, f := range src.Files {
		if f.Role == source.Override && !opts.NoOverrides && !f.Broken {
			m.applyFile(f)
		}
	}
	m.finish()
	mod := m.module()
	if !m.hasBrokenPrimary { // a declaration that seems to be missing may be in a broken file
		m.report(mod.checkEarly()...)
	}
	// The diagnostics so far are about the native text of JSON files. They get the places in the files on disk.
	src.PlaceOnDisk(m.diags)
	for d, at := range m.unwritten { // Places translates ranges in native text, which these don't have
		d.Subject = &at
	}
	src.HideQuotes(m.diags)
	return mod, m.diags
}

// countAlone counts the top-level blocks of primary files that no override addresses.
func countAlone(src *load.Module) (count int) {
	(&Module{Source: src}).EachAlone(func(*source.File, int) { count++ })
	return count
}

// module returns the result of the merge, once all files are applied.
func (m *merger) module() *Module {
	mod := &Module{Source: m.src, Root: m.root, vars: m.vars, added: m.added, suspects: m.suspects, effectiveFiles: m.effectiveFiles, alone: map[Key]*MergedItem{}}
	mod.all = sync.OnceValue(func() []*MergedItem { return mod.AllOf(func(*source.File, int) bool { return true }) })
	mod.order = sync.OnceValue(func() map[*source.File]int {
		order := make(map[*source.File]int, len(m.src.Files))
		for i, f := range m.src.Files {
			order[f] = i
		}
		return order
	})
	return mod
}

// applyFile applies override file f to the merged primary files: first each group of its items, then the actions
// deferred to the end of the file.
func (m *merger) applyFile(f *source.File) {
	clear(m.firstOnce)
	m.hasEffect = false
	from := len(m.diags) // where the diagnostics of this file start
	items := make([]source.Item, 0, f.Len())
	for i := range f.Len() {
		if b := f.Block(i); language.HasItsLabels(b) { // load has reported the others
			items = append(items, b)
		}
	}
	m.applyAll(m.root, m.group(m.root, items), false)
	for len(m.deferred) > 0 {
		next := m.deferred[0]
		m.deferred = m.deferred[1:]
		next()
	}
	if m.hasEffect { // it is meant to be an override file, so errors needn't ask whether its name is a mistake
		m.effectiveFiles[f] = true
		dropTraps(f, m.diags[from:])
	}
}

// The effects of one override block on a merged body.

// group divides the items of an override block by the merged items of c that they address, in the order of the
// first item of each. Only items that replace others share a group: all blocks of a type replace the earlier ones
// together. Items of an escaping block come after the items around it, as in the engine.
func (m *merger) group(c *MergedBody, items []source.Item) []group {
	g := groupBuilder{c: c}
	if n := len(m.spareGroups); n > 0 { // reuse the memory of a list that applyAll is done with
		g.groups, m.spareGroups = m.spareGroups[n-1][:0], m.spareGroups[:n-1]
	}
	g.groups = slices.Grow(g.groups, len(items))
	g.addItems(items, false)
	g.addItems(g.inside, true) // the contents of escaping blocks, which the first call gathered
	return g.groups
}

// applyAll applies the groups of an override block one after the other. Then m.group reuses their memory.
// inAddition is as for apply.
func (m *merger) applyAll(c *MergedBody, groups []group, inAddition bool) {
	for i := range groups {
		m.apply(c, &groups[i], inAddition)
	}
	m.spareGroups = append(m.spareGroups, groups)
}

// apply lets a group of an override block have its effect on a body, by the action of its rule. inAddition tells
// that the same override block adds the body as a whole: its items have nothing to override. So the actions
// KeepEarlier and Identify, which leave earlier items alone, add the item there.
func (m *merger) apply(c *MergedBody, g *group, inAddition bool) {
	if g.rule.Once && m.rejectSecond(c, g) {
		return
	}
	if g.rule.Last { // applied at the end of the file; all such rules have the action Replace
		own := *g // a copy, since applyAll reuses the memory of g
		m.deferred = append(m.deferred, func() { m.replace(c, &own, inAddition) })
		return
	}
	switch do := g.rule.Do; {
	case do == rules.Drop, do == rules.KeepEarlier && !inAddition:
		m.ignore(c, g)
	case do == rules.Reject:
		m.reject(c, g)
	case do == rules.Identify && !inAddition:
		m.itemOf(c, g).addStep(Step{Item: g.items[0], Effect: effect.Matched, Rule: g.rule})
	case do == rules.Flatten:
		m.flatten(c, g, inAddition)
	case do == rules.Renew:
		m.renew(c, g, inAddition)
	case do == rules.Merge:
		m.mergeBlock(c, g, inAddition)
	default:
		m.replace(c, g, inAddition)
	}
}

// rejectSecond reports an error if an override file contains a second item where only one may be (Rule.Once). It
// returns whether g has a second item, which must not be applied.
func (m *merger) rejectSecond(c *MergedBody, g *group) bool {
	first := m.firstOnce[g.rule]
	if first == nil { // the file has none so far
		first = g.items[0]
		m.firstOnce[g.rule] = first
	}
	last := g.items[len(g.items)-1]
	if last == first { // g has only the file's first item
		return false
	}
	m.report(secondInFile(g.rule, last, first))
	m.itemOf(c, g).addStep(Step{Item: last, Effect: effect.Refused, Rule: g.rule}.because(first))
	return true
}

// flatten notes an override's escaping block, _ {}, in the history: it adds the first one of a body, and extends an
// earlier one. The items in it have groups of their own, which are applied separately. Only in a block that an
// override adds (inAddition) does the escaping block itself take effect, since it is printed there.
func (m *merger) flatten(c *MergedBody, g *group, inAddition bool) {
	e := m.itemOf(c, g)
	b := g.items[0].(*source.Block)
	did := effect.Added
	if e.InEffect() {
		did = effect.Extended
	}
	e.addStep(Step{Item: b, Effect: did, Rule: g.rule})
	if inAddition {
		e.Live, e.Place = []source.Item{b}, b
		c.Parts = append(c.Parts, b)
	}
}

// mergeBlock applies the items of an override block to the block that it addresses. If there is none in
// effect, it adds the block or reports that it is missing.
func (m *merger) mergeBlock(c *MergedBody, g *group, inAddition bool) {
	b := g.items[0].(*source.Block)
	e := c.claim(g.key)
	if e == nil && c == m.root { // the block may be inside another one, as data in a check
		e = m.aliasTargets[g.key]
	}
	if e == nil || !e.InEffect() {
		m.addBlock(c, g, b, inAddition)
		return
	}
	e.addStep(Step{Item: b, Effect: effect.Extended, Rule: e.Rule})
	if e.Inner() == nil {
		return // the block is in a broken file
	}
	// First what the block contains takes effect, then what JSON sets to null or [], then what the block lacks.
	m.applyAll(e.Inner(), m.group(e.Inner(), b.Items()), false)
	m.noteVoidProperties(e.Inner(), b)
	m.clearAbsent(e.Inner(), b)
	if e.Rule.IsCheckedByBlock() {
		checks[e.Rule.Check].afterBlock(m, e, b)
	}
}

// noteVoidProperties notes the properties of JSON override block b that make no block, such as "ingress": []. They
// aren't items of b, so no group holds them. c is the body that b was merged into.
func (m *merger) noteVoidProperties(c *MergedBody, b *source.Block) {
	for _, a := range b.Idle() {
		// The name may be the language's or, in space Body, the provider's. If the body has it as either, that is it.
		e := c.claim(Key{Space: metaSpace, Name: a.Name})
		if e == nil {
			e = c.claim(Key{Space: Body, Name: a.Name})
		}
		if e == nil { // nothing else in the body has the name
			key := Key{Space: Body, Name: a.Name}
			if c.kind.Shape.Knows(a.Name) { // a block of the language
				key.Space = metaSpace
			}
			e = c.addItem(c.newItem(key, ruleOf(c.kind, key), a))
		}
		m.noteVoid(e, a)
	}
}

// addBlock adds an override block that addresses nothing, unless its rule makes that an error. The items in it are
// applied to a new body. With Rule.OmitEmpty, a block in which nothing took effect is taken back at the end of the
// file. inAddition tells that an override added the block around it, too.
func (m *merger) addBlock(c *MergedBody, g *group, b *source.Block, inAddition bool) {
	mustExist := g.rule.Orphan == rules.FailOrphan || g.rule.Orphan == rules.AddUnaliased && rules.AliasOf(b) != ""
	if mustExist {
		m.reportMissing(c, g, b)
		return
	}
	e := m.itemOf(c, g)
	e.Order = m.nextOrder()
	e.Live = []source.Item{b}
	e.body(m.rules).Parts = []*source.Block{b}
	if inAddition { // it is printed where it stands in the added block around it
		e.Place = b
	}
	m.added[b] = true
	addition := len(e.Steps) // the index of the step that follows
	e.addStep(Step{Item: b, Effect: effect.Added, Rule: g.rule})
	m.applyAll(e.Inner(), m.group(e.Inner(), b.Items()), true) // inAddition
	if g.rule.OmitEmpty {
		m.deferred = append(m.deferred, func() { e.omitEmpty(addition) })
	}
}

// omitEmpty takes an added block back if nothing in it is in effect. step is the index of the addition in
// e.Steps.
func (e *MergedItem) omitEmpty(step int) {
	if !e.Inner().anyInEffect() {
		e.Steps[step].Effect = effect.Ignored
		e.Live, e.Place = nil, nil
	}
}

// clearAbsent removes the arguments that override block b drops by not repeating them: those whose rule has Absent.
func (m *merger) clearAbsent(c *MergedBody, b *source.Block) {
	for _, r := range m.rules.Clearing[c.kind.Path] {
		e := c.claimNamed(rules.Base(r.Path))
		if e == nil || !e.InEffect() || b.Attr(e.Key.Name) != nil {
			continue
		}
		m.report(cleared(e, b))
		e.addStep(Step{Effect: effect.Cleared, Rule: r}.because(b))
		e.Live, e.Value = nil, nil
	}
}

// replace lets a group replace the earlier items of its name, or adds it if there are none. It ignores the group
// instead if its value has no effect (Rule.Unless), if the earlier value stays (Rule.Keeps), or if the provider's
// schema may decide otherwise. inAddition is as for apply.
func (m *merger) replace(c *MergedBody, g *group, inAddition bool) {
	if g.rule.Unless.Passes(g.items[0]) {
		m.ignore(c, g)
		return
	}
	e := c.claim(g.key)
	if g.rule.Orphan == rules.FailOrphan && (e == nil || !e.InEffect()) {
		m.reportMissing(c, g, g.items[0])
		return
	}
	if e == nil { // an addition
		e = m.itemOf(c, g)
	}
	// With Rule.Keeps, an earlier value that passes stays, unless the later one passes, too.
	if old := e.Attr(); old != nil && g.rule.Keeps.Passes(old) && !g.rule.Keeps.Passes(g.items[0]) {
		e.addStep(Step{Item: g.items[0], Effect: effect.Ignored, Rule: g.rule}.because(old))
		m.report(keptEarlier(g.rule, g.items[0], old))
		return
	}
	if m.decideKind(e, g) { // an argument over nested blocks, or the other way round
		return
	}
	m.putInEffect(e, g, inAddition)
	m.displace(c, e)
	// OpenTofu ignores such an item outside of .tofu files. It is in effect for the merge, so that it's printed.
	if g.rule.TofuOnly && !g.items[0].Source().Tofu {
		m.report(noEffect(m.src.Engine, g.rule, g.items[0], m.remedy(c, e, g.rule, g.items[0]).text))
	}
}

// putInEffect makes a group's items the ones in effect, in place of those of e. They are all blocks of one type, or
// an argument. If a block sets the argument once outside and once inside its escaping block, the first wins.
func (m *merger) putInEffect(e *MergedItem, g *group, inAddition bool) {
	did := effect.Replaced
	m.hasEffect = m.hasEffect || !inAddition // an added block overrides nothing
	if !e.InEffect() {
		did, e.Order = effect.Added, m.nextOrder()
	}
	// Live begins with the first item and shares the memory of g.items: its capacity of 1 makes append copy it.
	e.Live, e.Value = g.items[:1:1], nil
	for i, it := range g.items {
		if _, isAttr := it.(*source.Attr); isAttr && i > 0 { // the argument inside the escaping block
			e.addStep(Step{Item: it, Effect: effect.Ignored, Rule: g.rule}.because(g.items[0]))
			m.report(givenTwice(it, g.items[0]))
			continue
		}
		e.addStep(Step{Item: it, Effect: did, Rule: g.rule})
		if i > 0 { // e.Live has the first item already
			e.Live = append(e.Live, it)
		}
	}
	if inAddition && e.Place == nil {
		e.Place = e.Live[0]
	}
}

// displace hides the siblings that the rule of e excludes, as a backend excludes cloud. e is then printed at the
// position of the sibling, unless it has a position of its own in a primary file.
func (m *merger) displace(c *MergedBody, e *MergedItem) {
	for _, name := range e.Rule.Displaces {
		other := c.claimNamed(name)
		if other == nil || !other.InEffect() {
			continue
		}
		other.hide(e.Live[0], e.Rule)
		switch { // where to print e
		case other.Place == nil: // other is an addition: e takes its turn among these
			e.Order = other.Order
		// e is an addition. An earlier override may have put it there already.
		case e.Place == nil || e.Place == other.Place:
			c.printAt(e, other.Place)
		}
	}
}

// itemOf returns the merged item that a group addresses, and adds one without history if there is none.
func (m *merger) itemOf(c *MergedBody, g *group) *MergedItem {
	if e := c.claim(g.key); e != nil {
		return e
	}
	return c.addItem(c.newItem(g.key, g.rule, g.items[0]))
}

// ignore notes that a group has no effect. It warns of each item, unless both that and the item in effect have a
// value without effect (Rule.Unless), such as []. Even in an ignored block, the engine refuses some items, so it
// reports those as errors.
func (m *merger) ignore(c *MergedBody, g *group) {
	e := m.itemOf(c, g)
	for _, it := range g.items {
		e.addStep(Step{Item: it, Effect: effect.Ignored, Rule: g.rule})
		switch {
		case g.rule.Unsayable: // the engine obeys it, but no printed configuration can contain it
			m.report(notSayable(it))
		case e.InEffect() && g.rule.Unless.Passes(e.Live[0]): // it was ignored for its value, which the earlier one has, too
		default:
			r := m.remedy(c, e, g.rule, it)
			m.report(m.rememberRemedy(noEffect(m.src.Engine, g.rule, it, r.text), r))
		}
		if b, ok := it.(*source.Block); ok && mergesContents(m.rules, e) {
			m.refuseInside(e.Path, b)
		}
	}
}

// refuseInside reports items that the engine refuses even in block b, which it ignores (Rule.Strict). path is
// the block's path in the rules.
func (m *merger) refuseInside(path string, b *source.Block) {
	for _, it := range b.Items() {
		rule := m.rules.At(rules.Join(path, it.Called()))
		if rule != nil && rule.Strict {
			m.report(rejected(rule, it, m.remedy(nil, nil, rule, it).text))
		}
		if inner, ok := it.(*source.Block); ok && rule != nil {
			m.refuseInside(rule.Path, inner)
		}
	}
}

// reject reports an item that the engine refuses in override files. If its value passes Rule.Unless, the engine
// ignores it instead.
func (m *merger) reject(c *MergedBody, g *group) {
	it := g.items[0] // the only one: just items that replace others share a group
	if g.rule.Unless.Passes(it) {
		m.ignore(c, g)
		return
	}
	e := m.itemOf(c, g)
	e.addStep(Step{Item: it, Effect: effect.Refused, Rule: g.rule})
	r := m.remedy(c, e, g.rule, it)
	m.report(m.rememberRemedy(rejected(g.rule, it, r.text), r))
}

// reportMissing reports an error: it, an item of a group, addresses something that no primary file declares. If a
// primary file is broken, the declaration may be in there. Then the effect is undecided, and there is no error.
func (m *merger) reportMissing(c *MergedBody, g *group, it source.Item) {
	if m.hasBrokenPrimary {
		m.itemOf(c, g).addStep(Step{Item: it, Effect: effect.Undecided, Rule: g.rule})
	} else {
		m.report(missing(m, c, g.rule, g.key, it))
		m.itemOf(c, g).addStep(Step{Item: it, Effect: effect.Missing, Rule: g.rule})
	}
}

// Checks that the table can't express, one function each.

// A check holds the functions that make a rules.Check of a merged item.
type check struct {
	afterBlock func(*merger, *MergedItem, *source.Block) // run after each override block was applied, if Rule.IsCheckedByBlock
	afterAll   func(*merger, *MergedItem)                // run once all files are applied, on what any of them addressed
}

// checks holds the functions of each rules.Check.
var checks = [...]check{
	rules.CheckVersions:   {afterAll: checkRequiredVersions},
	rules.CheckVariable:   {afterBlock: checkVariable, afterAll: finishVariable},
	rules.CheckConnection: {afterAll: checkDestroyConnection},
	rules.CheckAction:     {afterAll: checkActionConfig},
}

// checkRequiredVersions reports constraints in effect on the engine's version, in the terraform block e, that the
// engine doesn't meet.
func checkRequiredVersions(m *merger, e *MergedItem) {
	for _, inner := range e.Inner().Items {
		// Only required_version has that action.
		if inner.Rule.Do == rules.Renew && inner.InEffect() && !judge.MeetsConstraint(inner.Attr()) {
			m.report(judge.Incompatible(inner.Attr()))
		}
	}
	m.warnOfIgnoredVersions(e)
}

// warnOfIgnoredVersions warns of version constraints in the terraform block e that OpenTofu ignores because they are
// in a .tf file, if a .tofu file has one as well: the result is printed as one .tofu file, and there OpenTofu obeys
// both.
func (m *merger) warnOfIgnoredVersions(e *MergedItem) {
	var ignored []source.Item // in .tf files
	var obeyed source.Item    // the first one in a .tofu file
	for _, inner := range e.Inner().Items {
		if !inner.Rule.TofuOnly || !inner.InEffect() {
			continue
		}
		switch it := inner.Live[0]; {
		case !it.Source().Tofu:
			ignored = append(ignored, it)
		case obeyed == nil:
			obeyed = it
		}
	}
	if obeyed == nil {
		return
	}
	for _, it := range ignored {
		m.report(constraintRevived(it, obeyed))
	}
}

// checkActionConfig warns if an override block of action e, or the primary file's block, lacks a config block: the
// engine can't merge that. One warning is enough; it is at the first override block concerned.
func checkActionConfig(m *merger, e *MergedItem) {
	config := e.Inner().claimNamed("config")
	for _, b := range e.extensions() {
		// Without a Place, the config block is an addition: the primary file has none.
		if len(b.Blocks("config")) == 0 || config == nil || config.Place == nil {
			m.report(lacksConfig(b))
			return
		}
	}
}

// checkDestroyConnection warns of a destroy-time provisioner and a connection from different blocks, if the
// connection refers to other objects than the resource itself. The engine accepts that across blocks, but refuses
// it in one block, as they are printed.
func checkDestroyConnection(m *merger, e *MergedItem) {
	conn, provisioners := e.Inner().claimNamed("connection"), e.Inner().claimNamed("provisioner")
	if conn == nil || provisioners == nil || !conn.InEffect() {
		return
	}
	b := conn.Live[0].(*source.Block)
	// The first such provisioner is enough.
	for _, it := range provisioners.Live {
		p := it.(*source.Block)
		isElsewhere := p.Within() != b.Within()
		// OnlySelf lists errors: references to other objects.
		if isElsewhere && judge.IsDestroyTime(p) && len(judge.OnlySelf(b)) > 0 {
			m.report(destroyConnection(b, p))
			return
		}
	}
}

// remedyVersions replaces the advice in errors that the version of module call e doesn't go with its source. Their
// text ends with judge.UnsetVersion if the release allows version = null, else with judge.RemoveVersion.
func remedyVersions(e *MergedItem, diags hcl.Diagnostics) {
	for _, d := range diags {
		version := e.Inner().claimNamed("version")
		if diag.CodeOf(d) != diag.NoRegistrySource || !version.InEffect() {
			continue
		}
		canUnset := strings.Contains(d.Detail, judge.UnsetVersion)
		remedy := versionRemedy(version, e.Inner().claimNamed("source").Attr(), canUnset, *d.Subject)
		d.Detail = strings.Replace(d.Detail, judge.UnsetVersion, remedy, 1) // one of the two sentences is there
		d.Detail = strings.Replace(d.Detail, judge.RemoveVersion, remedy, 1)
	}
}

// versionRemedy advises what to do about the version of a module call that doesn't go with its source, in an error
// at a range. If canUnset is set, and an override replaced an earlier version or set the source (by), that is
// version = null. Otherwise it lists every place that sets a version: removing the override's alone would bring the
// earlier one back.
func versionRemedy(version *MergedItem, by *source.Attr, canUnset bool, at hcl.Range) string {
	set := version.Live[0]    // the version in effect
	var earlier []source.Item // other than version = null
	for _, it := range version.Losers(set) {
		if !version.Rule.IsVoid(it) {
			earlier = append(earlier, it)
		}
	}
	switch {
	case canUnset && source.IsOverride(set) && len(earlier) > 0: // removing it would bring the earlier version back
		return "Set version = null at " + placeOf(set) + "."
	case canUnset && !source.IsOverride(set) && by != nil && source.IsOverride(by): // only the source is overridden
		return "Set version = null in the block at " + placeOf(by.Within()) + "."
	}
	return "Remove version at " + diag.SomePlaces(at, source.Wheres(append([]source.Item{set}, earlier...)), 8) + "."
}

// finish does what needs the effect of all files: it tries the remedies that warnings advise, hides items that
// another one outranks, and runs checks.
func (m *merger) finish() {
	m.tryRemedies()
	for _, e := range m.root.Items {
		if e.Inner() == nil {
			continue
		}
		m.hideOutranked(e) // first, so that the checks see what is left
		// The arguments in effect may be refused together, although those of each block are not. Load judges a block
		// when it reads the file if no override can change the block.
		if judgeTogether := e.Inner().kind.Shape.Judged(); judgeTogether != nil && !m.isJudgedByLoad(e) {
			diags := judgeTogether(func(name string) *source.Attr { return e.Inner().claimNamed(name).Attr() })
			remedyVersions(e, diags) // of module calls: better advice than load can give
			m.report(diags...)
		}
		if e.Rule.Check != 0 {
			checks[e.Rule.Check].afterAll(m, e)
		}
	}
}

// isJudgedByLoad reports whether load has judged the arguments of a merged item together: it does so for a single
// block that no override can change.
func (m *merger) isJudgedByLoad(e *MergedItem) bool {
	if len(e.Live) != 1 || e.IsOverridden() {
		return false
	}
	b, ok := e.Live[0].(*source.Block)
	return ok && !b.File.IsAddressed(b.File.IndexOf(b))
}
