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
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Marks are put into the text of a block as it is printed without them. They are
// comments of their own, so taking them away gives that text again.

// An Annotator puts marks into texts. On a terminal they are dim, and those that don't fit beside their
// line stand above it.
type Annotator struct {
	Words
	Screen screen.Screen
}

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
	if !Walk(block, text, marker) || len(marker.edits) == 0 {
		return text
	}
	marked := marker.applied()
	if marker.aside = marker.tooWide(marked); len(marker.aside) > 0 {
		marker.edits = nil
		Walk(block, text, marker)
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

// Top implements Visitor.
func (marker *blockMarker) Top(block *plan.Block, printed *hclsyntax.Block) {
	m := mark{kind: effect.MarkAdded, place: wording.Place(block.Source)}
	if block.Item != nil {
		m = marker.addition(block.Entry, block.Item)
	}
	marker.above(printed.TypeRange, m)
}

// Argument implements Visitor. Inside a block on one line marks can't be inserted.
func (marker *blockMarker) Argument(b Body, m plan.BodyItem, printed *hclsyntax.Attribute) {
	a := m.Item.(*source.Attr)
	text, ok := marker.argument(b.Content, m.Entry, a)
	switch {
	case !ok || text.kind == effect.MarkAdded && b.CameWith(a):
	case !isOnOneLine(marker.text, b.Printed):
		marker.beside(printed.SrcRange, text)
	case text.kind == effect.MarkOutranked:
		text.detail = "(" + diag.Escape(a.Name) + ")"
		marker.beside(b.Printed.Range(), text)
	default:
		text.kind, text.detail = effect.MarkMerged, strings.TrimSpace(diag.Escape(a.Name)+" "+text.detail)
		marker.beside(b.Printed.Range(), text)
	}
}

// Block implements Visitor.
func (marker *blockMarker) Block(b Body, m plan.BodyItem, printed *hclsyntax.Block) {
	text := mark{kind: effect.MarkAdded, place: wording.Place(m.Item)}
	if m.Entry.Inner() == nil {
		text = marker.wholeBlock(b.Content, m, marker.sharedMarks)
	}
	marker.beside(printed.Range(), text)
}

// End implements Visitor: overrides without effect are marked on the last line of a block.
func (marker *blockMarker) End(b Body) {
	for _, m := range marker.idle(b.Content, b.Source) {
		if isOnOneLine(marker.text, b.Printed) {
			marker.above(b.Printed.TypeRange, m)
		} else {
			marker.last(b.Printed, m)
		}
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
	if marker.Screen.IsTerminal {
		text = screen.Wrap(text, marker.Screen.Width, markHang)
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
	if !marker.Screen.IsColored() {
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
			edits = append(edits, textedit.Replace(start, start+len(comment), marker.Screen.Dim(comment)))
		}
	}
	return textedit.Apply(text, 0, len(text), edits)
}
