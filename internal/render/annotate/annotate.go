package annotate

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Marks are put into the text of a block as it is printed without them. They are
// comments of their own, so taking them away gives that text again.

// An Annotator puts marks into texts.
type Annotator struct {
	wording.Teller
	palette palette.Palette
}

// New makes an annotator for the blocks of a module. With redact it tells no
// earlier value.
func New(m *merge.Module, redact bool, p palette.Palette) *Annotator {
	return &Annotator{wording.NewTeller(m.Source, redact), p}
}

// A marker puts marks into the text of one top-level block.
type marker struct {
	*Annotator
	text  []byte
	eol   string
	edits []textedit.Edit
	put   map[string]merge.Mark      // the marks, by their text
	told  map[*merge.MergedItem]mark // of nested blocks, which have one together
}

// Marked returns the text of a block with marks, laid out again if it was clean.
func (t *Annotator) Marked(p *plan.Block, text []byte, eol string) []byte {
	mk := &marker{Annotator: t, text: text, eol: eol, put: map[string]merge.Mark{}, told: map[*merge.MergedItem]mark{}}
	parsed, _ := hclsyntax.ParseConfig(textedit.WithJoinedLines(text), "", hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || len(body.Blocks) != 1 {
		return text
	}
	mk.top(p, body.Blocks[0])
	if len(mk.edits) == 0 {
		return text
	}
	marked := textedit.Apply(text, 0, len(text), mk.edits)
	if layout.IsClean(text) {
		marked = layout.Format(marked)
	}
	return t.colored(marked, mk.put)
}

// top marks a top-level block and what is in it.
func (mk *marker) top(p *plan.Block, nb *hclsyntax.Block) {
	switch {
	case p.Item != nil:
		m := mark{kind: merge.MarkAdded, place: wording.Place(p.Item)}
		for _, o := range p.Entry.Outcomes() {
			if o.Status == merge.StatusNoEffect {
				m.detail = "(" + wording.WhyIdle(o) + ")"
			}
		}
		mk.above(nb.TypeRange, m)
		return
	case source.IsOverride(p.Source):
		mk.above(nb.TypeRange, mark{kind: merge.MarkAdded, place: wording.Place(p.Source)})
		mk.block(p.Content, p.Source, nb, p.Source)
		return
	}
	mk.block(p.Content, p.Source, nb, nil)
}

// block marks what is in a merged block. Items from the override block added,
// which is nil where the block was there before, have no marks of their own.
func (mk *marker) block(c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, added *source.Block) {
	idle := mk.idle(c, b)
	if isOnOneLine(mk.text, nb) {
		mk.oneLine(c, b, nb, idle, added)
		return
	}
	mk.body(c, b, nb, added)
	for _, m := range idle {
		mk.last(nb, m)
	}
}

// body marks the items of a block that takes up several lines.
func (mk *marker) body(c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, added *source.Block) {
	blocks := nb.Body.Blocks
	list := plan.Members(c, b)
	var escaped []plan.BodyItem
	for _, m := range list {
		if m.Escaped {
			escaped = append(escaped, m)
			continue
		}
		switch it := m.Item.(type) {
		case *source.Attr:
			if printed := nb.Body.Attributes[it.Name]; printed != nil {
				mk.attr(c, m, printed.SrcRange, added)
			}
		case *source.Block:
			if len(blocks) > 0 {
				mk.nested(c, m, blocks[0], added)
				blocks = blocks[1:]
			}
		}
	}
	if len(escaped) > 0 && len(blocks) > 0 {
		mk.escaped(c, escaped, blocks[0], added)
	}
}

// escaped marks items for which an escaping block was made.
func (mk *marker) escaped(c *merge.MergedBody, list []plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	blocks := nb.Body.Blocks
	for _, m := range list {
		if a, ok := m.Item.(*source.Attr); ok {
			mk.attr(c, m, nb.Body.Attributes[a.Name].SrcRange, added)
		} else {
			mk.nested(c, m, blocks[0], added)
			blocks = blocks[1:]
		}
	}
}

// isOf tells whether an item came with the block that was added as a whole.
func isOf(it source.Item, added *source.Block) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if b == added {
			return true
		}
	}
	return false
}

func (mk *marker) attr(c *merge.MergedBody, m plan.BodyItem, at hcl.Range, added *source.Block) {
	if m.Entry == nil || m.Entry.Attr() != m.Item {
		return
	}
	text, ok := mk.argument(c, m.Entry, m.Entry.Attr())
	if !ok || text.kind == merge.MarkAdded && isOf(m.Item, added) {
		return
	}
	mk.beside(at, text)
}

