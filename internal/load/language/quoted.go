package language

import "github.com/tofumerge/tofumerge/internal/load/source"

// ArgOf returns the shape of an argument, if the language has one for it where it is.
func ArgOf(a *source.Attr) (ArgShape, bool) {
	return Of(a.File.Engine).bodyOf(a.Within()).Arg(a.Name)
}

// bodyOf returns the shape of the body of a block; nil if the language doesn't describe it.
func (s *BodyShape) bodyOf(b *source.Block) *BodyShape {
	if b == nil {
		return s
	}
	shape, _ := s.bodyOf(b.Within()).Block(b.Type)
	return shape.Body
}

// TakesQuotes reports whether a reference or keyword in quotes is the same to the engine as
// without them, wherever it is in the value of an argument.
func TakesQuotes(a *source.Attr) bool {
	arg, ok := ArgOf(a)
	return ok && arg.Kind.use == quotable
}
