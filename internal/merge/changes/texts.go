package changes

import (
	"hash/maphash"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
)

// unlike returns the keys of the blocks whose effective values may differ in two modules: blocks
// that are spelled differently, or that an override file of one of them may address.
func unlike(before, after *load.Module) map[uint64]bool {
	was, is := textsOf(before), textsOf(after)
	keys := map[uint64]bool{}
	for key, list := range was {
		if !slices.Equal(list, is[key]) {
			keys[key] = true
		}
	}
	for key := range is {
		if was[key] == nil {
			keys[key] = true
		}
	}
	for _, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				if m.IsAddressedAt(f, i) {
					keys[f.Key(i)] = true
				}
			}
		}
	}
	return keys
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
