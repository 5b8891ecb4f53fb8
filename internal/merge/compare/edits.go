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
// that only the later one has. Of a block that one of them lacks it lists the block.
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
	differ := map[uint64]bool{}
	for key, texts := range a {
		if !maps.Equal(texts, b[key]) {
			differ[key] = true
		}
	}
	for key := range b {
		if a[key] == nil {
			differ[key] = true
		}
	}
	return func(f *source.File, i int) bool {
		return differ[f.Key(i)] || before.IsAddressedAt(f, i) || after.IsAddressedAt(f, i)
	}
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
		return o == nil || !bytes.Equal(f.Native, o.Native)
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
