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
	file      *source.File
	eol       string
	unsettled bool // some edit may change the layout of its surroundings
	widened   bool // the block itself was one line and is not any more
	// clean reports whether the block was laid out before as layout.Format does it. It is computed only
	// for blocks that change, because it costs more than parsing them.
	clean func() bool
	edits []textedit.Edit
}

func newEditor(b *source.Block, around source.Trivia) *editor {
	text := b.File.Native[around.Lead:around.End]
	return &editor{file: b.File, eol: b.File.LineEnd, clean: sync.OnceValue(func() bool { return layout.IsClean(text) })}
}

// blockText returns a block's text, with the comments around it, after the
// merge, and whether the block was one line and is not any more. The text ends
// where the block's trailing comments do.
func blockText(c *merge.MergedBody, b *source.Block) (text []byte, widened bool) {
	around := source.TriviaOf(b)
	src := b.File.Native
	switch {
	case !plan.IsTouched(c, b):
		return src[around.Lead:around.End], false
	case b.File.Syntax == source.JSON:
		out := compose(c, b)
		if out.foreign {
			return layout.Format(out.Bytes()), false
		}
		return out.Bytes(), false
	}
	ed := newEditor(b, around)
	ed.block(c, b)
	text = textedit.Apply(src, around.Lead, around.End, ed.edits)
	if ed.unsettled && ed.clean() {
		text = layout.Format(text)
	}
	return text, ed.widened
}

// block makes the edits that turn a block into its merged form c, and does the same for the nested blocks
// that stay.
func (ed *editor) block(c *merge.MergedBody, b *source.Block) {
	actions, unchanged := plan.ActionsIn(c, b)
	if added := plan.Additions(c, b); !unchanged || len(added) > 0 {
		ed.rewrite(b, actions, added)
	}
	for _, a := range actions {
		if nested, ok := a.Item.(*source.Block); ok && a.Do == plan.Keep {
			if inner := plan.Within(c, a.Entry); inner != nil {
				ed.block(inner, nested)
			}
		}
	}
}

// rewrite replaces and removes items of a block, and adds others. Removed items that follow each other go
// in one edit, so that no blank line is removed or left twice.
func (ed *editor) rewrite(b *source.Block, actions []plan.ItemAction, added []*merge.MergedItem) {
	if isSingleLine(b) {
		ed.unsettled = true
		ed.rewriteOneLine(b, actions, added)
		return
	}
	around := source.AllTrivia(b)
	for i := 0; i < len(actions); i++ {
		switch actions[i].Do {
		case plan.Replace:
			if !ed.exchangeInPlace(actions[i], around, i, textedit.IndentAt(ed.file.Native, around[i].Start)) {
				ed.unsettled = true
				ed.exchange(actions[i], around[i])
			}
		case plan.Remove:
			ed.unsettled = true
			last := ed.droppedRun(actions, around, i)
			ed.drop(b, around[i], around[last])
			i = last
		}
	}
	ed.add(b, actions, around, added)
}

// openGap returns the stretch between a block's opening brace and its first item or, if it has none, its
// closing brace.
func openGap(b *source.Block) (src []byte, from, to int) {
	to = b.CloseBrace().Start.Byte
	if len(b.Items()) > 0 {
		to = b.Items()[0].Extent().Start.Byte
	}
	return b.File.Native, b.OpenBrace().End.Byte, to
}

// isSingleLine reports whether a block has no line end behind its opening brace, even if its
// argument or a comment spans several lines.
func isSingleLine(b *source.Block) bool {
	src, at, to := openGap(b)
	for _, c := range parse.CommentsBetween(src, at, to) {
		if c.Line || bytes.IndexByte(src[at:c.Start], '\n') >= 0 {
			return false
		}
		at = c.End
	}
	return bytes.IndexByte(src[at:to], '\n') < 0
}

