package section

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A fileText is a primary file as it is after the merge.
type fileText struct {
	Name  string   // empty for the file that is made if there is no primary one
	Parts [][]*row // each a block that overrides touch, or one fold
}

// A row is lines of a block, or one between them.
type row struct {
	// Kind is empty for text in effect, gone for a line of an earlier value, idle for an override without effect,
	// fold for text that no override touches, finding, or left for what is left out.
	Kind    string
	Class   string   `json:",omitempty"` // of the colour of an override file
	Indent  string   `json:",omitempty"` // before a Text that is struck through
	Text    string   `json:",omitempty"` // of a fold empty if it is left out
	Note    *note    `json:",omitempty"`
	Finding *finding `json:",omitempty"`
	Lines   int      `json:",omitempty"` // how many there are in a fold, or left out
	Where   string   `json:",omitempty"` // the numbers of the lines of a fold between blocks
	File    string   `json:",omitempty"` // that the fold is all of

	unchanged []byte // the text of a fold
}

// A note describes an override's effect, and the earlier values.
type note struct {
	ID, Address string
	Verb        string // such as overrides, or no effect
	Place       string // of the override, or of an earlier value
	Old         string // the last value of Was, if it is short enough to stand beside the new one
	Was         []earlierValue
	Why         string // the rule
}

// An earlierValue is one that is not effective any more.
type earlierValue struct{ Value, Place string }

// configuration shows the effective configuration, with findings at their lines, or why it does not.
func (b *builder) configuration() {
	files := plan.Arrange(b.m)
	b.NotShown = b.hindrance(files)
	changes.Each(b.m, func(block *changes.Block) {
		b.AddBlocks(block)
		if b.NotShown != "" {
			b.list(&b.Listed, 0, block)
		}
	})
	if b.NotShown != "" {
		return
	}
	plan.AddMarked(b.m, files)
	for _, f := range files {
		w := &fileBuilder{builder: b, file: f}
		w.blocks(f.Before...)
		if f.File != nil {
			w.Name = safetext.OneLine(f.File.Name)
			for _, i := range f.Indexes() {
				w.blocks(f.Blocks[i])
			}
			w.unchanged(len(f.File.Native))
		}
		w.blocks(f.After...)
		if len(w.Parts) == 1 && w.Parts[0][0].Kind == "fold" {
			w.Parts[0][0].File, w.Parts[0][0].Where = w.Name, ""
			b.Rest = append(b.Rest, w.Parts[0][0])
		} else if len(w.Parts) > 0 {
			b.Texts = append(b.Texts, w.fileText)
		}
	}
	for _, f := range b.folds {
		if text := string(f.unchanged); cost(text) < b.room {
			f.Text = b.room.text(text)
		}
	}
}

// hindrance explains why the text of the module is not shown; empty if it is.
func (b *builder) hindrance(files []*plan.File) string {
	for _, f := range b.m.Source.Files {
		if b.m.Source.Secrets().Withholds(f) {
			return safetext.OneLine(f.Name) + " is a link that points outside the repository, so only the changes are shown."
		}
	}
	for _, d := range plan.Inexpressible(b.m.Source, func() plan.PrintedItems { return plan.PrintedWhole(files) }) {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			return fmt.Sprintf("Native syntax can't express the value at %s, so only the changes are shown.", diag.Place(*d.Subject))
		}
	}
	return ""
}

// A fileBuilder makes the text of one file.
type fileBuilder struct {
	*builder
	fileText
	file *plan.File
	at   int // all text before it is in a part
}

// blocks adds blocks, the file's own or from elsewhere, and those that follow them.
func (w *fileBuilder) blocks(list ...*plan.Block) {
	for _, block := range list {
		around := source.TriviaOf(block.Source)
		switch {
		case block.Source.File != w.file.File:
			w.touched(block, func() []byte { return native.AddedText(block, w.file.LineEnd) })
		case block.Content == nil:
			w.unchanged(around.End)
		default:
			w.unchanged(around.Lead)
			w.touched(block, func() []byte { return native.OwnText(block) })
			w.at = around.End
		}
		w.blocks(block.Behind...)
	}
}

