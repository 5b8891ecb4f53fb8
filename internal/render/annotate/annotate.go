package annotate

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Marks are put into the text of a block as it is printed without them. They are
// comments of their own, so taking them away gives that text again.

// An Annotator puts marks into texts.
type Annotator struct {
	Words
	screen screen.Screen
}

// New returns an Annotator that uses words. On a terminal its marks are dim, and marks that don't
// fit beside their line stand above it.
func New(w Words, to screen.Screen) *Annotator { return &Annotator{w, to} }

// A marker puts marks into the text of one top-level block.
type blockMarker struct {
	*Annotator
	text        []byte
	eol         string
	edits       []textedit.Edit
	put         map[string]bool            // the lines of marks
	aside       map[string]bool            // marks that don't fit beside their line
	sharedMarks map[*merge.MergedItem]mark // of nested blocks, which have one together
}

// Marked returns the text of a block with marks, laid out again if it was clean.
func (a *Annotator) Marked(block *plan.Block, text []byte, eol string) []byte {
	marker := &blockMarker{
		Annotator:   a,
		text:        text,
		eol:         eol,
		put:         map[string]bool{},
		sharedMarks: map[*merge.MergedItem]mark{},
	}
	parsed, _ := parse.Config(text, "", hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || len(body.Blocks) != 1 {
		return text
	}
	marker.top(block, body.Blocks[0])
	if len(marker.edits) == 0 {
		return text
	}
	marked := marker.applied()
	if marker.aside = marker.tooWide(marked); len(marker.aside) > 0 {
		marker.edits = nil
		marker.top(block, body.Blocks[0])
		marked = marker.applied()
	}
	return marker.colored(marked)
}

// applied is the text with the marks.
func (marker *blockMarker) applied() []byte {
	marked := textedit.Apply(marker.text, 0, len(marker.text), marker.edits)
	if layout.IsClean(marker.text) {
		return layout.Format(marked)
	}
	return marked
}

// tooWide are the marks on lines that are too long for a terminal.
func (marker *blockMarker) tooWide(marked []byte) map[string]bool {
	if !marker.screen.IsTerminal {
		return nil
	}
	list := map[string]bool{}
	for line := range bytes.Lines(marked) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) <= marker.screen.Width || screen.Columns(string(line)) <= marker.screen.Width {
			continue
		}
		for at := max(0, len(line)-maxMark); at < len(line); at++ {
			if mark := string(line[at:]); bytes.HasPrefix(line[at:], markStart) && marker.put[mark] {
				list[mark] = true
			}
		}
	}
	return list
}

// markStart is how each mark starts.
var markStart = []byte("# ")

// maxMark is how many bytes of a line can be a mark, which names few values and locations.
const maxMark = 8 << 10

// top marks a top-level block and its contents.
func (marker *blockMarker) top(block *plan.Block, nb *hclsyntax.Block) {
	switch {
	case block.Item != nil:
		marker.above(nb.TypeRange, marker.addition(block.Entry, block.Item))
		return
	case source.IsOverride(block.Source):
		marker.above(nb.TypeRange, mark{kind: effect.MarkAdded, place: wording.Place(block.Source)})
		marker.block(block.Content, block.Source, nb, block.Source)
		return
	}
	marker.block(block.Content, block.Source, nb, nil)
}

// block marks the contents of a merged block. Items from the override block added, which is nil for
// an existing block, have no separate marks.
func (marker *blockMarker) block(c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, added *source.Block) {
	idle := marker.idle(c, b)
	if isOnOneLine(marker.text, nb) {
		marker.oneLine(c, b, nb, idle, added)
		return
	}
	marker.body(c, b, nb, added)
	for _, m := range idle {
		marker.last(nb, m)
	}
}

// body marks the items of a block on several lines.
func (marker *blockMarker) body(c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, added *source.Block) {
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
				marker.attr(c, m, printed.SrcRange, added)
			}
		case *source.Block:
			if len(blocks) > 0 {
				marker.nested(c, m, blocks[0], added)
				blocks = blocks[1:]
			}
		}
	}
	if len(escaped) > 0 && len(blocks) > 0 {
		marker.escaped(c, escaped, blocks[0], added)
	}
}

