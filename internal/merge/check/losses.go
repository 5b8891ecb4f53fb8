package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/zclconf/go-cty/cty"
)

// lost judges an argument of an override that replaced an object or a list.
func (f *findings) lost(e *merge.MergedItem) {
	a := e.Attr()
	if a == nil || !source.IsOverride(a) || e.Value != nil {
		return
	}
	for _, lost := range values.LostBy(f.m.Source, a, e.Losers(a)) {
		where := source.Where(lost.Of)
		note := func(r *Rule, words func(at string) (now, former string)) {
			now, _ := words(placeFrom(a, lost.Of))
			x := f.add(r, a, "%s", now)
			x.Related = &diag.Related{Note: "replaced value", Range: where}
			_, former := words(fmt.Sprintf("%s:%d", diag.Escape(where.Filename), where.Start.Line))
			x.Former = []Key{keyIn(r, x.Address.String(), former)}
		}
		lost.Keys = slices.DeleteFunc(lost.Keys, f.isRestored(e, lost))
		if n := len(lost.Keys); n > 0 {
			keys := strings.Join(lost.KeyNames(), ", ")
			if f.m.Source.Secrets().Covers(a) {
				keys = count(n, "key")
			}
			note(mapReplaceDropsKeys, func(at string) (now, former string) {
				now = fmt.Sprintf("This value replaces the one at %s and drops %s. Repeat %s here to keep %[3]s.", at, keys, pronoun(n))
				return now, now
			})
		}
		if len(lost.Elements) > 0 {
			note(listReplaceDropsElements, func(at string) (now, former string) { return elementsLost(lost, at) })
		}
	}
}

// isRestored returns a function that reports whether a lost key of a variable's default is in effect
// all the same, because the type has a default for it, or discards it.
func (f *findings) isRestored(e *merge.MergedItem, lost values.Loss) func(*values.Path) bool {
	none := func(*values.Path) bool { return false }
	if e.Path != "variable/default" || len(lost.Keys) == 0 {
		return none
	}
	given, diags := limits.Evaluate(lost.Of.Expr())
	if diags.HasErrors() {
		return none
	}
	v := f.variable(f.m.Root.Owner(source.Top(lost.Of)))
	if v.err != nil || !f.work.Covers(v.value, lost.Of.Expr()) {
		v.err = cmp.Or(v.err, limits.ErrCostly)
		return none
	}
	was, err := v.Given(given)
	if err != nil {
		return none
	}
	return func(at *values.Path) bool {
		a, b := valueAt(was, at), valueAt(v.value, at)
		if a == cty.NilVal || b == cty.NilVal {
			return a == b
		}
		return a.RawEquals(b)
	}
}

// A variable is an input variable and the value of its default.
type variable struct {
	*computed.Variable
	value cty.Value
	err   error // no value, or one that was compared too often
}

// variable reads a variable once for all that overrides do to it.
func (f *findings) variable(e *merge.MergedItem) *variable {
	v := f.variables[e]
	if v == nil {
		v = &variable{Variable: f.m.Variable(e)}
		v.value, v.err = v.Given(cty.NilVal)
		f.variables[e] = v
	}
	return v
}

// valueAt is a part of a value, or NilVal.
func valueAt(v cty.Value, at *values.Path) cty.Value {
	for _, s := range at.Steps() {
		key := cty.StringVal(s.Name)
		if s.IsIndex {
			key = cty.NumberIntVal(int64(s.Index()))
		}
		var diags hcl.Diagnostics
		if v, diags = hcl.Index(v, key, nil); diags.HasErrors() {
			return cty.NilVal
		}
	}
	return v
}

// elementsLost words which elements a list lacks, and returns the former wording, which did not
// distinguish changed from dropped elements.
func elementsLost(lost values.Loss, at string) (now, former string) {
	n := len(lost.Elements)
	former = fmt.Sprintf("This list replaces the one at %s and drops %s. Repeat %s here to keep %[3]s.", at, count(n, "element"), pronoun(n))
	if n <= lost.Fewer {
		return former, former
	}
	return fmt.Sprintf("This list replaces the one at %s and drops or changes %s. Repeat here what you want to keep.", at, count(n, "element")), former
}

// placeFrom is FILE:LINE of an item for a message about another one, with the column where both are
// in one line.
func placeFrom(from, it source.Item) string {
	return diag.PlaceFrom(source.Where(from), source.Where(it))
}

// placesFrom returns the locations of the first few of some items.
func placesFrom[T source.Item](from source.Item, items []T, most int) string {
	return diag.SomePlaces(source.Where(from), source.Wheres(items), most)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// addsOnly notes override files all of whose blocks are new.
func (f *findings) addsOnly() {
	type file struct{ adds, others bool }
	did := map[*source.File]*file{}
	of := func(it source.Item) *file {
		src := it.Source()
		if did[src] == nil {
			did[src] = &file{}
		}
		return did[src]
	}
	eachStep(f.m.Root.Items, func(e *merge.MergedItem, s merge.Step) {
		switch {
		case s.By() != nil && s.By() != s.Item && source.IsOverride(s.By()):
			of(s.By()).others = true
		case s.Item == nil || !source.IsOverride(s.Item):
		case s.Effect == effect.Added || s.Effect == effect.Missing:
			of(s.Item).adds = true
		case s.Effect == effect.Extended && (e.Rule.OmitEmpty || e.Rule.Do == rules.Flatten):
		default:
			of(s.Item).others = true
		}
	})
	for _, src := range f.m.Source.Files {
		if d := did[src]; d != nil && d.adds && !d.others && !src.Overlay && !src.Broken {
			at := source.Where(src.Block(0))
			f.found = append(f.found, overrideAddsOnly.At(at, fmt.Sprintf("Everything in %s is new, so it overrides nothing. If it isn't meant to override, rename it.", diag.Escape(src.Name))))
		}
	}
}

func eachStep(items []*merge.MergedItem, visit func(*merge.MergedItem, merge.Step)) {
	for _, e := range items {
		for _, s := range e.Steps {
			visit(e, s)
		}
		if e.Inner() != nil {
			eachStep(e.Inner().Items, visit)
		}
	}
}
