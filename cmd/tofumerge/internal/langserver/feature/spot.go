package feature

import (
	"bytes"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A spot is the object at a position of a file: an argument, or the type or a label of a block.
type spot struct {
	item   source.Item
	isName bool // the position is in the name, type or label, not in the value
}

// spotAt returns the spot at a position, or the one that ends there, as cursors are often
// right behind a word; nil if there is none.
func spotAt(v *view.View, name string, p protocol.Position) *spot {
	text := v.Text(name)
	if text == nil || v.Merged == nil {
		return nil
	}
	f := v.Merged.Source.File(name)
	if f == nil {
		return nil // it isn't configuration
	}
	at := text.Offset(p, v.Encoding)
	s := spotIn(f, at)
	if at > 0 && (s == nil || !s.isName) {
		if before := spotIn(f, at-1); before != nil && (s == nil || before.isName) {
			return before
		}
	}
	return s
}

func spotIn(f *source.File, at int) *spot {
	it := f.ItemAt(at)
	if it == nil {
		return nil
	}
	_, isArgument := it.(*source.Attr)
	named := source.Where(it)
	isName := at >= named.Start.Byte && at < named.End.Byte
	if isName || isArgument {
		return &spot{it, isName}
	}
	return nil
}

// rangeOf is the range that an editor highlights for a spot.
func (s *spot) rangeOf(v *view.View) protocol.Range {
	if s.isName {
		return v.Range(source.Where(s.item))
	}
	return v.Range(wholeOf(s.item))
}

// wholeOf is the range of a whole item.
func wholeOf(it source.Item) hcl.Range {
	from, to := source.Spread(it)
	return it.Source().RawRange([2]uint32{uint32(from), uint32(to)})
}

// lineEnd is the offset of the end of the line that an offset of a text is in.
func lineEnd(text []byte, at int) int {
	if n := bytes.IndexAny(text[at:], "\r\n"); n >= 0 {
		return at + n
	}
	return len(text)
}

// linkTo is a URI of an item's line.
func linkTo(v *view.View, it source.Item) string {
	at := source.Where(it)
	return string(v.URI(at.Filename)) + "#L" + strconv.Itoa(at.Start.Line)
}
