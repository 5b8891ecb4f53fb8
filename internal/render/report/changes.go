package report

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A ModuleChanges holds the overrides' changes in one of several modules.
type ModuleChanges struct {
	Title string // the heading of the module; may be empty
	// Against is the left side that the module is compared with; empty if the changes are those by
	// override files.
	Against string
	Redact  wording.Redactor
	// Full shows long values whole.
	Full   bool
	Blocks []*changes.Block
}

// A ChangeLine is a change as people read it, in parts without line ends. The playground gets it as JSON.
type ChangeLine struct {
	Kind  changes.Kind `json:"kind"`
	Name  string       `json:"name"` // the changed name, relative to the block's address, or to the line around it
	Value string       `json:"value"`
	By    string       `json:"by,omitempty"` // the location that made the change; empty if a line above has it
	// Before is the part of Value that shows the value before the change, if Value shows both.
	Before string `json:"-"`
	// Below are lines of the values, if these have several.
	Below []valueLine `json:"below,omitempty"`
	// Depth is the nesting depth: how many lines above the change is inside of.
	Depth int `json:"depth"`
	// IsGroup marks a line that isn't a change, but the common parent of those below it.
	IsGroup bool `json:"isGroup,omitempty"`
}

// Becomes separates the two values of a change.
const Becomes = " → "

// Line words the change c of the block b for people. Values of one line are in Value ("1 → 2"). If a value has
// several lines, Value is "" and Below has the lines that differ. Values that can't be shown are described ("a 3-line
// rule block"). Two descriptions or shortened values may look the same: then Value also says where the values begin
// to differ.
func (m ModuleChanges) Line(b *changes.Block, c *changes.Change) ChangeLine {
	name := spelling.ConcatPaths(nameIn(b, c.Address).String(), c.DisplayName())
	l := ChangeLine{Kind: c.Kind(), Name: name, By: diag.Place(c.By())}
	switch {
	case b.IsBetween: // a comparison of two modules: each value has a location of its own
		l.By = placesOf(c)
	case l.Kind == changes.Dropped:
		l.By = "dropped by " + l.By
	}
	// Long values: the lines that differ. Texts that mustn't be shown are only compared.
	oldText, newText, areShown := texts(m.Redact, c)
	hasLongText := !isLine(oldText) || !isLine(newText)
	if areShown && hasLongText { // Below has the lines, so Value stays empty
		l.Below = differingLines(valueLines(oldText), valueLines(newText), m.Full)
		return l
	}
	// Short values as they are, or a description of values that mustn't be printed.
	before, after := oneLine(oldText, m.Full), oneLine(newText, m.Full)
	if !areShown {
		before, after = described(m.Redact, c)
	}
	switch l.Kind {
	case changes.Added:
		l.Value = after
	case changes.Dropped:
		l.Value = before
	default:
		l.Before, l.Value = before, before+Becomes+after
		if before == after { // descriptions alike, of values that aren't
			if where, _ := firstDifference(oldText, newText); where != "" {
				l.Value += " (differs from " + where + " on)"
			}
		}
	}
	return l
}

// nameIn returns the address own relative to that of the block b: "ami" for aws_instance.a.ami. If own isn't
// below that address, as local.x in a locals block isn't, it returns own itself.
func nameIn(b *changes.Block, own address.Address) address.Address {
	if name, ok := own.In(b.Address); ok && !name.IsEmpty() {
		return name
	}
	return own
}

// placesOf words where the values of a change between two modules are: "b.tf:2, was a.tf:1" for a value that moved,
// "b.tf:2" for a new one or one in the same place, "was a.tf:1" for one that is gone. If an override dropped it,
// that becomes "dropped by b.tf:3, was a.tf:1".
func placesOf(c *changes.Change) string {
	by := diag.Place(c.By())
	switch {
	case c.Before == nil: // a new value
		return by
	case c.After == nil && c.By().Start.Line == 0: // nothing dropped it; it just isn't there any more
		return "was " + diag.Place(c.Before.Place())
	case c.After == nil: // an override dropped it
		return "dropped by " + by + ", was " + diag.Place(c.Before.Place())
	}
	if old := diag.Place(c.Before.Place()); old != by {
		by += ", was " + old
	}
	return by
}

// BlockNote returns what to print after the address of a block that is new or gone as a whole; "" for any
// other block.
func BlockNote(b *changes.Block) string {
	switch {
	case b.IsNew:
		return " (new)"
	case b.IsGone:
		return " (removed)"
	}
	return ""
}

