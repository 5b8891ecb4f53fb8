package render

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
)

// said are the items that a text is made of, each with whether all that it holds
// is so, too. They are found by the walk that the text itself is made by, so that
// nothing is printed about which nobody asked whether it can be said.
type said struct {
	items map[load.Item]bool
	// others: the blocks of primary files that are not among the items are part of
	// the text as they are.
	others bool
}

func saidIn(pieces []*piece, others bool) said {
	s := said{map[load.Item]bool{}, others}
	for _, p := range pieces {
		if p.only != nil {
			s.items[p.only] = true
			continue
		}
		s.take(member{item: p.block, content: p.content})
	}
	return s
}

func (s said) take(m member) {
	s.items[m.item] = m.content == nil
	if b, ok := m.item.(*load.Block); ok && m.content != nil {
		for _, inner := range members(m.content, b) {
			s.take(inner)
		}
	}
}

// has tells whether an item is part of the text.
func (s said) has(it load.Item) bool {
	if _, ok := s.items[it]; ok {
		return true
	}
	for b := it.Within(); b != nil; b = b.Within() {
		if isWhole, ok := s.items[b]; ok {
			return isWhole
		}
	}
	return s.others && it.Source().Role == load.Primary
}

// doubts tells what is doubtful about saying what is in JSON files in native
// syntax, for a text: what can't be said, as errors, and
// names of which only their look says what they are, as warnings.
func doubts(m *load.Module, saying func() said) hcl.Diagnostics {
	all := sync.OnceValue(saying)
	matters := func(it load.Item) bool { return all().has(it) }
	diags := m.Guesses(matters)
	m.Unsayable(func(it load.Item, d *hcl.Diagnostic) {
		if matters(it) {
			diags = append(diags, d)
		}
	})
	return diags
}
