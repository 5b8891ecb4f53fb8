package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// A nameStatus is the role of a name in a body for a release.
type nameStatus int

// The statuses of a name.
const (
	unknownName nameStatus = iota // an error, as any name is that the release does not know
	freeName                      // without a meaning: the owner of the body may choose it
	refusedName                   // reserved or misplaced, and an error in every file
	knownName                     // with a meaning
)

// A nameMeaning is a release's interpretation of a name in a body.
type nameMeaning struct {
	status nameStatus
	// kind is the kind of a known argument; for a known block it is the kind of the arguments that
	// the owner of its body chooses.
	kind *language.Kind
}

// A catalog holds the path of every argument and nested block that any observed release knows:
// block types and at last the name, joined by "/".
type catalog map[string]bool

// readCatalog reads the language. A block that may contain itself is followed once.
func readCatalog() catalog {
	c := catalog{}
	for _, e := range engine.Observed() {
		c.gather(language.Of(e), "", nil)
	}
	return c
}

// gather adds the paths of the arguments and blocks of a body; around are the bodies that it is in.
func (c catalog) gather(s *language.BodyShape, prefix string, around []*language.BodyShape) {
	if s == nil || slices.Contains(around, s) {
		return
	}
	for _, a := range s.Args {
		c[prefix+a.Name] = true
	}
	for _, b := range s.Blocks {
		c[prefix+b.Name] = true
		c.gather(b.Body, prefix+b.Name+"/", append(slices.Clone(around), s))
	}
}

// paths are the paths in their order as strings.
func (c catalog) paths() []string { return slices.Sorted(maps.Keys(c)) }

// meaningOf is the meaning of a path in a release; where a block is not known, nothing in it is.
func meaningOf(path string, e engine.Release) nameMeaning {
	body := language.Of(e)
	for {
		name, rest, isDeeper := strings.Cut(path, "/")
		m, inner := meaningIn(body, name)
		if !isDeeper || m.status != knownName {
			return m
		}
		body, path = inner, rest
	}
}

// meaningIn is the meaning of a name in a body, with the body inside it if it is a block.
func meaningIn(s *language.BodyShape, name string) (nameMeaning, *language.BodyShape) {
	if a, ok := s.Arg(name); ok {
		switch {
		case a.Unknown:
			return nameMeaning{}, nil
		case a.Kind.IsRefused():
			return nameMeaning{status: refusedName}, nil
		}
		return nameMeaning{knownName, a.Kind}, nil
	}
	b, ok := s.Block(name)
	switch {
	case !ok && s.Open:
		return nameMeaning{status: freeName}, nil
	case !ok, b.Unknown:
		return nameMeaning{}, nil
	case b.Reserve, b.Refuse != "":
		return nameMeaning{status: refusedName}, nil
	}
	return nameMeaning{knownName, cmp.Or(b.Body.Owned, language.Expression)}, b.Body
}

func TestCatalog(t *testing.T) {
	c := readCatalog()
	for path, want := range map[string][2]nameStatus{ // in OpenTofu 1.10 and 1.11
		"resource/lifecycle/enabled":  {unknownName, knownName},
		"resource/count":              {knownName, knownName},
		"resource/locals":             {refusedName, refusedName},
		"required_providers":          {refusedName, refusedName},
		"provider/source":             {refusedName, refusedName},
		"ephemeral/lifecycle/enabled": {unknownName, knownName},
	} {
		if !c[path] {
			t.Errorf("missing: %s", path)
		}
		for i, name := range []string{"opentofu@1.10", "opentofu@1.11"} {
			e, err := engine.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := meaningOf(path, e).status; got != want[i] {
				t.Errorf("%s in %s: %v, want %v", path, name, got, want[i])
			}
		}
	}
}
