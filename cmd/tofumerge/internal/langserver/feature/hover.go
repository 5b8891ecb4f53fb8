package feature

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Limits on the contents of a hover.
const (
	maxHoverLines = 10 // lines of the effective value
	maxHoverItems = 10 // items of each list
)

// Hover explains the argument or block at a position of a file: the effective value, the outcome of
// each item in its history, and the rules. It is nil if no override touches the argument or block. Any
// kind but Markdown means plain text.
func Hover(v *view.View, name string, p protocol.Position, kind protocol.MarkupKind) *protocol.Hover {
	s := spotAt(v, name, p)
	if s == nil {
		return nil
	}
	x := indexOf(v)
	about, isOverridden := x.subject(s.item)
	if !isOverridden {
		return nil
	}
	// No link leads to where the cursor is.
	h := &hover{markup: newMarkup(kind), index: x, view: v, item: s.item, linked: map[string]bool{linkTo(v, s.item): true}}
	h.hasFinding = slices.ContainsFunc(v.Findings, func(f check.Finding) bool {
		return f.Range.Filename == name && f.Range.Start == source.Where(s.item).Start
	})
	h.write(about)
	return &protocol.Hover{Contents: h.content(), Range: new(s.rangeOf(v))}
}

// A hover collects the text of a hover about an item.
type hover struct {
	*markup
	*index
	view *view.View
	item source.Item // at the position
	// hasFinding is set if a finding is about the item. Editors show it together with the hover, and it says
	// what the override drops or why it has no effect.
	hasFinding bool
	linked     map[string]bool // targets that have a link already
}

// write writes the text about a subject: the effective value, what the item does if its history doesn't show that,
// the history, the effects inside a block, and the rules. What a finding says isn't repeated.
func (h *hover) write(about subject) {
	// The address and the effective value.
	words, value := report.InEffectAt(h.Redactor, about.Target, maxHoverLines)
	h.block(about.Address.String() + words + value)
	// What the item does, and then the history as a list.
	rows := report.HistoryRows(h.Redactor, about.Target, about.matters)
	if remark := h.remark(rows); remark != "" && !h.hasFinding {
		h.paragraph()
		h.words(remark)
		h.end()
	}
	h.paragraph()
	h.list(len(rows), func(i int) { h.row(rows, i) })
	if about.Item.Inner() != nil { // a block that is merged item by item
		h.effectsInside(about)
	}
	if !h.hasFinding { // which gives the reason
		h.rules(rows)
	}
}

// list writes a list of n items, the first maxHoverItems by write(i), and then how many more there are.
func (h *hover) list(n int, write func(i int)) {
	for i := range min(n, maxHoverItems) {
		h.markup.item()
		write(i)
		h.end()
	}
	if more := n - maxHoverItems; more > 0 {
		h.markup.item()
		h.words(fmt.Sprintf("… %d more", more))
		h.end()
	}
}

// remark says in sentences what the item at the position does, if its history, rows, doesn't show that: for example
// that an argument was added, or outranks one of another name ("Outranks 1 for_each argument (main.tf:3)."). It is ""
// otherwise.
func (h *hover) remark(rows []report.HistoryRow) string {
	entry := h.effect(h.item)
	if entry == nil {
		return ""
	}
	isInEffect := entry.Status == effect.StatusEffective
	switch entry.Verb {
	case effect.Adds:
		if !isInEffect {
			return "" // the history says why
		}
		return strings.TrimSpace("Added. " + sentence(entry.Note))
	case effect.Overrides:
		// The history shows what it overrides, but not the items of other names that it outranks: the note does.
		if !isInEffect || !strings.HasPrefix(entry.Note, wording.Outranks) {
			return ""
		}
		return sentence(entry.Note)
	case effect.Replaces:
		if slices.ContainsFunc(rows, func(row report.HistoryRow) bool { return row.Cause != nil }) {
			return "" // a row says what replaced its item
		}
		return sentence(entry.Verb.Words() + " " + entry.Note)
	case effect.Repeats:
		return sentence(entry.Note)
	case effect.IsRefused:
		if slices.ContainsFunc(rows, func(row report.HistoryRow) bool { return row.At == h.item && hasRule(row) }) {
			return "" // the rules at the end give the reason
		}
		return sentence(entry.Verb.Words() + ": " + entry.Note)
	}
	return ""
}

// sentence turns words into a sentence, with a capital and a full stop. No words stay none.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(r)) + words[size:] + "."
}