// touched adds a block that overrides touch. Its text is made only if there is room for it.
func (w *fileBuilder) touched(block *plan.Block, text func() []byte) {
	if w.room > 0 {
		w.near = w.factsOf(w.m.Root.Owner(block.Source))
		if rows := w.rows(block, bytes.Trim(text(), "\r\n")); len(rows) > 0 {
			w.Parts = append(w.Parts, rows)
			return
		}
	}
	w.LeftBlocks++
}

// unchanged adds a fold of the text before an offset, unless it is blank.
func (w *fileBuilder) unchanged(end int) {
	f, from := w.file.File, w.at
	w.at = max(from, end)
	if from >= end || len(bytes.TrimSpace(f.Native[from:end])) == 0 {
		return
	}
	from = end - len(bytes.TrimLeft(f.Native[from:end], "\r\n"))
	end = from + len(bytes.TrimRight(f.Native[from:end], "\r\n"))
	fold := w.fold(w.withoutSecrets(f, from, end))
	if f.Syntax == source.Native {
		first := f.RawRange([2]uint32{uint32(from), uint32(from)}).Start.Line
		fold.Where = fmt.Sprintf("%d–%d", first, first+fold.Lines-1)
	}
	if w.room > 0 {
		w.Parts = append(w.Parts, []*row{fold})
	} else {
		w.LeftLines += fold.Lines
	}
}

// fold is a fold of unchanged text, which is shown if there is room for it once everything else has its room.
func (b *builder) fold(text []byte) *row {
	b.room -= 2 * markup
	f := &row{Kind: "fold", Lines: bytes.Count(text, []byte("\n")) + 1, unchanged: text}
	b.folds = append(b.folds, f)
	return f
}

// hiddenText replaces a value that must not be shown. It is an expression.
const hiddenText = `"` + wording.SensitiveValue + `"`

// withoutSecrets is a stretch of whole blocks of a file without the values that must not be shown.
func (b *builder) withoutSecrets(f *source.File, from, to int) []byte {
	var list [][2]int
	hidden := b.m.Source.Secrets()
	start := func(i int) int { at, _ := f.SpanOf(i); return at }
	if f.Syntax == source.Native {
		list = hidden.In(f, from, to)
	} else {
		for i := sort.Search(f.Len(), func(i int) bool { return start(i) >= from }); i < f.Len() && start(i) < to; i++ {
			list = append(list, hidden.CoveredIn(f.Block(i))...)
		}
	}
	if len(list) == 0 {
		return f.Native[from:to] // shared, not copied
	}
	var edits []textedit.Edit
	for _, at := range list {
		edits = append(edits, textedit.Replace(at[0], at[1], hiddenText))
	}
	return textedit.Apply(f.Native, from, to, edits)
}

// facts are the addresses and the changes of entries. They take several times the memory of the module, and a
// page shows only a part of it. So they are computed block by block, when the block is shown.
type facts struct {
	names   map[*merge.MergedItem]address.Address
	changes map[*merge.MergedItem][]*changes.Change
}

// factsOf returns the facts about an entry of the top level and the entries in it. Those that several blocks need are
// kept.
func (b *builder) factsOf(top *merge.MergedItem) *facts {
	if known := b.known[top]; known != nil {
		return known
	}
	a := &facts{map[*merge.MergedItem]address.Address{top: address.Of(top)}, map[*merge.MergedItem][]*changes.Change{}}
	address.WalkOne(b.m, top, func(own address.Address, e *merge.MergedItem) { a.names[e] = own })
	if block, _ := changes.In(b.m, top); block != nil {
		shown := block.Shown()
		for i := range shown {
			a.changes[shown[i].Item] = append(a.changes[shown[i].Item], &shown[i])
		}
	}
	if len(top.Live) > 1 {
		b.known[top] = a
	}
	return a
}

