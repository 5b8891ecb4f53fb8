package highlight

import (
	"bytes"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/palette"
)

// How many bytes are coloured at once: tokens take up many times the room of their text. A
// part ends between two blocks, or if there is no such place behind the first so many bytes,
// it is not coloured.
const (
	partBytes    = 256 << 10
	maxPartBytes = 1 << 20
)

// Native returns text in native syntax with colours. marks are comments that have colours of
// their own.
func Native(text []byte, colors palette.Palette, marks map[string]merge.Mark) []byte {
	var out bytes.Buffer
	p := painter{out: &out, inks: colors.Inks(), colors: colors, marks: marks}
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
	out    *bytes.Buffer
	inks   palette.Inks
	colors palette.Palette
	marks  map[string]merge.Mark
}

// part writes whole blocks. Tokens of one class that touch are one piece.
func (p *painter) part(text []byte) {
	tokens := parse.Words(text)
	at, class, from := 0, palette.Other, 0 // what is before from is written
	for i, token := range tokens {
		start, end := token.Range.Start.Byte, token.Range.End.Byte
		if start < at || end > len(text) {
			continue
		}
		mark, isMark := p.markOf(token)
		own := classOf(tokens, i)
		if start > at || own != class || isMark {
			p.inks.Write(p.out, class, text[from:at])
			p.out.Write(text[at:start])
			from, class = start, own
		}
		at = end
		if isMark {
			comment := bytes.TrimRight(text[start:end], "\r\n")
			p.out.WriteString(p.colors.Mark(mark, string(comment)))
			from, class = start+len(comment), palette.Other
		}
	}
	p.inks.Write(p.out, class, text[from:at])
	p.out.Write(text[at:])
}

// markOf returns what kind of mark a token is, if it is one.
func (p *painter) markOf(token hclsyntax.Token) (merge.Mark, bool) {
	if token.Type != hclsyntax.TokenComment || len(p.marks) == 0 {
		var none merge.Mark
		return none, false
	}
	mark, ok := p.marks[string(bytes.TrimRight(token.Bytes, "\r\n"))]
	return mark, ok
}

// classOf returns what a token is to people.
func classOf(tokens hclsyntax.Tokens, i int) palette.Class {
	switch tokens[i].Type {
	case hclsyntax.TokenComment:
		return palette.Comment
	case hclsyntax.TokenOQuote, hclsyntax.TokenQuotedLit, hclsyntax.TokenCQuote,
		hclsyntax.TokenOHeredoc, hclsyntax.TokenStringLit, hclsyntax.TokenCHeredoc:
		return palette.String
	case hclsyntax.TokenNumberLit:
		return palette.Literal
	case hclsyntax.TokenIdent:
		return classOfIdentifier(tokens, i)
	}
	return palette.Other
}

func classOfIdentifier(tokens hclsyntax.Tokens, i int) palette.Class {
	next := hclsyntax.TokenEOF
	if i+1 < len(tokens) {
		next = tokens[i+1].Type
	}
	switch {
	case next == hclsyntax.TokenEqual:
		return palette.Name
	case startsLine(tokens, i) &&
		(next == hclsyntax.TokenIdent || next == hclsyntax.TokenOQuote || next == hclsyntax.TokenOBrace):
		return palette.BlockType
	}
	switch string(tokens[i].Bytes) {
	case "true", "false", "null":
		return palette.Literal
	}
	return palette.Other
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
