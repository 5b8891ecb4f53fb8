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

// simpleValue returns the expression of a text on one line that is true, false, null, a string, a number or a
// reference such as a.b. at is the range of the text. It returns nil for anything that needs the parser.
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

// plainString makes the expression of a string in quotes. inside is the text between the quotes; at includes them.
// It returns nil if the string has escapes, sequences or other special characters.
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

// isPlain reports whether the text between quotes is the string's value: printable ASCII without escapes and
// sequences.
func isPlain(inside []byte) bool {
	for _, c := range inside {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '$' || c == '%' {
			return false
		}
	}
	return true
}

// reference makes the expression of a name, or of several with dots between them, as a.b.c. It returns nil for any
// other text.
func reference(text []byte, at hcl.Range) hcl.Expression {
	var steps hcl.Traversal
	for from := 0; from <= len(text); { // from is where the next name must start
		end := from
		for end < len(text) && (startsName(text[end]) || end > from && isDigitOrDash(text[end])) {
			end++
		}
		if end == from || end < len(text) && text[end] != '.' {
			return nil
		}
		name := string(text[from:end])
		switch {
		case from > 0:
			steps = append(steps, hcl.TraverseAttr{Name: name, SrcRange: within(at, from-1, end)}) // with its dot
		case name == "true" || name == "false" || name == "null":
			return nil
		default:
			steps = append(steps, hcl.TraverseRoot{Name: name, SrcRange: within(at, from, end)})
		}
		from = end + 1
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: steps, SrcRange: at}
}