// Count words how many changes there are: "2 changed, 1 added in 3 blocks".
func (m ModuleChanges) Count() string {
	var counts changes.Counts
	counts.AddBlocks(m.Blocks...)
	text := Kinds(counts, len(m.Blocks) > 0 && m.Blocks[0].IsBetween)
	switch {
	case len(m.Blocks) == 0 && m.Against != "":
		return "No effective value differs from " + diag.Escape(m.Against) + "."
	case text == "":
		return "No override changes anything."
	}
	return text + " in " + wording.Count(len(m.Blocks), "block")
}

// Kinds words how many changes of each kind there are: "2 changed, 1 dropped". isBetween is set if they are
// differences between two modules, not changes by overrides; then a missing value is "removed".
func Kinds(counts changes.Counts, isBetween bool) string {
	dropped := "dropped"
	if isBetween {
		dropped = "removed"
	}
	return strings.Join(wordsOf([]counted{
		{counts.Changed, "changed", "changed"}, {counts.Added, "added", "added"}, {counts.Dropped, dropped, dropped},
	}), ", ")
}

// Changes as people read them below each other. A block or value that an override replaces as a
// whole is named once, with the override, and the changes in it stand below; so do the contents of
// a nested block that is added or dropped.

// GroupedLines yields a block's changes in words. Lines that belong together are below a line for their
// common parent, as ChangeLine.Depth and IsGroup tell. It yields instead of returning a list, since there may
// be many.
func (m ModuleChanges) GroupedLines(b *changes.Block) iter.Seq[ChangeLine] {
	return func(yield func(ChangeLine) bool) {
		g := grouper{module: m, block: b}
		for rest := b.Shown(); len(rest) > 0; {
			n := 1 // how many changes share the first one's subject
			for n < len(rest) && rest[n].Subject == rest[0].Subject {
				n++
			}
			if !g.yieldSubject(rest[:n], rest[n:], yield) {
				return
			}
			rest = rest[n:]
		}
	}
}

// A grouper words the changes of one block, nested below their parents.
type grouper struct {
	module ModuleChanges
	block  *changes.Block
	// parents are the possible parents of the next changes, from the outside in: the group, and
	// nested blocks that are added or dropped.
	parents []enclosure
}

// An enclosure is a parent of changes: a nested block, or the subject of a group.
type enclosure struct {
	name    address.Address
	isGroup bool
}

// yieldSubject yields the changes in list, which share one subject (an argument, or nested blocks of a type),
// below a line for their group if one override replaces the subject as a whole. others are the block's
// later changes. It returns false if yield stopped.
func (g *grouper) yieldSubject(list, others []changes.Change, yield func(ChangeLine) bool) bool {
	by, isGroup := g.replacement(list)
	// The group's line has the location of the first new block. If there are several, each line below has its own.
	repeatsPlaces := isGroup && len(list[0].Item.Live) > 1
	if isGroup { // its line becomes the parent of the others
		name := nameIn(g.block, list[0].Address)
		g.parents = append(g.parents[:0], enclosure{name: name, isGroup: true})
		if !yield(ChangeLine{Name: name.String(), Value: "replaced by " + by, IsGroup: true}) {
			return false
		}
	}
	// A line for each change. What follows a change decides whether it becomes a parent itself.
	for i := range list {
		next := list[i+1:]
		if len(next) == 0 { // the subject's last change
			next = others
		}
		if !yield(g.nestedLine(&list[i], next, repeatsPlaces)) {
			return false
		}
	}
	if isGroup { // the group ends here
		g.parents = g.parents[:0]
	}
	return true
}

// replacement decides whether a line for the group, "tags replaced by b_override.tf:3", stands above list, the
// changes of one subject. Only if ok is true, by counts: the location of the override that replaces the subject as a
// whole. ok is false
//   - between two modules, and for a computed value: no override file replaces anything there;
//   - if another file caused one of the changes;
//   - if there is only one change, which needs no group;
//   - if all changes add whole blocks, such as ingress[0] and ingress[1]: nothing was there to be replaced.
func (g *grouper) replacement(list []changes.Change) (by string, ok bool) {
	e := list[0].Item
	isFromOverride := len(e.Live) > 0 && source.IsOverride(e.Live[0]) && e.Value == nil // not a computed value
	if g.block.IsBetween || !isFromOverride {
		return "", false
	}
	changed, areAllNew := 0, true // areAllNew: each change adds a whole block
	for i := range list {
		c := &list[i]
		if c.By().Filename != e.Live[0].Source().Name { // something else caused this change
			return "", false
		}
		if !c.IsInside { // a change inside of an added or dropped block isn't another one
			changed++
			areAllNew = areAllNew && c.Kind() == changes.Added && isBlock(c.After)
		}
	}
	return wording.Place(e.Live[0]), changed > 1 && !areAllNew
}

