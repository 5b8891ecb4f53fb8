package plan

import (
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// PrintedItems are the items of which a text consists, each with whether its contents are printed
// as well. They are found by the walk that makes the text, so they are exactly the items in it.
type PrintedItems struct {
	items map[source.Item]bool
	// others: the blocks of primary files that are not among the items are part of
	// the text as they are.
	others bool
}

// PrintedWhole returns the items of which whole files consist.
func PrintedWhole(files []*File) PrintedItems {
	var made []*Block
	for _, f := range files {
		made = append(made, f.Made()...)
	}
	return PrintedIn(made, true)
}

// PrintedIn returns the items of blocks; with others also all other items of primary
// files.
func PrintedIn(pieces []*Block, others bool) PrintedItems {
	s := PrintedItems{map[source.Item]bool{}, others}
	for _, block := range pieces {
		if block.Item != nil {
			s.items[block.Item] = true
			continue
		}
		s.take(BodyItem{Item: block.Source, Content: block.Content})
	}
	return s
}

func (s PrintedItems) take(m BodyItem) {
	s.items[m.Item] = m.Content == nil
	if b, ok := m.Item.(*source.Block); ok && m.Content != nil {
		for _, inner := range Members(m.Content, b) {
			s.take(inner)
		}
	}
}

// PrintedOf returns the items of a file that is made of parts of others.
func PrintedOf(parts []*merge.Part) PrintedItems {
	s := PrintedItems{items: map[source.Item]bool{}}
	s.takeParts(parts)
	return s
}

func (s PrintedItems) takeParts(parts []*merge.Part) {
	for _, p := range parts {
		s.items[p.Item] = !p.IsPartial
		s.takeParts(p.Held)
	}
}

// has reports whether an item is part of the text.
func (s PrintedItems) has(it source.Item) bool {
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

// Inexpressible returns problems with writing the printed items of JSON files in native syntax:
// errors for parts that native syntax can't express, and warnings for names classified only by
// their spelling. It calls printed at most once, and only if necessary.
func Inexpressible(m *load.Module, printed func() PrintedItems) hcl.Diagnostics {
	all := sync.OnceValue(printed)
	matters := func(it source.Item) bool { return all().has(it) }
	diags := m.Guesses(matters)
	m.Unsayable(func(it source.Item, d *hcl.Diagnostic) {
		if matters(it) {
			diags = append(diags, d)
		}
	})
	return diags
}
