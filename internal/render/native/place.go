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

// removeItems removes consecutive items of block b with their comments. first and last are the trivia of the first
// and of the last of them. One blank line beside them goes as well if it would meet another one, or a brace.
func (ed *editor) removeItems(b *source.Block, first, last source.Trivia) {
	src := ed.file.Native
	start, end := textedit.LineStart(src, first.Lead), textedit.AfterLine(src, last.End)
	isBlankBefore, isBlankAfter := textedit.IsBlankBefore(src, start), textedit.IsBlankLine(src, end)
	// Whether the line before is the one that opens the block, and the line after the one that closes it.
	isOpenBefore := textedit.LineStart(src, b.OpenBrace().Start.Byte) == textedit.LineStart(src, max(0, start-1))
	isCloseAfter := textedit.LineStart(src, b.CloseBrace().Start.Byte) == end
	// With a blank line on both sides, or one beside a brace, one goes.
	switch {
	case isBlankAfter && (isBlankBefore || isOpenBefore):
		end = textedit.AfterLine(src, end)
	case isBlankBefore && isCloseAfter:
		start = textedit.LineStart(src, start-1)
	}
	ed.edits = append(ed.edits, textedit.Replace(start, end, ""))
}

// insertAdditions inserts the entries that overrides added to block b: arguments behind the last one, blocks at the
// end. actions and around are the treatments of the block's own items and their trivia.
func (ed *editor) insertAdditions(b *source.Block, actions []plan.ItemAction, around []source.Trivia, added []*merge.MergedItem) {
	// New arguments are indented as the last argument, and new blocks as the last item.
	last := lastArgument(actions)
	argIndent, blockIndent := bodyIndent(b), bodyIndent(b)
	if last >= 0 {
		argIndent = textedit.IndentAt(ed.file.Native, around[last].Start)
	}
	if n := len(actions); n > 0 {
		blockIndent = textedit.IndentAt(ed.file.Native, around[n-1].Start)
	}
	args, blocks := ed.additionTexts(b, added, argIndent, blockIndent)
	// A new argument may move the columns of others. A block shares none, so it only has to be formatted itself.
	if len(args) > 0 || !ed.areFormatted(blocks, blockIndent) {
		ed.needsFormat = true
	}
	ed.insertArguments(b, actions, around, last, argIndent, args)
	holdsOnlyNewBlocks := len(args) == 0 && !ed.staysFilled(b, actions, around)
	ed.insertBlocks(b, blockIndent, blocks, holdsOnlyNewBlocks)
}

// lastArgument returns the index of the last argument that isn't removed, or -1.
func lastArgument(actions []plan.ItemAction) int {
	for i := len(actions) - 1; i >= 0; i-- {
		if _, isAttr := actions[i].Item.(*source.Attr); isAttr && actions[i].Do != plan.Remove {
			return i
		}
	}
	return -1
}

// additionTexts returns the texts of additions to b, arguments and blocks apart, each at its indentation. Escaped
// items get an escaping block, which is the last of blocks, unless b is one.
func (ed *editor) additionTexts(
	b *source.Block, added []*merge.MergedItem, argIndent, blockIndent string,
) (args, blocks []string) {
	var escaped []string
	for _, e := range added {
		_, isAttr := e.Live[0].(*source.Attr)
		switch {
		case e.Escaped && b.Type != source.EscapeBlock:
			escaped = append(escaped, ed.effectiveText(e, blockIndent+textedit.IndentUnit))
		case isAttr:
			args = append(args, ed.argumentText(e, argIndent))
		default:
			blocks = append(blocks, ed.effectiveText(e, blockIndent))
		}
	}
	if len(escaped) > 0 {
		blocks = append(blocks, escapeBlock(escaped, blockIndent, ed.eol))
	}
	return args, blocks
}

// argumentText returns the text of an added argument. A block that won't be formatted afterwards doesn't adopt the
// columns of the argument's own file: one blank stands on each side of the equals sign. The text stays as it is if a
// comment stands there, which would get lost with the blanks.
func (ed *editor) argumentText(e *merge.MergedItem, indent string) string {
	a := e.Attr()
	around := source.TriviaOf(a)
	if ed.wasFormatted() || hasCommentBeforeValue(a, around) {
		return ed.effectiveText(e, indent)
	}
	c := itemText(e, a)
	// The offsets in c.Text at which the name ends and the value starts: c.Lead bytes of comments precede the text
	// from around.Start in the file.
	nameEnd, valueStart := c.Lead+a.Header().End.Byte-around.Start, c.Lead+a.Value().Start.Byte-around.Start
	c.Text = slices.Concat(c.Text[:nameEnd], []byte(" = "), c.Text[valueStart:])
	return c.At(indent, ed.eol)
}

// bodyIndent returns the indentation of a block's contents: that of its first item on a line of its own, else one
// level more than the block's.
func bodyIndent(b *source.Block) string {
	src := b.File.Native
	for _, it := range b.Items() {
		if at := it.Extent().Start; at.Line > b.OpenBrace().Start.Line {
			return textedit.IndentAt(src, at.Byte)
		}
	}
	return textedit.IndentAt(src, b.Extent().Start.Byte) + textedit.IndentUnit
}