// droppedRun returns the index of the last item of the run of removed items that starts at i, with nothing
// but blanks between them.
func (ed *editor) droppedRun(actions []plan.ItemAction, around []source.Trivia, i int) int {
	for i+1 < len(actions) && actions[i+1].Do == plan.Remove &&
		len(parse.CommentsBetween(ed.file.Native, around[i].End, around[i+1].Lead)) == 0 {
		i++
	}
	return i
}

// exchange replaces an item by the effective text. An earlier lead comment stays unless the new
// text has one; an earlier trailing one is removed.
func (ed *editor) exchange(a plan.ItemAction, around source.Trivia) {
	// With blanks behind it, a heredoc's closing marker would not close it.
	around.End = textedit.LineBlanks(ed.file.Native, around.End)
	indent := textedit.IndentAt(ed.file.Native, around.Start)
	if attr, ok := a.Item.(*source.Attr); ok {
		if ed.exchangeValue(a.Entry, attr, around, indent) {
			return
		}
	}
	start := around.Start
	text := ed.joined(a.Entry, indent)
	switch first := textOf(a.Entry, a.Entry.Live[0]); {
	case first.Lead > 0:
		start = around.Lead
	case !hasInlineLead(a.Entry.Live[0]):
		start = a.Item.Header().Start.Byte
	}
	ed.edits = append(ed.edits, textedit.Replace(start, around.End, text))
}

// exchangeValue replaces only the value: where the value alone is computed or, in a block that isn't laid
// out anew, where no comment is before either value. It reports whether it did.
func (ed *editor) exchangeValue(e *merge.MergedItem, old *source.Attr, around source.Trivia, indent string) bool {
	attr, ok := e.Live[0].(*source.Attr)
	if !ok {
		return false
	}
	if e.Value != nil && attr == old {
		text := textedit.Relocate(computed.NativeText(e.Value), "", indent, ed.eol)
		ed.edits = append(ed.edits, textedit.Replace(old.Value().Start.Byte, around.End, text))
		return true
	}
	if ed.clean() || isCommented(old, around) || isCommented(attr, source.TriviaOf(attr)) {
		return false
	}
	c := textOf(e, attr)
	nt := source.TriviaOf(attr)
	if c.Lead > 0 {
		lead := textedit.Chunk{Text: bytes.TrimRight(c.Text[:c.Lead], " \t"), Indent: c.Indent}
		ed.edits = append(ed.edits, textedit.Replace(around.Lead, around.Start, lead.At(indent, ed.eol)+indent))
	}
	skip := c.Lead + attr.Value().Start.Byte - nt.Start
	value := textedit.Chunk{Text: c.Text[skip:], Indent: c.Indent}
	ed.edits = append(ed.edits, textedit.Replace(old.Value().Start.Byte, around.End, value.At(indent, ed.eol)))
	return true
}

// isCommented reports whether comments stand before the value on the argument's
// own line or inside it.
func isCommented(a *source.Attr, around source.Trivia) bool {
	between := a.File.Native[a.Header().End.Byte:a.Value().Start.Byte]
	return around.Start != a.Extent().Start.Byte || strings.Trim(string(between), " \t=") != ""
}

func hasInlineLead(it source.Item) bool {
	return source.TriviaOf(it).Start != it.Extent().Start.Byte
}

