package source

import (
	"hash/maphash"
	"math/bits"
	"sort"

	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// Most blocks of a large module are declared, judged and never touched by an
// override. All that stays of such a block is its stub: where its header and its
// end are. Stubs hold no pointers, so that neither their number nor their size
// costs the garbage collector anything.

// Forget drops all blocks that were taken up.
func (f *File) Forget() { f.stubs, f.blocks, f.names = nil, nil, nil }

// index is the index of the block that starts at an offset.
func (f *File) index(start int) int {
	return sort.Search(len(f.stubs), func(i int) bool { return int(f.stubs[i].start.Byte) >= start })
}

func (s *stub) whole() outline.Span { return outline.Span{Start: s.start, End: s.end} }

func (s *stub) typeAt() outline.Span {
	return outline.Span{Start: s.start, End: s.start.Forward(int(s.typ))}
}

func (s *stub) labelAt(i int) outline.Span {
	return outline.Span{Start: s.start.Forward(int(s.labels[i][0])), End: s.start.Forward(int(s.labels[i][1]))}
}

// Names are hashed with a separate seed, so that the hash of a name and the Key of a block are unrelated.
var seed, nameSeed = maphash.MakeSeed(), maphash.MakeSeed()

// Key is a hash of a block's type and labels; blocks that address each other
// have the same one. It differs from run to run.
func (f *File) Key(i int) uint64 { return f.stubs[i].key }

// KeyOf is the Key of a block of a type with labels.
func KeyOf(typ string, labels []string) uint64 {
	key := maphash.String(seed, typ)
	for _, l := range labels {
		key = bits.RotateLeft64(key, 1) ^ maphash.String(seed, l)
	}
	return key
}

// Names calls visit with a hash of each name that AddNames took up, and the index of its block.
func (f *File) Names(visit func(key uint64, block int)) {
	for _, n := range f.names {
		visit(maphash.Bytes(nameSeed, f.Native[n.at[0]:n.at[1]]), int(n.block))
	}
}
