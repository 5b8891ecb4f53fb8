package merge

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// The positions at which the merged items of a content are printed, and reported, are computed
// once, on first use, after all files have been applied. Items that no override addressed are
// unchanged, and there is nothing to report about them.

func (c *MergedBody) places() *printPlaces {
	if at := c.answers().at.Load(); at != nil {
		return at
	}
	at := &printPlaces{bySyntax: map[source.Syntax]*source.Block{}, printed: map[*source.Block][]*MergedItem{}, reported: map[*source.Block][]*MergedItem{}, named: map[string][]*MergedItem{}}
	for _, p := range c.Parts {
		at.part(p)
	}
	for _, e := range c.Items {
		if e.InEffect() {
			b := at.printedIn(c, e)
			at.printed[b] = append(at.printed[b], e)
		}
		b := at.reportBlock(c, e)
		at.reported[b] = append(at.reported[b], e)
		at.named[e.Key.Name] = append(at.named[e.Key.Name], e)
	}
	c.answers().at.Store(at)
	return at
}

func (at *printPlaces) part(p *source.Block) {
	switch {
	case p.Type != source.EscapeBlock:
		if at.plain == nil {
			at.plain = p
		}
		if at.bySyntax[p.File.Syntax] == nil {
			at.bySyntax[p.File.Syntax] = p
		}
	default:
		at.escaping = p
	}
}

// printedIn is the block in which a merged item in effect is printed.
func (at *printPlaces) printedIn(c *MergedBody, e *MergedItem) *source.Block {
	if e.Place != nil {
		return e.Place.Within()
	}
	return at.additionBlock(c, e)
}

// reportBlock is the block in which a merged item is reported: where it is printed, else the
// first one of the content.
func (at *printPlaces) reportBlock(c *MergedBody, e *MergedItem) *source.Block {
	if !e.InEffect() {
		return at.plain
	}
	b := at.printedIn(c, e)
	switch {
	case e.Place != nil:
		for b != nil && b.Type == source.EscapeBlock {
			b = b.Within()
		}
	case b.Type == source.EscapeBlock:
		return at.plain
	}
	return b
}

// AdditionBlock is the block in which an addition is printed: for escaped items an
// escaping block if there is one, else the first part whose file has the
// syntax of the item's own, else the first part.
func (c *MergedBody) AdditionBlock(e *MergedItem) *source.Block {
	return c.places().additionBlock(c, e)
}

func (at *printPlaces) additionBlock(c *MergedBody, e *MergedItem) *source.Block {
	if e.Escaped && at.escaping != nil {
		return at.escaping
	}
	if b := at.bySyntax[e.Live[0].Source().Syntax]; b != nil {
		return b
	}
	return c.Parts[0]
}

// Beside is the part after which an addition is printed in a separate block, because a block can
// hold only one item of its name: the last part that holds one, else the last part; each time
// preferably in a file of the addition's syntax.
func (c *MergedBody) Beside(e *MergedItem) *source.Block {
	var found *source.Block
	best := -1
	for _, p := range c.Parts {
		if p.Type == source.EscapeBlock {
			continue
		}
		fit := 0
		if p.File.Syntax == e.Live[0].Source().Syntax {
			fit = 1
		}
		if p.Attr(e.Key.Name) != nil {
			fit += 2
		}
		if fit >= best {
			found, best = p, fit
		}
	}
	return found
}

// FirstPart is the first block in which the content is printed, apart from escaping blocks; nil if
// there is none.
func (c *MergedBody) FirstPart() *source.Block { return c.places().plain }

// PrintedIn lists the merged items in effect that are printed in a block.
func (c *MergedBody) PrintedIn(b *source.Block) []*MergedItem { return c.places().printed[b] }

// MayHaveAdditions reports whether any effective item may be an addition. Most bodies have none,
// and this check is cheaper than computing the print positions.
func (c *MergedBody) MayHaveAdditions() bool {
	return len(c.Items) > fewItems ||
		slices.ContainsFunc(c.Items, func(e *MergedItem) bool { return e.InEffect() && e.Place == nil })
}

// ReportedIn lists the merged items that are reported in a block: those printed in it, and
// in the first one also those that are not in effect.
func (c *MergedBody) ReportedIn(b *source.Block) []*MergedItem { return c.places().reported[b] }

// AllNamed lists the merged items of a name, apart from those that no override addressed: items
// with different labels or positions, and names of both spaces.
func (c *MergedBody) AllNamed(name string) []*MergedItem { return c.places().named[name] }
