package render

import (
	"github.com/fatih/color"
	"github.com/tofumerge/tofumerge/internal/merge"
	"maps"
	"slices"
)

// A Palette colours what is written for people.
type Palette struct {
	err, warn, place, dim   *color.Color
	hunk, inserted, deleted *color.Color // of a diff
	marks                   map[kindOfMark]*color.Color
}

// Coloring says whether text for people is coloured.
type Coloring bool

// A kindOfMark is what an override did, as marks and tables say it: by one word
// in one colour.
type kindOfMark string

// The kinds. A row of a table that has no kind is not coloured.
const (
	markOverride kindOfMark = "override"
	markAdded    kindOfMark = "added"
	markReplaced kindOfMark = "replaced"
	markMerged   kindOfMark = "merged"
	markNoEffect kindOfMark = "no effect"
	inForce      kindOfMark = "in force"
	refused      kindOfMark = "refused"
)

// markOf are the kinds of statuses.
var markOf = map[merge.Status]kindOfMark{
	merge.InEffect: inForce, merge.Idle: markNoEffect, merge.Doubtful: markNoEffect, merge.Illegal: refused, merge.Baseless: refused,
}

// NewPalette makes a palette that colours, or one that does not.
func NewPalette(colored Coloring) Palette {
	p := Palette{
		err:   color.New(color.FgRed, color.Bold),
		warn:  color.New(color.FgYellow, color.Bold),
		place: color.New(color.Bold),
		dim:   color.New(color.Faint),

		hunk:     color.New(color.FgCyan),
		inserted: color.New(color.FgGreen),
		deleted:  color.New(color.FgRed),
		marks: map[kindOfMark]*color.Color{
			markOverride: color.New(color.FgYellow),
			markAdded:    color.New(color.FgGreen),
			markReplaced: color.New(color.FgMagenta),
			markMerged:   color.New(color.FgCyan),
			markNoEffect: color.New(color.FgRed),
			inForce:      color.New(color.FgGreen),
			refused:      color.New(color.FgRed, color.Bold),
		},
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

// Error colours the word that starts an error.
func (p Palette) Error(word string) string { return p.err.Sprint(word) }

// Warning colours the word that starts a warning.
func (p Palette) Warning(word string) string { return p.warn.Sprint(word) }

// mark colours text about what an override did.
func (p Palette) mark(kind kindOfMark, text string) string {
	if c := p.marks[kind]; c != nil {
		return c.Sprint(text)
	}
	return text
}
