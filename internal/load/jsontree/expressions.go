package jsontree

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/template"
	"github.com/zclconf/go-cty/cty"
)

// A Source is a native text. It converts expressions of that text to JSON.
type Source []byte

// text returns the part of the text in a range.
func (s Source) text(r hcl.Range) []byte { return s[r.Start.Byte:r.End.Byte] }

// Value converts an expression of the text to JSON, for an argument whose strings the engine reads in JSON as r
// says. Where these are templates, var.x becomes "${var.x}"; where they are native source, it becomes "var.x".
func (s Source) Value(e hcl.Expression, r Reading) Node {
	switch r {
	case AsText:
		return s.literal(e)
	case AsReference, AsSource:
		return s.native(e)
	case AsRequirement:
		return s.requirement(e)
	case AsBareReference:
		if isQuoted(e) { // "a" becomes "${\"a\"}": the engine would read "a" as the reference a
			return s.embedded(e)
		}
		return s.native(e)
	case AsReferenceOrTemplate: // "a.b" becomes "${\"a.b\"}" for the same reason, while "a b" is no reference
		if isQuoted(e) && IsReference(s.templateText(e.(*hclsyntax.TemplateExpr))) {
			return s.embedded(e)
		}
	}
	return s.template(e)
}

// template converts an expression where JSON strings are templates. Literals and collections have their own form in
// JSON; everything else becomes "${...}".
func (s Source) template(e hcl.Expression) Node {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.UnaryOpExpr:
		if n, ok := s.plain(e); ok {
			return n
		}
	case *hclsyntax.TemplateExpr:
		return Quote(s.templateText(e))
	case *hclsyntax.TemplateWrapExpr:
		return s.template(e.Wrapped)
	case *hclsyntax.TupleConsExpr:
		return tuple(e, s.template)
	case *hclsyntax.ObjectConsExpr:
		if o, ok := s.object(e); ok {
			return o
		}
	}
	return s.embedded(e) // also a literal or an object that JSON can't have
}

// embedded returns an expression in a string, as the only interpolation: "${...}".
func (s Source) embedded(e hcl.Expression) Node {
	return Quote("${" + s.closable(e) + "}")
}

// isQuoted reports whether an expression is a string in quotes or a heredoc, and not just one interpolation.
func isQuoted(e hcl.Expression) bool {
	_, ok := e.(*hclsyntax.TemplateExpr)
	return ok
}

// tuple converts a tuple to an array; each converts an element.
func tuple(e *hclsyntax.TupleConsExpr, each func(hcl.Expression) Node) Node {
	elems := Array{}
	for _, elem := range e.Exprs {
		elems = append(elems, each(elem))
	}
	return elems
}

// closable returns the text of an expression so that a closing brace can follow it.
func (s Source) closable(e hcl.Expression) string {
	return closable(s.text(e.Range()))
}

// closable returns text so that a closing brace can follow. If the text may end with a heredoc, that takes a line
// end.
func closable(text []byte) string {
	if bytes.Contains(text, []byte("<<")) {
		return string(text) + "\n" // a heredoc that ends the text needs it behind its marker
	}
	return string(text)
}

// plain converts a literal number, bool or null, and keeps its spelling if JSON allows that. ok is false for other
// expressions, and for numbers that JSON can't spell alike.
func (s Source) plain(e hcl.Expression) (Node, bool) {
	sign := ""
	if minus, ok := e.(*hclsyntax.UnaryOpExpr); ok {
		if minus.Op != hclsyntax.OpNegate {
			return nil, false
		}
		sign, e = "-", minus.Val
	}
	lit, ok := e.(*hclsyntax.LiteralValueExpr)
	if !ok || sign != "" && lit.Val.Type() != cty.Number {
		return nil, false
	}
	text := []byte(sign + string(s.text(lit.Range())))
	if json.Valid(text) {
		return Raw(text), true
	}
	if sign != "" { // such as -007
		return nil, false
	}
	text = strictNumber(text) // such as 007, which becomes 7
	return Raw(text), json.Valid(text)
}

// strictNumber respells a native number for JSON: without leading zeros, as in 007, and without a point right before
// the exponent, as in 1.e5.
func strictNumber(text []byte) []byte {
	text = bytes.TrimLeft(text, "0")
	if len(text) == 0 || text[0] < '0' || text[0] > '9' {
		text = append([]byte("0"), text...)
	}
	if i := bytes.IndexAny(text, "eE"); i > 0 && text[i-1] == '.' {
		text = slices.Concat(text[:i-1], text[i:])
	}
	return text
}

