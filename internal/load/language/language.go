// Package language knows what each release of each engine allows in a configuration file, and
// judges items by it.
//
// Of returns the shape of the language in a release. A Checker collects diagnostics about the items
// of a file in source order: blocks and arguments that the release does not know, missing and
// repeated ones, and values of another kind than the argument takes.
//
// The knowledge is data: shapes.go and its neighbours hold the shapes of bodies with their
// arguments and nested blocks, the kind of value that each argument takes, and the releases that
// know it:
//
//	{Name: "enabled", Engines: &engine.Releases{OpenTofu: ">= 1.11"}}
//
// kinds.go holds the kinds: the function that judges a value, and how a string of JSON is read.
// To add an argument, add it to the body's shape.
//
// Credentials of providers, backends, key providers and connections are known by the names of
// their arguments (CredentialNames), since no flag in the configuration marks them.
//
// The package judges one file at a time. It combines nothing, and computes only the constants that
// an engine computes while it loads.
package language

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// languages are the shapes that were needed so far.
var languages sync.Map // of *BodyShape, by engine.Release

// A releaseLanguage is the language of a release.
type releaseLanguage struct {
	in    engine.Release
	shape *BodyShape
}

// latest is the language that was needed last. Nearly all questions of a run are about one release, and
// each block asks some.
var latest atomic.Pointer[releaseLanguage]

// Of returns the shape of a configuration file in a release, which is that of the release's baseline. It is
// shared: callers must not change it.
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

// body derives the shape of a body. It returns s itself where releases don't differ.
func (d dialect) body(s *BodyShape) *BodyShape {
	if s == nil || !s.differs(map[*BodyShape]bool{}) {
		return s
	}
	if done := d.done[s]; done != nil {
		return done
	}
	own := *s
	d.done[s] = &own
	own.Args, own.Blocks = make([]ArgShape, 0, len(s.Args)), make([]BlockShape, 0, len(s.Blocks))
	for _, a := range s.Args {
		if a = a.in(d.engine); !a.Free {
			own.Args = append(own.Args, a)
		}
	}
	for _, b := range s.Blocks {
		b = b.in(d.engine)
		b.Body = d.body(b.Body)
		own.Blocks = append(own.Blocks, b)
	}
	return &own
}

// in returns the argument's shape in a release.
func (a ArgShape) in(e engine.Release) ArgShape {
	name := a.Name
	for !a.Engines.Has(e) && a.Else != nil {
		a = *a.Else
	}
	a.Name, a.Unknown = name, !a.Engines.Has(e)
	return a
}

