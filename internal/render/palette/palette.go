package palette

import (
	"maps"
	"slices"

	"github.com/fatih/color"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// A Palette colours what is written for people.
type Palette struct {
	err, warn, place, dim   *color.Color
	hunk, inserted, deleted *color.Color // of a diff
	marks                   map[merge.Mark]*color.Color
	isColored               Coloring
}

// Coloring says whether text for people is coloured.
type Coloring bool

// New makes a palette that colours, or one that does not.
func New(colored Coloring) Palette {
	p := Palette{
		err:   color.New(color.FgRed, color.Bold),
		warn:  color.New(color.FgYellow, color.Bold),
		place: color.New(color.Bold),
		dim:   color.New(color.Faint),

		hunk:     color.New(color.FgCyan),
		inserted: color.New(color.FgGreen),
		deleted:  color.New(color.FgRed),
		marks: map[merge.Mark]*color.Color{
			merge.MarkOverride: color.New(color.FgYellow),
			merge.MarkAdded:    color.New(color.FgGreen),
			merge.MarkReplaced: color.New(color.FgMagenta),
			merge.MarkMerged:   color.New(color.FgCyan),
			merge.MarkNoEffect: color.New(color.FgRed),
			merge.MarkInForce:  color.New(color.FgGreen),
			merge.MarkRefused:  color.New(color.FgRed, color.Bold),
		},
		isColored: colored,
	}
	for _, c := range append([]*color.Color{p.err, p.warn, p.place, p.dim, p.hunk, p.inserted, p.deleted}, slices.Collect(maps.Values(p.marks))...) {
		if colored {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

// IsColored tells whether the palette colours anything.
func (p Palette) IsColored() bool { return bool(p.isColored) }

// Error colours the word that starts an error.
func (p Palette) Error(word string) string { return p.err.Sprint(word) }

// Warning colours the word that starts a warning.
func (p Palette) Warning(word string) string { return p.warn.Sprint(word) }

// Place colours what people look for first: a place, a name, a headline.
func (p Palette) Place(text string) string { return p.place.Sprint(text) }

// Dim colours what people may pass over.
func (p Palette) Dim(text string) string { return p.dim.Sprint(text) }

// Hunk colours the line that starts a hunk of a patch.
func (p Palette) Hunk(line string) string { return p.hunk.Sprint(line) }

// Inserted colours what a patch inserts.
func (p Palette) Inserted(text string) string { return p.inserted.Sprint(text) }

// Deleted colours what a patch deletes.
func (p Palette) Deleted(text string) string { return p.deleted.Sprint(text) }

// Mark colours text about what an override did.
func (p Palette) Mark(kind merge.Mark, text string) string {
	if c := p.marks[kind]; c != nil {
		return c.Sprint(text)
	}
	return text
}
