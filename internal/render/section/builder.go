package section

import (
	"bytes"
	"fmt"
	"maps"
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
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Roughly how many bytes of HTML the parts need besides their text.
const (
	rowCost     = 50
	noteCost    = 310
	changeCost  = 110
	foldCost    = 110
	goneCost    = 230
	findingCost = 270
	legendCost  = 70
)

// A fileText is a primary file as it is after the merge.
type fileText struct {
	Name  string // empty for the file that is made if there is no primary one
	Parts []*part
}

// A part of a file is a block that overrides touch, or the text between such blocks.
type part struct {
	Rows []*row // of the block
	Fold *fold
}

// A fold is text that no override touches.
type fold struct {
	Lines int
	Text  string // empty if it is left out
	Where string // the lines' numbers; empty inside of a block
	File  string // that it is all of, if it needs the name

	source func() []byte // its text, once there is room for it
}

// isTouched reports whether overrides touch anything in the file.
func (t fileText) isTouched() bool {
	return slices.ContainsFunc(t.Parts, func(p *part) bool { return p.Fold == nil })
}

// Of is the fold of a whole file, with the file's name.
func (f *fold) Of(file string) *fold {
	named := *f
	named.File, named.Where = file, ""
	return &named
}

// A builder makes the texts of a module.
type builder struct {
	m        *merge.Module
	redact   wording.Redactor
	id       string
	notes    int // that have an id
	room     int // bytes that are left
	classes  map[*source.File]string
	near     *blockFacts                       // the facts about the current block
	joint    map[*merge.MergedItem]*blockFacts // by the owner of several blocks: the facts about all of them
	all      *blockFacts                       // computed when needed for another block
	findings map[*merge.MergedItem][]*finding  // those that are not shown yet
	folds    []*fold
	secrets  map[*source.File][][2]int // computed on demand
}

func newBuilder(m Module, o Options, id string, found []*finding) *builder {
	b := &builder{
		m:        m.Merged,
		redact:   wording.NewRedactor(m.Merged.Source, o.Redact),
		id:       id,
		room:     o.Room,
		classes:  map[*source.File]string{},
		near:     newBlockFacts(),
		joint:    map[*merge.MergedItem]*blockFacts{},
		findings: map[*merge.MergedItem][]*finding{},
		secrets:  map[*source.File][][2]int{},
	}
	for _, f := range m.Merged.Source.Files {
		if f.Role == source.Override {
			b.classes[f] = classOf(len(b.classes))
		}
	}
	bounded := check.Bounded(m.Findings)
	for i, f := range found {
		if e := bounded[i].Item; e != nil {
			b.findings[e] = append(b.findings[e], f)
		}
	}
	return b
}

// withheld explains why the text of the module must not be shown; empty if it may.
func (b *builder) withheld() string {
	for _, f := range b.m.Source.Files {
		if b.m.Source.Secrets().Withholds(f) {
			return fmt.Sprintf("%s is a link that points outside the repository, so only the changes are shown.", visibleLine(f.Name))
		}
	}
	return ""
}

// unsayable explains why the configuration has no text in native syntax; empty if it has one.
func (b *builder) unsayable(files []*plan.File) string {
	for _, d := range plan.Inexpressible(b.m.Source, func() plan.PrintedItems { return plan.PrintedWhole(files) }) {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			return fmt.Sprintf("Native syntax can't express the value at %s, so only the changes are shown.", visibleLine(diag.Place(*d.Subject)))
		}
	}
	return ""
}

// texts are the primary files, with the effects of overrides, and how much is left out.
func (b *builder) texts(files []*plan.File) (list []fileText, left string) {
	plan.AddMarked(b.m, files)
	blocks, unchanged := 0, 0
	for _, f := range files {
		isFull := b.room <= 0
		w := &fileBuilder{builder: b, file: f}
		text := w.build()
		blocks += w.left
		if isFull {
			unchanged++
			continue
		}
		list = append(list, text)
	}
	for _, f := range b.folds {
		text := f.source()
		if n := cost(text); n <= b.room {
			b.room -= n
			f.Text = visible(text)
		}
	}
	switch {
	case blocks > 0:
		left = wording.Count(blocks, "more touched block") + " not shown."
	case unchanged > 0:
		left = wording.Count(unchanged, "more unchanged file") + " not shown."
	}
	return list, left
}