// isBlock reports whether a value is a nested block.
func isBlock(v *values.Value) bool {
	_, ok := v.Item.(*source.Block)
	return ok && !v.IsPart
}

// nestedLine words the change c. If it is below a parent, its name is relative to the parent's, and it omits the
// location, because the parent's line has it; repeatsPlaces keeps the location of a change below a group. next are
// the changes after c. If c adds or drops a nested block and next begins inside it, the block becomes a parent for
// them.
func (g *grouper) nestedLine(c *changes.Change, next []changes.Change, repeatsPlaces bool) ChangeLine {
	// Below a parent, leave out the words that the parent's line has.
	l := g.module.Line(g.block, c)
	name := nameIn(g.block, c.Address).Join(c.Name())
	if parent := g.closeToParentOf(name, c.IsInside); parent != nil {
		l.Name = c.DisplayName() // relative to the subject, which a group's line names
		if !parent.isGroup {
			rest, _ := name.In(parent.name)
			l.Name = rest.String()
		}
		if !parent.isGroup || !repeatsPlaces {
			l.By = ""
		}
	}
	l.Depth = len(g.parents)
	// A nested block that was added or dropped may become a parent.
	value := cmp.Or(c.After, c.Before)
	isWholeBlock := (c.Before == nil || c.After == nil) && isBlock(value)
	if !isWholeBlock {
		return l
	}
	hasContentsBelow := len(next) > 0 && next[0].IsInside
	if hasContentsBelow {
		g.parents = append(g.parents, enclosure{name: name})
	}
	// Name the block without its size if its contents are listed below, or if it has one line.
	if b := value.Item.(*source.Block); hasContentsBelow || b.Extent().Start.Line == b.Extent().End.Line {
		l.Value = wording.BlockNoun(b)
		// Leave out the block's type if the name ends in it, as in "network.ingress[0]".
		if last, _, _ := strings.Cut(l.Name[strings.LastIndexByte(l.Name, '.')+1:], "["); last == b.Type {
			l.Value = strings.TrimPrefix(l.Value, diag.Escape(b.Type)+" ")
		}
	}
	return l
}

// closeToParentOf returns the innermost parent that contains the change called name, or nil. It removes the parents
// inside that one from g.parents, because the changes have left them. isInside tells that the change is
// inside an added or dropped block. If it isn't, only a group can be its parent: a dropped disk[0] doesn't contain
// the change disk[0].size of another block, which has that index now.
func (g *grouper) closeToParentOf(name address.Address, isInside bool) *enclosure {
	for n := len(g.parents); n > 0; n-- {
		at := &g.parents[n-1]
		if _, isIn := name.In(at.name); isIn && (at.isGroup || isInside) {
			return at
		}
		g.parents = g.parents[:n-1]
	}
	return nil
}

// The long values of changes: one line is shown as it is, and of several those that differ.

const (
	// maxLine is how many characters of a value of one line are shown.
	maxLine = 600
	// maxRun is how many lines are shown of those that go away or come together.
	maxRun = 6
	// maxLines is how many lines of a change are shown below it.
	maxLines = 24
)

// texts returns the texts of both values of a change; nil for a value that doesn't exist. If areShown is false, the
// texts must not be printed, only compared: one value is hidden, or has no text to show, as a block. For secrets,
// both are nil.
func texts(r wording.Redactor, c *changes.Change) (before, after []byte, areShown bool) {
	if isSecretChange(r, c) {
		return nil, nil, false
	}
	before, isBeforeShown := textOf(r, c.Before)
	after, isAfterShown := textOf(r, c.After)
	return before, after, isBeforeShown && isAfterShown && !r.Redact
}

// A valueLine is a line of a value before or after a change.
type valueLine struct {
	// Kind is Dropped for a line of the value before, Added for one of the value after, and Changed for
	// words about lines that are not shown.
	Kind changes.Kind `json:"kind"`
	Text string       `json:"value"`
}

// isLine reports whether a text has one line.
func isLine(text []byte) bool { return bytes.IndexByte(text, '\n') < 0 }

