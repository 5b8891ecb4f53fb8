package secrets

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Arguments with which providers, backends, key providers and connections prove who they are. No
// flag in the configuration marks them as secret, only their names.

// namesIn are the names of secrets in a block, and the shape of its body. The names of a block
// apply to all its contents.
func namesIn(b *source.Block) (credentials.Names, *language.BodyShape) {
	around := b.Within()
	if around == nil {
		shape := language.Of(b.File.Engine).Top(b.Type).Body
		return namesWithin(shape, nil), shape
	}
	names, outer := namesIn(around)
	inner, _ := outer.Inner(b)
	return namesWithin(inner.Body, names), inner.Body
}

// namesWithin are the names of secrets in a body, given those around it.
func namesWithin(s *language.BodyShape, around credentials.Names) credentials.Names {
	if s != nil && s.Secrets != nil {
		return s.Secrets
	}
	return around
}

// holders lists the types of the nested blocks in which names of secrets begin to
// count, those at every depth; "" is for the body itself.
func holders(s *language.BodyShape, seen map[*language.BodyShape]bool) []string {
	switch {
	case s == nil || seen[s]:
		return nil
	case s.Secrets != nil:
		return []string{""}
	}
	seen[s] = true
	var found []string
	for _, typ := range slices.Sorted(maps.Keys(s.Blocks)) {
		for _, holder := range holders(s.Blocks[typ].Body, seen) {
			found = append(found, cmp.Or(holder, typ))
		}
	}
	return found
}
