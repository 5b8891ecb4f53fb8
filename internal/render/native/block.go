package native

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// An editor turns one block of a native file into its effective form, as a list of edits to the
// file.
type editor struct {
	file        *source.File
	eol         string // the line end of the file
	needsFormat bool   // some edit may have left the block otherwise than layout.Format lays it out
	widened     bool   // the block itself was one line and is not any more
	// wasFormatted reports whether the block was laid out before as layout.Format does it. It is computed only
	// for blocks that change, because it costs more than parsing them.
	wasFormatted func() bool
	edits        []textedit.Edit
}

// newEditor returns an editor for a block with the given trivia.
func newEditor(b *source.Block, around source.Trivia) *editor {
	text := b.File.Native[around.Lead:around.End]
	return &editor{file: b.File, eol: b.File.LineEnd, wasFormatted: sync.OnceValue(func() bool { return layout.IsClean(text) })}
}

// blockText returns the text of block b with its merged contents c, from the comments above b through the comments
// behind it, without the line end. widened tells whether the block was on one line and no longer is.
func blockText(c *merge.MergedBody, b *source.Block) (text []byte, widened bool) {
	around := source.TriviaOf(b)
	src := b.File.Native
	switch {
	case !plan.IsTouched(c, b):
		return src[around.Lead:around.End], false
	case b.File.Syntax == source.JSON:
		out := compose(c, b)
		if out.hasNativeText { // it is copied as its file has it, maybe unformatted
			return layout.Format(out.Bytes()), false
		}
		return out.Bytes(), false
	}
	// A block of a native file is edited in place. It is formatted only if it was before.
	ed := newEditor(b, around)
	ed.editBlock(c, b)
	text = textedit.Apply(src, around.Lead, around.End, ed.edits)
	if ed.needsFormat && ed.wasFormatted() {
		text = layout.Format(text)
	}
	return text, ed.widened
}

// editBlock makes the edits that give block b the merged contents c. Inside each nested block that stays, it makes
// those for the contents of that block.
func (ed *editor) editBlock(c *merge.MergedBody, b *source.Block) {
	// The items of b itself.
	actions, allStay := plan.ActionsIn(c, b)
	if added := plan.Additions(c, b); !allStay || len(added) > 0 {
		ed.rewriteItems(b, actions, added)
	}
	// The contents of nested blocks that stay; those of replaced ones are part of the new text.
	for _, a := range actions {
		if nested, ok := a.Item.(*source.Block); ok && a.Do == plan.Keep {
			if inner := plan.Within(c, a.Entry); inner != nil {
				ed.editBlock(inner, nested)
			}
		}
	}
}

// rewriteItems replaces and removes items of a block as actions say, and adds others. Removed items that follow each
// other go in one edit, so that no blank line is removed or left twice.
func (ed *editor) rewriteItems(b *source.Block, actions []plan.ItemAction, added []*merge.MergedItem) {
	if isSingleLine(b) {
		ed.needsFormat = true
		ed.rewriteOneLine(b, actions, added)
		return
	}
	around := source.AllTrivia(b)
	for i := 0; i < len(actions); i++ {
		switch actions[i].Do {
		case plan.Replace:
			// replaceInPlace handles the cases after which the block needn't be formatted.
			if !ed.replaceInPlace(actions[i], around, i, textedit.IndentAt(ed.file.Native, around[i].Start)) {
				ed.needsFormat = true
				ed.replaceItem(actions[i], around[i])
			}
		case plan.Remove:
			ed.needsFormat = true
			last := ed.endOfRemovedRun(actions, around, i)
			ed.removeItems(b, around[i], around[last])
			i = last
		}
	}
	ed.insertAdditions(b, actions, around, added)
}

// openGap returns the stretch between a block's opening brace and its first item or, if it has none, its closing
// brace: src[from:to], where src is the file's native text.
func openGap(b *source.Block) (src []byte, from, to int) {
	to = b.CloseBrace().Start.Byte
	if len(b.Items()) > 0 {
		to = b.Items()[0].Extent().Start.Byte
	}
	return b.File.Native, b.OpenBrace().End.Byte, to
}

// isSingleLine reports whether a block has no line end between its opening brace and its first item, apart from those
// in /* */ comments. Later line ends don't count: a line such as "b { tags = {" starts a single-line block, too.
func isSingleLine(b *source.Block) bool {
	src, at, to := openGap(b)
	for _, c := range parse.CommentsBetween(src, at, to) {
		if c.Line || bytes.IndexByte(src[at:c.Start], '\n') >= 0 { // a # or // comment extends to a line end
			return false
		}
		at = c.End
	}
	return bytes.IndexByte(src[at:to], '\n') < 0
}

