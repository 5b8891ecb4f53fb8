package render_test

import (
	"slices"
	"testing"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"pgregory.net/rapid"
)

// Every printed address can be given to explain, to --filter and to --deny: it is parsed as it was
// written, found, and matched by itself as a pattern.
func TestPrintedAddressesAreFound(t *testing.T) {
	all, parts := 0, 0
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		src, loaded, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil || loaded.HasErrors() {
			return
		}
		m, merged := merge.Files(src, merge.Options{})
		if merged.HasErrors() {
			return
		}
		for text, isFiltered := range printedAddresses(m, append(loaded, merged...)) {
			all++
			a, err := address.Parse(text)
			if err != nil || a.String() != text || slices.ContainsFunc([]rune(text), func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%s is read as %s: %v", text, a, err)
			}
			if len(lookup.Find(m, a)) == 0 && len(address.Named(m, a)) == 0 {
				t.Fatalf("explain doesn't find %s", text)
			}
			p, err := address.ParsePattern(text)
			if err != nil || !address.NewPatterns(p).Covers(a) {
				t.Fatalf("--deny %s doesn't match it: %v", text, err)
			}
			if isFiltered && len(plan.Unmatched(m, []address.Pattern{p})) > 0 {
				t.Fatalf("--filter %s matches nothing", text)
			}
		}
		for _, target := range partsOf(m) {
			parts++
			if found := lookup.Find(m, target.Address); !slices.ContainsFunc(found, func(f address.Target) bool { return f.Address == target.Address }) {
				t.Fatalf("explain doesn't find %s", target.Address)
			}
		}
	})
	if all < 1000 || parts < 100 {
		t.Errorf("only %d addresses, and %d of keys and elements", all, parts)
	}
}

// printedAddresses are the addresses that commands print, and whether they are of blocks that
// are printed, or of something inside those.
func printedAddresses(m *merge.Module, diags hcl.Diagnostics) map[string]bool {
	found := map[string]bool{}
	for _, a := range lookup.All(m) {
		found[a.String()] = false
	}
	for _, b := range changes.Of(m) {
		found[b.Address.String()] = b.Item.InEffect()
		for _, c := range b.Changes {
			name, isIn := c.Address.In(b.Address)
			paths := []address.Address{c.Name()}
			if c.Kind() == changes.Changed {
				paths = append(paths, c.Path.AddressBy((*values.Path).Earlier))
			}
			for _, path := range paths {
				found[c.Address.Join(path).String()] = b.Item.InEffect()
				if rest := name.Join(path); isIn && !rest.IsEmpty() {
					found[rest.String()] = false
				}
			}
		}
	}
	for _, f := range check.Findings(m, diags, func(string) bool { return true }) {
		if !f.Address.IsEmpty() {
			found[f.Address.String()] = false
		}
	}
	for _, list := range report.Effects(m, nil) {
		for _, e := range list {
			found[e.Address] = false
		}
	}
	return found
}

// partsOf are targets that are keys and elements.
func partsOf(m *merge.Module) []address.Target {
	p, _ := address.ParsePattern("**.*.*.*.*")
	var list []address.Target
	for _, a := range address.Matching(m, p) {
		if !a.IsWhole() {
			list = append(list, a)
		}
	}
	return list
}
