package extract

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// A stage is how far the extraction of an address got. It only grows, so trials come to an end.
type stage int

const (
	untried stage = iota
	written       // into the override
	widened       // into the override, with all items of the name, also those that BASE has
	isNew         // written into the new primary file
	left          // not written: no override makes up for it
)

// An extraction is the state of Find.
type extraction struct {
	Options
	base, edited *index
	known        map[string]bool // diagnostics of BASE, and summaries of EDITED's, that aren't due to the override
	override     *draft
	primary      *draft // of new blocks
	stages       map[address.Address]stage
	why          map[address.Address]reason
	shared       map[address.Address]bool // addresses that an argument and a block share: see isShared
	first, last  *trial
	// mayDiffer chooses the blocks that are not the same text in BASE and EDITED, which are all that
	// an override can be about.
	mayDiffer func(f *source.File, i int) bool
}

// newExtraction compares the readings of BASE and EDITED: the first trial is BASE without an override.
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

// A trial is BASE merged with the drafts.
type trial struct {
	module *merge.Module
	index  func() *index // takes as long as merging, so it is made only if something fails
	texts  map[string][]byte
	diags  hcl.Diagnostics      // of loading and merging
	wrote  hcl.Diagnostics      // of writing
	edits  []compare.Difference // from the module to EDITED
}

// newTrial returns the trial of a merged module, with the differences between it and EDITED.
func (x *extraction) newTrial(m *merge.Module, diags hcl.Diagnostics) *trial {
	return &trial{
		module: m, diags: diags, edits: compare.EditsIn(m, x.edited.module, x.mayDiffer),
		index: sync.OnceValue(func() *index {
			return indexOf(m, x.mayDiffer)
		}),
	}
}

// try writes the drafts, and merges the files with BASE.
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

// converge writes the remaining differences into the drafts, and removes parts that the engine ignores or
// refuses, until a trial changes nothing more.
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

// maxRounds limits the trials until blocks that still aren't settled are left. Few need more than three.
const maxRounds = 10

// giveUp leaves all parts of the blocks that still differ from EDITED, or are refused.
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

// consider decides what to do next about a difference that the last trial shows, and reports whether a draft
// changed.
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

// stageOf returns the stage of an address, which may have been written as part of a block.
func (x *extraction) stageOf(own address.Address) stage {
	if at := x.stages[own]; at != untried || len(x.override.parts[own]) == 0 {
		return at
	}
	return written
}

// leave ends the extraction of an address: no override can express it.
func (x *extraction) leave(own address.Address, why reason) {
	x.stages[own] = left
	x.why[own] = why
}

// entryOf returns the merged item of a difference: that of EDITED if it has items there, else that of BASE.
func entryOf(d compare.Difference) *merge.MergedItem {
	if e := d.Sides[1].Entry; e != nil && (len(d.Sides[1].Items) > 0 || d.Sides[0].Entry == nil) {
		return e
	}
	return d.Sides[0].Entry
}

// meansNothing reports whether the engine ignores the difference in every file.
func meansNothing(d compare.Difference) bool { return d.IsIdle || entryOf(d).Rule.Unused }

// write puts what EDITED has of a name into the override; if it has nothing, a constant that means the same
// to the engine. It returns false if nothing can be written.
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

// widen puts all items that EDITED has of a name into the override, instead of those that BASE lacks. It
// returns false if EDITED has none.
func (x *extraction) widen(d compare.Difference) bool {
	x.override.withdraw(d.Address)
	for i, e := range d.Sides[1].Entries() {
		x.override.put(d.Address, e, []source.Item{d.Sides[1].Items[i]})
	}
	return len(d.Sides[1].Items) > 0
}

// isInsideLeft reports whether an address is inside a block that is left, or written whole.
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

// isGoneOrNew reports whether a block is left, or written whole into the new primary file.
func (x *extraction) isGoneOrNew(own address.Address) bool {
	return !x.shared[own] && (x.stages[own] == left || x.stages[own] == isNew)
}

// isAddition reports whether a further primary file could hold what EDITED has beyond BASE.
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