// endOfRemovedRun returns the index of the last item (inclusive) of the run of removed items that starts at item i.
// A run has nothing but blanks between its items: a comment there ends it.
func (ed *editor) endOfRemovedRun(actions []plan.ItemAction, around []source.Trivia, i int) int {
	for i+1 < len(actions) && actions[i+1].Do == plan.Remove &&
		len(parse.CommentsBetween(ed.file.Native, around[i].End, around[i+1].Lead)) == 0 {
		i++
	}
	return i
}

// replaceItem replaces an item by the text in effect. Comments above the item, or before it on its line, stay unless
// the new text brings some for that position or further up. Comments behind the item go.
func (ed *editor) replaceItem(a plan.ItemAction, around source.Trivia) {
	// The blanks up to the line end go, too: behind a heredoc's closing marker they would keep it open.
	around.End = textedit.LineBlanks(ed.file.Native, around.End)
	indent := textedit.IndentAt(ed.file.Native, around.Start)
	// An argument may be able to keep its name and equals sign.
	if attr, ok := a.Item.(*source.Attr); ok {
		if ed.replaceValue(a.Entry, attr, around, indent) {
			return
		}
	}
	// Otherwise, start is where the new text begins to replace the old: the further up, the more comments go.
	var start int
	text := ed.effectiveText(a.Entry, indent)
	switch first := a.Entry.Live[0]; {
	case itemText(a.Entry, first).Lead > 0: // its comments replace those above the old item
		start = around.Lead
	case hasInlineLead(first): // its comment replaces the one before the old item on its line
		start = around.Start
	default: // it brings none, so the old comments stay
		start = a.Item.Header().Start.Byte
	}
	ed.edits = append(ed.edits, textedit.Replace(start, around.End, text))
}

// replaceValue replaces only the value of argument old, with the comments behind it, and reports whether it could.
// One case is that old is still in effect and has a computed value. The other is that the argument in effect in e
// comes from elsewhere: then old keeps its name and the blanks around its equals sign. That can't be if the block is
// formatted afterwards, which would change these blanks, or if a comment stands there. around and indent are the
// trivia and the indentation of old.
func (ed *editor) replaceValue(e *merge.MergedItem, old *source.Attr, around source.Trivia, indent string) bool {
	attr, ok := e.Live[0].(*source.Attr) // the argument in effect
	if !ok {
		return false
	}
	// The first case: old has a computed value.
	if e.Value != nil && attr == old {
		text := textedit.Relocate(computed.NativeText(e.Value), "", indent, ed.eol)
		ed.edits = append(ed.edits, textedit.Replace(old.Value().Start.Byte, around.End, text))
		return true
	}
	// The second case: the value comes from another argument.
	if ed.wasFormatted() || hasCommentBeforeValue(old, around) || hasCommentBeforeValue(attr, source.TriviaOf(attr)) {
		return false
	}
	c := itemText(e, attr)
	if c.Lead > 0 { // comments on the lines above the new argument replace the old ones
		lead := textedit.Chunk{Text: bytes.TrimRight(c.Text[:c.Lead], " \t"), Indent: c.Indent}
		ed.edits = append(ed.edits, textedit.Replace(around.Lead, around.Start, lead.At(indent, ed.eol)+indent))
	}
	// The offset in c.Text at which the value starts: behind the comments above, the name and the equals sign.
	skip := c.Lead + attr.Value().Start.Byte - source.TriviaOf(attr).Start
	value := textedit.Chunk{Text: c.Text[skip:], Indent: c.Indent}
	ed.edits = append(ed.edits, textedit.Replace(old.Value().Start.Byte, around.End, value.At(indent, ed.eol)))
	return true
}

// hasCommentBeforeValue reports whether a comment precedes the value of an argument on its line: before the name or
// around the equals sign.
func hasCommentBeforeValue(a *source.Attr, around source.Trivia) bool {
	between := a.File.Native[a.Header().End.Byte:a.Value().Start.Byte]
	return around.Start != a.Extent().Start.Byte || strings.Trim(string(between), " \t=") != ""
}