// A blockText is the printed text of a top-level block on its way to rows. annotate.Walk reads it side by side
// with the block's merged contents.
type blockText struct {
	*builder
	text   []byte
	starts []int // of its lines, and the end
	lines  []blockLine
	hidden []textedit.Edit // that hide values
}

// A blockLine is a line of a block; one more is the end. Notes and rows are made once the lines before
// have their room.
type blockLine struct {
	class  string          // of the override file that brought the line
	note   func() *note    // about what starts there
	before []func() []*row // between the line and the one before it
}

// How many lines around marks are shown, and from how many on the others are folded.
const (
	near    = 3
	minFold = 4
)

// rows makes the rows of a block; none of a text that can't be parsed, since it may hold values that must not be shown.
func (b *builder) rows(block *plan.Block, text []byte) (rows []*row) {
	t := &blockText{builder: b, text: text, starts: textedit.LineStarts(text)}
	t.lines = make([]blockLine, len(t.starts)+1)
	t.starts = append(t.starts, len(text))
	switch {
	case !annotate.Walk(block, text, t):
		return nil
	case len(t.hidden) > 0: // now read it without these values
		return b.rows(block, textedit.Apply(text, 0, len(text), t.hidden))
	}
	left, end := 0, len(t.lines)-1
	for from, to := 0, 0; from <= end; from = to {
		for _, add := range t.lines[from].before {
			if b.room > 0 {
				rows = append(rows, add()...)
			} else {
				left++
			}
		}
		to = from + 1
		for to < end && t.lines[to].class == t.lines[from].class && t.lines[to].note == nil && len(t.lines[to].before) == 0 {
			to++
		}
		switch {
		case from == end:
		case b.room > 0:
			rows = append(rows, t.run(from, to)...)
		default:
			left += to - from
		}
	}
	if left > 0 {
		rows = append(rows, &row{Kind: "left", Lines: left})
	}
	return rows
}

// run makes rows of lines of one class. Many of none are folded but for those next to others.
func (t *blockText) run(from, to int) []*row {
	part := func(from, to int) []byte { return t.text[t.starts[from]:t.starts[to]] }
	shown := func(from, to int) *row { return &row{Text: t.room.text(string(part(from, to)))} }
	l := t.lines[from]
	if l.class == "" && to-from >= 2*near+minFold {
		return []*row{shown(from, from+near), t.fold(bytes.TrimRight(part(from+near, to-near), "\r\n")), shown(to-near, to)}
	}
	r := shown(from, to)
	if r.Class = l.class; l.note != nil {
		r.Note = l.note()
	}
	return []*row{r}
}

// line is the number of the line that an offset is in, from 0.
func (t *blockText) line(at int) int {
	return max(0, sort.Search(len(t.starts)-1, func(i int) bool { return t.starts[i] > at })-1)
}

func (t *blockText) put(line int, rows func() []*row) {
	t.lines[line].before = append(t.lines[line].before, rows)
}

// insert puts rows behind what ends at an offset or, if they belong inside, before its last line if that is a closing
// bracket.
func (t *blockText) insert(end int, isInside bool, rows func(indent string) []*row) {
	last := t.line(end - 1)
	line := t.text[t.starts[last]:t.starts[last+1]]
	body := bytes.TrimLeft(line, " \t")
	indent := string(line[:len(line)-len(body)])
	if isInside && bytes.IndexAny(body, "}])") == 0 {
		t.put(last, func() []*row { return rows(indent + textedit.IndentUnit) })
	} else {
		t.put(last+1, func() []*row { return rows(indent) })
	}
}

// Top implements annotate.Visitor.
func (t *blockText) Top(block *plan.Block, printed annotate.Printed) {
	e, it := t.m.Root.Owner(block.Source), source.Item(block.Source)
	c := e.Inner()
	if block.Item != nil {
		e, it = block.Entry, block.Item
	}
	t.mark(c, e, it, printed.Range())
}

