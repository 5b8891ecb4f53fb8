package native

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// What one primary file is after the merge, as edits to it.

// Texts are the native texts of the blocks that are not what their files hold.
type Texts map[*plan.Block]printedBlock

// A printedBlock is the text of one block, with the comments around it.
type printedBlock struct {
	text    []byte
	widened bool // the block was one line and is not any more
}

// TextsOf writes the blocks of files that overrides changed or added. An added block
// gets the line ends of the file that it goes to.
func TextsOf(files []*plan.File) Texts {
	t := Texts{}
	for _, f := range files {
		for _, q := range f.Extra() {
			t[q] = printedBlock{text: addedText(q, f.LineEnd)}
		}
		for _, q := range f.Blocks {
			if q.Changed {
				text, widened := blockText(q.Content, q.Source)
				t[q] = printedBlock{text, widened}
			}
		}
	}
	return t
}

// addedText is the text of a block that a file gets from elsewhere.
func addedText(q *plan.Block, eol string) []byte {
	if q.Item != nil {
		return []byte(furtherTerraform(textOf(q.Entry, q.Item), eol))
	}
	text, _ := blockText(q.Content, q.Source)
	return []byte(textedit.Relocate(text, "", "", eol))
}

// annotate puts marks into the texts of all blocks about which there is
// something to say.
func (t Texts) annotate(m *merge.Module, files []*plan.File, marks *annotate.Annotator) {
	plan.AddIdle(m, files)
	for _, f := range files {
		for _, q := range f.All() {
			if q.Content != nil || q.Item != nil {
				t[q] = printedBlock{marks.Marked(q, t.of(q), f.LineEnd), t[q].widened}
			}
		}
	}
}

// of is the text of any block.
func (t Texts) of(q *plan.Block) []byte {
	if w, ok := t[q]; ok {
		return w.text
	}
	around := source.TriviaOf(q.Source)
	return q.Source.File.Src[around.Lead:around.End]
}

// lone is the text of a block without the line end behind it.
func (t Texts) lone(q *plan.Block) []byte { return bytes.TrimRight(t.of(q), "\r\n") }

// file is the whole file after the merge. An untouched file is its source.
func (t Texts) file(p *plan.File) []byte {
	src := p.Source()
	edits := t.Edits(p)
	if len(edits) == 0 {
		return src
	}
	return textedit.Apply(src, 0, len(src), edits)
}

// Edits are what turns the file into what it is after the merge.
func (t Texts) Edits(p *plan.File) []textedit.Edit {
	src := p.Source()
	edits := t.opened(p, src)
	for _, i := range p.Indexes() {
		q := p.Blocks[i]
		if w, ok := t[q]; ok {
			around := source.TriviaOf(q.Source)
			text := string(w.text)
			if w.widened && around.End == len(src) {
				text += p.LineEnd
			}
			if text != string(src[around.Lead:around.End]) {
				edits = append(edits, textedit.Replace(around.Lead, around.End, text))
			}
		}
		if len(q.Behind) > 0 {
			edits = append(edits, t.followed(p, src, i))
		}
	}
	if len(p.After) > 0 {
		edits = append(edits, t.closed(p, src, edits))
	}
	return edits
}

// opened puts the blocks that open the file before what it holds.
func (t Texts) opened(p *plan.File, src []byte) []textedit.Edit {
	if len(p.Before) == 0 {
		return nil
	}
	at := 0
	if p.File != nil && p.File.HasBOM() {
		at = 3
	}
	text := t.apart(p.Before, p.LineEnd)
	if len(bytes.TrimSpace(src[at:])) > 0 {
		text += p.LineEnd
	}
	return []textedit.Edit{textedit.Replace(at, at, text)}
}

// apart is the text of blocks that follow each other, a blank line apart.
func (t Texts) apart(blocks []*plan.Block, eol string) string {
	var out strings.Builder
	for i, q := range blocks {
		for j, each := range append([]*plan.Block{q}, q.Behind...) {
			if i+j > 0 {
				out.WriteString(eol)
			}
			out.Write(textedit.WithLineEnd(t[each].text, eol))
		}
	}
	return out.String()
}

// followed puts the blocks that follow the block i on lines of their own behind
// its trailing comments, and with a blank line before them where that block has
// one before or behind it.
func (t Texts) followed(p *plan.File, src []byte, i int) textedit.Edit {
	q := p.Blocks[i]
	around := source.TriviaOf(q.Source)
	apart := textedit.IsBlankBefore(src, textedit.LineStart(src, around.Lead)) || textedit.IsBlankLine(src, textedit.AfterLine(src, around.End)) && i+1 < p.Size()
	var out strings.Builder
	for _, a := range q.Behind {
		out.WriteString(p.LineEnd)
		if apart {
			out.WriteString(p.LineEnd)
		}
		out.Write(bytes.TrimRight(t[a].text, "\r\n"))
	}
	if around.End == len(src) {
		out.WriteString(p.LineEnd)
	}
	return textedit.Replace(around.End, around.End, out.String())
}

// closed puts the blocks that close the file behind what it holds.
func (t Texts) closed(p *plan.File, src []byte, edits []textedit.Edit) textedit.Edit {
	text := ""
	if before := textedit.Apply(src, 0, len(src), edits); len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		text = p.LineEnd
	}
	if n := p.Size(); n > 0 {
		last := p.File.Block(n - 1)
		if textedit.IsBlankBefore(src, textedit.LineStart(src, source.TriviaOf(last).Lead)) {
			text += p.LineEnd
		}
	}
	return textedit.Replace(len(src), len(src), text+t.apart(p.After, p.LineEnd))
}
