package compare

import (
	"crypto/sha256"
	"maps"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Edits lists the names that do not mean the same in two modules of one engine, of which the
// later one is an edited copy of the earlier one: in the order of the earlier one, then those
// that only the later one has. Of a block that one of them lacks it lists the block. The modules
// must have been aligned (AlignEdits) before they were merged.
func Edits(before, after *merge.Module) []Difference {
	return differences(before, after, true)
}

// AlignEdits keeps the trees of the blocks in memory that are not the same text in both modules.
// Blocks without a tree are then the same in both. It must be called before either is merged.
func AlignEdits(before, after *load.Module) {
	a, b := textsOf(before), textsOf(after)
	for key, texts := range a {
		if maps.Equal(texts, b[key]) {
			delete(a, key)
			delete(b, key)
		}
	}
	for _, m := range []*load.Module{before, after} {
		eachPrimary(m, func(f *source.File, i int) {
			if key := f.Key(i); a[key] != nil || b[key] != nil {
				f.Keep(i)
			}
		})
	}
	KeepAs(before, after)
	KeepAs(after, before)
}

// texts count the blocks of a key by their texts.
type texts map[[sha256.Size]byte]int

func textsOf(m *load.Module) map[uint64]texts {
	all := map[uint64]texts{}
	eachPrimary(m, func(f *source.File, i int) {
		key := f.Key(i)
		if all[key] == nil {
			all[key] = texts{}
		}
		all[key][sha256.Sum256(f.TextOf(i))]++
	})
	return all
}

// eachPrimary visits the blocks of primary files.
func eachPrimary(m *load.Module, visit func(f *source.File, i int)) {
	for _, f := range m.Files {
		if f.Role != source.Primary {
			continue
		}
		for i := range f.Len() {
			visit(f, i)
		}
	}
}
