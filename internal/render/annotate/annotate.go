// Package annotate puts marks into native text: comments that describe the effects of overrides.
//
// Given the text of one top-level block as it is printed without marks and the block's plan, it
// returns the text with marks, formatted again if it was formatted, or the marks with their places, for a page.
// Removing the comments restores the text. A text that can't be parsed is returned unchanged.
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
)

// An Annotator puts marks into texts. On a terminal those that don't fit beside their line stand above it.
type Annotator struct {
	Words
	Screen screen.Screen
	// Lines holds the lines of all marks that were put into texts, to tell them from comments of the files.
	Lines map[string]bool
}

// Marked returns the text of a block with marks and with line ends eol, formatted again if it was formatted.
// Formatting moves the marks, so only its result shows which are too wide for a terminal; a second pass puts those
// above their lines.
func (a *Annotator) Marked(block *plan.Block, text []byte, eol string) []byte {
	notes, _ := a.NotesOn(block, text)
	if len(notes.List) == 0 {
		return text
	}
	marker := &blockMarker{Annotator: a, text: text, eol: eol}
	marked := marker.withMarks(notes.List)
	// The second pass starts over, and puts the marks in aside above their lines.
	if marker.aside = marker.tooWide(marked); len(marker.aside) > 0 {
		marker.edits = nil
		marked = marker.withMarks(notes.List)
	}
	return marked
}

// A blockMarker puts marks into the text of one top-level block.
type blockMarker struct {
	*Annotator
	text  []byte
	eol   string
	edits []textedit.Edit
	aside map[string]bool // marks that go above their line, since they don't fit behind it
}

// withMarks returns the text with the marks of notes, formatted if it was formatted without them.
func (marker *blockMarker) withMarks(notes []Note) []byte {
	for _, n := range notes {
		switch n.Spot {
		case Beside:
			marker.putBeside(n.At, n.Mark)
		case Above:
			marker.putAbove(n.At, n.Mark)
		case Last:
			marker.putLast(n.At, n.Mark)
		}
	}
	marked := textedit.Apply(marker.text, 0, len(marker.text), marker.edits)
	if layout.IsClean(marker.text) { // the block was formatted, so align its marks as well
		return layout.Format(marked)
	}
	return marked
}