// Argument implements annotate.Visitor.
func (t *blockText) Argument(b annotate.Body, m plan.BodyItem, printed annotate.Printed) {
	a, e := m.Item.(*source.Attr), m.Entry
	if at := printed.Value(); t.redact.IsSecret(a) && string(at.SliceBytes(t.text)) != hiddenText {
		t.hidden = append(t.hidden, textedit.Replace(at.Start.Byte, at.End.Byte, hiddenText))
	}
	if e.Attr() != a {
		return
	}
	by, earlier := annotate.OriginOf(b.Content, e)
	if source.IsOverride(by) && (len(earlier) > 0 || !b.CameWith(a)) {
		t.mark(b.Content, e, by, printed.Range())
	}
}

// Block implements annotate.Visitor.
func (t *blockText) Block(b annotate.Body, m plan.BodyItem, printed annotate.Printed) {
	t.mark(b.Content, m.Entry, m.Item, printed.Range())
}

// End implements annotate.Visitor: it adds the lines of a body that are not printed.
func (t *blockText) End(body annotate.Body) {
	end := body.Printed.Range().End.Byte
	for _, e := range body.Content.ReportedIn(body.Source) {
		if !e.InEffect() {
			t.earlier(e, end, true)
		}
	}
	annotate.EachOutcome(t.m, body.Content, body.Source, func(name string, _ bool, e *merge.MergedItem, o merge.Outcome) {
		if why := wording.WhyNotPrinted(e, o); why != "" {
			t.insert(end, true, func(indent string) []*row {
				return append(t.idle(indent, name, e, o, why), t.found(e)...)
			})
		}
	})
}

// mark gives the lines of an item to the override that brought it, with a note. Earlier values and findings follow. c is
// the content around it.
func (t *blockText) mark(c *merge.MergedBody, e *merge.MergedItem, by source.Item, at hcl.Range) {
	first, last, class := t.line(at.Start.Byte), t.line(at.End.Byte-1), t.classes[by.Source()]
	write := func() *note { return t.note(c, e, by) }
	if t.lines[first].note != nil { // about another item of the line
		t.put(last+1, func() []*row { return []*row{{Class: class, Note: write()}} })
	} else {
		t.lines[first].note = write
		for i := first; i <= last; i++ {
			t.lines[i].class = class
		}
	}
	if _, isBlock := by.(*source.Block); !isBlock || by == e.Live[0] {
		t.earlier(e, at.End.Byte, false)
	}
	if len(t.findings[e]) > 0 {
		t.put(last+1, func() []*row { return t.found(e) })
	}
}

// found are the findings about an entry, which are shown once.
func (t *blockText) found(e *merge.MergedItem) (rows []*row) {
	for _, f := range t.findings[e] {
		f.isShown = true
		rows = append(rows, &row{Kind: "finding", Finding: f})
	}
	delete(t.findings, e)
	return rows
}

const (
	maxBeside  = 40 // columns of an earlier value beside the new one
	maxEarlier = 4  // values of a note
	maxGone    = 30 // lines of an earlier value below the new one
)

// note makes the note about an effective item.
func (b *builder) note(c *merge.MergedBody, e *merge.MergedItem, by source.Item) *note {
	b.notes++
	n := &note{
		ID:      fmt.Sprintf("%sn%d", b.ID, b.notes),
		Address: b.room.line(b.near.names[e].String()),
		Verb:    effect.Overrides.Words(),
		Place:   b.room.line(wording.Place(by)),
	}
	_, earlier := annotate.OriginOf(c, e)
	isNew := len(earlier) == 0
	c.EachHidden(e, func(source.Item) { isNew = false })
	_, isBlock := by.(*source.Block)
	switch {
	case isNew:
		n.Verb = effect.Adds.Words()
		return n // the rule is about the earlier item
	case e.Computed() == nil && !b.redact.Redact && slices.EqualFunc(e.Live, earlier, equal.Items):
		n.Verb = effect.Repeats.Words()
	case isBlock:
		n.Verb = effect.Replaces.Words()
	}
	for _, it := range earlier[max(0, len(earlier)-maxEarlier):] {
		was := earlierValue{b.room.line(b.redact.Earlier(it)), b.room.line(wording.Place(it))}
		n.Was, n.Old = append(n.Was, was), ""
		if _, isAttr := it.(*source.Attr); isAttr && screen.Columns(was.Value) <= maxBeside {
			n.Old = was.Value
		}
	}
	for _, o := range e.Outcomes() {
		if o.Item == by {
			n.Why = b.room.line(o.Sentence())
		}
	}
	return n
}

