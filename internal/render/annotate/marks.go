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

// Words words marks. It hides the values that must not be shown.
type Words struct {
	wording.Redactor
	Merged *merge.Module
}

// A Mark describes what an override did to one item.
type Mark struct {
	Kind  effect.Mark
	By    source.Item // of the override
	Entry *merge.MergedItem
	// Earlier are the items that took effect before, unless they are equal to those that do now.
	Earlier []source.Item

	name    string // of an item that isn't printed, relative to the body that the mark is in
	detail  string
	dropped string // names that only the earlier blocks have
}

// unbroken stands for a blank in a value, so that no line is broken there. It isn't printable, so no shown value has it.
const unbroken = "\ufdd0"

// whole puts the blanks back into the values of a text, once its lines are broken.
func whole(text string) string { return strings.ReplaceAll(text, unbroken, " ") }

// Detail returns what the mark adds to its kind and place, on one line; empty if nothing.
func (k Mark) Detail() string {
	if k.dropped != "" {
		return whole(k.detail) + "; dropped: " + k.dropped
	}
	return whole(k.detail)
}

// String returns the comment on its first line.
func (k Mark) String() string { return whole(k.text()) }

// text returns the comment, with unbroken in place of the blanks in values.
func (k Mark) text() string {
	text := fmt.Sprintf("# %s: %s", k.Kind, wording.Place(k.By))
	if k.detail != "" {
		text += " " + k.detail
	}
	return text
}

// lines returns the mark and its second line, at an indentation.
func (k Mark) lines(indent, eol string) string {
	text := indent + k.text() + eol
	if k.dropped != "" {
		text += indent + "#   dropped: " + k.dropped + eol
	}
	return text
}

// argument returns the mark of an argument in effect. It reports false if no override had a part in it.
func (w Words) argument(c *merge.MergedBody, e *merge.MergedItem, a *source.Attr) (Mark, bool) {
	if e.Attr() != a {
		return Mark{}, false
	}
	computed := e.Computed()
	if !source.IsOverride(a) && computed == nil {
		return Mark{}, false
	}
	by, earlier := originOf(c, e)
	m := Mark{Kind: effect.MarkOverride, By: by, Entry: e}
	isOther := func(it source.Item) bool { return it == source.Item(a) || !equal.Items(it, a) }
	var notes []string
	switch {
	case len(earlier) == 0:
		m.Kind = effect.MarkAdded
	case !w.Redact && !slices.ContainsFunc(earlier, isOther):
		notes = append(notes, "same as "+wording.Some(wording.PlacesOf(earlier), ", "))
	default:
		notes = append(notes, w.was(earlier))
		m.Earlier = earlier
	}
	if computed != nil {
		notes = append(notes, w.ComputedFrom(computed))
	}
	if drops := w.Drops(a, earlier); drops != "" && computed == nil {
		notes = append(notes, drops)
	}
	c.EachHidden(e, func(loser source.Item) {
		notes = append(notes, fmt.Sprintf("%s %s at %s", wording.Outranks, diag.Escape(loser.Called()), wording.Place(loser)))
	})
	if len(notes) > 0 {
		m.detail = "(" + strings.Join(notes, "; ") + ")"
	}
	return m, true
}

// addition returns the mark of an argument that an override brought without any block around it.
func (w Words) addition(e *merge.MergedItem, it source.Item) Mark {
	m := Mark{Kind: effect.MarkAdded, By: it, Entry: e}
	for _, o := range e.Outcomes() {
		if o.Status == effect.StatusNoEffect {
			m.detail = "(" + wording.WhyIdle(o) + ")"
		}
	}
	return m
}

// originOf returns the override behind the value of an entry in effect, and the items whose place it took, directly or
// through others. For a block they include the items of other names that it outranks. If no override set the value, but
// one caused a conversion of it, that is returned with the unconverted item.
func originOf(c *merge.MergedBody, e *merge.MergedItem) (by source.Item, earlier []source.Item) {
	winner := e.Live[0]
	if made := e.Computed(); made != nil && !source.IsOverride(winner) {
		return made.By(), []source.Item{winner}
	}
	for _, o := range e.Outcomes() {
		if c.LostTo(o, winner) {
			earlier = append(earlier, o.Item)
		}
	}
	if _, isBlock := winner.(*source.Block); isBlock {
		c.EachHidden(e, func(it source.Item) { earlier = append(earlier, it) })
	}
	return winner, earlier
}

func (w Words) earlier(it source.Item) string {
	return strings.ReplaceAll(w.Earlier(it), " ", unbroken)
}

// was words the earlier values of an argument, oldest first.
func (w Words) was(earlier []source.Item) string {
	var words []string
	for _, it := range earlier {
		words = append(words, w.earlier(it)+" at "+wording.Place(it))
	}
	return "was " + wording.Some(words, "; ")
}

// blocks returns the mark of the first of the nested blocks in effect, which an override brought as a
// whole.
func (w Words) blocks(c *merge.MergedBody, e *merge.MergedItem) Mark {
	first, earlier := originOf(c, e)
	m := Mark{Kind: effect.MarkReplaced, By: first, Entry: e}
	switch {
	case len(earlier) == 0:
		m.Kind = effect.MarkAdded
	case !w.Redact && slices.EqualFunc(e.Live, earlier, equal.Items):
		m.detail = "(same as " + wording.Place(earlier[0]) + ")"
	default:
		m.Earlier = earlier
		m.detail = "replaces " + wording.ReplacedBy(e.Live, earlier)
		m.dropped = strings.Join(values.Dropped(w.Module, e.Live, earlier), ", ")
	}
	return m
}