// object converts an object. ok is false if JSON can't have its keys: two are equal, or one may be null.
func (s Source) object(e *hclsyntax.ObjectConsExpr) (Node, bool) {
	o, names := &Object{}, map[string]bool{}
	for _, item := range e.Items {
		key, ok := s.key(item.KeyExpr)
		name := spelling.Normal(key)
		if !ok || names[name] {
			return nil, false
		}
		names[name] = true
		o.Add(key, s.template(item.ValueExpr))
	}
	return o, true
}

// key returns an object's key as a template: a name as it is, an expression as ${...}. ok is false for a key that
// JSON can't have, such as null.
func (s Source) key(e hclsyntax.Expression) (string, bool) {
	key, ok := e.(*hclsyntax.ObjectConsKeyExpr)
	if !ok {
		return "", false
	}
	// A bare name is the key itself; in parentheses, it would be a reference.
	if word := hcl.ExprAsKeyword(key.Wrapped); word != "" && !key.ForceNonLiteral {
		return word, true
	}
	switch wrapped := key.Wrapped.(type) {
	case *hclsyntax.TemplateExpr:
		return s.templateText(wrapped), true
	case *hclsyntax.LiteralValueExpr: // of numbers only whole ones: the key 1.0 is "1"
		text := string(s.text(wrapped.Range()))
		return text, !wrapped.Val.IsNull() && json.Valid([]byte(text)) && !strings.ContainsAny(text, ".eE")
	case *hclsyntax.TemplateWrapExpr:
		return "${" + s.closable(wrapped.Wrapped) + "}", true
	case *hclsyntax.ParenthesesExpr:
		return "${" + s.closable(wrapped.Expression) + "}", true
	}
	return "${" + s.closable(key.Wrapped) + "}", true
}

// templateText converts a quoted template or a heredoc to the text that a JSON string must hold. Escapes such as \n
// are decoded; only $${ and %%{ stay escaped, since JSON strings have sequences, too.
func (s Source) templateText(e *hclsyntax.TemplateExpr) string {
	return template.Text(piecesOf(s.text(e.Range())))
}

// piecesOf splits a quoted template or a heredoc into literal text and sequences.
func piecesOf(text []byte) []template.Piece {
	heredoc := bytes.HasPrefix(text, []byte("<<"))
	if heredoc { // to the lexer, the marker ends a heredoc only with a line end behind it
		text = append(slices.Clip(text), '\n') // Clip leaves the bytes behind text alone
	}
	return template.Split(text, parse.EachToken, heredoc && bytes.HasPrefix(text, []byte("<<-")))
}

// literal converts a constant where JSON strings are plain text. Two kinds of expression become templates: one that
// isn't constant, so that the engine refuses it in JSON as it does in native syntax, and one whose value would be too
// long to write out.
func (s Source) literal(e hcl.Expression) Node {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return s.literal(e.Expression)
	case *hclsyntax.UnaryOpExpr:
		minus := *e // a copy without the parentheses: -((1)) is the number -1
		for {
			paren, ok := minus.Val.(*hclsyntax.ParenthesesExpr)
			if !ok {
				break
			}
			minus.Val = paren.Expression
		}
		if n, ok := s.plain(&minus); ok {
			return n
		}
	case *hclsyntax.LiteralValueExpr:
		if n, ok := s.plain(e); ok {
			return n
		}
	case *hclsyntax.TupleConsExpr:
		return tuple(e, s.literal)
	case *hclsyntax.ObjectConsExpr:
		if o, ok := s.literalObject(e); ok {
			return o
		}
	}
	// Any other constant is replaced by its value, if that can be written out.
	v, diags := limits.Evaluate(e)
	if diags.HasErrors() || !v.IsWhollyKnown() || limits.IsVast(v) {
		return s.template(e)
	}
	return literalJSON(v)
}

// literalObject converts an object member by member, which keeps the order and the spelling of numbers. ok is false
// unless the keys are distinct constant strings.
func (s Source) literalObject(e *hclsyntax.ObjectConsExpr) (Node, bool) {
	o := &Object{}
	for _, item := range e.Items {
		key, diags := limits.Evaluate(item.KeyExpr)
		if diags.HasErrors() || key.IsNull() || key.Type() != cty.String || o.Get(key.AsString()) != nil {
			return nil, false
		}
		o.Add(key.AsString(), s.literal(item.ValueExpr))
	}
	return o, true
}

