package annotate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The wording of marks. A mark is "# WORD: PLACE DETAIL": the effect of an override, its location,
// and more for people.

// Words makes marks and words them. It hides the values that must not be shown.
type Words struct {
	wording.Redactor
	Merged *merge.Module
}

// A Mark describes what an override did to one item.
type Mark struct {
	Kind  effect.Mark
	By    source.Item // the item of the override that did it
	Entry *merge.MergedItem
	// Earlier are the items that took effect before, unless they are equal to those that do now.
	Earlier []source.Item

	name    string // of an item that isn't printed, relative to the body that the mark is in
	detail  string // text behind the location, with unbroken in place of blanks in values
	dropped string // names that only the earlier blocks have
}

// unbroken stands for a blank in a value until lines are broken, so that no value is broken. It isn't printable,
// so no shown value has it.
const unbroken = "\ufdd0"

// restoreBlanks puts the blanks back into the values of a text, once its lines are broken.
func restoreBlanks(text string) string { return strings.ReplaceAll(text, unbroken, " ") }

// Detail returns what the mark adds to its kind and place, on one line; empty if nothing.
func (k Mark) Detail() string {
	if k.dropped != "" {
		return restoreBlanks(k.detail) + "; dropped: " + k.dropped
	}
	return restoreBlanks(k.detail)
}

// String returns the mark as a comment, without its second line.
func (k Mark) String() string { return restoreBlanks(k.text()) }

// text returns the mark as a comment, without its second line. Blanks in values are still unbroken.
func (k Mark) text() string {
	text := fmt.Sprintf("# %s: %s", k.Kind, wording.Place(k.By))
	if k.detail != "" {
		text += " " + k.detail
	}
	return text
}

// lines returns the mark, and a second line if it lists dropped names, at an indentation. Blanks in values are still
// unbroken.
func (k Mark) lines(indent, eol string) string {
	text := indent + k.text() + eol
	if k.dropped != "" {
		text += indent + "#   dropped: " + k.dropped + eol
	}
	return text
}

// argumentMark returns the mark of a, an argument of the body c; e is its entry. It reports false if a isn't in
// effect or no override had a part in it.
func (w Words) argumentMark(c *merge.MergedBody, e *merge.MergedItem, a *source.Attr) (Mark, bool) {
	if e.Attr() != a {
		return Mark{}, false
	}
	computed := e.Computed()
	if !source.IsOverride(a) && computed == nil { // the primary file's own value
		return Mark{}, false
	}
	by, earlier := originOf(c, e)
	m := Mark{Kind: effect.MarkOverride, By: by, Entry: e}
	// The argument itself is earlier if its value was converted: the new value differs then.
	differs := func(it source.Item) bool { return it == source.Item(a) || !equal.Items(it, a) }
	// First the earlier values, then what else there is to say about the new one.
	var notes []string
	switch {
	case len(earlier) == 0:
		m.Kind = effect.MarkAdded
	case !w.Redact && !slices.ContainsFunc(earlier, differs): // with Redact, "same" would reveal the value
		notes = append(notes, "same as "+wording.Some(wording.PlacesOf(earlier), ", "))
	default:
		notes = append(notes, w.earlierValues(earlier))
		m.Earlier = earlier
	}
	if computed != nil {
		notes = append(notes, w.ComputedFrom(computed))
	}
	if drops := w.Drops(a, earlier); drops != "" && computed == nil {
		notes = append(notes, drops)
	}
	// Items of other names that have no effect because a rule prefers this argument.
	c.EachHidden(e, func(loser source.Item) {
		notes = append(notes, fmt.Sprintf("%s %s at %s", wording.Outranks, diag.Escape(loser.Called()), wording.Place(loser)))
	})
	if len(notes) > 0 {
		m.detail = "(" + strings.Join(notes, "; ") + ")"
	}
	return m, true
}

// additionMark returns the mark of it, an argument that an override added in a block of its own, such as a further
// required_version.
func (w Words) additionMark(e *merge.MergedItem, it source.Item) Mark {
	m := Mark{Kind: effect.MarkAdded, By: it, Entry: e}
	for _, o := range e.Outcomes() {
		if o.Status == effect.StatusNoEffect {
			m.detail = "(" + wording.WhyIdle(o) + ")"
		}
	}
	return m
}

// originOf returns the override that set the value of an entry in effect (by), and the items that it replaced,
// directly or through other overrides (earlier). For a block, earlier includes the items of other names that it
// outranks. If no override set the value, but one caused its conversion, by is that one and earlier the unconverted
// item.
func originOf(c *merge.MergedBody, e *merge.MergedItem) (by source.Item, earlier []source.Item) {
	winner := e.Live[0]
	if made := e.Computed(); made != nil && !source.IsOverride(winner) {
		return made.By(), []source.Item{winner}
	}
	for _, o := range e.Outcomes() { // items of the same name
		if c.LostTo(o, winner) {
			earlier = append(earlier, o.Item)
		}
	}
	if _, isBlock := winner.(*source.Block); isBlock { // for an argument, argumentMark names those of other names
		c.EachHidden(e, func(it source.Item) { earlier = append(earlier, it) })
	}
	return winner, earlier
}

