package render

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A part is a top-level block printed apart from its file.
type part struct {
	kind, address string
	text          []byte
	eol           string
}

// ErrNothingPicked says that no block of the module matches a filter.
var ErrNothingPicked = errors.New("no block matches --filter")

// writePieces writes the blocks that the options pick, one blank line apart.
func writePieces(w io.Writer, m *merge.Module, files []*printed, o Options) error {
	var parts []part
	for _, f := range files {
		parts = f.pick(parts, m, o)
	}
	if o.Sort {
		slices.SortStableFunc(parts, func(a, b part) int {
			if c := strings.Compare(a.kind, b.kind); c != 0 {
				return c
			}
			return strings.Compare(a.address, b.address)
		})
	}
	if len(parts) == 0 && len(o.Filter) > 0 {
		return ErrNothingPicked
	}
	for i, p := range parts {
		text := withEnd(p.text, p.eol)
		if i > 0 {
			text = append([]byte(p.eol), text...)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

func (p *printed) pick(parts []part, m *merge.Module, o Options) []part {
	for _, q := range p.all() {
		parts = p.pickPiece(parts, q, m, o)
	}
	return parts
}

func (p *printed) pickPiece(parts []part, q *piece, m *merge.Module, o Options) []part {
	addresses := m.Addresses(q.block)
	if o.OnlyChanged && q.text == nil || !picks(o.Filter, addresses) {
		return parts
	}
	text := q.text
	if text == nil {
		t := load.TriviaOf(q.block)
		text = q.block.File.Src[t.Lead:t.End]
	}
	found := part{kind: q.block.Type, text: bytes.TrimRight(text, "\r\n"), eol: p.eol}
	if len(addresses) > 0 {
		found.address = addresses[0]
	}
	return append(parts, found)
}

// picks tells whether a pattern matches a block, given by its addresses, the
// own one first, or something that it holds.
func picks(globs []Glob, addresses []string) bool {
	if len(globs) == 0 {
		return true
	}
	for _, g := range globs {
		if slices.ContainsFunc(addresses, g.Match) {
			return true
		}
	}
	return false
}
