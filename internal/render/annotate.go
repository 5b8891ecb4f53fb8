package render

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Marks are put into the text of a block as it is printed without them. They are
// comments of their own, so taking them away gives that text again.

// An annotator puts marks into texts.
type annotator struct {
	teller
	palette Palette
}

// newAnnotator makes an annotator for the blocks of a module. With redact it tells no
// earlier value.
func newAnnotator(m *merge.Module, redact bool, p Palette) *annotator {
	return &annotator{teller{module: m.Source, redact: redact}, p}
}

// A marker puts marks into the text of one top-level block.
type marker struct {
	*annotator
	text  []byte
	eol   string
	edits []edit
	put   map[string]kindOfMark      // the marks, by their text
	told  map[*merge.MergedItem]mark // of nested blocks, which have one together
}

// marked returns the text of a block with marks, laid out again if it was clean.
func (t *annotator) marked(p *piece, text []byte, eol string) []byte {
	mk := &marker{annotator: t, text: text, eol: eol, put: map[string]kindOfMark{}, told: map[*merge.MergedItem]mark{}}
	parsed, _ := hclsyntax.ParseConfig(withJoinedLines(text), "", hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || len(body.Blocks) != 1 {
		return text
	}
	mk.top(p, body.Blocks[0])
	if len(mk.edits) == 0 {
		return text
	}
	return t.colored(layout(splice(text, 0, len(text), mk.edits), isClean(text)), mk.put)
}

// top marks a top-level block and what is in it.
func (mk *marker) top(p *piece, nb *hclsyntax.Block) {
	switch {
	case p.only != nil:
		m := mark{kind: markAdded, place: placeText(p.only)}
		for _, o := range p.entry.Outcomes() {
			if o.Status == merge.StatusNoEffect {
				m.detail = "(" + whyIdle(o) + ")"
			}
		}
		mk.above(nb.TypeRange, m)
		return
	case load.IsOverride(p.block):
		mk.above(nb.TypeRange, mark{kind: markAdded, place: placeText(p.block)})
		mk.block(p.content, p.block, nb, p.block)
		return
	}
	mk.block(p.content, p.block, nb, nil)
}

// block marks what is in a merged block. Items from the override block added,
// which is nil where the block was there before, have no marks of their own.
func (mk *marker) block(c *merge.MergedBody, b *load.Block, nb *hclsyntax.Block, added *load.Block) {
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
func (mk *marker) body(c *merge.MergedBody, b *load.Block, nb *hclsyntax.Block, added *load.Block) {
	blocks := nb.Body.Blocks
	list := members(c, b)
	var escaped []member
	for _, m := range list {
		if m.escaped {
			escaped = append(escaped, m)
			continue
		}
		switch it := m.item.(type) {
		case *load.Attr:
			if printed := nb.Body.Attributes[it.Name]; printed != nil {
				mk.attr(c, m, printed.SrcRange, added)
			}
		case *load.Block:
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
func (mk *marker) escaped(c *merge.MergedBody, list []member, nb *hclsyntax.Block, added *load.Block) {
	blocks := nb.Body.Blocks
	for _, m := range list {
		if a, ok := m.item.(*load.Attr); ok {
			mk.attr(c, m, nb.Body.Attributes[a.Name].SrcRange, added)
		} else {
			mk.nested(c, m, blocks[0], added)
			blocks = blocks[1:]
		}
	}
}

// isOf tells whether an item came with the block that was added as a whole.
func isOf(it load.Item, added *load.Block) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if b == added {
			return true
		}
	}
	return false
}

func (mk *marker) attr(c *merge.MergedBody, m member, at hcl.Range, added *load.Block) {
	if m.entry == nil || m.entry.Attr() != m.item {
		return
	}
	text, ok := mk.argument(c, m.entry, m.entry.Attr())
	if !ok || text.kind == markAdded && isOf(m.item, added) {
		return
	}
	mk.beside(at, text)
}

// nested marks a nested block and what is in it.
func (mk *marker) nested(c *merge.MergedBody, m member, nb *hclsyntax.Block, added *load.Block) {
	b := m.item.(*load.Block)
	switch {
	case m.entry == nil:
		return
	case m.entry.Rule.Do == merge.Flatten:
		mk.block(c, b, nb, added)
		return
	case load.IsOverride(b) && m.entry.Inner == nil:
		mk.whole(c, m, nb, added)
		return
	case load.IsOverride(b) && !isOf(b, added):
		mk.beside(nb.Range(), mark{kind: markAdded, place: placeText(b)})
		added = b
	}
	if m.content != nil {
		mk.block(m.content, b, nb, added)
	}
}

// whole marks a block that an override brought as a whole. Of several the first
// tells what they replace.
func (mk *marker) whole(c *merge.MergedBody, m member, nb *hclsyntax.Block, added *load.Block) {
	text, known := mk.told[m.entry]
	if !known {
		text = mk.blocks(c, m.entry)
		mk.told[m.entry] = text
	}
	if text.kind == markAdded && isOf(m.item, added) {
		return
	}
	if m.item != m.entry.Live[0] {
		text = mark{kind: text.kind, place: placeText(m.item)}
	}
	mk.beside(nb.Range(), text)
}

// oneLine marks a block that stands on one line, in which there is no place for
// marks.
func (mk *marker) oneLine(c *merge.MergedBody, b *load.Block, nb *hclsyntax.Block, idle []mark, added *load.Block) {
	for _, m := range members(c, b) {
		if a := m.entry.Attr(); a != nil && a == m.item {
			if text, ok := mk.argument(c, m.entry, a); ok && !(text.kind == markAdded && isOf(a, added)) {
				text.kind, text.detail = markMerged, strings.TrimSpace(load.Escape(a.Name)+" "+text.detail)
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
	return len(bytes.TrimSpace(text[lineStart(text, at):at])) > 0
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
	mk.insert(textStart(mk.text, at.Start.Byte), m.lines(indentAt(mk.text, at.Start.Byte), mk.eol), m)
}

// last puts a mark on the last line of a block.
func (mk *marker) last(nb *hclsyntax.Block, m mark) {
	at := nb.CloseBraceRange.Start.Byte
	mk.insert(lineStart(mk.text, at), m.lines(indentAt(mk.text, at)+indentUnit, mk.eol), m)
}

func (mk *marker) insert(at int, text string, m mark) {
	mk.edits = append(mk.edits, exchange(at, at, text))
	mk.put[m.String()] = m.kind
	if m.more != "" {
		mk.put[m.more] = m.kind
	}
}

// colored colours the marks in a text. They are found as comments, so that what
// stands in strings is never taken for one.
func (t *annotator) colored(text []byte, put map[string]kindOfMark) []byte {
	if !t.palette.IsColored() {
		return text
	}
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	var edits []edit
	for _, token := range tokens {
		if token.Type != hclsyntax.TokenComment {
			continue
		}
		comment := strings.TrimRight(string(token.Bytes), "\r\n")
		if kind, ok := put[comment]; ok {
			start := token.Range.Start.Byte
			edits = append(edits, exchange(start, start+len(comment), t.palette.Mark(kind, comment)))
		}
	}
	return splice(text, 0, len(text), edits)
}
