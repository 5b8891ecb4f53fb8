package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
)

// maxSourceLine is how many columns of a source line a diagnostic shows.
const maxSourceLine = 160

// Diagnostics writes diagnostics, each with its place, the source line with the
// place marked below it, and the second place where there is one. Of very many
// alike it writes some, and how many more there are.
func Diagnostics(w io.Writer, diags hcl.Diagnostics, m *load.Module, p Palette) {
	isTold := false
	for i, d := range Bounded(diags) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		diagnostic(w, d, m, p)
		if !isTold && isWithheld(d, m) {
			isTold = true
			fmt.Fprintf(w, "  %s\n", linesAreHidden)
		}
	}
}

// linesAreHidden says what to do about source lines that are not there.
const linesAreHidden = "Source lines of files that can't be parsed are hidden, since there may be secrets on them; --show-source shows them."

// isWithheld tells whether a source line of a diagnostic is not to be shown.
func isWithheld(d *hcl.Diagnostic, m *load.Module) bool {
	isHidden := func(r hcl.Range) bool {
		f := m.File(r.Filename)
		return f != nil && !f.Outside && r.Start.Line > 0 && m.Secrets().Withholds(f)
	}
	related, hasRelated := d.Extra.(load.Related)
	return d.Subject != nil && isHidden(*d.Subject) || hasRelated && isHidden(related.Range)
}

func diagnostic(w io.Writer, d *hcl.Diagnostic, m *load.Module, p Palette) {
	head := p.Error("Error: ")
	if d.Severity == hcl.DiagWarning {
		head = p.Warning("Warning: ")
	}
	fmt.Fprintf(w, "%s%s\n", head, p.Place(strings.ReplaceAll(Printable(cutText(d.Summary)), "\n", `\n`)))
	if d.Subject != nil {
		source(w, *d.Subject, "", m, p)
	}
	if r, ok := d.Extra.(load.Related); ok {
		source(w, r.Range, r.Note, m, p)
	}
	if d.Detail != "" {
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(Printable(cutText(d.Detail)), "\n", "\n  "))
	}
}

// notUTF8 warns of a value that is not text.
func notUTF8(a *load.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Invalid character encoding",
		Detail:   "This value holds bytes that are not UTF-8, which JSON can't say; each becomes U+FFFD. Use base64decode, or print native syntax.",
		Subject:  a.Value().Ptr(),
	}
}

// changedForce warns of a version constraint that goes to a file of another kind.
func changedForce(it load.Item, isTofu bool) *hcl.Diagnostic {
	what := "The patch puts it into a file that does not end in .tofu, where the engine ignores it. Move it to a .tofu file."
	if isTofu {
		what = "The patch puts it into a .tofu file, where it counts, which it did not before. Remove it if it is not meant."
	}
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Version constraint changes its force", Detail: what, Subject: it.Header().Ptr()}
}

// CommentLost is the summary of warnings about comments that JSON can't hold.
const CommentLost = "Comment is lost"

// commentLost warns of a comment that a JSON file can't hold.
func commentLost(it load.Item, f *load.File) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  CommentLost,
		Detail:   fmt.Sprintf("This goes to %s, and JSON has no comments, so those of \"%s\" are left out.", load.Escape(f.Name), load.Escape(it.Called())),
		Subject:  it.Header().Ptr(),
	}
}

// interleaved warns of an order of nested blocks that takes repeated properties.
func interleaved(b, before *load.Block) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Repeated JSON property",
		Detail:   fmt.Sprintf("Static and dynamic blocks of type \"%s\" take turns here, which JSON can say only by repeating the names of properties. The engine reads them in order, but other programs may keep the last one only. Put the static blocks together, or print native syntax.", load.Escape(b.Called())),
		Subject:  b.Header().Ptr(),
		Extra:    load.Related{Note: "this one comes before it", Range: before.Header()},
	}
}

// besideOther warns of an argument and a nested block of one name in one body.
func besideOther(it load.Item) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Repeated JSON property",
		Detail:   fmt.Sprintf("This body has an argument and a nested block called \"%s\". JSON writes both as properties of that name and can't tell them apart. Keep the one that the provider's schema knows, or print native syntax.", load.Escape(it.Called())),
		Subject:  it.Header().Ptr(),
	}
}

// expressionInLiteral warns of an expression that JSON can't say.
func expressionInLiteral(a *load.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Expression in a constant",
		Detail:   fmt.Sprintf("%s takes a string in JSON here for the text that it is, so that JSON can't say this expression. Write a constant, or print native syntax.", a.File.Engine),
		Subject:  a.Value().Ptr(),
	}
}

// refusedInJSON warns of what an engine refuses as soon as it stands in JSON.
func refusedInJSON(d *hcl.Diagnostic) *hcl.Diagnostic {
	d.Severity = hcl.DiagWarning
	d.Detail += " Write a constant, or print native syntax."
	return d
}

