package excerpt

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Line returns the line that a range starts on, with sensitive values replaced by a word, and the
// bytes of the line that the range covers. ok is false if there is no line to show: the file is not
// known, or may not be shown.
func Line(r hcl.Range, m *load.Module) (line []byte, at, length int, ok bool) {
	f := m.File(r.Filename)
	if f == nil || r.Start.Line == 0 || r.Start.Byte > len(f.Raw) || len(f.Raw) == 0 || m.Secrets().Withholds(f) {
		return nil, 0, 0, false
	}
	line, from := lineAround(f.Raw, r.Start.Byte)
	if from == 0 && bytes.HasPrefix(line, spelling.UTF8BOM) {
		from = len(spelling.UTF8BOM)
		line = line[from:]
	}
	length = r.End.Byte - r.Start.Byte
	if r.End.Line > r.Start.Line {
		length = len(line)
	}
	line, at, length = conceal(line, max(0, r.Start.Byte-from), length, m.Secrets().In(f, from, from+len(line)), from)
	return line, at, length, true
}

// lineAround returns the line that an offset is in, and where it starts; of a very long
// line the part near the offset.
func lineAround(src []byte, at int) (line []byte, from int) {
	const near = 8 * maxSourceLine
	low, high := max(0, at-near), min(len(src), at+near)
	for low > 0 && low < at && !utf8.RuneStart(src[low]) {
		low++
	}
	from = low + textedit.LineStart(src[low:], at-low)
	return bytes.TrimRight(src[from:at+textedit.AfterLine(src[at:high], 0)], "\r\n"), from
}

// conceal replaces the hidden stretches of a line by a word, and returns the new position of a
// range in the line. The stretches are relative to the start of the file, the line starts at the
// offset from.
func conceal(line []byte, at, length int, hidden [][2]int, from int) ([]byte, int, int) {
	const word = wording.SensitiveValue
	end := at + length
	var edits []textedit.Edit
	for _, h := range slices.Backward(disjoint(hidden)) {
		edit := textedit.Replace(h[0]-from, h[1]-from, word)
		edits = append(edits, edit)
		at, end = moved(at, edit, 0), moved(end, edit, len(word))
	}
	return textedit.Apply(line, 0, len(line), edits), at, end - at
}

// disjoint joins overlapping stretches, such as those of blocks whose end is unknown.
func disjoint(stretches [][2]int) [][2]int {
	sorted := slices.SortedFunc(slices.Values(stretches), func(a, b [2]int) int { return a[0] - b[0] })
	var joined [][2]int
	for _, s := range sorted {
		if last := len(joined) - 1; last >= 0 && s[0] < joined[last][1] {
			joined[last][1] = max(joined[last][1], s[1])
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// moved returns the new position of an offset after an edit. An offset in the replaced stretch
// moves to the offset inside of its new text.
func moved(at int, edit textedit.Edit, inside int) int {
	switch {
	case at <= edit.Start:
		return at
	case at >= edit.End:
		return at + len(edit.Text) - (edit.End - edit.Start)
	}
	return edit.Start + inside
}

// maxSourceLine is how many columns of a source line a diagnostic shows.
const maxSourceLine = 160

// Marked makes a source line safe to print, shortens it around a range, and draws the mark below
// the range. at and length are in bytes. The text fits a width; 0 is any.
func Marked(line []byte, at, length, width int) (text, mark string) {
	at = min(at, len(line))
	length = max(1, min(length, len(line)-at))
	from, to := 0, len(line)
	prefix, suffix := "", ""
	if at > maxSourceLine/2 && len(line) > maxSourceLine {
		from, prefix = runeStart(line, at-maxSourceLine/4), "…"
	}
	if to-from > maxSourceLine {
		to, suffix = runeStart(line, from+maxSourceLine), "…"
	}
	end := min(at+length, to)
	before := prefix + safetext.Printable(string(line[from:at]))
	inside := ""
	if at < len(line) {
		inside = safetext.Printable(string(line[at:end]))
	}
	after := safetext.Printable(string(line[end:to])) + suffix
	if width > 0 && screen.Columns(before+inside+after) > width {
		before, inside, after = fit(before, inside, after, width)
	}
	mark = strings.Repeat(" ", screen.Columns(before)) + strings.Repeat("^", max(1, screen.Columns(inside)))
	return before + inside + after, mark
}

// fit shortens the parts of a line to a common width, preferring to keep inside visible.
func fit(before, inside, after string, width int) (string, string, string) {
	if room := max(width/4, width-screen.Columns(inside)-screen.Columns(after)); screen.Columns(before) > room {
		before = screen.CutStart(before, room)
	}
	inside = screen.Cut(inside, width-screen.Columns(before))
	if room := width - screen.Columns(before+inside); room > 0 {
		return before, inside, screen.Cut(after, room)
	}
	return before, inside, ""
}

// runeStart is where the character starts that an offset is in.
func runeStart(text []byte, at int) int {
	for low := at - utf8.UTFMax; at > max(0, low) && !utf8.RuneStart(text[at]); {
		at--
	}
	return at
}
