package plan

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A Selection says which top-level blocks are printed, and in which order.
type Selection struct {
	OnlyChanged bool              // only blocks that an override touched
	Filter      []address.Pattern // only blocks that one of these matches; none means all
	Sort        bool              // blocks by kind and address instead of load order
	ByText      bool              // sort blocks that share an address, too, by their texts
}

// IsWhole tells whether everything is printed as the files have it.
func (s Selection) IsWhole() bool { return !s.OnlyChanged && len(s.Filter) == 0 && !s.Sort }

// ErrNoneSelected says that no block of the module matches a filter.
var ErrNoneSelected = errors.New("no block matches --filter")

// A Selected is a top-level block printed apart from its file.
type Selected struct {
	*Block
	kind    string
	address address.Address
	LineEnd string
}

// Select lists the blocks that are selected, in the order that is asked for. textOf is
// what a block is printed as, by which blocks may be sorted.
func Select(m *merge.Module, files []*File, s Selection, textOf func(*Block) []byte) []Selected {
	var list []Selected
	for _, f := range files {
		for _, q := range f.All() {
			p := Selected{Block: q, kind: q.Source.Type, LineEnd: f.LineEnd}
			if s.OnlyChanged && !q.Changed {
				continue
			}
			if s.Sort || len(s.Filter) > 0 {
				p.address = address.OfBlock(m, q.Source)
			}
			if (filter{s.Filter}).picks(m, q, p.address) {
				list = append(list, p)
			}
		}
	}
	if s.Sort {
		slices.SortStableFunc(list, func(a, b Selected) int {
			c := cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.address, b.address))
			if c == 0 && s.ByText {
				c = bytes.Compare(textOf(a.Block), textOf(b.Block))
			}
			return c
		})
	}
	return list
}

// SourceText is a block as its file has it, without the line end behind it.
func (p *Block) SourceText() []byte {
	t := source.TriviaOf(p.Source)
	return bytes.TrimRight(p.Source.File.Src[t.Lead:t.End], "\r\n")
}
