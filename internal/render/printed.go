package render

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// What one primary file is after the merge, as edits to it.

// indexes lists the blocks of the file that have a piece, in order.
func (p *printed) indexes() []int { return slices.Sorted(maps.Keys(p.pieces)) }

// extra lists the blocks that the file gets from elsewhere.
func (p *printed) extra() []*piece {
	extra := slices.Clone(p.before)
	for _, i := range p.indexes() {
		extra = append(extra, p.pieces[i].added...)
	}
	extra = append(extra, p.after...)
	for _, q := range slices.Clone(extra) {
		extra = append(extra, q.added...)
	}
	return extra
}

// made lists the blocks that are not what stands in the file.
func (p *printed) made() []*piece {
	list := p.extra()
	for _, i := range p.indexes() {
		if q := p.pieces[i]; q.touched {
			list = append(list, q)
		}
	}
	return list
}

// text is the whole file after the merge. An untouched file is its source.
func (p *printed) text() []byte {
	src := p.source()
	edits := p.edits()
	if len(edits) == 0 {
		return src
	}
	return splice(src, 0, len(src), edits)
}

// source is the file's native text, nothing for a file that is made.
func (p *printed) source() []byte {
	if p.file == nil {
		return nil
	}
	return p.file.Src
}

// edits are what turns the file into what it is after the merge.
func (p *printed) edits() []edit {
	src := p.source()
	edits := p.opened(src)
	for _, i := range p.indexes() {
		q := p.pieces[i]
		at := 0
		if q.text != nil {
			at = q.end
			text := string(q.text)
			if q.widened && at == len(src) {
				text += p.eol
			}
			if text != string(src[q.start:q.end]) {
				edits = append(edits, edit{q.start, q.end, text})
			}
		}
		if len(q.added) > 0 {
			edits = append(edits, p.followed(src, at, i))
		}
	}
	if len(p.after) > 0 {
		edits = append(edits, p.closed(src, edits))
	}
	return edits
}

// opened puts the blocks that open the file before what it holds.
func (p *printed) opened(src []byte) []edit {
	if len(p.before) == 0 {
		return nil
	}
	at := 0
	if p.file != nil && p.file.HasBOM() {
		at = 3
	}
	text := p.apart(p.before)
	if len(bytes.TrimSpace(src[at:])) > 0 {
		text += p.eol
	}
	return []edit{{at, at, text}}
}

// apart is the text of blocks that follow each other, a blank line apart.
func (p *printed) apart(pieces []*piece) string {
	var out strings.Builder
	for i, q := range pieces {
		for j, each := range append([]*piece{q}, q.added...) {
			if i+j > 0 {
				out.WriteString(p.eol)
			}
			out.Write(withEnd(each.text, p.eol))
		}
	}
	return out.String()
}

// followed puts the blocks that follow the piece i on lines of their own behind
// its trailing comments, and with a blank line before them where the piece has
// one before or behind it.
func (p *printed) followed(src []byte, at, i int) edit {
	q := p.pieces[i]
	t := load.TriviaOf(q.block)
	end := max(at, t.End)
	apart := isBlankBefore(src, lineStart(src, t.Lead)) || isBlankLine(src, afterLine(src, t.End)) && i+1 < p.size()
	var out strings.Builder
	for _, a := range q.added {
		out.WriteString(p.eol)
		if apart {
			out.WriteString(p.eol)
		}
		out.Write(bytes.TrimRight(a.text, "\r\n"))
	}
	if end == len(src) && len(bytes.TrimSpace(src)) > 0 {
		out.WriteString(p.eol)
	}
	return edit{end, end, out.String()}
}

// closed puts the blocks that close the file behind what it holds.
func (p *printed) closed(src []byte, edits []edit) edit {
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
	return edit{len(src), len(src), text + p.apart(p.after)}
}