// earlierValue words the value of an earlier item, with unbroken for blanks so that no line is broken inside it.
func (w Words) earlierValue(it source.Item) string {
	return strings.ReplaceAll(w.Earlier(it), " ", unbroken)
}

// earlierValues words the earlier values of an argument, oldest first: was "a" at main.tf:3; "b" at a_override.tf:2.
func (w Words) earlierValues(earlier []source.Item) string {
	var words []string
	for _, it := range earlier {
		words = append(words, w.earlierValue(it)+" at "+wording.Place(it))
	}
	return "was " + wording.Some(words, "; ")
}

// replacementMark returns the mark of entry e, nested blocks that an override brought as a whole: added if there were
// none before, else replaced, with what they replace or "same as". It stands at the first of the blocks in effect.
func (w Words) replacementMark(c *merge.MergedBody, e *merge.MergedItem) Mark {
	first, earlier := originOf(c, e)
	m := Mark{Kind: effect.MarkReplaced, By: first, Entry: e}
	switch {
	case len(earlier) == 0:
		m.Kind = effect.MarkAdded
	case !w.Redact && slices.EqualFunc(e.Live, earlier, equal.Items): // with Redact, "same" would reveal the values
		m.detail = "(same as " + wording.Place(earlier[0]) + ")"
	default:
		m.Earlier = earlier
		m.detail = "replaces " + wording.ReplacedBy(e.Live, earlier)
		m.dropped = strings.Join(values.Dropped(w.Module, e.Live, earlier), ", ")
	}
	return m
}

// idleMarks lists the marks of overrides without effect to show in b, one of the blocks in which body c is printed.
// Each mark is shown once: in the block that has the item in effect of its name, else in the first block. The marks
// are about items of the body and, if the engine ignores all overrides of a top-level block, about the block itself.
// Names are relative to the body.
func (w Words) idleMarks(c *merge.MergedBody, b *source.Block) (list []Mark) {
	isFirstPrimary := b.Within() == nil && !source.IsOverride(b) && b == c.FirstPart()
	if isFirstPrimary {
		if e := w.Merged.Root.Owner(b); e != nil && e.Rule.Do == rules.Drop { // the engine ignores all overrides of it
			list = w.addIdle(list, e, "", true)
		}
	}
	for _, e := range c.ReportedIn(b) {
		if e.Rule.Do != rules.Flatten { // the items of an escaping block are entries of c themselves
			list = w.addIdle(list, e, "", false)
		}
	}
	return list
}

// addIdle adds to list the idle marks of an entry and, if it is not printed, of the entries in it. prefix precedes
// their names. isSelf gives all of them the name Self instead, for a block that the engine ignores.
func (w Words) addIdle(list []Mark, e *merge.MergedItem, prefix string, isSelf bool) []Mark {
	for _, o := range e.Outcomes() {
		if m, ok := w.idleMark(prefix+e.Key.Name, e, o); ok {
			if isSelf {
				m.name = Self
			}
			list = append(list, m)
		}
	}
	if e.Inner() != nil && !e.InEffect() {
		for _, inner := range e.Inner().Items { // not printed either; named block.argument
			list = w.addIdle(list, inner, prefix+e.Key.Name+".", isSelf)
		}
	}
	return list
}

// idleMark returns the mark of an item that isn't printed, because an override removed it, or because it is an
// override without effect. o is its outcome, e its entry and name its address in the body with the mark. It reports
// false if the item needs no mark here: it is printed, or the mark of the item that replaced it names it.
func (w Words) idleMark(name string, e *merge.MergedItem, o merge.Outcome) (Mark, bool) {
	m := Mark{name: name, Kind: effect.MarkNoEffect, By: o.Item, Entry: e}
	// o.By removed the item by leaving it out: "(removes type, which was string at main.tf:3)".
	if o.Status == effect.StatusCleared {
		m.Kind, m.By, m.Earlier = effect.MarkOverride, o.By, []source.Item{o.Item}
		m.detail = fmt.Sprintf("(removes %s, which was %s at %s)", diag.Escape(e.Key.Name), w.earlierValue(o.Item), wording.Place(o.Item))
		return m, true
	}
	why := wording.WhyNotPrinted(e, o)
	if why == "" {
		return Mark{}, false
	}
	if o.Status == effect.StatusUndecided {
		why += "; " + wording.Place(o.By) + " is printed"
	}
	// The detail is NAME = VALUE (WHY), or NAME (WHY) for a block.
	m.detail = diag.Escape(name)
	if _, isAttr := o.Item.(*source.Attr); isAttr {
		m.detail += unbroken + "=" + unbroken + w.earlierValue(o.Item)
	}
	m.detail += " (" + why + ")"
	return m, true
}