// fold is a new fold, whose text is computed last, when everything else has its room.
func (b *builder) fold(where string, lines int, text func() []byte) *fold {
	b.room -= foldCost
	f := &fold{Lines: lines, Where: where, source: text}
	b.folds = append(b.folds, f)
	return f
}

// A fileBuilder makes the text of one file.
type fileBuilder struct {
	*builder
	file  *plan.File
	parts []*part
	at    int // all text before it is in a part
	left  int // blocks without room on the page

	counted, lines int // an offset, and how many line ends are before it
}

func (w *fileBuilder) build() fileText {
	text := fileText{}
	w.extra(w.file.Before)
	if f := w.file.File; f != nil {
		text.Name = visibleLine(f.Name)
		for _, i := range w.file.Indexes() {
			w.own(w.file.Blocks[i])
		}
		w.between(len(f.Native))
	}
	w.extra(w.file.After)
	text.Parts = w.parts
	return text
}

// own adds one of the file's own blocks, and those that follow it.
func (w *fileBuilder) own(block *plan.Block) {
	around := source.TriviaOf(block.Source)
	if block.Content != nil {
		w.between(around.Lead)
		w.block(block, native.OwnText)
		w.at = around.End
	}
	if len(block.Behind) > 0 {
		w.between(around.End)
		w.extra(block.Behind)
	}
}

// extra adds blocks that the file gets from elsewhere.
func (w *fileBuilder) extra(blocks []*plan.Block) {
	for _, block := range blocks {
		w.block(block, func(block *plan.Block) []byte { return native.AddedText(block, w.file.LineEnd) })
		w.extra(block.Behind)
	}
}

// block adds a block as far as there is room for it. Only then its text is made.
func (w *fileBuilder) block(block *plan.Block, text func(*plan.Block) []byte) {
	if w.room <= 0 {
		w.left++
		return
	}
	w.turnTo(block)
	w.parts = append(w.parts, &part{Rows: w.rows(block, bytes.Trim(text(block), "\r\n"))})
}

// between adds the untouched text before an offset of the file.
func (w *fileBuilder) between(end int) {
	f, from := w.file.File, w.at
	w.at = max(w.at, end)
	if from >= end || w.room <= 0 {
		return
	}
	text := f.Native[from:end]
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	start := from + len(text) - len(bytes.TrimLeft(text, "\r\n"))
	lines := bytes.Count(bytes.Trim(text, "\r\n"), []byte("\n")) + 1
	where := ""
	if f.Syntax == source.Native {
		w.lines += bytes.Count(f.Native[w.counted:start], []byte("\n"))
		w.counted = start
		line := w.lines + 1
		where = fmt.Sprintf("%d–%d", line, line+lines-1)
	}
	fold := w.fold(where, lines, func() []byte {
		return bytes.Trim(w.builder.shown(f, from, end), "\r\n")
	})
	w.parts = append(w.parts, &part{Fold: fold})
}

// hiddenText replaces a value that must not be shown. It is an expression.
const hiddenText = `"` + wording.SensitiveValue + `"`

// shown is a stretch of a file without the values that are not to be shown.
func (b *builder) shown(f *source.File, from, to int) []byte {
	var edits []textedit.Edit
	all := b.secretsOf(f)
	first := sort.Search(len(all), func(i int) bool { return all[i][0] >= from })
	for _, h := range all[first:] {
		if h[1] > to {
			break
		}
		edits = append(edits, textedit.Replace(h[0], h[1], hiddenText))
	}
	return textedit.Apply(f.Native, from, to, edits)
}

// The facts about entries take several times the memory of the module, and a page shows only a part
// of it. So they are computed block by block, when the block is shown.

// blockFacts are the addresses and the changes of some entries.
type blockFacts struct {
	names   map[*merge.MergedItem]address.Address
	changes map[*merge.MergedItem][]*changes.Change
}

func newBlockFacts() *blockFacts {
	return &blockFacts{map[*merge.MergedItem]address.Address{}, map[*merge.MergedItem][]*changes.Change{}}
}

func (a *blockFacts) name(own address.Address, e *merge.MergedItem) { a.names[e] = own }

func (a *blockFacts) change(b *changes.Block) {
	list := b.Shown()
	for i := range list {
		c := &list[i]
		a.changes[c.Item] = append(a.changes[c.Item], c)
	}
}

