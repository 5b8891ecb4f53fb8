package plan

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Where blocks go that only override files declare, and arguments that get a
// block of their own.

// An arrangement finds the blocks of primary files behind which others are printed.
type arrangement struct {
	module *load.Module
	files  []*File
	opened *File                    // the file that a new terraform block opens, once there is one
	own    map[syntaxQuery]position // cached answers about the files' own blocks
	at     map[*source.Block]position
}

// A syntaxQuery is a query for the last matching block, in files of one syntax.
type syntaxQuery struct {
	blockQuery
	syntax source.Syntax // anySyntax for every syntax
}

const anySyntax source.Syntax = -1

// A position is a block by the indexes of its file and in it; the file is -1 without a block.
type position struct{ file, block int }

// A blockQuery describes a block that is looked for.
type blockQuery struct {
	typ    string
	labels string // see labelsOf; any if empty
}

func labelsOf(b *source.Block) string { return strings.Join(b.Labels, "\x00") + "\x00" }

func (s blockQuery) is(b *source.Block) bool {
	return b.Type == s.typ && (s.labels == "" || s.labels == labelsOf(b))
}

// place determines the position of an entry's addition to the top level.
func (a *arrangement) place(e *merge.MergedItem) {
	if e.Inner() == nil {
		return
	}
	if e.Place == nil && e.InEffect() {
		b := e.Live[0].(*source.Block)
		block := &Block{Source: b, Content: e.Inner(), Changed: true}
		if len(e.Rule.After) == 0 {
			a.opening(block)
		} else {
			a.behind(e.Rule.After, block)
		}
	}
	for _, inner := range e.Inner().Items {
		if inner.Rule.IsApart() && inner.Place == nil && inner.InEffect() {
			a.further(e, inner)
		}
	}
}

// opening puts a block before all others of the first file, which is the first
// one of the block's own syntax if there is one.
func (a *arrangement) opening(block *Block) {
	i := max(0, slices.IndexFunc(a.files, func(f *File) bool { return f.syntax() == block.Source.File.Syntax }))
	first := a.files[i]
	first.Before = append(first.Before, block)
	a.opened = first
}

// behind inserts a block after the last block of the first existing type, preferring blocks of its
// type and first label; otherwise after all.
func (a *arrangement) behind(types []string, block *Block) {
	own := block.Source.File.Syntax
	if anchor := a.last(own, blockQuery{typ: block.Source.Type, labels: labelsOf(block.Source)}); anchor != nil {
		anchor.Behind = append(anchor.Behind, block)
		return
	}
	for _, typ := range types {
		if anchor := a.last(own, blockQuery{typ: typ}); anchor != nil {
			anchor.Behind = append(anchor.Behind, block)
			return
		}
	}
	last := a.files[len(a.files)-1]
	last.After = append(last.After, block)
}

// further prints an appended argument, of which a block can hold only one, in a separate block.
func (a *arrangement) further(e, inner *merge.MergedItem) {
	it := inner.Live[0]
	block := &Block{Source: it.Within(), Item: it, Entry: inner, Changed: true}
	anchor := a.blockOf(e.Inner().Beside(inner))
	if anchor == nil {
		a.opened = a.files[0]
		a.opened.Before = append(a.opened.Before, block)
		return
	}
	anchor.Behind = append(anchor.Behind, block)
}

// blockOf returns the printed form of a block: one of a file, or the one that opens a file; or nil.
func (a *arrangement) blockOf(b *source.Block) *Block {
	if a.at == nil {
		a.at = map[*source.Block]position{}
		a.each(func(b *source.Block, at position) { a.at[b] = at })
	}
	if at, isOwn := a.at[b]; isOwn {
		return a.files[at.file].block(at.block)
	}
	if a.opened != nil {
		for _, block := range a.opened.Before {
			if block.Source == b {
				return block
			}
		}
	}
	return nil
}

// last finds the last block that is sought, one in a file of a syntax before any
// other.
func (a *arrangement) last(own source.Syntax, s blockQuery) *Block {
	if block := a.answer(syntaxQuery{s, own}); block != nil {
		return block
	}
	return a.answer(syntaxQuery{s, anySyntax})
}

// answer finds the last matching block: among those that close a file, its own, and those that open
// it. A new block opens a file only if no file has a block of its type.
func (a *arrangement) answer(q syntaxQuery) *Block {
	final := a.files[len(a.files)-1]
	if block := q.lastOf(final.After); block != nil {
		return block
	}
	if at := a.find(q); at.file >= 0 {
		return a.files[at.file].block(at.block)
	}
	if a.opened == nil {
		return nil
	}
	return q.lastOf(a.opened.Before)
}

func (q syntaxQuery) is(b *source.Block) bool {
	return q.blockQuery.is(b) && (q.syntax == anySyntax || q.syntax == b.File.Syntax)
}

func (q syntaxQuery) lastOf(pieces []*Block) *Block {
	for _, block := range slices.Backward(pieces) {
		if q.is(block.Source) {
			return block
		}
	}
	return nil
}

// find answers a question by the files' own blocks.
func (a *arrangement) find(q syntaxQuery) position {
	if a.own == nil {
		a.own = map[syntaxQuery]position{}
		a.each(func(b *source.Block, at position) {
			for _, syntax := range []source.Syntax{b.File.Syntax, anySyntax} {
				a.own[syntaxQuery{blockQuery{typ: b.Type}, syntax}] = at
				a.own[syntaxQuery{blockQuery{typ: b.Type, labels: labelsOf(b)}, syntax}] = at
			}
		})
	}
	if at, known := a.own[q]; known {
		return at
	}
	return position{file: -1}
}

// each visits the blocks of primary files that overrides may address, in load order.
func (a *arrangement) each(visit func(*source.Block, position)) {
	for i, f := range a.files {
		for j := range f.Size() {
			if a.module.IsAddressedAt(f.File, j) {
				visit(f.File.Block(j), position{i, j})
			}
		}
	}
}
