package render

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
)

// An editor turns one block of a native file into what it effectively is, as a
// list of edits to the file.
type editor struct {
	file      *load.File
	eol       string
	text      []byte // the top-level block before
	style     style  // whether it was clean, once somebody asked
	unsettled bool   // some edit may change the layout of what stands around it
	widened   bool   // the block itself was one line and is not any more
	edits     []edit
}

// A style is whether a text is laid out as hclwrite.Format does it.
type style int

const (
	unasked style = iota
	clean
	unclean
)

// clean tells whether the block was clean before. It is asked of blocks that
// change only, since the answer costs more than parsing them did.
func (ed *editor) clean() bool {
	if ed.style == unasked {
		ed.style = unclean
		if isClean(ed.text) {
			ed.style = clean
		}
	}
	return ed.style == clean
}

// blockText returns a block's text, with the comments around it, after the
// merge, and whether the block was one line and is not any more. The text ends
// where the block's trailing comments do.
func blockText(c *merge.MergedBody, b *load.Block) (text []byte, widened bool) {
	t := load.TriviaOf(b)
	src := b.File.Src
	switch {
	case !isTouched(c, b):
		return src[t.Lead:t.End], false
	case b.File.Syntax == load.JSON:
		return compose(c, b).laidOut(), false
	}
	ed := &editor{file: b.File, eol: b.File.LineEnd, text: src[t.Lead:t.End]}
	ed.part(c, b)
	text = splice(src, t.Lead, t.End, ed.edits)
	if ed.unsettled {
		text = layout(text, ed.clean())
	}
	return text, ed.widened
}

// part edits one block that the content is printed in.
func (ed *editor) part(c *merge.MergedBody, b *load.Block) {
	acts, quiet := actionsIn(c, b)
	added := additions(c, b)
	if !quiet || len(added) > 0 {
		ed.rewrite(b, acts, added)
	}
	for _, a := range acts {
		if nested, ok := a.item.(*load.Block); ok && a.fate == kept {
			if inner := within(c, a.entry); inner != nil {
				ed.part(inner, nested)
			}
		}
	}
}

func (ed *editor) rewrite(b *load.Block, acts []act, added []*merge.MergedItem) {
	if isSingleLine(b) {
		ed.unsettled = true
		ed.oneLine(b, acts, added)
		return
	}
	around := load.Around(b.File, b.Body)
	for i := 0; i < len(acts); i++ {
		switch acts[i].fate {
		case exchanged:
			if !ed.settle(acts[i], around, i, indentAt(ed.file.Src, around[i].Start)) {
				ed.unsettled = true
				ed.exchange(acts[i], around[i])
			}
		case dropped:
			ed.unsettled = true
			last := ed.droppedRun(acts, around, i)
			ed.drop(b, around[i], around[last])
			i = last
		}
	}
	ed.add(b, acts, around, added)
}

// openGap is the stretch between a block's opening brace and what it holds first.
func openGap(b *load.Block) (src []byte, from, to int) {
	to = b.Body.Close.Start.Byte
	if len(b.Body.Items) > 0 {
		to = b.Body.Items[0].Extent().Start.Byte
	}
	return b.File.Src, b.Body.Open.End.Byte, to
}

// isSingleLine tells the form of a block that has no line end behind its
// opening brace, even if its argument or a comment goes over several lines.
func isSingleLine(b *load.Block) bool {
	src, at, to := openGap(b)
	for _, c := range load.Comments(src, at, to) {
		if c.Line || bytes.IndexByte(src[at:c.Start], '\n') >= 0 {
			return false
		}
		at = c.End
	}
	return bytes.IndexByte(src[at:to], '\n') < 0
}

// droppedRun is the index of the last of the items from i on that go together,
// with nothing but blanks between them.
func (ed *editor) droppedRun(acts []act, around []load.Trivia, i int) int {
	for i+1 < len(acts) && acts[i+1].fate == dropped &&
		len(load.Comments(ed.file.Src, around[i].End, around[i+1].Lead)) == 0 {
		i++
	}
	return i
}

// exchange puts the text in effect in an item's place. An earlier lead comment
// stays unless the new text has one of its own; an earlier trailing one goes.
func (ed *editor) exchange(a act, t load.Trivia) {
	// A heredoc's closing marker is none with blanks behind it.
	t.End = lineBlanks(ed.file.Src, t.End)
	indent := indentAt(ed.file.Src, t.Start)
	if attr, ok := a.item.(*load.Attr); ok {
		if ed.exchangeValue(a.entry, attr, t, indent) {
			return
		}
	}
	start := t.Start
	text := ed.joined(a.entry, indent)
	switch first := textOf(a.entry, a.entry.Live[0]); {
	case first.lead > 0:
		start = t.Lead
	case !hasInlineLead(a.entry.Live[0]):
		start = a.item.Header().Start.Byte
	}
	ed.edits = append(ed.edits, exchange(start, t.End, text))
}

