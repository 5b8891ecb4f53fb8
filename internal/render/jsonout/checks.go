package jsonout

import (
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/jsonvalue"
)

// Parts of a body that JSON can't express, or that are read differently in JSON.

// checkBytes warns of bytes that JSON can't hold. Outside of heredocs and
// comments no native file has such.
func (w *bodyJSON) checkBytes(a *source.Attr) {
	if a.Raw() == nil && !utf8.Valid(a.File.Text(a.Value())) {
		w.Diags = append(w.Diags, notUTF8(a))
	}
}

// checkLiteral warns of an expression where the engine takes a string in JSON for
// the text that it is.
func (w *bodyJSON) checkLiteral(a *source.Attr) {
	arg, _ := w.shape.Arg(a.Name)
	if a.Raw() != nil || arg.Kind != language.Literal && arg.Kind != language.NativeExpression {
		return
	}
	if _, isConstant := constant.Value(a); !isConstant {
		w.Diags = append(w.Diags, expressionInLiteral(a))
	}
}

// checkTaken warns of a value that the engine refuses in JSON alone.
func (w *bodyJSON) checkTaken(a *source.Attr) {
	arg, _ := w.shape.Arg(a.Name)
	if arg.InJSON == nil || a.Raw() != nil {
		return
	}
	for _, d := range arg.InJSON(a) {
		w.Diags = append(w.Diags, refusedInJSON(d))
	}
}

// checkDynamic warns of an argument that JSON doesn't distinguish from dynamic blocks, and of
// blocks named "dynamic" without the label from which JSON takes their type.
func (w *bodyJSON) checkDynamic(it source.Item, n jsonvalue.Node) {
	switch it := it.(type) {
	case *source.Attr:
		if it.Name == source.DynamicBlock && it.Raw() == nil && jsonsyntax.LooksDynamic(it, jsonvalue.Text(n)) {
			w.Diags = append(w.Diags, likeDynamic(it))
		}
	case *source.Block:
		if it.Type == source.DynamicBlock && len(it.Labels) != 1 {
			w.Diags = append(w.Diags, wrongDynamic(it))
		}
	}
}

// checkBeside warns where an argument and blocks have one name: in JSON only the schema
// keeps the two apart, and both are read in the same way.
func (w *bodyJSON) checkBeside(it source.Item, isOther func(jsonvalue.Node) bool) {
	if n := w.out.Get(it.Called()); n != nil && isOther(n) {
		w.Diags = append(w.Diags, besideOther(it))
	}
}

// isBlocks reports whether a member of an object is nested blocks.
func isBlocks(n jsonvalue.Node) bool {
	switch n.(type) {
	case jsonvalue.Blocks, jsonvalue.Property:
		return true
	}
	return false
}

// isValue reports whether it is the value of an argument.
func isValue(n jsonvalue.Node) bool { return !isBlocks(n) }
