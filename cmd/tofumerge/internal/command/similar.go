package command

import (
	"fmt"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// similar are up to three addresses or patterns that may be meant by a text that names nothing in a module.
func similar(mod *merge.Module, given string) []string {
	for _, labels := range []string{".*", ".*.*"} {
		p, err := address.ParsePattern(given + labels)
		if err == nil && len(address.Matching(mod, p)) > 0 {
			return []string{"'" + diag.Escape(given) + labels + "'"}
		}
	}
	a, err := address.Parse(given)
	switch {
	case err != nil || address.IsPattern(given):
		return nil
	case a.Parent().IsEmpty():
		return similarNames(mod, a.String())
	}
	if near := similarAddresses(mod, a.String()); len(near) > 0 {
		return near
	}
	return similarKeys(mod, a)
}

// similarKeys are up to three keys that may be meant by the last segment of a path, in any object that
// the rest of it names.
func similarKeys(mod *merge.Module, given address.Address) []string {
	var known []string
	for _, t := range address.Named(mod, given.Parent()) {
		for _, it := range t.Effective() {
			a, ok := it.(*source.Attr)
			if !ok {
				continue
			}
			for _, p := range parts.Of(a).Parts {
				known = append(known, given.Parent().Step(p.Segment).String())
			}
		}
	}
	slices.Sort(known)
	return spelling.Similar(given.String(), slices.Compact(known), 3)
}

// notFound is the error that nothing in some modules has an address or matches a pattern, with what
// may be meant, or else the flags of explain that list all addresses.
func notFound(given, modules string, near []string, list string) error {
	text := fmt.Sprintf("nothing in %s has the address %s", modules, diag.Escape(given))
	if address.IsPattern(given) {
		text = fmt.Sprintf("nothing in %s matches %s", modules, diag.Escape(given))
	}
	if len(near) == 0 {
		return fmt.Errorf("%s; to list all addresses, run: tofumerge explain%s --all", text, list)
	}
	return fmt.Errorf("%s; did you mean %s?", text, diag.Joined(near, "or"))
}

// similarAddresses are up to three of a module that may be meant by a text.
func similarAddresses(mod *merge.Module, given string) []string {
	var known []string
	for _, a := range address.All(mod) {
		known = append(known, a.String())
	}
	return spelling.Similar(given, known, 3)
}

// similarNames are up to three last segments of addresses that may be meant by a text.
func similarNames(mod *merge.Module, given string) []string {
	var known []string
	for _, a := range address.All(mod) {
		known = append(known, a.Last())
	}
	slices.Sort(known)
	return spelling.Similar(given, slices.Compact(known), 3)
}
