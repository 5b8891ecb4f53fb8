package plan

import (
	"cmp"
	"errors"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Selection chooses the top-level blocks to print, and their order.
type Selection struct {
	OnlyChanged bool              // only blocks that an override touched
	Filter      []address.Pattern // only blocks that one of these matches; none means all
	Sort        bool              // blocks by kind and address instead of load order
}

// IsWhole reports whether everything is printed as the files have it.
func (s Selection) IsWhole() bool { return !s.OnlyChanged && len(s.Filter) == 0 && !s.Sort }

// ErrNoneSelected means that no printed block matches a filter.
var ErrNoneSelected = errors.New("no block matches --filter")

// A SelectedBlock is a top-level block printed apart from its file.
type SelectedBlock struct {
	*Block
	kind    string
	address address.Address
	LineEnd string
}

// Compare compares two blocks by kind and address, as Selection.Sort orders them.
func (s SelectedBlock) Compare(other SelectedBlock) int {
	return cmp.Or(cmp.Compare(s.kind, other.kind), s.address.Compare(other.address))
}

// Unmatched lists the indexes of the patterns that match no block of a module and nothing
// in one.
func Unmatched(m *merge.Module, patterns []address.Pattern) []int {
	if len(patterns) == 0 {
		return nil
	}
	files := Arrange(m)
	var idle []int
	for i := range patterns {
		if !matchesAny(m, files, newFilter(m, patterns[i:i+1])) {
			idle = append(idle, i)
		}
	}
	return idle
}

func matchesAny(m *merge.Module, files []*File, f *filter) bool {
	for _, file := range files {
		for _, b := range file.some(f.mayMatch) {
			if f.picks(b, address.OfBlock(m, b.Source)) {
				return true
			}
		}
	}
	return false
}

// LeftOut is the number of blocks in a module that no pattern matches; 0 without patterns.
func LeftOut(m *merge.Module, patterns []address.Pattern) int {
	if len(patterns) == 0 {
		return 0
	}
	files, n := Arrange(m), 0
	for _, f := range files {
		n += f.Size() + len(f.Extra())
	}
	return n - len(Select(m, files, Selection{Filter: patterns}))
}

// Select lists the selected blocks of files, in load order or sorted.
func Select(m *merge.Module, files []*File, s Selection) []SelectedBlock {
	var list []SelectedBlock
	chosen := newFilter(m, s.Filter)
	for _, f := range files {
		for _, b := range f.some(chosen.mayMatch) {
			if s.OnlyChanged && !b.Changed {
				continue
			}
			found := SelectedBlock{Block: b, kind: b.Source.Type, LineEnd: f.LineEnd}
			if s.Sort || len(s.Filter) > 0 {
				found.address = address.OfBlock(m, b.Source)
			}
			if chosen.picks(b, found.address) {
				list = append(list, found)
			}
		}
	}
	if s.Sort {
		slices.SortStableFunc(list, SelectedBlock.Compare)
	}
	return list
}
