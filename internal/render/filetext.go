package render

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// What one primary file is after the merge, as edits to it.

// texts are the native texts of the blocks that are not what their files hold.
type texts map[*piece]printedBlock

// A printedBlock is the text of one block, with the comments around it.
type printedBlock struct {
	text    []byte
	widened bool // the block was one line and is not any more
}

// textsOf writes the blocks of files that overrides changed or added. An added block
// gets the line ends of the file that it goes to.
func textsOf(files []*printed) texts {
	t := texts{}
	for _, f := range files {
		for _, q := range f.extra() {
			t[q] = printedBlock{text: addedText(q, f.eol)}
		}
		for _, q := range f.pieces {
			if q.touched {
				text, widened := blockText(q.content, q.block)
				t[q] = printedBlock{text, widened}
			}
		}
	}
	return t
}

// addedText is the text of a block that a file gets from elsewhere.
func addedText(q *piece, eol string) []byte {
	if q.only != nil {
		return []byte(furtherTerraform(textOf(q.entry, q.only), eol))
	}
	text, _ := blockText(q.content, q.block)
	return []byte(relocate(text, "", "", eol))
}

// annotate puts marks into the texts of all blocks about which there is
// something to say.
func (t texts) annotate(m *merge.Module, files []*printed, marks *annotator) {
	addIdle(m, files)
	for _, f := range files {
		for _, q := range f.all() {
			if q.content != nil || q.only != nil {
				t[q] = printedBlock{marks.marked(q, t.of(q), f.eol), t[q].widened}
			}
		}
	}
}

// of is the text of any block.
func (t texts) of(q *piece) []byte {
	if w, ok := t[q]; ok {
		return w.text
	}
	around := load.TriviaOf(q.block)
	return q.block.File.Src[around.Lead:around.End]
}

// lone is the text of a block without the line end behind it.
func (t texts) lone(q *piece) []byte { return bytes.TrimRight(t.of(q), "\r\n") }

// file is the whole file after the merge. An untouched file is its source.
func (t texts) file(p *printed) []byte {
	src := p.source()
	edits := t.edits(p)
	if len(edits) == 0 {
		return src
	}
	return splice(src, 0, len(src), edits)
}

// edits are what turns the file into what it is after the merge.
func (t texts) edits(p *printed) []edit {
	src := p.source()
	edits := t.opened(p, src)
	for _, i := range p.indexes() {
		q := p.pieces[i]
		if w, ok := t[q]; ok {
			around := load.TriviaOf(q.block)
			text := string(w.text)
			if w.widened && around.End == len(src) {
				text += p.eol
			}
			if text != string(src[around.Lead:around.End]) {
				edits = append(edits, exchange(around.Lead, around.End, text))
			}
		}
		if len(q.added) > 0 {
			edits = append(edits, t.followed(p, src, i))
		}
	}
	if len(p.after) > 0 {
		edits = append(edits, t.closed(p, src, edits))
	}
	return edits
}

// opened puts the blocks that open the file before what it holds.
func (t texts) opened(p *printed, src []byte) []edit {
	if len(p.before) == 0 {
		return nil
	}
	at := 0
	if p.file != nil && p.file.HasBOM() {
		at = 3
	}
	text := t.apart(p.before, p.eol)
	if len(bytes.TrimSpace(src[at:])) > 0 {
		text += p.eol
	}
	return []edit{exchange(at, at, text)}
}

// apart is the text of blocks that follow each other, a blank line apart.
func (t texts) apart(pieces []*piece, eol string) string {
	var out strings.Builder
	for i, q := range pieces {
		for j, each := range append([]*piece{q}, q.added...) {
			if i+j > 0 {
				out.WriteString(eol)
			}
			out.Write(withEnd(t[each].text, eol))
		}
	}
	return out.String()
}

// followed puts the blocks that follow the piece i on lines of their own behind
// its trailing comments, and with a blank line before them where the piece has
// one before or behind it.
func (t texts) followed(p *printed, src []byte, i int) edit {
	q := p.pieces[i]
	around := load.TriviaOf(q.block)
	apart := isBlankBefore(src, lineStart(src, around.Lead)) || isBlankLine(src, afterLine(src, around.End)) && i+1 < p.size()
	var out strings.Builder
	for _, a := range q.added {
		out.WriteString(p.eol)
		if apart {
			out.WriteString(p.eol)
		}
		out.Write(bytes.TrimRight(t[a].text, "\r\n"))
	}
	if around.End == len(src) && len(bytes.TrimSpace(src)) > 0 {
		out.WriteString(p.eol)
	}
	return exchange(around.End, around.End, out.String())
}

// closed puts the blocks that close the file behind what it holds.
func (t texts) closed(p *printed, src []byte, edits []edit) edit {
	text := ""
	if before := splice(src, 0, len(src), edits); len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
		text = p.eol
	}
	if n := p.size(); n > 0 {
		last := p.file.Block(n - 1)
		if isBlankBefore(src, lineStart(src, load.TriviaOf(last).Lead)) {
			text += p.eol
		}
	}
	return exchange(len(src), len(src), text+t.apart(p.after, p.eol))
}
