package extract

import (
	"maps"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A stage is how far the extraction of an address got. It only grows, so that trials come to
// an end.
type stage int

const (
	untried stage = iota
	written       // into the override
	widened       // with all items of the name, also those that BASE has
	isNew         // into the new primary file
	left          // not at all
)

// An extraction is the state of Find.
type extraction struct {
	Options
	base, edited *index
	known        map[string]bool // for which BASE is refused, and titles of those for EDITED
	override     *draft
	primary      *draft // of new blocks
	stages       map[address.Address]stage
	why          map[address.Address]reason
	shared       map[address.Address]bool // by an argument and a block, of which only one may be left
	first, last  *trial
	// mayDiffer chooses the blocks that are not the same text in BASE and EDITED, which are all that
	// an override can be about.
	mayDiffer func(f *source.File, i int) bool
}

func newExtraction(base, edited compare.Reading, o Options) *extraction {
	mayDiffer := compare.MayBeEdited(base.Module.Source, edited.Module.Source)
	x := &extraction{
		mayDiffer: mayDiffer,
		Options:   o, base: indexOf(base.Module, mayDiffer), edited: indexOf(edited.Module, mayDiffer), known: map[string]bool{},
		stages: map[address.Address]stage{}, why: map[address.Address]reason{}, shared: map[address.Address]bool{},
	}
	x.override, x.primary = newDraft(x.base, x.edited), newDraft(x.base, x.edited)
	for _, d := range base.Diags {
		x.known[d.Error()], x.known[d.Detail] = true, true
	}
	for _, d := range edited.Refusals() {
		x.known[d.Summary] = true
	}
	x.first = x.newTrial(base.Module, base.Diags)
	x.last = x.first
	return x
}

// A trial is BASE merged with a draft.
type trial struct {
	module *merge.Module
	index  func() *index // which takes as long as to merge, and which only a failure needs
	texts  map[string][]byte
	diags  hcl.Diagnostics // of loading and merging
	wrote  hcl.Diagnostics
	edits  []compare.Difference // from the module to EDITED
}

func (x *extraction) newTrial(m *merge.Module, diags hcl.Diagnostics) *trial {
	return &trial{
		module: m, diags: diags, edits: compare.EditsIn(m, x.edited.module, x.mayDiffer),
		index: sync.OnceValue(func() *index {
			return indexOf(m, x.mayDiffer)
		}),
	}
}

// try writes the drafts and merges them with BASE.
func (x *extraction) try() (*trial, error) {
	texts, wrote := map[string][]byte{}, hcl.Diagnostics(nil)
	for name, d := range map[string]*draft{x.Name: x.override, x.NewFile: x.primary} {
		if parts := d.written(); len(parts) > 0 {
			text, diags := x.Write(name, made(parts))
			texts[name], wrote = text, append(wrote, diags...)
		}
	}
	if len(texts) == 0 {
		return x.first, nil
	}
	src, diags, err := x.Load(texts)
	if err != nil {
		return nil, err
	}
	m, more := merge.Files(src, merge.Options{})
	t := x.newTrial(m, append(diags, more...))
	t.texts, t.wrote = texts, wrote
	return t, nil
}

// converge writes all differences, and removes parts without effect, until nothing changes.
func (x *extraction) converge() error {
	for round := 1; ; round++ {
		if round > maxRounds {
			x.giveUp()
		}
		isChanged := x.withdrawRefused(x.inexact(x.last))
		if !isChanged { // or else some may differ only for that reason
			for _, d := range x.last.remaining() {
				isChanged = x.consider(d) || isChanged
			}
		}
		if !isChanged && !x.withdrawRefused(x.refusals(x.last)) {
			return nil
		}
		next, err := x.try()
		if err != nil {
			return err
		}
		x.last = next
	}
}

// maxRounds is how many trials a block may take until all that it holds is left. Few need more than
// three.
const maxRounds = 10

// giveUp leaves all parts of the blocks that still are not as they are in EDITED, or are refused.
func (x *extraction) giveUp() {
	tops := map[address.Address]bool{}
	for _, d := range x.last.remaining() {
		if x.stages[d.Address] != left {
			tops[x.last.index().topOf(d.Address)] = true
		}
	}
	for _, d := range x.refusals(x.last) {
		for _, own := range x.blame(d) {
			tops[x.last.index().topOf(own)] = true
		}
	}
	for own := range maps.Clone(x.override.parts) {
		if tops[x.edited.topOf(own)] {
			x.override.withdraw(own)
			x.leave(own, reason{})
		}
	}
}

// consider decides how to treat a difference that the last trial shows. It reports whether the
// drafts changed.
func (x *extraction) consider(d compare.Difference) bool {
	own, entry := d.Address, entryOf(d)
	at := x.stageOf(own)
	x.shared[own] = isShared(d)
	switch {
	case at == left || x.isInsideLeft(own):
		return false
	case at == untried && x.write(d):
		x.stages[own] = written
		return true
	case at == written && entry.Rule.IsApart() && x.widen(d):
		x.stages[own] = widened
		return true
	}
	x.why[own] = reason{rule: entry.Rule, outcome: x.outcomeOf(own)}
	changed := x.override.withdraw(own)
	if at < isNew && x.NewFile != "" && isAddition(x.edited, d) {
		for _, i := range d.Sides[1].Beyond(d.Sides[0]) {
			x.primary.putNew(own, d.Sides[1].Entries()[i])
		}
		x.stages[own] = isNew
		return true
	}
	if at == isNew && !isAddition(x.edited, d) {
		x.stages[own] = left // what BASE has too many; the rest is written
		return changed
	}
	x.stages[own] = left
	return x.primary.withdraw(own) || changed
}

// stageOf is the stage of an address, which may have been written as part of a block.
func (x *extraction) stageOf(own address.Address) stage {
	if at := x.stages[own]; at != untried || len(x.override.parts[own]) == 0 {
		return at
	}
	return written
}

func (x *extraction) leave(own address.Address, why reason) {
	x.stages[own] = left
	x.why[own] = why
}

// entryOf is the merged item of a difference: EDITED's, else BASE's.
func entryOf(d compare.Difference) *merge.MergedItem {
	if e := d.Sides[1].Entry; e != nil && (len(d.Sides[1].Items) > 0 || d.Sides[0].Entry == nil) {
		return e
	}
	return d.Sides[0].Entry
}

// meansNothing reports whether the engine ignores the difference in every file.
func meansNothing(d compare.Difference) bool { return d.IsIdle || entryOf(d).Rule.Unused }

// write puts what EDITED has of a name into the override; if EDITED has nothing,
// a constant that is the same to the engine.
func (x *extraction) write(d compare.Difference) bool {
	before, after := d.Sides[0], d.Sides[1]
	if len(after.Items) == 0 {
		e := before.Entry
		if e.Rule.Void == "" {
			return false
		}
		x.override.putVoid(d.Address, e)
		return true
	}
	if after.Entry.Rule.Match != rules.ByPosition && !isShared(d) {
		x.override.put(d.Address, after.Entry, after.Entry.Live)
		return true
	}
	for _, i := range after.Beyond(before) {
		x.override.put(d.Address, after.Entries()[i], after.Items[i:i+1])
	}
	return len(x.override.parts[d.Address]) > 0
}

// widen puts all that EDITED has of a name into the override.
func (x *extraction) widen(d compare.Difference) bool {
	x.override.withdraw(d.Address)
	for i, e := range d.Sides[1].Entries() {
		x.override.put(d.Address, e, []source.Item{d.Sides[1].Items[i]})
	}
	return len(d.Sides[1].Items) > 0
}

// isInsideLeft reports whether a difference is inside of a block that can't be expressed.
func (x *extraction) isInsideLeft(own address.Address) bool {
	for around := own.Parent(); !around.IsEmpty(); around = around.Parent() {
		if x.isGoneOrNew(around) {
			return true
		}
	}
	side := x.edited
	e := side.of[own]
	if e == nil {
		side = x.base
		e = side.of[own]
	}
	for e != nil {
		if e = side.holder(e); e != nil && x.isGoneOrNew(side.own[e]) {
			return true
		}
	}
	return false
}

// isGoneOrNew reports whether a block is a difference that is left, or one that is written whole.
func (x *extraction) isGoneOrNew(own address.Address) bool {
	return !x.shared[own] && (x.stages[own] == left || x.stages[own] == isNew)
}

// isAddition reports whether a further primary file could hold what EDITED has more.
func isAddition(edited *index, d compare.Difference) bool {
	before, after := d.Sides[0], d.Sides[1]
	if len(after.Items) == 0 || len(before.Items) > 0 && !standAlone(d) {
		return false
	}
	isMore := len(after.Beyond(before)) > 0
	for e := edited.holder(after.Entry); e != nil && isMore; e = edited.holder(e) {
		isMore = e.Rule.OmitEmpty
	}
	return isMore
}

// standAlone reports whether the items of a difference share an address and nothing else.
func standAlone(d compare.Difference) bool {
	r := entryOf(d).Rule
	return r.Match == rules.ByPosition && !r.IsApart()
}

// outcomeOf is what became of the part of an address in the last trial, or of the block around
// it.
func (x *extraction) outcomeOf(own address.Address) merge.Outcome {
	in := x.last.index()
	for at := own; !at.IsEmpty(); at = at.Parent() {
		e := in.of[at]
		for e != nil {
			for _, o := range e.Outcomes() {
				if x.last.texts[o.Item.Source().Name] != nil && o.Status != effect.StatusEffective && o.Status != effect.StatusMerged {
					return o
				}
			}
			e = in.holder(e)
		}
	}
	return merge.Outcome{}
}
