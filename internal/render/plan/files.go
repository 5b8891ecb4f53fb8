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
	Item    source.Item       // if set, only this item of Source is printed, in a block of its own
	Entry   *merge.MergedItem // the merged item of Item
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
	// The changed blocks of each file.
	parallel.Each(len(files), func(i int) { files[i].findChangedBlocks(m) })
	if len(files) == 0 {
		files = []*File{{LineEnd: "\n"}}
	}
	// The added blocks. What opens the module comes first, so that the rest can go behind it.
	a := &arrangement{files: files}
	for _, opens := range []bool{true, false} {
		for _, e := range m.Root.Items {
			if opensFile(e) == opens {
				a.placeBlocks(e)
			}
		}
	}
	return files
}

// findChangedBlocks enters the file's own blocks that overrides change in f.Blocks.
func (f *File) findChangedBlocks(m *merge.Module) {
	f.Blocks = map[int]*Block{}
	for i := range f.Size() {
		if !f.File.IsAddressed(i) {
			continue // no override addresses the block, which needn't be loaded then
		}
		// A block that isn't merged, or comes out as it is, keeps its text.
		b := f.File.Block(i)
		e := m.Root.Owner(b)
		if e == nil || e.Inner() == nil || !IsTouched(e.Inner(), b) {
			continue
		}
		f.Blocks[i] = &Block{Source: b, Content: e.Inner(), Changed: true}
	}
}

// printedBlock returns the entry in f.Blocks for the file's own block at an index, and makes it if there is none.
func (f *File) printedBlock(i int) *Block {
	if f.Blocks[i] == nil {
		f.Blocks[i] = &Block{Source: f.File.Block(i)}
	}
	return f.Blocks[i]
}

// syntax returns the syntax of the file; a file that is made is native.
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

// blocksWhere returns the blocks that are printed, in order. Of the file's own unchanged blocks, it returns only
// those that wants accepts, by their index, and enters them in f.Blocks: the others needn't be loaded.
func (f *File) blocksWhere(wants func(f *source.File, i int) bool) (all []*Block) {
	take := func(block *Block) { all = append(append(all, block), block.Behind...) }
	for _, block := range f.Before {
		take(block)
	}
	for i := range f.Size() {
		if f.Blocks[i] != nil || wants(f.File, i) {
			take(f.printedBlock(i))
		}
	}
	for _, block := range f.After {
		take(block)
	}
	return all
}

// Indexes returns the keys of Blocks, in order.
func (f *File) Indexes() []int { return slices.Sorted(maps.Keys(f.Blocks)) }

