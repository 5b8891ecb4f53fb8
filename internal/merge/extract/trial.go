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
	untried    stage = iota
	written          // into the override
	widened          // into the override, with all items of the name, also those that BASE has
	writtenNew       // written into the new primary file
	leftOut          // not written: no override makes up for it
)

// An extraction is the state of Find.
type extraction struct {
	Options
	base, edited *index
	knownDiags   map[string]bool // BASE's texts and details, EDITED's summaries: not due to the override
	override     *draft
	primary      *draft // of new blocks
	stages       map[address.Address]stage
	why          map[address.Address]reason // why an address was left out, or not written to the override
	shared       map[address.Address]bool   // addresses that an argument and a block share: see isShared
	first, last  *trial                     // without any override, and the latest one
	// mayDiffer chooses the blocks that are not the same text in BASE and EDITED, which are all that
	// an override can be about.
	mayDiffer func(f *source.File, i int) bool
}

// newExtraction compares the readings of BASE and EDITED. Its first trial is BASE without the override to
// find.
func newExtraction(base, edited compare.Reading, o Options) *extraction {
	mayDiffer := compare.MayBeEdited(base.Module.Source, edited.Module.Source)
	x := &extraction{
		mayDiffer: mayDiffer,
		Options:   o, base: indexOf(base.Module, mayDiffer), edited: indexOf(edited.Module, mayDiffer), knownDiags: map[string]bool{},
		stages: map[address.Address]stage{}, why: map[address.Address]reason{}, shared: map[address.Address]bool{},
	}
	x.override, x.primary = newDraft(x.base, x.edited), newDraft(x.base, x.edited)
	// These aren't due to the override. Diagnostics of BASE are the same in each trial; newInexactWarnings knows its
	// warnings by their details. Those of EDITED may be at another place, so only their summaries are compared.
	for _, d := range base.Diags {
		x.knownDiags[d.Error()], x.knownDiags[d.Detail] = true, true
	}
	for _, d := range edited.Refusals() {
		x.knownDiags[d.Summary] = true
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

// newTrial returns the trial of a merged module: it compares that with EDITED. diags are those of loading and
// merging the module.
func (x *extraction) newTrial(m *merge.Module, diags hcl.Diagnostics) *trial {
	return &trial{
		module: m, diags: diags, edits: compare.EditsIn(m, x.edited.module, x.mayDiffer),
		index: sync.OnceValue(func() *index {
			return indexOf(m, x.mayDiffer)
		}),
	}
}

// runTrial writes the drafts, merges the files with BASE, and returns that as a trial. If both drafts are empty, it
// returns the first trial. An error is from Load.
func (x *extraction) runTrial() (*trial, error) {
	texts, wrote := map[string][]byte{}, hcl.Diagnostics(nil)
	for name, d := range map[string]*draft{x.Name: x.override, x.NewFile: x.primary} {
		if parts := d.partsToWrite(); len(parts) > 0 {
			text, diags := x.Write(name, mergeParts(parts))
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

// converge alternates between trials and changes of the drafts until nothing changes: it writes the
// differences that remain, and removes parts that the engine ignores or refuses.
func (x *extraction) converge() error {
	for round := 1; ; round++ {
		// Each step runs only if the ones before it changed nothing. After many rounds, give up all that still differs.
		isChanged := round > maxRounds && x.leaveUnsettled()
		// Remove parts that no text can express.
		if !isChanged {
			isChanged = x.withdrawRefused(x.newInexactWarnings(x.last))
		}
		// Then write the differences. With such a part in the trial, some items might differ only because of it.
		if !isChanged {
			for _, d := range x.last.remaining() {
				isChanged = x.advance(d) || isChanged
			}
		}
		// Errors come last: one may be due to a difference that was still to be written.
		if !isChanged {
			isChanged = x.withdrawRefused(x.newRefusals(x.last))
		}
		if !isChanged {
			return nil
		}
		next, err := x.runTrial()
		if err != nil {
			return err
		}
		x.last = next
	}
}

// maxRounds limits the trials. Blocks that aren't settled then are left out. Few modules need more than three.
var maxRounds = 10 // a variable only for tests

// leaveUnsettled lets converge come to an end after too many rounds. It leaves out all parts of the override in
// blocks that still differ from EDITED or that the engine refuses, and reports whether there were any.
func (x *extraction) leaveUnsettled() (isChanged bool) {
	tops := map[address.Address]bool{} // the top-level blocks to leave out
	for _, d := range x.last.remaining() {
		if x.stages[d.Address] != leftOut {
			tops[x.last.index().topOf(d.Address)] = true
		}
	}
	for _, d := range x.newRefusals(x.last) {
		for _, own := range x.suspects(d) {
			tops[x.last.index().topOf(own)] = true
		}
	}
	for own := range maps.Clone(x.override.parts) {
		if tops[x.edited.topOf(own)] {
			isChanged = x.override.withdraw(own) || isChanged
			x.leaveOut(own, reason{})
		}
	}
	return isChanged
}

// advance decides what to do about a difference that the last trial shows, and reports whether a draft
// changed. Each call for an address goes one stage further: it writes the item into the override, then all
// items of the name, then the item into the new primary file, and at last leaves it out.
func (x *extraction) advance(d compare.Difference) bool {
	own, entry := d.Address, entryOf(d)
	reached := x.stageOf(own)
	x.shared[own] = isShared(d) // if so, its stage may not be the block's: see isLeftOrNew
	switch {
	case reached == leftOut || x.isInsideLeft(own):
		return false
	case reached == untried && x.putDifference(d):
		x.stages[own] = written
		return true
	case reached == written && entry.Rule.IsApart() && x.widen(d):
		x.stages[own] = widened
		return true
	}
	// The override can't express it.
	x.why[own] = reason{rule: entry.Rule, outcome: x.outcomeOf(own)}
	isChanged := x.override.withdraw(own)
	canBeNew := isAddition(x.edited, d)
	// The new primary file is next, if the caller wants one and it can declare the item.
	if reached < writtenNew && x.NewFile != "" && canBeNew {
		for _, i := range d.Sides[Edited].Beyond(d.Sides[Base]) { // the items that only EDITED has
			x.primary.putNew(own, d.Sides[Edited].Entries()[i])
		}
		x.stages[own] = writtenNew
		return true
	}
	x.stages[own] = leftOut
	// What has been written to the new file stays there, unless items of EDITED are still missing: if only items of
	// BASE are left over, nothing can remove these.
	if reached == writtenNew && !canBeNew {
		return isChanged
	}
	return x.primary.withdraw(own) || isChanged
}

// stageOf returns the stage of an address. One that has no stage of its own may have been written as part of a
// block.
func (x *extraction) stageOf(own address.Address) stage {
	if x.stages[own] == untried && len(x.override.parts[own]) > 0 {
		return written
	}
	return x.stages[own]
}

// leaveOut ends the extraction of an address, which no override can express, for the reason why.
func (x *extraction) leaveOut(own address.Address, why reason) {
	x.stages[own] = leftOut
	x.why[own] = why
}

// entryOf returns the merged item of a difference: that of EDITED if it has items there, otherwise that of
// BASE if BASE has one.
func entryOf(d compare.Difference) *merge.MergedItem {
	if e := d.Sides[Edited].Entry; e != nil && (len(d.Sides[Edited].Items) > 0 || d.Sides[Base].Entry == nil) {
		return e
	}
	return d.Sides[Base].Entry
}

// meansNothing reports whether the engine ignores the difference in every file.
func meansNothing(d compare.Difference) bool { return d.IsIdle || entryOf(d).Rule.Unused }

// putDifference writes what EDITED has of a name into the override. If EDITED has nothing, it writes a
// constant that means the same to the engine. It returns false if there is nothing that could be written.
func (x *extraction) putDifference(d compare.Difference) bool {
	before, after := d.Sides[Base], d.Sides[Edited]
	if len(after.Items) == 0 {
		e := before.Entry
		if e.Rule.Void == "" {
			return false
		}
		x.override.putConstant(d.Address, e)
		return true
	}
	hasIndependentItems := after.Entry.Rule.Match == rules.ByPosition || isShared(d)
	if !hasIndependentItems {
		x.override.putItems(d.Address, after.Entry, after.Entry.Live)
		return true
	}
	for _, i := range after.Beyond(before) { // those that BASE lacks
		x.override.putItems(d.Address, after.Entries()[i], after.Items[i:i+1])
	}
	return len(x.override.parts[d.Address]) > 0
}

// widen writes all items that EDITED has of a name into the override, instead of only those that BASE lacks.
// It returns false if EDITED has none.
func (x *extraction) widen(d compare.Difference) bool {
	x.override.withdraw(d.Address)
	for i, e := range d.Sides[Edited].Entries() {
		x.override.putItems(d.Address, e, []source.Item{d.Sides[Edited].Items[i]})
	}
	return len(d.Sides[Edited].Items) > 0
}

// isInsideLeft reports whether an address is inside a block that is left out, or written whole into the new
// primary file: then nothing is to be done for it. It looks at the addresses around it, and at the blocks that
// hold its item, since an address leaves out blocks named _.
func (x *extraction) isInsideLeft(own address.Address) bool {
	for around := own.Parent(); !around.IsEmpty(); around = around.Parent() {
		if x.isLeftOrNew(around) {
			return true
		}
	}
	side := x.edited
	if side.itemAt[own] == nil {
		side = x.base
	}
	e := side.itemAt[own]
	for e != nil {
		e = side.holder(e)
		if e != nil && x.isLeftOrNew(side.addressOf[e]) {
			return true
		}
	}
	return false
}

// isLeftOrNew reports whether a block is left out, or written whole into the new primary file. If an argument has
// the same address, its stage may be meant, so the result is false.
func (x *extraction) isLeftOrNew(own address.Address) bool {
	return !x.shared[own] && (x.stages[own] == leftOut || x.stages[own] == writtenNew)
}

// isAddition reports whether EDITED has items at a difference that BASE lacks, and a further primary file could
// declare them. For that they must be at the top level, or in a block such as locals that several files can contain.
// If BASE has items at the address, too, they must also be independent of those (standAlone).
func isAddition(edited *index, d compare.Difference) bool {
	before, after := d.Sides[Base], d.Sides[Edited]
	if len(after.Items) == 0 || len(before.Items) > 0 && !standAlone(d) || len(after.Beyond(before)) == 0 {
		return false
	}
	for e := edited.holder(after.Entry); e != nil; e = edited.holder(e) {
		// Only a block that means nothing but its contents can be in several files.
		if !e.Rule.OmitEmpty {
			return false
		}
	}
	return true
}

// standAlone reports whether the items of a difference are independent of each other although they share an
// address, as moved blocks are. Items that are IsApart, such as required_version, share a meaning nevertheless: each
// limits the releases.
func standAlone(d compare.Difference) bool {
	r := entryOf(d).Rule
	return r.Match == rules.ByPosition && !r.IsApart()
}

// outcomeOf returns the outcome of an item that was written for an address, or for a block around it, and had
// no effect in the last trial. If there is none, it returns the zero Outcome.
func (x *extraction) outcomeOf(own address.Address) merge.Outcome {
	in := x.last.index()
	for at := own; !at.IsEmpty(); at = at.Parent() {
		e := in.itemAt[at]
		for e != nil {
			for _, o := range e.Outcomes() {
				isWritten := x.last.texts[o.Item.Source().Name] != nil // it is in a file that the trial wrote
				if isWritten && !o.Status.IsInEffect() {
					return o
				}
			}
			e = in.holder(e) // the block around it, which may have an address elsewhere, as a data block in a check has
		}
	}
	return merge.Outcome{}
}

// A variable's type and its default depend on each other: of several arguments of one block, some
// may follow from the others. Each one is left out once, together with one of every other such
// block, and stays out if the result is still EDITED.

// A looseBlock is a block of the override that may hold more than it needs.
type looseBlock struct {
	own     address.Address
	parts   []address.Address // of what it holds, without the parts of its address, such as an alias
	omitted address.Address   // the part that is left out in this trial; empty for none
}

// shrink leaves out parts of the override that aren't needed. Trial i omits part i of every loose block (see
// looseBlock) at once. The part stays out if the block still means what it does in EDITED; otherwise restore puts it
// back.
func (x *extraction) shrink() error {
	blocks := x.looseBlocks()
	isCurrent := true // x.last is of the drafts as they are now: restore has changed none since
	for i := 0; ; i++ {
		isTried := false
		for _, b := range blocks {
			b.omitted = address.Address{}
			if i < len(b.parts) {
				isTried = x.omitPart(b, i) || isTried
			}
		}
		if !isTried {
			break
		}
		next, err := x.runTrial()
		if err != nil {
			return err
		}
		hasRestored := x.restore(blocks, next)
		if !hasRestored {
			x.last = next
		}
		isCurrent = !hasRestored
	}
	if isCurrent {
		return nil
	}
	// x.last doesn't show the drafts as they are now, so merge them once more.
	next, err := x.runTrial()
	if err == nil {
		x.last = next
	}
	return err
}

// looseBlocks lists the blocks of the override that may hold more parts than they need, for omitPart to try: those
// that have several parts, and that engines judge as a whole. In a variable, type and default depend on each other.
func (x *extraction) looseBlocks() (list []*looseBlock) {
	for _, p := range x.override.partsToWrite() {
		if !p.IsPartial || p.Entry == nil || !p.Entry.Rule.IsCheckedByBlock() {
			continue
		}
		b := &looseBlock{own: p.own}
		for _, inner := range p.held {
			if !inner.isIdentity {
				b.parts = append(b.parts, inner.own)
			}
		}
		if len(b.parts) > 1 {
			list = append(list, b)
		}
	}
	return list
}

// omitPart takes part i of a block out of the override, and reports whether it did. The last part must stay.
func (x *extraction) omitPart(b *looseBlock, i int) bool {
	present := slices.DeleteFunc(slices.Clone(b.parts), func(own address.Address) bool { return len(x.override.parts[own]) == 0 })
	if len(present) < 2 {
		return false
	}
	b.omitted = b.parts[i]
	return x.override.withdraw(b.omitted)
}

// restore puts back parts that a trial, t, left out (looseBlock.omitted): those whose block now differs from EDITED,
// or all if the engine refuses the trial. It reports whether it put back any.
func (x *extraction) restore(blocks []*looseBlock, t *trial) (hasRestored bool) {
	isRefused := len(x.newRefusals(t)) > 0
	var differing []address.Address
	for _, d := range t.remaining() {
		if x.stages[d.Address] != leftOut {
			differing = append(differing, d.Address)
		}
	}
	for _, b := range blocks {
		isNeeded := isRefused || slices.ContainsFunc(differing, b.holds)
		if b.omitted.IsEmpty() || !isNeeded { // nothing was omitted, or the block doesn't need it
			continue
		}
		if e := x.edited.itemAt[b.omitted]; e != nil {
			x.override.putItems(b.omitted, e, e.Live)
		} else { // EDITED lacks the argument, so the part was a constant, such as null, that hides BASE's value
			x.override.putConstant(b.omitted, x.base.itemAt[b.omitted])
		}
		hasRestored = true
	}
	return hasRestored
}

// holds reports whether an address is that of the block, or of something in it.
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

// kindOf returns the kind of a difference, by the side that has no items.
func kindOf(d compare.Difference) kind {
	switch {
	case len(d.Sides[Base].Items) == 0:
		return added
	case len(d.Sides[Edited].Items) == 0:
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

// Item returns the item at which to report the difference: in EDITED, or in BASE if EDITED has none. It's nil
// if neither has.
func (l *Remainder) Item() source.Item {
	for _, side := range []compare.Side{l.Sides[Edited], l.Sides[Base]} {
		if len(side.Items) > 0 {
			return side.Items[0]
		}
	}
	return nil
}

// Why returns a sentence that explains why no override makes up for the difference: "An override file can't
// remove a block."
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
	case l.Kind == Removed && l.Sides[Base].Entry.Attr() != nil:
		return "An override file can't remove an argument."
	case l.Kind == Removed:
		return "An override file can't remove a block."
	case l.Kind == added && l.why.rule.Do == rules.Merge:
		return "Only a primary file can declare it."
	}
	return l.why.rule.Why
}

// result returns the result of the last trial, or an error if the engine refuses that.
func (x *extraction) result() (*Result, error) {
	if refused := x.allRefusals(); len(refused) > 0 {
		return nil, &RefusedError{Merged, refused}
	}
	r := &Result{
		Override: mergeParts(x.override.partsToWrite()), New: mergeParts(x.primary.partsToWrite()), Texts: x.last.texts, Diags: x.last.wrote,
		Base: x.base.module, Edited: x.edited.module, Merged: x.last.module, partial: map[address.Address]bool{},
	}
	for own, parts := range x.override.parts {
		r.partial[own] = parts[0].IsPartial
	}
	isLeft := map[address.Address]bool{}
	for _, d := range x.last.remaining() {
		isLeft[d.Address] = true
		r.Left = append(r.Left, x.remaindersOf(d)...)
	}
	// What differs without the override but no longer remains is expressed.
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

// allRefusals returns why the engine refuses the result. Unlike newRefusals, it includes errors that BASE, with the
// override files of EDITED, already has.
func (x *extraction) allRefusals() hcl.Diagnostics {
	list := x.newRefusals(x.last)
	for _, d := range x.last.diags {
		if d.Severity == hcl.DiagError && x.knownDiags[d.Error()] {
			list = append(list, d)
		}
	}
	return list
}

// remaindersOf returns what is left of a difference: one remainder or, if items share an address but not a meaning,
// one for each. That is so for moved blocks (standAlone), and for an argument beside a block (isShared).
func (x *extraction) remaindersOf(d compare.Difference) (list []*Remainder) {
	l := &Remainder{Difference: d, Kind: kindOf(d), why: x.why[d.Address]}
	l.CanBeNew = isAddition(x.edited, d)
	l.CanBeNull = l.Kind == Removed && d.Sides[Base].Entry.Attr() != nil && x.base.canBeNull(x.base.itemAt[d.Address])
	if !standAlone(d) && !isShared(d) {
		return []*Remainder{l}
	}
	for i, k := range []kind{Base: Removed, Edited: added} { // an item that only BASE has is removed, and so on
		for _, only := range d.Only(i) {
			list = append(list, &Remainder{Difference: only, Kind: k, CanBeNew: k == added, why: l.why})
		}
	}
	return list
}

// isShared reports whether an argument and a block have the address of a difference: the argument north of a
// provider, and the configuration of that provider with the alias north.
func isShared(d compare.Difference) bool {
	return slices.ContainsFunc(d.Sides[:], func(s compare.Side) bool {
		entries := s.Entries()
		isOfOtherKind := func(e *merge.MergedItem) bool { return (e.Attr() == nil) != (entries[0].Attr() == nil) }
		return slices.ContainsFunc(entries, isOfOtherKind)
	})
}

// remaining lists the differences between the trial and EDITED, without those that the engine ignores.
func (t *trial) remaining() []compare.Difference {
	return slices.DeleteFunc(slices.Clone(t.edits), meansNothing)
}

// Parts that are removed from the draft because the engine refuses them.

// withdrawRefused removes the parts that caused some errors, and reports whether there were any.
func (x *extraction) withdrawRefused(list hcl.Diagnostics) bool {
	isChanged := false
	for _, d := range list {
		isChanged = x.withdrawBlamed(d) || isChanged
	}
	return isChanged
}

// newInexactWarnings returns the warnings of a trial that no text can express the effective meaning of a variable.
// The comparison with EDITED, by texts, can't vouch for these variables. It leaves out warnings that BASE has, too,
// which it knows by their details.
func (x *extraction) newInexactWarnings(t *trial) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(t.diags), func(d *hcl.Diagnostic) bool {
		return diag.CodeOf(d) != computed.Inexact || x.knownDiags[d.Detail]
	})
}

// newRefusals returns why the engine refuses a trial, while loading or later, and the warnings of
// newInexactWarnings. What also holds for BASE or EDITED is left out.
func (x *extraction) newRefusals(t *trial) hcl.Diagnostics {
	refusals := compare.Reading{Module: t.module, Diags: t.diags}.Refusals()
	refusals = slices.DeleteFunc(refusals, func(d *hcl.Diagnostic) bool {
		return x.knownDiags[d.Error()] || x.knownDiags[d.Summary]
	})
	return append(x.newInexactWarnings(t), refusals...)
}

// withdrawBlamed removes the likeliest part that an error is about. If none of the suspects is a part itself, they
// are blocks, and it removes all parts in them. It reports whether there were any.
func (x *extraction) withdrawBlamed(d *hcl.Diagnostic) bool {
	list := x.suspects(d)
	for _, own := range list {
		if x.override.withdraw(own) || x.primary.withdraw(own) {
			x.leaveOut(own, reason{diag: d})
			return true
		}
	}
	// Only the override has parts that are inside the suspects: the new primary file consists of whole items.
	isChanged := false
	for _, block := range list {
		for _, own := range slices.SortedFunc(maps.Keys(x.override.parts), address.Address.Compare) {
			if _, isIn := own.In(block); isIn && x.override.withdraw(own) {
				x.leaveOut(own, reason{diag: d})
				isChanged = true
			}
		}
	}
	return isChanged
}

// suspects lists the addresses of parts that may have caused an error, the likeliest first: those at its
// places in written files, then those at its other places.
func (x *extraction) suspects(d *hcl.Diagnostic) (list []address.Address) {
	var places []hcl.Range
	if d.Subject != nil {
		places = append(places, *d.Subject)
	}
	if related, ok := diag.RelatedOf(d); ok {
		places = append(places, related.Range)
	}
	places = append(places, diag.AlsoOf(d)...)
	for _, wantsWritten := range []bool{true, false} {
		for _, at := range places {
			isWritten := x.last.texts[at.Filename] != nil
			if isWritten == wantsWritten {
				list = append(list, x.addressesAt(at)...)
			}
		}
	}
	return list
}

// addressesAt lists the addresses at a range of a file in the last trial: that of the innermost item there, then
// those of the blocks around it. After an address with an index, it also lists the address in front of the index:
// a.b after a.b[1].c, since blocks that only a number tells apart are one difference, at a.b.
func (x *extraction) addressesAt(at hcl.Range) (list []address.Address) {
	in := x.last.index()
	for it := load.ItemAt(x.last.module.Source, at); it != nil; {
		if e := in.itemOf[it]; e != nil {
			own := in.addressOf[e]
			list = append(list, own)
			if unnumbered := own.Kind(); unnumbered != own {
				list = append(list, unnumbered)
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
