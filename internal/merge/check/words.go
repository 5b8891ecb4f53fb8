package check

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// placeFrom is FILE:LINE of an item for a message about another one, with the column where both are
// in one line.
func placeFrom(from, it source.Item) string {
	return diag.PlaceFrom(source.Where(from), source.Where(it))
}

// placesFrom returns the locations of the first few of some items.
func placesFrom[T source.Item](from source.Item, items []T, most int) string {
	return diag.SomePlaces(source.Where(from), source.Wheres(items), most)
}

// A replacement is what nested blocks of an override did to earlier ones of their type.
type replacement struct {
	blocks  []source.Item
	typ     string
	earlier []source.Item
	dropped []string // names that the blocks have no more
}

func (r replacement) String() string {
	subject, replace, drop := "This block", "replaces", "drops"
	if len(r.blocks) > 1 {
		subject, replace, drop = fmt.Sprintf("These %s blocks", diag.Escape(r.typ)), "replace", "drop"
	}
	what, them := "the one at "+placeFrom(r.blocks[0], r.earlier[0]), "it"
	if len(r.earlier) > 1 {
		what = fmt.Sprintf("%d blocks (%s)", len(r.earlier), r.places())
	}
	if len(r.dropped) > 1 {
		them = "them"
	}
	return fmt.Sprintf("%s %s %s and %s %s. Repeat %s here to keep %s.", subject, replace, what, drop, strings.Join(r.dropped, ", "), them, them)
}

// places lists a few locations of the earlier blocks.
func (r replacement) places() string { return placesFrom(r.blocks[0], r.earlier, 3) }