// standAlone reports whether the items of a difference are independent although they share an address, as
// moved blocks do.
func standAlone(d compare.Difference) bool {
	r := entryOf(d).Rule
	return r.Match == rules.ByPosition && !r.IsApart()
}

// outcomeOf returns why the part of an address had no effect in the last trial, or a block around it; the
// zero Outcome if none is known.
func (x *extraction) outcomeOf(own address.Address) merge.Outcome {
	in := x.last.index()
	for at := own; !at.IsEmpty(); at = at.Parent() {
		e := in.of[at]
		for e != nil {
			for _, o := range e.Outcomes() {
				if x.last.texts[o.Item.Source().Name] != nil && !o.Status.IsInEffect() {
					return o
				}
			}
			e = in.holder(e)
		}
	}
	return merge.Outcome{}
}

// A variable's type and its default depend on each other: of several arguments of one block, some
// may follow from the others. Each one is left out once, together with one of every other such
// block, and stays out if the result is still EDITED.

// A looseBlock is a block of the override that may hold more than it must.
type looseBlock struct {
	own   address.Address
	parts []address.Address
	tried address.Address // the part that is left out in this trial; empty for none
}

// shrink leaves out parts of the override that aren't needed. Each trial leaves out one part of every loose
// block; it stays out if the result is still EDITED.
func (x *extraction) shrink() error {
	blocks := x.shrinkable()
	isSame := true
	for i := 0; ; i++ {
		isTried := false
		for _, b := range blocks {
			b.tried = address.Address{}
			if i < len(b.parts) {
				isTried = x.leaveOut(b, i) || isTried
			}
		}
		if !isTried {
			break
		}
		next, err := x.try()
		if err != nil {
			return err
		}
		if isSame = x.restore(blocks, next); isSame {
			x.last = next
		}
	}
	if isSame {
		return nil
	}
	next, err := x.try()
	if err == nil {
		x.last = next
	}
	return err
}

// shrinkable lists the blocks of the override with several parts that engines judge as a whole.
func (x *extraction) shrinkable() (list []*looseBlock) {
	for _, p := range x.override.written() {
		if !p.IsPartial || p.Entry == nil || !p.Entry.Rule.IsCheckedByBlock() {
			continue
		}
		b := &looseBlock{own: p.own}
		for _, inner := range p.held {
			if !inner.isKey {
				b.parts = append(b.parts, inner.own)
			}
		}
		if len(b.parts) > 1 {
			list = append(list, b)
		}
	}
	return list
}

// leaveOut takes out part i of a block, and reports whether it did: the block must keep another one.
func (x *extraction) leaveOut(b *looseBlock, i int) bool {
	present := slices.DeleteFunc(slices.Clone(b.parts), func(own address.Address) bool { return len(x.override.parts[own]) == 0 })
	if len(present) < 2 {
		return false
	}
	b.tried = b.parts[i]
	return x.override.withdraw(b.tried)
}

// restore puts back the parts without which a trial isn't EDITED, and reports whether there was none.
func (x *extraction) restore(blocks []*looseBlock, t *trial) bool {
	isRefused := len(x.refusals(t)) > 0
	var differing []address.Address
	for _, d := range t.remaining() {
		if x.stages[d.Address] != left {
			differing = append(differing, d.Address)
		}
	}
	isSame := true
	for _, b := range blocks {
		if b.tried.IsEmpty() || !isRefused && !slices.ContainsFunc(differing, b.holds) {
			continue
		}
		if e := x.edited.of[b.tried]; e != nil {
			x.override.put(b.tried, e, e.Live)
		} else {
			x.override.putVoid(b.tried, x.base.of[b.tried])
		}
		isSame = false
	}
	return isSame
}

// holds reports whether an address is in the block.
func (b *looseBlock) holds(own address.Address) bool {
	_, isIn := own.In(b.own)
	return isIn
}