// row writes row i of the history: what became of an item, its place and its value, and which item superseded it. The
// item at the position is in bold. The superseding item is left out if it is the one in the row above.
func (h *hover) row(rows []report.HistoryRow, i int) {
	row := rows[i]
	// What became of the item, where it is, and its value.
	words := row.Words()
	if row.Status == effect.StatusMissingBase {
		words = "overrides nothing"
	}
	if row.At == h.item {
		h.strong(words)
	} else {
		h.words(words)
	}
	h.words(" ")
	h.place(row.At)
	if row.Value != "" {
		h.words(" ")
		h.value(row)
	}
	if row.Note != "" && !h.hasFinding {
		h.words(", " + row.Note)
	}
	// Why, and by which item.
	switch row.Status {
	case effect.StatusUndecided:
		h.words(", " + wording.WhyUndecided(row.Outcome))
	case effect.StatusMissingBase:
		h.words(", because no primary file declares " + h.undeclared(row.At))
	}
	if row.Cause == nil || i > 0 && rows[i-1].At == row.Cause {
		return
	}
	h.words(", by ")
	if row.CauseName != "" {
		h.words(row.CauseName + " at ")
	}
	h.place(row.Cause)
}

// undeclared names the object that no primary file declares: the item itself, or the block around
// it.
func (h *hover) undeclared(it source.Item) string {
	if top := source.Top(it); top != nil && outcomesOf(h.view).of[top].Status == effect.StatusMissingBase {
		return h.entries[top].address.String()
	}
	return "it"
}

// value writes a value as code, and words that describe a value as words.
func (h *hover) value(row report.HistoryRow) {
	if a, ok := row.At.(*source.Attr); ok && wording.IsText(a, row.Value) {
		h.code(row.Value)
	} else {
		h.words(row.Value)
	}
}

// place writes the location of an item, the first time as a link: some editors show links in full,
// and they are long. The item at the position gets no link: linked has its target from the start.
func (h *hover) place(it source.Item) {
	target := linkTo(h.view, it)
	if h.linked[target] {
		h.words(wording.Place(it))
		return
	}
	h.linked[target] = true
	h.link(wording.Place(it), target)
}

// effectsInside lists the effects of overrides on the arguments and blocks in a block: those of the override block at
// the position or, if that is in a primary file, of all overrides.
func (h *hover) effectsInside(about subject) {
	var list []*report.Effect
	for _, s := range about.Item.Steps {
		b, ok := s.Item.(*source.Block)
		// At an override block only that block counts, at a primary one every override.
		isShown := b == h.item || !source.IsOverride(h.item)
		if ok && isShown && source.IsOverride(b) && about.matters(b) {
			list = h.appendInside(list, b)
		}
	}
	if len(list) == 0 {
		return
	}
	h.paragraph()
	h.list(len(list), func(i int) { h.effectOn(list[i]) })
}

// effectOn writes what an override does to a name in the block.
func (h *hover) effectOn(entry *report.Effect) {
	h.words(entry.Verb.Words() + " ")
	if entry.Item != nil { // nil for a removal by omission
		h.code(wording.Name(entry.Item))
		h.words(" ")
		h.place(entry.Item)
	} else {
		h.code(entry.Address)
		h.words(" " + entry.Range.Place())
	}
	if entry.Note != "" {
		h.words(", " + entry.Note)
	}
}

// appendInside appends the effects of what an override block contains, at any depth, and of what it removes by
// omitting it.
func (x *index) appendInside(list []*report.Effect, b *source.Block) []*report.Effect {
	list = append(list, x.effects().removals[*report.RangeOf(b)]...)
	for _, it := range b.Items() {
		if entry := x.effect(it); entry != nil {
			list = append(list, entry)
		} else if inner, ok := it.(*source.Block); ok {
			list = x.appendInside(list, inner)
		}
	}
	return list
}

// rules writes the rules that decided about rows, the history, each once, and in Markdown with a link to its
// documentation.
func (h *hover) rules(rows []report.HistoryRow) {
	var known []string
	for _, row := range rows {
		if !hasRule(row) || slices.Contains(known, row.Sentence()) || len(known) == maxHoverItems {
			continue
		}
		known = append(known, row.Sentence())
		h.paragraph()
		h.words(row.Sentence())
		if h.isMarkdown() {
			h.words(" ")
			h.link("Merging rules", report.MergingRuleURL(row.Rule))
		}
		h.end()
	}
}

