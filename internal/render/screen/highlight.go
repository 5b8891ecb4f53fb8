package screen

import (
	"bytes"
	"io"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// How many bytes are coloured at once: tokens take many times the memory of their text. A part ends
// between two blocks; if no block ends within a certain distance, it is not coloured.
const (
	partBytes    = 256 << 10
	maxPartBytes = 1 << 20
)

// HighlightNative returns text in native syntax with colours.
func HighlightNative(text []byte, colors Palette) []byte {
	var out bytes.Buffer
	p := painter{out: &out, inks: colors.Inks()}
	for len(text) > 0 {
		end := partEnd(text)
		if end > maxPartBytes {
			out.Write(text[:end])
		} else {
			p.part(text[:end])
		}
		text = text[end:]
	}
	return out.Bytes()
}

// partEnd returns where the first part of a text ends.
func partEnd(text []byte) int {
	if len(text) <= partBytes {
		return len(text)
	}
	between := []byte("\n}\n\n") // blocks, as nearly everybody writes them
	if at := bytes.Index(text[partBytes:], between); at >= 0 {
		return partBytes + at + len(between)
	}
	return len(text)
}

// A painter writes texts with colours.
type painter struct {
	out  *bytes.Buffer
	inks Inks
}

// part writes whole blocks. Tokens of one class that touch are one piece.
func (p *painter) part(text []byte) {
	tokens := parse.Words(text)
	at, class, from := 0, Other, 0 // everything before from is written
	for i, token := range tokens {
		start, end := token.Range.Start.Byte, token.Range.End.Byte
		if start < at || end > len(text) {
			continue
		}
		own := classOf(tokens, i)
		if start > at || own != class {
			p.inks.Write(p.out, class, text[from:at])
			p.out.Write(text[at:start])
			from, class = start, own
		}
		at = end
	}
	p.inks.Write(p.out, class, text[from:at])
	p.out.Write(text[at:])
}

// classOf returns the class of a token for colouring.
func classOf(tokens hclsyntax.Tokens, i int) Class {
	switch tokens[i].Type {
	case hclsyntax.TokenComment:
		return Comment
	case hclsyntax.TokenOQuote, hclsyntax.TokenQuotedLit, hclsyntax.TokenCQuote,
		hclsyntax.TokenOHeredoc, hclsyntax.TokenStringLit, hclsyntax.TokenCHeredoc:
		return String
	case hclsyntax.TokenNumberLit:
		return Literal
	case hclsyntax.TokenIdent:
		return classOfIdentifier(tokens, i)
	}
	return Other
}

func classOfIdentifier(tokens hclsyntax.Tokens, i int) Class {
	next := hclsyntax.TokenEOF
	if i+1 < len(tokens) {
		next = tokens[i+1].Type
	}
	switch {
	case next == hclsyntax.TokenEqual:
		return Name
	case startsLine(tokens, i) &&
		(next == hclsyntax.TokenIdent || next == hclsyntax.TokenOQuote || next == hclsyntax.TokenOBrace):
		return BlockType
	}
	switch string(tokens[i].Bytes) {
	case "true", "false", "null":
		return Literal
	}
	return Other
}

// startsLine reports whether a token is the first one on its line, or in a block on one line.
func startsLine(tokens hclsyntax.Tokens, i int) bool {
	if i == 0 {
		return true
	}
	switch before := tokens[i-1]; before.Type {
	case hclsyntax.TokenNewline, hclsyntax.TokenOBrace:
		return true
	case hclsyntax.TokenComment:
		return bytes.HasSuffix(before.Bytes, []byte("\n"))
	}
	return false
}

// HighlightJSON returns a writer that colours the JSON it gets, which may come in any pieces, and
// writes it to w.
func HighlightJSON(w io.Writer, colors Palette) io.Writer {
	return &jsonWriter{to: w, inks: colors.Inks()}
}

// A jsonWriter knows where in a JSON text it is.
type jsonWriter struct {
	to   io.Writer
	inks Inks
	out  bytes.Buffer

	objects []bool // of the arrays and objects that are open: it is an object
	isName  bool   // the next string is the name of a member
	class   Class  // of the token that is open
	escaped bool   // the next character of the string stands behind a backslash
}

// Write implements io.Writer.
func (j *jsonWriter) Write(text []byte) (int, error) {
	j.out.Reset()
	for _, c := range text {
		switch {
		case j.class == Name || j.class == String:
			j.inString(c)
			continue
		case j.class == Literal && isLiteral(c):
			j.out.WriteByte(c)
			continue
		}
		j.enter(Other)
		switch {
		case c == '"' && j.isName:
			j.enter(Name)
		case c == '"':
			j.enter(String)
		case isLiteral(c):
			j.enter(Literal)
		default:
			j.punctuation(c)
		}
		j.out.WriteByte(c)
	}
	if _, err := j.to.Write(j.out.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// inString writes a character of a string.
func (j *jsonWriter) inString(c byte) {
	j.out.WriteByte(c)
	switch {
	case j.escaped:
		j.escaped = false
	case c == '\\':
		j.escaped = true
	case c == '"':
		j.enter(Other)
	}
}

// punctuation tracks the open brackets, and whether a name is next.
func (j *jsonWriter) punctuation(c byte) {
	switch c {
	case '{', '[':
		j.objects = append(j.objects, c == '{')
		j.isName = c == '{'
	case '}', ']':
		j.objects = j.objects[:max(0, len(j.objects)-1)]
		j.isName = false
	case ',':
		j.isName = len(j.objects) > 0 && j.objects[len(j.objects)-1]
	case ':':
		j.isName = false
	}
}

// enter ends the token that is open, and starts one.
func (j *jsonWriter) enter(class Class) {
	if class == j.class {
		return
	}
	j.out.WriteString(j.inks[j.class].Off)
	j.out.WriteString(j.inks[class].On)
	j.class = class
}

// isLiteral reports whether a character is part of a number or a word.
func isLiteral(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E'
}
