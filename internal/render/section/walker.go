package section

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A walker finds the effects of overrides in the printed text of a top-level block, which it reads
// side by side with the block's merged contents.
type walker struct {
	*builder
	text   []byte
	marks  []mark
	lines  []extraLine
	hidden []textedit.Edit                  // edits that hide values
	taken  map[*merge.MergedItem][]*finding // those that were shown
	firsts map[*merge.MergedItem]*note      // of nested blocks that came together
}

// A mark is a stretch of the text that an override file brought.
type mark struct {
	from, to int // offsets of the first and behind the last byte
	file     *source.File
	note     *note
	findings []*finding
}

// An extraLine is a line that is not part of the configuration: a dropped one, or one without
// effect.
type extraLine struct {
	at  int // the offset that it stands before, or behind
	row *row
	// isInside is set if the line belongs before the last line of the construct that ends there, if
	// that is a closing bracket.
	isInside bool
}

// walk reads a block. If the text holds values that are not to be shown, it is read once more
// without them.
func (b *builder) walk(block *plan.Block, text []byte) *walker {
	w := &walker{builder: b, text: text, taken: map[*merge.MergedItem][]*finding{}, firsts: map[*merge.MergedItem]*note{}}
	if !annotate.Walk(block, text, w) {
		w.text = nil // text that can't be parsed may contain hidden values
		return w
	}
	if len(w.hidden) > 0 {
		maps.Copy(b.findings, w.taken)
		return b.walk(block, textedit.Apply(text, 0, len(text), w.hidden))
	}
	return w
}

// Top implements annotate.Visitor.
func (w *walker) Top(block *plan.Block, printed *hclsyntax.Block) {
	if block.Item != nil {
		w.whole(block.Entry, block.Item, printed.Range())
	} else {
		w.whole(w.m.Root.Owner(block.Source), block.Source, printed.Range())
	}
}

// whole marks what an override added as a whole.
func (w *walker) whole(e *merge.MergedItem, it source.Item, at hcl.Range) {
	w.mark(at, it, w.noteOf(nil, e, it, effect.Adds), e)
}

func (w *walker) mark(at hcl.Range, by source.Item, n *note, e *merge.MergedItem) {
	w.marks = append(w.marks, mark{at.Start.Byte, at.End.Byte, by.Source(), n, w.findingsOf(e)})
}

// findingsOf are the findings about a name, to be shown once.
func (w *walker) findingsOf(e *merge.MergedItem) []*finding {
	found := w.findings[e]
	if found != nil {
		w.taken[e] = found
		delete(w.findings, e)
	}
	return found
}

// Argument implements annotate.Visitor.
func (w *walker) Argument(b annotate.Body, m plan.BodyItem, printed *hclsyntax.Attribute) {
	a := m.Item.(*source.Attr)
	if w.redact.IsSecret(a) && string(printed.Expr.Range().SliceBytes(w.text)) != hiddenText {
		w.hide(printed)
	}
	if by := w.outranked[a]; by != nil {
		w.add(extraLine{printed.SrcRange.End.Byte, &row{Kind: "outranked", Verb: string(effect.MarkOutranked), Place: phrases.LayerPlace(by), cost: goneCost}, false})
	}
	e := m.Entry
	if e == nil || e.Attr() != a {
		return
	}
	by := source.Item(a)
	if !source.IsOverride(a) {
		computed := e.Computed()
		if computed == nil || !source.IsOverride(computed.By()) {
			return
		}
		by = computed.By()
	}
	n := w.noteOf(b.Content, e, by, effect.Overrides)
	if n.Verb == effect.Adds.Words() && b.CameWith(a) {
		return
	}
	w.mark(printed.SrcRange, by, n, e)
	w.droppedFrom(e, printed.SrcRange)
}

// Block implements annotate.Visitor.
func (w *walker) Block(b annotate.Body, m plan.BodyItem, printed *hclsyntax.Block) {
	if m.Entry.Inner() == nil {
		w.replacing(b.Content, m.Entry, m.Item.(*source.Block), printed.Range())
	} else {
		w.whole(m.Entry, m.Item, printed.Range())
	}
}

// replacing marks a nested block that an override supplied as a whole. Of several blocks, the first
// one's note names the replaced ones.
func (w *walker) replacing(c *merge.MergedBody, e *merge.MergedItem, b *source.Block, at hcl.Range) {
	if first := w.firsts[e]; first != nil {
		w.mark(at, b, &note{Address: first.Address, Verb: first.Verb, Place: wording.Place(b), cost: noteCost + 2*cost([]byte(first.Address))}, e)
		return
	}
	w.firsts[e] = w.noteOf(c, e, b, effect.Replaces)
	w.mark(at, b, w.firsts[e], e)
	w.droppedFrom(e, at)
}
