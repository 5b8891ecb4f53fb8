package compare

import (
	"bytes"
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

// MayBeEdited chooses the blocks of two modules that are not the same text in both, or that an
// override file of either may address. All others mean the same in both.
func MayBeEdited(before, after *load.Module) func(f *source.File, i int) bool {
	a, b := textsOf(before, after), textsOf(after, before)
	chosen := map[uint64]bool{}
	for _, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				key := f.Key(i)
				if a[key] != b[key] || before.IsAddressedAt(f, i) || after.IsAddressedAt(f, i) {
					chosen[key] = true
				}
			}
		}
	}
	return func(f *source.File, i int) bool { return chosen[f.Key(i)] }
}

// A sum is an order-independent sum of hashes of texts. Nobody can craft texts with a given sum:
// the seeds are random in each run.
type sum [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// textsOf adds up the texts of the blocks of a key in a module, but for those that the other one has in
// the same file, as many blocks behind its start or before its end.
func textsOf(m, other *load.Module) map[uint64]sum {
	all := map[uint64]sum{}
	for _, f := range m.Files {
		if f.Role != source.Primary {
			continue
		}
		from, to, isSame := unlikeIn(f, other.File(f.Name))
		for i := from; i < to; i++ {
			if isSame(i) {
				continue
			}
			text, s := f.TextOf(i), all[f.Key(i)]
			for n := range s {
				s[n] += maphash.Bytes(seeds[n], text)
			}
			s[0]++ // even an empty text must change the sum
			all[f.Key(i)] = s
		}
	}
	return all
}

// unlikeIn returns the blocks of a file between those that another one has as well at its start, and at
// its end. Of these isSame reports whether the other one has them at the same index.
func unlikeIn(f, o *source.File) (from, to int, isSame func(i int) bool) {
	if o == nil || o.Role != f.Role || o.Syntax != f.Syntax || f.Broken || o.Broken {
		return 0, f.Len(), func(int) bool { return false }
	}
	same := func(i, j int) bool { return f.Key(i) == o.Key(j) && bytes.Equal(f.TextOf(i), o.TextOf(j)) }
	n := min(f.Len(), o.Len())
	for from < n && same(from, from) {
		from++
	}
	shift := o.Len() - f.Len()
	for to = f.Len(); to > from && to+shift > from && same(to-1, to-1+shift); {
		to--
	}
	return from, to, func(i int) bool { return shift == 0 && same(i, i) }
}
