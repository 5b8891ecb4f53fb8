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

// A stub tells where a top-level block and the parts of its header stand.
type stub struct {
	typ    Span
	def    Place
	end    Place
	labels [2]Span
	count  uint8 // labels
}

// Forget drops all blocks that were taken up.
func (f *File) Forget() { f.Stubs, f.blocks, f.names = nil, nil, nil }

// WholeText is the text of the block of an index. It shares the file's memory.
func (f *File) WholeText(i int) []byte { return f.Slice(f.Stubs[i].Whole()) }

// Len is how many top-level blocks the file has.
func (f *File) Len() int { return len(f.Stubs) }

// Kept returns the block of an index if it has its tree, else nil.
func (f *File) Kept(i int) *Block {
	if b := f.blocks[i].Load(); b != nil && b.Body != nil {
		return b
	}
	return nil
}

// Block returns the block of an index. One whose tree is not kept is made from
// the text; asked for again, it is the same.
func (f *File) Block(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	f.blocks[i].CompareAndSwap(nil, f.Peek(i))
	return f.blocks[i].Load()
}

// Peek returns the block of an index, which is not kept for its sake.
func (f *File) Peek(i int) *Block {
	if b := f.blocks[i].Load(); b != nil {
		return b
	}
	b := f.Stubs[i].block(f)
	if len(f.origins) > 0 {
		b.from = &f.origins[i]
	}
	return b
}

// Whole returns the block of an index with its tree, which is kept from then on. It
// is for who builds on the file, not for several goroutines at once.
func (f *File) Whole(i int) *Block {
	b := f.Block(i)
	if b.Body == nil {
		b.grow()
	}
	return b
}

// Index is the index of the block that starts at an offset.
func (f *File) Index(start int) int {
	low, high := 0, len(f.Stubs)
	for low < high {
		mid := (low + high) / 2
		if int(f.Stubs[mid].typ.Start.Byte) < start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (s *stub) Whole() Span { return Span{s.typ.Start, s.end} }

func (s *stub) block(f *File) *Block {
	b := &Block{File: f, Type: string(f.Slice(s.typ)), typ: s.typ, def: s.def, end: s.end}
	for _, at := range s.labels[:s.count] {
		b.Labels = append(b.Labels, string(unquoted(f.Slice(at))))
		b.labelAt = append(b.labelAt, at)
	}
	return b
}

func (f *File) Slice(s Span) []byte { return f.Src[s.Start.Byte:s.End.Byte] }

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
		plain = string(unquoted(f.Slice(b.labelAt[i]))) == label
	}
	f.Stubs = append(f.Stubs, s)
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
			f.names = append(f.names, nameStub{at: a.name, block: uint32(len(f.Stubs))})
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
	s := &f.Stubs[i]
	h.Write(f.Slice(s.typ))
	for _, at := range s.labels[:min(int(s.count), len(s.labels))] {
		h.WriteByte(0)
		h.Write(unquoted(f.Slice(at)))
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

// TypeOf is the type of the block of an index. It shares the file's memory.
func (f *File) TypeOf(i int) []byte { return f.Slice(f.Stubs[i].typ) }

// Names calls visit with a hash of each name that the blocks without trees
// declare, and the index of its block.
func (f *File) Names(visit func(key uint64, block int)) {
	for _, n := range f.names {
		visit(maphash.Bytes(seed, f.Slice(n.at)), int(n.block))
	}
}
