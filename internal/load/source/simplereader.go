package source

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A simpleReader reads objects and lists of simple values. Whatever else it meets, such as a
// comment, an operator or a character beyond ASCII, is for the parser.
type simpleReader struct {
	text  []byte
	at    int
	place hcl.Pos // of at
	name  string  // of the file
}

// value reads a value, and returns nil if it is not simple.
func (r *simpleReader) value(depth int) hcl.Expression {
	switch c := r.next(); {
	case depth == 0:
		return nil
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.list(depth)
	default:
		text, at := r.word()
		return simpleValue(text, at)
	}
}

// object reads what ends with the closing brace, in which line ends count.
func (r *simpleReader) object(depth int) hcl.Expression {
	open := r.take(1)
	var items []hclsyntax.ObjectConsItem
	for {
		r.blanks(true)
		if r.next() == '}' {
			break
		}
		key := r.key()
		if key == nil {
			return nil
		}
		r.blanks(false)
		value := r.value(depth - 1)
		if value == nil {
			return nil
		}
		items = append(items, hclsyntax.ObjectConsItem{KeyExpr: key, ValueExpr: value.(hclsyntax.Expression)})
		r.blanks(false)
		switch r.next() {
		case ',', '\n':
			r.take(1)
		case '}':
		default:
			return nil
		}
	}
	end := r.take(1)
	return &hclsyntax.ObjectConsExpr{Items: items, SrcRange: hcl.RangeBetween(open, end), OpenRange: open}
}

// key reads a name or a plain string, and the sign behind it.
func (r *simpleReader) key() hclsyntax.Expression {
	text, at := r.word()
	switch string(text) {
	case "for", "true", "false", "null":
		return nil
	}
	expr := simpleValue(text, at)
	if t, ok := expr.(*hclsyntax.ScopeTraversalExpr); expr == nil || ok && len(t.Traversal) > 1 {
		return nil
	}
	r.blanks(false)
	if c := r.next(); c != '=' && c != ':' {
		return nil
	}
	r.take(1)
	if c := r.next(); c == '=' || c == '>' || c == ':' {
		return nil // another sign
	}
	return &hclsyntax.ObjectConsKeyExpr{Wrapped: expr.(hclsyntax.Expression)}
}

// list reads elements through the closing bracket; line ends between them are blanks.
func (r *simpleReader) list(depth int) hcl.Expression {
	open := r.take(1)
	var exprs []hclsyntax.Expression
	for {
		r.blanks(true)
		if r.next() == ']' {
			break
		}
		value := r.value(depth - 1)
		if value == nil || isFor(value) {
			return nil
		}
		exprs = append(exprs, value.(hclsyntax.Expression))
		r.blanks(true)
		switch r.next() {
		case ',':
			r.take(1)
		case ']':
		default:
			return nil
		}
	}
	end := r.take(1)
	return &hclsyntax.TupleConsExpr{Exprs: exprs, SrcRange: hcl.RangeBetween(open, end), OpenRange: open}
}

// isFor reports whether a reference starts with a possible keyword.
func isFor(value hcl.Expression) bool {
	t, ok := value.(*hclsyntax.ScopeTraversalExpr)
	return ok && t.Traversal.RootName() == "for"
}

// word reads a plain string, or a possible number or reference.
func (r *simpleReader) word() (text []byte, at hcl.Range) {
	n, rest := 0, r.text[r.at:]
	if r.next() == '"' {
		for n = 1; n < len(rest) && rest[n] != '"' && rest[n] != '\\'; n++ {
		}
		n = min(n+1, len(rest))
	} else {
		for n < len(rest) && (startsName(rest[n]) || continuesName(rest[n]) || rest[n] == '.') {
			n++
		}
	}
	return rest[:n], r.take(n)
}

// next is the byte at hand, 0 at the end.
func (r *simpleReader) next() byte {
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// blanks skips blanks, including line ends if andLines is set.
func (r *simpleReader) blanks(andLines bool) {
	for c := r.next(); c == ' ' || c == '\t' || andLines && c == '\n'; c = r.next() {
		r.take(1)
	}
}

// take skips n bytes, and returns their range. A line end is taken alone.
func (r *simpleReader) take(n int) hcl.Range {
	at := hcl.Range{Filename: r.name, Start: r.place, End: r.place}
	isLineEnd := r.next() == '\n'
	r.at += n
	at.End.Byte += n
	at.End.Column += n
	if r.place = at.End; isLineEnd {
		r.place.Line, r.place.Column = r.place.Line+1, 1
	}
	return at
}

// simpleExpr is the expression of a text of such a form, else nil.
func simpleExpr(text []byte, at hcl.Range) hcl.Expression {
	if n := len(text); n > 0 && (text[0] == '{' || text[0] == '[') {
		r := &simpleReader{text: text, place: at.Start, name: at.Filename}
		expr := r.value(maxSimpleDepth)
		if r.at < n {
			return nil
		}
		return expr
	}
	return simpleValue(text, at)
}

// maxSimpleDepth is how deep objects and lists are nested at most.
const maxSimpleDepth = 8
