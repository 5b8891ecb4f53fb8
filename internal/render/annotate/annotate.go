// Package annotate puts marks into native text: comments that describe the effects of overrides.
//
// Given the text of one top-level block as it is printed without marks and the block's plan, it
// returns the text with marks, formatted again if it was formatted. Removing the comments restores
// the text. A text that can't be parsed is returned unchanged.
package annotate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/outline"
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

// An Annotator puts marks into texts. On a terminal those that don't fit beside their line stand above it.
type Annotator struct {
	Words
	Screen screen.Screen
	// Lines are the lines of all marks that were put into texts.
	Lines map[string]bool
}

// A blockMarker puts marks into the text of one top-level block.
type blockMarker struct {
	*Annotator
	text        []byte
	eol         string
	edits       []textedit.Edit
	aside       map[string]bool            // marks that don't fit beside their line
	sharedMarks map[*merge.MergedItem]mark // of nested blocks, which have one together
}

// Marked returns the text of a block with marks, laid out again if it was clean. Marks that turn out too
// wide for a terminal are put above their lines, in a second pass.
func (a *Annotator) Marked(block *plan.Block, text []byte, eol string) []byte {
	marker := &blockMarker{
		Annotator:   a,
		text:        text,
		eol:         eol,
		sharedMarks: map[*merge.MergedItem]mark{},
	}
	if !Walk(block, text, marker) || len(marker.edits) == 0 {
		return text
	}
	marked := marker.applied()
	if marker.aside = marker.tooWide(marked); len(marker.aside) > 0 {
		marker.edits = nil
		Walk(block, text, marker)
		marked = marker.applied()
	}
	return marked
}

// applied returns the text with the marks, laid out again if it was clean without them.
func (marker *blockMarker) applied() []byte {
	marked := textedit.Apply(marker.text, 0, len(marker.text), marker.edits)
	if layout.IsClean(marker.text) {
		return layout.Format(marked)
	}
	return marked
}

