package screen

import (
	"strings"

	"github.com/fatih/color"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// A Palette colours text for people.
type Palette struct{ isColored Coloring }

// Coloring decides whether text for people is coloured.
type Coloring bool

// NewPalette returns a Palette. Without colours it returns all text unchanged.
func NewPalette(colored Coloring) Palette { return Palette{colored} }

var (
	errorColor    = enabled(color.FgRed, color.Bold)
	warningColor  = enabled(color.FgYellow, color.Bold)
	placeColor    = enabled(color.Bold)
	dimColor      = enabled(color.Faint)
	hunkColor     = enabled(color.FgCyan)
	insertedColor = enabled(color.FgGreen)
	deletedColor  = enabled(color.FgRed)
	markColors    = map[effect.Mark]*color.Color{
		effect.MarkOverride:  enabled(color.FgYellow),
		effect.MarkAdded:     enabled(color.FgGreen),
		effect.MarkReplaced:  enabled(color.FgMagenta),
		effect.MarkRemoved:   enabled(color.FgRed),
		effect.MarkMerged:    enabled(color.FgCyan),
		effect.MarkNoEffect:  enabled(color.FgRed),
		effect.MarkInForce:   enabled(color.FgGreen),
		effect.MarkRefused:   enabled(color.FgRed, color.Bold),
		effect.MarkOutranked: enabled(color.FgRed),
	}
)

// enabled is a colour that counts wherever the text goes: the library would look at the terminal and the
// environment, and here only the palette decides.
func enabled(attributes ...color.Attribute) *color.Color {
	c := color.New(attributes...)
	c.EnableColor()
	return c
}

// IsColored reports whether the palette colours anything.
func (c Palette) IsColored() bool { return bool(c.isColored) }

// paint is a text in a colour, or as it is.
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

// Dim colours what people may pass over.
func (c Palette) Dim(text string) string { return c.paint(dimColor, text) }

// Hunk colours the line that starts a hunk of a patch.
func (c Palette) Hunk(line string) string { return c.paint(hunkColor, line) }

// Inserted colours text that a patch inserts.
func (c Palette) Inserted(text string) string { return c.paint(insertedColor, text) }

// Deleted colours text that a patch deletes.
func (c Palette) Deleted(text string) string { return c.paint(deletedColor, text) }

// Mark colours text about what an override did.
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

func inkOf(attribute color.Attribute) (i ink) {
	i.on, i.off, _ = strings.Cut(enabled(attribute).Sprint("\x00"), "\x00")
	return i
}
