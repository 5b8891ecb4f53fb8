package annotate

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

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
		w.into(&l, c, b, added, "")
	}
	return l.names, added
}

// into adds the marks of a block's contents. prefix precedes the names.
func (w Words) into(l *list, c *merge.MergedBody, b, added *source.Block, prefix string) {
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
				w.into(l, c, it, added, prefix+source.EscapeBlock+".")
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

// wholeBlock is the mark of a block that an override supplied as a whole. Of several blocks, the
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

// nameOf is the address of an item relative to the body around it. seen holds how many items of
// each merged one came before.
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
