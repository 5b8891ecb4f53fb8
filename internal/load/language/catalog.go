package language

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// A Standing says how an engine stands to a name in its place.
type Standing int

// The standings.
const (
	Unknown  Standing = iota // it is an error, as any name is that the engine does not know
	Unheeded                 // it means nothing to the engine: the owner of the body may choose it
	Refused                  // it is kept free, or out of place, and an error in every file
	Known                    // it means something
)

// A Meaning is what a name is to an engine in its place.
type Meaning struct {
	Standing Standing
	// Kind is what a known argument takes; of a known block it is what the owner
	// of its body says of the arguments in it.
	Kind Kind
}

// Catalog yields the path of every argument and nested block to which any known
// release gives a meaning: block types and at last the name, joined by "/", in
// their order as strings. With each comes a function that tells what it is to an
// engine; where a block is not known, nothing in it is. A block that may stand
// inside itself is followed once.
func Catalog() iter.Seq2[string, func(engine.Release) Meaning] {
	return func(yield func(string, func(engine.Release) Meaning) bool) {
		all := map[string]bool{}
		for _, e := range engine.Observed() {
			gatherPaths(Of(e), "", nil, all)
		}
		for _, path := range slices.Sorted(maps.Keys(all)) {
			if !yield(path, func(e engine.Release) Meaning { return meaningOf(path, e) }) {
				return
			}
		}
	}
}

// gatherPaths adds the paths of what stands in a body to a set; around are the
// bodies that it stands in.
func gatherPaths(s *BodyShape, prefix string, around []*BodyShape, into map[string]bool) {
	if s == nil || slices.Contains(around, s) {
		return
	}
	for name := range s.Args {
		into[prefix+name] = true
	}
	for name, b := range s.Blocks {
		into[prefix+name] = true
		gatherPaths(b.Body, prefix+name+"/", append(slices.Clone(around), s), into)
	}
}

func meaningOf(path string, e engine.Release) Meaning {
	body := Of(e)
	for {
		name, rest, isDeeper := strings.Cut(path, "/")
		m, inner := body.meaning(name)
		if !isDeeper || m.Standing != Known {
			return m
		}
		body, path = inner, rest
	}
}

// meaning is what a name is in a body, with the body inside it if that is a block.
func (s *BodyShape) meaning(name string) (Meaning, *BodyShape) {
	if a, ok := s.Args[name]; ok {
		switch {
		case a.unknown:
			return Meaning{}, nil
		case a.Kind.isRefused():
			return Meaning{Standing: Refused}, nil
		}
		return Meaning{Known, a.Kind}, nil
	}
	b, ok := s.Blocks[name]
	switch {
	case !ok && s.Open:
		return Meaning{Standing: Unheeded}, nil
	case !ok, b.Unknown:
		return Meaning{}, nil
	case b.Reserve, b.Refuse != "":
		return Meaning{Standing: Refused}, nil
	}
	return Meaning{Known, b.Body.Owned}, b.Body
}
