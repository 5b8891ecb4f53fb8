package extract

import (
	"bytes"
	"slices"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// How differing lines are separated from their neighbours.

// cut makes a separate hunk of each expressed item that covers whole lines in both files, so that
// it can be taken back while its neighbours stay.
func (t *takeback) cut(h hunk, was, is *source.File) []hunk {
	var list []hunk
	remaining := h
	add := func(base, edited span, isItem bool) {
		if base.from == base.to && edited.from == edited.to {
			return
		}
		part := hunk{base: base, edited: edited, From: remaining.From, IsBack: isItem}
		part.To = part.From + linesIn(is.Raw[edited.from:edited.to])
		remaining.From = part.To
		list = append(list, part)
	}
	before := placesIn(t.base.expressed, h.base)
	for _, p := range placesIn(t.edited.expressed, h.edited) {
		old := span{remaining.base.from, remaining.base.from}
		i := slices.IndexFunc(before, func(q place) bool { return q.own == p.own })
		if i >= 0 {
			old = before[i].span
		} else if t.base.has[p.own] {
			continue // it was somewhere else
		}
		old, isWhole := wholeLines(was.Raw, old)
		now, isWholeNow := wholeLines(is.Raw, p.span)
		if !isWhole || !isWholeNow || old.from < remaining.base.from || old.to > h.base.to || now.from < remaining.edited.from || now.to > h.edited.to {
			continue
		}
		before = before[i+1:]
		add(span{remaining.base.from, old.from}, span{remaining.edited.from, now.from}, false)
		add(old, now, true)
		remaining.base.from, remaining.edited.from = old.to, now.to
	}
	add(remaining.base, remaining.edited, false)
	return list
}

// wholeLines is a span with the rest of its lines, if nothing but blanks is there.
func wholeLines(text []byte, s span) (span, bool) {
	if s.from == s.to {
		return s, true
	}
	from, to := textedit.LineStart(text, s.from), textedit.AfterLine(text, max(s.from, s.to-1))
	return span{from, to}, len(bytes.TrimSpace(text[from:s.from]))+len(bytes.TrimSpace(text[min(s.to, to):to])) == 0
}

func linesIn(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// ChangedLines returns the line edits that turn one text into another; edits of adjacent lines are
// joined.
func ChangedLines(was, is []byte) []udiff.Edit {
	var list []udiff.Edit
	for _, e := range udiff.Lines(string(was), string(is)) {
		if n := len(list); n > 0 && list[n-1].End == e.Start {
			list[n-1].End, list[n-1].New = e.End, list[n-1].New+e.New
			continue
		}
		list = append(list, e)
	}
	return list
}

// straddling keeps items with some differing lines whose other lines were matched with lines of
// another item in the other file: in a comparison of lines, two closing braces are equal.
func (t *takeback) straddling(hunks []hunk, text []byte, places, others []place, sides func(*hunk) (own, other span)) {
	first := 0
	for _, p := range places {
		for first < len(hunks) && endOf(sides(&hunks[first])) <= p.from {
			first++
		}
		at, shift := p.from, 0
		if first > 0 {
			own, other := sides(&hunks[first-1])
			shift = other.to - own.to
		}
		isSame := func(to int) bool {
			if at >= to || len(bytes.TrimSpace(text[at:to])) == 0 {
				return true
			}
			found := placesIn(others, span{at + shift, to + shift})
			return len(found) == 1 && found[0].from <= at+shift && to+shift <= found[0].to && t.root(found[0].own) == t.root(p.own)
		}
		isTouched, isWhole := false, true
		for i := first; i < len(hunks); i++ {
			own, other := sides(&hunks[i])
			if own.from >= p.to {
				break
			}
			isTouched = true
			isWhole = isWhole && isSame(own.from)
			at, shift = max(at, own.to), other.to-own.to
		}
		if isTouched && !(isWhole && isSame(p.to)) {
			t.stuck[p.own] = true
		}
	}
}

func endOf(own, _ span) int { return own.to }
