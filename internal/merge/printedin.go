package merge

import (
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Where the entries of a content are printed, and told of, is worked out once, as
// soon as somebody asks; by then all files must have been applied. Entries that
// are made of quiet items later are what they were, and have nothing to be told.

// A places sorts the entries of a content by the blocks that it is printed in, and
// by their names.
type places struct {
	escaping, plain *source.Block // the first part of each kind; there is one escaping block at most
	bySyntax        map[source.Syntax]*source.Block
	printed, told   map[*source.Block][]*MergedItem
	named           map[string][]*MergedItem
}

func (c *MergedBody) places() *places {
	if c.at != nil {
		return c.at
	}
	c.at = &places{bySyntax: map[source.Syntax]*source.Block{}, printed: map[*source.Block][]*MergedItem{}, told: map[*source.Block][]*MergedItem{}, named: map[string][]*MergedItem{}}
	for _, p := range c.Parts {
		c.at.part(p)
	}
	for _, e := range c.Items {
		if e.InEffect() {
			b := c.printedIn(e)
			c.at.printed[b] = append(c.at.printed[b], e)
		}
		b := c.ReportBlock(e)
		c.at.told[b] = append(c.at.told[b], e)
		c.at.named[e.Key.Name] = append(c.at.named[e.Key.Name], e)
	}
	return c.at
}

func (at *places) part(p *source.Block) {
	switch {
	case p.Type != language.EscapeBlock:
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

// printedIn is the block in which an entry in effect is printed.
func (c *MergedBody) printedIn(e *MergedItem) *source.Block {
	if e.Place != nil {
		return e.Place.Within()
	}
	return c.Home(e)
}

// toldIn is the block in which an entry is told of: where it is printed, else the
// first one of the content.
func (c *MergedBody) ReportBlock(e *MergedItem) *source.Block {
	if !e.InEffect() {
		return c.places().plain
	}
	b := c.printedIn(e)
	switch {
	case e.Place != nil:
		for b != nil && b.Type == language.EscapeBlock {
			b = b.Within()
		}
	case b.Type == language.EscapeBlock:
		return c.places().plain
	}
	return b
}

// Home is the block in which an addition is printed: for escaped items an
// escaping block if there is one, else the first part whose file has the
// syntax of the item's own, else the first part.
func (c *MergedBody) Home(e *MergedItem) *source.Block {
	at := c.places()
	if e.Escaped && at.escaping != nil {
		return at.escaping
	}
	if b := at.bySyntax[e.Live[0].Source().Syntax]; b != nil {
		return b
	}
	return c.Parts[0]
}

// FirstPart is the first block that the content is printed in, escaping blocks
// left out; nil where there is none.
func (c *MergedBody) FirstPart() *source.Block { return c.places().plain }

// PrintedIn lists the entries in effect that are printed in a block.
func (c *MergedBody) PrintedIn(b *source.Block) []*MergedItem { return c.places().printed[b] }

// ToldIn lists the entries that are told of in a block: those printed in it, and
// in the first one also those that are not in effect.
func (c *MergedBody) ReportedIn(b *source.Block) []*MergedItem { return c.places().told[b] }

// AllNamed lists the entries of a name, but for those that are quiet: what labels
// or places tell apart, and names of both spaces.
func (c *MergedBody) AllNamed(name string) []*MergedItem { return c.places().named[name] }
