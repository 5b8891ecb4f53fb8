package compare

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"

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
	a, b := textsOf(before, after), textsOf(after, before)
	differ := map[uint64]bool{}
	for key, texts := range a {
		differ[key] = !maps.Equal(texts, b[key])
	}
	for key := range b {
		differ[key] = differ[key] || a[key] == nil
	}
	maps.DeleteFunc(differ, func(_ uint64, isUnlike bool) bool { return !isUnlike })
	for _, m := range []*load.Module{before, after} {
		if len(differ) > 0 {
			eachPrimary(m, func(f *source.File, i int) {
				if differ[f.Key(i)] {
					f.Keep(i)
				}
			})
		}
	}
	KeepAs(before, after)
	KeepAs(after, before)
}

// texts count the blocks of a key by their texts.
type texts map[[sha256.Size]byte]int

// textsOf are those of the blocks of a module, but for files that the other one has as well.
func textsOf(m, other *load.Module) map[uint64]texts {
	all := map[uint64]texts{}
	eachPrimary(m, func(f *source.File, i int) {
		key := f.Key(i)
		if all[key] == nil {
			all[key] = texts{}
		}
		all[key][sha256.Sum256(f.TextOf(i))]++
	}, func(f *source.File) bool {
		o := other.File(f.Name)
		return o == nil || !bytes.Equal(f.Src, o.Src)
	})
	return all
}

// eachPrimary visits the blocks of primary files, of those only that all functions choose.
func eachPrimary(m *load.Module, visit func(f *source.File, i int), chosen ...func(*source.File) bool) {
	for _, f := range m.Files {
		if f.Role != source.Primary || slices.ContainsFunc(chosen, func(is func(*source.File) bool) bool { return !is(f) }) {
			continue
		}
		for i := range f.Len() {
			visit(f, i)
		}
	}
}