// Extra returns the blocks that the file gets from elsewhere: from override files.
func (f *File) Extra() []*Block {
	extra := slices.Clone(f.Before)
	for _, i := range f.Indexes() {
		extra = append(extra, f.Blocks[i].Behind...)
	}
	extra = append(extra, f.After...)
	// An added block may itself be followed by others.
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

// AddMarked sets the Content of blocks that overrides addressed without changing them. They are printed as their
// files have them; the content lets marks describe the overrides without effect.
func AddMarked(m *merge.Module, files []*File) {
	for _, f := range files {
		for i := range f.Size() {
			if f.File.IsAddressed(i) && (f.Blocks[i] == nil || f.Blocks[i].Content == nil) {
				if e := m.Root.Owner(f.File.Block(i)); e != nil && e.Inner() != nil && IsAddressed(e) {
					f.printedBlock(i).Content = e.Inner()
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
	opened *File                      // the file that got a block in Before; nil until there is one
	own    map[query]position         // by query, the last of the files' own blocks that matches; nil until needed
	at     map[*source.Block]position // where the files' own blocks are; nil until needed
}

// A query describes a block to look for: the last one of a type, with some labels, in files of a syntax.
type query struct {
	typ    string
	labels string        // see labelsOf; any if empty
	syntax source.Syntax // of its file; anySyntax for every one
}

const anySyntax source.Syntax = -1

// A position locates a block of a file: the index of the file, and that of the block in it.
type position struct{ file, block int }

// labelsOf joins the labels of a block for a query. The result is never empty, because "" stands for any labels.
func labelsOf(b *source.Block) string { return strings.Join(b.Labels, "\x00") + "\x00" }

// lastOf returns the last of the blocks that matches the query; nil if none does.
func (q query) lastOf(blocks []*Block) *Block {
	for _, block := range slices.Backward(blocks) {
		b := block.Source
		if b.Type == q.typ && (q.labels == "" || q.labels == labelsOf(b)) && (q.syntax == anySyntax || q.syntax == b.File.Syntax) {
			return block
		}
	}
	return nil
}

// opensFile reports whether an added block goes to the start of a file, as a terraform block does. Others go behind
// the blocks of the types in Rule.After.
func opensFile(e *merge.MergedItem) bool { return len(e.Rule.After) == 0 }

// placeBlocks puts e into a file if it is a block that only override files declare. In any case it also places the
// arguments in it that need a block of their own, such as a second required_version.
func (a *arrangement) placeBlocks(e *merge.MergedItem) {
	if e.Inner() == nil {
		return
	}
	if e.Place == nil && e.InEffect() {
		b := e.Live[0].(*source.Block)
		block := &Block{Source: b, Content: e.Inner(), Changed: true}
		if opensFile(e) { // the first file, of the block's own syntax if there is one
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

// insertBehind inserts a block that an override added. It goes behind the last block of its type and labels or, if
// there is none, behind the last block of the first of types that has any. If none has, it closes the last file.
func (a *arrangement) insertBehind(types []string, block *Block) {
	own := block.Source.File.Syntax
	// What the block may follow, the best first.
	queries := []query{{typ: block.Source.Type, labels: labelsOf(block.Source)}}
	for _, typ := range types {
		queries = append(queries, query{typ: typ})
	}
	for _, q := range queries {
		if anchor := a.findLast(own, q); anchor != nil {
			anchor.Behind = append(anchor.Behind, block)
			return
		}
	}
	last := a.files[len(a.files)-1]
	last.After = append(last.After, block)
}

// placeApart puts inner, an argument that an override added to e, into a block of its own: all blocks of e are one
// entry, but each may have an argument of that name, and a block can hold only one. The new block goes behind the
// block of e that suits best or, if that isn't printed, opens the first file.
func (a *arrangement) placeApart(e, inner *merge.MergedItem) {
	it := inner.Live[0]
	block := &Block{Source: it.Within(), Item: it, Entry: inner, Changed: true}
	anchor := a.printedBlockOf(e.Inner().Beside(inner))
	if anchor == nil {
		a.opened = a.files[0]
		a.opened.Before = append(a.opened.Before, block)
		return
	}
	anchor.Behind = append(anchor.Behind, block)
}

// printedBlockOf returns the printed form of b, a block of a primary file or one that opens a file; nil if it is
// neither.
func (a *arrangement) printedBlockOf(b *source.Block) *Block {
	if a.at == nil {
		a.at = map[*source.Block]position{}
		a.eachOwnBlock(func(b *source.Block, at position) { a.at[b] = at })
	}
	if at, isOwn := a.at[b]; isOwn {
		return a.files[at.file].printedBlock(at.block)
	}
	// Not a block of a primary file: maybe one that opens a file.
	if a.opened != nil {
		for _, block := range a.opened.Before {
			if block.Source == b {
				return block
			}
		}
	}
	return nil
}

// findLast returns the last block that matches q: in the files of syntax own or, if none has one, in all. It returns
// nil if there is none.
func (a *arrangement) findLast(own source.Syntax, q query) *Block {
	for _, syntax := range []source.Syntax{own, anySyntax} {
		q.syntax = syntax
		if block := a.findIn(q); block != nil {
			return block
		}
	}
	return nil
}

// findIn returns the last block that matches q, in the files of q.syntax; nil if there is none. It looks from the end
// of the module: first among the blocks that close the last file, then the files' own, then those that open a file.
func (a *arrangement) findIn(q query) *Block {
	if block := q.lastOf(a.files[len(a.files)-1].After); block != nil {
		return block
	}
	if a.own == nil {
		a.own = map[query]position{}
		a.eachOwnBlock(func(b *source.Block, at position) {
			// Under each query that it matches; later blocks replace earlier ones.
			for _, syntax := range []source.Syntax{b.File.Syntax, anySyntax} {
				a.own[query{typ: b.Type, syntax: syntax}] = at
				a.own[query{b.Type, labelsOf(b), syntax}] = at
			}
		})
	}
	if at, isOwn := a.own[q]; isOwn {
		return a.files[at.file].printedBlock(at.block)
	}
	// A block that opens a file precedes all others.
	if a.opened == nil {
		return nil
	}
	return q.lastOf(a.opened.Before)
}

// eachOwnBlock visits the blocks of primary files that overrides may address, in load order.
func (a *arrangement) eachOwnBlock(visit func(*source.Block, position)) {
	for i, f := range a.files {
		for j := range f.Size() {
			if f.File.IsAddressed(j) {
				visit(f.File.Block(j), position{i, j})
			}
		}
	}
}
