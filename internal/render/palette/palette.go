package palette

import (
	"maps"
	"slices"

	"github.com/fatih/color"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
)

// A Palette colours text for people.
type Palette struct {
	err, warn, place, dim   *color.Color
	hunk, inserted, deleted *color.Color // of a diff
	marks                   map[effect.Mark]*color.Color
	isColored               Coloring
}

// Coloring decides whether text for people is coloured.
type Coloring bool

// New returns a Palette. Without colours it returns all text unchanged.
func New(colored Coloring) Palette {
	p := Palette{
		err:   color.New(color.FgRed, color.Bold),
		warn:  color.New(color.FgYellow, color.Bold),
		place: color.New(color.Bold),
		dim:   color.New(color.Faint),

		hunk:     color.New(color.FgCyan),
		inserted: color.New(color.FgGreen),
		deleted:  color.New(color.FgRed),
		marks: map[effect.Mark]*color.Color{
			effect.MarkOverride: color.New(color.FgYellow),
			effect.MarkAdded:    color.New(color.FgGreen),
			effect.MarkReplaced: color.New(color.FgMagenta),
			effect.MarkRemoved:  color.New(color.FgRed),
			effect.MarkMerged:   color.New(color.FgCyan),
			effect.MarkNoEffect: color.New(color.FgRed),
			effect.MarkInForce:  color.New(color.FgGreen),
			effect.MarkRefused:  color.New(color.FgRed, color.Bold),

			effect.MarkOutranked: color.New(color.FgRed),
		},
		isColored: colored,
	}
	// The library would look at the terminal and the environment; only the palette decides here.
	for _, c := range append(slices.Collect(maps.Values(p.marks)), p.err, p.warn, p.place, p.dim, p.hunk, p.inserted, p.deleted) {
		c.EnableColor()
	}
	return p
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
func (c Palette) Error(word string) string { return c.paint(c.err, word) }

// Warning colours the word that starts a warning.
func (c Palette) Warning(word string) string { return c.paint(c.warn, word) }

// Place colours what people look for first: a location, a name, a headline.
func (c Palette) Place(text string) string { return c.paint(c.place, text) }

// Dim colours what people may pass over.
func (c Palette) Dim(text string) string { return c.paint(c.dim, text) }

// Hunk colours the line that starts a hunk of a patch.
func (c Palette) Hunk(line string) string { return c.paint(c.hunk, line) }

// Inserted colours text that a patch inserts.
func (c Palette) Inserted(text string) string { return c.paint(c.inserted, text) }

// Deleted colours text that a patch deletes.
func (c Palette) Deleted(text string) string { return c.paint(c.deleted, text) }

// Mark colours text about what an override did.
func (c Palette) Mark(kind effect.Mark, text string) string {
	if own := c.marks[kind]; own != nil {
		return c.paint(own, text)
	}
	return text
}
