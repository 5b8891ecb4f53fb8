package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Remedies for items that an override file can't contain or that have no effect there. A remedy
// that would cause an error is useless, so moves to a primary file are tried.

// rememberRemedy notes that diagnostic d advises to move an item, so that tryRemedies tries the move. It returns d.
func (m *merger) rememberRemedy(d *hcl.Diagnostic, r remedy) *hcl.Diagnostic {
	if r.target != nil {
		m.untried = append(m.untried, untriedRemedy{d, r})
	}
	return d
}

// remedy returns what to do about item it, which an override file can't contain or which has no effect there by
// rule r: mostly to set the same in a primary file. c and e are the body and the merged item that it addresses, or
// nil.
func (m *merger) remedy(c *MergedBody, e *MergedItem, r *rules.Rule, it source.Item) remedy {
	_, isBlock := it.(*source.Block)
	isThere := e != nil && e.InEffect() // then e.Live[0] is what to change instead
	// Whether e has one item only. Nested blocks of a type without labels may be several.
	isOne := !isBlock || c == m.root || r.Match == rules.ByLabels
	switch {
	case r.Unused:
		return remedy{text: "Remove it."}
	case r.TofuOnly:
		return remedy{text: remedyTofuOnly(it)}
	case r.Unless.Passes(it) && isThere: // a value such as null was meant to unset the earlier one
		return remedy{text: "Remove it at " + placeOf(e.Live[0]) + " instead."}
	case r.Unless.Passes(it): // such a value, but there is nothing to unset
		return remedy{text: "Remove this line."}
	case isThere && isOne:
		return remedy{text: "Change it at " + placeOf(e.Live[0]) + " instead."}
	}
	if target, path := m.primaryBlock(c, it); target != nil {
		text := fmt.Sprintf("Move it to the %s block at %s.", diag.Escape(target.Type), placeOf(target))
		return remedy{text: text, it: it, rule: r, target: target, path: path}
	}
	return remedy{text: "Move it to a primary file."}
}

// primaryBlock returns where an override's item could be moved to: into block target of a primary file, or nil.
// Usually that is the primary file's part of body c, and path is empty. If only the override has the block around the
// item, such as lifecycle, target is the top-level block that it addresses, and path lists the override's blocks in
// there that must move along, outermost first: [lifecycle].
func (m *merger) primaryBlock(c *MergedBody, it source.Item) (target *source.Block, path []*source.Block) {
	if it.Within() == nil || c == nil {
		return nil, nil
	}
	if target = c.primaryPart(); target != nil {
		return target, nil
	}
	// No primary file has the block around the item, so all blocks below the top-level one must move along.
	top := it.Within()
	for ; top.Within() != nil; top = top.Within() {
		path = append(path, top)
	}
	slices.Reverse(path)
	if e := m.topItem(top); e != nil {
		return e.Inner().primaryPart(), path
	}
	return nil, nil
}

// primaryPart returns the first part of a body if that is in a primary file, else nil.
func (c *MergedBody) primaryPart() *source.Block {
	if c != nil && len(c.Parts) > 0 && c.Parts[0].Source().Role == source.Primary {
		return c.Parts[0]
	}
	return nil
}

// topItem returns the merged item that a top-level block of an override file addresses, or nil. It may be nested in
// another block, as the data block inside a check.
func (m *merger) topItem(top *source.Block) *MergedItem {
	key, _ := m.root.key(top, false) // not escaped
	if e := m.root.claim(key); e != nil {
		return e
	}
	return m.aliasTargets[key]
}

// maxTried is how many bytes of blocks are judged to try remedies, besides the size of the module.
const maxTried = 1 << 20

// tryRemedies tries the moves that diagnostics advise, and corrects the message if the engine would refuse the
// result. Judging a move costs time in proportion to the block it goes to; once the budget is used up, messages
// state that it wasn't tried.
func (m *merger) tryRemedies() {
	budget := maxTried // grows with the module, because reading that takes as long
	for _, f := range m.src.Files {
		budget += len(f.Native)
	}
	for _, a := range m.untried {
		at := source.Top(a.target).Extent()
		budget -= 2 * (at.End.Byte - at.Start.Byte) // the block is judged with and without the item
		corrected := untried(a.text)
		if budget >= 0 {
			corrected = m.correctedRemedy(a.remedy)
		}
		if corrected != "" { // otherwise the move works, and the text stays
			a.Detail = strings.Replace(a.Detail, a.text, corrected, 1)
		}
	}
}

// untried returns the text of a remedy with the reservation that the remedy wasn't tried.
func untried(text string) string {
	return strings.TrimSuffix(text, ".") + ", if the engine accepts it there: in a module this large, not every remedy is tried."
}

