package screen

import (
	"bytes"
	"strings"

	"github.com/fatih/color"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// A Palette adds colours to text for people, if it is coloured.
type Palette struct{ isColored Coloring }

// Coloring decides whether text for people is coloured.
type Coloring bool

// NewPalette returns a Palette. If colored is false, it returns all text unchanged.
func NewPalette(colored Coloring) Palette { return Palette{colored} }

var (
	errorColor    = alwaysColored(color.FgRed, color.Bold)
	warningColor  = alwaysColored(color.FgYellow, color.Bold)
	placeColor    = alwaysColored(color.Bold)
	dimColor      = alwaysColored(color.Faint)
	hunkColor     = alwaysColored(color.FgCyan)
	insertedColor = alwaysColored(color.FgGreen)
	deletedColor  = alwaysColored(color.FgRed)
	markColors    = map[effect.Mark]*color.Color{
		effect.MarkOverride: alwaysColored(color.FgYellow),
		effect.MarkAdded:    alwaysColored(color.FgGreen),
		effect.MarkReplaced: alwaysColored(color.FgMagenta),
		effect.MarkRemoved:  alwaysColored(color.FgRed),
		effect.MarkMerged:   alwaysColored(color.FgCyan),
		effect.MarkNoEffect: alwaysColored(color.FgRed),
		effect.MarkInForce:  alwaysColored(color.FgGreen),
		effect.MarkRefused:  alwaysColored(color.FgRed, color.Bold),
	}
)

// alwaysColored returns a colour that the library never switches off: it would look at the terminal and the
// environment, but only the palette decides here.
func alwaysColored(attributes ...color.Attribute) *color.Color {
	c := color.New(attributes...)
	c.EnableColor()
	return c
}

// IsColored reports whether the palette colours anything.
func (c Palette) IsColored() bool { return bool(c.isColored) }

// paint returns a text in a colour, or unchanged if the palette has no colours.
func (c Palette) paint(in *color.Color, text string) string {
	if !c.isColored {
		return text
	}
	return in.Sprint(text)
}

// Error colours the word that starts an error.
func (c Palette) Error(word string) string { return c.paint(errorColor, word) }

// Warning colours the word that starts a warning.
func (c Palette) Warning(word string) string { return c.paint(warningColor, word) }

// Place colours what people look for first: a location, a name, a headline.
func (c Palette) Place(text string) string { return c.paint(placeColor, text) }

// Dim colours what people may skip.
func (c Palette) Dim(text string) string { return c.paint(dimColor, text) }

// Hunk colours the line that starts a hunk of a patch.
func (c Palette) Hunk(line string) string { return c.paint(hunkColor, line) }

// Inserted colours text that a patch inserts.
func (c Palette) Inserted(text string) string { return c.paint(insertedColor, text) }

// Deleted colours text that a patch deletes.
func (c Palette) Deleted(text string) string { return c.paint(deletedColor, text) }

// Mark colours text about an effect of an override, by the kind of its mark.
func (c Palette) Mark(kind effect.Mark, text string) string {
	if own := markColors[kind]; own != nil {
		return c.paint(own, text)
	}
	return text
}

// Comment colours one line of the comment about an override: "# WORD: …", or a line that continues it.
func (c Palette) Comment(line string) string {
	head, rest, _ := strings.Cut(line, ":")
	kind := effect.Mark(strings.TrimPrefix(head, "# "))
	if markColors[kind] == nil {
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

// An ink is the pair of sequences written before and behind a text to colour it.
type ink struct{ on, off string }

// inks colour configuration. They are quiet, so that marks stay in sight.
var inks = [classes]ink{
	BlockType: inkOf(color.Bold),
	Name:      inkOf(color.FgHiBlue),
	String:    inkOf(color.FgCyan),
	Literal:   inkOf(color.FgMagenta),
	Comment:   inkOf(color.Faint),
}

// inkOf returns the two sequences that the library writes around text in a colour. To find them, it colours a marker
// and splits the result there.
func inkOf(attribute color.Attribute) (i ink) {
	const text = "\x00" // occurs in no sequence
	i.on, i.off, _ = strings.Cut(alwaysColored(attribute).Sprint(text), text)
	return i
}

// How many bytes are coloured at once: tokens take many times the memory of their text. A part ends
// between two blocks; if no block ends within a certain distance, it is not coloured.
const (
	partBytes    = 256 << 10
	maxPartBytes = 1 << 20
)

// A Painter colours configuration in native syntax.
type Painter struct {
	Palette
	// Marks holds the lines of comments about overrides: their words get the colours of their kinds, as in
	// tables.
	Marks map[string]bool
	// OnlyMarks leaves everything but these comments uncoloured.
	OnlyMarks bool
}

// Paint returns a text with colours. It works part by part to save memory, and leaves very long parts
// uncoloured.
func (p Painter) Paint(text []byte) []byte {
	var out bytes.Buffer
	for len(text) > 0 {
		end := partEnd(text)
		if end > maxPartBytes { // its tokens would take too much memory
			out.Write(text[:end])
		} else {
			p.paintPart(&out, text[:end])
		}
		text = text[end:]
	}
	return out.Bytes()
}

// partEnd returns the offset at which the first part of a text ends: between two blocks, at least partBytes from the
// start, or else the end of the text.
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

// paintPart writes a part of whole blocks with colours. Adjacent tokens of one class are coloured together.
func (p Painter) paintPart(out *bytes.Buffer, text []byte) {
	tokens := parse.Words(text)
	// text[from:at] are adjacent tokens of one class, which aren't written yet; everything before is.
	from, at, class := 0, 0, Other
	writeUpTo := func(next int) { // these tokens, and the blanks behind them, up to the offset next
		p.writeClass(out, class, text[from:at])
		out.Write(text[at:next])
	}
	for i, token := range tokens {
		start, end := token.Range.Start.Byte, token.Range.End.Byte
		if start < at || end > len(text) { // overlaps an earlier token, or isn't in the text
			continue
		}
		own := classOf(tokens, i) // the token's class
		if own == Comment && p.Marks[string(bytes.TrimRight(token.Bytes, "\r\n"))] {
			own = markComment
		}
		// Begin anew unless the token continues the others. A markComment never does: each line has its own colour.
		if start > at || own != class || own == markComment {
			writeUpTo(start)
			from, class = start, own
		}
		at = end
	}
	writeUpTo(len(text))
}

// writeClass writes text of one class with its colour, line by line: pagers start each line without colours.
func (p Painter) writeClass(out *bytes.Buffer, class Class, text []byte) {
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

// classOf returns the class of the i-th token.
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

// classOfIdentifier returns the class of the i-th token, an identifier: Name before "=", BlockType at the start of a
// line before a label or "{", Literal for true, false and null. It only looks at the tokens around it, because the
// text may be invalid.
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

// startsLine reports whether a token is the first on its line, or the first in a block on one line.
func startsLine(tokens hclsyntax.Tokens, i int) bool {
	if i == 0 {
		return true
	}
	switch before := tokens[i-1]; before.Type {
	case hclsyntax.TokenNewline, hclsyntax.TokenOBrace:
		return true
	case hclsyntax.TokenComment:
		return bytes.HasSuffix(before.Bytes, []byte("\n")) // line comments include their line end
	}
	return false
}
