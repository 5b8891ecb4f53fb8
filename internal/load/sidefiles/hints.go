package sidefiles

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// LockedBy lists the products whose registries a dependency lock file names as the hosts of
// providers. Init writes its own engine's host for a source address without one. The host of
// neither product is no evidence.
//
// The text is read line by line and not parsed: init writes each header on a separate line, and
// this is done in every run.
func LockedBy(text []byte) []engine.Product {
	var list []engine.Product
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("provider"))
		if !ok {
			continue
		}
		address, ok := bytes.CutPrefix(bytes.TrimSpace(rest), []byte(`"`))
		host, _, isAddress := bytes.Cut(address, []byte("/"))
		if !ok || !isAddress {
			continue
		}
		for _, p := range engine.Products() {
			if strings.EqualFold(p.Registry(), string(host)) && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list
}