// idle lists the marks of overrides without effect. A body may be printed in several blocks; these are the marks to
// show in b. They are about items of the body and, if the engine ignores all overrides of a top-level block, about the
// block itself. Names are relative to the body.
func (w Words) idle(c *merge.MergedBody, b *source.Block) (list []Mark) {
	if b.Within() == nil && !source.IsOverride(b) && b == c.FirstPart() {
		if e := w.Merged.Root.Owner(b); e != nil && e.Rule.Do == rules.Drop {
			list = w.addIdle(list, e, "", true)
		}
	}
	for _, e := range c.ReportedIn(b) {
		if e.Rule.Do != rules.Flatten {
			list = w.addIdle(list, e, "", false)
		}
	}
	return list
}

// addIdle adds the marks of an entry and, if it is not printed, of the entries in it. isSelf gives all of them the name
// Self.
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
		for _, inner := range e.Inner().Items {
			list = w.addIdle(list, inner, prefix+e.Key.Name+".", isSelf)
		}
	}
	return list
}

// idleMark returns the mark of an item that isn't printed, because an override removed it, or because it is an override
// without effect. It reports false if the item needs no mark here: it is printed, or its successor's mark names it.
func (w Words) idleMark(name string, e *merge.MergedItem, o merge.Outcome) (Mark, bool) {
	m := Mark{name: name, Kind: effect.MarkNoEffect, By: o.Item, Entry: e}
	if o.Status == effect.StatusCleared {
		m.Kind, m.By, m.Earlier = effect.MarkOverride, o.By, []source.Item{o.Item}
		m.detail = fmt.Sprintf("(removes %s, which was %s at %s)", diag.Escape(e.Key.Name), w.earlier(o.Item), wording.Place(o.Item))
		return m, true
	}
	why := wording.WhyNotPrinted(e, o)
	if why == "" {
		return Mark{}, false
	}
	if o.Status == effect.StatusUndecided {
		why += "; " + wording.Place(o.By) + " is printed"
	}
	m.detail = diag.Escape(name)
	if _, isAttr := o.Item.(*source.Attr); isAttr {
		m.detail += unbroken + "=" + unbroken + w.earlier(o.Item)
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

// add adds a mark. Several marks for one name are joined.
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

// Addition returns the mark of an argument that an override brought without any block around
// it.
func (w Words) Addition(e *merge.MergedItem, a *source.Attr) []NamedMark {
	var l list
	l.add(a.Name, w.addition(e, a))
	return l.names
}

// Block returns the marks of a block: of its arguments, and of blocks in it that an override supplied as a whole. Call
// it separately for the other blocks in it. c is nil if the contents are unchanged. added is the block around it that an
// override added, or nil; isAdded is the same for the blocks in it.
func (w Words) Block(c *merge.MergedBody, b, added *source.Block) (marks []NamedMark, isAdded *source.Block) {
	var l list
	if isWhole := b.Within() != nil && c == nil; source.IsOverride(b) && !isWhole && !isOf(b, added) {
		l.add(Self, Mark{Kind: effect.MarkAdded, By: b})
		added = b
	}
	if c != nil {
		w.addContents(&l, c, b, added, "")
	}
	return l.names, added
}

// addContents adds the marks of a block's contents, with prefix before their names. What noter.body does for native
// text, it does for formats without comments. The contents of an escaping block belong to the body around it. Items in
// an added block get no mark of their own for being added.
func (w Words) addContents(l *list, c *merge.MergedBody, b, added *source.Block, prefix string) {
	shared, seen := map[*merge.MergedItem]Mark{}, map[*merge.MergedItem]int{}
	for _, m := range plan.Members(c, b) {
		name := prefix + nameOf(m, seen)
		switch it := m.Item.(type) {
		case *source.Attr:
			if text, ok := w.argument(c, m.Entry, it); ok && !(text.Kind == effect.MarkAdded && isOf(it, added)) {
				l.add(name, text)
			}
		case *source.Block:
			switch {
			case m.Entry == nil:
			case it.Type == source.EscapeBlock && m.Entry.Rule.Do == rules.Flatten:
				w.addContents(l, c, it, added, prefix+source.EscapeBlock+".")
			case source.IsOverride(it) && m.Entry.Inner() == nil && m.Entry.Rule.Do != rules.Flatten:
				if text := w.wholeBlock(c, m, shared); !(text.Kind == effect.MarkAdded && isOf(it, added)) {
					l.add(name, text)
				}
			}
		}
	}
	for _, m := range w.idle(c, b) {
		l.add(prefix+m.name, m)
	}
}

// wholeBlock returns the mark of a block that an override supplied as a whole. Of several blocks, the
// first one's mark names the replaced ones.
func (w Words) wholeBlock(c *merge.MergedBody, m plan.BodyItem, shared map[*merge.MergedItem]Mark) Mark {
	text, known := shared[m.Entry]
	if !known {
		text = w.blocks(c, m.Entry)
		shared[m.Entry] = text
	}
	if m.Item != m.Entry.Live[0] {
		text = Mark{Kind: text.Kind, By: m.Item, Entry: m.Entry}
	}
	return text
}

// nameOf returns the address of an item relative to the body around it. seen holds how many items of each
// merged one came before, and is updated.
func nameOf(m plan.BodyItem, seen map[*merge.MergedItem]int) string {
	if m.Entry == nil {
		return m.Item.Called()
	}
	name := m.Entry.Key.Name
	if m.Entry.Key.ID != "" && m.Entry.Rule.Match != rules.ByPosition {
		name += "." + m.Entry.Key.ID
	}
	if m.Escaped {
		name = source.EscapeBlock + "." + name
	}
	if len(m.Entry.Live) > 1 {
		name += fmt.Sprintf("[%d]", seen[m.Entry])
		seen[m.Entry]++
	}
	return name
}