// earlier adds the values of an entry that overrides dropped, and those that they changed unless a note has them beside
// the new one.
func (t *blockText) earlier(e *merge.MergedItem, end int, isInside bool) {
	for _, c := range t.near.changes[e] {
		if c.Kind() == changes.Added || c.IsInside && !t.redact.Redact { // a block is shown with what is in it
			continue
		}
		line := report.ModuleChanges{Redact: t.redact}.Line(&changes.Block{}, c)
		isBeside := c.Path == nil && line.Before != "" && screen.Columns(line.Before) <= maxBeside
		if !isBeside {
			t.insert(end, isInside || !report.IsBlock(c.Before), func(indent string) []*row { return t.gone(indent, c, line) })
		}
	}
}

// gone are the lines of an earlier value.
func (t *blockText) gone(indent string, c *changes.Change, line report.ChangeLine) []*row {
	n := &note{Verb: "was", Place: diag.Place(c.Before.Place()), Address: c.Address.Join(c.Name()).String()}
	if c.Kind() == changes.Dropped {
		n.Verb, n.Place = "dropped by", diag.Place(c.By())
	}
	var lines []string
	for _, below := range line.Below {
		if below.Kind != changes.Added {
			lines = append(lines, withoutHint(below.Text))
		}
	}
	text := cmp.Or(strings.Trim(strings.Join(lines, "\n"), "…\n"), line.Before, line.Value)
	if isPart := len(lines) > 0 && c.Path == nil && c.Kind() == changes.Changed; !isPart {
		text = cmp.Or(c.Words(), c.Address.Last()) + " = " + text
	}
	if report.IsBlock(c.Before) {
		was := report.HistoryRow{At: c.Before.Item, Outcome: merge.Outcome{Status: effect.StatusReplaced}}
		text = cmp.Or(was.Text(t.redact), text)
	}
	return t.struck("gone", t.classes[t.m.Source.File(c.By().Filename)], indent, text, n)
}

// idle is the line of an override without effect.
func (t *blockText) idle(indent, name string, e *merge.MergedItem, o merge.Outcome, why string) []*row {
	n := &note{Verb: "no effect", Why: why, Place: wording.Place(o.Item), Address: t.near.names[e].String()}
	if o.Status == effect.StatusUndecided {
		n.Verb = "undecided"
	}
	text := t.redact.Earlier(o.Item)
	if _, isAttr := o.Item.(*source.Attr); isAttr {
		text = diag.Escape(name) + " = " + text
	}
	return t.struck("idle", t.classes[o.Item.Source()], indent, text, n)
}

// struck makes a row of each line of a text, as far as there are not too many. The first has the note.
func (t *blockText) struck(kind, class, indent, text string, n *note) (rows []*row) {
	t.room.line(n.Address + n.Place + n.Why)
	lines := strings.Split(t.room.text(text), "\n")
	if more := len(lines) - maxGone; more > 0 {
		lines = append(lines[:maxGone], "… "+wording.Count(more, "more line"))
	}
	for _, line := range lines {
		t.room -= markup
		body := strings.TrimLeft(line, " \t")
		rows = append(rows, &row{Kind: kind, Class: class, Indent: indent + line[:len(line)-len(body)], Text: body, Note: n})
		n = nil
	}
	return rows
}
