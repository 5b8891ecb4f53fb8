package source

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2"
)

// GivenRange is a stretch of the file as it is given, with lines and columns.
// A column is a grapheme cluster, as in native files.
func (f *File) GivenRange(at [2]uint32) hcl.Range {
	return hcl.Range{Filename: f.Name, Start: f.givenPos(int(at[0])), End: f.givenPos(int(at[1]))}
}

// waypoints are positions in File.Raw, one every few hundred bytes, computed on demand: many
// positions may be needed, and a line may be as long as the file.
type waypoints struct {
	mutex sync.Mutex
	known []hcl.Pos
}

// before is the last waypoint at or before an offset.
func (w *waypoints) before(f *File, at int) hcl.Pos {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.known) == 0 {
		w.known = []hcl.Pos{hcl.InitialPos}
	}
	pos := w.known[len(w.known)-1]
	for pos.Byte+waypointEvery <= at {
		pos = f.step(pos, pos.Byte+waypointEvery)
		w.known = append(w.known, pos)
	}
	i, found := slices.BinarySearchFunc(w.known, at, func(p hcl.Pos, at int) int { return p.Byte - at })
	if !found {
		i--
	}
	return w.known[i]
}

// givenPos is the position of an offset of File.Raw.
func (f *File) givenPos(at int) hcl.Pos {
	at = min(at, len(f.Raw))
	pos := f.step(f.waypoints.before(f, at), at)
	pos.Byte = at
	return pos
}

// waypointEvery is roughly how many bytes lie between remembered positions.
const waypointEvery = 512

// step advances from one position to a later one, or to the end of the character that contains it.
func (f *File) step(pos hcl.Pos, at int) hcl.Pos {
	if n := bytes.Count(f.Raw[pos.Byte:at], []byte("\n")); n > 0 {
		pos = hcl.Pos{Line: pos.Line + n, Column: 1, Byte: bytes.LastIndexByte(f.Raw[:at], '\n') + 1}
	}
	for pos.Byte < at {
		n, _, _ := textseg.ScanGraphemeClusters(f.Raw[pos.Byte:], true)
		pos.Byte += n
		pos.Column++
	}
	return pos
}

// Place converts a range of the file's native text to the range that users see. For a native file
// that is the range itself, for a JSON file the range of the innermost JSON value or key that was
// turned into it.
func (f *File) Place(r hcl.Range) hcl.Range {
	if f.Syntax != JSON || f.Len() == 0 || r.Filename != f.Name {
		return r
	}
	i := f.index(r.Start.Byte)
	if i == f.Len() || int(f.stubs[i].start.Byte) > r.Start.Byte {
		i = max(0, i-1)
	}
	if s := &f.stubs[i]; r.Start.Byte < int(s.start.Byte+s.def) {
		return f.GivenRange(f.header(i).headerOrigin(r.Start.Byte, r.End.Byte)) // its contents do not matter
	}
	return f.GivenRange(f.Block(i).origin(r))
}

// Where is where users find the name of an item.
func Where(it Item) hcl.Range {
	if a, ok := it.(*Attr); ok && a.from() != nil && a.from().unwritten {
		return a.File.GivenRange(a.from().Key)
	}
	return it.Source().Place(it.Header())
}

// origin is the JSON text of a range inside the block.
func (b *Block) origin(r hcl.Range) [2]uint32 {
	at, end := r.Start.Byte, r.End.Byte
	if at < b.OpenBrace().Start.Byte {
		return b.headerOrigin(at, end)
	}
	items := b.Items()
	i, isStart := slices.BinarySearchFunc(items, at, func(it Item, at int) int { return startByte(it) - at })
	if !isStart {
		i--
	}
	if i < 0 || at >= items[i].Extent().End.Byte {
		return b.from.Value
	}
	if inner, ok := items[i].(*Block); ok {
		return inner.origin(r)
	}
	return items[i].(*Attr).origin(at, end)
}

// headerOrigin is the key of the label that a range is in, else the last key of
// those that name the block.
func (b *Block) headerOrigin(at, end int) [2]uint32 {
	start := b.from.Key[0]
	for i := range min(len(b.Labels), len(b.from.Labels)) {
		if b.from.Labels[i] == 0 {
			break
		}
		start = b.from.Labels[i]
		if l := b.labelSpan(i); at >= int(l.Start.Byte) && end <= int(l.End.Byte) {
			break
		}
	}
	whole := at == int(b.start.Byte) && (end > int(b.typeEnd[1]) || len(b.Labels) == 0)
	if whole && b.from.Element {
		return [2]uint32{b.from.Value[0], b.from.Value[0] + 1}
	}
	return b.File.translator.KeyAt(start)
}

// origin is the JSON text of a range inside the argument.
func (a *Attr) origin(at, end int) [2]uint32 {
	if at < int(a.value.Start.Byte) {
		return a.from().Key
	}
	whole := cmp.Or(a.rarely().whole, a) // whose text is read once for all its parts
	start := int(whole.value.Start.Byte)
	return a.File.translator.ValuePart(whole, at-start, end-start)
}

// HolderOf is the innermost item of a JSON file that an offset is in, but the block itself for one
// at the top level that no override file may change: its items have no fate of their own.
func (f *File) HolderOf(at uint32) Item {
	i, _ := slices.BinarySearchFunc(f.origins, at+1, func(o Origin, at uint32) int { return int(o.Value[0]) - int(at) })
	var it Item = f.Block(max(0, i-1))
	for {
		b, ok := it.(*Block)
		if !ok || b.body == nil {
			return it
		}
		items := b.body.items
		inner, _ := slices.BinarySearchFunc(items, at+1,
			func(it Item, at uint32) int { return int(originOf(it).start()) - int(at) })
		switch {
		case inner > 0 && originOf(items[inner-1]).covers(at):
			it = items[inner-1]
		case inner < len(items) && originOf(items[inner]).Key[0] <= at:
			return items[inner] // the first block behind a key
		default:
			return it
		}
	}
}

// Indent is how far the argument's line is indented, in columns.
func (a *Attr) Indent() int { return int(a.name.Start.Column) - 1 }

// A Place is a point of a file, small since there are many.
type Place struct{ Line, Column, Byte uint32 }

func (p Place) pos() hcl.Pos {
	return hcl.Pos{Line: int(p.Line), Column: int(p.Column), Byte: int(p.Byte)}
}

func placeOf(p hcl.Pos) Place { return Place{uint32(p.Line), uint32(p.Column), uint32(p.Byte)} }

// A Span is a stretch of a file.
type Span struct{ Start, End Place }

func (s Span) in(f *File) hcl.Range {
	return hcl.Range{Filename: f.Name, Start: s.Start.pos(), End: s.End.pos()}
}

func spanOf(r hcl.Range) Span { return Span{placeOf(r.Start), placeOf(r.End)} }

// Wheres is Where of each of some items.
func Wheres[T Item](items []T) []hcl.Range {
	list := make([]hcl.Range, len(items))
	for i, it := range items {
		list[i] = Where(it)
	}
	return list
}
