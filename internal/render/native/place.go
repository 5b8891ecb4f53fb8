package native

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Where things go inside a block.

// drop removes items with their comments, and a blank line beside them that would meet another one or a
// brace.
func (ed *editor) drop(b *source.Block, first, last source.Trivia) {
	src := ed.file.Native
	start, end := textedit.LineStart(src, first.Lead), textedit.AfterLine(src, last.End)
	before, after := textedit.IsBlankBefore(src, start), textedit.IsBlankLine(src, end)
	opens := textedit.LineStart(src, b.OpenBrace().Start.Byte) == textedit.LineStart(src, max(0, start-1))
	closes := textedit.LineStart(src, b.CloseBrace().Start.Byte) == end
	// One blank line goes as well if it would meet another one, or a brace.
	before, after = before && (after || closes), after && (before || opens)
	switch {
	case after:
		end = textedit.AfterLine(src, end)
	case before:
		start = textedit.LineStart(src, start-1)
	}
	ed.edits = append(ed.edits, textedit.Replace(start, end, ""))
}

// add prints additions: arguments behind the last one, blocks at the end.
func (ed *editor) add(b *source.Block, actions []plan.ItemAction, around []source.Trivia, added []*merge.MergedItem) {
	last := lastArgument(actions)
	argIndent, blockIndent := bodyIndent(b), bodyIndent(b)
	if last >= 0 {
		argIndent = textedit.IndentAt(ed.file.Native, around[last].Start)
	}
	if n := len(actions); n > 0 {
		blockIndent = textedit.IndentAt(ed.file.Native, around[n-1].Start)
	}
	args, blocks := ed.sortAdditions(b, added, argIndent, blockIndent)
	if len(args) > 0 || !ed.areLaidOut(blocks, blockIndent) {
		ed.unsettled = true
	}
	ed.addArguments(b, actions, around, last, argIndent, args)
	ed.addBlocks(b, blockIndent, blocks, len(args) == 0 && !ed.holdsMore(b, actions, around))
}

// lastArgument returns the index of the last argument that stays, or -1.
func lastArgument(actions []plan.ItemAction) int {
	for i := len(actions) - 1; i >= 0; i-- {
		if _, isAttr := actions[i].Item.(*source.Attr); isAttr && actions[i].Do != plan.Remove {
			return i
		}
	}
	return -1
}

// sortAdditions splits additions into texts of arguments and of blocks, each at
// its indentation. Escaped items that have no block to go to make one.
func (ed *editor) sortAdditions(
	b *source.Block, added []*merge.MergedItem, argIndent, blockIndent string,
) (args, blocks []string) {
	var escaped []string
	for _, e := range added {
		_, isAttr := e.Live[0].(*source.Attr)
		switch {
		case e.Escaped && b.Type != source.EscapeBlock:
			escaped = append(escaped, ed.joined(e, blockIndent+textedit.IndentUnit))
		case isAttr:
			args = append(args, ed.argument(e, argIndent))
		default:
			blocks = append(blocks, ed.joined(e, blockIndent))
		}
	}
	if len(escaped) > 0 {
		blocks = append(blocks, escaping(escaped, blockIndent, ed.eol))
	}
	return args, blocks
}

// argument returns the text of an added argument. In a block that is not laid out
// afterwards there is one blank on each side of its equals sign.
func (ed *editor) argument(e *merge.MergedItem, indent string) string {
	a := e.Attr()
	around := source.TriviaOf(a)
	if ed.clean() || isCommented(a, around) {
		return ed.joined(e, indent)
	}
	c := textOf(e, a)
	name, value := c.Lead+a.Header().End.Byte-around.Start, c.Lead+a.Value().Start.Byte-around.Start
	c.Text = slices.Concat(c.Text[:name], []byte(" = "), c.Text[value:])
	return c.At(indent, ed.eol)
}

// bodyIndent returns the indentation of a block's contents.
func bodyIndent(b *source.Block) string {
	src := b.File.Native
	for _, it := range b.Items() {
		if at := it.Extent().Start; at.Line > b.OpenBrace().Start.Line {
			return textedit.IndentAt(src, at.Byte)
		}
	}
	return textedit.IndentAt(src, b.Extent().Start.Byte) + textedit.IndentUnit
}

// addArguments puts arguments on lines of their own, behind the one at index last or, if that is -1, behind the
// line that opens the body. There a blank line parts them from what the body holds.
func (ed *editor) addArguments(
	b *source.Block, actions []plan.ItemAction, around []source.Trivia, last int, indent string, args []string,
) {
	if len(args) == 0 {
		return
	}
	lines := ed.eol + indent + strings.Join(args, ed.eol+indent)
	if last >= 0 {
		at := textedit.LineBlanks(ed.file.Native, around[last].End)
		ed.edits = append(ed.edits, textedit.Replace(at, at, lines))
		return
	}
	at := textedit.LineBlanks(ed.file.Native, openEnd(b))
	if !textedit.IsBlankLine(ed.file.Native, textedit.AfterLine(ed.file.Native, at)) && ed.holdsMore(b, actions, around) {
		lines += ed.eol
	}
	ed.edits = append(ed.edits, textedit.Replace(at, at, lines))
}

