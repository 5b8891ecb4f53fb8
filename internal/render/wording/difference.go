package wording

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// whereDifferent words where two texts begin to differ that are too long to be shown: " (differs
// from line 3 on)".
func whereDifferent(before, after []byte) string {
	where, _ := firstDifference(before, after)
	if where == "" {
		return ""
	}
	return " (differs from " + where + " on)"
}

// InEffectBeside is InEffect; for an argument whose value is too long to be shown, it adds the text
// from the first difference between it and another argument, the name's value in other, which is
// too long as well.
func (r Redactor) InEffectBeside(e *merge.MergedItem, it source.Item, other *merge.MergedItem, later source.Item) string {
	words := r.InEffect(e, it)
	a, isAttr := it.(*source.Attr)
	b, bothAttrs := later.(*source.Attr)
	if !isAttr || !bothAttrs || r.Hides(it) {
		return words
	}
	text, beside := wholeText(e, a), wholeText(other, b)
	where, at := firstDifference(text, beside)
	isShown := words == safetext.Printable(string(text)) || r.InEffect(other, b) == safetext.Printable(string(beside))
	if where == "" || isShown {
		return words
	}
	return fmt.Sprintf("%s (from %s on: %s)", words, where, partOf(text, at))
}

// wholeText is the value in effect of a name, which an argument has unless it was computed.
func wholeText(e *merge.MergedItem, a *source.Attr) []byte {
	if e.Value != nil {
		return computed.NativeText(e.Value)
	}
	return a.Display()
}

// How many characters are shown of a text around where it begins to differ.
const (
	shownBefore = 10
	shownBehind = 40
)

// partOf is an excerpt of a text around a position in one of its lines.
func partOf(text []byte, at int) string {
	start, end := at, at
	for n := 0; n < shownBefore && start > 0 && text[start-1] != '\n'; n++ {
		_, size := utf8.DecodeLastRune(text[:start])
		start -= size
	}
	for n := 0; n < shownBehind && end < len(text) && text[end] != '\n'; n++ {
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	part := string(text[start:end])
	if start > 0 {
		part = "…" + part
	}
	if end < len(text) {
		part += "…"
	}
	return safetext.Printable(part)
}

// firstDifference words where two texts begin to differ, as "line 3" or, for texts of one line,
// "column 7", and returns that offset in the first text; empty if they don't differ. The lines of a
// heredoc are numbered without its marker, as for its size.
func firstDifference(before, after []byte) (where string, at int) {
	old, later := bytes.Split(before, []byte("\n")), bytes.Split(after, []byte("\n"))
	if len(old) == 1 && len(later) == 1 {
		at = differentFrom(before, after)
		if at == len(before) && at == len(after) {
			return "", 0
		}
		return fmt.Sprintf("column %d", utf8.RuneCount(before[:at])+1), at
	}
	first := 1
	isHeredoc := bytes.HasPrefix(before, []byte("<<")) && bytes.HasPrefix(after, []byte("<<"))
	if isHeredoc {
		first = 0
	}
	for i := range min(len(old), len(later)) {
		a, b := bytes.TrimRight(old[i], "\r"), bytes.TrimRight(later[i], "\r")
		indent := 0
		if isHeredoc { // its indentation may not be part of the value
			indent = len(a) - len(bytes.TrimLeft(a, " \t"))
			a, b = a[indent:], bytes.TrimLeft(b, " \t")
		}
		if !bytes.Equal(a, b) && i+first > 0 {
			return fmt.Sprintf("line %d", i+first), at + indent + differentFrom(a, b)
		}
		at += len(old[i]) + 1
	}
	return "", 0
}

// differentFrom is the offset of the first character in which two texts of a line differ.
func differentFrom(before, after []byte) int {
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	for same > 0 && same < len(before) && !utf8.RuneStart(before[same]) {
		same--
	}
	return same
}