// literalJSON converts a known value, with all digits of its numbers. The keys of objects are sorted.
func literalJSON(v cty.Value) Node {
	switch {
	case v.IsNull():
		return Raw("null")
	case v.Type() == cty.String:
		return Quote(v.AsString())
	case v.Type() == cty.Number:
		return Raw(v.AsBigFloat().Text('f', -1))
	case v.Type() == cty.Bool && v.True():
		return Raw("true")
	case v.Type() == cty.Bool:
		return Raw("false")
	case v.Type().IsObjectType() || v.Type().IsMapType():
		o := &Object{}
		elems := v.AsValueMap()
		for _, key := range slices.Sorted(maps.Keys(elems)) {
			o.Add(key, literalJSON(elems[key]))
		}
		return o
	}
	elems := Array{}
	for _, elem := range v.AsValueSlice() {
		elems = append(elems, literalJSON(elem))
	}
	return elems
}

// native converts an expression for a position where JSON strings hold native source: a reference, a type, a
// keyword, or a collection of these.
func (s Source) native(e hcl.Expression) Node {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		return tuple(e, s.native)
	case *hclsyntax.ObjectConsExpr:
		o := &Object{}
		for _, item := range e.Items {
			o.Add(s.nativeText(item.KeyExpr), s.native(item.ValueExpr))
		}
		return o
	case *hclsyntax.LiteralValueExpr:
		if e.Val.Type() == cty.Number {
			return literalJSON(e.Val)
		}
	}
	return Quote(s.nativeText(e)) // also "true" and "null": engines don't read JSON's own as native source
}

// nativeText returns an expression's source text, which a JSON string then holds. It removes quotes, which old
// releases wanted around references and types: "a" becomes a, and "${a}" becomes ${a}, with the markers, which the
// engine takes in JSON as well.
func (s Source) nativeText(e hcl.Expression) string {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = key.Wrapped
	}
	if _, quoted := e.(*hclsyntax.TemplateExpr); quoted {
		if v, diags := limits.Evaluate(e); !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() {
			return v.AsString()
		}
	}
	if wrap, ok := e.(*hclsyntax.TemplateWrapExpr); ok {
		return "${" + s.closable(wrap.Wrapped) + "}"
	}
	return string(s.text(e.Range()))
}

// requirement converts an entry of required_providers, such as { source = "a/b" }: its values are constants, except
// for the references in configuration_aliases.
func (s Source) requirement(e hcl.Expression) Node {
	obj, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return s.literal(e)
	}
	o := &Object{}
	for _, item := range obj.Items {
		key, _ := limits.Evaluate(item.KeyExpr)
		if key.Type() != cty.String || key.IsNull() {
			return s.literal(e)
		}
		value := s.literal(item.ValueExpr)
		if key.AsString() == "configuration_aliases" {
			value = s.native(item.ValueExpr)
		}
		o.Add(key.AsString(), value)
	}
	return o
}

// SimpleText converts the text of an expression to JSON, for an argument whose JSON strings are templates. It does so
// without the parser, to save time. ok is false if that needs the parser; otherwise the result equals Source.Value of
// the parsed expression.
func SimpleText(text []byte) (n Node, ok bool) { return simpleValue(text, 0) }

// tokenTemplate converts a quoted template or a heredoc by its tokens, because the parser takes two hundred times
// the memory for many sequences. ok is false if the template may stand for a single value, as "${a}" does, which
// strip markers make hard to see.
func tokenTemplate(text []byte) (Node, bool) {
	pieces := piecesOf(text)
	if bytes.IndexByte(text, '~') >= 0 || len(pieces) == 1 && !pieces[0].Literal {
		return nil, false
	}
	return Quote(template.Text(pieces)), true
}

// simpleTemplate converts a template in quotes. It copies bytes that mean the same in JSON, and leaves escapes to
// tokenTemplate. A template with nothing but an interpolation, as "${a}", is the value in it. depth counts the
// collections around it. ok is false if only the parser can tell how to convert the text.
func simpleTemplate(text []byte, depth int) (n Node, ok bool) {
	inside := text[1 : len(text)-1]
	// Escapes, line ends and a byte order mark don't mean the same in JSON.
	needsTokens := bytes.ContainsAny(inside, "\\\r\n") || bytes.HasPrefix(inside, spelling.UTF8BOM)
	// With quotes inside, text may be more than a template, as in "a" == "b".
	mayEndInside := needsTokens || bytes.IndexByte(inside, '"') >= 0
	if mayEndInside && !outline.IsQuoted(text) {
		return nil, false
	}
	if needsTokens {
		return tokenTemplate(text)
	}
	if bytes.HasPrefix(inside, []byte("${")) && inside[len(inside)-1] == '}' { // maybe a single interpolation
		value := inside[2:]
		length, ok := outline.Expression(value)
		if !ok {
			return nil, false
		}
		if rest := bytes.TrimLeft(value[length:], " \t"); len(rest) == 1 { // only the closing brace follows
			return simpleValue(bytes.TrimLeft(value[:length], " \t"), depth+1)
		}
	}
	return Quote(string(inside)), true // sequences are the same in JSON
}