// oneLine returns a text of one line in printable form, shortened to maxLine characters unless isFull is set.
func oneLine(text []byte, isFull bool) string {
	shown := safetext.Printable(string(text))
	if isFull {
		return shown
	}
	return wording.Shorten(shown, maxLine)
}

// valueLines returns the lines of a value in printable form, without the common indentation of those after the first.
// The indentation of a heredoc is part of the value, so it stays, unless the heredoc starts with "<<-".
func valueLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(string(text), "\r\n"), "\r\n", "\n"), "\n")
	// Remove the indentation of the lines after the first, if it isn't part of the value.
	isHeredoc := strings.HasPrefix(lines[0], "<<")
	if rest := lines[1:]; isHeredoc && strings.HasPrefix(lines[0], "<<-") {
		last := len(rest) - 1
		Dedent(rest[:last])
		rest[last] = strings.TrimLeft(rest[last], " \t") // the closing marker
	} else if !isHeredoc {
		Dedent(rest)
	}
	for i, line := range lines {
		lines[i] = safetext.Printable(line)
	}
	return lines
}

// Dedent removes the common indentation from lines, in place. Empty lines, and those that start with "…" because they
// stand for omitted ones, neither count nor change.
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

// differingLines returns the lines in which two values differ: removed and added ones, with "…" in place of the equal
// ones between them. Unless isFull is set, it shortens long runs, and the whole list to maxLines lines.
func differingLines(before, after []string, isFull bool) (list []valueLine) {
	// at is where the last run of differing lines ends in before. After it, line i of before is line i+moved of
	// after.
	at, moved := 0, 0
	for _, r := range patch.Compare([2]string{}, textOfLines(before), textOfLines(after)).Runs {
		if at > 0 && r.From > at { // equal lines stand between this run and the one before
			list = append(list, valueLine{changes.Changed, "…"})
		}
		list = appendRun(list, changes.Dropped, before[r.From:r.To], isFull)
		addedFrom := r.From + moved
		list = appendRun(list, changes.Added, after[addedFrom:addedFrom+len(r.Lines)], isFull)
		at, moved = r.To, moved+len(r.Lines)-(r.To-r.From)
	}
	if more := len(list) - maxLines; more > 0 && !isFull { // the last of maxLines tells how many are omitted
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

// appendRun appends adjacent lines of one kind: at most maxRun, and then how many more there are, unless
// isFull is set.
func appendRun(list []valueLine, kind changes.Kind, lines []string, isFull bool) []valueLine {
	shown := len(lines)
	if shown > maxRun && !isFull {
		shown = maxRun - 1 // and one line that tells how many more
	}
	for _, line := range lines[:shown] {
		list = append(list, valueLine{kind, line})
	}
	if more := len(lines) - shown; more > 0 {
		list = append(list, moreLines(more))
	}
	return list
}

// moreLines returns a line that tells how many lines are omitted.
func moreLines(n int) valueLine {
	return valueLine{changes.Changed, fmt.Sprintf("… %d more lines; --full shows them", n)}
}

// textOfLines joins lines into a text, with a line end after each.
func textOfLines(lines []string) []byte {
	return []byte(strings.Join(append(slices.Clip(lines), ""), "\n")) // Clip: append must not write behind lines
}

// described words both values of a change for which texts returned areShown == false. Each gets a description ("a
// 3-line rule block"), a word that hides it, or, if it can be shown, its brief text. A value that doesn't exist is
// "".
func described(r wording.Redactor, c *changes.Change) (before, after string) {
	isSecret := isSecretChange(r, c)
	words := func(v *values.Value, isRedacted bool) string {
		switch {
		case v == nil:
			return ""
		case isSecret:
			return wording.SensitiveValue
		case isRedacted:
			return wording.RedactedValue
		}
		if text, isShown := textOf(r, v); isShown {
			return wording.Brief(text)
		}
		return r.Value(v.Item)
	}
	return words(c.Before, r.Redact), words(c.After, false) // Redact hides only what isn't in effect
}

// isSecretChange reports whether one of the values of a change is sensitive. Then neither may be shown.
func isSecretChange(r wording.Redactor, c *changes.Change) bool {
	return c.Before != nil && r.IsSecret(c.Before.Item) || c.After != nil && r.IsSecret(c.After.Item)
}

// textOf returns the text of a value; nil for no value. isShown tells whether the text may be printed. If it is
// false, for a nested block or a hidden value, the text serves only for comparing.
func textOf(r wording.Redactor, v *values.Value) (text []byte, isShown bool) {
	if v == nil {
		return nil, true
	}
	// A key, an element or a computed value has a text of its own, other than the argument's.
	if v.IsPart || v.Computed != nil {
		text = wording.ShownText(v.Text(), v.Raw())
	} else if a, isAttr := v.Item.(*source.Attr); isAttr && !r.Hides(a) {
		text = wording.ShownText(a.Display(), a.Raw())
	}
	if text == nil { // a block or a hidden value: for comparing only
		return v.Text(), false
	}
	return text, true
}

// fromDifference returns an excerpt of side's value around its first difference from other's: " (from line 3 on: …)".
// Two long values may have the same description, such as "a 12-line heredoc"; their excerpts tell them apart. It
// returns "" if one of them is shown whole anyway, and for blocks and hidden values. Each side must have one item.
func fromDifference(r wording.Redactor, side, other compare.Side) string {
	a, isAttr := side.Items[0].(*source.Attr)
	b, bothAttrs := other.Items[0].(*source.Attr)
	if !isAttr || !bothAttrs || r.Hides(a) { // b may be hidden, because the excerpt quotes only a
		return ""
	}
	// Nothing to add if no line differs, or if one of the texts is shown whole.
	text, otherText := wholeText(side.Entry, a), wholeText(other.Entry, b)
	where, at := firstDifference(text, otherText)
	isShownWhole := r.InEffect(side.Entry, a) == safetext.Printable(string(text)) ||
		r.InEffect(other.Entry, b) == safetext.Printable(string(otherText))
	if where == "" || isShownWhole {
		return ""
	}
	return fmt.Sprintf(" (from %s on: %s)", where, excerptAround(text, at))
}

// wholeText returns the whole text of the value in effect: the computed one if there is one, or else that of
// the argument a.
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

// excerptAround returns the part of a line around the offset at in text: at most shownBefore characters before it and
// shownBehind from it on. An ellipsis at either end stands for the rest of the text.
func excerptAround(text []byte, at int) string {
	line, _, _ := bytes.Cut(text[at:], []byte("\n")) // the rest of the line, from at on
	runesBefore, runesBehind := bytes.Runes(text[textedit.LineStart(text, at):at]), bytes.Runes(line)
	before := string(runesBefore[max(0, len(runesBefore)-shownBefore):])
	behind := string(runesBehind[:min(len(runesBehind), shownBehind)])
	part := before + behind
	if len(before) < at { // the text starts earlier
		part = "…" + part
	}
	if at+len(behind) < len(text) { // it goes on
		part += "…"
	}
	return safetext.Printable(part)
}

// firstDifference returns where two texts begin to differ: in words ("line 3" or, if both have one line, "column 7"),
// and as an offset in before. where is "" if no line that both have differs. The opening marker of a heredoc is
// neither compared nor counted, as in descriptions of its size.
func firstDifference(before, after []byte) (where string, at int) {
	old, later := bytes.Split(before, []byte("\n")), bytes.Split(after, []byte("\n"))
	// Two single lines: the column.
	if len(old) == 1 && len(later) == 1 {
		at = commonPrefixLen(before, after)
		if at == len(before) && at == len(after) {
			return "", 0
		}
		return fmt.Sprintf("column %d", utf8.RuneCount(before[:at])+1), at
	}
	// Otherwise the first line that differs; at is where line i starts in before.
	firstNumber := 1
	isHeredoc := bytes.HasPrefix(before, []byte("<<")) && bytes.HasPrefix(after, []byte("<<"))
	if isHeredoc { // its opening marker doesn't count
		firstNumber = 0
	}
	for i := range min(len(old), len(later)) {
		a, b := bytes.TrimRight(old[i], "\r"), bytes.TrimRight(later[i], "\r")
		indent := 0
		if isHeredoc { // its indentation may not be part of the value
			indent = len(a) - len(bytes.TrimLeft(a, " \t"))
			a, b = a[indent:], bytes.TrimLeft(b, " \t")
		}
		isMarker := isHeredoc && i == 0 // it isn't part of the value
		if !bytes.Equal(a, b) && !isMarker {
			return fmt.Sprintf("line %d", i+firstNumber), at + indent + commonPrefixLen(a, b)
		}
		at += len(old[i]) + 1 // the line and its "\n"
	}
	return "", 0
}

// commonPrefixLen returns the offset of the first character in which two lines differ.
func commonPrefixLen(before, after []byte) int {
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	// The bytes may differ inside of a character: go back to its start.
	for same > 0 && same < len(before) && !utf8.RuneStart(before[same]) {
		same--
	}
	return same
}

// A ChangeRecord is one value that override files change, or that differs from a revision.
type ChangeRecord struct {
	Module  string `json:"module"` // the directory of a ModuleRecord
	Block   string `json:"block"`  // the address of the top-level block
	Address string `json:"address"`
	// BeforePath and AfterPath are relative to the address: keys, names in a nested block, and
	// indexes in the earlier and in the effective list. One is null where there is no value.
	BeforePath []any        `json:"before_path"`
	AfterPath  []any        `json:"after_path"`
	Change     changes.Kind `json:"change"`
	// Inside is set if the value is part of a nested block that is itself added or dropped.
	Inside    bool        `json:"inside,omitempty"`
	Sensitive bool        `json:"sensitive"`
	Before    *ItemRecord `json:"before"` // null without an earlier value
	After     *ItemRecord `json:"after"`
	// By is the cause of the change. It is null if a value is gone since a revision and nothing
	// dropped it.
	By *RangeRecord `json:"by"`
	// Rule is the deciding rule. It is null if no override did.
	Rule *ruleRecord `json:"rule"`
}

// Changes returns records of all changes in the module of a directory, dir.
func Changes(m ModuleChanges, dir string) []ChangeRecord {
	list := []ChangeRecord{}
	for _, b := range m.Blocks {
		if b.IsNew || b.IsGone {
			list = append(list, blockRecord(m.Redact, dir, b))
		}
		for i := range b.Changes {
			list = append(list, changeRecord(m.Redact, dir, b, &b.Changes[i]))
		}
	}
	return list
}

// blockRecord returns the record of a top-level block that is new or gone as a whole. Its path is empty, not null: it
// leads to the whole block.
func blockRecord(redact wording.Redactor, dir string, b *changes.Block) ChangeRecord {
	item := itemRecord(redact, b.Item.Live[0], false) // in effect, not an earlier item
	rec := ChangeRecord{Module: dir, Block: b.Address.String(), Address: b.Address.String()}
	if b.IsGone {
		rec.Change, rec.Before, rec.BeforePath = changes.Dropped, &item, []any{}
		return rec
	}
	rec.Change, rec.After, rec.AfterPath, rec.By = changes.Added, &item, []any{}, &item.Range
	// An override file adds the block by a rule. One that is new in a primary file, between two modules, has none.
	if !b.IsBetween || source.IsOverride(b.Item.Live[0]) {
		rec.Rule = ruleOf(b.Item.Rule, b.Item.Rule.Why)
	}
	return rec
}

// changeRecord returns the record of the change c of block b. The record of a sensitive change has the text of
// neither value. With redact.Redact, no record has the text of the value before.
func changeRecord(redact wording.Redactor, dir string, b *changes.Block, c *changes.Change) ChangeRecord {
	rec := ChangeRecord{
		Module: dir, Block: b.Address.String(), Address: c.Address.String(),
		Change: c.Kind(), Inside: c.IsInside, Sensitive: isSecretChange(redact, c),
		Rule: ruleOf(c.Rule, c.Why),
	}
	if by := c.By(); by.Start.Line > 0 {
		rec.By = new(rangeRecord(by))
	}
	if c.Before != nil {
		rec.BeforePath = pathRecord(c.Path, (*values.Path).Earlier)
	}
	if c.After != nil {
		rec.AfterPath = pathRecord(c.Path, (*values.Path).Index)
	}
	rec.Before = valueRecord(c.Before, rec.Sensitive || redact.Redact)
	rec.After = valueRecord(c.After, rec.Sensitive)
	return rec
}

// pathRecord returns the steps of a path for JSON: a string for each name, and a number for each index. A list
// element may have different indexes before and after a change; the function index picks one of them.
func pathRecord(p *values.Path, index func(*values.Path) int) []any {
	list := []any{}
	for _, s := range p.Steps() {
		if s.IsIndex {
			list = append(list, index(s))
		} else {
			list = append(list, valid(s.Name))
		}
	}
	return list
}

// valueRecord returns the record of one value of a change; nil if the value doesn't exist. isHidden leaves
// out its text.
func valueRecord(v *values.Value, isHidden bool) *ItemRecord {
	if v == nil {
		return nil
	}
	rec := &ItemRecord{Range: rangeRecord(v.Place())}
	if b, ok := v.Item.(*source.Block); ok {
		rec.Labels = b.Labels
		return rec
	}
	if isHidden {
		return rec
	}
	rec.Value, rec.Computed = new(valid(v.Text())), v.IsComputed
	return rec
}
