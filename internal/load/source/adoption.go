package source

import (
	"bytes"
	"math"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// stubOf is the stub of a block. It describes the whole header if that is one line of single-byte
// characters, and the labels are spelled as they are.
func stubOf(f *File, b *Block) (s stub, isWhole bool) {
	start := b.start
	s = stub{
		start: start, end: b.end, key: KeyOf(b.Type, b.Labels),
		typ: b.typeEnd[1] - start.Byte, def: b.def.Byte - start.Byte, count: uint8(len(b.Labels)),
	}
	isWhole = len(b.Labels) <= len(s.labels) && s.def <= math.MaxUint16 && start.Forward(int(s.def)) == b.def
	for i := 0; isWhole && i < len(b.Labels); i++ {
		at := b.labelSpan(i)
		s.labels[i] = [2]uint16{uint16(at.Start.Byte - start.Byte), uint16(at.End.Byte - start.Byte)}
		isWhole = string(unquoted(at.Of(f.Native))) == b.Labels[i]
	}
	return s, isWhole
}

// TakeOver adopts the blocks of a native file with the same text, and keeps those that are kept
// there. Nobody else may use the file meanwhile.
func (f *File) TakeOver(from *File) {
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
			own := f.Block(i)
			own.body = f.grow(own)
		}
	}
}

// AddSame adds a block of another native file if the same text is at a position and the block ends
// its line. It returns the start of the next line.
func (f *File) AddSame(from *File, i int, at outline.Place) (next outline.Place, ok bool) {
	s := from.stubs[i]
	first, end := s.start.Byte, s.end.Byte+1
	if s.isPart || s.start.Column != 1 || at.Column != 1 || int(end) > len(from.Native) ||
		from.Native[end-1] != '\n' || !bytes.HasPrefix(f.Native[at.Byte:], from.Native[first:end]) {
		return outline.Place{}, false
	}
	s.end.Line, s.end.Byte = at.Line+s.end.Line-s.start.Line, at.Byte+s.end.Byte-first
	s.start = at
	f.stubs = append(f.stubs, s)
	f.blocks = append(f.blocks, atomic.Pointer[Block]{})
	return outline.Place{Line: s.end.Line + 1, Column: 1, Byte: s.end.Byte + 1}, true
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
