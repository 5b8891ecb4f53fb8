package equal

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// Items reports whether two items are equal, apart from blanks and comments. Values that are not
// very long are equal if they mean the same to the engine, as far as constants alone decide it.
func Items(a, b source.Item) bool {
	x, isAttr := a.(*source.Attr)
	y, bothAttrs := b.(*source.Attr)
	if isAttr != bothAttrs {
		return false
	}
	was, is := textOf(a), textOf(b)
	if sameTokens(was, is) {
		return true
	}
	if max(len(was), len(is)) > MaxConstant {
		return false
	}
	if isAttr {
		return sameValues(x, y)
	}
	return sameBlocks(a.(*source.Block), b.(*source.Block))
}

// textOf is the text of an item's value, or of a block.
func textOf(it source.Item) []byte {
	if a, isAttr := it.(*source.Attr); isAttr {
		return a.File.Text(a.Value())
	}
	return it.Source().Text(it.Extent())
}

// sameValues reports whether the values of two arguments are the same constant, or the same
// expression apart from meaningless syntax around it.
func sameValues(x, y *source.Attr) bool {
	x, y = parsed(x), parsed(y)
	v, ok := independent(x)
	w, both := independent(y)
	if ok && both && v.RawEquals(w) {
		return true
	}
	p := pair{x, y, language.TakesQuotes(x), language.TakesQuotes(y)}
	return (ok == both || p.xQuotes || p.yQuotes) && p.same(x.Expr(), y.Expr())
}

// independent is the value of an argument that refers to nothing. An operand that decides alone,
// as in true || var.x, still leaves a dependency, and the result may be sensitive.
func independent(a *source.Attr) (v cty.Value, ok bool) {
	if v, ok = constant.Value(a); !ok {
		return v, false
	}
	_, isPlain := a.PlainText()
	return v, isPlain || len(a.Expr().Variables()) == 0
}

// parsed is the argument with its expression parsed once, not on every call.
func parsed(a *source.Attr) *source.Attr {
	if _, isPlain := a.PlainText(); isPlain {
		return a
	}
	return a.With(a.Expr())
}

// sameTokens reports whether two texts are the same tokens. Most differ in ways that are found
// without tokens.
func sameTokens(a, b []byte) bool {
	switch {
	case bytes.Equal(a, b):
		return true
	case !mayHaveComments(a) && !mayHaveComments(b) && !sameButBlanks(a, b):
		return false
	}
	return SumOf(a) == SumOf(b)
}

func mayHaveComments(text []byte) bool {
	return bytes.IndexByte(text, '#') >= 0 || bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
}

// sameButBlanks reports whether two texts are the same but for blanks and line ends,
// wherever they are.
func sameButBlanks(a, b []byte) bool {
	for {
		a, b = behindBlanks(a), behindBlanks(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

func behindBlanks(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n') {
		text = text[1:]
	}
	return text
}

// Words lists the tokens of a text, but for comments and line ends.
func Words(src []byte) [][]byte {
	var list [][]byte
	eachToken(src, func(_ kind, text []byte) { list = append(list, text) })
	return list
}

// MaxConstant is the size in bytes up to which a value is evaluated for a comparison.
const MaxConstant = 64 << 10
