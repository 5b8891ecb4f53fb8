package source

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/zclconf/go-cty/cty"
)

// Most values that rules need are a word, a plain string, a whole number or a reference, or objects
// and lists of these. Their expressions are made without the parser, and equal the parser's.

// simpleValue returns the expression of a text on one line that is neither an object nor a list, or nil if
// it isn't simple.
func simpleValue(text []byte, at hcl.Range) hcl.Expression {
	switch string(text) {
	case "true":
		return &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: at}
	case "false":
		return &hclsyntax.LiteralValueExpr{Val: cty.False, SrcRange: at}
	case "null":
		return &hclsyntax.LiteralValueExpr{Val: cty.NullVal(cty.DynamicPseudoType), SrcRange: at}
	}
	switch n := len(text); {
	case n >= 2 && text[0] == '"' && text[n-1] == '"':
		return plainString(text[1:n-1], at)
	case n > 0 && startsName(text[0]):
		return reference(text, at)
	case n > 0 && n <= maxSimpleDigits && len(bytes.Trim(text, "0123456789")) == 0:
		return &hclsyntax.LiteralValueExpr{Val: cty.MustParseNumberVal(string(text)), SrcRange: at}
	}
	return nil
}

// maxSimpleDigits is how many digits a simple number has at most.
const maxSimpleDigits = 15

// plainString returns the expression of a string in quotes, given the text inside; nil if that isn't plain.
func plainString(inside []byte, at hcl.Range) hcl.Expression {
	if !isPlain(inside) {
		return nil
	}
	partAt := within(at, 1, 1+len(inside))
	if len(inside) == 0 {
		partAt = within(at, 2, 2) // behind the closing quote, as the parser has it
	}
	part := &hclsyntax.LiteralValueExpr{Val: cty.StringVal(string(inside)), SrcRange: partAt}
	return &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{part}, SrcRange: at}
}

// isPlain reports whether a text in quotes is the value that it stands for: printable ASCII without escapes
// and sequences.
func isPlain(inside []byte) bool {
	for _, c := range inside {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '$' || c == '%' {
			return false
		}
	}
	return true
}

// reference returns the expression of a name, or of several with dots between them; nil for any other text.
func reference(text []byte, at hcl.Range) hcl.Expression {
	var steps hcl.Traversal
	for from := 0; from <= len(text); {
		end := from
		for end < len(text) && (startsName(text[end]) || end > from && continuesName(text[end])) {
			end++
		}
		if end == from || end < len(text) && text[end] != '.' {
			return nil
		}
		name := string(text[from:end])
		switch {
		case from > 0:
			steps = append(steps, hcl.TraverseAttr{Name: name, SrcRange: within(at, from-1, end)})
		case name == "true" || name == "false" || name == "null":
			return nil
		default:
			steps = append(steps, hcl.TraverseRoot{Name: name, SrcRange: within(at, from, end)})
		}
		from = end + 1
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: steps, SrcRange: at}
}

func startsName(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func continuesName(c byte) bool { return c >= '0' && c <= '9' || c == '-' }

// within returns a part of a range of ASCII, from and to in bytes.
func within(r hcl.Range, from, to int) hcl.Range {
	part := hcl.Range{Filename: r.Filename, Start: r.Start, End: r.Start}
	part.Start.Byte += from
	part.Start.Column += from
	part.End.Byte += to
	part.End.Column += to
	return part
}

// A simpleReader reads objects and lists of simple values. Its methods return nil at anything else, such as
// a comment, an operator or a character beyond ASCII, which is left to the parser.
type simpleReader struct {
	text  []byte
	at    int
	place hcl.Pos // of at
	name  string  // of the file
}

// value reads a value with at most depth levels, itself and what it holds included; nil if it isn't simple.
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

// object reads an object through its closing brace. Line ends separate its items.
func (r *simpleReader) object(depth int) hcl.Expression {
	open := r.skip(1)
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
			r.skip(1)
		case '}':
		default:
			return nil
		}
	}
	end := r.skip(1)
	return &hclsyntax.ObjectConsExpr{Items: items, SrcRange: hcl.RangeBetween(open, end), OpenRange: open}
}

// key reads a name or a plain string, and the equals sign or colon after it.
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
	r.skip(1)
	if c := r.next(); c == '=' || c == '>' || c == ':' {
		return nil // another sign
	}
	return &hclsyntax.ObjectConsKeyExpr{Wrapped: expr.(hclsyntax.Expression)}
}

// list reads a list through its closing bracket. Line ends in it are blanks.
func (r *simpleReader) list(depth int) hcl.Expression {
	open := r.skip(1)
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
			r.skip(1)
		case ']':
		default:
			return nil
		}
	}
	end := r.skip(1)
	return &hclsyntax.TupleConsExpr{Exprs: exprs, SrcRange: hcl.RangeBetween(open, end), OpenRange: open}
}

