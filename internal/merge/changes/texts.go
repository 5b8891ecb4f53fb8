package changes

import (
	"hash/maphash"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Differing compares the texts of two modules, which need no trees for it. It returns a
// function that reports whether the effective values of a top-level block may differ: it
// is not spelled alike in both, or an override file of one of them addresses it.
func Differing(before, after *load.Module) func(*source.Block) bool {
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
	for _, m := range []*load.Module{before, after} {
		for _, f := range m.Files {
			for i := range f.Len() {
				if f.Role == source.Override {
					differs[f.Key(i)] = true
				}
			}
		}
	}
	return func(b *source.Block) bool { return differs[source.KeyOf(b.Type, b.Labels)] }
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
