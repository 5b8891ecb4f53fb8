package webpage

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What is shown of an override beside its line.

// A note says what an override did, and what the value was.
type note struct {
	ID      string
	Address string
	Deed    string // overrides, adds, replaces or repeats
	Place   string // of the override
	Was     []earlierValue
	Changes []changeLine // key by key
	More    int          // changes that are not listed
	Hides   []string     // what gives way to it, too
	Why     string       // the rule

	cost int // how much room it takes up
}

// An earlierValue is one that is not effective any more.
type earlierValue struct {
	Value, Place string
	isBlock      bool
}

// maxBeside is how many columns an earlier value may have beside the line of the new one.
const maxBeside = 40

// Old is the value that was replaced last, if it is short enough to stand beside the new one.
func (n *note) Old() string {
	if len(n.Was) == 0 {
		return ""
	}
	last := n.Was[len(n.Was)-1]
	text := last.Value
	if last.isBlock || strings.Contains(text, "\n") || screen.Columns(text) > maxBeside {
		return ""
	}
	return text
}

// isNested reports whether an item is a block. The lines that it loses are shown where they were.
func isNested(it source.Item) bool {
	_, isBlock := it.(*source.Block)
	return isBlock
}

const (
	maxEarlier      = 4   // values of a note
	maxEarlierLines = 12  // of a value
	maxEarlierBytes = 600 // of a value
	maxChanges      = 12  // of a note
)

// noteOf makes the note of an item in effect. c is the content that holds it, nil if
// nothing was there before; then the deed is that of an addition.
func (b *builder) noteOf(c *merge.MergedBody, e *merge.MergedItem, by source.Item, deed merge.Deed) *note {
	n := &note{Deed: deed.Words(), Place: wording.Place(by)}
	if e != nil {
		n.Address = visibleLine(b.about(e).names[e].String())
		n.Why = whyOf(e, by)
	}
	if c != nil {
		n.earlier(b, c, e)
	}
	if n.Deed == merge.Adds.Words() {
		n.Why = "" // the rule is about what is there before
	}
	for i := range n.Was {
		n.cost += cost([]byte(n.Was[i].Value)) + changeCost
	}
	n.cost += noteCost + 2*cost([]byte(n.Address+n.Deed)) + 2*len(n.Place) + cost([]byte(n.Why))
	return n
}

func whyOf(e *merge.MergedItem, by source.Item) string {
	for _, o := range e.Outcomes() {
		if o.Item == by {
			return o.Sentence()
		}
	}
	return ""
}

// earlier notes what was there before the item in effect.
func (n *note) earlier(b *builder, c *merge.MergedBody, e *merge.MergedItem) {
	winner := e.Live[0]
	var earlier []source.Item
	for _, o := range e.Outcomes() {
		if c.LostTo(o, winner) {
			earlier = append(earlier, o.Item)
		}
	}
	computed := e.Computed()
	if computed != nil && !source.IsOverride(winner) {
		earlier = []source.Item{winner}
	}
	c.EachHidden(e, func(it source.Item) {
		if len(n.Hides) < maxEarlier {
			n.Hides = append(n.Hides, diag.Escape(it.Called())+" at "+wording.Place(it))
		}
	})
	switch {
	case len(earlier) == 0 && len(n.Hides) == 0:
		n.Deed = merge.Adds.Words()
	case computed == nil && !b.redact.Redact && slices.EqualFunc(e.Live, earlier, equal.Items):
		n.Deed = merge.Repeats.Words()
	}
	for _, it := range earlier[max(0, len(earlier)-maxEarlier):] {
		n.Was = append(n.Was, earlierValue{b.earlierText(it), wording.Place(it), isNested(it)})
	}
	n.keyByKey(b, e)
}

// earlierText is the text of an earlier value, if it is not long, else its kind and size.
func (b *builder) earlierText(it source.Item) string {
	a, isAttr := it.(*source.Attr)
	if !isAttr || b.redact.Redact || b.redact.IsSecret(it) {
		return visibleLine(b.redact.Earlier(it))
	}
	text := a.Display()
	if len(text) == 0 || len(text) > maxEarlierBytes || bytes.Count(text, []byte("\n")) >= maxEarlierLines {
		return visibleLine(b.redact.Earlier(it))
	}
	indent := textedit.IndentAt(a.File.Native, a.Extent().Start.Byte)
	return visible([]byte(textedit.Relocate(text, indent, "", "\n")))
}

// keyByKey lists the changes of what has keys or elements, but for what is dropped, which
// has lines of its own.
func (n *note) keyByKey(b *builder, e *merge.MergedItem) {
	for _, c := range b.about(e).changes[e] {
		if c.Path == nil || c.IsInside || c.Kind() == changes.Dropped || c.Kind() == changes.Added && isBlock(c.After) {
			continue
		}
		if len(n.Changes) == maxChanges {
			n.More++
			continue
		}
		before, after := b.redact.Sides(c)
		line := changeLine{Kind: changeKinds[c.Kind()], Name: nameOf(c), Value: visibleLine(after)}
		if c.Kind() == changes.Changed {
			line.Value = visibleLine(before + " → " + after)
		}
		n.Changes = append(n.Changes, line)
		n.cost += len(line.Name) + cost([]byte(line.Value)) + changeCost
	}
}

// isBlock reports whether a value is a nested block.
func isBlock(v *changes.Value) bool {
	_, isBlock := v.Item.(*source.Block)
	return isBlock && !v.IsPart
}