// correctedRemedy returns what to do instead if the engine would refuse the move that r advises; "" if it wouldn't.
func (m *merger) correctedRemedy(r remedy) string {
	place := fmt.Sprintf("the %s block at %s", diag.Escape(r.target.Type), placeOf(r.target))
	// The block may have an item that excludes this one, as count excludes for_each.
	if rival := m.rival(m.topItem(source.Top(r.it)), r.rule.Path); rival != nil {
		return fmt.Sprintf("Remove it. To use it instead of %s at %s, remove that and move this to %s.", rival.Key.Name, placeOf(rival.Live[0]), place)
	}
	if d := language.Refusal(r.target, r.path, r.it); d != nil {
		reason := d.Detail[:diag.EndOfSentence(d.Detail)] // the first sentence
		return fmt.Sprintf("Remove it. It can't be moved to %s as that is: %s.", place, reason)
	}
	return ""
}

// rival returns an effective item in top that excludes an item at path or would be excluded by it: for_each, if path
// is resource/count. It returns nil if there is none, or if top is nil.
func (m *merger) rival(top *MergedItem, path string) *MergedItem {
	if top == nil {
		return nil
	}
	own := strings.TrimPrefix(path, top.Path+"/") // the path of the item inside top, such as count
	for _, r := range m.rules.Ranked[top.Path] {
		winner := strings.TrimPrefix(r.Path, top.Path+"/") // relative to top, as the losers in r.Outranks are
		var others []string
		switch {
		case winner == own:
			others = r.Outranks
		case slices.Contains(r.Outranks, own):
			others = []string{winner}
		}
		for _, other := range others {
			if e := top.Inner().lookup(other); e != nil && e.InEffect() {
				return e
			}
		}
	}
	return nil
}

// maxHints is for how many missing names a run looks for similar ones.
const maxHints = 20

// nearest returns the address and the item of a declaration in c, under rule r, whose name resembles addr, which
// may be a misspelling of it; "" and nil if there is none, or if maxHints are used up.
func nearest(m *merger, c *MergedBody, r *rules.Rule, addr string) (string, source.Item) {
	if m.hints++; m.hints > maxHints {
		return "", nil
	}
	key := candidatesKey{c, r}
	known, ok := m.similar[key]
	if !ok {
		known.items = candidates(m, c, r)
		known.names = slices.Sorted(maps.Keys(known.items))
		m.similar[key] = known
	}
	name := spelling.Nearest(addr, known.names)
	return name, known.items[name]
}

// candidates lists, by address, the declarations in primary files that follow rule r in a body: the names that a
// misspelt one may mean. In the root, they include items inside other blocks that top-level blocks may address.
func candidates(m *merger, c *MergedBody, r *rules.Rule) map[string]source.Item {
	found := map[string]source.Item{}
	note := func(it source.Item) {
		if k, rule := c.key(it, false); rule == r {
			found[address(r, k)] = it
		}
	}
	if c == m.root { // its parts don't hold the top-level blocks, the files do
		for _, f := range m.src.Files {
			for i := range f.Len() {
				if f.Role == source.Primary {
					note(f.Block(i))
				}
			}
		}
		for k, e := range m.aliasTargets {
			if ruleOf(c.kind, k) == r {
				found[address(r, k)] = e.Live[0]
			}
		}
		return found
	}
	for _, p := range c.Parts {
		for _, it := range p.Items() {
			if it.Source().Role == source.Primary {
				note(it)
			}
		}
	}
	return found
}

// missing is the error about an item of an override file whose address, made of rule r and key k, no primary file
// declares. It suggests a similar name.
func missing(m *merger, c *MergedBody, r *rules.Rule, k Key, it source.Item) *hcl.Diagnostic {
	addr := address(r, k)
	nearName, item := nearest(m, c, r, addr)
	detail := fmt.Sprintf("No primary file declares %s.", addr)
	if r.Orphan == rules.AddUnaliased {
		detail += " An override file can add only a default provider configuration, one without alias."
	}
	what := "block" // that is to be removed
	if _, isAttr := it.(*source.Attr); isAttr {
		what = "argument"
	}
	if item != nil {
		detail += fmt.Sprintf(" Did you mean %s at %s? If not, declare it in a primary file, or remove this %s.", nearName, placeOf(item), what)
	} else {
		detail += fmt.Sprintf(" Declare it in a primary file, or remove this %s.", what)
	}
	// trapOfName is a sentence, if the name of the file may have made it an override file by mistake.
	d := diag.New(it.Header(), r.Missing, "%s%s", detail, trapOfName(it.Source()))
	if item != nil {
		diag.WithRelated(diag.Related{Note: "similar name", Range: item.Header(), IsHint: true}, d)
	}
	return d
}

