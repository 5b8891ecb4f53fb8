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
	opened *File              // the file that a new terraform block opens, once there is one
	own    map[query]position // cached answers about the files' own blocks
	at     map[*source.Block]position
}

// A query describes the last block that is looked for.
type query struct {
	typ    string
	labels string        // see labelsOf; any if empty
	syntax source.Syntax // of its file; anySyntax for every one
}

const anySyntax source.Syntax = -1

// A position is a block by the indexes of its file and in it.
type position struct{ file, block int }

func labelsOf(b *source.Block) string { return strings.Join(b.Labels, "\x00") + "\x00" }

// lastOf finds the last of some blocks that matches; nil if none does.
func (q query) lastOf(blocks []*Block) *Block {
	for _, block := range slices.Backward(blocks) {
		b := block.Source
		if b.Type == q.typ && (q.labels == "" || q.labels == labelsOf(b)) && (q.syntax == anySyntax || q.syntax == b.File.Syntax) {
			return block
		}
	}
	return nil
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
			// It opens the first file, of the block's own syntax if there is one.
			i := max(0, slices.IndexFunc(a.files, func(f *File) bool { return f.syntax() == b.File.Syntax }))
			a.opened = a.files[i]
			a.opened.Before = append(a.opened.Before, block)
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

// behind inserts a block after the last block of the first existing type, preferring blocks of its
// type and first label; otherwise after all.
func (a *arrangement) behind(types []string, block *Block) {
	own := block.Source.File.Syntax
	queries := []query{{typ: block.Source.Type, labels: labelsOf(block.Source)}}
	for _, typ := range types {
		queries = append(queries, query{typ: typ})
	}
	for _, q := range queries {
		if anchor := a.last(own, q); anchor != nil {
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

// last finds the last matching block, one in a file of a syntax before any other.
func (a *arrangement) last(own source.Syntax, q query) *Block {
	for _, syntax := range []source.Syntax{own, anySyntax} {
		q.syntax = syntax
		if block := a.find(q); block != nil {
			return block
		}
	}
	return nil
}

// find finds the last matching block: among those that close a file, its own, and those that open
// it. A new block opens a file only if no file has a block of its type.
func (a *arrangement) find(q query) *Block {
	if block := q.lastOf(a.files[len(a.files)-1].After); block != nil {
		return block
	}
	if a.own == nil {
		a.own = map[query]position{}
		a.each(func(b *source.Block, at position) {
			for _, syntax := range []source.Syntax{b.File.Syntax, anySyntax} {
				a.own[query{typ: b.Type, syntax: syntax}] = at
				a.own[query{b.Type, labelsOf(b), syntax}] = at
			}
		})
	}
	if at, isOwn := a.own[q]; isOwn {
		return a.files[at.file].block(at.block)
	}
	if a.opened == nil {
		return nil
	}
	return q.lastOf(a.opened.Before)
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