// tooWide returns the marks at the ends of lines that are too long for a terminal.
func (marker *blockMarker) tooWide(marked []byte) map[string]bool {
	if !marker.Screen.IsTerminal {
		return nil
	}
	list := map[string]bool{}
	for line := range bytes.Lines(marked) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) <= marker.Screen.Width || screen.Columns(string(line)) <= marker.Screen.Width {
			continue
		}
		for at := max(0, len(line)-maxMark); at < len(line); at++ {
			if mark := string(line[at:]); bytes.HasPrefix(line[at:], markStart) && marker.Lines[mark] {
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

// Top implements Visitor.
func (marker *blockMarker) Top(block *plan.Block, printed Printed) {
	m := mark{kind: effect.MarkAdded, place: wording.Place(block.Source)}
	if block.Item != nil {
		m = marker.addition(block.Entry, block.Item)
	}
	marker.putAbove(printed.Range(), m)
}

// Argument implements Visitor. Inside a block on one line marks can't be inserted.
func (marker *blockMarker) Argument(b Body, m plan.BodyItem, printed Printed) {
	a := m.Item.(*source.Attr)
	text, ok := marker.argument(b.Content, m.Entry, a)
	switch {
	case !ok || text.kind == effect.MarkAdded && b.CameWith(a):
	case !isOnOneLine(marker.text, b.Printed):
		marker.putBeside(printed.Range(), text)
	default:
		text.kind, text.detail = effect.MarkMerged, strings.TrimSpace(diag.Escape(a.Name)+" "+text.detail)
		marker.putBeside(b.Printed.Range(), text)
	}
}

// Block implements Visitor.
func (marker *blockMarker) Block(b Body, m plan.BodyItem, printed Printed) {
	text := mark{kind: effect.MarkAdded, place: wording.Place(m.Item)}
	if m.Entry.Inner() == nil {
		text = marker.wholeBlock(b.Content, m, marker.sharedMarks)
	}
	marker.putBeside(printed.Range(), text)
}

// End implements Visitor: overrides without effect are marked on the last line of a block.
func (marker *blockMarker) End(b Body) {
	for _, m := range marker.idle(b.Content, b.Source) {
		if isOnOneLine(marker.text, b.Printed) {
			marker.putAbove(b.Printed.Range(), m)
		} else {
			marker.putLast(b.Printed, m)
		}
	}
}

// isOnOneLine reports whether a block's closing brace shares its line with anything before
// it.
func isOnOneLine(text []byte, nb Printed) bool {
	at := nb.Range().End.Byte - 1
	return len(bytes.TrimSpace(text[textedit.LineStart(text, at):at])) > 0
}

// putBeside puts a mark behind an item of one line that has no comment there, else above it.
func (marker *blockMarker) putBeside(at hcl.Range, m mark) {
	from, to := at.Start.Byte, at.End.Byte
	end := to
	for end < len(marker.text) && (marker.text[end] == ' ' || marker.text[end] == '\t') {
		end++
	}
	isLast := end == len(marker.text) || marker.text[end] == '\n' || bytes.HasPrefix(marker.text[end:], []byte("\r\n"))
	if m.more != "" || !isLast || marker.aside[m.String()] || bytes.IndexByte(bytes.TrimRight(marker.text[from:to], "\r\n"), '\n') >= 0 {
		marker.putAbove(at, m)
		return
	}
	text := m.String()
	if end == to {
		text = " " + text
	}
	marker.insert(end, text, m)
}

// putAbove puts a mark on the line above an item.
func (marker *blockMarker) putAbove(at hcl.Range, m mark) {
	marker.insert(
		textedit.TextStart(marker.text, at.Start.Byte), marker.lines(m, textedit.IndentAt(marker.text, at.Start.Byte)), m,
	)
}

// putLast puts a mark on the last line of a block.
func (marker *blockMarker) putLast(nb Printed, m mark) {
	at := nb.Range().End.Byte - 1
	marker.insert(
		textedit.LineStart(marker.text, at), marker.lines(m, textedit.IndentAt(marker.text, at)+textedit.IndentUnit), m,
	)
}

// lines returns the lines of a mark, broken if they don't fit a terminal, and enters them in Lines.
func (marker *blockMarker) lines(m mark, indent string) string {
	text := m.lines(indent, "\n")
	if marker.Screen.IsTerminal {
		text = screen.Wrap(text, marker.Screen.Width, markHang)
	}
	text = whole(text)
	for line := range strings.Lines(text) {
		marker.Lines[strings.TrimSpace(line)] = true
	}
	return strings.ReplaceAll(text, "\n", marker.eol)
}

// markHang starts the continuation lines of a mark.
const markHang = "#   "

func (marker *blockMarker) insert(at int, text string, m mark) {
	marker.edits = append(marker.edits, textedit.Replace(at, at, text))
	marker.Lines[m.String()] = true
}

// A Visitor notes what overrides did in the printed text of a top-level block.
type Visitor interface {
	// Top is called with what an override added to the top level: a block, or one argument of it.
	Top(block *plan.Block, printed Printed)
	// Argument is called with each argument of a body.
	Argument(b Body, m plan.BodyItem, printed Printed)
	// Block is called with each nested block that an override brought, before what is in it.
	Block(b Body, m plan.BodyItem, printed Printed)
	// End is called behind the contents of a body that overrides changed.
	End(b Body)
}

// A Body is the contents of a block and how they are printed.
type Body struct {
	Content *merge.MergedBody // nil if they are unchanged
	Source  *source.Block
	Printed Printed
	added   *source.Block // the block around the contents, or with them, that an override added; or nil
}

// CameWith reports whether an item is part of the block that an override added around it.
func (b Body) CameWith(it source.Item) bool { return isOf(it, b.added) }

// isOf reports whether an item is inside a block, at any depth.
func isOf(it source.Item, added *source.Block) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if b == added {
			return true
		}
	}
	return false
}

// A Printed is an argument or a block in the printed text of a top-level block.
type Printed struct {
	text []byte
	tree *outline.Tree
	at   int // its index in the tree
}

