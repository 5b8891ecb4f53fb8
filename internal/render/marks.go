package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// What marks say. A mark is "# WORD: PLACE DETAIL": what an override did, where
// it stands, and more for people.

// A mark is a comment about one item.
type mark struct {
	kind   kindOfMark
	place  string
	detail string
	more   string // a second line
}

func (k mark) String() string {
	text := fmt.Sprintf("# %s: %s", k.kind, k.place)
	if k.detail != "" {
		text += " " + k.detail
	}
	return text
}

// lines are the mark and its second line, at an indentation.
func (k mark) lines(indent, eol string) string {
	text := indent + k.String() + eol
	if k.more != "" {
		text += indent + k.more + eol
	}
	return text
}

func isOverride(it load.Item) bool { return it.Source().Role == load.Override }

// argument is the mark of an argument in effect, if an override had a part in it.
func (t teller) argument(c *merge.Content, e *merge.Entry, a *load.Attr) (mark, bool) {
	computed := e.Computed()
	if !isOverride(a) && computed == nil {
		return mark{}, false
	}
	by, earlier := load.Item(a), losers(e, a)
	if !isOverride(a) {
		by, earlier = computed.By, []load.Item{a}
	}
	var notes []string
	if len(earlier) > 0 {
		notes = append(notes, t.was(a, earlier))
	}
	if computed != nil {
		notes = append(notes, computedFrom(computed))
	}
	notes = append(notes, t.hides(c, a)...)
	m := mark{kind: markOverride, place: placeText(by)}
	if len(earlier) == 0 {
		m.kind = markAdded
	}
	if len(notes) > 0 {
		m.detail = "(" + strings.Join(notes, "; ") + ")"
	}
	return m, true
}

// losers are the items that an entry had in effect before the one that is.
func losers(e *merge.Entry, winner load.Item) []load.Item {
	var list []load.Item
	for _, o := range e.Outcomes() {
		if o.Status == merge.Superseded && o.Item != winner {
			list = append(list, o.Item)
		}
	}
	return list
}

// was words the earlier values of an argument, oldest first.
func (t teller) was(a *load.Attr, earlier []load.Item) string {
	if !slices.ContainsFunc(earlier, func(it load.Item) bool { return it == load.Item(a) || !merge.Same(it, a) }) {
		return "same as " + placeText(earlier[0])
	}
	var words []string
	for _, it := range earlier {
		words = append(words, t.earlier(it)+" at "+placeText(it))
	}
	return "was " + some(words, "; ")
}

// hides words what gives way to an item, for lack of a successor of its own.
func (t teller) hides(c *merge.Content, it load.Item) []string {
	var words []string
	eachHidden(c, it, func(loser load.Item) {
		words = append(words, fmt.Sprintf("hides %s at %s", load.Escape(loser.Called()), placeText(loser)))
	})
	return words
}

// eachHidden visits what has no effect because of an item, beside it or inside
// what stands beside it.
func eachHidden(c *merge.Content, winner load.Item, visit func(load.Item)) {
	for _, e := range c.Entries {
		for _, o := range e.Outcomes() {
			if o.Status == merge.Outdone && o.By == winner && e.Inner == nil {
				visit(o.Item)
			}
		}
		if e.Inner != nil {
			eachHidden(e.Inner, winner, visit)
		}
	}
}

// blocks is the mark of the first of the nested blocks in effect, which an
// override brought as a whole.
func (t teller) blocks(c *merge.Content, e *merge.Entry) mark {
	first := e.Live[0]
	earlier := losers(e, first)
	eachHidden(c, first, func(it load.Item) { earlier = append(earlier, it) })
	m := mark{kind: markReplaced, place: placeText(first)}
	switch {
	case len(earlier) == 0:
		m.kind = markAdded
	case slices.EqualFunc(e.Live, earlier, merge.Same):
		m.detail = "(same as " + placeText(earlier[0]) + ")"
	default:
		m.detail = "replaces " + countOf(earlier)
		if dropped := Dropped(e.Live, earlier); len(dropped) > 0 {
			m.more = "#   dropped: " + strings.Join(dropped, ", ")
		}
	}
	return m
}

