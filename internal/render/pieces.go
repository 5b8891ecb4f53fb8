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
	if o.OnlyChanged && q.text == nil {
		return parts
	}
	found := part{kind: q.block.Type, address: m.Address(q.block), text: q.text, eol: p.eol}
	if !picks(o.Filter, m, q.block, found.address) {
		return parts
	}
	if found.text == nil {
		t := load.TriviaOf(q.block)
		found.text = q.block.File.Src[t.Lead:t.End]
	}
	found.text = bytes.TrimRight(found.text, "\r\n")
	return append(parts, found)
}

// picks tells whether a pattern matches a block or something that it holds.
// What it holds is looked at only where its own address does not match.
func picks(globs []Glob, m *merge.Module, b *load.Block, address string) bool {
	matches := func(address string) bool {
		return slices.ContainsFunc(globs, func(g Glob) bool { return g.Match(address) })
	}
	return len(globs) == 0 || matches(address) || slices.ContainsFunc(m.Addresses(b), matches)
}
