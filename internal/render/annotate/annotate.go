package annotate

import (
	"bytes"
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/parse"
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
	Words
	palette palette.Palette
	all     map[string]merge.Mark // those that were put, by their text
}

// New returns an Annotator for the blocks of a module. With redact its marks hold no
// earlier value.
func New(m *merge.Module, redact bool, colors palette.Palette) *Annotator {
	return &Annotator{NewWords(m, wording.NewRedactor(m.Source, redact)), colors, map[string]merge.Mark{}}
}

// Marks returns the marks that were put into texts: which kind of mark a comment is.
func (a *Annotator) Marks() map[string]merge.Mark { return a.all }

// A marker puts marks into the text of one top-level block.
type blockMarker struct {
	*Annotator
	text        []byte
	eol         string
	edits       []textedit.Edit
	put         map[string]merge.Mark      // the marks, by their text
	sharedMarks map[*merge.MergedItem]mark // of nested blocks, which have one together
}

// Marked returns the text of a block with marks, laid out again if it was clean.
func (a *Annotator) Marked(block *plan.Block, text []byte, eol string) []byte {
	marker := &blockMarker{
		Annotator:   a,
		text:        text,
		eol:         eol,
		put:         map[string]merge.Mark{},
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
	marked := textedit.Apply(text, 0, len(text), marker.edits)
	if layout.IsClean(text) {
		marked = layout.Format(marked)
	}
	maps.Copy(a.all, marker.put)
	return a.colored(marked, marker.put)
}

// top marks a top-level block and what is in it.
func (marker *blockMarker) top(block *plan.Block, nb *hclsyntax.Block) {
	switch {
	case block.Item != nil:
		marker.above(nb.TypeRange, marker.addition(block.Entry, block.Item))
		return
	case source.IsOverride(block.Source):
		marker.above(nb.TypeRange, mark{kind: merge.MarkAdded, place: wording.Place(block.Source)})
		marker.block(block.Content, block.Source, nb, block.Source)
		return
	}
	marker.block(block.Content, block.Source, nb, nil)
}

// block marks what is in a merged block. Items from the override block added,
// which is nil where the block was there before, have no marks of their own.
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

// body marks the items of a block that takes up several lines.
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
	if m.Entry == nil || m.Entry.Attr() != m.Item {
		return
	}
	text, ok := marker.argument(c, m.Entry, m.Entry.Attr())
	if !ok || text.kind == merge.MarkAdded && isOf(m.Item, added) {
		return
	}
	marker.beside(at, text)
}

// nested marks a nested block and what is in it.
func (marker *blockMarker) nested(c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	b := m.Item.(*source.Block)
	switch {
	case m.Entry == nil:
		return
	case m.Entry.Rule.Do == merge.Flatten:
		marker.block(c, b, nb, added)
		return
	case source.IsOverride(b) && m.Entry.Inner() == nil:
		marker.whole(c, m, nb, added)
		return
	case source.IsOverride(b) && !isOf(b, added):
		marker.beside(nb.Range(), mark{kind: merge.MarkAdded, place: wording.Place(b)})
		added = b
	}
	if m.Content != nil {
		marker.block(m.Content, b, nb, added)
	}
}

// whole marks a block that an override brought as a whole.
func (marker *blockMarker) whole(c *merge.MergedBody, m plan.BodyItem, nb *hclsyntax.Block, added *source.Block) {
	text := marker.wholeBlock(c, m, marker.sharedMarks)
	if text.kind == merge.MarkAdded && isOf(m.Item, added) {
		return
	}
	marker.beside(nb.Range(), text)
}

// oneLine marks a block on one line, in which there is no place for
// marks.
func (marker *blockMarker) oneLine(
	c *merge.MergedBody, b *source.Block, nb *hclsyntax.Block, idle []mark, added *source.Block,
) {
	for _, m := range plan.Members(c, b) {
		if a := m.Entry.Attr(); a != nil && a == m.Item {
			if text, ok := marker.argument(c, m.Entry, a); ok && !(text.kind == merge.MarkAdded && isOf(a, added)) {
				text.kind, text.detail = merge.MarkMerged, strings.TrimSpace(diag.Escape(a.Name)+" "+text.detail)
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
	if m.more != "" || !isLast || bytes.IndexByte(bytes.TrimRight(marker.text[from:to], "\r\n"), '\n') >= 0 {
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
		textedit.TextStart(marker.text, at.Start.Byte), m.lines(textedit.IndentAt(marker.text, at.Start.Byte), marker.eol), m,
	)
}

// last puts a mark on the last line of a block.
func (marker *blockMarker) last(nb *hclsyntax.Block, m mark) {
	at := nb.CloseBraceRange.Start.Byte
	marker.insert(
		textedit.LineStart(marker.text, at), m.lines(textedit.IndentAt(marker.text, at)+textedit.IndentUnit, marker.eol), m,
	)
}

func (marker *blockMarker) insert(at int, text string, m mark) {
	marker.edits = append(marker.edits, textedit.Replace(at, at, text))
	marker.put[m.String()] = m.kind
	if m.more != "" {
		marker.put[m.more] = m.kind
	}
}

// colored colours the marks in a text. They are found as comments, so that text
// in strings is never taken for one.
func (a *Annotator) colored(text []byte, put map[string]merge.Mark) []byte {
	if !a.palette.IsColored() {
		return text
	}
	tokens := parse.Words(text)
	var edits []textedit.Edit
	for _, token := range tokens {
		if token.Type != hclsyntax.TokenComment {
			continue
		}
		comment := strings.TrimRight(string(token.Bytes), "\r\n")
		start := token.Range.Start.Byte
		edits = append(edits, textedit.Replace(start, start+len(comment), a.palette.Mark(put[comment], comment)))
	}
	return textedit.Apply(text, 0, len(text), edits)
}