// Marks for formats without comments, by the names of their subjects, in the words of the comments
// in native text.

// Self is the name of the block itself that has marks in it.
const Self = "."

// A NamedMark is the mark of one name in a block.
type NamedMark struct{ Name, Text string }

// A list gathers marks by the names that they are about, in the order in which the names first come.
type list struct {
	names []NamedMark
	at    map[string]int
}

// add adds a mark for a name. Several marks for one name are joined.
func (l *list) add(name string, m Mark) {
	text := fmt.Sprintf("%s: %s", m.Kind, wording.Place(m.By))
	if detail := m.Detail(); detail != "" {
		text += " " + detail
	}
	if at, ok := l.at[name]; ok {
		l.names[at].Text += "; " + text
		return
	}
	if l.at == nil {
		l.at = map[string]int{}
	}
	l.at[name] = len(l.names)
	l.names = append(l.names, NamedMark{name, text})
}

// Addition returns the mark of a, an argument that an override added in a block of its own.
func (w Words) Addition(e *merge.MergedItem, a *source.Attr) []NamedMark {
	var l list
	l.add(a.Name, w.additionMark(e, a))
	return l.names
}

// Block returns the marks of block b: of its arguments, and of blocks in it that an override supplied as a whole.
// Call it separately for the other blocks in b. c is nil if the contents are unchanged. added is the block around b
// that an override added, or nil; addedInside is the one to pass as added for the blocks in b.
func (w Words) Block(c *merge.MergedBody, b, added *source.Block) (marks []NamedMark, addedInside *source.Block) {
	var l list
	isWhole := b.Within() != nil && c == nil // if so, the block around b has its mark
	if source.IsOverride(b) && !isWhole && !isInside(b, added) {
		l.add(Self, Mark{Kind: effect.MarkAdded, By: b})
		added = b // this mark covers what the block brought
	}
	if c != nil {
		w.addContents(&l, c, b, added, "")
	}
	return l.names, added
}

// addContents adds to l the marks of block b's merged contents c, with prefix before their names: what noter.noteBody
// does for native text, it does for formats without comments. The contents of an escaping block belong to the body
// around it. Items in an added block get no mark of their own for being added.
func (w Words) addContents(l *list, c *merge.MergedBody, b, added *source.Block, prefix string) {
	shared, seen := map[*merge.MergedItem]Mark{}, map[*merge.MergedItem]int{} // see wholeBlockMark and nameOf
	cameWithBlock := func(mark Mark, it source.Item) bool { return mark.Kind == effect.MarkAdded && isInside(it, added) }
	for _, m := range plan.Members(c, b) {
		name := prefix + nameOf(m, seen)
		switch it := m.Item.(type) {
		case *source.Attr:
			if mark, ok := w.argumentMark(c, m.Entry, it); ok && !cameWithBlock(mark, it) {
				l.add(name, mark)
			}
		case *source.Block:
			switch {
			case m.Entry == nil: // no override changed it
			case m.Entry.Rule.Do == rules.Flatten: // an escaping block has no mark of its own; its items have
				if it.Type == source.EscapeBlock {
					w.addContents(l, c, it, added, prefix+source.EscapeBlock+".")
				}
			case m.Entry.Inner() != nil: // merged item by item: the items have marks
			case source.IsOverride(it):
				if mark := w.wholeBlockMark(c, m, shared); !cameWithBlock(mark, it) {
					l.add(name, mark)
				}
			}
		}
	}
	for _, m := range w.idleMarks(c, b) {
		l.add(prefix+m.name, m)
	}
}

// wholeBlockMark returns the mark of m, a block of body c that an override supplied as a whole. If several blocks
// replaced others together, only the first one's mark names the replaced ones. shared caches that mark by entry.
func (w Words) wholeBlockMark(c *merge.MergedBody, m plan.BodyItem, shared map[*merge.MergedItem]Mark) Mark {
	first, isKnown := shared[m.Entry]
	if !isKnown {
		first = w.replacementMark(c, m.Entry)
		shared[m.Entry] = first
	}
	if m.Item != m.Entry.Live[0] {
		return Mark{Kind: first.Kind, By: m.Item, Entry: m.Entry}
	}
	return first
}

// nameOf returns the address of an item relative to the body around it: ingress[1]. seen counts the items of each
// entry with several items so far, and is updated.
func nameOf(m plan.BodyItem, seen map[*merge.MergedItem]int) string {
	if m.Entry == nil { // no override changed the body, so nothing is numbered
		return m.Item.Called()
	}
	name := m.Entry.Key.Name
	if m.Entry.Key.ID != "" && m.Entry.Rule.Match != rules.ByPosition {
		name += "." + m.Entry.Key.ID
	}
	if m.Escaped {
		name = source.EscapeBlock + "." + name
	}
	if len(m.Entry.Live) > 1 { // number them from 0, in the order in which they are printed
		name += fmt.Sprintf("[%d]", seen[m.Entry])
		seen[m.Entry]++
	}
	return name
}