// joined returns the text of all that is in effect of an entry, one after the other. Blocks that follow
// each other without a blank line in their file stay so.
func (ed *editor) joined(e *merge.MergedItem, indent string) string {
	var out strings.Builder
	for i, it := range e.Live {
		c := textOf(e, it)
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

// textOf returns the text of an item in effect, with the comments around it.
func textOf(e *merge.MergedItem, it source.Item) textedit.Chunk {
	around := source.TriviaOf(it)
	src := it.Source().Native
	c := textedit.Chunk{
		Text:    src[around.Lead:around.End],
		Lead:    around.Start - around.Lead,
		Indent:  textedit.IndentAt(src, around.Lead),
		Blank:   textedit.IsBlankBefore(src, textedit.LineStart(src, around.Lead)),
		Comment: around.HasLead() || around.End > it.Extent().End.Byte || hasInlineLead(it),
	}
	if _, isAttr := it.(*source.Attr); isAttr && c.Lead == 0 {
		c.AddLead(earlierLead(e, it))
	}
	switch it := it.(type) {
	case *source.Block:
		switch {
		case e.Inner() == nil:
		case it.File.Syntax == source.JSON:
			c.Text, c.Indent = compose(e.Inner(), it).Bytes(), ""
		default:
			ed := newEditor(it, around)
			ed.block(e.Inner(), it)
			c.Text = textedit.Apply(src, around.Lead, around.End, ed.edits)
		}
	case *source.Attr:
		if e.Value != nil {
			tail := textedit.Apply(src, around.Start, around.End, []textedit.Edit{valueEdit(e.Value, it, around)})
			c.Text = slices.Concat(c.Text[:c.Lead], tail)
		}
	}
	return c
}

// earlierLead returns the lead comments that an earlier override gave an argument: they stay until a later
// override has lead comments.
func earlierLead(e *merge.MergedItem, it source.Item) (lead []byte, indent string) {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		s := e.Steps[i]
		attr, ok := s.Item.(*source.Attr)
		if !ok || attr == it || attr.File.Role != source.Override || s.Effect != effect.Added && s.Effect != effect.Replaced {
			continue
		}
		src, at := attr.File.Native, source.StartByte(attr)
		line := textedit.LineStart(src, at)
		if above := textedit.LineStart(src, max(line-1, 0)); !bytes.ContainsAny(src[above:at], "#/") {
			continue // there is no comment above, and very many arguments may be earlier
		}
		if around := source.TriviaOf(attr); around.HasLead() {
			return bytes.TrimRight(src[around.Lead:around.Start], " \t"), textedit.IndentAt(src, around.Lead)
		}
	}
	return nil, ""
}

// valueEdit writes a computed value. A value that is written out makes the
// comment behind the old one void; one whose text is only amended does not.
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
	eol     string
	foreign bool // it contains text of native files, which keeps its layout
}

// compose puts the text of a block of a JSON file together as it is after the merge.
func compose(c *merge.MergedBody, b *source.Block) *composition {
	out := &composition{eol: b.File.LineEnd}
	out.block(plan.BodyItem{Item: b, Content: c}, "")
	return out
}

// block writes a block, from its type through its closing brace.
func (out *composition) block(m plan.BodyItem, indent string) {
	b := m.Item.(*source.Block)
	if m.IsPartial() {
		out.partial(m, indent)
		return
	}
	if m.Content == nil || b.File.Syntax != source.JSON {
		out.quote(m, indent)
		return
	}
	out.Write(b.File.Text(b.Header()))
	out.WriteString(" {")
	if list := plan.Members(m.Content, b); len(list) > 0 {
		out.body(list, indent+textedit.IndentUnit)
		out.WriteString(out.eol + indent)
	}
	out.WriteString("}")
}

// quote writes an item as its file has it.
func (out *composition) quote(m plan.BodyItem, indent string) {
	out.foreign = out.foreign || m.Item.Source().Syntax != source.JSON
	if m.Part != nil {
		out.WriteString(madeText(m).At(indent, out.eol))
		return
	}
	if m.Entry == nil {
		at := m.Item.Extent()
		src := m.Item.Source()
		out.WriteString(textedit.Relocate(src.Text(at), textedit.IndentAt(src.Native, at.Start.Byte), indent, out.eol))
		return
	}
	out.WriteString(textOf(m.Entry, m.Item).At(indent, out.eol))
}

// body writes the contents of a block: consecutive arguments in columns, and each block behind a
// blank line.
func (out *composition) body(list []plan.BodyItem, indent string) {
	list, escaped := split(list)
	for i := 0; i < len(list); {
		m := list[i]
		if i > 0 {
			out.WriteString(out.eol)
		}
		if isBlock(m) {
			out.WriteString(out.eol + indent)
			out.block(m, indent)
			i++
			continue
		}
		run := list[i:]
		if n := slices.IndexFunc(run, isBlock); n >= 0 {
			run = run[:n]
		}
		out.arguments(run, indent)
		i += len(run)
	}
	if len(escaped) > 0 {
		if len(list) > 0 {
			out.WriteString(out.eol)
		}
		out.WriteString(out.eol + indent + source.EscapeBlock + " {")
		out.body(escaped, indent+textedit.IndentUnit)
		out.WriteString(out.eol + indent + "}")
	}
}

