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

// advise notes that a diagnostic has a remedy. It returns the diagnostic.
func (m *merger) advise(d *hcl.Diagnostic, r remedy) *hcl.Diagnostic {
	if r.target != nil {
		m.advised = append(m.advised, untriedRemedy{d, r})
	}
	return d
}

// remedy describes how to do in a primary file what an override can't.
func (m *merger) remedy(c *MergedBody, e *MergedItem, r *rules.Rule, it source.Item) remedy {
	_, isBlock := it.(*source.Block)
	isThere := e != nil && e.InEffect()
	switch {
	case r.Unused:
		return remedy{text: "Remove it."}
	case r.TofuOnly:
		return remedy{text: remedyTofuOnly(it)}
	case r.Unless.Passes(it) && isThere:
		return remedy{text: "Remove it at " + placeOf(e.Live[0]) + " instead."}
	case r.Unless.Passes(it):
		return remedy{text: "Remove this line."}
	case isThere && (!isBlock || c == m.root || r.Match == rules.ByLabels):
		return remedy{text: "Change it at " + placeOf(e.Live[0]) + " instead."}
	}
	if home, way := m.primaryBlock(c, it); home != nil {
		text := fmt.Sprintf("Move it to the %s block at %s.", diag.Escape(home.Type), placeOf(home))
		return remedy{text, it, r, home, way}
	}
	return remedy{text: "Move it to a primary file."}
}

// primaryBlock is the innermost block of a primary file that an item of an override is
// for, or nil, and those blocks around the item that are not there.
func (m *merger) primaryBlock(c *MergedBody, it source.Item) (home *source.Block, way []*source.Block) {
	if it.Within() == nil || c == nil {
		return nil, nil
	}
	if home = c.primaryPart(); home != nil {
		return home, nil
	}
	top := it.Within()
	for ; top.Within() != nil; top = top.Within() {
		way = append(way, top)
	}
	slices.Reverse(way)
	if e := m.topItem(top); e != nil {
		return e.Inner().primaryPart(), way
	}
	return nil, nil
}

// primaryPart is the first block of a body if that is in a primary file, else nil.
func (c *MergedBody) primaryPart() *source.Block {
	if c != nil && len(c.Parts) > 0 && c.Parts[0].Source().Role == source.Primary {
		return c.Parts[0]
	}
	return nil
}

// topItem is the item that a top-level block of an override addresses, or nil.
func (m *merger) topItem(top *source.Block) *MergedItem {
	key, _ := m.root.key(top, false)
	if e := m.root.claim(key); e != nil {
		return e
	}
	return m.aliasTargets[key]
}

// maxTried is how many bytes of blocks are judged to try remedies, besides the size of the module.
const maxTried = 1 << 20

// tryRemedies replaces remedies if an item can't be moved. Beyond the limit, the message states
// that a move was not tried.
func (m *merger) tryRemedies() {
	budget := maxTried
	for _, f := range m.src.Files {
		budget += len(f.Native)
	}
	for _, a := range m.advised {
		at := source.Top(a.target).Extent()
		budget -= 2 * (at.End.Byte - at.Start.Byte)
		other := untried(a.text)
		if budget >= 0 {
			other = m.instead(a.remedy)
		}
		if other != "" {
			a.Detail = strings.Replace(a.Detail, a.text, other, 1)
		}
	}
}

// untried is a remedy that was not tried, so the engine may not accept it.
func untried(text string) string {
	return strings.TrimSuffix(text, ".") + ", if the engine accepts it there: in a module this large, not every remedy is tried."
}

// instead is what to do if an item can't be moved as it is; empty if it can.
func (m *merger) instead(r remedy) string {
	place := fmt.Sprintf("the %s block at %s", diag.Escape(r.target.Type), placeOf(r.target))
	if rival := m.rival(m.topItem(source.Top(r.it)), r.rule.Path); rival != nil {
		return fmt.Sprintf("Remove it. To use it instead of %s at %s, remove that and move this to %s.", rival.Key.Name, placeOf(rival.Live[0]), place)
	}
	if d := language.Refusal(r.target, r.path, r.it); d != nil {
		return fmt.Sprintf("Remove it. It can't be moved to %s as that is: %s.", place, d.Detail[:diag.EndOfSentence(d.Detail)])
	}
	return ""
}