// Range returns the range of an item in the printed text, without comments.
func (p Printed) Range() hcl.Range {
	it := p.tree.Items[p.at]
	return outline.Span{Start: it.Name.Start, End: it.Value.End}.In("")
}

// Value returns the range of an argument's value in the printed text.
func (p Printed) Value() hcl.Range { return p.tree.Items[p.at].Value.In("") }

// contents returns the arguments in a block, by their names, and the nested blocks.
func (p Printed) contents() (attrs map[string]Printed, blocks []Printed) {
	attrs = map[string]Printed{}
	end := p.tree.After(p.at)
	for p.at++; p.at < end; p.at = p.tree.After(p.at) {
		if it := p.tree.Items[p.at]; it.IsBlock {
			blocks = append(blocks, p)
		} else {
			attrs[string(it.Name.Of(p.text))] = p
		}
	}
	return attrs, blocks
}

// parseBlock reads the text of one block, with the parser only if the outline isn't sure. It reports false
// if the text can't be parsed.
func parseBlock(text []byte) (p Printed, ok bool) {
	if scan := outline.NewScanner(text); scan.Next() == outline.Found {
		tree := outline.Tree{Items: slices.Clone(scan.Items)} // Next overwrites them
		if scan.Next() == outline.End {
			return Printed{text: text, tree: &tree}, true
		}
	}
	parsed, diags := parse.Config(text, "", hcl.InitialPos)
	file, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || diags.HasErrors() || len(file.Blocks) != 1 {
		return Printed{}, false
	}
	return Printed{text: text, tree: new(parse.Outline(file.Blocks[0]))}, true
}

// Walk reads the printed text of a top-level block side by side with the block's merged contents. It
// reports false if the text can't be parsed.
func Walk(block *plan.Block, text []byte, v Visitor) bool {
	printed, ok := parseBlock(text)
	if !ok {
		return false
	}
	body := Body{Content: block.Content, Source: block.Source, Printed: printed}
	if block.Item != nil || source.IsOverride(block.Source) {
		v.Top(block, body.Printed)
		body.added = block.Source
	}
	if block.Item == nil {
		body.walk(v)
	}
	return true
}

// walk visits the members of a body with what is printed of them: arguments by their names, and blocks by their
// order. Escaped members are in the block that is left, the escaping block made for them.
func (b Body) walk(v Visitor) {
	attrs, blocks := b.Printed.contents()
	var escaped []plan.BodyItem
	for _, m := range plan.Members(b.Content, b.Source) {
		if m.Escaped {
			escaped = append(escaped, m)
			continue
		}
		blocks = b.member(v, m, attrs, blocks)
	}
	if len(escaped) > 0 && len(blocks) > 0 {
		attrs, inner := blocks[0].contents()
		for _, m := range escaped {
			inner = b.member(v, m, attrs, inner)
		}
	}
	if b.Content != nil {
		v.End(b)
	}
}

// member visits an item with its printed form: an argument is found by its name, and a block is the first
// of blocks. It returns the blocks that are left.
func (b Body) member(v Visitor, m plan.BodyItem, attrs map[string]Printed, blocks []Printed) []Printed {
	switch it := m.Item.(type) {
	case *source.Attr:
		if a, isPrinted := attrs[it.Name]; isPrinted {
			v.Argument(b, m, a)
		}
	case *source.Block:
		if len(blocks) > 0 {
			b.nested(v, m, it, blocks[0])
			return blocks[1:]
		}
	}
	return blocks
}

// nested visits a nested block and its contents. The contents of an escaping block belong to the body around it;
// a block that an override brought is visited itself first.
func (b Body) nested(v Visitor, m plan.BodyItem, it *source.Block, printed Printed) {
	inner := Body{m.Content, it, printed, b.added}
	switch e := m.Entry; {
	case e == nil:
	case e.Rule.Do == rules.Flatten:
		inner.Content = b.Content
	case source.IsOverride(it) && !b.CameWith(it):
		v.Block(b, m, printed)
		inner.added = it
	}
	inner.walk(v)
}