// turnTo computes the facts about the entries in a block. The blocks of one owner share them, since
// each block would cost as much as all.
func (b *builder) turnTo(block *plan.Block) {
	top := b.m.Root.Owner(block.Source)
	if b.near = b.joint[top]; b.near != nil {
		return
	}
	b.near = newBlockFacts()
	if top == nil || !address.WalkOne(b.m, top, b.near.name) {
		return
	}
	if len(top.Live) > 1 {
		b.joint[top] = b.near
	}
	if changed, _ := changes.In(b.m, top); changed != nil {
		b.near.change(changed)
	}
}

// about returns the facts about an entry: those of the current block, or else of all.
func (b *builder) about(e *merge.MergedItem) *blockFacts {
	if _, isNear := b.near.names[e]; isNear {
		return b.near
	}
	if b.all == nil {
		b.all = newBlockFacts()
		address.Walk(b.m, b.all.name)
		changes.Each(b.m, b.all.change)
	}
	return b.all
}

// secretsOf lists the stretches of a file's native text that are not to be shown, in order.
func (b *builder) secretsOf(f *source.File) [][2]int {
	if known, ok := b.secrets[f]; ok {
		return known
	}
	hidden := b.m.Source.Secrets()
	list := hidden.In(f, 0, len(f.Raw))
	if f.Syntax == source.JSON && len(list) > 0 {
		list = nil
		for i := range f.Len() {
			list = append(list, hidden.CoveredIn(f.Block(i))...)
		}
	}
	b.secrets[f] = list
	return list
}

// hide replaces the value of an argument as it is printed.
func (w *walker) hide(printed annotate.Printed) {
	at := printed.Value()
	w.hidden = append(w.hidden, textedit.Replace(at.Start.Byte, at.End.Byte, hiddenText))
}

// A walker finds the effects of overrides in the printed text of a top-level block, which it reads
// side by side with the block's merged contents.
type walker struct {
	*builder
	text   []byte
	marks  []mark
	lines  []extraLine
	hidden []textedit.Edit                  // edits that hide values
	taken  map[*merge.MergedItem][]*finding // those that were shown
	firsts map[*merge.MergedItem]*note      // of nested blocks that came together
}

// A mark is a stretch of the text that an override file brought.
type mark struct {
	from, to int // offsets of the first and behind the last byte
	file     *source.File
	note     *note
	findings []*finding
}

// An extraLine is a line that is not part of the configuration: a dropped one, or one without
// effect.
type extraLine struct {
	at  int // the offset that it stands before, or behind
	row *row
	// isInside is set if the line belongs before the last line of the construct that ends there, if
	// that is a closing bracket.
	isInside bool
}

// walk reads a block. If the text holds values that are not to be shown, it is read once more
// without them.
func (b *builder) walk(block *plan.Block, text []byte) *walker {
	w := &walker{builder: b, text: text, taken: map[*merge.MergedItem][]*finding{}, firsts: map[*merge.MergedItem]*note{}}
	if !annotate.Walk(block, text, w) {
		w.text = nil // text that can't be parsed may contain hidden values
		return w
	}
	if len(w.hidden) > 0 {
		maps.Copy(b.findings, w.taken)
		return b.walk(block, textedit.Apply(text, 0, len(text), w.hidden))
	}
	return w
}

// Top implements annotate.Visitor.
func (w *walker) Top(block *plan.Block, printed annotate.Printed) {
	if block.Item != nil {
		w.whole(block.Entry, block.Item, printed.Range())
	} else {
		w.whole(w.m.Root.Owner(block.Source), block.Source, printed.Range())
	}
}

// whole marks what an override added as a whole.
func (w *walker) whole(e *merge.MergedItem, it source.Item, at hcl.Range) {
	w.mark(at, it, w.noteOf(nil, e, it, effect.Adds), e)
}

func (w *walker) mark(at hcl.Range, by source.Item, n *note, e *merge.MergedItem) {
	w.marks = append(w.marks, mark{at.Start.Byte, at.End.Byte, by.Source(), n, w.findingsOf(e)})
}

// findingsOf are the findings about a name, to be shown once.
func (w *walker) findingsOf(e *merge.MergedItem) []*finding {
	found := w.findings[e]
	if found != nil {
		w.taken[e] = found
		delete(w.findings, e)
	}
	return found
}

