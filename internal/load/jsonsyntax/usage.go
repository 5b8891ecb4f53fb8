package jsonsyntax

import (
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// What files say about the names in bodies that belong to providers.

// note remembers how a native top-level block writes the names in its body, of
// arguments only those that JSON files ask about.
func (u Usage) Note(b *source.Block, asked Asked) {
	shape, ok := language.Of(b.File.Engine).Block(b.Type)
	if ok && b.Body != nil && len(b.Labels) == len(shape.Labels) {
		u.noteBody(b.Body, shape.Body, bodyPath(b), asked)
	}
}

// openNames are those of properties in JSON bodies that may be nested blocks.
type Asked map[string]bool

// bodyPath is the path of the body of a top-level block.
func bodyPath(b *source.Block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "/" + b.Labels[0]
}

func (u Usage) noteBody(body *source.Body, shape *language.BodyShape, path string, asked Asked) {
	for _, it := range body.Items {
		name := it.Called()
		nb, isBlock := it.(*source.Block)
		switch {
		case !isBlock:
			if asked[name] && shape.IsOpen() && !shape.Knows(name) {
				u.at(path, name, func(x *use) { x.argument = true })
			}
		case nb.Type == language.EscapeBlock:
			u.noteBody(nb.Body, language.Open, path, asked)
		case nb.Type == source.DynamicBlock && len(nb.Labels) == 1:
			u.noteBlock(path, name, 0)
			for _, content := range nb.Body.Blocks("content") {
				u.noteBody(content.Body, language.Open, path+"/"+name, asked)
			}
		default:
			inner, known := shape.Block(name)
			if !known {
				u.noteBlock(path, name, len(nb.Labels))
				inner = language.BlockShape{Body: language.Open}
			}
			u.noteBody(nb.Body, inner.Body, innerPath(path+"/"+name, nb, inner), asked)
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

// noteJSON remembers what a JSON body says of its names, and gathers those that
// other files may be asked about.
func (u Usage) noteJSON(body Value, path string, asked Asked) {
	for p := range body.Objects() {
		name := p.Name()
		switch {
		case name == language.EscapeBlock:
			u.noteJSON(p, path, asked)
		case name == source.DynamicBlock && !holdsArguments(path) && p.makesBlocks():
			u.noteDynamic(p, path, asked)
		case !isCollection(p) || p.Kind() == '[' && !p.node().empty && !p.holdsNested():
			if !u[path][name].scalar {
				u.at(path, name, func(x *use) { x.scalar = true })
			}
		default:
			asked[name] = true
			if p.Kind() == '[' && !p.node().empty && mayBeBlocks(p) {
				u.at(path, name, func(x *use) { x.array = true })
			}
			if p.Kind() != 'n' {
				u.noteJSON(p, path+"/"+name, asked)
			}
		}
	}
}

// noteNested does so for blocks inside of one that is the language's own: those
// that belong to a provider, and those that are like top-level blocks.
func (u Usage) noteNested(body Value, shape *language.BodyShape, path string, asked Asked) {
	for p := range body.Objects() {
		inner, _ := shape.Block(p.Name())
		switch {
		case inner.Like != "":
			for typ := range p.Objects() {
				for block := range typ.Objects() {
					u.noteJSON(block, inner.Like+"/"+typ.Name(), asked)
				}
			}
		case len(inner.Labels) == 0 && inner.Body.IsOpen():
			u.noteJSON(p, path+"/"+p.Name(), asked)
		}
	}
}

func (u Usage) noteDynamic(p Value, path string, asked Asked) {
	for made := range p.Objects() {
		u.noteBlock(path, made.Name(), 0)
		for arg := range made.Objects() {
			if arg.Name() == "content" {
				u.noteJSON(arg, path+"/"+made.Name(), asked)
			}
		}
	}
}
