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

// Of returns the shape of a whole configuration file in a release: which blocks and arguments it may contain. Unknown
// releases get the shape of their baseline, a known release. Callers must not change the result, which is shared.
func Of(e engine.Release) *BodyShape {
	if last := latest.Load(); last != nil && last.in == e { // as nearly always
		return last.shape
	}
	known, _ := e.Baseline()
	shape, ok := languages.Load(known)
	if !ok {
		shape, _ = languages.LoadOrStore(known, dialect{known, map[*BodyShape]*BodyShape{}}.bodyInRelease(Root))
	}
	latest.Store(&releaseLanguage{e, shape.(*BodyShape)})
	return shape.(*BodyShape)
}

// A dialect derives the shapes of one release from those of all releases, whose table lists alternatives.
type dialect struct {
	engine  engine.Release
	derived map[*BodyShape]*BodyShape // by their originals, which may contain themselves
}

// bodyInRelease returns the shape that a body has in the dialect's release. It is s itself if all releases agree.
func (d dialect) bodyInRelease(s *BodyShape) *BodyShape {
	if s == nil || !s.variesByRelease(map[*BodyShape]bool{}) {
		return s
	}
	if done := d.derived[s]; done != nil {
		return done
	}
	own := *s
	// Noted before its blocks are derived, because a body may contain itself.
	d.derived[s] = &own
	own.Args, own.Blocks = make([]ArgShape, 0, len(s.Args)), make([]BlockShape, 0, len(s.Blocks))
	for _, a := range s.Args {
		if a = a.inRelease(d.engine); !a.Free { // a free name isn't the language's in this release
			own.Args = append(own.Args, a)
		}
	}
	for _, b := range s.Blocks {
		b = b.inRelease(d.engine)
		b.Body = d.bodyInRelease(b.Body)
		own.Blocks = append(own.Blocks, b)
	}
	return &own
}

// inRelease returns the shape of the argument in a release: the first of the alternatives (Else) that is for the
// release. If none is, Unknown is set.
func (a ArgShape) inRelease(e engine.Release) ArgShape {
	name := a.Name
	for !a.Engines.Has(e) && a.Else != nil {
		a = *a.Else
	}
	a.Name, a.Unknown = name, !a.Engines.Has(e)
	return a
}

// inRelease returns the shape of the block in a release: the first of the alternatives (Else) that is for the
// release. If none is, Unknown is set. Its Body still describes all releases.
func (b BlockShape) inRelease(e engine.Release) BlockShape {
	name := b.Name
	for !b.Engines.Has(e) && b.Else != nil {
		b = *b.Else
	}
	b.Name, b.Unknown = name, !b.Engines.Has(e)
	return b
}

// variesByRelease reports whether releases differ in the body, or in a block inside. seen holds the bodies that were
// searched, as a body may contain itself.
func (s *BodyShape) variesByRelease(seen map[*BodyShape]bool) bool {
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
		if !b.Engines.IsAll() || b.Body.variesByRelease(seen) {
			return true
		}
	}
	return false
}

// HasPath reports whether a release accepts the argument or block with a path such as resource/lifecycle/enabled. Of
// a name that no release knows, it assumes that a provider defines it, and reports true, as for resource/tags/owner.
// Unlike Of it doesn't build the release's shape, because callers ask for every release.
func HasPath(path string, e engine.Release) bool {
	e, _ = e.Baseline()              // shapes are those of observed releases
	own, inAny := Root, Root         // the body at the path so far, in the release and in any release
	for path != "" && inAny != nil { // nil: in a body of a provider, or below an argument
		var name string
		name, path, _ = strings.Cut(path, "/")
		isKnown, isListed := own.releaseKnows(name, e)
		if isListed && !isKnown { // the shape lists it for other releases
			return false
		}
		if !isListed && inAny.Knows(name) { // the body has another shape in other releases, which lists it
			return false
		}
		inner, _ := own.Block(name)
		own, inAny = inner.inRelease(e).Body, inAny.At(name)
	}
	return true
}

// Varies reports whether only some releases accept the argument or block with a path such as
// resource/lifecycle/enabled.
func Varies(path string) bool {
	at := Root
	for name := range strings.SplitSeq(path, "/") {
		arg, _ := at.Arg(name)     // if there is none, the zero value, which all releases accept
		block, _ := at.Block(name) // likewise
		if !arg.Engines.IsAll() || !block.Engines.IsAll() {
			return true
		}
		at = at.At(name)
	}
	return false
}

