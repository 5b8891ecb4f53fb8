package source

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"
)

// Most blocks of a large module are declared, judged and never touched by an
// override. All that stays of such a block is its stub: where its header and its
// end are. Stubs hold no pointers, so that neither their number nor their size
// costs the garbage collector anything.

// A stub is where a top-level block and the parts of its header are in the file.
type stub struct {
	typ    Span
	def    Place
	end    Place
	labels [2]Span
	count  uint8 // labels
}

// Forget drops all blocks that were taken up.
func (f *File) Forget() { f.stubs, f.blocks, f.names = nil, nil, nil }

// index is the index of the block that starts at an offset.
func (f *File) index(start int) int {
	low, high := 0, len(f.stubs)
	for low < high {
		mid := (low + high) / 2
		if int(f.stubs[mid].typ.Start.Byte) < start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (s *stub) whole() Span { return Span{s.typ.Start, s.end} }

func (s *stub) block(f *File) *Block {
	b := &Block{File: f, Type: string(f.slice(s.typ)), typ: s.typ, def: s.def, end: s.end}
	for _, at := range s.labels[:s.count] {
		b.Labels = append(b.Labels, string(unquoted(f.slice(at))))
		b.labelAt = append(b.labelAt, at)
	}
	return b
}

func (f *File) slice(s Span) []byte { return f.Src[s.Start.Byte:s.End.Byte] }

func unquoted(label []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(label, []byte(`"`)), []byte(`"`))
}

// Add takes up a block of the file. Without a body it is remembered as a stub,
// unless its labels are not what the text shows.
func (f *File) Add(b *Block, keep bool) {
	if b.from != nil {
		f.origins = append(f.origins, *b.from)
	}
	s := stub{typ: b.typ, def: b.def, end: b.end, count: uint8(len(b.Labels))}
	plain := len(b.Labels) <= len(s.labels)
	for i, label := range b.Labels {
		if !plain {
			break
		}
		s.labels[i] = b.labelAt[i]
		plain = string(unquoted(f.slice(b.labelAt[i]))) == label
	}
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	if keep || !plain {
		if b.from != nil {
			own := *b.from // the builder uses its own again
			b.from = &own
		}
		f.blocks[len(f.blocks)-1].Store(b)
	}
}

// AddNames remembers the names that a block declares which is not kept itself.
func (f *File) AddNames(b *Body) {
	for _, it := range b.Items {
		if a, ok := it.(*Attr); ok {
			f.names = append(f.names, nameStub{at: a.name, block: uint32(len(f.stubs))})
		}
	}
}

// A nameStub is a name that a block without a tree declares.
type nameStub struct {
	at    Span
	block uint32
}

var seed = maphash.MakeSeed()

// Key is a hash of a block's type and labels; blocks that address each other
// have the same one. It differs from run to run.
func (f *File) Key(i int) uint64 {
	if b := f.blocks[i].Load(); b != nil {
		return KeyOf(b.Type, b.Labels)
	}
	var h maphash.Hash
	h.SetSeed(seed)
	s := &f.stubs[i]
	h.Write(f.slice(s.typ))
	for _, at := range s.labels[:min(int(s.count), len(s.labels))] {
		h.WriteByte(0)
		h.Write(unquoted(f.slice(at)))
	}
	return h.Sum64()
}

// KeyOf is the Key of a block of a type with labels.
func KeyOf(typ string, labels []string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(typ)
	for _, l := range labels {
		h.WriteByte(0)
		h.WriteString(l)
	}
	return h.Sum64()
}

// Names calls visit with a hash of each name that the blocks without trees
// declare, and the index of its block.
func (f *File) Names(visit func(key uint64, block int)) {
	for _, n := range f.names {
		visit(maphash.Bytes(seed, f.slice(n.at)), int(n.block))
	}
}
