package phrases

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The long values of changes: one line is shown as it is, and of several those that differ.

const (
	// maxLine is how many characters of a value of one line are shown.
	maxLine = 600
	// maxRun is how many lines are shown of those that go away or come together.
	maxRun = 6
	// maxLines is how many lines of a change are shown below it.
	maxLines = 24
)

// texts returns the texts of the values of a change as they are shown, if all of them are.
func texts(r wording.Redactor, c *changes.Change) (texts [2][]byte) {
	if r.Redact || IsSecretChange(r, c) {
		return texts
	}
	for i, v := range []*values.Value{c.Before, c.After} {
		if v == nil {
			continue
		}
		if texts[i] = textOf(r, v); texts[i] == nil {
			return [2][]byte{}
		}
	}
	return texts
}

// A valueLine is a line of a value before or after a change.
type valueLine struct {
	// Kind is Dropped for a line of the value before, Added for one of the value after, and Changed for
	// words about lines that are not shown.
	Kind changes.Kind
	Text string
}

// spread shows the values of a change whole, as far as they are not too long: in the line if they are
// lines, and below it otherwise.
func (l *ChangeLine) spread(isFull bool) {
	before, after := l.texts[0], l.texts[1]
	isLine := func(text []byte) bool { return bytes.IndexByte(text, '\n') < 0 }
	switch {
	case before == nil && after == nil:
	case !isLine(before) || !isLine(after):
		l.Before, l.Value = "", ""
		l.Below = differingLines(valueLines(before), valueLines(after), isFull)
	case before == nil:
		l.Value = oneLine(after, isFull)
	case after == nil:
		l.Value = oneLine(before, isFull)
	default:
		l.Before = oneLine(before, isFull)
		l.Value = l.Before + Becomes + oneLine(after, isFull)
		if l.Before == oneLine(after, isFull) {
			l.Value += whereDifferent(before, after)
		}
	}
}

// oneLine is a text that has one line.
func oneLine(text []byte, isFull bool) string {
	shown := safetext.Printable(string(text))
	if isFull || len(shown) <= maxLine {
		return shown
	}
	runes := []rune(shown)
	if len(runes) <= maxLine {
		return shown
	}
	return string(runes[:maxLine-1]) + "…"
}

// valueLines are the lines of a value. The indentation of those behind the first belongs to the value
// only in a heredoc without "<<-".
func valueLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(string(text), "\r\n"), "\r\n", "\n"), "\n")
	isHeredoc := strings.HasPrefix(lines[0], "<<")
	if rest := lines[1:]; isHeredoc && strings.HasPrefix(lines[0], "<<-") {
		last := len(rest) - 1
		Dedent(rest[:last])
		rest[last] = strings.TrimLeft(rest[last], " \t")
	} else if !isHeredoc {
		Dedent(rest)
	}
	for i, line := range lines {
		lines[i] = safetext.Printable(line)
	}
	return lines
}

// Dedent removes the common indentation from lines, in place. Ellipses are ignored.
func Dedent(lines []string) {
	least := math.MaxInt
	for _, line := range lines {
		if line != "" && !strings.HasPrefix(line, "…") {
			least = min(least, len(line)-len(strings.TrimLeft(line, " \t")))
		}
	}
	for i, line := range lines {
		if line != "" && !strings.HasPrefix(line, "…") {
			lines[i] = line[least:]
		}
	}
}

// differingLines are the lines in which two values differ, at most a limited number unless they are
// shown in full.
func differingLines(before, after []string, isFull bool) (list []valueLine) {
	at := 0
	for _, r := range patch.Compare([2]string{}, textOfLines(before), textOfLines(after)).Runs {
		if at > 0 && r.From > at {
			list = append(list, valueLine{changes.Changed, "…"})
		}
		list = appendRun(list, changes.Dropped, before[r.From:r.To], isFull)
		added := make([]string, len(r.Lines))
		for i, line := range r.Lines {
			added[i] = strings.TrimSuffix(string(line), "\n")
		}
		list = appendRun(list, changes.Added, added, isFull)
		at = r.To
	}
	if more := len(list) - maxLines; more > 0 && !isFull {
		list = append(list[:maxLines-1], moreLines(more+1))
	}
	texts := make([]string, len(list))
	for i, l := range list {
		texts[i] = l.Text
	}
	Dedent(texts)
	for i := range list {
		list[i].Text = texts[i]
	}
	return list
}

// LinesBefore are the lines of a value before a change that the later value does not have, with an
// ellipsis for others between them. Of many lines some are shown.
func LinesBefore(before, after []byte) string {
	var lines []string
	for _, l := range differingLines(valueLines(before), valueLines(after), false) {
		if l.Kind != changes.Added {
			text, _, _ := strings.Cut(l.Text, "; --full")
			lines = append(lines, text)
		}
	}
	return strings.Trim(strings.Join(lines, "\n"), "…\n")
}

// appendRun appends lines that go away or come together.
func appendRun(list []valueLine, kind changes.Kind, lines []string, isFull bool) []valueLine {
	shown := len(lines)
	if shown > maxRun && !isFull {
		shown = maxRun - 1
	}
	for _, line := range lines[:shown] {
		list = append(list, valueLine{kind, line})
	}
	if more := len(lines) - shown; more > 0 {
		list = append(list, moreLines(more))
	}
	return list
}

// moreLines gives the number of lines that are not shown.
func moreLines(n int) valueLine {
	return valueLine{changes.Changed, fmt.Sprintf("… %d more lines; --full shows them", n)}
}

// textOfLines joins lines, with a line end behind each.
func textOfLines(lines []string) []byte {
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// Sides words both values of a change; an empty text for a side that has none.
func Sides(r wording.Redactor, c *changes.Change) (before, after string) {
	isSecret := IsSecretChange(r, c)
	if c.Before != nil {
		before = side(r, c.Before, isSecret)
		if r.Redact && !isSecret {
			before = wording.RedactedValue
		}
	}
	if c.After != nil {
		after = side(r, c.After, isSecret)
	}
	return before, after
}

// IsSecretChange reports whether one of the values of a change is sensitive. Then neither
// is shown.
func IsSecretChange(r wording.Redactor, c *changes.Change) bool {
	return c.Before != nil && r.IsSecret(c.Before.Item) || c.After != nil && r.IsSecret(c.After.Item)
}

func side(r wording.Redactor, v *values.Value, isSecret bool) string {
	switch text := textOf(r, v); {
	case isSecret:
		return wording.SensitiveValue
	case text == nil:
		return r.Value(v.Item)
	default:
		return wording.Brief(text)
	}
}

// textOf is the text of a value as it is shown; nil for a nested block, and where it is hidden.
func textOf(r wording.Redactor, v *values.Value) []byte {
	if v.IsPart || v.Computed != nil {
		return wording.ShownText(v.Text(), v.Raw())
	}
	if a, isAttr := v.Item.(*source.Attr); isAttr && !r.Hides(a) {
		return wording.ShownText(a.Display(), a.Raw())
	}
	return nil
}

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
func InEffectBeside(r wording.Redactor, e *merge.MergedItem, it source.Item, other *merge.MergedItem, later source.Item) string {
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