// exchangeValue exchanges only the value where the block keeps its layout, or
// where the value alone is computed. It tells whether it did.
func (ed *editor) exchangeValue(e *merge.MergedItem, old *load.Attr, t load.Trivia, indent string) bool {
	attr, ok := e.Live[0].(*load.Attr)
	if !ok {
		return false
	}
	if e.Value != nil && attr == old {
		text := relocate(literalText(e.Value), "", indent, ed.eol)
		ed.edits = append(ed.edits, exchange(old.Value().Start.Byte, t.End, text))
		return true
	}
	if ed.clean() || isCommented(old, t) || isCommented(attr, load.TriviaOf(attr)) {
		return false
	}
	c := textOf(e, attr)
	nt := load.TriviaOf(attr)
	if c.lead > 0 {
		lead := chunk{text: bytes.TrimRight(c.text[:c.lead], " \t"), indent: c.indent}
		ed.edits = append(ed.edits, exchange(t.Lead, t.Start, lead.at(indent, ed.eol)+indent))
	}
	skip := c.lead + attr.Value().Start.Byte - nt.Start
	value := chunk{text: c.text[skip:], indent: c.indent}
	ed.edits = append(ed.edits, exchange(old.Value().Start.Byte, t.End, value.at(indent, ed.eol)))
	return true
}

// isCommented tells whether comments stand before the value on the argument's
// own line or inside it.
func isCommented(a *load.Attr, t load.Trivia) bool {
	between := a.File.Src[a.Header().End.Byte:a.Value().Start.Byte]
	return t.Start != a.Extent().Start.Byte || strings.Trim(string(between), " \t=") != ""
}

func hasInlineLead(it load.Item) bool {
	return load.TriviaOf(it).Start != it.Extent().Start.Byte
}

// joined is the text of all that is in effect of an entry, one after the other.
// Blocks that follow each other without a blank line in their file stay so.
func (ed *editor) joined(e *merge.MergedItem, indent string) string {
	var out strings.Builder
	for i, it := range e.Live {
		c := textOf(e, it)
		if i > 0 {
			out.WriteString(ed.eol)
			if c.blank {
				out.WriteString(ed.eol)
			}
			out.WriteString(indent)
		}
		out.WriteString(c.at(indent, ed.eol))
	}
	return out.String()
}

// textOf is the text of an item in effect, with the comments around it.
func textOf(e *merge.MergedItem, it load.Item) chunk {
	t := load.TriviaOf(it)
	src := it.Source().Src
	c := chunk{
		text:    src[t.Lead:t.End],
		lead:    t.Start - t.Lead,
		indent:  indentAt(src, t.Lead),
		blank:   isBlankBefore(src, lineStart(src, t.Lead)),
		comment: t.HasLead() || t.End > it.Extent().End.Byte || hasInlineLead(it),
	}
	if _, isAttr := it.(*load.Attr); isAttr && c.lead == 0 {
		c.addLead(earlierLead(e, it))
	}
	switch it := it.(type) {
	case *load.Block:
		switch {
		case e.Inner == nil:
		case it.File.Syntax == load.JSON:
			c.text, c.indent = compose(e.Inner, it).Bytes(), ""
		default:
			ed := &editor{file: it.File, eol: it.File.LineEnd, text: src[t.Lead:t.End]}
			ed.part(e.Inner, it)
			c.text = splice(src, t.Lead, t.End, ed.edits)
		}
	case *load.Attr:
		if e.Value != nil {
			tail := splice(src, t.Start, t.End, []edit{valueEdit(e.Value, it, t)})
			c.text = slices.Concat(c.text[:c.lead], tail)
		}
	}
	return c
}

// earlierLead is the text of the lead comments that an earlier override gave
// an argument: they stay until a later one has lead comments of its own.
func earlierLead(e *merge.MergedItem, it load.Item) (lead []byte, indent string) {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		s := e.Steps[i]
		attr, ok := s.Item.(*load.Attr)
		if !ok || attr == it || attr.File.Role != load.Override || s.Did != merge.Added && s.Did != merge.Replaced {
			continue
		}
		if t := load.TriviaOf(attr); t.HasLead() {
			src := attr.File.Src
			return bytes.TrimRight(src[t.Lead:t.Start], " \t"), indentAt(src, t.Lead)
		}
	}
	return nil, ""
}

// valueEdit writes a computed value. A value that is written out makes the
// comment behind the old one void; one whose text is only amended does not.
func valueEdit(l *computed.Literal, a *load.Attr, t load.Trivia) edit {
	end := t.End
	if len(l.Changes) > 0 {
		end = a.Value().End.Byte
	}
	return exchange(a.Value().Start.Byte, end, string(literalText(l)))
}
