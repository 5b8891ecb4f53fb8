package render

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A Selection says which top-level blocks are printed, and in which order.
type Selection struct {
	OnlyChanged bool   // only blocks that an override touched
	Filter      []Glob // only blocks that one of these matches; none means all
	Sort        bool   // blocks by kind and address instead of load order
	ByText      bool   // sort blocks that share an address, too, by their texts
}

// isWhole tells whether everything is printed as the files have it.
func (s Selection) isWhole() bool { return !s.OnlyChanged && len(s.Filter) == 0 && !s.Sort }

// ErrNothingPicked says that no block of the module matches a filter.
var ErrNothingPicked = errors.New("no block matches --filter")

// A part is a top-level block printed apart from its file.
type part struct {
	*piece
	kind, address string
	eol           string
}

// pick lists the blocks that are selected, in the order that is asked for. textOf is
// what a block is printed as, by which blocks may be sorted.
func pick(m *merge.Module, files []*printed, s Selection, textOf func(*piece) []byte) []part {
	var parts []part
	for _, f := range files {
		for _, q := range f.all() {
			p := part{piece: q, kind: q.block.Type, eol: f.eol}
			if s.OnlyChanged && !q.touched {
				continue
			}
			if s.Sort || len(s.Filter) > 0 {
				p.address = m.Address(q.block)
			}
			if (filter{s.Filter}).picks(m, q, p.address) {
				parts = append(parts, p)
			}
		}
	}
	if s.Sort {
		slices.SortStableFunc(parts, func(a, b part) int {
			c := cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.address, b.address))
			if c == 0 && s.ByText {
				c = bytes.Compare(textOf(a.piece), textOf(b.piece))
			}
			return c
		})
	}
	return parts
}

// sourceText is a block as its file has it, without the line end behind it.
func (p *piece) sourceText() []byte {
	t := load.TriviaOf(p.block)
	return bytes.TrimRight(p.block.File.Src[t.Lead:t.End], "\r\n")
}
