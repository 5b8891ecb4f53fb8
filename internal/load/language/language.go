package language

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// languages are those that were needed so far.
var languages sync.Map // of *BodyShape, by engine.Release

// A releaseLanguage is the language of a release.
type releaseLanguage struct {
	in    engine.Release
	shape *BodyShape
}

// latest is the language that was needed last. Nearly all questions of a run are about
// one release, and there are some for every block.
var latest atomic.Pointer[releaseLanguage]

// Of returns the shape of a configuration file in a release, which is the shape of its baseline.
func Of(e engine.Release) *BodyShape {
	if last := latest.Load(); last != nil && last.in == e {
		return last.shape
	}
	known, _ := e.Baseline()
	shape, ok := languages.Load(known)
	if !ok {
		shape, _ = languages.LoadOrStore(known, dialect{known, map[*BodyShape]*BodyShape{}}.body(Root))
	}
	latest.Store(&releaseLanguage{e, shape.(*BodyShape)})
	return shape.(*BodyShape)
}

// A dialect derives the shapes of one release from the shapes of all releases.
type dialect struct {
	engine engine.Release
	done   map[*BodyShape]*BodyShape // by their originals, which may contain themselves
}

// body returns a body's own shape where no release differs.
func (d dialect) body(s *BodyShape) *BodyShape {
	if s == nil || !s.differs(map[*BodyShape]bool{}) {
		return s
	}
	if done := d.done[s]; done != nil {
		return done
	}
	own := *s
	d.done[s] = &own
	own.Args, own.Blocks = map[string]ArgShape{}, map[string]BlockShape{}
	for name, a := range s.Args {
		if a = a.in(d.engine); !a.Free {
			own.Args[name] = a
		}
	}
	for name, b := range s.Blocks {
		b = b.in(d.engine)
		b.Body = d.body(b.Body)
		own.Blocks[name] = b
	}
	return &own
}

// in is the argument's shape in a release.
func (a ArgShape) in(e engine.Release) ArgShape {
	for !a.Engines.Has(e) && a.Else != nil {
		a = *a.Else
	}
	a.Unknown = !a.Engines.Has(e)
	return a
}

// in is the block's shape in a release, with the body of all releases.
func (b BlockShape) in(e engine.Release) BlockShape {
	for !b.Engines.Has(e) && b.Else != nil {
		b = *b.Else
	}
	b.Unknown = !b.Engines.Has(e)
	return b
}

// differs reports whether releases differ in the shape of a body or of its blocks.
func (s *BodyShape) differs(seen map[*BodyShape]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	for _, a := range s.Args {
		if !a.Engines.IsAll() {
			return true
		}
	}
	for _, b := range s.Blocks {
		if !b.Engines.IsAll() || b.Body.differs(seen) {
			return true
		}
	}
	return false
}

// HasPath reports whether the release of the shape accepts the argument or block of a path, which is
// block types and at last a name, joined by "/". In open bodies it accepts all names but
// those that mean something to other releases only.
func (s *BodyShape) HasPath(path string) bool {
	own, any := s, Root
	for path != "" && any != nil {
		var name string
		name, path, _ = strings.Cut(path, "/")
		if isKnown, isNamed := own.knowledge(name); isNamed && !isKnown {
			return false
		} else if _, elsewhere := any.knowledge(name); elsewhere && !isNamed {
			return false
		}
		own, any = own.At(name), any.At(name)
	}
	return true
}

// knowledge reports whether a name is in a body's shape, and whether the release knows
// it.
func (s *BodyShape) knowledge(name string) (isKnown, isNamed bool) {
	if s == nil {
		return false, false
	}
	if a, ok := s.Args[name]; ok {
		return !a.Unknown, true
	}
	b, ok := s.Blocks[name]
	return !b.Unknown, ok
}
