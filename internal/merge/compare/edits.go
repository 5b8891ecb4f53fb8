package compare

import (
	"hash/maphash"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Edits lists the names that do not mean the same in two modules of one engine, where the later
// module is an edited copy of the earlier one: in the order of the earlier one, then the names that
// only the later one has. If one of them lacks a whole block, it lists the block.
func Edits(before, after *merge.Module) []Difference {
	return EditsIn(before, after, MayBeEdited(before.Source, after.Source))
}

// EditsIn lists those in the blocks that a function chooses, as MayBeEdited does.
func EditsIn(before, after *merge.Module, mayDiffer func(f *source.File, i int) bool) []Difference {
	return differences(before, after, true, mayDiffer)
}

// MayBeEdited chooses the blocks of two modules that don't have the same texts in both, in load
// order, or that an override file of either may address. All others mean the same in both.
func MayBeEdited(before, after *load.Module) func(f *source.File, i int) bool {
	texts := textsOf(before, after)
	chosen := map[uint64]bool{}
	for _, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				key := f.Key(i)
				if of := texts[key]; of[0] != of[1] || before.IsAddressedAt(f, i) || after.IsAddressedAt(f, i) {
					chosen[key] = true
				}
			}
		}
	}
	return func(f *source.File, i int) bool { return chosen[f.Key(i)] }
}

// seed is random in each run, so that nobody can craft texts with a given hash.
var seed = maphash.MakeSeed()

// textsOf hashes, for each of two modules, the texts of the primary files' blocks of each key, in
// load order. Some arguments count only in files that OpenTofu alone reads.
func textsOf(before, after *load.Module) map[uint64][2]uint64 {
	type block struct {
		earlier, text uint64
		isTofu        bool
	}
	n := 0
	for _, f := range before.Files {
		n += f.Len()
	}
	texts := make(map[uint64][2]uint64, n)
	for side, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				if key := f.Key(i); f.Role == source.Primary {
					of := texts[key]
					of[side] = maphash.Comparable(seed, block{of[side], maphash.Bytes(seed, f.TextOf(i)), f.Tofu})
					texts[key] = of
				}
			}
		}
	}
	return texts
}
