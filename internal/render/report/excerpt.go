package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// An Excerpt is a line of a file with sensitive values replaced by a word, and the bytes of it that a range covers.
type Excerpt struct {
	text       []byte
	at, length int
}

// SourceLine returns the line that a range starts on; nil if there is no line to show: the file is not known, or
// may not be shown.
func SourceLine(r hcl.Range, m *load.Module) *Excerpt {
	f := m.File(r.Filename)
	if f == nil || r.Start.Line == 0 || r.Start.Byte > len(f.Raw) || len(f.Raw) == 0 || m.Secrets().Withholds(f) {
		return nil
	}
	line, from := lineAround(f.Raw, r.Start.Byte)
	if from == 0 && bytes.HasPrefix(line, spelling.UTF8BOM) {
		from = len(spelling.UTF8BOM)
		line = line[from:]
	}
	length := r.End.Byte - r.Start.Byte
	if r.End.Line > r.Start.Line {
		length = len(line)
	}
	return conceal(line, max(0, r.Start.Byte-from), length, m.Secrets().In(f, from, from+len(line)), from)
}

// Write writes the line behind a margin and its number, and below the range a mark. Lines fit a terminal, which
// would break them, away from the mark.
func (x *Excerpt) Write(out io.Writer, margin, number string, colored func(string) string, to screen.Screen) {
	width := 0
	if to.IsTerminal {
		width = to.Width - len(margin+number+" | ")
	}
	text, mark := x.marked(width)
	fmt.Fprintf(out, "%s%s %s\n", margin, to.Dim(number+" |"), text)
	fmt.Fprintf(out, "%s%s %s\n", margin, to.Dim(strings.Repeat(" ", len(number))+" |"), colored(mark))
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

// conceal replaces the hidden stretches of a line by a word, and finds the new position of a
// range in the line. The stretches are relative to the start of the file, the line starts at the
// offset from.
func conceal(line []byte, at, length int, hidden [][2]int, from int) *Excerpt {
	const word = wording.SensitiveValue
	end := at + length
	var edits []textedit.Edit
	for _, h := range slices.Backward(disjoint(hidden)) {
		edit := textedit.Replace(h[0]-from, h[1]-from, word)
		edits = append(edits, edit)
		at, end = moved(at, edit, 0), moved(end, edit, len(word))
	}
	return &Excerpt{textedit.Apply(line, 0, len(line), edits), at, end - at}
}

// disjoint joins overlapping stretches, such as those of blocks whose end is unknown.
func disjoint(stretches [][2]int) (joined [][2]int) {
	sorted := slices.SortedFunc(slices.Values(stretches), func(a, b [2]int) int { return a[0] - b[0] })
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

// marked makes the line safe to print, shortens it around the range, and draws the mark below the range. The text
// fits a width; 0 is any.
func (x *Excerpt) marked(width int) (text, mark string) {
	line, at := x.text, min(x.at, len(x.text))
	length := max(1, min(x.length, len(line)-at))
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
func runeStart[T string | []byte](text T, at int) int {
	for low := at - utf8.UTFMax; at > max(0, low) && !utf8.RuneStart(text[at]); {
		at--
	}
	return at
}

// A small file can contain very many mistakes. The listing is bounded; the totals are exact.

// How many diagnostics of one summary about one file are shown, how many about one
// file of all summaries, and how many bytes of each text. Nothing is lost of
// warnings that people would read: there are more of them than of errors.
const (
	maxErrorsAlike   = 10
	maxWarningsAlike = 50
	maxOfFile        = 200
	maxText          = 4000
)

// A boundKey is the same for diagnostics with a common limit.
type boundKey struct {
	isError bool
	file    string
	summary string // "" for all of the file
}

// keys are those of a group's summary and of all about its file.
func (g *Group) keys() (own, ofFile boundKey) {
	ofFile.isError = diag.IsError(g.Diagnostic)
	if g.Subject != nil {
		ofFile.file = g.Subject.Filename
	}
	own = ofFile
	own.summary = g.Summary
	return own, ofFile
}

// bounded returns groups, limited to some of each kind. Behind the last one of a kind, another
// group gives the number of the rest.
func bounded(groups []*Group) []*Group {
	shown, last, left := map[boundKey]int{}, map[boundKey]int{}, map[boundKey]int{}
	var list []*Group
	for _, d := range groups {
		own, all := d.keys()
		most := maxErrorsAlike
		if !all.isError {
			most = maxWarningsAlike
		}
		switch {
		case shown[own] == most:
			left[own] += d.count()
		case shown[all] == maxOfFile:
			left[all] += d.count()
		default:
			shown[own], shown[all] = shown[own]+1, shown[all]+1
			last[own], last[all] = len(list), len(list)
			list = append(list, d)
		}
	}
	terse(list)
	if len(left) == 0 {
		return list
	}
	return withRest(list, last, left)
}

// terse removes, in place, sentences that the detail of an earlier group already contains.
func terse(list []*Group) {
	traps := diag.Traps{}
	for _, g := range list {
		if g.Subject == nil {
			continue
		}
		if detail := traps.Once(g.Subject.Filename, g.Detail); detail != g.Detail {
			d := *g.Diagnostic
			d.Detail, g.Diagnostic = detail, &d
		}
	}
}

// withRest adds a diagnostic on how many of each kind are left out.
func withRest(list []*Group, last, left map[boundKey]int) (all []*Group) {
	for i, d := range list {
		own, ofFile := d.keys()
		all = append(all, d)
		for _, kind := range []boundKey{own, ofFile} {
			if n := left[kind]; n > 0 && last[kind] == i {
				all = append(all, &Group{Diagnostic: moreOf(kind, n)})
			}
		}
	}
	return all
}

// moreOf returns a diagnostic on how many of a kind are not shown.
func moreOf(kind boundKey, n int) *hcl.Diagnostic {
	d, noun, where := &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: kind.summary}, "warning", ""
	if kind.isError {
		d.Severity, noun = hcl.DiagError, "error"
	}
	if kind.file != "" {
		d.Subject, where = &hcl.Range{Filename: kind.file}, " in this file"
	}
	one, more := "more "+noun+" like this", "more "+noun+"s like this"
	if kind.summary == "" {
		d.Summary, one, more = "More "+noun+"s", "other "+noun, "other "+noun+"s"
	}
	d.Detail = wording.Number(n, one+where+" is not shown.", more+where+" are not shown.")
	return d
}

// CutText shortens a text of more than 4000 bytes, and ends it with an ellipsis then.
func CutText(text string) string {
	if len(text) <= maxText {
		return text
	}
	return text[:runeStart(text, maxText)] + "…"
}

// Of equal diagnostics, how many are shown in full, and for how many more the locations are listed.
const (
	maxInFull = 3
	maxPlaces = 20
)

// A Group is a diagnostic, with the other locations of equal ones.
type Group struct {
	*hcl.Diagnostic
	Also []*hcl.Diagnostic // the first at the other locations
	More int               // how many further ones there are
}

// count returns how many diagnostics a group represents.
func (g *Group) count() int { return 1 + len(g.Also) + g.More }

// A similarKey is the same for diagnostics that differ only in their ranges, and in the names they
// mention.
type similarKey struct {
	severity        hcl.DiagnosticSeverity
	summary, detail string
	related         diag.Related
}

// An equalKey is the same for diagnostics that don't differ.
type equalKey struct {
	similarKey
	detail string
	at     hcl.Range
}

// detailNames matches the parts in which details may differ: addresses, file names and quotations. A
// location is part of the remedy, so it must be equal.
var detailNames = lazyregexp.New(`[^\s"]+:\d+|"(?:[^"\\]|\\.)*"|[\pL_][\pL\d_-]*(?:\.[\pL\d_\[\]*-]+)+`)

// withoutNames returns a detail with one sign for each name.
func withoutNames(detail string) string {
	return detailNames().ReplaceAllStringFunc(detail, func(found string) string {
		if at := strings.LastIndexByte(found, ':'); at >= 0 && found[0] != '"' {
			return found
		}
		return "\x00"
	})
}

// Grouped returns the diagnostics to show, so that one mistake in many places doesn't fill the screen. Those without
// a line stay as they are. Of the others, duplicates are dropped. Of those that differ only in locations and names, the
// first maxInFull get groups of their own. The last of these groups has the locations of the next maxPlaces, and counts
// the rest. bounded limits the number of groups of each kind.
func Grouped(diags hcl.Diagnostics) []*Group {
	shown, third := map[similarKey]int{}, map[similarKey]*Group{}
	known := map[equalKey]bool{}
	var list []*Group
	for _, d := range diags {
		if d.Subject == nil || d.Subject.Start.Line == 0 {
			list = append(list, &Group{Diagnostic: d})
			continue
		}
		kind := similarKey{severity: d.Severity, summary: d.Summary, detail: withoutNames(CutText(d.Detail))}
		kind.related, _ = diag.RelatedOf(d)
		here := equalKey{kind, d.Detail, *d.Subject}
		if known[here] {
			continue
		}
		known[here] = true
		last := third[kind]
		switch {
		case last == nil:
			last = &Group{Diagnostic: d}
			list = append(list, last)
			if shown[kind]++; shown[kind] == maxInFull {
				third[kind] = last
			}
		case len(last.Also) < maxPlaces:
			last.Also = append(last.Also, d)
		default:
			last.More++
		}
	}
	return bounded(list)
}