// A Remainder is a difference that no override makes up for.
type Remainder struct {
	compare.Difference
	Kind kind
	// CanBeNew is set if a new primary file could hold it.
	CanBeNew bool
	// CanBeNull is set if the engine treats null like the argument that EDITED lacks.
	CanBeNull bool

	why reason
}

// A kind is how BASE and EDITED differ in a name.
type kind int

// The kinds.
const (
	Changed kind = iota
	added
	Removed
)

// kindOf returns the kind of a difference.
func kindOf(d compare.Difference) kind {
	switch {
	case len(d.Sides[0].Items) == 0:
		return added
	case len(d.Sides[1].Items) == 0:
		return Removed
	}
	return Changed
}

// A reason is why a difference is left.
type reason struct {
	rule    *rules.Rule
	outcome merge.Outcome   // of the override that was tried, if it had no effect
	diag    *hcl.Diagnostic // why the engine refuses the override, or nil
}

// Item returns the item at which to report the difference: in EDITED, or in BASE if it was removed. It may be
// nil.
func (l *Remainder) Item() source.Item {
	for _, side := range []compare.Side{l.Sides[1], l.Sides[0]} {
		if len(side.Items) > 0 {
			return side.Items[0]
		}
	}
	return nil
}

// Why explains in a sentence why no override makes up for the difference.
func (l *Remainder) Why() string {
	switch o := l.why.outcome; {
	case l.why.diag != nil && diag.CodeOf(l.why.diag) == computed.Inexact:
		first, _, _ := strings.Cut(l.why.diag.Detail, ". ")
		return first + "."
	case l.why.diag != nil:
		return l.why.diag.Summary + ": " + l.why.diag.Detail
	case o.Status == effect.StatusUndecided:
		return "It is an argument in one of the two and a nested block in the other. Only the provider's schema decides which is in effect."
	case o.Status == effect.StatusMissingBase:
		return "Only a primary file can declare it."
	case o.Item != nil:
		return o.Sentence()
	case l.Kind == Removed && l.Sides[0].Entry.Attr() != nil:
		return "An override file can't remove an argument."
	case l.Kind == Removed:
		return "An override file can't remove a block."
	case l.Kind == added && l.why.rule.Do == rules.Merge:
		return "Only a primary file can declare it."
	}
	return l.why.rule.Why
}

// result returns the result once the last trial is settled, or an error if the engine refuses it.
func (x *extraction) result() (*Result, error) {
	if refused := x.refused(); len(refused) > 0 {
		return nil, &RefusedError{Merged, refused}
	}
	r := &Result{
		Override: made(x.override.written()), New: made(x.primary.written()), Texts: x.last.texts, Diags: x.last.wrote,
		Base: x.base.module, Edited: x.edited.module, Merged: x.last.module, partial: map[address.Address]bool{},
	}
	for own, parts := range x.override.parts {
		r.partial[own] = parts[0].IsPartial
	}
	isLeft := map[address.Address]bool{}
	for _, d := range x.last.remaining() {
		isLeft[d.Address] = true
		r.Left = append(r.Left, x.leftOf(d)...)
	}
	for _, d := range x.first.edits {
		switch {
		case meansNothing(d):
			r.Idle = append(r.Idle, d)
		case !isLeft[d.Address]:
			r.Expressed = append(r.Expressed, d)
		}
	}
	return r, nil
}

// refused returns why the engine refuses the result, even if it refuses BASE, with the override files of
// EDITED, as well.
func (x *extraction) refused() hcl.Diagnostics {
	list := x.refusals(x.last)
	for _, d := range x.last.diags {
		if d.Severity == hcl.DiagError && x.known[d.Error()] {
			list = append(list, d)
		}
	}
	return list
}

// leftOf returns what is left of a difference: one entry, or one for each of several independent items.
func (x *extraction) leftOf(d compare.Difference) (list []*Remainder) {
	l := &Remainder{Difference: d, Kind: kindOf(d), why: x.why[d.Address]}
	l.CanBeNew = isAddition(x.edited, d)
	l.CanBeNull = l.Kind == Removed && d.Sides[0].Entry.Attr() != nil && x.base.canBeNull(x.base.of[d.Address])
	if !standAlone(d) && !isShared(d) {
		return []*Remainder{l}
	}
	for side, kind := range []kind{Removed, added} {
		for _, only := range d.Only(side) {
			list = append(list, &Remainder{Difference: only, Kind: kind, CanBeNew: kind == added, why: l.why})
		}
	}
	return list
}