// nested marks a nested block and what is in it.
func (mk *marker) nested(c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	b := m.Item.(*source.Block)
	switch {
	case m.Entry == nil:
		return
	case m.Entry.Rule.Do == merge.Flatten:
		mk.block(c, b, nb, added)
		return
	case source.IsOverride(b) && m.Entry.Inner == nil:
		mk.whole(c, m, nb, added)
		return
	case source.IsOverride(b) && !isOf(b, added):
		mk.beside(nb.Range(), mark{kind: merge.MarkAdded, place: wording.Place(b)})
		added = b
	}
	if m.Content != nil {
		mk.block(m.Content, b, nb, added)
	}
}

// whole marks a block that an override brought as a whole. Of several the first
// tells what they replace.
func (mk *marker) whole(c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	text, known := mk.told[m.Entry]
	if !known {
		text = mk.blocks(c, m.Entry)
		mk.told[m.Entry] = text
	}
	if text.kind == merge.MarkAdded && isOf(m.Item, added) {
		return
	}
	if m.Item != m.Entry.Live[0] {
		text = mark{kind: text.kind, place: wording.Place(m.Item)}
	}
	mk.beside(nb.Range(), text)
}

// oneLine marks a block that stands on one line, in which there is no place for
// marks.
func (mk *marker) oneLine(c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, idle []mark, added *source.Block) {
	for _, m := range plan.Members(c, b) {
		if a := m.Entry.Attr(); a != nil && a == m.Item {
			if text, ok := mk.argument(c, m.Entry, a); ok && !(text.kind == merge.MarkAdded && isOf(a, added)) {
				text.kind, text.detail = merge.MarkMerged, strings.TrimSpace(diag.Escape(a.Name)+" "+text.detail)
				mk.beside(nb.Range(), text)
			}
		}
	}
	for _, m := range idle {
		mk.above(nb.TypeRange, m)
	}
}

// isOnOneLine tells whether a block has no line for its closing brace alone.
func isOnOneLine(text []byte, nb *hclsyntax.Block) bool {
	at := nb.CloseBraceRange.Start.Byte
	return len(bytes.TrimSpace(text[textedit.LineStart(text, at):at])) > 0
}

// beside puts a mark behind an item of one line that has no comment there, else
// above it.
func (mk *marker) beside(at hcl.Range, m mark) {
	from, to := at.Start.Byte, at.End.Byte
	end := to
	for end < len(mk.text) && (mk.text[end] == ' ' || mk.text[end] == '\t') {
		end++
	}
	isLast := end == len(mk.text) || mk.text[end] == '\n' || bytes.HasPrefix(mk.text[end:], []byte("\r\n"))
	if m.more != "" || !isLast || bytes.IndexByte(bytes.TrimRight(mk.text[from:to], "\r\n"), '\n') >= 0 {
		mk.above(at, m)
		return
	}
	text := m.String()
	if end == to {
		text = " " + text
	}
	mk.insert(end, text, m)
}

// above puts a mark on the line above an item.
func (mk *marker) above(at hcl.Range, m mark) {
	mk.insert(textedit.TextStart(mk.text, at.Start.Byte), m.lines(textedit.IndentAt(mk.text, at.Start.Byte), mk.eol), m)
}

// last puts a mark on the last line of a block.
func (mk *marker) last(nb *hclsyntax.Block, m mark) {
	at := nb.CloseBraceRange.Start.Byte
	mk.insert(textedit.LineStart(mk.text, at), m.lines(textedit.IndentAt(mk.text, at)+textedit.IndentUnit, mk.eol), m)
}

func (mk *marker) insert(at int, text string, m mark) {
	mk.edits = append(mk.edits, textedit.Replace(at, at, text))
	mk.put[m.String()] = m.kind
	if m.more != "" {
		mk.put[m.more] = m.kind
	}
}

// colored colours the marks in a text. They are found as comments, so that what
// stands in strings is never taken for one.
func (t *Annotator) colored(text []byte, put map[string]merge.Mark) []byte {
	if !t.palette.IsColored() {
		return text
	}
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	var edits []textedit.Edit
	for _, token := range tokens {
		if token.Type != hclsyntax.TokenComment {
			continue
		}
		comment := strings.TrimRight(string(token.Bytes), "\r\n")
		start := token.Range.Start.Byte
		edits = append(edits, textedit.Replace(start, start+len(comment), t.palette.Mark(put[comment], comment)))
	}
	return textedit.Apply(text, 0, len(text), edits)
}
