package changes

import (
	"hash/maphash"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Align keeps the trees of the blocks in memory whose effective values may differ in two
// modules: those that are not spelled alike in both, or that an override file of one of
// them addresses.
func Align(before, after *load.Module) {
	was, is := textsOf(before), textsOf(after)
	differs := map[uint64]bool{}
	for key, list := range was {
		if !slices.Equal(list, is[key]) {
			differs[key] = true
		}
	}
	for key := range is {
		if was[key] == nil {
			differs[key] = true
		}
	}
	eachBlock := func(visit func(f *source.File, i int)) {
		for _, f := range slices.Concat(before.Files, after.Files) {
			for i := range f.Len() {
				visit(f, i)
			}
		}
	}
	eachBlock(func(f *source.File, i int) {
		if f.Kept(i) != nil {
			differs[f.Key(i)] = true
		}
	})
	eachBlock(func(f *source.File, i int) {
		if differs[f.Key(i)] {
			f.Keep(i)
		}
	})
}

var textSeed = maphash.MakeSeed()

// textsOf are the texts of the blocks of a key, in load order. Some arguments count in some
// files only.
func textsOf(m *load.Module) map[uint64][]uint64 {
	texts := map[uint64][]uint64{}
	for _, f := range m.Files {
		for i := range f.Len() {
			sum := maphash.Bytes(textSeed, f.TextOf(i))
			if f.Tofu {
				sum++
			}
			texts[f.Key(i)] = append(texts[f.Key(i)], sum)
		}
	}
	return texts
}