// isShared reports whether two names of a module have the address of a difference: the argument north of a
// provider, and the configuration of that provider with the alias north.
func isShared(d compare.Difference) bool {
	return slices.ContainsFunc(d.Sides[:], func(s compare.Side) bool {
		entries := s.Entries()
		return slices.ContainsFunc(entries, func(e *merge.MergedItem) bool { return (e.Attr() == nil) != (entries[0].Attr() == nil) })
	})
}

// remaining lists the differences between the trial and EDITED that mean anything.
func (t *trial) remaining() []compare.Difference {
	return slices.DeleteFunc(slices.Clone(t.edits), meansNothing)
}

// Parts that are removed from the draft because the engine refuses them.

// withdrawRefused takes out the parts that caused some errors, and reports whether there were any.
func (x *extraction) withdrawRefused(list hcl.Diagnostics) bool {
	isChanged := false
	for _, d := range list {
		isChanged = x.withdrawBlamed(d) || isChanged
	}
	return isChanged
}

// inexact returns the warnings about variables of a trial whose meaning no text gives, apart from those of
// BASE: only texts are compared.
func (x *extraction) inexact(t *trial) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(t.diags), func(d *hcl.Diagnostic) bool {
		return diag.CodeOf(d) != computed.Inexact || x.known[d.Detail]
	})
}

// refusals returns why the engine refuses a trial, now or later, or gives it another meaning than its text,
// apart from what is so in BASE or EDITED.
func (x *extraction) refusals(t *trial) hcl.Diagnostics {
	return append(x.inexact(t), slices.DeleteFunc(compare.Reading{Module: t.module, Diags: t.diags}.Refusals(), func(d *hcl.Diagnostic) bool {
		return x.known[d.Error()] || x.known[d.Summary]
	})...)
}

// withdrawBlamed takes out the part that an error is about, or else all parts of its block, and reports
// whether there were any.
func (x *extraction) withdrawBlamed(d *hcl.Diagnostic) bool {
	list := x.blame(d)
	for _, own := range list {
		if x.override.withdraw(own) || x.primary.withdraw(own) {
			x.leave(own, reason{diag: d})
			return true
		}
	}
	isChanged := false
	for _, top := range list {
		for _, own := range slices.SortedFunc(maps.Keys(x.override.parts), address.Address.Compare) {
			if _, isIn := own.In(top); isIn && x.override.withdraw(own) {
				x.leave(own, reason{diag: d})
				isChanged = true
			}
		}
	}
	return isChanged
}

// blame lists the addresses of parts that may have caused an error, the likeliest first.
func (x *extraction) blame(d *hcl.Diagnostic) (list []address.Address) {
	var places []hcl.Range
	if d.Subject != nil {
		places = append(places, *d.Subject)
	}
	if related, ok := diag.RelatedOf(d); ok {
		places = append(places, related.Range)
	}
	places = append(places, diag.AlsoOf(d)...)
	for _, isMade := range []bool{true, false} {
		for _, at := range places {
			if (x.last.texts[at.Filename] != nil) == isMade {
				list = append(list, x.addressesAt(at)...)
			}
		}
	}
	return list
}

// addressesAt lists the addresses at a range of the last trial, from the inside out.
func (x *extraction) addressesAt(at hcl.Range) (list []address.Address) {
	in := x.last.index()
	for it := load.ItemAt(x.last.module.Source, at); it != nil; {
		if e := in.owner[it]; e != nil {
			list = append(list, in.own[e])
			if kind := in.own[e].Kind(); kind != in.own[e] {
				list = append(list, kind)
			}
		}
		b := merge.Holder(it)
		if b == nil {
			break
		}
		it = b
	}
	return list
}
