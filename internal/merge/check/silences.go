package check

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Comments of a module that it had before. A comment is the same if it switches the same rule off
// for the same item: an item with the same name in the same file or, if it was moved, with the same
// text.

// A silence is one rule that one comment switches off.
type silence struct {
	comment *comment
	rule    *Rule
}

// A silenceKey is what two silences have in common that are the same.
type silenceKey struct {
	rule  string
	reach reach
	file  string
	path  string
	text  [sha256.Size]byte
}

// unlike are the comments that switch a rule off for something for which those before did not.
func (c *Comments) unlike(was *Comments) []*comment {
	var list []*comment
	now := c.silences()
	for i, other := range Pairs(now, was.silences(), numbers{}.byName, byText) {
		if n := len(list); other < 0 && (n == 0 || list[n-1] != now[i].comment) {
			list = append(list, now[i].comment)
		}
	}
	return list
}

// silences lists each rule that each comment can silence, in order and once.
func (c *Comments) silences() []silence {
	var list []silence
	for _, k := range c.all {
		for _, e := range k.entries {
			if e.by == k && e.rule.canSilence() {
				list = append(list, silence{k, e.rule})
			}
		}
	}
	return list
}

// byText is without the file and the numbers of nested blocks, which change as others come
// and go.
func byText(s silence) silenceKey {
	k := silenceKey{rule: s.rule.ID, reach: s.comment.reach, path: pathTo(s.comment.item, nil)}
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
	return silenceKey{rule: s.rule.ID, reach: s.comment.reach, file: s.comment.File.Name, path: pathTo(s.comment.item, n)}
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
