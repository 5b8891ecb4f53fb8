package plan

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Said are the items that a text is made of, each with whether all that it holds
// is so, too. They are found by the walk that the text itself is made by, so that
// nothing is printed about which nobody asked whether it can be said.
type Said struct {
	items map[source.Item]bool
	// others: the blocks of primary files that are not among the items are part of
	// the text as they are.
	others bool
}

// SaidIn are the items of blocks. With others, what the files hold besides counts, too.
func SaidIn(pieces []*Block, others bool) Said {
	s := Said{map[source.Item]bool{}, others}
	for _, p := range pieces {
		if p.Item != nil {
			s.items[p.Item] = true
			continue
		}
		s.take(BodyItem{Item: p.Source, Content: p.Content})
	}
	return s
}

func (s Said) take(m BodyItem) {
	s.items[m.Item] = m.Content == nil
	if b, ok := m.Item.(*source.Block); ok && m.Content != nil {
		for _, inner := range Members(m.Content, b) {
			s.take(inner)
		}
	}
}

// has tells whether an item is part of the text.
func (s Said) has(it source.Item) bool {
	if _, ok := s.items[it]; ok {
		return true
	}
	for b := it.Within(); b != nil; b = b.Within() {
		if isWhole, ok := s.items[b]; ok {
			return isWhole
		}
	}
	return s.others && it.Source().Role == source.Primary
}

// Doubts tells what is doubtful about saying what is in JSON files in native
// syntax, for a text: what can't be said, as errors, and
// names of which only their look says what they are, as warnings.
func Doubts(m *load.Module, saying func() Said) hcl.Diagnostics {
	all := sync.OnceValue(saying)
	matters := func(it source.Item) bool { return all().has(it) }
	diags := m.Guesses(matters)
	m.Unsayable(func(it source.Item, d *hcl.Diagnostic) {
		if matters(it) {
			diags = append(diags, d)
		}
	})
	return diags
}
