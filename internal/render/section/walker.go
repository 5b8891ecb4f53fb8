package section

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
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
	parsed, diags := parse.Config(text, "", hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || diags.HasErrors() || len(body.Blocks) != 1 {
		w.text = nil // text that can't be parsed may contain hidden values
		return w
	}
	w.top(block, body.Blocks[0])
	if len(w.hidden) > 0 {
		maps.Copy(b.findings, w.taken)
		return b.walk(block, textedit.Apply(text, 0, len(text), w.hidden))
	}
	return w
}

// top marks a top-level block and its contents.
func (w *walker) top(block *plan.Block, nb *hclsyntax.Block) {
	switch {
	case block.Item != nil:
		w.whole(block.Entry, block.Item, nb.Range(), effect.Adds)
	case source.IsOverride(block.Source):
		w.whole(w.m.Root.Owner(block.Source), block.Source, nb.Range(), effect.Adds)
		w.block(block.Content, block.Source, nb, block.Source)
	default:
		w.block(block.Content, block.Source, nb, nil)
	}
}

// whole marks what an override brought as a whole.
func (w *walker) whole(e *merge.MergedItem, it source.Item, at hcl.Range, verb effect.Verb) {
	w.mark(at, it, w.noteOf(nil, e, it, verb), e)
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

// block marks the contents of a block, which are c; nil if they are unchanged. Items from the
// override block added have no separate marks.
func (w *walker) block(c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, added *source.Block) {
	blocks := nb.Body.Blocks
	var escaped []plan.BodyItem
	for _, m := range plan.Members(c, b) {
		if m.Escaped {
			escaped = append(escaped, m)
			continue
		}
		blocks = w.member(c, m, nb, blocks, added)
	}
	if len(escaped) > 0 && len(blocks) > 0 {
		inner := blocks[0].Body.Blocks
		for _, m := range escaped {
			inner = w.member(c, m, blocks[0], inner, added)
		}
	}
	if c != nil {
		w.gone(c, b, nb)
	}
}

// member marks an item of a block. If it is a block, it is the first of the printed nested blocks;
// the others are returned.
func (w *walker) member(
	c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, blocks hclsyntax.Blocks, added *source.Block,
) hclsyntax.Blocks {
	switch it := m.Item.(type) {
	case *source.Attr:
		if printed := nb.Body.Attributes[it.Name]; printed != nil {
			w.argument(c, m, it, printed, added)
		}
	case *source.Block:
		if len(blocks) > 0 {
			w.nested(c, m, it, blocks[0], added)
			return blocks[1:]
		}
	}
	return blocks
}

func (w *walker) argument(
	c *merge.MergedBody, m plan.BodyItem, a *source.Attr, printed *hclsyntax.Attribute, added *source.Block,
) {
	if w.redact.IsSecret(a) && string(printed.Expr.Range().SliceBytes(w.text)) != hiddenText {
		w.hide(printed)
	}
	if by := w.outranked[a]; by != nil {
		w.add(extraLine{printed.SrcRange.End.Byte, &row{Kind: "outranked", Verb: string(effect.MarkOutranked), Place: wording.LayerPlace(by), cost: goneCost}, false})
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
	n := w.noteOf(c, e, by, effect.Overrides)
	if n.Verb == effect.Adds.Words() && isOf(a, added) {
		return
	}
	w.mark(printed.SrcRange, by, n, e)
	w.droppedFrom(e, printed.SrcRange)
}

// isOf reports whether an item came with the block that was added as a whole.
func isOf(it source.Item, added *source.Block) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if b == added {
			return true
		}
	}
	return false
}

// nested marks a nested block and its contents.
func (w *walker) nested(c *merge.MergedBody, m plan.BodyItem, b *source.Block, nb *hclsyntax.Block, added *source.Block) {
	e := m.Entry
	switch {
	case e != nil && e.Rule.Do == rules.Flatten:
		w.block(c, b, nb, added)
		return
	case e == nil || !source.IsOverride(b) || isOf(b, added):
	case e.Inner() == nil:
		w.replacing(c, e, b, nb.Range())
		added = b
	default:
		w.whole(e, b, nb.Range(), effect.Adds)
		added = b
	}
	w.block(m.Content, b, nb, added)
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
