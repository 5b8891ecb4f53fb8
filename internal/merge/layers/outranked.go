package layers

import "github.com/tofumerge/tofumerge/internal/load/source"

// OutrankedDefaults has, for each default that is not in effect, the layer that is.
type OutrankedDefaults map[*source.Attr]*Layer

// Outranked finds those defaults. It finds none in a set that is nil, nor if a file is refused,
// because there is no run then.
func (s *Set) Outranked() OutrankedDefaults {
	if s == nil || len(s.Broken) > 0 {
		return nil
	}
	found := OutrankedDefaults{}
	for _, v := range s.variables {
		if len(v.Layers) < 2 || v.Layers[0].Default == nil || v.Item == nil {
			continue
		}
		if o := Outcomes(v, s.Result(v))[0]; o.By != nil {
			found[o.Default] = o.By
		}
	}
	return found
}