// simpleHeredoc converts a heredoc of ASCII characters line by line, without the indentation that <<- removes. It
// leaves heredocs with other characters or CRLF to tokenTemplate. ok is false if the text isn't one heredoc.
func simpleHeredoc(text []byte) (Node, bool) {
	var lines [][]byte
	least := len(text) // the indentation of the least indented line
	isOne := outline.Heredoc(text, func(line []byte) {
		if rest := bytes.TrimSpace(line); len(rest) > 0 {
			least = min(least, bytes.Index(line, rest))
		}
		lines = append(lines, line)
	})
	// A ~ may be a strip marker; characters beyond it are outside ASCII, where the lexer normalizes some.
	needsTokens := func(r rune) bool { return r >= '~' || r == '\r' }
	switch {
	case !isOne:
		return nil, false
	case bytes.ContainsFunc(text, needsTokens):
		return tokenTemplate(text)
	case bytes.HasPrefix(text, []byte("<<-")):
		for i, line := range lines {
			if len(bytes.TrimSpace(line)) > 0 {
				lines[i] = line[least:]
			}
		}
	}
	return Quote(string(bytes.Join(lines, nil))), true
}

// isLetter reports whether a name may start with c, if that is ASCII.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// maxSimpleDepth limits the collections in each other that are read without the parser: each level reads its
// contents again.
const maxSimpleDepth = 20

// simpleValue converts an expression inside depth collections without the parser, which saves time. ok is false if
// the text needs the parser.
func simpleValue(text []byte, depth int) (n Node, ok bool) {
	if len(text) == 0 || depth > maxSimpleDepth {
		return nil, false
	}
	switch c := text[0]; {
	case isLetter(c):
		// An expression that starts with a name is neither a string nor a collection, and a literal only if it is one
		// of three words. Any other, such as a.b or f(x), becomes "${...}".
		switch string(text) {
		case "true", "false", "null":
			return Raw(text), true
		}
		return Quote("${" + closable(text) + "}"), true
	case c >= '1' && c <= '9' && len(bytes.Trim(text, "0123456789")) == 0: // no leading zero, so JSON spells it alike
		return Raw(text), true
	case c == '"' && len(text) > 1:
		return simpleTemplate(text, depth)
	case c == '<':
		return simpleHeredoc(text)
	case c == '[':
		return simpleTuple(text, depth)
	case c == '{':
		return simpleObject(text, depth)
	}
	return nil, false
}

// simpleTuple converts a tuple without the parser. ok is false if the text isn't one, or an element isn't simple.
func simpleTuple(text []byte, depth int) (Node, bool) {
	elems, areSimple := Array{}, true
	isTuple := outline.Elements(text, func(_, value []byte) {
		if elem, ok := simpleValue(value, depth+1); areSimple && ok {
			elems = append(elems, elem)
		} else {
			areSimple = false
		}
	})
	return elems, isTuple && areSimple
}

// simpleObject converts an object without the parser. ok is false if the text isn't one, a key or value isn't
// simple, or a key comes twice.
func simpleObject(text []byte, depth int) (Node, bool) {
	o, isSimple := &Object{}, true
	isObject := outline.Elements(text, func(key, value []byte) {
		if !isSimple {
			return
		}
		name, isName := simpleKey(key)
		member, ok := simpleValue(value, depth+1)
		isSimple = ok && isName && o.Get(name) == nil
		if isSimple {
			o.Add(name, member)
		}
	})
	return o, isObject && isSimple
}

// simpleKey returns the name of an object's key as outline.Elements finds it: a word, or quoted text without escapes
// and sequences. For others ok is false, and the parser decides; also for true, false and null, which aren't names.
func simpleKey(text []byte) (name string, ok bool) {
	if text[0] == '"' {
		inside := text[1 : len(text)-1]
		return string(inside), !bytes.ContainsAny(inside, "\"$%\\\r\n") && !bytes.HasPrefix(inside, spelling.UTF8BOM)
	}
	switch string(text) {
	case "true", "false", "null":
		return "", false
	}
	return string(text), isASCIIName(string(text))
}
