// Package plan arranges the output, without any text.
//
// From a merged module it derives the primary files with the top-level blocks in them that
// overrides change or add (Arrange), the treatment of each item of a block (ActionsIn, Additions),
// the resulting contents of a block in the order in which they are printed (Members), and the
// selected blocks (Select). The module decides which items are effective; packages native and
// jsonout decide how they are written.
package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A File is one primary file after the merge.
type File struct {
	File    *source.File // nil for the file that is made if there is no primary one
	LineEnd string
	Before  []*Block       // blocks that open it
	Blocks  map[int]*Block // by the block's index, those that changed or are followed by others
	After   []*Block       // blocks that close it
}

// A Block is a top-level block in the result.
type Block struct {
	Source  *source.Block     // the block of the file, or the block added by an override
	Content *merge.MergedBody // its merged contents, nil if they are unchanged
	Item    source.Item       // the one item of the block that is printed, if it is not the block
	Entry   *merge.MergedItem // of Item
	Changed bool              // an override changed or added it
	Behind  []*Block          // blocks that follow it
}

// Arrange returns the primary files in load order, with the blocks in them that overrides
// change, and puts each block that only override files declare into one of them. A module
// without primary files gets one that is made (File is nil).
func Arrange(m *merge.Module) (files []*File) {
	for _, f := range m.Source.Files {
		if f.Role == source.Primary {
			files = append(files, &File{File: f, LineEnd: f.LineEnd})
		}
	}
	parallel.Each(len(files), func(i int) { files[i].arrange(m) })
	if len(files) == 0 {
		files = []*File{{LineEnd: "\n"}}
	}
	// What opens the module comes first, so that the rest can go behind it.
	a := &arrangement{files: files}
	for _, opens := range []bool{true, false} {
		for _, e := range m.Root.Items {
			if opens == (len(e.Rule.After) == 0) {
				a.place(e)
			}
		}
	}
	return files
}

// arrange finds the file's own blocks that overrides change.
func (f *File) arrange(m *merge.Module) {
	f.Blocks = map[int]*Block{}
	for i := range f.Size() {
		if !f.File.IsAddressed(i) {
			continue
		}
		b := f.File.Block(i)
		e := m.Root.Owner(b)
		if e == nil || e.Inner() == nil || !IsTouched(e.Inner(), b) {
			continue
		}
		f.Blocks[i] = &Block{Source: b, Content: e.Inner(), Changed: true}
	}
}

// block returns the printed form of the file's own block at an index.
func (f *File) block(i int) *Block {
	if f.Blocks[i] == nil {
		f.Blocks[i] = &Block{Source: f.File.Block(i)}
	}
	return f.Blocks[i]
}

func (f *File) syntax() source.Syntax {
	if f.File == nil {
		return source.Native
	}
	return f.File.Syntax
}

// Source returns the file's native text; nil for a file that is made.
func (f *File) Source() []byte {
	if f.File == nil {
		return nil
	}
	return f.File.Native
}

// Size returns the number of the file's own blocks.
func (f *File) Size() int {
	if f.File == nil {
		return 0
	}
	return f.File.Len()
}

// Changed returns how many top-level blocks overrides changed or added.
func Changed(m *merge.Module) int {
	n := 0
	for _, f := range Arrange(m) {
		for _, block := range f.All() {
			if block.Changed {
				n++
			}
		}
	}
	return n
}

// All returns every block that is printed, in order.
func (f *File) All() []*Block { return f.blocksWhere(func(*source.File, int) bool { return true }) }

// blocksWhere returns the blocks that are printed, in order, without the file's own ones that are
// unchanged and not wanted. It enters the wanted ones in f.Blocks.
func (f *File) blocksWhere(wants func(f *source.File, i int) bool) (all []*Block) {
	take := func(block *Block) { all = append(append(all, block), block.Behind...) }
	for _, block := range f.Before {
		take(block)
	}
	for i := range f.Size() {
		if f.Blocks[i] != nil || wants(f.File, i) {
			take(f.block(i))
		}
	}
	for _, block := range f.After {
		take(block)
	}
	return all
}

// Indexes returns the keys of Blocks, in order.
func (f *File) Indexes() []int { return slices.Sorted(maps.Keys(f.Blocks)) }

// Extra returns the blocks that the file gets from elsewhere.
func (f *File) Extra() []*Block {
	extra := slices.Clone(f.Before)
	for _, i := range f.Indexes() {
		extra = append(extra, f.Blocks[i].Behind...)
	}
	extra = append(extra, f.After...)
	for _, block := range slices.Clone(extra) {
		extra = append(extra, block.Behind...)
	}
	return extra
}

// Made returns the blocks that are added to the file and the file's own blocks that changed.
func (f *File) Made() []*Block {
	list := f.Extra()
	for _, i := range f.Indexes() {
		if block := f.Blocks[i]; block.Changed {
			list = append(list, block)
		}
	}
	return list
}

// AddMarked sets the Content of the blocks that overrides addressed without effect. They are printed as
// their files have them; the content is for their marks.
func AddMarked(m *merge.Module, files []*File) {
	for _, f := range files {
		for i := range f.Size() {
			if f.File.IsAddressed(i) && (f.Blocks[i] == nil || f.Blocks[i].Content == nil) {
				if e := m.Root.Owner(f.File.Block(i)); e != nil && e.Inner() != nil && IsChanged(e) {
					f.block(i).Content = e.Inner()
				}
			}
		}
	}
}

// Where blocks go that only override files declare, and arguments that get a
// block of their own.

// An arrangement finds the blocks of primary files behind which others are printed.
type arrangement struct {
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

// labelsOf returns the labels of a block as a query holds them. The text is never empty, which would stand for
// any labels.
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

// place puts the block that only overrides declare for an entry into a file, and the arguments in it that
// need a block of their own.
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
			a.insertBehind(e.Rule.After, block)
		}
	}
	for _, inner := range e.Inner().Items {
		if inner.Rule.IsApart() && inner.Place == nil && inner.InEffect() {
			a.placeApart(e, inner)
		}
	}
}

// insertBehind inserts a block after the last one of its type and labels or, if there is none, of the
// first of types that has one; otherwise after all.
func (a *arrangement) insertBehind(types []string, block *Block) {
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

// placeApart prints an appended argument in a separate block, since a block can hold only one of its name.
func (a *arrangement) placeApart(e, inner *merge.MergedItem) {
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

// last finds the last matching block: in the files of a syntax or, if none has one, in all.
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
			if f.File.IsAddressed(j) {
				visit(f.File.Block(j), position{i, j})
			}
		}
	}
}