// escaped marks items for which an escaping block was made.
func (marker *blockMarker) escaped(
	c *merge.MergedBody, list []plan.BodyItem, nb *hclsyntax.Block, added *source.Block,
) {
	blocks := nb.Body.Blocks
	for _, m := range list {
		if a, ok := m.Item.(*source.Attr); ok {
			marker.attr(c, m, nb.Body.Attributes[a.Name].SrcRange, added)
		} else {
			marker.nested(c, m, blocks[0], added)
			blocks = blocks[1:]
		}
	}
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

func (marker *blockMarker) attr(c *merge.MergedBody, m plan.BodyItem, at hcl.Range, added *source.Block) {
	text, ok := marker.argument(c, m.Entry, m.Item.(*source.Attr))
	if !ok || text.kind == effect.MarkAdded && isOf(m.Item, added) {
		return
	}
	marker.beside(at, text)
}

// nested marks a nested block and its contents.
func (marker *blockMarker) nested(c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	b := m.Item.(*source.Block)
	switch {
	case m.Entry == nil:
		return
	case m.Entry.Rule.Do == rules.Flatten:
		marker.block(c, b, nb, added)
		return
	case source.IsOverride(b) && m.Entry.Inner() == nil:
		marker.whole(c, m, nb, added)
		return
	case source.IsOverride(b) && !isOf(b, added):
		marker.beside(nb.Range(), mark{kind: effect.MarkAdded, place: wording.Place(b)})
		added = b
	}
	if m.Content != nil {
		marker.block(m.Content, b, nb, added)
	}
}

// whole marks a block that an override brought as a whole.
func (marker *blockMarker) whole(c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	text := marker.wholeBlock(c, m, marker.sharedMarks)
	if text.kind == effect.MarkAdded && isOf(m.Item, added) {
		return
	}
	marker.beside(nb.Range(), text)
}

// oneLine marks a block on one line, inside which marks can't be inserted.
func (marker *blockMarker) oneLine(
	c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, idle []mark, added *source.Block,
) {
	for _, m := range plan.Members(c, b) {
		if a, isAttr := m.Item.(*source.Attr); isAttr {
			if text, ok := marker.argument(c, m.Entry, a); ok && !(text.kind == effect.MarkAdded && isOf(a, added)) {
				if text.kind == effect.MarkOutranked {
					text.detail = "(" + diag.Escape(a.Name) + ")"
				} else {
					text.kind, text.detail = effect.MarkMerged, strings.TrimSpace(diag.Escape(a.Name)+" "+text.detail)
				}
				marker.beside(nb.Range(), text)
			}
		}
	}
	for _, m := range idle {
		marker.above(nb.TypeRange, m)
	}
}

// isOnOneLine reports whether a block's closing brace shares its line with anything before
// it.
func isOnOneLine(text []byte, nb *hclsyntax.Block) bool {
	at := nb.CloseBraceRange.Start.Byte
	return len(bytes.TrimSpace(text[textedit.LineStart(text, at):at])) > 0
}

// beside puts a mark behind an item of one line that has no comment there, else
// above it.
func (marker *blockMarker) beside(at hcl.Range, m mark) {
	from, to := at.Start.Byte, at.End.Byte
	end := to
	for end < len(marker.text) && (marker.text[end] == ' ' || marker.text[end] == '\t') {
		end++
	}
	isLast := end == len(marker.text) || marker.text[end] == '\n' || bytes.HasPrefix(marker.text[end:], []byte("\r\n"))
	if m.more != "" || !isLast || marker.aside[m.String()] || bytes.IndexByte(bytes.TrimRight(marker.text[from:to], "\r\n"), '\n') >= 0 {
		marker.above(at, m)
		return
	}
	text := m.String()
	if end == to {
		text = " " + text
	}
	marker.insert(end, text, m)
}

// above puts a mark on the line above an item.
func (marker *blockMarker) above(at hcl.Range, m mark) {
	marker.insert(
		textedit.TextStart(marker.text, at.Start.Byte), marker.lines(m, textedit.IndentAt(marker.text, at.Start.Byte)), m,
	)
}

// last puts a mark on the last line of a block.
func (marker *blockMarker) last(nb *hclsyntax.Block, m mark) {
	at := nb.CloseBraceRange.Start.Byte
	marker.insert(
		textedit.LineStart(marker.text, at), marker.lines(m, textedit.IndentAt(marker.text, at)+textedit.IndentUnit), m,
	)
}

// lines are the lines of a mark. A terminal gets no longer ones than fit.
func (marker *blockMarker) lines(m mark, indent string) string {
	text := m.lines(indent, "\n")
	if marker.screen.IsTerminal {
		text = screen.Wrap(text, marker.screen.Width, markHang)
	}
	for line := range strings.Lines(text) {
		marker.put[strings.TrimSpace(line)] = true
	}
	return strings.ReplaceAll(text, "\n", marker.eol)
}

// markHang starts the continuation lines of a mark.
const markHang = "#   "

func (marker *blockMarker) insert(at int, text string, m mark) {
	marker.edits = append(marker.edits, textedit.Replace(at, at, text))
	marker.put[m.String()] = true
}

// colored dims the marks in a text. They are found as comments, so that text
// in strings is never taken for one.
func (marker *blockMarker) colored(text []byte) []byte {
	if !marker.screen.IsColored() {
		return text
	}
	tokens := parse.Words(text)
	var edits []textedit.Edit
	for _, token := range tokens {
		if token.Type != hclsyntax.TokenComment {
			continue
		}
		comment := strings.TrimRight(string(token.Bytes), "\r\n")
		if start := token.Range.Start.Byte; marker.put[comment] {
			edits = append(edits, textedit.Replace(start, start+len(comment), marker.screen.Dim(comment)))
		}
	}
	return textedit.Apply(text, 0, len(text), edits)
}