// tooWide returns the marks that end lines which are too long for the terminal; none if the output is no terminal.
func (marker *blockMarker) tooWide(marked []byte) map[string]bool {
	if !marker.Screen.IsTerminal {
		return nil
	}
	list := map[string]bool{}
	for line := range bytes.Lines(marked) {
		line = bytes.TrimRight(line, "\r\n")
		// len is cheaper than Columns, and enough for most lines.
		if len(line) <= marker.Screen.Width || screen.Columns(string(line)) <= marker.Screen.Width {
			continue
		}
		// Where the mark starts isn't known, since a # may also be in the value or in the mark: try each one near the
		// end.
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

// maxMark is how many bytes at the end of a long line are searched for a mark. Marks name few values and locations,
// so they are shorter.
const maxMark = 8 << 10

// putBeside inserts a mark behind an item that is on one line and has no comment there, else above it. The mark also
// goes above if it has a second line, or if aside says that it is too wide.
func (marker *blockMarker) putBeside(at hcl.Range, m Mark) {
	from, to := at.Start.Byte, at.End.Byte
	end := to // behind the blanks that follow the item
	for end < len(marker.text) && (marker.text[end] == ' ' || marker.text[end] == '\t') {
		end++
	}
	// isLast: nothing follows the item on its line.
	isLast := end == len(marker.text) || marker.text[end] == '\n' || bytes.HasPrefix(marker.text[end:], []byte("\r\n"))
	isOneLine := bytes.IndexByte(bytes.TrimRight(marker.text[from:to], "\r\n"), '\n') < 0
	hasSecondLine := m.dropped != ""
	if !isLast || !isOneLine || hasSecondLine || marker.aside[m.String()] {
		marker.putAbove(at, m)
		return
	}
	text := m.String()
	if end == to { // no blank separates the item from the mark
		text = " " + text
	}
	marker.insert(end, text, m)
}

// putAbove inserts a mark on the line above an item.
func (marker *blockMarker) putAbove(at hcl.Range, m Mark) {
	marker.insert(
		textedit.TextStart(marker.text, at.Start.Byte), marker.lines(m, textedit.IndentAt(marker.text, at.Start.Byte)), m,
	)
}

// putLast inserts a mark above the closing brace of a block, indented like the contents. around is the block's range.
func (marker *blockMarker) putLast(around hcl.Range, m Mark) {
	at := around.End.Byte - 1
	marker.insert(
		textedit.LineStart(marker.text, at), marker.lines(m, textedit.IndentAt(marker.text, at)+textedit.IndentUnit), m,
	)
}

// lines returns the lines of a mark at an indentation, broken if they don't fit the terminal, and enters them in
// Lines.
func (marker *blockMarker) lines(m Mark, indent string) string {
	text := m.lines(indent, "\n")
	if marker.Screen.IsTerminal {
		text = screen.Wrap(text, marker.Screen.Width, markHang)
	}
	text = restoreBlanks(text)
	for line := range strings.Lines(text) {
		marker.Lines[strings.TrimSpace(line)] = true
	}
	return strings.ReplaceAll(text, "\n", marker.eol)
}

// markHang starts the continuation lines of a mark.
const markHang = "#   "

// insert inserts text, the wording of m, at an offset. It enters the mark in Lines, so that the output can colour it.
func (marker *blockMarker) insert(at int, text string, m Mark) {
	marker.edits = append(marker.edits, textedit.Replace(at, at, text))
	marker.Lines[m.String()] = true
}

// Notes describe what overrides did in the printed text of a top-level block.
type Notes struct {
	List    []Note
	Secrets [][2]int // the byte ranges of values that must not be shown to people
}

// A Note is a mark with its location in a text.
type Note struct {
	Mark
	At   hcl.Range // of the item, or with Last of the block; without comments
	Spot Spot
}

// A Spot is where a mark stands.
type Spot int

// The spots of marks.
const (
	Beside Spot = iota // behind the item on its line
	Above              // on the line above the item
	Last               // on the last line in the block
)

// A noter collects the notes on the text of one top-level block.
type noter struct {
	Words
	Notes
	text   []byte
	shared map[*merge.MergedItem]Mark // of whole nested blocks, see wholeBlockMark
}

// NotesOn returns the notes on a block, given its text as it is printed without marks. For a block that an override
// added, one mark on the block covers all that came with it. NotesOn reports false if the text can't be parsed.
func (w Words) NotesOn(block *plan.Block, text []byte) (Notes, bool) {
	p, ok := parseBlock(text)
	if !ok {
		return Notes{}, false
	}
	n := &noter{Words: w, text: text, shared: map[*merge.MergedItem]Mark{}}
	body := printedBody{content: block.Content, source: block.Source, printed: p}
	switch {
	case block.Item != nil: // the block was made to print this one item
		n.add(Above, p.span(), w.additionMark(block.Entry, block.Item))
		return n.Notes, true
	case source.IsOverride(block.Source):
		n.add(Above, p.span(), Mark{Kind: effect.MarkAdded, By: block.Source, Entry: w.Merged.Root.Owner(block.Source)})
		body.added = block.Source // its mark covers what it brought
	}
	n.noteBody(body)
	return n.Notes, true
}

// add adds a note: mark m for the text range at.
func (n *noter) add(spot Spot, at hcl.Range, m Mark) { n.List = append(n.List, Note{m, at, spot}) }

// noteBody takes notes on the members of a body. It finds them in the printed text: arguments by their names, blocks
// by their order. Escaped members are in an escaping block (_) that was made for them: after the other members have
// taken their blocks, it is the one that is left.
func (n *noter) noteBody(b printedBody) {
	attrs, blocks := b.printed.contents()
	var escaped []plan.BodyItem
	for _, m := range plan.Members(b.content, b.source) {
		if m.Escaped {
			escaped = append(escaped, m)
			continue
		}
		blocks = n.noteMember(b, m, attrs, blocks)
	}
	if len(escaped) > 0 && len(blocks) > 0 { // blocks[0] is the escaping block
		attrs, inner := blocks[0].contents()
		for _, m := range escaped {
			inner = n.noteMember(b, m, attrs, inner)
		}
	}
	if b.content != nil { // overrides may have addressed the body, some of them without effect
		n.noteIdle(b)
	}
}

// noteMember takes notes on m, an item of body b. attrs and blocks are what is printed in b: an argument is found by
// its name, and a block is the first of blocks. It returns the blocks that are left.
func (n *noter) noteMember(b printedBody, m plan.BodyItem, attrs map[string]printed, blocks []printed) []printed {
	switch it := m.Item.(type) {
	case *source.Attr:
		if p, isPrinted := attrs[it.Name]; isPrinted {
			n.noteArgument(b, m, p)
		}
	case *source.Block:
		if len(blocks) > 0 {
			n.noteBlock(b, m, it, blocks[0])
			return blocks[1:]
		}
	}
	return blocks
}

// noteArgument takes the note on argument m of body b, which is printed as p. An argument that came with an added
// block needs none. In a block on one line, the mark stands beside the block and names the argument. A value that
// must not be shown is entered in Secrets.
func (n *noter) noteArgument(b printedBody, m plan.BodyItem, p printed) {
	a := m.Item.(*source.Attr)
	if n.IsSecret(a) {
		at := p.tree.Items[p.at].Value
		n.Secrets = append(n.Secrets, [2]int{int(at.Start.Byte), int(at.End.Byte)})
	}
	mark, ok := n.Words.argumentMark(b.content, m.Entry, a)
	switch {
	case !ok || mark.Kind == effect.MarkAdded && isInside(a, b.added): // no override, or the block's mark covers it
	case !isOnOneLine(n.text, b.printed):
		n.add(Beside, p.span(), mark)
	default: // the block has one line, so its mark says that the override changed this argument of it
		mark.Kind, mark.detail = effect.MarkMerged, strings.TrimSpace(diag.Escape(a.Name)+" "+mark.detail)
		n.add(Beside, b.printed.span(), mark)
	}
}

// noteBlock takes notes on a nested block: member m of the body around it, printed as p. It notes the block itself if
// an override supplied it, unless it came with an added block around it, and always its contents.
func (n *noter) noteBlock(around printedBody, m plan.BodyItem, block *source.Block, p printed) {
	inner := printedBody{content: m.Content, source: block, printed: p, added: around.added}
	switch e := m.Entry; {
	case e == nil: // no override changed it
	case e.Rule.Do == rules.Flatten:
		inner.content = around.content // an escaping block: its contents belong to the body around it
	case source.IsOverride(block) && !isInside(block, around.added):
		mark := Mark{Kind: effect.MarkAdded, By: block, Entry: e}
		if e.Inner() == nil { // it isn't merged item by item, so it may also replace blocks
			mark = n.wholeBlockMark(around.content, m, n.shared)
		}
		n.add(Beside, p.span(), mark)
		inner.added = block // the contents need no marks of their own for being added
	}
	n.noteBody(inner)
}

// noteIdle takes the notes on overrides without effect in body b. They stand just above the closing brace or, if
// there is no line for them (see isOnOneLine), above the block.
func (n *noter) noteIdle(b printedBody) {
	spot := Last
	if isOnOneLine(n.text, b.printed) {
		spot = Above
	}
	for _, m := range n.idleMarks(b.content, b.source) {
		n.add(spot, b.printed.span(), m)
	}
}

// isOnOneLine reports whether something other than blanks precedes the closing brace of a block on its line. Then
// there is no line for marks in it.
func isOnOneLine(text []byte, p printed) bool {
	at := p.span().End.Byte - 1
	return len(bytes.TrimSpace(text[textedit.LineStart(text, at):at])) > 0
}

// A printedBody is the contents of a block with their printed text.
type printedBody struct {
	content *merge.MergedBody // nil if they are unchanged
	source  *source.Block
	printed printed
	added   *source.Block // this block or one around it, if an override added it; its mark covers what it brought
}

// isInside reports whether an item is inside the block added, at any depth; false if added is nil.
func isInside(it source.Item, added *source.Block) bool {
	for b := it.Within(); b != nil; b = b.Within() {
		if b == added {
			return true
		}
	}
	return false
}

// A printed is an argument or a block in the printed text of a top-level block, found without the parser's syntax
// tree.
type printed struct {
	text []byte        // of the top-level block
	tree *outline.Tree // the arguments and blocks in text, in order
	at   int           // its index in the tree
}

// span returns the range of the item in the printed text, without comments.
func (p printed) span() hcl.Range {
	it := p.tree.Items[p.at]
	return outline.Span{Start: it.Name.Start, End: it.Value.End}.In("")
}

// contents returns the arguments of a block by their names, and its nested blocks in order. p is a copy, so moving it
// through the tree doesn't change the caller's.
func (p printed) contents() (attrs map[string]printed, blocks []printed) {
	attrs = map[string]printed{}
	end := p.tree.After(p.at)
	for p.at++; p.at < end; p.at = p.tree.After(p.at) { // from the first item in the block to the next one beside it
		if it := p.tree.Items[p.at]; it.IsBlock {
			blocks = append(blocks, p)
		} else {
			attrs[string(it.Name.Of(p.text))] = p
		}
	}
	return attrs, blocks
}

// parseBlock reads the text of one block; false if it can't be parsed. The outline is faster than the parser, which
// is called only if the outline isn't sure.
func parseBlock(text []byte) (p printed, ok bool) {
	if scan := outline.NewScanner(text); scan.Next() == outline.Found {
		tree := outline.Tree{Items: slices.Clone(scan.Items)} // Next overwrites them
		if scan.Next() == outline.End {
			return printed{text: text, tree: &tree}, true
		}
	}
	// The outline isn't sure of the text, or finds more than one item.
	parsed, diags := parse.Config(text, "", hcl.InitialPos)
	file, ok := parsed.Body.(*hclsyntax.Body)
	if !ok || diags.HasErrors() || len(file.Blocks) != 1 {
		return printed{}, false
	}
	return printed{text: text, tree: new(parse.Outline(file.Blocks[0]))}, true
}