// Argument implements annotate.Visitor.
func (w *walker) Argument(b annotate.Body, m plan.BodyItem, printed annotate.Printed) {
	a := m.Item.(*source.Attr)
	if w.redact.IsSecret(a) && string(printed.Value().SliceBytes(w.text)) != hiddenText {
		w.hide(printed)
	}
	e := m.Entry
	if e == nil || e.Attr() != a {
		return
	}
	by := source.Item(a)
	if !source.IsOverride(a) {
		computed := e.Computed()
		if computed == nil || !source.IsOverride(computed.By()) {
			return
		}
		by = computed.By()
	}
	n := w.noteOf(b.Content, e, by, effect.Overrides)
	if n.Verb == effect.Adds.Words() && b.CameWith(a) {
		return
	}
	w.mark(printed.Range(), by, n, e)
	w.droppedFrom(e, printed.Range())
}

// Block implements annotate.Visitor.
func (w *walker) Block(b annotate.Body, m plan.BodyItem, printed annotate.Printed) {
	if m.Entry.Inner() == nil {
		w.replacing(b.Content, m.Entry, m.Item.(*source.Block), printed.Range())
	} else {
		w.whole(m.Entry, m.Item, printed.Range())
	}
}

// replacing marks a nested block that an override supplied as a whole. Of several blocks, the first
// one's note names the replaced ones.
func (w *walker) replacing(c *merge.MergedBody, e *merge.MergedItem, b *source.Block, at hcl.Range) {
	if first := w.firsts[e]; first != nil {
		w.mark(at, b, &note{Address: first.Address, Verb: first.Verb, Place: wording.Place(b), cost: noteCost + 2*cost([]byte(first.Address))}, e)
		return
	}
	w.firsts[e] = w.noteOf(c, e, b, effect.Replaces)
	w.mark(at, b, w.firsts[e], e)
	w.droppedFrom(e, at)
}

// A row is one or several lines of a block, or a row between its lines.
type row struct {
	Kind     string         // empty, mark, also, gone, idle, fold, finding or left
	Text     string         `json:",omitempty"`
	Lines    []indentedLine `json:",omitempty"` // Text of a gone or idle row, once it has its position
	Class    string         `json:",omitempty"` // of the colour of an override file
	Note     *note          `json:",omitempty"` // of a mark, on its first row
	Verb     string         `json:",omitempty"` // of gone or idle rows
	Why      string         `json:",omitempty"`
	Place    string         `json:",omitempty"`
	Address  string         `json:",omitempty"`
	Fold     *fold          `json:",omitempty"`
	Findings []*finding     `json:",omitempty"` // that stand behind it
	Finding  *finding       `json:",omitempty"`
	Left     int            `json:",omitempty"` // lines without room on the page

	cost int // how much room it needs
}

// How many lines around marks are shown, and from how many on the others are folded.
const (
	near    = 3
	minFold = 4
)

// A blockText is the lines of a block on their way to rows.
type blockText struct {
	*fileBuilder
	starts []int // offsets of the lines, and of the end
	text   []byte
	owner  []*mark        // of each line
	before map[int][]*row // the rows before a line
	rows   []*row
	left   int // lines and rows without room on the page
}

// rows makes the rows of a block.
func (w *fileBuilder) rows(block *plan.Block, text []byte) []*row {
	walked := w.walk(block, text)
	t := &blockText{fileBuilder: w, text: walked.text, before: map[int][]*row{}}
	for at := 0; at < len(t.text); at = textedit.AfterLine(t.text, at) {
		t.starts = append(t.starts, at)
	}
	t.owner = make([]*mark, len(t.starts))
	t.starts = append(t.starts, len(t.text))
	for i := range walked.marks {
		t.own(&walked.marks[i])
	}
	for _, l := range walked.lines {
		t.insert(l)
	}
	for _, m := range walked.marks {
		t.find(m)
	}
	t.build()
	return t.rows
}

// line is the number of the line that an offset is in, from 0.
func (t *blockText) line(at int) int {
	return max(0, sort.Search(len(t.owner), func(i int) bool { return t.starts[i] > at })-1)
}

// own gives a mark its lines. On a shared line the first mark wins, and the note of a later one
// would be invisible; so it gets a separate row.
func (t *blockText) own(m *mark) {
	first, last := t.line(m.from), t.line(max(m.from, m.to-1))
	if owner := t.owner[first]; owner != nil && owner != m && first == last && t.line(owner.from) == first {
		if m.note != nil {
			t.put(last+1, &row{Kind: "also", Class: t.classes[m.file], Note: m.note})
		}
	} else {
		for i := first; i <= last; i++ {
			t.owner[i] = m
		}
	}
}