// likeDynamic warns of an argument that would be dynamic blocks in JSON.
func likeDynamic(a *load.Attr) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Argument like a dynamic block",
		Detail:   "Unless the provider has an argument called \"dynamic\", the engine refuses this one, and reads dynamic blocks in JSON that look the same. Write a dynamic block if that is meant, or print native syntax.",
		Subject:  a.Header().Ptr(),
	}
}

// wrongDynamic warns of a dynamic block without a type, or with more than one.
func wrongDynamic(b *load.Block) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning,
		Summary:  "Dynamic block without one label",
		Detail:   "A dynamic block has one label, the type of the blocks that it makes. The engine refuses this one, but in JSON it may read something else. Give it one label, or print native syntax.",
		Subject:  b.Header().Ptr(),
	}
}

// source writes a place: FILE:LINE:COLUMN, the line, and a mark below it.
func source(w io.Writer, r hcl.Range, note string, m *load.Module, p Palette) {
	if note != "" {
		note = ": " + note
	}
	place := load.Escape(m.Prefix + r.Filename)
	if r.Start.Line > 0 {
		place += fmt.Sprintf(":%d:%d", r.Start.Line, r.Start.Column)
	}
	fmt.Fprintf(w, "  %s%s\n", p.Place(place), note)
	line, at, length, ok := sourceLine(r, m)
	if !ok {
		return
	}
	number := fmt.Sprintf("%4d", r.Start.Line)
	text, mark := marked(line, at, length)
	fmt.Fprintf(w, "  %s %s\n", p.Dim(number+" |"), text)
	fmt.Fprintf(w, "  %s %s\n", p.Dim("     |"), p.Error(mark))
}

// sourceLine is the line that a range starts on, without what is not to be shown,
// and which bytes of it the range covers.
func sourceLine(r hcl.Range, m *load.Module) (line []byte, at, length int, ok bool) {
	f := m.File(r.Filename)
	if f == nil || r.Start.Line == 0 || r.Start.Byte > len(f.Given) || len(f.Given) == 0 || m.Secrets().Withholds(f) {
		return nil, 0, 0, false
	}
	line, from := lineAround(f.Given, r.Start.Byte)
	if from == 0 && f.HasBOM() {
		line, from = line[3:], 3
	}
	length = r.End.Byte - r.Start.Byte
	if r.End.Line > r.Start.Line {
		length = len(line)
	}
	line, at, length = conceal(line, max(0, r.Start.Byte-from), length, m.Secrets().In(f, from, from+len(line)), from)
	return line, at, length, true
}

// lineAround is the line that an offset is in, and where it starts; of a very
// long line it is what stands near the offset.
func lineAround(src []byte, at int) (line []byte, from int) {
	const near = 8 * maxSourceLine
	low, high := max(0, at-near), min(len(src), at+near)
	for low > 0 && low < at && !utf8.RuneStart(src[low]) {
		low++
	}
	from = low + lineStart(src[low:], at-low)
	return bytes.TrimRight(src[from:at+afterLine(src[at:high], 0)], "\r\n"), from
}

// sensitiveValue is what is shown of a value that is not to be shown.
const sensitiveValue = "(sensitive value)"

// conceal exchanges the stretches of a line that are not to be shown, and tells
// where a place in it is then. The stretches count from the start of the file,
// which the line is from bytes behind.
func conceal(line []byte, at, length int, hidden [][2]int, from int) ([]byte, int, int) {
	const word = sensitiveValue
	for _, h := range slices.Backward(disjoint(hidden)) {
		start, end := h[0]-from, h[1]-from
		line = slices.Concat(line[:start], []byte(word), line[end:])
		stop := at + length
		at, stop = moved(at, start, end, len(word), 0), moved(stop, start, end, len(word), len(word))
		length = stop - at
	}
	return line, at, length
}

// disjoint joins stretches that overlap, as those of blocks do where nobody knows
// where a block ends.
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

// moved is where an offset is after a stretch was exchanged for another one of
// a length; an offset inside the stretch goes to a place in the new one.
func moved(at, start, end, length, inside int) int {
	switch {
	case at <= start:
		return at
	case at >= end:
		return at + length - (end - start)
	}
	return start + inside
}

// marked makes a source line safe to print, shortens it around the place, and
// draws the mark that goes below. at and length are in bytes.
func marked(line []byte, at, length int) (text, mark string) {
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
	before := prefix + Printable(string(line[from:at]))
	inside := ""
	if at < len(line) {
		inside = Printable(string(line[at:end]))
	}
	text = before + inside + Printable(string(line[end:to])) + suffix
	return text, strings.Repeat(" ", utf8.RuneCountInString(before)) + strings.Repeat("^", max(1, utf8.RuneCountInString(inside)))
}

// runeStart is where the character starts that an offset is in.
func runeStart(text []byte, at int) int {
	for low := at - utf8.UTFMax; at > max(0, low) && !utf8.RuneStart(text[at]); {
		at--
	}
	return at
}

// Printable escapes what a terminal would act on, line ends excepted. A tab
// becomes one blank, so that a mark below a line stands in its place.
func Printable(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			out.WriteByte(' ')
		case r == '\n' || unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return out.String()
}
