package address

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Find returns what an address names, in load order. Several things may have one
// address, as the versions that several files require. An address that names nothing
// is no error; there is no target then.
func Find(m *merge.Module, a Address) []Target {
	segments, err := a.Segments()
	if err != nil {
		return nil
	}
	f := finder{module: m}
	WalkAll(m, func(own Address, item *merge.MergedItem) { f.try(own, item, segments) })
	return f.found
}

// Top returns everything that the top level declares, in load order.
func Top(m *merge.Module) []Target {
	var all []Target
	WalkAll(m, func(own Address, e *merge.MergedItem) {
		if isTop(e) {
			all = append(all, Target{Address: own, Of: own, Item: e})
		}
	})
	return all
}

// A finder looks for the longest addresses of merged items that an address starts with.
type finder struct {
	module *merge.Module
	found  []Target
	depth  int // segments of the addresses found
	// aliases are addresses around the one at hand, and others in their place.
	aliases [][2]Address
}

func (f *finder) try(own Address, e *merge.MergedItem, segments []Segment) {
	for _, name := range f.names(own, e) {
		way, err := name.Segments()
		if err != nil || len(way) > len(segments) || len(way) < f.depth {
			continue
		}
		rest, ok := leadsOn(way, segments)
		if e.Inner != nil && len(rest) == 1 && rest[0] == (Segment{"", 0}) {
			rest = nil // there is one at most
		}
		t := Target{Address: own.written(rest), Item: e, Of: own, rest: rest}
		if !ok || len(rest) > 0 && (e.Inner != nil || !t.exists()) {
			continue
		}
		switch {
		case len(way) > f.depth:
			f.found, f.depth = nil, len(way)
		case isTop(e) && !isTop(f.found[0].Item):
			f.found = nil // an alias goes before an argument of its name
		case !isTop(e) && isTop(f.found[0].Item):
			return
		}
		f.found = append(f.found, t)
		return
	}
}

func isTop(e *merge.MergedItem) bool { return !strings.Contains(e.Path, "/") }

// names are the ways to address a merged item. Where a rule's items may be addressed
// from elsewhere, they, and what they hold, have an address of their own besides.
func (f *finder) names(own Address, e *merge.MergedItem) []Address {
	for n := len(f.aliases); n > 0; n-- {
		if _, isIn := own.In(f.aliases[n-1][0]); isIn {
			break
		}
		f.aliases = f.aliases[:n-1]
	}
	for _, alias := range f.module.Aliases(e) {
		f.aliases = append(f.aliases, [2]Address{own, Address(alias)})
	}
	names := []Address{own}
	if before, ok := strings.CutSuffix(string(own), "."+e.Key.Name); ok && e.Key.Space == merge.Body {
		names = append(names, Address(before).Child(language.EscapeBlock, e.Key.Name))
	}
	for _, alias := range f.aliases {
		names = append(names, alias[1]+own[len(alias[0]):])
	}
	return names
}

// leadsOn reports whether an address starts with a way, and what is left of it. A
// way without an index fits every index, which is left to be looked at.
func leadsOn(way, segments []Segment) ([]Segment, bool) {
	last := len(way) - 1
	for i, p := range way {
		s := segments[i]
		switch {
		case p.Name != s.Name, i < last && max(p.Index, 0) != max(s.Index, 0), p.Index >= 0 && s.Index >= 0 && p.Index != s.Index:
			return nil, false
		}
	}
	rest := segments[len(way):]
	if s := segments[last]; s.Index >= 0 && way[last].Index < 0 {
		rest = append([]Segment{{"", s.Index}}, rest...)
	}
	return rest, true
}
