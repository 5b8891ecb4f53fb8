package command

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

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