// releaseKnows reports whether a release knows a name in the body (isKnown), and whether the body's shape lists the
// name for any release (isListed). isKnown means nothing if isListed is false. An argument that the release leaves to
// the body's owner, such as the called module (ArgShape.Free), doesn't count as listed.
func (s *BodyShape) releaseKnows(name string, e engine.Release) (isKnown, isListed bool) {
	if s == nil {
		return false, false
	}
	if a := s.findArg(name); a != nil {
		// A block may be listed under a free name, too.
		if own := a.inRelease(e); !own.Free {
			return !own.Unknown, true
		}
	}
	b, ok := s.Block(name)
	return !b.inRelease(e).Unknown, ok
}

// NamesUnlike returns the names that only one of two releases knows, by the type of the top-level block in which they
// are. If the block itself is known to only one, or has different bodies, its own type is among the names.
func NamesUnlike(a, b engine.Release) map[string][]string {
	unlike := map[string][]string{}
	for _, shape := range Root.Blocks {
		names := map[string]bool{}
		addNamesUnlike(shape, a, b, names, map[*BodyShape]bool{})
		if len(names) > 0 {
			unlike[shape.Name] = slices.Sorted(maps.Keys(names))
		}
	}
	return unlike
}

// addNamesUnlike adds to names those in a block that only one of the releases a and b knows. It looks into all
// alternatives of the block's shape. seen holds the bodies that were visited.
func addNamesUnlike(shape BlockShape, a, b engine.Release, names map[string]bool, seen map[*BodyShape]bool) {
	// Only one of them knows the block itself, or each knows it with another body.
	inA, inB := shape.inRelease(a), shape.inRelease(b)
	if inA.Unknown != inB.Unknown || inA.Body != inB.Body {
		names[shape.Name] = true
	}
	for variant := &shape; variant != nil; variant = variant.Else {
		body := variant.Body
		if body == nil || seen[body] {
			continue
		}
		seen[body] = true
		for _, arg := range body.Args {
			if arg.inRelease(a).isKnown() != arg.inRelease(b).isKnown() {
				names[arg.Name] = true
			}
		}
		for _, inner := range body.Blocks {
			addNamesUnlike(inner, a, b, names, seen)
		}
	}
}

// isKnown reports whether the name belongs to the language in the shape's release.
func (a ArgShape) isKnown() bool { return !a.Unknown && !a.Free }

// HasModuleSource reports whether top-level blocks of a type are module calls: they have a module source.
func HasModuleSource(e engine.Release, typ string) bool {
	shape, _ := Of(e).Block(typ)
	return shape.Body.argOf(kindSource) != "" || shape.Body.argOf(kindFixedSource) != ""
}

// IsModuleSource reports whether an argument is the source of a module call.
func IsModuleSource(a *source.Attr) bool {
	return isOfModuleCall(a) && namesModuleSource(a.Name, a.Within())
}

// isOfModuleCall reports whether an argument is directly in a module call: a top-level block for which source names
// the source of a module.
func isOfModuleCall(a *source.Attr) bool {
	return a.Within() != nil && a.Within().Within() == nil && namesModuleSource("source", a.Within())
}

// namesModuleSource reports whether an argument called name in a top-level block would be the source of a module
// call.
func namesModuleSource(name string, b *source.Block) bool {
	shape, _ := Of(b.File.Engine).Block(b.Type)
	arg, ok := shape.Body.Arg(name)
	return ok && (arg.Kind == kindSource || arg.Kind == kindFixedSource)
}

// argOf returns the name of the body's argument of a kind, the first in byte order, or "" if there is none.
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

// ArgOf returns the shape that the language gives an argument where it is; ok is false if it gives none, for example
// because a provider defines the argument.
func ArgOf(a *source.Attr) (ArgShape, bool) {
	return Of(a.File.Engine).bodyOf(a.Within()).Arg(a.Name)
}

// bodyOf returns the shape of the body of block b, which may be nested, or nil if the language doesn't describe it. s
// is the shape of the whole file, which is also the result for a nil b.
func (s *BodyShape) bodyOf(b *source.Block) *BodyShape {
	if b == nil {
		return s
	}
	shape, _ := s.bodyOf(b.Within()).Block(b.Type)
	return shape.Body
}

// TakesQuotes reports whether the engine reads a reference or keyword the same with and without quotes in this
// argument, as in depends_on = ["aws_instance.web"].
func TakesQuotes(a *source.Attr) bool {
	arg, ok := ArgOf(a)
	return ok && arg.Kind.use == quotable
}
