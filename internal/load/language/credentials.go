package language

import (
	"cmp"

	"github.com/tofumerge/tofumerge/internal/load/credentials"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Arguments with which providers, backends, key providers and connections prove who they are. No
// flag in the configuration marks them as secret, only their names.

// SecretsOf are the names of secrets in a block, and the shape of its body. The names of a block
// apply to all its contents.
func SecretsOf(b *source.Block) (credentials.Names, *BodyShape) {
	var names credentials.Names
	var shape *BodyShape
	if around := b.Within(); around == nil {
		shape = Of(b.File.Engine).Top(b.Type).Body
	} else {
		inherited, outer := SecretsOf(around)
		inner, _ := outer.Inner(b)
		names, shape = inherited, inner.Body
	}
	return shape.SecretsWithin(names), shape
}

// SecretsWithin are the names of secrets in a body, given those around it.
func (s *BodyShape) SecretsWithin(around credentials.Names) credentials.Names {
	if s != nil && s.Secrets != nil {
		return s.Secrets
	}
	return around
}

// Holders lists the types of the nested blocks in which names of secrets begin to
// count, those at every depth; "" is for the body itself.
func (s *BodyShape) Holders(seen map[*BodyShape]bool) []string {
	switch {
	case s == nil || seen[s]:
		return nil
	case s.Secrets != nil:
		return []string{""}
	}
	seen[s] = true
	var found []string
	for _, typ := range SortedKeys(s.Blocks) {
		for _, holder := range s.Blocks[typ].Body.Holders(seen) {
			found = append(found, cmp.Or(holder, typ))
		}
	}
	return found
}