// hasInlineLead reports whether a comment precedes an item on its line.
func hasInlineLead(it source.Item) bool {
	return source.TriviaOf(it).Start != it.Extent().Start.Byte
}

// effectiveText returns the text of all items in effect of an entry, one after the other. Before an item it puts a
// blank line only if the item's own file has one there. indent is the indentation of all lines but the first, which
// gets none.
func (ed *editor) effectiveText(e *merge.MergedItem, indent string) string {
	var out strings.Builder
	for i, it := range e.Live {
		c := itemText(e, it)
		if i > 0 {
			out.WriteString(ed.eol)
			if c.Blank {
				out.WriteString(ed.eol)
			}
			out.WriteString(indent)
		}
		out.WriteString(c.At(indent, ed.eol))
	}
	return out.String()
}

// itemText returns the text of it, an item in effect of entry e, with the comments around it and with overrides
// merged in. An argument without comments above it gets those of the argument that it replaced.
func itemText(e *merge.MergedItem, it source.Item) textedit.Chunk {
	around := source.TriviaOf(it)
	src := it.Source().Native
	// The item as its own file has it, with its comments.
	c := textedit.Chunk{
		Text:    src[around.Lead:around.End],
		Lead:    around.Start - around.Lead,
		Indent:  textedit.IndentAt(src, around.Lead),
		Blank:   textedit.IsBlankBefore(src, textedit.LineStart(src, around.Lead)),
		Comment: around.HasLead() || around.End > it.Extent().End.Byte || hasInlineLead(it),
	}
	if _, isAttr := it.(*source.Attr); isAttr && c.Lead == 0 {
		c.AddLead(earlierLead(e, it)) // it has no comments above, so those of an earlier override stay
	}
	// With overrides merged in, the text is another one.
	switch it := it.(type) {
	case *source.Block:
		switch {
		case e.Inner() == nil: // not merged with others: its own text counts
		case it.File.Syntax == source.JSON:
			c.Text, c.Indent = compose(e.Inner(), it).Bytes(), ""
		default: // the block's own text with edits
			ed := newEditor(it, around)
			ed.editBlock(e.Inner(), it)
			c.Text = textedit.Apply(src, around.Lead, around.End, ed.edits)
		}
	case *source.Attr:
		if e.Value != nil { // computed: it replaces the value behind the lead comments
			tail := textedit.Apply(src, around.Start, around.End, []textedit.Edit{valueEdit(e.Value, it, around)})
			c.Text = slices.Concat(c.Text[:c.Lead], tail)
		}
	}
	return c
}

// earlierLead returns comments to keep above the argument in effect, current, if it has none itself, and their
// indentation. They are from an argument of an override file that current replaced: from the latest one with comments
// above it. lead is nil if there is none.
func earlierLead(e *merge.MergedItem, current source.Item) (lead []byte, indent string) {
	// Backward, from the latest argument.
	for i := len(e.Steps) - 1; i >= 0; i-- {
		s := e.Steps[i]
		attr, ok := s.Item.(*source.Attr)
		tookEffect := s.Effect == effect.Added || s.Effect == effect.Replaced
		if !ok || attr == current || attr.File.Role != source.Override || !tookEffect {
			continue
		}
		// at is the start of the argument, and line that of its line.
		src, at := attr.File.Native, source.StartByte(attr)
		line := textedit.LineStart(src, at)
		// A cheap test first, since there may be very many earlier arguments: a comment contains # or /.
		if above := textedit.LineStart(src, max(line-1, 0)); !bytes.ContainsAny(src[above:at], "#/") {
			continue
		}
		if around := source.TriviaOf(attr); around.HasLead() {
			return bytes.TrimRight(src[around.Lead:around.Start], " \t"), textedit.IndentAt(src, around.Lead)
		}
	}
	return nil, ""
}

// valueEdit returns the edit that replaces the value of argument a by the computed one, l. If l is a whole new value,
// the comments behind the old one go with it, because they described it. If l only changes stretches of the text
// (l.Changes), they stay.
func valueEdit(l *computed.Literal, a *source.Attr, around source.Trivia) textedit.Edit {
	end := around.End
	if len(l.Changes) > 0 {
		end = a.Value().End.Byte
	}
	return textedit.Replace(a.Value().Start.Byte, end, string(computed.NativeText(l)))
}

// The native text of a JSON file has no comments and one layout. A block of it
// is put together anew after the merge, which costs less than having it laid
// out by the formatter.