// find puts the findings about a mark behind it.
func (t *blockText) find(m mark) {
	for _, f := range m.findings {
		t.put(t.line(max(m.from, m.to-1))+1, &row{Kind: "finding", Finding: f})
	}
}

func (t *blockText) put(line int, r *row) { t.before[line] = append(t.before[line], r) }

// insert inserts a line at its position: before the closing bracket of the construct that ends at
// its offset, if it belongs inside, else behind it.
func (t *blockText) insert(l extraLine) {
	last := t.line(max(0, l.at-1))
	line := t.text[t.starts[last]:t.starts[last+1]]
	indent := textedit.IndentAt(t.text, max(t.starts[last], t.starts[last+1]-1))
	body := bytes.TrimLeft(line, " \t")
	at := last + 1
	if isClosing := len(body) > 0 && bytes.IndexByte([]byte("}])"), body[0]) >= 0; l.isInside && isClosing {
		at, indent = last, indent+textedit.IndentUnit
	}
	l.row.indent(indent)
	t.put(at, l.row)
	for _, f := range l.row.Findings {
		t.put(at, &row{Kind: "finding", Finding: f})
	}
}

// An indentedLine is a line of a row whose text alone is struck through.
type indentedLine struct{ Indent, Text string }

// indent moves the lines of a row into the block.
func (r *row) indent(by string) {
	for line := range strings.SplitSeq(r.Text, "\n") {
		text := strings.TrimLeft(line, " ")
		r.Lines = append(r.Lines, indentedLine{by + line[:len(line)-len(text)], text})
	}
}

// build makes the rows: runs of lines of one mark, and of lines without one.
func (t *blockText) build() {
	for from := 0; from < len(t.owner); {
		t.flush(from)
		to := from + 1
		for to < len(t.owner) && t.owner[to] == t.owner[from] && len(t.before[to]) == 0 {
			to++
		}
		if t.room <= 0 {
			t.left += len(t.owner) - from
			break
		}
		if m := t.owner[from]; m != nil {
			t.marked(m, from, to)
		} else {
			t.plain(from, to)
		}
		from = to
	}
	if t.flush(len(t.owner)); t.left > 0 {
		t.rows = append(t.rows, &row{Kind: "left", Left: t.left})
	}
}

// flush adds the rows that stand before a line.
func (t *blockText) flush(line int) {
	for i, r := range t.before[line] {
		if t.room <= 0 {
			t.left += len(t.before[line]) - i
			return
		}
		if r.Kind == "finding" {
			r.cost = findingCost/2 + cost([]byte(r.Finding.Message+r.Finding.Rule+r.Finding.URL))
			r.Finding.isShown = true
		}
		t.room -= r.cost
		t.name(r)
		t.rows = append(t.rows, r)
	}
}

// marked adds lines that an override file supplied. The note belongs to the first of them.
func (t *blockText) marked(m *mark, from, to int) {
	r := &row{Kind: "mark", Class: t.classes[m.file], Text: t.take(from, to)}
	if from == t.line(m.from) {
		r.Note = m.note
		t.name(r)
	}
	t.rows = append(t.rows, r)
}

// name gives a note, if there is one, its name in the page, and its room.
func (t *blockText) name(r *row) {
	if r.Note != nil {
		t.room -= r.Note.cost
		t.notes++
		r.Note.ID = fmt.Sprintf("%sn%d", t.id, t.notes)
	}
}

// plain adds lines without marks. Many are folded but for those next to others.
func (t *blockText) plain(from, to int) {
	head, tail := near, near
	if to-from < head+tail+minFold {
		t.rows = append(t.rows, &row{Text: t.take(from, to)})
		return
	}
	t.rows = append(t.rows, &row{Text: t.take(from, from+head)})
	text := t.text[t.starts[from+head]:t.starts[to-tail]]
	fold := t.fold("", to-tail-from-head, func() []byte { return bytes.TrimRight(text, "\r\n") })
	t.rows = append(t.rows, &row{Kind: "fold", Fold: fold}, &row{Text: t.take(to-tail, to)})
}

// take is the text of some lines, which use up room.
func (t *blockText) take(from, to int) string {
	text := t.text[t.starts[from]:t.starts[to]]
	t.room -= rowCost + min(cost(text), 2*maxLine*(to-from))
	return visible(text)
}
