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
	*piece
	kind, address string
	eol           string
}

// ErrNothingPicked says that no block of the module matches a filter.
var ErrNothingPicked = errors.New("no block matches --filter")

// writeParts writes the blocks that were picked, one blank line apart.
func (t *Text) writeParts(w io.Writer) error {
	if len(t.parts) == 0 && t.isSearch {
		return ErrNothingPicked
	}
	for i, p := range t.parts {
		text := withEnd(p.lone(), p.eol)
		if i > 0 {
			text = append([]byte(p.eol), text...)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// pick lists the blocks that the options ask for, in the order that they ask for.
func pick(m *merge.Module, files []*printed, o Options) []part {
	var parts []part
	for _, f := range files {
		for _, q := range f.all() {
			p := part{piece: q, kind: q.block.Type, eol: f.eol}
			if o.OnlyChanged && !q.touched {
				continue
			}
			if o.Sort || len(o.Filter) > 0 {
				p.address = m.Address(q.block)
			}
			if patterns(o.Filter).picks(m, q, p.address) {
				parts = append(parts, p)
			}
		}
	}
	if o.Sort {
		slices.SortStableFunc(parts, func(a, b part) int {
			if c := strings.Compare(a.kind, b.kind); c != 0 {
				return c
			}
			if c := strings.Compare(a.address, b.address); c != 0 {
				return c
			}
			if o.ByText {
				return bytes.Compare(a.lone(), b.lone())
			}
			return 0
		})
	}
	return parts
}

// lone is the block's text without the line end behind it.
func (p part) lone() []byte {
	text := p.text
	if text == nil {
		t := load.TriviaOf(p.block)
		text = p.block.File.Src[t.Lead:t.End]
	}
	return bytes.TrimRight(text, "\r\n")
}