// countOf words how many blocks of which type there are, and where.
func countOf(items []load.Item) string {
	var words []string
	for len(items) > 0 {
		name := items[0].Called()
		var places []string
		rest := slices.DeleteFunc(slices.Clone(items), func(it load.Item) bool {
			if it.Called() != name {
				return false
			}
			places = append(places, placeText(it))
			return true
		})
		noun := load.Escape(name) + " block"
		if _, isAttr := items[0].(*load.Attr); isAttr {
			noun = load.Escape(name) + " argument"
		}
		words = append(words, fmt.Sprintf("%s (%s)", plural(len(places), noun), some(places, ", ")))
		items = rest
	}
	return strings.Join(words, ", ")
}

// Dropped lists the names inside of earlier blocks that none of the blocks has
// which took their place, in source order.
func Dropped(blocks, earlier []load.Item) []string {
	kept := map[string]bool{}
	for _, name := range namesIn(blocks) {
		kept[name] = true
	}
	var dropped []string
	for _, name := range namesIn(earlier) {
		if !kept[name] {
			dropped = append(dropped, load.Escape(name))
			kept[name] = true
		}
	}
	return dropped
}

// namesIn lists the names inside of blocks; those of what a dynamic block makes
// stand in its content.
func namesIn(items []load.Item) []string {
	var names []string
	for _, it := range items {
		b, ok := it.(*load.Block)
		if !ok {
			continue
		}
		for _, inner := range load.ContentOf(b.Tree()).Body.Items {
			names = append(names, inner.Called())
		}
	}
	return names
}

// idle lists the marks of what overrides meant for a body without effect: for
// the body itself and for blocks in it that are not printed.
func (t teller) idle(c *merge.Content, prefix string) []mark {
	var list []mark
	for _, e := range c.Entries {
		for _, o := range e.Outcomes() {
			if m, ok := t.idleMark(prefix, e, o); ok {
				list = append(list, m)
			}
		}
		if e.Inner != nil && !e.In() {
			list = append(list, t.idle(e.Inner, prefix+e.Key.Name+".")...)
		}
	}
	return list
}

func (t teller) idleMark(prefix string, e *merge.Entry, o merge.Outcome) (mark, bool) {
	m := mark{kind: markNoEffect, place: placeText(o.Item)}
	what := load.Escape(prefix + e.Key.Name)
	if _, isAttr := o.Item.(*load.Attr); isAttr {
		what += " = " + t.value(o.Item)
	}
	switch {
	case o.Status == merge.TakenAway:
		return mark{kind: markOverride, place: placeText(o.By), detail: fmt.Sprintf("(removes %s, which was %s at %s)", load.Escape(e.Key.Name), t.earlier(o.Item), placeText(o.Item))}, true
	case !isOverride(o.Item):
		return mark{}, false
	case o.Status == merge.Doubtful:
		m.detail = fmt.Sprintf("%s (%s at %s is taken; only the provider's schema tells)", what, load.Escape(o.By.Called()), placeText(o.By))
	case o.Status == merge.Outdone && o.By != nil && !isOverride(o.By):
		m.detail = fmt.Sprintf("%s (%s at %s goes before it)", what, load.Escape(o.By.Called()), placeText(o.By))
	case o.Status == merge.Idle && !e.IsTold(o.Item) && !slices.Contains(e.Live, o.Item):
		m.detail = fmt.Sprintf("%s (%s)", what, whyIdle(o))
	default:
		return mark{}, false
	}
	return m, true
}

// whyIdle words in few words why an item does nothing.
func whyIdle(o merge.Outcome) string {
	switch {
	case o.By != nil:
		return "the one at " + placeText(o.By) + " stays"
	case o.Rule.TofuOnly:
		return "it counts in .tofu files only"
	case o.Rule.Unsayable:
		return "it can't be said here"
	case o.Rule.Do == merge.Drop || o.Rule.Do == merge.KeepEarlier:
		return "OpenTofu does not merge it"
	}
	return "OpenTofu ignores this value here"
}
