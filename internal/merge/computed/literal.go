package computed

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/zclconf/go-cty/cty"
)

// A Literal is computed text: a value to be written out, or a source text with some stretches
// replaced.
type Literal struct {
	Value   cty.Value    // NilVal if Changes describe the text
	Type    *source.Attr // the type that the value has, or nil
	Of      *source.Attr // what wrote the value, or the text that the changes are made to
	Changes []textedit.Edit
	From    *source.Attr // the argument that the changes use, or nil
}

// Text is the value's source text with its changes.
func (l *Literal) Text() []byte {
	value := l.Of.Value()
	return textedit.Apply(l.Of.File.Native, value.Start.Byte, value.End.Byte, l.Changes)
}

// attr is an argument that has the changed text for its value. It is in no file.
func (l *Literal) attr() *source.Attr {
	expr, _ := parse.Expression(l.Text(), l.Of.File.Name, hcl.InitialPos)
	return l.Of.With(expr)
}