// A composition is the text of a block in the making.
type composition struct {
	bytes.Buffer
	eol           string
	hasNativeText bool // it contains text of native files, which keeps its layout
}

// compose returns the text of block b of a JSON file with its merged contents c.
func compose(c *merge.MergedBody, b *source.Block) *composition {
	out := &composition{eol: b.File.LineEnd}
	out.writeBlock(plan.BodyItem{Item: b, Content: c}, "")
	return out
}

// writeBlock writes a block, from its type through its closing brace. indent is the indentation of its lines but the
// first: the caller has written that one's.
func (out *composition) writeBlock(m plan.BodyItem, indent string) {
	b := m.Item.(*source.Block)
	if m.IsPartial() {
		out.writePartial(m, indent)
		return
	}
	// An unchanged block, and a block of a native file, keep their layout.
	if m.Content == nil || b.File.Syntax != source.JSON {
		out.writeInOwnLayout(m, indent)
		return
	}
	// A merged block of a JSON file is written anew in native syntax.
	out.Write(b.File.Text(b.Header()))
	out.WriteString(" {")
	if list := plan.Members(m.Content, b); len(list) > 0 {
		out.writeBody(list, indent+textedit.IndentUnit)
		out.WriteString(out.eol + indent)
	}
	out.WriteString("}")
}

// writeInOwnLayout writes an item in the layout that it has in its own file, with overrides merged in.
func (out *composition) writeInOwnLayout(m plan.BodyItem, indent string) {
	out.hasNativeText = out.hasNativeText || m.Item.Source().Syntax != source.JSON
	if m.Part != nil { // the file is made of parts of others, as extract makes one
		out.WriteString(partText(m).At(indent, out.eol))
		return
	}
	if m.Entry == nil { // no override changed it
		at := m.Item.Extent()
		src := m.Item.Source()
		out.WriteString(textedit.Relocate(src.Text(at), textedit.IndentAt(src.Native, at.Start.Byte), indent, out.eol))
		return
	}
	out.WriteString(itemText(m.Entry, m.Item).At(indent, out.eol))
}

// writeBody writes the contents of a block: consecutive arguments in columns, each block behind a blank line, and at
// the end an escaping block with the escaped items, if there are any.
func (out *composition) writeBody(list []plan.BodyItem, indent string) {
	list, escaped := splitEscaped(list)
	for i := 0; i < len(list); {
		m := list[i]
		if i > 0 {
			out.WriteString(out.eol)
		}
		if isBlock(m) {
			out.WriteString(out.eol + indent)
			out.writeBlock(m, indent)
			i++
			continue
		}
		// The arguments up to the next block share their columns.
		run := list[i:]
		if n := slices.IndexFunc(run, isBlock); n >= 0 {
			run = run[:n]
		}
		out.writeArguments(run, indent)
		i += len(run)
	}
	if len(escaped) > 0 {
		if len(list) > 0 {
			out.WriteString(out.eol)
		}
		out.WriteString(out.eol + indent + source.EscapeBlock + " {")
		out.writeBody(escaped, indent+textedit.IndentUnit)
		out.WriteString(out.eol + indent + "}")
	}
}

// splitEscaped separates the plain items from those that get an escaping block (escaped). The latter come back
// without the mark Escaped, since inside that block they are plain, too.
func splitEscaped(list []plan.BodyItem) (plain, escaped []plan.BodyItem) {
	for _, m := range list {
		if m.Escaped {
			m.Escaped = false
			escaped = append(escaped, m)
			continue
		}
		plain = append(plain, m)
	}
	return plain, escaped
}

// isBlock reports whether an item is a block, not an argument.
func isBlock(m plan.BodyItem) bool {
	_, ok := m.Item.(*source.Block)
	return ok
}

// writeArguments writes consecutive arguments, each on its own line, with their equals signs in a column.
func (out *composition) writeArguments(run []plan.BodyItem, indent string) {
	columns := make([]layout.Column, len(run))
	for i, m := range run {
		columns[i] = layout.Column{Name: m.Item.Called(), Single: layout.IsInColumn(valueText(m))}
	}
	layout.Align(len(run), func(i int) *layout.Column { return &columns[i] })
	for i, m := range run {
		out.WriteString(out.eol + indent)
		out.writeArgument(m, columns[i].Padding, indent)
	}
}

