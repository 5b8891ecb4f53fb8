package fix

import (
	"bytes"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// How dropped nested blocks are repeated: at their positions between the remaining ones.

const (
	whyOthers = "not every block that stays is one of the earlier ones"
	whyNone   = "an argument replaces all blocks"
)

// blocks repeats the nested blocks of a layer that those in effect have no equal of.
func (x *Fixer) blocks(f check.Finding) (*Fix, string) {
	layer, lost := x.lostBlocks(f)
	switch {
	case len(lost.Gone) == 0 || !lost.IsRest:
		return nil, whyOthers
	case len(lost.Stay) == 0: // Nothing marks where the repeated blocks would go.
		return nil, whyNone
	case slices.ContainsFunc(lost.Gone, func(b *source.Block) bool { return b.File.Syntax != f.Item.Live[0].Source().Syntax }):
		return nil, whySyntax
	}
	made := &Fix{Finding: f}
	for _, b := range lost.Gone {
		made.IsSecret = made.IsSecret || x.holdsSecret(b)
	}
	runs := runsOf(layer, lost)
	for _, run := range runs {
		beside := x.besideBlock
		if run.at.File.Syntax == source.JSON {
			beside = x.besideElement
		}
		edits, why := beside(run, len(runs) == 1)
		if why != "" {
			return nil, why
		}
		for _, e := range edits {
			made.inserts = append(made.inserts, insertion{run.at.File, e})
		}
	}
	return made, ""
}

// lostBlocks is the layer that a finding is about, and its dropped blocks.
func (x *Fixer) lostBlocks(f check.Finding) ([]source.Item, values.BlockLoss) {
	if f.Item == nil || f.Related == nil || !f.Item.InEffect() {
		return nil, values.BlockLoss{}
	}
	for _, layer := range f.Item.Layers(f.Item.Live[0]) {
		if slices.ContainsFunc(layer, func(it source.Item) bool { return source.Where(it) == f.Related.Range }) {
			lost, _ := values.NewReplacing(x.module.Source, f.Item.Live).Lost(layer)
			return layer, lost
		}
	}
	return nil, values.BlockLoss{}
}

// A blockRun is blocks that come together, before or after one that is there.
type blockRun struct {
	list  []*source.Block
	at    *source.Block
	after bool
}

// runsOf groups the dropped blocks by their positions between the remaining ones.
func runsOf(layer []source.Item, lost values.BlockLoss) []blockRun {
	var runs []blockRun
	var list []*source.Block
	var last *source.Block
	for _, it := range layer {
		b, _ := it.(*source.Block)
		stays := lost.Stay[b]
		if stays == nil {
			list = append(list, b)
			continue
		}
		last = stays
		if len(list) > 0 {
			runs = append(runs, blockRun{list: list, at: last})
			list = nil
		}
	}
	if len(list) > 0 {
		runs = append(runs, blockRun{list: list, at: last, after: true})
	}
	return runs
}

// besideBlock puts blocks beside another one.
func (x *Fixer) besideBlock(run blockRun, _ bool) ([]textedit.Edit, string) {
	src, eol := run.at.File.Native, run.at.File.LineEnd
	trivia := source.TriviaOf(run.at)
	at := textedit.TextStart(src, trivia.Lead)
	gap := ""
	if textedit.IsBlankBefore(src, at) {
		gap = eol
	}
	if run.after {
		at = textedit.AfterLine(src, trivia.End)
	}
	to := textedit.IndentAt(src, run.at.Extent().Start.Byte)
	text := ""
	for _, b := range run.list {
		given := b.File.Text(b.Extent())
		if bytes.Contains(given, []byte("<<")) {
			return nil, whyHeredoc
		}
		block := to + textedit.Relocate(given, textedit.IndentAt(b.File.Native, b.Extent().Start.Byte), to, eol) + eol
		if run.after {
			text += gap + block
		} else {
			text += block + gap
		}
	}
	return []textedit.Edit{textedit.Replace(at, at, text)}, ""
}
