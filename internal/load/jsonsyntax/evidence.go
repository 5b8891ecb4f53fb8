package jsonsyntax

import (
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Evidence from files about names in bodies whose schema is a provider's.

// Note adds how a native top-level block writes the names in its body: all nested
// blocks, and those arguments whose names are ambiguous in JSON files.
func (u Evidence) Note(b *source.Block, ambiguous Ambiguous) {
	shape, ok := language.Of(b.File.Engine).Block(b.Type)
	if ok && len(b.Labels) == len(shape.Labels) {
		u.noteBody(b, shape.Body, providerschema.TopPath(b), ambiguous)
	}
}

// Ambiguous is the set of names that properties in JSON bodies have which may be
// arguments or nested blocks.
type Ambiguous map[string]bool

func (u Evidence) noteBody(b *source.Block, shape *language.BodyShape, path string, ambiguous Ambiguous) {
	for _, it := range b.Items() {
		name := it.Called()
		nb, isBlock := it.(*source.Block)
		switch {
		case !isBlock:
			if ambiguous[name] && shape.IsOpen() && !shape.Knows(name) {
				u.at(path, name, func(x *nameEvidence) { x.argument = true })
			}
		case nb.Type == source.EscapeBlock:
			u.noteBody(nb, language.Open, path, ambiguous)
		case nb.Type == source.DynamicBlock && len(nb.Labels) == 1:
			u.noteBlock(path, name, 0)
			for _, content := range nb.Blocks("content") {
				u.noteBody(content, language.Open, path+"/"+name, ambiguous)
			}
		default:
			inner, known := shape.Block(name)
			if !known {
				u.noteBlock(path, name, len(nb.Labels))
				inner = language.BlockShape{Body: language.Open}
			}
			u.noteBody(nb, inner.Body, innerPath(path+"/"+name, nb, inner), ambiguous)
		}
	}
}

// innerPath is the path of the body of a nested block. Blocks of the language
// that have a type for a label have it in the path.
func innerPath(at string, b *source.Block, shape language.BlockShape) string {
	switch {
	case len(shape.Labels) == 0 || len(b.Labels) == 0:
		return at
	case shape.Like != "":
		return shape.Like + "/" + b.Labels[0]
	}
	return at + "/" + b.Labels[0]
}

// noteJSON adds the evidence of a JSON body about its names, and collects the ambiguous ones.
func (u Evidence) noteJSON(body jsontree.Value, path string, ambiguous Ambiguous) {
	for p := range body.Objects() {
		name := p.Name()
		switch {
		case name == source.EscapeBlock:
			u.noteJSON(p, path, ambiguous)
		case name == source.DynamicBlock && !holdsArguments(path) && makesBlocks(p):
			u.noteDynamic(p, path, ambiguous)
		case !isCollection(p) || p.Kind() == '[' && !p.IsEmpty() && !p.HoldsNested():
			if !u[path][name].scalar {
				u.at(path, name, func(x *nameEvidence) { x.scalar = true })
			}
		default:
			ambiguous[name] = true
			if p.Kind() == '[' && !p.IsEmpty() && mayBeBlocks(p) {
				u.at(path, name, func(x *nameEvidence) { x.array = true })
			}
			if p.Kind() != 'n' {
				u.noteJSON(p, path+"/"+name, ambiguous)
			}
		}
	}
}

// noteNested does so for blocks inside of one that is the language's own: those
// that belong to a provider, and those that are like top-level blocks.
func (u Evidence) noteNested(body jsontree.Value, shape *language.BodyShape, path string, ambiguous Ambiguous) {
	for p := range body.Objects() {
		inner, _ := shape.Block(p.Name())
		switch {
		case inner.Like != "":
			for typ := range p.Objects() {
				for block := range typ.Objects() {
					u.noteJSON(block, inner.Like+"/"+typ.Name(), ambiguous)
				}
			}
		case len(inner.Labels) == 0 && inner.Body.IsOpen():
			u.noteJSON(p, path+"/"+p.Name(), ambiguous)
		}
	}
}

func (u Evidence) noteDynamic(p jsontree.Value, path string, ambiguous Ambiguous) {
	for made := range p.Objects() {
		u.noteBlock(path, made.Name(), 0)
		for arg := range made.Objects() {
			if arg.Name() == "content" {
				u.noteJSON(arg, path+"/"+made.Name(), ambiguous)
			}
		}
	}
}
