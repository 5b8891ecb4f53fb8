package render

import (
	"bytes"
	"io"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Options say what is printed of a module.
type Options struct {
	OnlyChanged bool   // only blocks that an override touched
	Filter      []Glob // only blocks that one of these matches; none means all
	Sort        bool   // blocks by kind and address instead of load order
	ByText      bool   // sort blocks that share an address, too, by their texts
	// Annotate marks what overrides did; Redact keeps earlier values out of the
	// marks, and Color colours them.
	Annotate, Redact bool
	Color            Coloring
}

// teller words what marks say.
func (o Options) teller(m *merge.Module) teller {
	return teller{module: m.Source, redact: o.Redact, palette: NewPalette(o.Color), isColored: o.Color}
}

func (o Options) isWhole() bool { return !o.OnlyChanged && len(o.Filter) == 0 && !o.Sort }

// A Text is a configuration in native syntax.
type Text struct {
	files    []*printed
	parts    []part // the blocks that were picked, where it is not the whole
	isWhole  bool
	isSearch bool // parts match a filter
}

// Native returns the effective configuration in native syntax. By itself it is
// the merged primary files one after the other, in load order; Options pick or
// sort blocks, which then stand one blank line apart.
//
// Diagnostics are about its wording: what JSON files hold that can't be said in
// native syntax, as errors, and names of which only their look says what they are,
// as warnings. A text with errors is not to be written.
func Native(m *merge.Module, o Options) (*Text, hcl.Diagnostics) {
	t := &Text{files: arrange(m, false), isWhole: o.isWhole(), isSearch: len(o.Filter) > 0}
	if o.Annotate {
		annotate(m, t.files, o.teller(m))
	}
	if !t.isWhole {
		t.parts = pick(m, t.files, o)
	}
	return t, wording(m.Source, t.said)
}

// said are the items that the text is made of.
func (t *Text) said() said {
	var list []*piece
	for _, p := range t.parts {
		list = append(list, p.piece)
	}
	if t.isWhole {
		for _, f := range t.files {
			list = append(list, f.made()...)
		}
	}
	return saidIn(list, t.isWhole)
}

// Write writes the text. The error is ErrNothingPicked where nothing matches a filter.
func (t *Text) Write(w io.Writer) error {
	if !t.isWhole {
		return t.writeParts(w)
	}
	for i, f := range t.files {
		text := f.text()
		if i > 0 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if i+1 < len(t.files) {
			text = withEnd(text, f.eol)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// A printed is one primary file on its way to be written.
type printed struct {
	file   *load.File // nil for the file that is made where there is no primary one
	eol    string
	before []*piece       // blocks that open it
	pieces map[int]*piece // by the block's index, those that changed or are followed by others
	after  []*piece       // blocks that close it
}

// A piece is a top-level block in the result.
type piece struct {
	block      *load.Block    // the block of the file, or the one that an override adds
	content    *merge.Content // what it holds after the merge, nil where that is what the block holds
	only       load.Item      // the one item of the block that is printed, if it is not the block
	entry      *merge.Entry   // of only
	start, end int            // what it takes up in the file, if touched
	touched    bool           // an override changed or added it
	text       []byte         // its text if that is not the file's
	widened    bool
	added      []*piece // blocks that follow it
}

// arrange makes the merged texts of the primary files and gives each block that
// only override files declare its place. Bare pieces have no texts.
func arrange(m *merge.Module, bare bool) []*printed {
	var files []*printed
	for _, f := range m.Source.Files {
		if f.Role == load.Primary {
			files = append(files, arrangeFile(m, f, bare))
		}
	}
	if len(files) == 0 {
		files = []*printed{{eol: "\n"}}
	}
	// What opens the module comes first, so that the rest can stand behind it.
	a := &arrangement{files: files}
	for _, opens := range []bool{true, false} {
		for _, e := range m.Root.Entries {
			if opens == (len(e.Rule.After) == 0) {
				a.place(e, bare)
			}
		}
	}
	return files
}

func arrangeFile(m *merge.Module, f *load.File, bare bool) *printed {
	p := &printed{file: f, eol: f.LineEnd, pieces: map[int]*piece{}}
	for i := range f.Len() {
		b := f.Kept(i)
		if b == nil || m.Root.IsQuiet(b) {
			continue
		}
		e := m.Root.Owner(b)
		if e == nil || e.Inner == nil {
			continue
		}
		if !isTouched(e.Inner, b) {
			continue
		}
		q := &piece{block: b, content: e.Inner, touched: true}
		if !bare {
			t := load.TriviaOf(b)
			q.start, q.end = t.Lead, t.End
			q.text, q.widened = blockText(e.Inner, b)
		}
		p.pieces[i] = q
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
	for _, f := range arrange(m, true) {
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