// startsName reports whether an ASCII name may start with c.
func startsName(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// isDigitOrDash reports whether c is a digit or dash, which a name may have behind its start.
func isDigitOrDash(c byte) bool { return c >= '0' && c <= '9' || c == '-' }

// within returns the part of a range from one offset in it to another. The text must be ASCII, on one line.
func within(r hcl.Range, from, to int) hcl.Range {
	part := hcl.Range{Filename: r.Filename, Start: r.Start, End: r.Start}
	part.Start.Byte += from
	part.Start.Column += from
	part.End.Byte += to
	part.End.Column += to
	return part
}

// A simpleReader makes the expressions of objects and lists of simple values, without the parser. Its methods return
// nil at anything else, such as a comment, an operator or a character outside ASCII, and the parser takes over.
type simpleReader struct {
	text  []byte
	at    int     // offset in text of the next byte
	place hcl.Pos // the position of at in the file
	name  string  // of the file
}

// readValue reads a value that nests at most depth levels, itself included. It returns nil if the value isn't
// simple.
func (r *simpleReader) readValue(depth int) hcl.Expression {
	switch c := r.peek(); {
	case depth == 0:
		return nil
	case c == '{':
		return r.readObject(depth)
	case c == '[':
		return r.readList(depth)
	default:
		text, at := r.readWord()
		return simpleValue(text, at)
	}
}

// readObject reads an object through its closing brace, in which line ends separate items. It returns nil if the
// object isn't simple.
func (r *simpleReader) readObject(depth int) hcl.Expression {
	open := r.take(1)
	var items []hclsyntax.ObjectConsItem
	for {
		r.skipBlanks(true)
		if r.peek() == '}' {
			break
		}
		key := r.readKey()
		if key == nil {
			return nil
		}
		r.skipBlanks(false)
		value := r.readValue(depth - 1)
		if value == nil {
			return nil
		}
		items = append(items, hclsyntax.ObjectConsItem{KeyExpr: key, ValueExpr: value.(hclsyntax.Expression)})
		r.skipBlanks(false)
		switch r.peek() {
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

// readKey reads an object's key and the equals sign or colon after it. It returns nil unless the key is a name, a
// number or a plain string.
func (r *simpleReader) readKey() hclsyntax.Expression {
	text, at := r.readWord()
	switch string(text) {
	case "for", "true", "false", "null":
		return nil
	}
	expr := simpleValue(text, at)
	t, isReference := expr.(*hclsyntax.ScopeTraversalExpr)
	hasDots := isReference && len(t.Traversal) > 1
	if expr == nil || hasDots {
		return nil
	}
	r.skipBlanks(false)
	if c := r.peek(); c != '=' && c != ':' {
		return nil
	}
	r.take(1)
	if c := r.peek(); c == '=' || c == '>' || c == ':' {
		return nil // ==, => or ::
	}
	return &hclsyntax.ObjectConsKeyExpr{Wrapped: expr.(hclsyntax.Expression)}
}

// readList reads a list through its closing bracket. Line ends in it are blanks. It returns nil if the list isn't
// simple.
func (r *simpleReader) readList(depth int) hcl.Expression {
	open := r.take(1)
	var exprs []hclsyntax.Expression
	for {
		r.skipBlanks(true)
		if r.peek() == ']' {
			break
		}
		value := r.readValue(depth - 1)
		if value == nil || isFor(value) {
			return nil
		}
		exprs = append(exprs, value.(hclsyntax.Expression))
		r.skipBlanks(true)
		switch r.peek() {
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

// isFor reports whether a value is the word for, with which a for expression starts.
func isFor(value hcl.Expression) bool {
	t, ok := value.(*hclsyntax.ScopeTraversalExpr)
	return ok && t.Traversal.RootName() == "for"
}

// readWord reads a string in quotes, or characters that may make a number or a reference; the text is empty if there
// is neither. It checks nothing: it ends a string at a backslash, and leaves it to simpleValue to refuse that.
func (r *simpleReader) readWord() (text []byte, at hcl.Range) {
	n, rest := 0, r.text[r.at:]
	if r.peek() == '"' {
		n = 1
		for n < len(rest) && rest[n] != '"' && rest[n] != '\\' {
			n++
		}
		n = min(n+1, len(rest))
	} else {
		for n < len(rest) && (startsName(rest[n]) || isDigitOrDash(rest[n]) || rest[n] == '.') {
			n++
		}
	}
	return rest[:n], r.take(n)
}

// peek returns the next byte without reading it, 0 at the end.
func (r *simpleReader) peek() byte {
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// skipBlanks skips blanks, including line ends if andLines is set.
func (r *simpleReader) skipBlanks(andLines bool) {
	for c := r.peek(); c == ' ' || c == '\t' || andLines && c == '\n'; c = r.peek() {
		r.take(1)
	}
}

// take reads n bytes and returns their range. A line end must be read alone.
func (r *simpleReader) take(n int) hcl.Range {
	at := hcl.Range{Filename: r.name, Start: r.place, End: r.place}
	isLineEnd := r.peek() == '\n'
	r.at += n
	at.End.Byte += n
	at.End.Column += n
	r.place = at.End
	if isLineEnd {
		r.place.Line, r.place.Column = r.place.Line+1, 1
	}
	return at
}

// simpleExpr returns the expression of a text without the parser, nil if the text isn't simple. at is the range of
// the text.
func simpleExpr(text []byte, at hcl.Range) hcl.Expression {
	if n := len(text); n > 0 && (text[0] == '{' || text[0] == '[') {
		r := &simpleReader{text: text, place: at.Start, name: at.Filename}
		expr := r.readValue(maxSimpleDepth)
		if r.at < n { // something follows, such as an index
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

// Unparsed returns the native text of the value if the text alone determines the value. It returns nil for a JSON
// value, a value made by With or Part, and in a file that the parser has to read.
func (a *Attr) Unparsed() []byte {
	if a.rareOrZero().expr != nil || a.Origin() != nil || a.File.Syntax != Native || a.File.Parsed {
		return nil
	}
	return a.value.Of(a.File.Native)
}

// PlainText returns the value without parsing it if it is surely a string in quotes with no escapes or sequences.
func (a *Attr) PlainText() (text []byte, ok bool) {
	quoted := a.Unparsed()
	n := len(quoted)
	if n < 2 || quoted[0] != '"' || quoted[n-1] != '"' || !isPlain(quoted[1:n-1]) {
		return nil, false
	}
	return quoted[1 : n-1], true
}

// plainCode returns the text of the value if each name outside quotes surely refers to an object of the
// configuration, or is an attribute, a function or the like. If the text may have an escape, a sequence, a heredoc, a
// comment or a for expression, it returns nil: the name may be text, or a variable of the for expression.
func (a *Attr) plainCode() []byte {
	text := a.Unparsed()
	for _, doubtful := range []string{`\`, "${", "%{", "<<", "#", "//", "/*", "for"} {
		if bytes.Contains(text, []byte(doubtful)) {
			return nil
		}
	}
	return text
}

// plainRefs yields references that the value surely contains, each as its first two names: var and x of var.x.y. It
// skips a reference in doubt, such as one that may be a function's namespace.
func (a *Attr) plainRefs(yield func(root, attr string) bool) {
	text, isCode := a.plainCode(), true
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			isCode = !isCode // plainCode excludes escapes
		case isCode && startsName(c):
			rootEnd := nameEnd(text, at)
			attr := attrBehind(text, rootEnd)
			isRef := attr != nil && !endsInName(text[:at])
			if isRef && !yield(string(text[at:rootEnd]), string(attr)) {
				return
			}
			at = rootEnd - 1 // the loop moves on behind the name
		}
	}
}

// attrBehind returns the name of the attribute in a text behind a root that ends at rootEnd, such as x in var.x. It
// returns nil if there is none, or if the byte behind it leaves a doubt: a colon or parenthesis would make a
// namespace or a call, a byte outside ASCII another name.
func attrBehind(text []byte, rootEnd int) []byte {
	start := rootEnd + 1
	if start >= len(text) || text[rootEnd] != '.' || !startsName(text[start]) {
		return nil
	}
	end := nameEnd(text, start)
	if end < len(text) && (text[end] == ':' || text[end] == '(' || text[end] >= 0x80) {
		return nil
	}
	return text[start:end]
}

// nameEnd returns the offset where the name ends that starts at an offset of a text.
func nameEnd(text []byte, at int) int {
	for at < len(text) && (startsName(text[at]) || isDigitOrDash(text[at])) {
		at++
	}
	return at
}

// PlainlyRefers reports, without parsing, whether the value surely has a reference such as var.name. A false result
// proves nothing.
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

// PlainlyRefersTo reports, without parsing, whether the value surely refers to an attribute of a root, such as name
// of var. A false result proves nothing.
func (a *Attr) PlainlyRefersTo(root, attr string) bool {
	for r, at := range a.plainRefs {
		if r == root && at == attr {
			return true
		}
	}
	return false
}

// endsInName reports whether a text ends with a name, a dot or a colon, perhaps before blanks. A word behind it may
// be part of the same reference or function name, and isn't surely the root of another one.
func endsInName(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r\n")
	if len(text) == 0 {
		return false
	}
	c := text[len(text)-1]
	return c == '.' || c == ':' || c >= 0x80 || startsName(c) || isDigitOrDash(c)
}

// Expr returns the value's expression. It keeps none, so each call reads the text again.
func (a *Attr) Expr() hcl.Expression {
	if expr := a.rareOrZero().expr; expr != nil {
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
	changed, own := *a, a.rareOrZero()
	own.expr = expr
	changed.rare = &own
	return &changed
}