// isFor reports whether a value is the word for, with which a for expression starts.
func isFor(value hcl.Expression) bool {
	t, ok := value.(*hclsyntax.ScopeTraversalExpr)
	return ok && t.Traversal.RootName() == "for"
}

// word reads a plain string, or what may be a number or a reference. The text is empty if there is neither.
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
	return rest[:n], r.skip(n)
}

// next returns the next byte without reading it, 0 at the end.
func (r *simpleReader) next() byte {
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// blanks skips blanks, including line ends if andLines is set.
func (r *simpleReader) blanks(andLines bool) {
	for c := r.next(); c == ' ' || c == '\t' || andLines && c == '\n'; c = r.next() {
		r.skip(1)
	}
}

// skip reads n bytes, and returns their range. It must read a line end alone.
func (r *simpleReader) skip(n int) hcl.Range {
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

// simpleExpr returns the expression of a text without the parser, or nil if it isn't simple.
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

// maxSimpleDepth is how deep objects and lists may nest in a simple value.
const maxSimpleDepth = 8

// Some questions about a value are answered by its text, which takes far less time than to parse
// it. If the text leaves a doubt, so does the answer.

// Unparsed returns the text of the value if the text alone determines it; nil for a JSON value, a value
// made by With or Part, and in a file that the parser has to read.
func (a *Attr) Unparsed() []byte {
	if a.rarely().expr != nil || a.Origin() != nil || a.File.Syntax != Native || a.File.Parsed {
		return nil
	}
	return a.value.Of(a.File.Native)
}

// PlainText returns the value if it is surely a string in quotes that stands for itself.
func (a *Attr) PlainText() (text []byte, ok bool) {
	quoted := a.Unparsed()
	n := len(quoted)
	if n < 2 || quoted[0] != '"' || quoted[n-1] != '"' || !isPlain(quoted[1:n-1]) {
		return nil, false
	}
	return quoted[1 : n-1], true
}

// plainCode returns the text of the value if every name in it that isn't in quotes belongs to an
// expression, or else nil.
func (a *Attr) plainCode() []byte {
	text := a.Unparsed()
	for _, doubtful := range []string{`\`, "${", "%{", "<<", "#", "//", "/*", "for"} {
		if bytes.Contains(text, []byte(doubtful)) {
			return nil // the rest may be text, or another object of that name
		}
	}
	return text
}

// plainRefs yields references that the value surely has, each as its root and an attribute of it, such as
// var and name. It leaves out references in doubt.
func (a *Attr) plainRefs(yield func(root, attr string) bool) {
	text, isCode := a.plainCode(), true
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			isCode = !isCode
		case isCode && startsName(c):
			end := nameEnd(text, at)
			if end+1 < len(text) && text[end] == '.' && startsName(text[end+1]) && !endsInName(text[:at]) {
				last := nameEnd(text, end+1)
				if (last == len(text) || text[last] < 0x80 && text[last] != ':' && text[last] != '(') && !yield(string(text[at:end]), string(text[end+1:last])) {
					return
				}
			}
			at = end - 1
		}
	}
}

// nameEnd returns where the name that starts at an offset of a text ends.
func nameEnd(text []byte, at int) int {
	for at < len(text) && (startsName(text[at]) || continuesName(text[at])) {
		at++
	}
	return at
}

// PlainlyRefers reports whether the value surely refers to something, such as var.name. A false
// result proves nothing.
func (a *Attr) PlainlyRefers() bool {
	if bytes.IndexByte(a.Unparsed(), '{') >= 0 {
		return false // it may be the key of an object
	}
	for root := range a.plainRefs {
		if root != "true" && root != "false" && root != "null" {
			return true
		}
	}
	return false
}

// PlainlyRefersTo reports whether the value surely refers to an attribute of a root, such as
// var.name. A false result proves nothing.
func (a *Attr) PlainlyRefersTo(root, attr string) bool {
	for r, at := range a.plainRefs {
		if r == root && at == attr {
			return true
		}
	}
	return false
}

// endsInName reports whether the next word may belong to what a text ends with: to a name, a dot or a
// colon.
func endsInName(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return false
	}
	c := text[len(text)-1]
	return c == '.' || c == ':' || c >= 0x80 || startsName(c) || continuesName(c)
}

// Expr returns the value's expression. It parses the text on each call.
func (a *Attr) Expr() hcl.Expression {
	if expr := a.rarely().expr; expr != nil {
		return expr
	}
	at := a.Value()
	text := a.File.Text(at)
	if !a.File.Parsed {
		if expr := simpleExpr(text, at); expr != nil {
			return expr
		}
	}
	if bytes.Contains(text, []byte("<<")) {
		text = append(text, '\n') // a heredoc ends with its line
	}
	expr, _ := parse.Expression(text, a.File.Name, at.Start)
	return expr
}

// With returns a copy of the argument with another expression as its value.
func (a *Attr) With(expr hcl.Expression) *Attr {
	changed, own := *a, a.rarely()
	own.expr = expr
	changed.rare = &own
	return &changed
}