// insertArguments inserts the texts args on lines of their own behind the argument at index last or, if that is -1,
// behind the line that opens the block. There a blank line separates them from other contents.
func (ed *editor) insertArguments(
	b *source.Block, actions []plan.ItemAction, around []source.Trivia, last int, indent string, args []string,
) {
	if len(args) == 0 {
		return
	}
	lines := ed.eol + indent + strings.Join(args, ed.eol+indent)
	// Behind the last argument.
	if last >= 0 {
		at := textedit.LineBlanks(ed.file.Native, around[last].End)
		ed.edits = append(ed.edits, textedit.Replace(at, at, lines))
		return
	}
	// No argument is there: behind the opening line.
	at := textedit.LineBlanks(ed.file.Native, endOfOpeningLine(b))
	isBlankNext := textedit.IsBlankLine(ed.file.Native, textedit.AfterLine(ed.file.Native, at))
	if !isBlankNext && ed.staysFilled(b, actions, around) {
		lines += ed.eol
	}
	ed.edits = append(ed.edits, textedit.Replace(at, at, lines))
}

// staysFilled reports whether anything stays in the body of b once the actions are taken: an item, or a comment that
// belongs to none.
func (ed *editor) staysFilled(b *source.Block, actions []plan.ItemAction, around []source.Trivia) bool {
	at := endOfOpeningLine(b)
	for i, a := range actions {
		if a.Do != plan.Remove || len(parse.CommentsBetween(ed.file.Native, at, around[i].Lead)) > 0 {
			return true
		}
		at = around[i].End
	}
	return len(parse.CommentsBetween(ed.file.Native, at, b.CloseBrace().Start.Byte)) > 0
}

// endOfOpeningLine returns the offset at which the line that opens a body ends, before its line end but behind the
// comments on it.
func endOfOpeningLine(b *source.Block) int {
	src, at, to := openGap(b)
	for _, c := range parse.CommentsBetween(src, at, to) {
		if c.Alone { // on a line of its own
			break
		}
		at = c.End
	}
	return at
}

// insertBlocks inserts the texts of blocks before the closing brace, each behind a blank line. The first one gets
// none if isEmpty says that the body holds nothing else.
func (ed *editor) insertBlocks(b *source.Block, indent string, blocks []string, isEmpty bool) {
	if len(blocks) == 0 {
		return
	}
	src := ed.file.Native
	at := textedit.LineStart(src, b.CloseBrace().Start.Byte)
	var lines strings.Builder
	for i, text := range blocks {
		if i > 0 || !isEmpty && !textedit.IsBlankBefore(src, at) {
			lines.WriteString(ed.eol)
		}
		lines.WriteString(indent + text + ed.eol)
	}
	ed.edits = append(ed.edits, textedit.Replace(at, at, lines.String()))
}

// rewriteOneLine edits a single-line block (see isSingleLine), as rewriteItems edits others. If the block can't stay
// on one line, each item gets its own line.
func (ed *editor) rewriteOneLine(b *source.Block, actions []plan.ItemAction, added []*merge.MergedItem) {
	if len(added) == 0 && len(actions) == 1 && actions[0].Do == plan.Replace && ed.replaceInLine(actions[0]) {
		return
	}
	// The items that remain come first, then added arguments, then added blocks.
	outer := textedit.IndentAt(ed.file.Native, b.Extent().Start.Byte)
	indent := outer + textedit.IndentUnit
	lines := ed.remainingTexts(b, actions, outer, indent)
	args, blocks := ed.additionTexts(b, added, indent, indent)
	lines = append(lines, args...)
	for _, text := range blocks { // each behind a blank line, unless it comes first
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, text)
	}
	// All text between the braces is replaced; each entry of lines starts a new line.
	inner := textedit.Edit{Start: b.OpenBrace().End.Byte, End: b.CloseBrace().Start.Byte}
	for _, line := range lines {
		inner.Text += ed.eol
		if line != "" {
			inner.Text += indent + line
		}
	}
	// The closing brace gets a line of its own, unless the block is empty now.
	if len(lines) > 0 {
		inner.Text += ed.eol + outer
		ed.widened = b.Within() == nil // a nested block has its line end inside the text of the top-level one
	}
	ed.edits = append(ed.edits, inner)
}

// replaceInLine replaces the only argument of a one-line block: only its value if possible, else the whole argument.
// It reports false, and does nothing, if the new text needs several lines or has comments.
func (ed *editor) replaceInLine(a plan.ItemAction) bool {
	text, ok := ed.oneLineText(a)
	if !ok {
		return false
	}
	around := source.TriviaOf(a.Item)
	if !ed.replaceValue(a.Entry, a.Item.(*source.Attr), around, "") {
		ed.edits = append(ed.edits, textedit.Replace(a.Item.Header().Start.Byte, around.End, text))
	}
	return true
}

// oneLineText returns the text that replaces an argument inside a one-line block. It reports false if that needs
// several lines, or has comments.
func (ed *editor) oneLineText(a plan.ItemAction) (string, bool) {
	c := itemText(a.Entry, a.Entry.Live[0])
	if a.Entry.Value != nil && a.Entry.Live[0] == a.Item {
		c.Comment, c.Text = false, c.Text[c.Lead:] // only the value is replaced, so the argument keeps its comments
	}
	text := string(c.Text)
	return text, textedit.IsOneLine(text) && !c.Comment && len(a.Entry.Live) == 1
}

// remainingTexts returns the texts of a single-line block's items: as they are if they stay, else as they are
// replaced; none for removed ones. A block without items yields the comments in it. outer is the indentation of the
// block, indent that of its contents.
func (ed *editor) remainingTexts(b *source.Block, actions []plan.ItemAction, outer, indent string) (lines []string) {
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
			inlineLead := ""
			if t := source.TriviaOf(a.Item); !hasInlineLead(a.Entry.Live[0]) { // a comment before the old item stays
				inlineLead = string(ed.file.Native[t.Start:a.Item.Header().Start.Byte])
			}
			lines = append(lines, inlineLead+ed.effectiveText(a.Entry, indent))
		}
	}
	return lines
}