// holdsMore reports whether anything stays in a body: an item, or a comment that
// belongs to none.
func (ed *editor) holdsMore(b *source.Block, actions []plan.ItemAction, around []source.Trivia) bool {
	at := openEnd(b)
	for i, a := range actions {
		if a.Do != plan.Remove || len(parse.CommentsBetween(ed.file.Native, at, around[i].Lead)) > 0 {
			return true
		}
		at = around[i].End
	}
	return len(parse.CommentsBetween(ed.file.Native, at, b.CloseBrace().Start.Byte)) > 0
}

// openEnd returns where the line that opens a body ends, without its line end.
func openEnd(b *source.Block) int {
	src, at, to := openGap(b)
	for _, c := range parse.CommentsBetween(src, at, to) {
		if c.Alone {
			break
		}
		at = c.End
	}
	return at
}

// addBlocks puts blocks before the closing brace, each behind a blank line but
// for the first one of a body that is empty otherwise.
func (ed *editor) addBlocks(b *source.Block, indent string, blocks []string, empty bool) {
	if len(blocks) == 0 {
		return
	}
	src := ed.file.Native
	at := textedit.LineStart(src, b.CloseBrace().Start.Byte)
	var lines strings.Builder
	for i, text := range blocks {
		if i > 0 || !empty && !textedit.IsBlankBefore(src, at) {
			lines.WriteString(ed.eol)
		}
		lines.WriteString(indent + text + ed.eol)
	}
	ed.edits = append(ed.edits, textedit.Replace(at, at, lines.String()))
}

// rewriteOneLine edits a block whose braces are on one line. It stays on one line
// if all that changes is one argument's text, which is one line without
// comments; otherwise it is widened.
func (ed *editor) rewriteOneLine(b *source.Block, actions []plan.ItemAction, added []*merge.MergedItem) {
	src := ed.file.Native
	inner := textedit.Edit{Start: b.OpenBrace().End.Byte, End: b.CloseBrace().Start.Byte}
	if len(added) == 0 && len(actions) == 1 && actions[0].Do == plan.Replace {
		around := source.TriviaOf(actions[0].Item)
		if text, ok := ed.oneLineText(actions[0]); ok {
			if !ed.exchangeValue(actions[0].Entry, actions[0].Item.(*source.Attr), around, "") {
				ed.edits = append(ed.edits, textedit.Replace(actions[0].Item.Header().Start.Byte, around.End, text))
			}
			return
		}
	}
	outer := textedit.IndentAt(src, b.Extent().Start.Byte)
	indent := outer + textedit.IndentUnit
	lines := ed.remaining(b, actions, outer, indent)
	args, blocks := ed.sortAdditions(b, added, indent, indent)
	lines = append(lines, args...)
	if len(lines) > 0 && len(blocks) > 0 {
		lines = append(lines, "")
	}
	for i, text := range blocks {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, text)
	}
	for _, line := range lines {
		inner.Text += ed.eol
		if line != "" {
			inner.Text += indent + line
		}
	}
	if len(lines) > 0 {
		inner.Text += ed.eol + outer
		ed.widened = b.Within() == nil
	}
	ed.edits = append(ed.edits, inner)
}

// oneLineText returns the text that replaces an argument inside a one-line block; false if it needs
// several lines.
func (ed *editor) oneLineText(a plan.ItemAction) (string, bool) {
	c := textOf(a.Entry, a.Entry.Live[0])
	if a.Entry.Value != nil && a.Entry.Live[0] == a.Item {
		c.Comment, c.Text = false, c.Text[c.Lead:]
	}
	text := string(c.Text)
	return text, textedit.IsOneLine(text) && !c.Comment && len(a.Entry.Live) == 1
}

// remaining returns the remaining and replaced items of a one-line block, a text each.
func (ed *editor) remaining(b *source.Block, actions []plan.ItemAction, outer, indent string) (lines []string) {
	if len(actions) == 0 {
		for _, c := range parse.CommentsBetween(ed.file.Native, b.OpenBrace().End.Byte, b.CloseBrace().Start.Byte) {
			lines = append(lines, string(ed.file.Native[c.Start:c.End]))
		}
	}
	for _, a := range actions {
		switch a.Do {
		case plan.Keep:
			t := source.TriviaOf(a.Item)
			lines = append(lines, textedit.Relocate(ed.file.Native[t.Lead:t.End], outer, indent, ed.eol))
		case plan.Replace:
			before := ""
			if t := source.TriviaOf(a.Item); !hasInlineLead(a.Entry.Live[0]) {
				before = string(ed.file.Native[t.Start:a.Item.Header().Start.Byte])
			}
			lines = append(lines, before+ed.joined(a.Entry, indent))
		}
	}
	return lines
}
