package render

import (
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A printed is one primary file after the merge.
type printed struct {
	file   *load.File // nil for the file that is made where there is no primary one
	eol    string
	before []*piece       // blocks that open it
	pieces map[int]*piece // by the block's index, those that changed or are followed by others
	after  []*piece       // blocks that close it
}

// A piece is a top-level block in the result.
type piece struct {
	block   *load.Block       // the block of the file, or the one that an override adds
	content *merge.MergedBody // what it holds after the merge, nil where that is what the block holds
	only    load.Item         // the one item of the block that is printed, if it is not the block
	entry   *merge.MergedItem // of only
	touched bool              // an override changed or added it
	added   []*piece          // blocks that follow it
}

// arrange lists the primary files with the blocks in them that overrides change, and
// gives each block that only override files declare its place.
func arrange(m *merge.Module) []*printed {
	var files []*printed
	for _, f := range m.Source.Files {
		if f.Role == load.Primary {
			files = append(files, arrangeFile(m, f))
		}
	}
	if len(files) == 0 {
		files = []*printed{{eol: "\n"}}
	}
	// What opens the module comes first, so that the rest can stand behind it.
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

func arrangeFile(m *merge.Module, f *load.File) *printed {
	p := &printed{file: f, eol: f.LineEnd, pieces: map[int]*piece{}}
	for i := range f.Len() {
		b := f.Kept(i)
		if b == nil || m.Root.IsUntouched(b) {
			continue
		}
		e := m.Root.Owner(b)
		if e == nil || e.Inner == nil || !isTouched(e.Inner, b) {
			continue
		}
		p.pieces[i] = &piece{block: b, content: e.Inner, touched: true}
	}
	return p
}

// piece is what is printed for the block of an index.
func (p *printed) piece(i int) *piece {
	if p.pieces[i] == nil {
		p.pieces[i] = &piece{block: p.file.Block(i)}
	}
	return p.pieces[i]
}

func (p *printed) syntax() load.Syntax {
	if p.file == nil {
		return load.Native
	}
	return p.file.Syntax
}

// source is the file's native text, nothing for a file that is made.
func (p *printed) source() []byte {
	if p.file == nil {
		return nil
	}
	return p.file.Src
}

// size is how many blocks the file has of its own.
func (p *printed) size() int {
	if p.file == nil {
		return 0
	}
	return p.file.Len()
}

// Changed counts the top-level blocks that overrides changed or added.
func Changed(m *merge.Module) int {
	n := 0
	for _, f := range arrange(m) {
		for _, p := range f.all() {
			if p.touched {
				n++
			}
		}
	}
	return n
}

// all lists every block that is printed, in order.
func (p *printed) all() []*piece {
	var all []*piece
	take := func(q *piece) { all = append(append(all, q), q.added...) }
	for _, q := range p.before {
		take(q)
	}
	for i := range p.size() {
		take(p.piece(i))
	}
	for _, q := range p.after {
		take(q)
	}
	return all
}

// indexes lists the blocks of the file that have a piece, in order.
func (p *printed) indexes() []int { return slices.Sorted(maps.Keys(p.pieces)) }

// extra lists the blocks that the file gets from elsewhere.
func (p *printed) extra() []*piece {
	extra := slices.Clone(p.before)
	for _, i := range p.indexes() {
		extra = append(extra, p.pieces[i].added...)
	}
	extra = append(extra, p.after...)
	for _, q := range slices.Clone(extra) {
		extra = append(extra, q.added...)
	}
	return extra
}

// made lists the blocks that are not what stands in the file.
func (p *printed) made() []*piece {
	list := p.extra()
	for _, i := range p.indexes() {
		if q := p.pieces[i]; q.touched {
			list = append(list, q)
		}
	}
	return list
}

// addIdle makes pieces of the blocks of which there is nothing to say but what
// had no effect.
func addIdle(m *merge.Module, files []*printed) {
	for _, f := range files {
		for i := range f.size() {
			if b := f.file.Kept(i); f.pieces[i] == nil || f.pieces[i].content == nil {
				f.addIdle(m, i, b)
			}
		}
	}
}

func (p *printed) addIdle(m *merge.Module, i int, b *load.Block) {
	if b == nil || m.Root.IsUntouched(b) {
		return
	}
	e := m.Root.Owner(b)
	if e == nil || e.Inner == nil || !isChanged(e) {
		return
	}
	p.piece(i).content = e.Inner
}
