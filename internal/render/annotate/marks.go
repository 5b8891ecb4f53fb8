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

// Words words marks, but not the values that must not be shown.
type Words struct {
	wording.Redactor
	Merged *merge.Module
}

// A mark is a comment about one item.
type mark struct {
	name   string // of the item in the body that the mark is in, if it has no effect
	kind   effect.Mark
	place  string
	detail string
	more   string // a second line
}

// unbroken stands for a blank in a value, where no line is broken. Values are shown without such characters.
const unbroken = "\ufdd0"

// whole puts the blanks back into the values of a text, once its lines are broken.
func whole(text string) string { return strings.ReplaceAll(text, unbroken, " ") }

func (k mark) String() string { return whole(k.text()) }

// text returns the comment, with unbroken in place of the blanks in values.
func (k mark) text() string {
	text := fmt.Sprintf("# %s: %s", k.kind, k.place)
	if k.detail != "" {
		text += " " + k.detail
	}
	return text
}

// lines returns the mark and its second line, at an indentation.
func (k mark) lines(indent, eol string) string {
	text := indent + k.text() + eol
	if k.more != "" {
		text += indent + k.more + eol
	}
	return text
}

// argument returns the mark of an argument in effect; false if no override had a part in it, as when it
// has no entry.
func (w Words) argument(c *merge.MergedBody, e *merge.MergedItem, a *source.Attr) (mark, bool) {
	if e.Attr() != a {
		return mark{}, false
	}
	computed := e.Computed()
	if !source.IsOverride(a) && computed == nil {
		return mark{}, false
	}
	by, earlier := OriginOf(c, e)
	var notes []string
	if len(earlier) > 0 {
		notes = append(notes, w.was(a, earlier))
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
	m := mark{kind: effect.MarkOverride, place: wording.Place(by)}
	if len(earlier) == 0 {
		m.kind = effect.MarkAdded
	}
	if len(notes) > 0 {
		m.detail = "(" + strings.Join(notes, "; ") + ")"
	}
	return m, true
}

// addition returns the mark of an argument that an override brought without any block around it.
func (w Words) addition(e *merge.MergedItem, it source.Item) mark {
	m := mark{kind: effect.MarkAdded, place: wording.Place(it)}
	for _, o := range e.Outcomes() {
		if o.Status == effect.StatusNoEffect {
			m.detail = "(" + wording.WhyIdle(o) + ")"
		}
	}
	return m
}

// OriginOf returns the item that an entry in effect has its value from, and the items that this one
// superseded, directly or through another loser; for blocks also those of other names.
func OriginOf(c *merge.MergedBody, e *merge.MergedItem) (by source.Item, earlier []source.Item) {
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
func (w Words) was(a *source.Attr, earlier []source.Item) string {
	isOther := func(it source.Item) bool { return it == source.Item(a) || !equal.Items(it, a) }
	if !w.Redact && !slices.ContainsFunc(earlier, isOther) {
		return "same as " + wording.Some(wording.PlacesOf(earlier), ", ")
	}
	var words []string
	for _, it := range earlier {
		words = append(words, w.earlier(it)+" at "+wording.Place(it))
	}
	return "was " + wording.Some(words, "; ")
}

// blocks returns the mark of the first of the nested blocks in effect, which an override brought as a
// whole.
func (w Words) blocks(c *merge.MergedBody, e *merge.MergedItem) mark {
	first, earlier := OriginOf(c, e)
	m := mark{kind: effect.MarkReplaced, place: wording.Place(first)}
	switch {
	case len(earlier) == 0:
		m.kind = effect.MarkAdded
	case !w.Redact && slices.EqualFunc(e.Live, earlier, equal.Items):
		m.detail = "(same as " + wording.Place(earlier[0]) + ")"
	default:
		m.detail = "replaces " + wording.ReplacedBy(e.Live, earlier)
		if dropped := values.Dropped(w.Module, e.Live, earlier); len(dropped) > 0 {
			m.more = "#   dropped: " + strings.Join(dropped, ", ")
		}
	}
	return m
}

// idle lists the marks of overrides without effect in a body.
func (w Words) idle(c *merge.MergedBody, b *source.Block) (list []mark) {
	EachOutcome(w.Merged, c, b, func(name string, isSelf bool, e *merge.MergedItem, o merge.Outcome) {
		if m, ok := w.idleMark(name, e, o); ok {
			if isSelf {
				m.name = Self
			}
			list = append(list, m)
		}
	})
	return list
}

// EachOutcome visits the outcomes that are reported in one of the blocks that hold a body: of overrides for the
// body itself (isSelf), which for a top-level block may be ignored as a whole, and for what is in it. Names
// are relative to the body.
func EachOutcome(m *merge.Module, c *merge.MergedBody, b *source.Block, visit func(name string, isSelf bool, e *merge.MergedItem, o merge.Outcome)) {
	if b.Within() == nil && !source.IsOverride(b) && b == c.FirstPart() {
		if e := m.Root.Owner(b); e != nil && e.Rule.Do == rules.Drop {
			eachOutcome(e, "", true, visit)
		}
	}
	for _, e := range c.ReportedIn(b) {
		if e.Rule.Do != rules.Flatten {
			eachOutcome(e, "", false, visit)
		}
	}
}

// eachOutcome visits the outcomes of an entry, and if it is not printed, of the entries in it.
func eachOutcome(e *merge.MergedItem, prefix string, isSelf bool, visit func(name string, isSelf bool, e *merge.MergedItem, o merge.Outcome)) {
	for _, o := range e.Outcomes() {
		visit(prefix+e.Key.Name, isSelf, e, o)
	}
	if e.Inner() != nil && !e.InEffect() {
		for _, inner := range e.Inner().Items {
			eachOutcome(inner, prefix+e.Key.Name+".", isSelf, visit)
		}
	}
}

// idleMark returns the mark of an item that isn't printed: it was removed by an override, or comes from one and
// has no effect. It reports false for any other.
func (w Words) idleMark(name string, e *merge.MergedItem, o merge.Outcome) (mark, bool) {
	m := mark{name: name, kind: effect.MarkNoEffect, place: wording.Place(o.Item)}
	if o.Status == effect.StatusCleared {
		m.kind, m.place = effect.MarkOverride, wording.Place(o.By)
		m.detail = fmt.Sprintf("(removes %s, which was %s at %s)", diag.Escape(e.Key.Name), w.earlier(o.Item), wording.Place(o.Item))
		return m, true
	}
	why := wording.WhyNotPrinted(e, o)
	if why == "" {
		return mark{}, false
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

// A list gathers marks in the order of the names that they are about.
type list struct {
	names []NamedMark
	at    map[string]int
}

// add adds a mark. Several for one name are one text.
func (l *list) add(name string, m mark) {
	text := strings.TrimPrefix(m.String(), "# ")
	if m.more != "" {
		text += "; " + strings.TrimLeft(m.more, "# ")
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

// Block returns the marks of a block with a content, and whether the block is part of an override's
// addition: those of its arguments, and of blocks in it that were replaced as a whole. Other blocks
// in it have separate marks. c is nil if the content is unchanged; added is the block around it
// that an override added, or nil.
func (w Words) Block(c *merge.MergedBody, b, added *source.Block) (marks []NamedMark, isAdded *source.Block) {
	var l list
	if isWhole := b.Within() != nil && c == nil; source.IsOverride(b) && !isWhole && !isOf(b, added) {
		l.add(Self, mark{kind: effect.MarkAdded, place: wording.Place(b)})
		added = b
	}
	if c != nil {
		w.addContents(&l, c, b, added, "")
	}
	return l.names, added
}

// addContents adds the marks of a block's contents. prefix precedes the names.
func (w Words) addContents(l *list, c *merge.MergedBody, b, added *source.Block, prefix string) {
	shared, seen := map[*merge.MergedItem]mark{}, map[*merge.MergedItem]int{}
	for _, m := range plan.Members(c, b) {
		name := prefix + nameOf(m, seen)
		switch it := m.Item.(type) {
		case *source.Attr:
			if text, ok := w.argument(c, m.Entry, it); ok && !(text.kind == effect.MarkAdded && isOf(it, added)) {
				l.add(name, text)
			}
		case *source.Block:
			switch {
			case m.Entry == nil:
			case it.Type == source.EscapeBlock && m.Entry.Rule.Do == rules.Flatten:
				w.addContents(l, c, it, added, prefix+source.EscapeBlock+".")
			case source.IsOverride(it) && m.Entry.Inner() == nil && m.Entry.Rule.Do != rules.Flatten:
				if text := w.wholeBlock(c, m, shared); !(text.kind == effect.MarkAdded && isOf(it, added)) {
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
func (w Words) wholeBlock(c *merge.MergedBody, m plan.BodyItem, shared map[*merge.MergedItem]mark) mark {
	text, known := shared[m.Entry]
	if !known {
		text = w.blocks(c, m.Entry)
		shared[m.Entry] = text
	}
	if m.Item != m.Entry.Live[0] {
		text = mark{kind: text.kind, place: wording.Place(m.Item)}
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
