package computed

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// A Literal is computed text: a value to be written out, or a source text of
// which some stretches are exchanged.
type Literal struct {
	Value   cty.Value    // NilVal where Changes say it
	Type    *source.Attr // the type that the value has, or nil
	Of      *source.Attr // what wrote the value, or the text that the changes are made to
	Changes []Change
	From    *source.Attr // what the changes take over, or nil
}

// A Change exchanges the bytes from Start to End of the attribute's file.
type Change struct {
	Start, End int
	Text       string
}

// Text is the value's source text with its changes.
func (l *Literal) Text() []byte {
	src, at := l.Of.File.Src, l.Of.Value().Start.Byte
	var out bytes.Buffer
	for _, c := range l.sorted() {
		out.Write(src[at:c.Start])
		out.WriteString(c.Text)
		at = c.End
	}
	out.Write(src[at:l.Of.Value().End.Byte])
	return out.Bytes()
}

// attr is an argument that has the changed text for its value. It stands in no file.
func (l *Literal) attr() *source.Attr {
	expr, _ := hclsyntax.ParseExpression(l.Text(), l.Of.File.Name, hcl.InitialPos)
	return l.Of.With(expr)
}

// sorted gives the changes in order of place; of two at one place, in the
// order in which they were made.
func (l *Literal) sorted() []Change {
	changes := slices.Clone(l.Changes)
	slices.SortStableFunc(changes, func(a, b Change) int { return a.Start - b.Start })
	return changes
}
