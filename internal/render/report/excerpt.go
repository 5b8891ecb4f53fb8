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
	at, length int // the range in text, in bytes
}

// SourceLine returns the line that a range of module m starts on, with the range marked and a word in place of each
// sensitive value. It returns nil if the file is unknown, empty or secret, or if the range has no line in it.
func SourceLine(r hcl.Range, m *load.Module) *Excerpt {
	f := m.File(r.Filename)
	if f == nil || r.Start.Line == 0 || r.Start.Byte > len(f.Raw) || len(f.Raw) == 0 || m.Secrets().Withholds(f) {
		return nil
	}
	// from is the offset of the line in the file.
	line, from := lineAround(f.Raw, r.Start.Byte)
	if from == 0 && bytes.HasPrefix(line, spelling.UTF8BOM) { // which editors don't show
		from = len(spelling.UTF8BOM)
		line = line[from:]
	}
	// The range, counted from the start of the line.
	at, length := max(0, r.Start.Byte-from), r.End.Byte-r.Start.Byte
	if r.End.Line > r.Start.Line { // mark the rest of the line
		length = len(line)
	}
	hidden := m.Secrets().In(f, from, from+len(line))
	return conceal(line, at, length, hidden, from)
}

// Write prints the line after a margin and its line number and, on the next line, a mark under the range, which
// colored colours. On a terminal, it shortens the line to the width, because a wrapped line would not align with its
// mark.
func (x *Excerpt) Write(out io.Writer, margin, number string, colored func(string) string, to screen.Screen) {
	width := 0
	if to.IsTerminal {
		width = to.Width - len(margin+number+" | ")
	}
	text, mark := x.marked(width)
	fmt.Fprintf(out, "%s%s %s\n", margin, to.Dim(number+" |"), text)
	fmt.Fprintf(out, "%s%s %s\n", margin, to.Dim(strings.Repeat(" ", len(number))+" |"), colored(mark))
}

// lineAround returns the line that contains the offset at, and where it starts in src. Of a very long line it
// returns only the part near the offset.
func lineAround(src []byte, at int) (line []byte, from int) {
	const near = 8 * maxSourceLine
	low, high := max(0, at-near), min(len(src), at+near)
	for low > 0 && low < at && !utf8.RuneStart(src[low]) { // not inside of a character
		low++
	}
	from = low + textedit.LineStart(src[low:], at-low)
	end := at + textedit.AfterLine(src[at:high], 0)
	return bytes.TrimRight(src[from:end], "\r\n"), from
}

// conceal returns a line with a word in place of each sensitive part, and moves the range to mark accordingly. at and
// length give this range within line. hidden are the start and end offsets of the sensitive parts, counted in the
// file, where the line starts at from.
func conceal(line []byte, at, length int, hidden [][2]int, from int) *Excerpt {
	const word = wording.SensitiveValue
	end := at + length
	var edits []textedit.Edit
	for _, h := range slices.Backward(disjoint(hidden)) { // from the end, so that earlier offsets stay valid
		edit := textedit.Replace(h[0]-from, h[1]-from, word)
		edits = append(edits, edit)
		// If the range starts or ends inside of the sensitive part, it covers the whole word.
		at, end = offsetAfter(at, edit, 0), offsetAfter(end, edit, len(word))
	}
	return &Excerpt{textedit.Apply(line, 0, len(line), edits), at, end - at}
}

// disjoint sorts stretches of text and joins overlapping ones, such as those of blocks whose end is unknown:
// edits must not overlap.
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

