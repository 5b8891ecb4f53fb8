package native

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/merge/extract"

	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Files that are made of parts of others.

// Made returns the text of a file that holds some blocks, one blank line apart, as layout.Format
// lays it out.
func Made(parts []*extract.Part) []byte {
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
