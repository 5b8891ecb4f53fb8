package native

import (
	"bytes"
	"maps"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// The merged form of one primary file, as edits to it.

// texts are the native texts of the blocks that are not what their files hold.
type texts map[*plan.Block]printedBlock

// A printedBlock is the text of one block, with the comments around it.
type printedBlock struct {
	text    []byte
	widened bool // the block was one line and is not any more
}

// TextsOf writes the blocks of files that overrides changed or added. Added blocks have
// the line ends of the file that they go to.
func TextsOf(files []*plan.File) texts {
	byFile := make([]texts, len(files))
	parallel.Each(len(files), func(i int) { byFile[i] = textsIn(files[i]) })
	all := texts{}
	for _, own := range byFile {
		maps.Copy(all, own)
	}
	return all
}

// textsIn is TextsOf for one file.
func textsIn(f *plan.File) texts {
	own := texts{}
	for _, block := range f.Extra() {
		own[block] = printedBlock{text: AddedText(block, f.LineEnd)}
	}
	for _, block := range f.Blocks {
		if block.Changed {
			text, widened := blockText(block.Content, block.Source)
			own[block] = printedBlock{text, widened}
		}
	}
	return own
}

// AddedText is the text of a block that a file gets from elsewhere.
func AddedText(block *plan.Block, eol string) []byte {
	if block.Item != nil {
		return []byte(furtherTerraform(textOf(block.Entry, block.Item), eol))
	}
	text, _ := blockText(block.Content, block.Source)
	return []byte(textedit.Relocate(text, "", "", eol))
}

// annotate puts marks into the texts of all blocks that overrides affect.
func (t texts) annotate(m *merge.Module, files []*plan.File, marks *annotate.Annotator) {
	plan.AddMarked(m, files, maps.Keys(marks.Outranked))
	for _, f := range files {
		for _, block := range f.All() {
			if block.Content != nil || block.Item != nil {
				t[block] = printedBlock{marks.Marked(block, t.of(block), f.LineEnd), t[block].widened}
			}
		}
	}
}

// of is the text of any block.
func (t texts) of(block *plan.Block) []byte {
	if w, ok := t[block]; ok {
		return w.text
	}
	return unchangedText(block)
}

func unchangedText(block *plan.Block) []byte {
	around := source.TriviaOf(block.Source)
	return block.Source.File.Native[around.Lead:around.End]
}

// OwnText is the printed text of a block that the file itself declares.
func OwnText(block *plan.Block) []byte {
	if !block.Changed {
		return unchangedText(block)
	}
	text, _ := blockText(block.Content, block.Source)
	return text
}

// blockText is the text of a block without the line end behind it.
func (t texts) blockText(block *plan.Block) []byte { return bytes.TrimRight(t.of(block), "\r\n") }

// Edits returns the edits to the source of a native file that turn it into its merged form.
func (t texts) Edits(file *plan.File) []textedit.Edit {
	src := file.Source()
	edits := t.opened(file, src)
	for _, i := range file.Indexes() {
		block := file.Blocks[i]
		if w, ok := t[block]; ok {
			around := source.TriviaOf(block.Source)
			text := string(w.text)
			if w.widened && around.End == len(src) {
				text += file.LineEnd
			}
			if text != string(src[around.Lead:around.End]) {
				edits = append(edits, textedit.Replace(around.Lead, around.End, text))
			}
		}
		if len(block.Behind) > 0 {
			edits = append(edits, t.followed(file, src, i))
		}
	}
	if len(file.After) > 0 {
		edits = append(edits, t.closed(file, src, edits))
	}
	return edits
}

// opened inserts the blocks that open the file before its contents.
func (t texts) opened(file *plan.File, src []byte) []textedit.Edit {
	if len(file.Before) == 0 {
		return nil
	}
	at := textedit.TextStart(src, 0)
	text := t.apart(file.Before, file.LineEnd)
	if len(bytes.TrimSpace(src[at:])) > 0 {
		text += file.LineEnd
	}
	return []textedit.Edit{textedit.Replace(at, at, text)}
}

// apart is the text of blocks that follow each other, a blank line apart.
func (t texts) apart(blocks []*plan.Block, eol string) string {
	var out strings.Builder
	for i, block := range blocks {
		for j, each := range append([]*plan.Block{block}, block.Behind...) {
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
func (t texts) followed(file *plan.File, src []byte, i int) textedit.Edit {
	block := file.Blocks[i]
	around := source.TriviaOf(block.Source)
	apart := textedit.IsBlankBefore(src, textedit.LineStart(src, around.Lead)) ||
		textedit.IsBlankLine(src, textedit.AfterLine(src, around.End)) && i+1 < file.Size()
	var out strings.Builder
	for _, a := range block.Behind {
		out.WriteString(file.LineEnd)
		if apart {
			out.WriteString(file.LineEnd)
		}
		out.Write(bytes.TrimRight(t[a].text, "\r\n"))
	}
	if around.End == len(src) {
		out.WriteString(file.LineEnd)
	}
	return textedit.Replace(around.End, around.End, out.String())
}

// closed inserts the blocks that close the file behind its contents.
func (t texts) closed(file *plan.File, src []byte, edits []textedit.Edit) textedit.Edit {
	text := ""
	if before := textedit.Apply(src, 0, len(src), edits); len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		text = file.LineEnd
	}
	if n := file.Size(); n > 0 {
		last := file.File.Block(n - 1)
		if textedit.IsBlankBefore(src, textedit.LineStart(src, source.TriviaOf(last).Lead)) {
			text += file.LineEnd
		}
	}
	return textedit.Replace(len(src), len(src), text+t.apart(file.After, file.LineEnd))
}