// in returns the block's shape in a release. Its body is still that of all releases.
func (b BlockShape) in(e engine.Release) BlockShape {
	name := b.Name
	for !b.Engines.Has(e) && b.Else != nil {
		b = *b.Else
	}
	b.Name, b.Unknown = name, !b.Engines.Has(e)
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

// HasPath reports whether a release accepts the argument or block with a path: block types and a name,
// joined by "/". In an open body it accepts every name but those that mean something only to other
// releases. Unlike Of it builds nothing, since it is called for all releases.
func HasPath(path string, e engine.Release) bool {
	e, _ = e.Baseline()
	own, any := Root, Root
	for path != "" && any != nil {
		var name string
		name, path, _ = strings.Cut(path, "/")
		isKnown, isNamed := own.knowledge(name, e)
		if isNamed && !isKnown || !isNamed && any.Knows(name) {
			return false
		}
		inner, _ := own.Block(name)
		own, any = inner.in(e).Body, any.At(name)
	}
	return true
}

// Varies reports whether some releases accept the argument or block with a path and others don't.
func Varies(path string) bool {
	at := Root
	for name := range strings.SplitSeq(path, "/") {
		arg, _ := at.Arg(name)
		block, _ := at.Block(name)
		if !arg.Engines.IsAll() || !block.Engines.IsAll() {
			return true
		}
		at = at.At(name)
	}
	return false
}

// knowledge reports whether a release knows a name in a body (isKnown), and whether the body's shape has
// the name at all (isNamed).
func (s *BodyShape) knowledge(name string, e engine.Release) (isKnown, isNamed bool) {
	if s == nil {
		return false, false
	}
	if a := s.arg(name); a != nil {
		if a := a.in(e); !a.Free {
			return !a.Unknown, true
		}
	}
	b, ok := s.Block(name)
	return !b.in(e).Unknown, ok
}

// NamesUnlike lists the names in top-level blocks that only one of two releases knows, by the type of the
// block. If one release doesn't know the block, its type is among them.
func NamesUnlike(a, b engine.Release) map[string][]string {
	unlike := map[string][]string{}
	for _, shape := range Root.Blocks {
		names := map[string]bool{}
		noteUnlike(shape, a, b, names, map[*BodyShape]bool{})
		if len(names) > 0 {
			unlike[shape.Name] = slices.Sorted(maps.Keys(names))
		}
	}
	return unlike
}

// noteUnlike adds the names in a block, in any of its shapes, that only one of two releases knows.
func noteUnlike(shape BlockShape, a, b engine.Release, names map[string]bool, seen map[*BodyShape]bool) {
	inA, inB := shape.in(a), shape.in(b)
	if inA.Unknown != inB.Unknown || inA.Body != inB.Body {
		names[shape.Name] = true
	}
	for is := &shape; is != nil; is = is.Else {
		body := is.Body
		if body == nil || seen[body] {
			continue
		}
		seen[body] = true
		for _, arg := range body.Args {
			if arg.in(a).isKnown() != arg.in(b).isKnown() {
				names[arg.Name] = true
			}
		}
		for _, inner := range body.Blocks {
			noteUnlike(inner, a, b, names, seen)
		}
	}
}

func (a ArgShape) isKnown() bool { return !a.Unknown && !a.Free }

// HasModuleSource reports whether a top-level block of a type may have an argument that is the
// source of a module call.
func HasModuleSource(e engine.Release, typ string) bool {
	shape, _ := Of(e).Block(typ)
	return shape.Body.argOf(kindSource) != "" || shape.Body.argOf(kindFixedSource) != ""
}

// IsModuleSource reports whether an argument is the source of a module call.
func IsModuleSource(a *source.Attr) bool { return isOfModuleCall(a) && isSourceKind(a.Name, a) }

// isOfModuleCall reports whether an argument is one of a module call itself.
func isOfModuleCall(a *source.Attr) bool {
	return a.Within() != nil && a.Within().Within() == nil && isSourceKind("source", a)
}

// isSourceKind reports whether an argument called name, in the block around a, is the source of a module
// call.
func isSourceKind(name string, a *source.Attr) bool {
	shape, _ := Of(a.File.Engine).Block(a.Within().Type)
	arg, ok := shape.Body.Arg(name)
	return ok && (arg.Kind == kindSource || arg.Kind == kindFixedSource)
}

// argOf returns the name of an argument of a kind, the first in byte order, or "".
func (s *BodyShape) argOf(k *Kind) string {
	found := ""
	if s == nil {
		return found
	}
	for i := range s.Args {
		if a := &s.Args[i]; a.Kind == k && (found == "" || a.Name < found) {
			found = a.Name
		}
	}
	return found
}

// ArgOf returns the shape of an argument, if the language has one for it where it is.
func ArgOf(a *source.Attr) (ArgShape, bool) {
	return Of(a.File.Engine).bodyOf(a.Within()).Arg(a.Name)
}

// bodyOf returns the shape of the body of a block in a file of this shape; nil if the language doesn't
// describe it.
func (s *BodyShape) bodyOf(b *source.Block) *BodyShape {
	if b == nil {
		return s
	}
	shape, _ := s.bodyOf(b.Within()).Block(b.Type)
	return shape.Body
}

// TakesQuotes reports whether the engine reads a reference or keyword in an argument's value alike with and
// without quotes.
func TakesQuotes(a *source.Attr) bool {
	arg, ok := ArgOf(a)
	return ok && arg.Kind.use == quotable
}
