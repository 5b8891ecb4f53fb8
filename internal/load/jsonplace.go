package load

import (
	"bytes"
	"slices"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/hashicorp/hcl/v2"
)

// Where things stand in JSON text.

// jsonRange is a stretch of the file as it is given, with lines and columns.
// A column is a grapheme cluster, as in native files.
func (f *File) jsonRange(at [2]uint32) hcl.Range {
	return hcl.Range{Filename: f.Name, Start: f.jsonPos(int(at[0])), End: f.jsonPos(int(at[1]))}
}

// jsonPos is a place in the file. Since many may be asked for, and a line may be
// as long as the file, places on the way are remembered.
func (f *File) jsonPos(at int) hcl.Pos {
	at = min(at, len(f.Given))
	if len(f.waypoints) == 0 {
		f.waypoints = []hcl.Pos{hcl.InitialPos}
	}
	pos := f.waypoints[len(f.waypoints)-1]
	for pos.Byte+waypointEvery <= at {
		pos = f.step(pos, pos.Byte+waypointEvery)
		f.waypoints = append(f.waypoints, pos)
	}
	i, found := slices.BinarySearchFunc(f.waypoints, at, func(p hcl.Pos, at int) int { return p.Byte - at })
	if !found {
		i--
	}
	pos = f.step(f.waypoints[i], at)
	pos.Byte = at
	return pos
}

// waypointEvery is how many bytes, about, lie between remembered places.
const waypointEvery = 512

// step counts from one place to another behind it, or to the end of the
// character that this one is in.
func (f *File) step(pos hcl.Pos, at int) hcl.Pos {
	if n := bytes.Count(f.Given[pos.Byte:at], newline); n > 0 {
		pos = hcl.Pos{Line: pos.Line + n, Column: 1, Byte: bytes.LastIndexByte(f.Given[:at], '\n') + 1}
	}
	for pos.Byte < at {
		n, _, _ := textseg.ScanGraphemeClusters(f.Given[pos.Byte:], true)
		pos.Byte += n
		pos.Column++
	}
	return pos
}

// Place is where people find what stands at a range of the file's native text.
// For a native file that is the range itself, for a JSON file the place of the
// innermost JSON value or key that was turned into it.
func (f *File) Place(r hcl.Range) hcl.Range {
	if f.Syntax != JSON || f.Len() == 0 || r.Filename != f.Name {
		return r
	}
	i := f.Index(r.Start.Byte)
	if i == f.Len() || int(f.stubs[i].typ.start.byte) > r.Start.Byte {
		i = max(0, i-1)
	}
	if s := &f.stubs[i]; r.Start.Byte < int(s.def.byte) {
		return f.jsonRange(f.Peek(i).headerOrigin(r.Start.Byte, r.End.Byte)) // what is in it does not matter
	}
	return f.jsonRange(f.tree(i).origin(r))
}

// A placed is what was looked at last to find a place.
type placed struct {
	block int // its index
	tree  *Block
	attr  *Attr
	marks []mark // where the parts of attr's value went
}

// placeAll turns the places of diagnostics into those that people find.
func placeAll(diags hcl.Diagnostics, place func(hcl.Range) hcl.Range) hcl.Diagnostics {
	for _, d := range diags {
		if d.Subject != nil {
			d.Subject, d.Context = place(*d.Subject).Ptr(), nil
		}
		if related, ok := d.Extra.(Related); ok {
			related.Range = place(related.Range)
			d.Extra = related
		}
	}
	return diags
}

// Places turns the places of diagnostics about a module's items into those
// that people find.
func (m *Module) Places(diags hcl.Diagnostics) {
	placeAll(diags, func(r hcl.Range) hcl.Range {
		if f := m.File(r.Filename); f != nil {
			return f.Place(r)
		}
		return r
	})
}

// Where is where people find the name of an item.
func Where(it Item) hcl.Range {
	if a, ok := it.(*Attr); ok && a.from != nil && a.from.unwritten {
		return a.File.jsonRange(a.from.key)
	}
	return it.Source().Place(it.Header())
}

// Spread is the stretch of File.Given that an item takes up, with what names it.
func Spread(it Item) (from, to int) {
	var origin *origin
	switch it := it.(type) {
	case *Attr:
		origin = it.from
	case *Block:
		origin = it.from
	}
	if origin == nil {
		r := it.Extent()
		return r.Start.Byte, r.End.Byte
	}
	return int(origin.key[0]), int(origin.value[1])
}

// ValueSpread is the stretch of File.Given that is the body of a block of a JSON
// file.
func (b *Block) ValueSpread() (from, to int) { return int(b.from.value[0]), int(b.from.value[1]) }

// origin is the JSON text of what stands at a range inside the block.
func (b *Block) origin(r hcl.Range) [2]uint32 {
	at, end := r.Start.Byte, r.End.Byte
	if at < b.Body.Open.Start.Byte {
		return b.headerOrigin(at, end)
	}
	i, isStart := slices.BinarySearchFunc(b.Body.Items, at, func(it Item, at int) int { return startByte(it) - at })
	if !isStart {
		i--
	}
	if i < 0 || at >= b.Body.Items[i].Extent().End.Byte {
		return b.from.value
	}
	if inner, ok := b.Body.Items[i].(*Block); ok {
		return inner.origin(r)
	}
	return b.Body.Items[i].(*Attr).origin(at, end)
}

// headerOrigin is the key of the label that a range is in, else the last key of
// those that name the block.
func (b *Block) headerOrigin(at, end int) [2]uint32 {
	start := b.from.key[0]
	for i := range min(len(b.labelAt), len(b.from.labels)) {
		if b.from.labels[i] == 0 {
			break
		}
		start = b.from.labels[i]
		if l := b.labelAt[i]; at >= int(l.start.byte) && end <= int(l.end.byte) {
			break
		}
	}
	whole := at == int(b.typ.start.byte) && (end > int(b.typ.end.byte) || len(b.Labels) == 0)
	if whole && b.from.element {
		return [2]uint32{b.from.value[0], b.from.value[0] + 1}
	}
	return b.File.keyAt(start)
}

// keyAt is the stretch of the key that starts at an offset.
func (f *File) keyAt(at uint32) [2]uint32 {
	p := jsonParser{doc: &jsonDoc{src: f.Given}, at: int(at)}
	p.str()
	return [2]uint32{at, uint32(p.at)}
}

// origin is the JSON text of what stands at a range inside the argument.
func (a *Attr) origin(at, end int) [2]uint32 {
	if at < int(a.value.start.byte) {
		return a.from.key
	}
	last := &a.File.placed
	if last.attr != a {
		w := words{file: a.File, silent: true, mark: true}
		w.value(nil, parseJSONAt(a.File, int(a.from.value[0])), a.from.reading, a.indent(), true)
		last.attr, last.marks = a, append(w.marks, w.keys...)
	}
	best := a.from.value
	at, end = at-int(a.value.start.byte), end-int(a.value.start.byte)
	for _, m := range last.marks {
		if m.start <= at && end <= m.end && m.json[1]-m.json[0] <= best[1]-best[0] {
			best = m.json
		}
	}
	return best
}

// indent is how far the argument's line is indented.
func (a *Attr) indent() int { return int(a.name.start.column) - 1 }