// valueText returns the text of an argument's value as it is printed: a void value (see merge.Part), a computed one,
// or that of its file.
func valueText(m plan.BodyItem) []byte {
	a := m.Item.(*source.Attr)
	if m.HasVoid() {
		return []byte(m.Part.Void)
	}
	if m.Entry != nil && m.Entry.Attr() == a && m.Entry.Value != nil {
		return computed.NativeText(m.Entry.Value)
	}
	return a.File.Text(a.Value())
}

// writeArgument writes an argument with padding blanks behind its name, to align the equals sign. One of a native
// file keeps its own layout, unless its value is written anew: as null, for an argument that is removed (HasVoid).
func (out *composition) writeArgument(m plan.BodyItem, padding int, indent string) {
	a := m.Item.(*source.Attr)
	if a.File.Syntax != source.JSON && !m.HasVoid() {
		out.writeInOwnLayout(m, indent)
		return
	}
	out.WriteString(a.Name + strings.Repeat(" ", padding) + " = ")
	out.WriteString(textedit.Relocate(valueText(m), textedit.IndentAt(a.File.Native, a.Extent().Start.Byte), indent, out.eol))
}

// Files that are made of parts of others.

// Made returns the text of a file that consists of parts, which are top-level blocks, one blank line apart, as
// layout.Format lays it out.
func Made(parts []*merge.Part) []byte {
	if len(parts) == 0 {
		return nil
	}
	out := &composition{eol: parts[0].Item.Source().LineEnd}
	for i, m := range plan.MadeOf(parts) {
		if i > 0 {
			out.WriteString(out.eol)
		}
		out.writeBlock(m, "")
		out.WriteString(out.eol)
	}
	return layout.Format(out.Bytes())
}

// writePartial writes a block with only the parts in m.Part.Held, and with the comments above it if those are wanted.
func (out *composition) writePartial(m plan.BodyItem, indent string) {
	b := m.Item.(*source.Block)
	if m.Part.HasLead {
		around, src := source.TriviaOf(b), b.File.Native
		lead := bytes.TrimRight(src[around.Lead:b.Extent().Start.Byte], " \t\r\n")
		out.WriteString(textedit.Relocate(lead, textedit.IndentAt(src, around.Lead), indent, out.eol) + out.eol + indent)
	}
	out.Write(b.File.Text(b.Header()))
	out.WriteString(" {")
	if len(m.Part.Held) > 0 {
		out.writeBody(plan.MadeOf(m.Part.Held), indent+textedit.IndentUnit)
		out.WriteString(out.eol + indent)
	}
	out.WriteString("}")
}

// partText returns the text of m, an item of a file made of parts, with the comments above (HasLead) and behind it
// (HasTail) that the part includes. A computed value takes the place of an argument's own.
func partText(m plan.BodyItem) textedit.Chunk {
	around, at, src := source.TriviaOf(m.Item), m.Item.Extent(), m.Item.Source().Native
	c := textedit.Chunk{Indent: textedit.IndentAt(src, at.Start.Byte)}
	start, end := at.Start.Byte, at.End.Byte
	if m.Part.HasLead {
		start, c.Indent = around.Lead, textedit.IndentAt(src, around.Lead)
	}
	if m.Part.HasTail {
		end = around.End
	}
	var edits []textedit.Edit
	if a, isAttr := m.Item.(*source.Attr); isAttr && m.Entry != nil && m.Entry.Value != nil {
		edits = []textedit.Edit{textedit.Replace(a.Value().Start.Byte, a.Value().End.Byte, string(computed.NativeText(m.Entry.Value)))}
	}
	c.Text = textedit.Apply(src, start, end, edits)
	return c
}

// All configuration text that is in no source file is made here.

// wrap returns a block with the given header around body, which consists of indented lines, each ending with eol.
// indent is the indentation of the closing brace.
func wrap(header, body, indent, eol string) string {
	return header + " {" + eol + body + indent + "}"
}

// terraformBlock returns a terraform block that holds c, a version constraint that can't be in another block because
// that has one already.
func terraformBlock(c textedit.Chunk, eol string) string {
	return wrap("terraform", textedit.IndentUnit+c.At(textedit.IndentUnit, eol)+eol, "", eol)
}

// escapeBlock returns an escaping block (_) around the texts of items that have the names of meta-arguments, so that
// the engine doesn't read them as such.
func escapeBlock(lines []string, indent, eol string) string {
	inner := indent + textedit.IndentUnit
	return wrap(source.EscapeBlock, inner+strings.Join(lines, eol+inner)+eol, indent, eol)
}
