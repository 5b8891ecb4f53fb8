package extract

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/variable"
)

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

// kindOf is the kind of a difference.
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
	outcome merge.Outcome   // of the override that was tried, if it had none
	diag    *hcl.Diagnostic // the engine refuses the override
}

// Item is the best item for a report of the difference: in EDITED, or in BASE if it was removed
// there.
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
	case l.why.diag != nil && diag.CodeOf(l.why.diag) == variable.Inexact:
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

// result assembles the result after the last trial is settled.
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

// refused are the reasons for which the engine refuses the result, including those for which it
// refuses BASE with the override files of EDITED.
func (x *extraction) refused() hcl.Diagnostics {
	list := x.refusals(x.last)
	for _, d := range x.last.diags {
		if d.Severity == hcl.DiagError && x.known[d.Error()] {
			list = append(list, d)
		}
	}
	return list
}

// leftOf describes the rest of a difference: for independent items, one entry each.
func (x *extraction) leftOf(d compare.Difference) []*Remainder {
	l := &Remainder{Difference: d, Kind: kindOf(d), why: x.why[d.Address]}
	l.CanBeNew = isAddition(x.edited, d)
	l.CanBeNull = l.Kind == Removed && d.Sides[0].Entry.Attr() != nil && x.base.canBeNull(x.base.of[d.Address])
	if !standAlone(d) && !isShared(d) {
		return []*Remainder{l}
	}
	var list []*Remainder
	for side, kind := range []kind{Removed, added} {
		for _, only := range d.Only(side) {
			list = append(list, &Remainder{Difference: only, Kind: kind, CanBeNew: kind == added, why: l.why})
		}
	}
	return list
}

// isShared reports whether two names of a module have the address of a difference: the argument north
// of a provider, and the configuration of that provider with the alias north.
func isShared(d compare.Difference) bool {
	return slices.ContainsFunc(d.Sides[:], func(s compare.Side) bool {
		entries := s.Entries()
		return slices.ContainsFunc(entries, func(e *merge.MergedItem) bool { return (e.Attr() == nil) != (entries[0].Attr() == nil) })
	})
}

// remaining lists the differences from EDITED after a trial.
func (t *trial) remaining() []compare.Difference {
	return slices.DeleteFunc(slices.Clone(t.edits), meansNothing)
}
