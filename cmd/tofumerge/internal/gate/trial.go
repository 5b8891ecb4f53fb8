package gate

import (
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/fix"
)

// Fixes are tried by merging the module with them, in memory, and comparing it with its earlier
// form.

// A trial tries fixes of one kind.
type trial struct {
	*fixProof
	in       *Inspection
	fixer    *fix.Fixer
	contents map[string][]byte // of files that other fixes have changed
	taken    []*fix.Fix
	after    readings // with those that are taken
	before   readings // nil at first
	merges   int
	most     int // merges; see limited
}

// How much a trial merges at most: a module with very many findings must not take the time of many
// modules. A report that only offers fixes stops sooner.
const (
	maxMergesToFix   = 400
	maxMergesToOffer = 32
	maxMergedBytes   = 16 << 20
	minMerges        = 8
)

// mergeBudget is a number of merges, fewer for a large module.
func (t *trial) mergeBudget(most int) int {
	size := 1
	for _, f := range t.in.Module.Source.Files {
		size += len(f.Raw)
	}
	return max(minMerges, min(most, maxMergedBytes/size))
}

// Why a fix is not taken.
const (
	whyChanges    = "without it, some engine may read the module differently"
	whyNotCertain = "the earlier values might not be restored"
	whyTooMany    = "too many fixes of the module were tried; run --fix again"
	whyOffered    = "somebody may have dropped it on purpose; the patch of --fix without --write repeats it"
	whyRefused    = "fix this error first; the module's other findings wait for it"
)

// take takes the fixes of a list that leave the module's meaning unchanged, together with those
// taken before: all at once, or else one half after the other.
func (t *trial) take(list []*fix.Fix) {
	switch {
	case len(list) == 0:
	case t.merges >= t.mergeBudget(t.most), t.isOver != nil && t.isOver():
		for _, x := range list {
			t.leave(x.Finding, whyTooMany)
		}
	case t.holds(append(t.taken[:len(t.taken):len(t.taken)], list...)):
		t.taken = append(t.taken, list...)
	case len(list) == 1 && list[0].Repeats():
		t.leave(list[0].Finding, whyNotCertain)
	case len(list) == 1:
		t.leave(list[0].Finding, whyChanges)
	default:
		t.take(list[:len(list)/2])
		t.take(list[len(list)/2:])
	}
}

// holds reports whether some fixes leave the module's meaning unchanged, for the followed engine
// and, if nothing names that one, for the other one, too.
func (t *trial) holds(fixes []*fix.Fix) bool {
	t.merges++
	if t.before == nil {
		t.before = t.readBefore()
	}
	next, after := t.contentsWith(fixes), readings{}
	for e, before := range t.before {
		r, ok := t.read(e, next)
		switch {
		case !ok:
			return false
		case fixes[0].Repeats() && !fix.Repeated(before.Module, r.Module, fixes):
			return false
		case !fixes[0].Repeats() && !fix.Same(before.Module, r.Module):
			return false
		}
		after[e] = r
	}
	t.after = after
	return true
}

// readBefore returns the readings that fixes must not change.
func (t *trial) readBefore() readings {
	before := readings{t.in.Options.Engine: {Module: t.in.Module, Diags: t.in.Diags}}
	e, isToo := t.otherEngine()
	switch {
	case isToo && t.in.other != nil:
		if !t.in.other.Diags.HasErrors() {
			before[e] = *t.in.other
		}
	case isToo:
		if r, ok := t.read(e, t.contents); ok {
			before[e] = r
		}
	}
	return before
}

// otherEngine is another engine for which the module must stay unchanged, if nothing names the
// followed one.
func (t *trial) otherEngine() (engine.Release, bool) {
	choice, err := t.fixProof.Gate.ws.Engine(t.in.Module.Source.Dir)
	return t.in.Options.Engine.Product.Other().Newest(), err == nil && choice.IsDefault()
}

// read reads the module with some contents, and reports whether the engine takes it.
func (t *trial) read(e engine.Release, contents map[string][]byte) (compare.Reading, bool) {
	opts := t.in.Options
	if e != opts.Engine {
		opts.Cache = opts.Cache.Beside(e)
	}
	opts.Engine, opts.Contents, opts.Sized = e, contents, nil
	r, err := compare.Read(t.in.Module.Source.Dir, opts)
	return r, err == nil && !r.Diags.HasErrors()
}

// contentsWith are the files that change with some fixes, and those that changed before.
func (t *trial) contentsWith(fixes []*fix.Fix) map[string][]byte {
	next := map[string][]byte{}
	maps.Copy(next, t.contents)
	for name, edits := range t.fixer.Edits(fixes) {
		f := t.in.Module.Source.File(name)
		if f.Syntax == source.Native {
			edits = laidOut(f, edits)
		}
		next[name] = textedit.Apply(f.Raw, 0, len(f.Raw), edits)
	}
	return next
}

// laidOut are edits of a native file, in order, with blocks laid out again that were laid
// out before.
func laidOut(f *source.File, edits []textedit.Edit) []textedit.Edit {
	var list []textedit.Edit
	for i := range f.Len() {
		at := f.Block(i).Extent()
		from, to := at.Start.Byte, at.End.Byte
		n := slices.IndexFunc(edits, func(e textedit.Edit) bool { return e.End > from })
		if n < 0 {
			break
		}
		list, edits = append(list, edits[:n]...), edits[n:]
		last := 0
		for last < len(edits) && edits[last].Start >= from && edits[last].End <= to {
			last++
		}
		if inside := edits[:last]; last > 0 {
			edits = edits[last:]
			if text := f.Native[from:to]; !layout.IsClean(text) {
				list = append(list, inside...)
			} else {
				text = layout.Format(textedit.Apply(f.Native, from, to, inside))
				list = append(list, textedit.Replace(from, to, string(text)))
			}
		}
	}
	return append(list, edits...)
}
