package check

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Comments of a module that it had before. A comment is the same if it switches the same rule off
// for the same item: an item with the same name in the same file or, if it was moved, with the same
// text.

// A silence is one rule that one comment switches off.
type silence struct {
	comment *comment
	*entry
}

// A silenceKey is what two silences have in common that are the same.
type silenceKey struct {
	rule   string
	reach  reach
	isLine bool // see comment.isLine
	file   string
	path   string
	text   [sha256.Size]byte
}

// unlike are the comments' rules that are switched off for something for which those before did not.
func (c *Comments) unlike(was *Comments) []silence {
	var list []silence
	now := c.silences()
	for i, other := range Pairs(now, was.silences(), numbers{}.byName, byText) {
		if other < 0 {
			list = append(list, now[i])
		}
	}
	return list
}

// Reveal reports whether no comment silences a finding that an earlier state of the module, called
// revision, doesn't have. A comment that this state has, too, was written for what was there: it
// silences what it is at, and nothing else that comes into its block or file. The finding gets a
// sentence about the comment.
func (c *Comments) Reveal(x *Finding, was *Comments, revision string) bool {
	if c.added == nil {
		c.added = map[*entry]bool{}
		for _, s := range c.unlike(was) {
			c.added[s.entry] = true
		}
	}
	by := c.silencing(x, func(e *entry, place hcl.Range, isOwn bool) bool {
		return c.added[e] || isOwn && e.rule == x.Rule && e.by.isAt(load.ItemAt(c.module, place))
	})
	if by == nil {
		x.Message += fmt.Sprintf(" The comment at %s silences only findings that %s has.", diag.PlaceFrom(x.Range, x.By.Range), revision)
		x.By = nil
	}
	return by == nil
}

// isAt reports whether a comment is at an item: above an argument or on its line, or on the header
// line of a block.
func (k *comment) isAt(it source.Item) bool {
	switch {
	case k.item == nil || it == nil:
		return false
	case k.reach == itsItem:
		return k.isOn(it) && isArgument(it)
	}
	return k.isOn(it) || isOneLine(k.item)
}

// isOn reports whether the item of a comment is a given one.
func (k *comment) isOn(it source.Item) bool { return extentOf(k.item) == extentOf(it) }

// isLine reports whether a comment is on the only line of a block, or the first one of an argument.
// If it was elsewhere in the item, it was not at the same findings.
func (k *comment) isLine() bool {
	switch {
	case k.item == nil || k.reach == itsItem:
		return false
	case isArgument(k.item):
		return k.Range.Start.Line == k.item.Extent().Start.Line
	}
	return isOneLine(k.item)
}

// silences lists each rule that each comment can silence, in order and once.
func (c *Comments) silences() []silence {
	var list []silence
	for _, k := range c.all {
		for _, e := range k.entries {
			if e.by == k && e.rule.canSilence() {
				list = append(list, silence{k, e})
			}
		}
	}
	return list
}

// byText is without the file and the numbers of nested blocks, which change as others come
// and go.
func byText(s silence) silenceKey {
	k := s.key(nil)
	text := s.comment.File.Raw
	if it := s.comment.item; it != nil {
		from, to := source.Spread(it)
		text = text[from:to]
	}
	k.text = sha256.Sum256(text)
	return k
}

// numbers are the indexes of nested blocks among the blocks of their type, by the block around
// them.
type numbers map[*source.Block]map[extent]int

func (n numbers) byName(s silence) silenceKey {
	k := s.key(n)
	k.file = s.comment.File.Name
	return k
}

func (s silence) key(n numbers) silenceKey {
	return silenceKey{rule: s.rule.ID, reach: s.comment.reach, isLine: s.comment.isLine(), path: pathTo(s.comment.item, n)}
}

// of is the number of a block.
func (n numbers) of(b *source.Block) int {
	in := b.Within()
	if n[in] == nil {
		n[in] = map[extent]int{}
		counts := map[string]int{}
		for _, it := range in.Items() {
			if other, isBlock := it.(*source.Block); isBlock {
				n[in][extentOf(it)] = counts[nameOf(other)]
				counts[nameOf(other)]++
			}
		}
	}
	return n[in][extentOf(b)]
}

func nameOf(b *source.Block) string { return fmt.Sprintf("%q %q", b.Type, b.Labels) }

// pathTo names an item in its module, with the numbers of nested blocks if they are given.
func pathTo(it source.Item, n numbers) string {
	var path []string
	for it != nil {
		name := fmt.Sprintf("%q", it.Called())
		b, isBlock := it.(*source.Block)
		if isBlock {
			name = nameOf(b)
		}
		if isBlock && b.Within() != nil && n != nil {
			name += fmt.Sprint(" ", n.of(b))
		}
		path = append(path, name)
		in := it.Within()
		if in == nil {
			break
		}
		it = in
	}
	return strings.Join(path, "\n")
}
