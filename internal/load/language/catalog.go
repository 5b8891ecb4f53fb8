package language

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// A Status is the role of a name in a body for a release.
type Status int

// The statuses of a name.
const (
	Unknown Status = iota // an error, as any name is that the release does not know
	Free                  // without a meaning: the owner of the body may choose it
	Refused               // reserved or misplaced, and an error in every file
	Known                 // with a meaning
)

// A Meaning is a release's interpretation of a name in a body.
type Meaning struct {
	Status Status
	// Kind is the kind of a known argument; for a known block it is the kind of the arguments that
	// the owner of its body chooses.
	Kind Kind
}

// Catalog yields the path of every argument and nested block that any observed release
// knows: block types and at last the name, joined by "/", in their order as strings.
// With each comes a function that returns its meaning in a release; where a block is
// not known, nothing in it is. A block that may contain itself is followed once.
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

// gatherPaths adds the paths of the arguments and blocks of a body to a set; around are
// the bodies that it is in.
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
		if !isDeeper || m.Status != Known {
			return m
		}
		body, path = inner, rest
	}
}

// meaning is the meaning of a name in a body, with the body inside it if it is a block.
func (s *BodyShape) meaning(name string) (Meaning, *BodyShape) {
	if a, ok := s.Args[name]; ok {
		switch {
		case a.unknown:
			return Meaning{}, nil
		case a.Kind.isRefused():
			return Meaning{Status: Refused}, nil
		}
		return Meaning{Known, a.Kind}, nil
	}
	b, ok := s.Blocks[name]
	switch {
	case !ok && s.Open:
		return Meaning{Status: Free}, nil
	case !ok, b.Unknown:
		return Meaning{}, nil
	case b.Reserve, b.Refuse != "":
		return Meaning{Status: Refused}, nil
	}
	return Meaning{Known, b.Body.Owned}, b.Body
}