// decideKind handles a group that is an argument where nested blocks are in effect in e, or the other way round.
// Only the provider's schema knows which the engine uses; without a schema, the argument is assumed, be it the
// earlier or the later. It returns true if the group was handled and the effective items stay; false if the caller
// should let the group replace them:
//
//	effective    later        without a schema
//	blocks       JSON [],null the blocks stay: the value may mean none
//	argument     JSON [],null replaced; a warning if both may also be blocks
//	same kind                 replaced
//	other kind in JSON, where the form of a value may mislead: replaced
//	blocks       argument     replaced, with a warning
//	argument     blocks       the argument stays, with a warning
func (m *merger) decideKind(e *MergedItem, g *group) bool {
	if !e.InEffect() {
		return false
	}
	// old and later are nil if they are blocks.
	old, wasAttr := e.Live[0].(*source.Attr)
	later, isAttr := g.items[0].(*source.Attr)
	if meaning := m.src.Schema.Meaning(g.items[0]); wasAttr != isAttr && meaning != providerschema.Unknown {
		return m.decideBySchema(e, g, meaning)
	}
	// In JSON, often only the form of a value tells an argument from blocks. null and [] may stand for either.
	isUnclearVoid := isAttr && later.IsVoid() && source.IsGuess(later)
	switch {
	case isUnclearVoid && !wasAttr:
		m.leaveUndecided(e, g) // as blocks, it means none
		return true
	case isUnclearVoid && source.IsGuess(old) && !old.IsVoid(): // old is an argument here
		m.warnAmbiguous(voidAsArgument, e, later) // both may be arguments, or both blocks
		return false
	case wasAttr == isAttr, source.IsGuess(e.Live[0]) || source.IsGuess(g.items[0]):
		return false // the two can be meant for the same
	// From here on, one is an argument, the other is nested blocks, and both are clearly written so.
	case isAttr && IsEmpty(later):
		m.report(mayDrop(e, later, "tofumerge takes the argument, not the blocks."))
		return false
	case isAttr:
		m.warnAmbiguous(argumentOverBlocks, e, later)
		return false
	}
	// The earlier argument stays, and the later blocks aren't printed.
	m.warnAmbiguous(blocksOverArgument, e, g.items[0])
	for _, it := range g.items {
		e.addStep(Step{Item: it, Effect: effect.Undecided, Rule: g.rule}.because(e.Live[0]))
	}
	return true
}

// leaveUndecided keeps the nested blocks in effect in e. The group is a null or [] in JSON: if the name means nested
// blocks, it stands for none, and removes none; if it means an argument, it replaces them. Only the provider's schema
// knows which, so the effect counts as undecided.
func (m *merger) leaveUndecided(e *MergedItem, g *group) {
	for _, it := range g.items {
		e.addStep(Step{Item: it, Effect: effect.Undecided, Rule: g.rule}.because(e.Live[0]))
		m.report(mayDrop(e, it, "tofumerge keeps the blocks."))
	}
}

// decideBySchema handles a group that differs in kind, argument or blocks, from the effective items, if the schema
// knows what the name means. A group of the wrong kind is ignored. For one of the right kind, decideBySchema
// returns false, and the group replaces the effective items.
func (m *merger) decideBySchema(e *MergedItem, g *group, meaning providerschema.Meaning) bool {
	_, isAttr := g.items[0].(*source.Attr)
	if isAttr == (meaning == providerschema.Argument) {
		return false
	}
	for _, it := range g.items {
		e.addStep(Step{Item: it, Effect: effect.Ignored, Rule: g.rule}.because(e.Live[0]))
		m.report(otherKind(e, it, isAttr))
	}
	return true
}

// IsEmpty reports whether an argument is null or an empty list: if its name means nested blocks, it declares
// none.
func IsEmpty(a *source.Attr) bool { return rules.EmptyList.Passes(a) || rules.Null.Passes(a) }

// noteVoid adds a step for a JSON null or [] that stands for no nested block of e, and so has no effect. If the name
// may also be an argument, it warns. With earlier blocks, the value may remove these, which remains undecided.
// Without them, it is ignored, since it declares no block. The file's native text lacks the value, so the position of
// the warning is kept in m.unwritten.
func (m *merger) noteVoid(e *MergedItem, a *source.Attr) {
	if !source.IsGuess(a) { // the name certainly means nested blocks
		e.addStep(Step{Item: a, Effect: effect.Ignored, Rule: e.Rule})
		return
	}
	var d *hcl.Diagnostic
	hasBlocks := e.InEffect() && e.Attr() == nil
	if hasBlocks {
		e.addStep(Step{Item: a, Effect: effect.Undecided, Rule: e.Rule}.because(e.Live[0]))
		d = mayDrop(e, a, "tofumerge keeps the blocks.")
	} else {
		e.addStep(Step{Item: a, Effect: effect.Ignored, Rule: e.Rule})
		d = jsonsyntax.VoidBlock(a.Name, source.Where(a))
	}
	m.unwritten[d] = source.Where(a)
	m.report(d)
}

// warnAmbiguous warns that only the provider's schema decides between an override's item and the earlier items of
// e, one of which is an argument and the other nested blocks.
func (m *merger) warnAmbiguous(k ambiguityKind, e *MergedItem, it source.Item) {
	if d := m.ambiguities.add(k, e, it); d != nil {
		m.report(d)
	}
}
