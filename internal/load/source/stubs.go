package source

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
)

// Most blocks of a large module are declared, judged and never touched by an
// override. All that stays of such a block is its stub: where its header and its
// end are. Stubs hold no pointers, so that neither their number nor their size
// costs the garbage collector anything.

// A stub locates a top-level block and the parts of its header in the file. The parts are relative
// to the block's start, in bytes.
type stub struct {
	start  Place
	end    Place
	key    uint64       // see File.Key
	typ    uint32       // where the type ends
	def    uint32       // where type and labels end
	labels [2][2]uint16 // from where to where the labels are, quotes included
	count  uint8        // labels
	isPart bool         // it does not hold the whole header
}

// Forget drops all blocks that were taken up.
func (f *File) Forget() { f.stubs, f.blocks, f.names = nil, nil, nil }

// index is the index of the block that starts at an offset.
func (f *File) index(start int) int {
	low, high := 0, len(f.stubs)
	for low < high {
		mid := (low + high) / 2
		if int(f.stubs[mid].start.Byte) < start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (s *stub) whole() Span { return Span{s.start, s.end} }

func (s *stub) typeAt() Span { return Span{s.start, s.start.forward(int(s.typ))} }

func (s *stub) labelAt(i int) Span {
	return Span{s.start.forward(int(s.labels[i][0])), s.start.forward(int(s.labels[i][1]))}
}

func (s *stub) block(f *File) *Block {
	b := &Block{File: f, Type: string(f.slice(s.typeAt())), def: s.start.forward(int(s.def)), end: s.end}
	b.setType(s.typeAt())
	for i := range s.count {
		b.Labels = append(b.Labels, string(unquoted(f.slice(s.labelAt(int(i))))))
	}
	return b
}

func (f *File) slice(s Span) []byte { return f.Native[s.Start.Byte:s.End.Byte] }

func unquoted(label []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimPrefix(label, []byte(`"`)), []byte(`"`))
}

// Add adds a block to the file, and reports whether it keeps the block. Unless the block is pinned,
// its body is released, and only a stub remains, if a stub can describe its header.
func (f *File) Add(b *Block, pin bool) (isKept bool) {
	if b.from != nil {
		f.origins = append(f.origins, *b.from)
	}
	s, isWhole := stubOf(f, b)
	s.isPart = !isWhole
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	if !pin {
		b.body = nil
	}
	if !pin && isWhole {
		return false
	}
	if b.from != nil {
		own := *b.from // the builder uses its own again
		b.from = &own
	}
	if b.labelAt != nil && !isWhole {
		own := slices.Clone(*b.labelAt)
		b.labelAt = &own
	} else {
		b.labelAt = nil
	}
	f.blocks[len(f.blocks)-1].Store(b)
	return true
}

// stubOf is the stub of a block. It describes the whole header if that is one line of single-byte
// characters, and the labels are spelled as they are.
func stubOf(f *File, b *Block) (s stub, isWhole bool) {
	start := b.start
	s = stub{
		start: start, end: b.end, key: KeyOf(b.Type, b.Labels),
		typ: b.typeEnd[1] - start.Byte, def: b.def.Byte - start.Byte, count: uint8(len(b.Labels)),
	}
	isWhole = len(b.Labels) <= len(s.labels) && s.def <= math.MaxUint16 && start.forward(int(s.def)) == b.def
	for i := 0; isWhole && i < len(b.Labels); i++ {
		at := b.labelSpan(i)
		s.labels[i] = [2]uint16{uint16(at.Start.Byte - start.Byte), uint16(at.End.Byte - start.Byte)}
		isWhole = string(unquoted(f.slice(at))) == b.Labels[i]
	}
	return s, isWhole
}

// TakeOver adopts the blocks of a native file with the same text, and pins those that are pinned
// there. It returns these.
func (f *File) TakeOver(from *File) (pinned []*Block) {
	f.stubs, f.names = from.stubs, from.names
	f.blocks = make([]atomic.Pointer[Block], len(from.stubs))
	for i := range f.stubs {
		if f.stubs[i].isPart {
			b := from.blocks[i].Load()
			own := b.bare()
			own.File = f
			f.blocks[i].Store(&own)
		}
		if b := from.blocks[i].Load(); b != nil && b.body != nil {
			pinned = append(pinned, f.pin(i))
		}
	}
	return pinned
}

// AddSame adds a block of another native file if the same text is at a position and the block ends
// its line. It returns the start of the next line.
func (f *File) AddSame(from *File, i int, at Place) (next Place, ok bool) {
	s := from.stubs[i]
	first, end := s.start.Byte, s.end.Byte+1
	if s.isPart || s.start.Column != 1 || at.Column != 1 || int(end) > len(from.Native) ||
		from.Native[end-1] != '\n' || !bytes.HasPrefix(f.Native[at.Byte:], from.Native[first:end]) {
		return Place{}, false
	}
	s.end.Line, s.end.Byte = at.Line+s.end.Line-s.start.Line, at.Byte+s.end.Byte-first
	s.start = at
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	return Place{Line: s.end.Line + 1, Column: 1, Byte: s.end.Byte + 1}, true
}

// AddNames remembers the names that a block declares which is not pinned itself.
func (f *File) AddNames(b *Block) {
	for _, it := range b.Items() {
		if a, ok := it.(*Attr); ok {
			at := [2]uint32{a.name.Start.Byte, a.name.End.Byte}
			f.names = append(f.names, nameStub{at: at, block: uint32(len(f.stubs))})
		}
	}
}

// A nameStub is a name declared by a block that exists only as a stub.
type nameStub struct {
	at    [2]uint32 // bytes
	block uint32
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
