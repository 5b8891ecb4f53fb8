package language

import (
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// NamesUnlike lists the names of top-level blocks, and of their contents, that only one of two
// releases knows, by the type of the top-level block. If one release doesn't know the block at all,
// its type is among them.
func NamesUnlike(a, b engine.Release) map[string][]string {
	unlike := map[string][]string{}
	for typ, shape := range Root.Blocks {
		names := map[string]bool{}
		noteUnlike(typ, shape, a, b, names, map[*BodyShape]bool{})
		if len(names) > 0 {
			unlike[typ] = slices.Sorted(maps.Keys(names))
		}
	}
	return unlike
}

// noteUnlike records the names of a block, and of its contents in any of its shapes.
func noteUnlike(typ string, shape BlockShape, a, b engine.Release, names map[string]bool, seen map[*BodyShape]bool) {
	inA, inB := shape.in(a), shape.in(b)
	if inA.Unknown != inB.Unknown || inA.Body != inB.Body {
		names[typ] = true
	}
	for is := &shape; is != nil; is = is.Else {
		body := is.Body
		if body == nil || seen[body] {
			continue
		}
		seen[body] = true
		for name, arg := range body.Args {
			if arg.in(a).isKnown() != arg.in(b).isKnown() {
				names[name] = true
			}
		}
		for name, inner := range body.Blocks {
			noteUnlike(name, inner, a, b, names, seen)
		}
	}
}

func (a ArgShape) isKnown() bool { return !a.Unknown && !a.Free }
