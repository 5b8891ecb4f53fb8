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
		noteUnlike(typ, &shape, a, b, names, map[*BodyShape]bool{})
		if len(names) > 0 {
			unlike[typ] = slices.Sorted(maps.Keys(names))
		}
	}
	return unlike
}

// noteUnlike records the names of a block, and of its contents in any of its shapes.
func noteUnlike(typ string, shape *BlockShape, a, b engine.Release, names map[string]bool, seen map[*BodyShape]bool) {
	if knownAs(shape, a) != knownAs(shape, b) {
		names[typ] = true
	}
	for ; shape != nil; shape = shape.Else {
		body := shape.Body
		if body == nil || seen[body] {
			continue
		}
		seen[body] = true
		for name, arg := range body.Args {
			if isKnown(&arg, a) != isKnown(&arg, b) {
				names[name] = true
			}
		}
		for name, inner := range body.Blocks {
			noteUnlike(name, &inner, a, b, names, seen)
		}
	}
}

// knownAs is the body of a block that a release knows, nil if it knows none.
func knownAs(shape *BlockShape, e engine.Release) *BodyShape {
	for ; shape != nil; shape = shape.Else {
		if shape.Engines.Has(e) {
			return shape.Body
		}
	}
	return nil
}

func isKnown(arg *ArgShape, e engine.Release) bool {
	for ; arg != nil; arg = arg.Else {
		if arg.Engines.Has(e) {
			return !arg.Free
		}
	}
	return false
}