// hasRule reports whether a rule explains why an item is not in effect. None does if the item overrides nothing,
// or if nobody knows whether it has an effect.
func hasRule(row report.HistoryRow) bool {
	return !row.Status.IsInEffect() && row.Status != effect.StatusMissingBase && row.Status != effect.StatusUndecided
}

// A markup builds a text for people, in Markdown or as plain text. It escapes everything it is given,
// because that may come from a file and must not become markup or a link.
type markup struct {
	out  strings.Builder
	kind protocol.MarkupKind
}

// newMarkup returns an empty text. Any kind but Markdown means plain text.
func newMarkup(kind protocol.MarkupKind) *markup {
	if kind != protocol.Markdown {
		kind = protocol.PlainText
	}
	return &markup{kind: kind}
}

// content returns the text so far, for the protocol.
func (m *markup) content() protocol.MarkupContent {
	return protocol.MarkupContent{Kind: m.kind, Value: strings.TrimSuffix(m.out.String(), "\n")}
}

// isMarkdown reports whether the text is Markdown, not plain text.
func (m *markup) isMarkdown() bool { return m.kind == protocol.Markdown }

// maxColumns is the maximum number of characters of a line.
const maxColumns = 200

// block writes lines of code as a separate paragraph, in Markdown as a fenced block.
func (m *markup) block(code string) {
	var lines []string
	for line := range strings.SplitSeq(code, "\n") {
		lines = append(lines, wording.Shorten(safetext.Printable(line), maxColumns))
	}
	code = strings.Join(lines, "\n")
	if m.isMarkdown() {
		fence := strings.Repeat("`", max(3, longestRun(code)+1)) // longer than any in the code, which could end it
		code = fence + "terraform\n" + code + "\n" + fence
	}
	m.out.WriteString(code + "\n")
}

// paragraph starts a new paragraph.
func (m *markup) paragraph() { m.out.WriteString("\n") }

// item starts an item of a list.
func (m *markup) item() { m.out.WriteString("- ") }

// end ends a line.
func (m *markup) end() { m.out.WriteString("\n") }

// words writes text within a line.
func (m *markup) words(text string) { m.out.WriteString(m.escaped(text)) }

// strong writes emphasized text within a line.
func (m *markup) strong(text string) {
	if m.isMarkdown() {
		text = "**" + m.escaped(text) + "**"
	}
	m.out.WriteString(text)
}

// code writes code within a line.
func (m *markup) code(text string) {
	text = wording.Shorten(safetext.OneLine(text), maxColumns)
	if m.isMarkdown() {
		quotes := strings.Repeat("`", longestRun(text)+1)
		if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.TrimSpace(text) == "" {
			text = " " + text + " " // Markdown removes them again
		}
		text = quotes + text + quotes
	}
	m.out.WriteString(text)
}

// link writes text as a link to the URI target. Plain text has no links, only text.
func (m *markup) link(text, target string) {
	if m.isMarkdown() {
		text = "[" + m.escaped(text) + "](" + linkTarget.Replace(target) + ")"
	}
	m.out.WriteString(text)
}

// linkTarget escapes the characters that could end the target of a link, or start something
// else, and that a URI may contain.
var linkTarget = strings.NewReplacer("@", "%40", "(", "%28", ")", "%29", "&", "%26", "<", "%3C", ">", "%3E", " ", "%20", "\n", "%0A", `\`, "%5C")

// escaped returns a text as one line, cut to maxColumns. For Markdown it escapes each character that may be markup,
// which depends on the characters before and after.
func (m *markup) escaped(text string) string {
	text = wording.Shorten(safetext.OneLine(text), maxColumns)
	if !m.isMarkdown() {
		return text
	}
	var out strings.Builder
	before := ' '
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if isMarkup(before, r, after) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

// isMarkup reports whether a character may be markup between two others. An underscore within a
// word isn't. Characters that are markup only at the start of a line are harmless, because a text
// from a file never starts one.
func isMarkup(before, r, after rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '&', '~', '$', '@', '!':
		return true
	case '_':
		return !isWord(before) || !isWord(after)
	case ':', '/': // http://, which some editors turn into a link
		return after == '/'
	case '.': // www.example.com, likewise
		return before == 'w'
	}
	return false
}

// isWord reports whether a character belongs to a word.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// longestRun returns the length of the longest sequence of backquotes in a text.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r == '`' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