// offsetAfter returns what an edit turns the offset at into. An offset within the replaced text becomes the offset
// inside within the new text: 0 for its start, len(edit.Text) for its end.
func offsetAfter(at int, edit textedit.Edit, inside int) int {
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

// marked returns the line in printable form, shortened around the range, and the mark to print below it: blanks and
// "^^^". The line fits into width columns; 0 is any width. Offsets are those of bytes in x.text.
func (x *Excerpt) marked(width int) (text, mark string) {
	line, at := x.text, min(x.at, len(x.text))
	length := max(1, min(x.length, len(line)-at)) // an empty range gets a mark, too
	from, to := 0, len(line)                      // the part to print
	prefix, suffix := "", ""
	// Print a very long line from its start if the range begins in the first half of what fits. Otherwise cut the
	// line so that a quarter is left for the text before the range, and the rest for the range and what follows.
	if at > maxSourceLine/2 && len(line) > maxSourceLine {
		from, prefix = runeStart(line, at-maxSourceLine/4), "…"
	}
	if to-from > maxSourceLine {
		to, suffix = runeStart(line, from+maxSourceLine), "…"
	}
	// The text before, inside and after the range.
	end := min(at+length, to)
	before := prefix + safetext.Printable(string(line[from:at]))
	inside := safetext.Printable(string(line[at:end])) // "" for a range at the end of the line
	after := safetext.Printable(string(line[end:to])) + suffix
	if width > 0 && screen.Columns(before+inside+after) > width {
		before, inside, after = fitWidth(before, inside, after, width)
	}
	mark = strings.Repeat(" ", screen.Columns(before)) + strings.Repeat("^", max(1, screen.Columns(inside)))
	return before + inside + after, mark
}

// fitWidth shortens the text before, inside and after a range so that together they fit a width, and returns them in
// this order. It first shortens before, at most to a quarter of the width, then after, and inside last.
func fitWidth(before, inside, after string, width int) (string, string, string) {
	// The text before gets what the others leave, but may always take a quarter.
	if left := max(width/4, width-screen.Columns(inside)-screen.Columns(after)); screen.Columns(before) > left {
		before = screen.CutStart(before, left)
	}
	inside = screen.Cut(inside, width-screen.Columns(before))
	if left := width - screen.Columns(before+inside); left > 0 {
		return before, inside, screen.Cut(after, left)
	}
	return before, inside, ""
}

// runeStart returns the offset at which the character around the offset at starts, so that a text can be cut
// there. In invalid UTF-8, it goes back by at most the length of a character.
func runeStart[T string | []byte](text T, at int) int {
	lowest := max(0, at-utf8.UTFMax)
	for at > lowest && !utf8.RuneStart(text[at]) {
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

// A boundKey identifies a limit: that of diagnostics with one summary about one file, or that of all about
// the file.
type boundKey struct {
	isError bool
	file    string
	summary string // "" in the limit for all diagnostics of the file
}

// limits returns the two limits that a group counts for: own is the limit of groups with its summary in its file,
// ofFile that of all groups in the file. Errors and warnings have separate limits.
func (g *Group) limits() (own, ofFile boundKey) {
	ofFile.isError = diag.IsError(g.Diagnostic)
	if g.Subject != nil {
		ofFile.file = g.Subject.Filename
	}
	own = ofFile
	own.summary = g.Summary
	return own, ofFile
}

// bounded returns groups without those beyond a limit: of the groups about a file, at most maxErrorsAlike or
// maxWarningsAlike with one summary, and maxOfFile in all. After the last group within an exceeded limit, it adds one
// with the number of the omitted diagnostics. In the groups that remain, advice that an earlier one gives isn't
// repeated.
func bounded(groups []*Group) []*Group {
	// By limit: how many groups are listed, the index of the last one, and how many diagnostics are omitted.
	shown, last, left := map[boundKey]int{}, map[boundKey]int{}, map[boundKey]int{}
	var list []*Group
	for _, g := range groups {
		own, ofFile := g.limits() // of its summary, and of its file
		limit := maxErrorsAlike
		if !ofFile.isError {
			limit = maxWarningsAlike
		}
		switch {
		case shown[own] == limit:
			left[own] += g.count()
		case shown[ofFile] == maxOfFile:
			left[ofFile] += g.count()
		default:
			shown[own], shown[ofFile] = shown[own]+1, shown[ofFile]+1
			last[own], last[ofFile] = len(list), len(list)
			list = append(list, g)
		}
	}
	dropRepeatedAdvice(list)
	if len(left) == 0 { // no limit is exceeded
		return list
	}
	return withCounts(list, last, left)
}

// dropRepeatedAdvice removes a sentence from details that an earlier group about the same file has: that the file is
// an override file because of its name. It changes the groups, but copies the diagnostics.
func dropRepeatedAdvice(list []*Group) {
	traps := diag.Traps{} // remembers the files for which a group has the sentence
	for _, g := range list {
		if g.Subject == nil {
			continue
		}
		// Once returns the detail without that sentence from the second time on.
		if detail := traps.Once(g.Subject.Filename, g.Detail); detail != g.Detail {
			copied := *g.Diagnostic
			copied.Detail = detail
			g.Diagnostic = &copied
		}
	}
}

// withCounts inserts a diagnostic with the number of omitted ones after the last group of each exceeded limit. By
// limit, last is the index of that group in list, and left is the number.
func withCounts(list []*Group, last, left map[boundKey]int) (all []*Group) {
	for i, g := range list {
		own, ofFile := g.limits()
		all = append(all, g)
		for _, limit := range []boundKey{own, ofFile} {
			if n := left[limit]; n > 0 && last[limit] == i {
				all = append(all, &Group{Diagnostic: moreOf(limit, n)})
			}
		}
	}
	return all
}

// moreOf returns a diagnostic that gives the number n of omitted diagnostics of a limit.
func moreOf(limit boundKey, n int) *hcl.Diagnostic {
	d, noun, where := &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: limit.summary}, "warning", ""
	if limit.isError {
		d.Severity, noun = hcl.DiagError, "error"
	}
	if limit.file != "" {
		d.Subject, where = &hcl.Range{Filename: limit.file}, " in this file"
	}
	one, more := "more "+noun+" like this", "more "+noun+"s like this"
	if limit.summary == "" {
		d.Summary, one, more = "More "+noun+"s", "other "+noun, "other "+noun+"s"
	}
	d.Detail = wording.Number(n, one+where+" is not shown.", more+where+" are not shown.")
	return d
}

// CutText shortens a text to maxText bytes. If it was longer, it ends with an ellipsis.
func CutText(text string) string {
	if len(text) <= maxText {
		return text
	}
	return text[:runeStart(text, maxText)] + "…"
}

// The limits for diagnostics that differ only in locations and names.
const (
	maxInFull = 3  // how many are shown in full
	maxPlaces = 20 // how many more are listed by their locations
)

// A Group is a diagnostic, with the other locations of equal ones.
type Group struct {
	*hcl.Diagnostic
	Also []*hcl.Diagnostic // the first at the other locations
	More int               // how many further ones there are
}

// count returns how many diagnostics a group represents, itself included.
func (g *Group) count() int { return 1 + len(g.Also) + g.More }

// A similarKey is equal for diagnostics that differ only in their ranges and in the names that they mention.
type similarKey struct {
	severity        hcl.DiagnosticSeverity
	summary, detail string
	related         diag.Related
}

// An equalKey is equal for duplicates: diagnostics that don't differ at all.
type equalKey struct {
	similarKey
	detail string
	at     hcl.Range
}

// detailNames matches the parts in which details may differ: addresses, file names and quotations. A
// location is part of the remedy, so it must be equal.
var detailNames = lazyregexp.New(`[^\s"]+:\d+|"(?:[^"\\]|\\.)*"|[\pL_][\pL\d_-]*(?:\.[\pL\d_\[\]*-]+)+`)

// withoutNames replaces each address, file name and quotation in a detail by the same sign, so that details
// which differ only in these become equal. It keeps FILE:LINE.
func withoutNames(detail string) string {
	return detailNames().ReplaceAllStringFunc(detail, func(found string) string {
		isQuoted := found[0] == '"'
		if !isQuoted && strings.Contains(found, ":") { // a place
			return found
		}
		return "\x00"
	})
}

// Grouped returns the diagnostics to show, so that one mistake in many places doesn't fill the screen. A diagnostic
// without a line always gets a group of its own. Of the others, duplicates are dropped. Of those that differ only in
// locations and names, each of the first maxInFull gets a group. The last of these groups also has the next maxPlaces
// in Also, and the number of the rest in More: with 2 and 5, twenty alike make two groups, and the second one has five
// in Also and 13 in More. Then bounded limits the number of groups.
func Grouped(diags hcl.Diagnostics) []*Group {
	// inFull counts the groups of similar diagnostics; lastInFull is the last group, once there are maxInFull.
	inFull, lastInFull := map[similarKey]int{}, map[similarKey]*Group{}
	known := map[equalKey]bool{}
	var list []*Group
	for _, d := range diags {
		if d.Subject == nil || d.Subject.Start.Line == 0 {
			list = append(list, &Group{Diagnostic: d})
			continue
		}
		// Drop a duplicate.
		similar := similarKey{severity: d.Severity, summary: d.Summary, detail: withoutNames(CutText(d.Detail))}
		similar.related, _ = diag.RelatedOf(d)
		exact := equalKey{similar, d.Detail, *d.Subject}
		if known[exact] {
			continue
		}
		known[exact] = true
		last := lastInFull[similar]
		switch {
		case last == nil: // fewer than maxInFull so far: one more group
			g := &Group{Diagnostic: d}
			list = append(list, g)
			if inFull[similar]++; inFull[similar] == maxInFull {
				lastInFull[similar] = g
			}
		case len(last.Also) < maxPlaces: // only its location
			last.Also = append(last.Also, d)
		default: // only the number
			last.More++
		}
	}
	return bounded(list)
}
