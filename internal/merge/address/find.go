package address

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Find returns the targets of an address, in load order. Several objects may share one address, as
// the version constraints of several files do. An address that names nothing isn't an error; there
// is no target then.
func Find(m *merge.Module, a Address) []Target {
	f := finder{module: m, aliases: AliasIndex{}, wanted: a.Segments(), values: values{}}
	if len(f.wanted) == 0 {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(f.wanted), segments.Segment.IsIndex)
	WalkSome(m, NewPatterns(literalOf(names)).Leading(m), f.try)
	return f.found
}

// Top returns everything that the top level declares, in load order.
func Top(m *merge.Module) []Target {
	var all []Target
	known := values{}
	WalkAll(m, func(own Address, e *merge.MergedItem) {
		if isTop(e) {
			all = append(all, Target{Address: own, Of: own, Item: e, values: known})
		}
	})
	return all
}

// A finder looks for the longest addresses of merged items that an address starts with.
type finder struct {
	module  *merge.Module
	aliases AliasIndex // of the items visited so far
	wanted  []segments.Segment
	found   []Target
	depth   int // segments of the address that those found use up
	values  values
}

func (f *finder) try(own Address, e *merge.MergedItem) {
	for _, name := range f.names(own, e) {
		if !strings.HasPrefix(name.text, segments.Append("", f.wanted[0])) {
			continue
		}
		rest, ok := leadsOn(name.Segments(), f.wanted)
		depth := len(f.wanted) - len(rest)
		if !ok || depth < f.depth {
			continue
		}
		if e.Inner() != nil && len(rest) == 1 && rest[0] == segments.At(0) {
			rest = nil // there is one at most
		}
		t := Target{Of: own, Item: e, rest: rest, values: f.values}
		if len(rest) > 0 && (e.Inner() != nil || !t.exists()) {
			continue
		}
		t.Address = own.with(rest)
		switch {
		case depth > f.depth:
			f.found, f.depth = nil, depth
		case isTop(e) && !isTop(f.found[0].Item):
			f.found = nil // an alias takes precedence over an argument of its name
		case !isTop(e) && isTop(f.found[0].Item):
			return
		}
		f.found = append(f.found, t)
		return
	}
}

func isTop(e *merge.MergedItem) bool { return !strings.Contains(e.Path, "/") }

// names are the ways to address a merged item.
func (f *finder) names(own Address, e *merge.MergedItem) []Address {
	names := []Address{own}
	if e.Key.Space == merge.Body && own.Last() == segments.Append("", segments.Named(e.Key.Name)) {
		names = append(names, own.Parent().Child(source.EscapeBlock, e.Key.Name))
	}
	return append(names, f.aliases.Add(f.module, own, e)...)
}

// leadsOn reports whether an address starts with a path, and returns the rest. An address may omit
// an index, and may have the index 0 after a name that needs none.
func leadsOn(way, wanted []segments.Segment) ([]segments.Segment, bool) {
	for i, p := range way {
		isLeftOut := len(wanted) == 0 || !wanted[0].IsIndex()
		if p.IsIndex() && isLeftOut {
			continue
		}
		if i > 0 && !p.IsIndex() && len(wanted) > 1 && wanted[0] == segments.At(0) {
			wanted = wanted[1:]
		}
		if len(wanted) == 0 || p != wanted[0] {
			return nil, false
		}
		wanted = wanted[1:]
	}
	return wanted, true
}
