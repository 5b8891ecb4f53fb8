package screen

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// A Palette colours text for people.
type Palette struct{ isColored Coloring }

// Coloring decides whether text for people is coloured.
type Coloring bool

// NewPalette returns a Palette. Without colours it returns all text unchanged.
func NewPalette(colored Coloring) Palette { return Palette{colored} }

// An ink is the pair of sequences written before and behind a text to colour it.
type ink struct{ on, off string }

var (
	red, green, yellow  = ink{"\x1b[31m", "\x1b[0m"}, ink{"\x1b[32m", "\x1b[0m"}, ink{"\x1b[33m", "\x1b[0m"}
	magenta, cyan       = ink{"\x1b[35m", "\x1b[0m"}, ink{"\x1b[36m", "\x1b[0m"}
	bold, faint         = ink{"\x1b[1m", "\x1b[22m"}, ink{"\x1b[2m", "\x1b[22m"}
	boldRed, boldYellow = ink{"\x1b[31;1m", "\x1b[0;22m"}, ink{"\x1b[33;1m", "\x1b[0;22m"}
)

var markInks = map[effect.Mark]ink{
	effect.MarkOverride:  yellow,
	effect.MarkAdded:     green,
	effect.MarkReplaced:  magenta,
	effect.MarkRemoved:   red,
	effect.MarkMerged:    cyan,
	effect.MarkNoEffect:  red,
	effect.MarkInForce:   green,
	effect.MarkRefused:   boldRed,
	effect.MarkOutranked: red,
}

// IsColored reports whether the palette colours anything.
func (c Palette) IsColored() bool { return bool(c.isColored) }

// paint is a text in a colour, or as it is.
func (c Palette) paint(in ink, text string) string {
	if !c.isColored {
		return text
	}
	return in.on + text + in.off
}

// Error colours the word that starts an error.
func (c Palette) Error(word string) string { return c.paint(boldRed, word) }

// Warning colours the word that starts a warning.
func (c Palette) Warning(word string) string { return c.paint(boldYellow, word) }

// Place colours what people look for first: a location, a name, a headline.
func (c Palette) Place(text string) string { return c.paint(bold, text) }

// Dim colours what people may pass over.
func (c Palette) Dim(text string) string { return c.paint(faint, text) }

// Hunk colours the line that starts a hunk of a patch.
func (c Palette) Hunk(line string) string { return c.paint(cyan, line) }

// Inserted colours text that a patch inserts.
func (c Palette) Inserted(text string) string { return c.paint(green, text) }

// Deleted colours text that a patch deletes.
func (c Palette) Deleted(text string) string { return c.paint(red, text) }

// Mark colours text about what an override did.
func (c Palette) Mark(kind effect.Mark, text string) string {
	return c.paint(markInks[kind], text)
}

// Comment colours one line of the comment about an override: "# WORD: …", or a line that continues it.
func (c Palette) Comment(line string) string {
	head, rest, _ := strings.Cut(line, ":")
	kind := effect.Mark(strings.TrimPrefix(head, "# "))
	if markInks[kind].on == "" {
		return c.Dim(line)
	}
	return c.Dim("# ") + c.Mark(kind, string(kind)) + c.Dim(":"+rest)
}

// A Class is the kind of a piece of configuration for colouring.
type Class int

// The classes of text.
const (
	Other Class = iota
	BlockType
	Name // of an argument
	String
	Literal
	Comment
	classes
	markComment = classes // has no ink: its word decides
)

// inks colour configuration. They are quiet, so that marks stay in sight.
var inks = [classes]ink{
	BlockType: bold,
	Name:      {"\x1b[94m", "\x1b[0m"},
	String:    cyan,
	Literal:   magenta,
	Comment:   faint,
}

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
