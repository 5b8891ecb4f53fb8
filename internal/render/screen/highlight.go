package screen

import (
	"bytes"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofumerge/tofumerge/internal/load/parse"
)

// How many bytes are coloured at once: tokens take many times the memory of their text. A part ends
// between two blocks; if no block ends within a certain distance, it is not coloured.
const (
	partBytes    = 256 << 10
	maxPartBytes = 1 << 20
)

// A Painter colours text in native syntax.
type Painter struct {
	Palette
	// Marks are the lines of comments about overrides: their words have the colours that tables give them.
	Marks map[string]bool
	// OnlyMarks leaves everything else as it is.
	OnlyMarks bool
}

// Paint returns a text with colours.
func (p Painter) Paint(text []byte) []byte {
	var out bytes.Buffer
	for len(text) > 0 {
		end := partEnd(text)
		if end > maxPartBytes {
			out.Write(text[:end])
		} else {
			p.part(&out, text[:end])
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

// part writes whole blocks. Tokens of one class that touch are one piece.
func (p Painter) part(out *bytes.Buffer, text []byte) {
	tokens := parse.Words(text)
	at, class, from := 0, Other, 0 // everything before from is written
	for i, token := range tokens {
		start, end := token.Range.Start.Byte, token.Range.End.Byte
		if start < at || end > len(text) {
			continue
		}
		own := classOf(tokens, i)
		if own == Comment && p.Marks[string(bytes.TrimRight(token.Bytes, "\r\n"))] {
			own = markComment
		}
		if start > at || own != class || own == markComment {
			p.write(out, class, text[from:at])
			out.Write(text[at:start])
			from, class = start, own
		}
		at = end
	}
	p.write(out, class, text[from:at])
	out.Write(text[at:])
}

// write writes text of one class line by line: pagers start each line without colours.
func (p Painter) write(out *bytes.Buffer, class Class, text []byte) {
	for line := range bytes.Lines(text) {
		body := bytes.TrimRight(line, "\r\n")
		switch {
		case class == markComment:
			out.WriteString(p.Comment(string(body)))
		case class == Other || p.OnlyMarks || !p.IsColored() || len(body) == 0:
			out.Write(body)
		default:
			out.WriteString(inks[class].on)
			out.Write(body)
			out.WriteString(inks[class].off)
		}
		out.Write(line[len(body):])
	}
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