// rival is an effective item that an item at path would exclude, or be excluded by; nil if there is
// none.
func (m *merger) rival(top *MergedItem, path string) *MergedItem {
	if top == nil {
		return nil
	}
	own := strings.TrimPrefix(path, top.Path+"/")
	for _, r := range m.rules.Ranked[top.Path] {
		others := r.Outranks
		switch ranked := strings.TrimPrefix(r.Path, top.Path+"/"); {
		case ranked == own:
		case slices.Contains(r.Outranks, own):
			others = []string{ranked}
		default:
			continue
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

// nearest finds a similarly named declaration of the same rule: its address and the item.
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

// candidates lists the declarations of a rule in a body, by address.
func candidates(m *merger, c *MergedBody, r *rules.Rule) map[string]source.Item {
	found := map[string]source.Item{}
	note := func(it source.Item) {
		if k, rule := c.key(it, false); rule == r {
			found[address(r, k)] = it
		}
	}
	if c == m.root {
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

func missing(m *merger, c *MergedBody, r *rules.Rule, k Key, it source.Item) *hcl.Diagnostic {
	addr := address(r, k)
	near, item := nearest(m, c, r, addr)
	detail := fmt.Sprintf("No primary file declares %s.", addr)
	if r.Orphan == rules.AddUnaliased {
		detail += " An override file can add only a default provider configuration, one without alias."
	}
	what := "block"
	if _, isAttr := it.(*source.Attr); isAttr {
		what = "argument"
	}
	if item != nil {
		detail += fmt.Sprintf(" Did you mean %s at %s? If not, declare it in a primary file, or remove this %s.", near, placeOf(item), what)
	} else {
		detail += fmt.Sprintf(" Declare it in a primary file, or remove this %s.", what)
	}
	d := diag.New(it.Header(), r.Missing, "%s%s", detail, trapOfName(it.Source()))
	if item == nil {
		return diag.WithCode(NoBase, d)
	}
	diag.WithRelated(diag.Related{Note: "similar name", Range: item.Header(), IsHint: true}, d)
	return d
}

// undecided handles a name that is an argument in one layer and nested blocks in the other. Only
// the provider's schema decides which one is in effect; without it, the argument is assumed,
// whichever is later.
func (m *merger) undecided(e *MergedItem, g *group) bool {
	if !e.InEffect() {
		return false
	}
	old, was := e.Live[0].(*source.Attr)
	later, is := g.items[0].(*source.Attr)
	if meaning := m.src.Schema.Meaning(g.items[0]); was != is && meaning != providerschema.Unknown {
		return m.decided(e, g, meaning)
	}
	switch {
	case is && later.IsVoid() && source.IsGuess(later) && !was:
		m.leave(e, g)
		return true
	case is && later.IsVoid() && source.IsGuess(later) && source.IsGuess(old) && !old.IsVoid():
		m.unsure(voidAsArgument, e, later)
		return false
	case was == is, source.IsGuess(e.Live[0]) || source.IsGuess(g.items[0]):
		return false // the two can be meant for the same
	}
	if !was && IsEmpty(later) {
		m.report(mayDrop(e, later, "tofumerge takes the argument, not the blocks."))
		return false
	}
	if !was {
		m.unsure(argumentOverBlocks, e, g.items[0])
		return false
	}
	m.unsure(blocksOverArgument, e, g.items[0])
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Undecided, Rule: g.rule}.because(e.Live[0]))
	}
	return true
}

// leave lets the earlier items stay where a later one may mean no block
// at all, which hides none.
func (m *merger) leave(e *MergedItem, g *group) {
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Undecided, Rule: g.rule}.because(e.Live[0]))
		m.report(mayDrop(e, it, "tofumerge keeps the blocks."))
	}
}

// decided handles such a name if the schema classifies it. An argument stays whatever blocks come
// later, and blocks stay whatever argument does.
func (m *merger) decided(e *MergedItem, g *group, meaning providerschema.Meaning) bool {
	_, isAttr := g.items[0].(*source.Attr)
	if isAttr == (meaning == providerschema.Argument) {
		return false
	}
	for _, it := range g.items {
		e.step(Step{Item: it, Effect: effect.Ignored, Rule: g.rule}.because(e.Live[0]))
		m.report(otherKind(e, it, isAttr))
	}
	return true
}

// IsEmpty reports whether an argument is null or a list without elements: if the name means nested
// blocks, it declares none.
func IsEmpty(a *source.Attr) bool { return rules.EmptyList.Passes(a) || rules.Null.Passes(a) }

// idle handles a JSON null or [] in place of nested blocks. Native files may write blocks of that
// name for an argument, so the value may remove them as well.
func (m *merger) idle(e *MergedItem, a *source.Attr) {
	if !source.IsGuess(a) {
		e.step(Step{Item: a, Effect: effect.Ignored, Rule: e.Rule})
		return
	}
	var d *hcl.Diagnostic
	if e.InEffect() && e.Attr() == nil {
		e.step(Step{Item: a, Effect: effect.Undecided, Rule: e.Rule}.because(e.Live[0]))
		d = mayDrop(e, a, "tofumerge keeps the blocks.")
	} else {
		e.step(Step{Item: a, Effect: effect.Ignored, Rule: e.Rule})
		d = jsonsyntax.VoidBlock(a.Name, source.Where(a))
	}
	m.unwritten[d] = source.Where(a)
	m.report(d)
}

// unsure warns that an item and the replaced one may be an argument or nested blocks.
func (m *merger) unsure(k ambiguityKind, e *MergedItem, it source.Item) {
	if d := m.doubts.add(k, e, it); d != nil {
		m.report(d)
	}
}