// split separates the items for an escaping block.
func split(list []plan.BodyItem) (plain, escaped []plan.BodyItem) {
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

func isBlock(m plan.BodyItem) bool {
	_, ok := m.Item.(*source.Block)
	return ok
}

// arguments writes arguments, each on its own line.
func (out *composition) arguments(run []plan.BodyItem, indent string) {
	columns := make([]layout.Column, len(run))
	for i, m := range run {
		columns[i] = layout.Column{Name: m.Item.Called(), Single: layout.IsInColumn(valueText(m))}
	}
	layout.Align(len(run), func(i int) *layout.Column { return &columns[i] })
	for i, m := range run {
		out.WriteString(out.eol + indent)
		out.argument(m, columns[i].Padding, indent)
	}
}

// valueText returns the text of an argument's value as it is printed.
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

// argument writes an argument with its value in a column, padding blanks behind the name. One of a native file
// keeps its own layout.
func (out *composition) argument(m plan.BodyItem, padding int, indent string) {
	a := m.Item.(*source.Attr)
	if a.File.Syntax != source.JSON && !m.HasVoid() {
		out.quote(m, indent)
		return
	}
	out.WriteString(a.Name + strings.Repeat(" ", padding) + " = ")
	out.WriteString(textedit.Relocate(valueText(m), textedit.IndentAt(a.File.Native, a.Extent().Start.Byte), indent, out.eol))
}

// Files that are made of parts of others.

// Made returns the text of a file that holds some blocks, one blank line apart, as layout.Format
// lays it out.
func Made(parts []*merge.Part) []byte {
	if len(parts) == 0 {
		return nil
	}
	out := &composition{eol: parts[0].Item.Source().LineEnd}
	for i, m := range plan.MadeOf(parts) {
		if i > 0 {
			out.WriteString(out.eol)
		}
		out.block(m, "")
		out.WriteString(out.eol)
	}
	return layout.Format(out.Bytes())
}

// partial writes a block that holds parts of another one.
func (out *composition) partial(m plan.BodyItem, indent string) {
	b := m.Item.(*source.Block)
	if m.Part.HasLead {
		around, src := source.TriviaOf(b), b.File.Native
		lead := bytes.TrimRight(src[around.Lead:b.Extent().Start.Byte], " \t\r\n")
		out.WriteString(textedit.Relocate(lead, textedit.IndentAt(src, around.Lead), indent, out.eol) + out.eol + indent)
	}
	out.Write(b.File.Text(b.Header()))
	out.WriteString(" {")
	if len(m.Part.Held) > 0 {
		out.body(plan.MadeOf(m.Part.Held), indent+textedit.IndentUnit)
		out.WriteString(out.eol + indent)
	}
	out.WriteString("}")
}

// madeText returns the text of an item with those comments that are written.
func madeText(m plan.BodyItem) textedit.Chunk {
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

// wrap puts the braces of a block around lines. Each line of body is indented
// and ends with eol.
func wrap(header, body, indent, eol string) string {
	return header + " {" + eol + body + indent + "}"
}

// furtherTerraform returns a terraform block that holds one version constraint.
func furtherTerraform(c textedit.Chunk, eol string) string {
	return wrap("terraform", textedit.IndentUnit+c.At(textedit.IndentUnit, eol)+eol, "", eol)
}

// escaping returns an escape block for items that must not be taken for
// meta-arguments.
func escaping(lines []string, indent, eol string) string {
	inner := indent + textedit.IndentUnit
	return wrap(source.EscapeBlock, inner+strings.Join(lines, eol+inner)+eol, indent, eol)
}
