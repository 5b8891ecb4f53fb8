package merge

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// Why describes in a sentence the effect of the deciding rule on the item.
func (o Outcome) Why() string {
	why, _ := o.why()
	return why
}

// Sentence is Why with the releases that the rule holds for.
func (o Outcome) Sentence() string {
	why, isScoped := o.why()
	if isScoped {
		return why
	}
	return o.Rule.Scoped(why)
}

// IsPlain reports whether Sentence only states that another item replaced this one.
func (o Outcome) IsPlain() bool { return rules.IsPlain(o.Sentence()) }

// why is Why, and whether it names the releases that it is true of.
func (o Outcome) why() (text string, isScoped bool) {
	a, isAttr := o.Item.(*source.Attr)
	switch {
	case o.Status == effect.StatusUndecided && isAttr && a.IsVoid():
		return "In JSON, null or [] for a nested block means no block, and replaces none; for an argument it replaces all.", true
	case o.Status == effect.StatusNoEffect && isAttr && a.IsVoid():
		return "In JSON, null or [] for a nested block means no block, and replaces none.", true
	case o.Status == effect.StatusNoEffect && !isAttr && o.Rule.OmitEmpty:
		return "Nothing in it has an effect.", true
	case o.Status == effect.StatusNoEffect && o.Rule.Kept != "" && o.By != nil:
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

func (e *MergedItem) allOutcomes() *outcomes {
	if kept := e.asked.Load(); kept != nil {
		if known := kept.outcomes.Load(); known != nil && known.steps == len(e.Steps) {
			return known
		}
	}
	ended := enders(e.Steps)
	known := &outcomes{steps: len(e.Steps), list: make([]Outcome, 0, len(e.Steps))}
	for i, s := range e.Steps {
		if s.Item != nil {
			known.list = append(known.list, e.outcome(s, ended[i]))
		}
	}
	if len(e.Steps) > fewSteps {
		e.answers().outcomes.Store(known)
	}
	return known
}

// outcome returns the outcome of a step's item. ender is the later step that ended its effect, or
// nil.
func (e *MergedItem) outcome(s Step, ender *Step) Outcome {
	o := Outcome{Item: s.Item, Effect: s.Effect, Rule: s.Rule}
	if by := s.By(); by != s.Item {
		o.By = by
	}
	switch lost := s.Effect.Lost(); {
	case lost != "":
		o.Status = lost
		return o
	case e.Has(s.Item):
		o.Status = effect.StatusEffective
		if s.Rule.TofuOnly && !s.Item.Source().Tofu {
			o.Status = effect.StatusNoEffect // it is printed, for those who read it
		}
		if e.Inner() != nil {
			o.Status = effect.StatusMerged
		}
	case ender != nil:
		o.Status, o.By, o.Rule = ender.Effect.Ends(), ender.By(), ender.Rule
	case e.InEffect() && e.Inner() != nil:
		o.Status = effect.StatusMerged
	default:
		o.Status = effect.StatusNoEffect
		if e.InEffect() {
			o.By = e.Live[0]
		}
	}
	return o
}

// enders lists, of each step, the later one that put an end to what its item was, nil if none did.
func enders(steps []Step) []*Step {
	list := make([]*Step, len(steps))
	clearing := len(steps) // the next step that replaces or removes everything earlier
	next := len(steps)     // the next one that replaces
	beyond := len(steps)   // the next one behind that whose item came with another block
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		at := next
		switch {
		case s.Effect == effect.Extended:
			at = len(steps)
		case s.Item != nil && next < len(steps) && ShareOrigin(s.Item, steps[next].Item):
			at = beyond
		}
		if at = min(at, clearing); at < len(steps) {
			list[i] = &steps[at]
		}
		switch s.Effect {
		case effect.Hidden, effect.Cleared:
			clearing = i
		case effect.Replaced, effect.Added:
			if next < len(steps) && !ShareOrigin(s.Item, steps[next].Item) {
				beyond = next
			}
			next = i
		}
	}
	return list
}

// Before lists the effective items before the item of an outcome: the latest items from one origin.
// i is the outcome's index.
func (e *MergedItem) Before(i int) []source.Item {
	known := e.allOutcomes()
	list := known.before.Load()
	if list == nil {
		made := before(known.list)
		list = &made
		known.before.Store(list)
	}
	return (*list)[i]
}

// before lists the effective items before each of some outcomes.
func before(outcomes []Outcome) [][]source.Item {
	list := make([][]source.Item, len(outcomes))
	groups := map[origin][]source.Item{}
	var last []source.Item
	for i, o := range outcomes {
		list[i] = last[:len(last):len(last)]
		if o.Effect != effect.Defined && o.Effect != effect.Added && o.Effect != effect.Replaced || o.Status == effect.StatusNoEffect {
			continue
		}
		var with origin // empty for all items of primary files
		if source.IsOverride(o.Item) {
			with = originOf(o.Item)
		}
		groups[with] = append(groups[with], o.Item)
		last = groups[with]
	}
	return list
}

// Losers returns the items of the merged item that the effective one replaced.
func (e *MergedItem) Losers(winner source.Item) []source.Item {
	var list []source.Item
	for _, o := range e.Outcomes() {
		if o.Status == effect.StatusReplaced && o.Item != winner {
			list = append(list, o.Item)
		}
	}
	return list
}

// Layers groups the losers by layer, in order: the primary files, and each block of an override.
func (e *MergedItem) Layers(winner source.Item) [][]source.Item {
	var layers [][]source.Item
	for _, it := range e.Losers(winner) {
		if n := len(layers); n > 0 && isOneLayer(layers[n-1][0], it) {
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

// IsOverridden reports whether an override file addressed the merged item itself, even without
// effect.
func (e *MergedItem) IsOverridden() bool {
	// Overrides come last, and there may be thousands of primary blocks before them.
	for _, s := range slices.Backward(e.Steps) {
		if s.Item != nil && s.Item.Source().Role == source.Override || s.By() != nil && s.By().Source().Role == source.Override {
			return true
		}
	}
	return false
}

// Computed is the step that computed the text in effect, or nil.
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

// Words returns, for people, what became of the item.
func (o Outcome) Words() string {
	part := o.Effect.OfBlock()
	switch {
	case o.Status == effect.StatusMerged && part != "":
		return part
	case o.Status == effect.StatusHidden && o.Rule.Wins == "": // by the item printed instead
		return effect.StatusReplaced.Words()
	case o.Status == effect.StatusReplaced && source.IsOverride(o.Item):
		return "superseded"
	}
	return o.Status.Words()
}
