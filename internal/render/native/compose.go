package native

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

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

// valueText is the text of an argument's value as it is printed.
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

// madeText is the text of an item with those comments that are written.
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
