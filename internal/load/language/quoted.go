package language

import (
	"path"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// ArgOf returns the shape of an argument, if the language has one for it where it is.
func ArgOf(a *source.Attr) (ArgShape, bool) {
	types := ""
	for b := a.Within(); b != nil; b = b.Within() {
		types = path.Join(b.Type, types)
	}
	return Of(a.File.Engine).At(types).Arg(a.Name)
}

// TakesQuotes reports whether a reference or keyword in quotes is the same to the engine as
// without them, wherever it is in the value of an argument.
func TakesQuotes(a *source.Attr) bool {
	arg, ok := ArgOf(a)
	return ok && arg.Kind.use == quotable
}
