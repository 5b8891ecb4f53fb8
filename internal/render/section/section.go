// Package section lays out a module for people to look at: rows of its effective configuration with
// a colour for each override file, the marks of render --annotate, the earlier values, and the findings of check.
//
// A section is data: package webpage writes it as HTML, and the playground draws it in a
// browser. Its size is limited by Module.Room, and it mentions what it leaves out. Values that must
// not be shown are hidden, and characters that aren't printable are escaped.
package section

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
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
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Room is how many bytes each of n modules with override files may have, so that browsers open the
// page at once.
func Room(n int) int { return max(4_000_000/max(n, 1), 6_000) }

// A Module is the input for one section.
type Module struct {
	Number   int    // unique on the page
	Dir      string // as reached from the working directory, with slashes
	Room     int    // roughly how many bytes the section may have
	Redact   bool   // hide all values that are not effective
	Merged   *merge.Module
	Diags    hcl.Diagnostics
	Findings []check.Finding
	Silenced []check.Finding // by comments
	// Unread are the findings of a module that can't be read; Merged is nil then.
	Unread []report.FindingRecord

	// IsGone is set if only the revision has the module.
	IsGone bool
	// Compared is how the module is compared with another side, as "since main"; empty without one.
	Compared    string
	Differences []*changes.Block
}

// Counts are the totals of a section.
type Counts struct {
	Files          int // override files
	Overrides      int // names that they set or declare, with or without effect
	changes.Counts     // of values
	Idle           int // how many of Overrides have no effect
	Ignored        int // findings that comments silence
	report.SeverityCounts
}

// A Head identifies a section and holds its totals.
type Head struct {
	ID, Dir string
	Engine  string // its name
	Counts
	// DifferentCount is the number of values that differ from the other side.
	DifferentCount int
	// IsBroken is set if the engine refuses the module, or if it can't be read.
	IsBroken bool
	// IsGone is set if only the revision has the module.
	IsGone bool
}

// IsQuiet reports whether there is nothing to look at: neither override files nor findings.
func (h *Head) IsQuiet() bool {
	return h.Files == 0 && h.Findings()+h.Ignored+h.DifferentCount == 0 && !h.IsBroken && !h.IsGone
}

// A Section is a module as a page shows it.
type Section struct {
	Head
	Word         string // the module's directory, quoted for a shell
	Legend       []legend
	MoreFiles    int        // override files that are not in Legend
	List         []*finding // that are not shown at their lines
	AtLines      int        // how many findings are shown at their lines
	MoreFindings int        // that are shown nowhere
	Silenced     []*finding
	MoreSilenced int    // that are not listed
	Compared     string // as Module.Compared
	Different    []changedBlock
	LeftChanges  int // that are not listed
	Texts        []fileText
	NotShown     string // why Texts is empty; "" if it isn't, or if there is nothing to show
	// LeftBlocks and LeftLines count what is left out: blocks that overrides touch, and lines that they don't.
	LeftBlocks, LeftLines int
}

// A legend is the colour of an override file.
type legend struct{ Class, Name, Does string }

// A finding is one of check. It is shown once.
type finding struct {
	report.FindingRecord
	By string // the comment that silences it

	isShown bool // at its line
}

// A changedBlock is a block with its changes.
type changedBlock struct {
	Address string
	Note    string // a note about the whole block, such as " (new)"
	Lines   []report.ChangeLine
}

// A builder makes a section.
type builder struct {
	*Section
	in       Module
	room     budget
	words    annotate.Words
	folds    []*row
	classes  map[*source.File]string
	findings map[*merge.MergedItem][]*finding
}

// Of lays out the section of a module. Each finding that has room is shown once: at its line if that is shown, else in
// List.
func Of(m Module) *Section {
	b := &builder{
		in: m,
		Section: &Section{
			// IsBroken holds for a module that can't be read; merged sets it for all others.
			Head:     Head{ID: fmt.Sprintf("m%d", m.Number), Dir: safetext.OneLine(m.Dir), IsBroken: true, IsGone: m.IsGone},
			Word:     ModuleWord(m.Dir),
			Compared: m.Compared,
		},
		room:     budget(m.Room),
		classes:  map[*source.File]string{},
		findings: map[*merge.MergedItem][]*finding{},
	}
	records := m.Unread
	if m.Merged != nil {
		records = report.Findings(m.Merged.Source, m.Dir, m.Findings)
	}
	for i := range records {
		b.Counts.Count(records[i].Level(), records[i].Count())
	}
	b.List, b.MoreFindings = b.listed(records)
	b.AtLines = len(b.List)
	if m.Merged != nil {
		b.merged()
	}
	// Only now it is known which findings stand at lines that are shown.
	b.List = slices.DeleteFunc(b.List, func(f *finding) bool { return f.isShown })
	b.AtLines -= len(b.List)
	return b.Section
}

// merged adds what is known of a module that can be read.
func (b *builder) merged() {
	src := b.in.Merged.Source
	b.IsBroken, b.Engine = b.in.Diags.HasErrors(), src.Engine.Product.Title()
	b.words = annotate.Words{Redactor: wording.NewRedactor(src, b.in.Redact), Merged: b.in.Merged}
	for i, f := range check.Bounded(b.in.Findings)[:len(b.List)] {
		b.findings[f.Item] = append(b.findings[f.Item], b.List[i])
	}
	b.Ignored = check.Count(b.in.Silenced)
	b.Silenced, b.MoreSilenced = b.listed(report.Findings(src, b.in.Dir, b.in.Silenced))
	b.legend()
	b.different()
	if !b.IsBroken && b.Files > 0 {
		b.configuration()
	}
}

// listed returns the findings that there is room for, and how many more there are.
func (b *builder) listed(records []report.FindingRecord) (list []*finding, more int) {
	least := b.room.least()
	for i := range records {
		if b.room < least {
			more += records[i].Count()
			continue
		}
		f := &finding{FindingRecord: records[i], By: b.room.line(report.SilencedBy(&records[i]))}
		f.Range.Filename = b.room.line(cmp.Or(f.Range.Filename, f.Path))
		f.Message = b.room.line(f.Message)
		b.room -= budget(2*markup + len(f.URL+f.Rule+f.Address))
		list = append(list, f)
	}
	return list, more
}

// legend gives each override file its colour, in the order in which they are applied. It lists those that there is room
// for, and counts what all of them did.
func (b *builder) legend() {
	least, did := b.room.least(), report.EffectCounts(b.in.Merged, b.in.Diags)
	for _, f := range b.in.Merged.Source.Files {
		if f.Role != source.Override {
			continue
		}
		b.classes[f] = fmt.Sprintf("f%d", b.Files%Colours)
		b.Files++
		b.Idle += did[f][effect.HasNoEffect]
		for _, n := range did[f] {
			b.Overrides += n
		}
		does := report.EffectTotals(did[f])
		if f.Broken {
			does = "can't be read"
		}
		if b.room < least {
			b.MoreFiles++
		} else {
			b.Legend = append(b.Legend, legend{b.classes[f], b.room.line(f.Name), b.room.line(does)})
		}
	}
}

// Colours is how many colours there are. With more override files, several share one; their names tell them apart.
const Colours = 8

// different lists the changes from the other side, as far as there is room for them.
func (b *builder) different() {
	least := b.room.least()
	for _, block := range b.in.Differences {
		shown := block.Shown()
		b.DifferentCount += len(shown)
		b.LeftChanges += len(shown)
		if b.room <= least {
			continue
		}
		changed := changedBlock{Address: b.room.line(block.Address.String()), Note: report.BlockNote(block)}
		for i := 0; i < len(shown) && b.room > least; i++ {
			line := report.ModuleChanges{Redact: b.words.Redactor}.Line(block, &shown[i])
			line.Name, line.Value, line.By = b.room.line(line.Name), b.room.line(line.Value), b.room.line(line.By)
			for i := range line.Below {
				line.Below[i].Text = b.room.line(strings.Split(line.Below[i].Text, "; --full")[0]) // a flag that the page lacks
			}
			changed.Lines = append(changed.Lines, line)
			b.LeftChanges--
		}
		b.Different = append(b.Different, changed)
	}
}

// A budget is roughly how many bytes of a section are left. line and text subtract the texts that they return, so each
// text must pass through one of them, once.
type budget int

const (
	markup  = 60  // roughly how many bytes of HTML a text needs besides itself
	maxLine = 400 // how many bytes of a line are shown
)

// least is what must be left after a list, which may use a quarter of the budget, so that the parts behind it have room.
func (b budget) least() budget { return b - b/4 }

// line returns a text on one line, and charges it.
func (b *budget) line(text string) string { return b.text(safetext.OneLine(text)) }

// text returns a text up to the line where the room ends, and charges it. Characters that aren't printable are escaped
// as in a Go string, so that nothing hides in it; line ends and tabs stay.
func (b *budget) text(text string) string {
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	*b -= markup
	for i, line := range lines {
		if *b < 0 && i > 0 {
			lines = append(lines[:i], "… "+wording.Count(len(lines)-i, "more line"))
			break
		}
		lines[i] = shownLine(strings.TrimSuffix(line, "\r"))
		*b -= cost(lines[i])
	}
	return strings.Join(lines, "\n")
}

// cost is roughly the size of a line or text in HTML.
func cost(text string) budget {
	n := len(text) + 1
	for _, c := range []byte(`"'+&<>`) { // which HTML writes as references
		n += 4 * strings.Count(text, string(c))
	}
	return budget(n)
}

// shownLine returns a line as a page shows it: cut to maxLine bytes, and with everything but tabs that isn't
// printable escaped.
func shownLine(line string) string {
	if more := len(line) - maxLine; more > 0 {
		line = fmt.Sprintf("%s … %d more bytes", strings.ToValidUTF8(line[:maxLine], ""), more)
	}
	return safetext.WithTabs(line)
}

// ModuleWord is a directory as a shell reads it.
func ModuleWord(dir string) string {
	if dir = path.Clean(dir); strings.HasPrefix(dir, "-") {
		dir = "./" + dir
	}
	if plainWord().MatchString(dir) {
		return dir
	}
	return safetext.OneLine("'" + strings.ReplaceAll(dir, "'", `'\''`) + "'")
}

// plainWord matches words that need no quotes in a shell.
var plainWord = lazyregexp.New(`^[\pL\pN/._@+=:,-]+$`)

// A fileText is a primary file as it is after the merge.
type fileText struct {
	Name  string // empty for the file that is made if there is no primary one
	Parts []part
}

// A part of a file is a block that overrides touch, or the text between two of them, which is one fold.
type part struct {
	Address string `json:",omitempty"` // of the block; empty for a fold
	Rows    []*row
}

// A row is lines of a block, or one between them.
type row struct {
	// Kind is empty for text in effect, gone for a line of an earlier value, idle for an override without effect,
	// fold for text that no override touches, finding, or left for what is left out.
	Kind    string
	Class   string   `json:",omitempty"` // of the colour of an override file
	Indent  string   `json:",omitempty"` // before a Text that is struck through
	Text    string   `json:",omitempty"` // of a fold empty if it is left out
	Notes   []note   `json:",omitempty"`
	Finding *finding `json:",omitempty"`
	Lines   int      `json:",omitempty"` // how many there are in a fold, or left out

	unchanged []byte // the text of a fold
}

// A note is a mark, in the words of render --annotate.
type note struct {
	Kind    effect.Mark
	Place   string // of the override
	Detail  string `json:",omitempty"`
	Address string // of the item; inside a block its name
}

// configuration shows the effective configuration, with findings at their lines, or why it does not.
func (b *builder) configuration() {
	files := plan.Arrange(b.in.Merged)
	b.NotShown = b.hindrance(files)
	changes.Each(b.in.Merged, func(block *changes.Block) { b.AddBlocks(block) })
	if b.NotShown != "" {
		return
	}
	plan.AddMarked(b.in.Merged, files)
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
		if len(w.Parts) > 0 {
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
	src := b.in.Merged.Source
	for _, f := range src.Files {
		if src.Secrets().Withholds(f) {
			return safetext.OneLine(f.Name) + " is a link that points outside the repository, so the text is not shown."
		}
	}
	for _, d := range plan.Inexpressible(src, func() plan.PrintedItems { return plan.PrintedWhole(files) }) {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			return fmt.Sprintf("Native syntax can't express the value at %s, so the text is not shown.", diag.Place(*d.Subject))
		}
	}
	return ""
}

// A fileBuilder makes the text of one file.
type fileBuilder struct {
	*builder
	fileText
	file *plan.File
	at   int // the text of the file before it is done
}

// blocks adds blocks and those that the merge puts behind them. Some come from other files. Unchanged blocks of the file
// itself become part of a fold.
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

// touched adds a block that overrides touch. A block without room is only counted, and its text is not made. So is a
// block whose text can't be parsed, as secrets can't be found in it.
func (w *fileBuilder) touched(block *plan.Block, text func() []byte) {
	if w.room > 0 {
		if rows := w.rows(block, bytes.Trim(text(), "\r\n")); len(rows) > 0 {
			w.Parts = append(w.Parts, part{w.room.line(address.OfBlock(w.in.Merged, block.Source).String()), rows})
			return
		}
	}
	w.LeftBlocks++
}

// unchanged adds a fold of the text before an offset, unless it is blank. The text is shown if there is room for it
// once everything else has its room.
func (w *fileBuilder) unchanged(end int) {
	f, from := w.file.File, w.at
	w.at = max(from, end)
	if from >= end || len(bytes.TrimSpace(f.Native[from:end])) == 0 {
		return
	}
	fold := w.fold(bytes.Trim(w.withoutSecrets(f, from, end), "\r\n"))
	if w.room > 0 {
		w.Parts = append(w.Parts, part{Rows: []*row{fold}})
	} else {
		w.LeftLines += fold.Lines
	}
}

// fold is a fold of unchanged text.
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
	hidden := b.in.Merged.Source.Secrets()
	if f.Syntax == source.Native {
		list = hidden.In(f, from, to)
	} else {
		for i := f.IndexAt(from); i < f.IndexAt(to); i++ {
			list = append(list, hidden.CoveredIn(f.Block(i))...)
		}
	}
	return withoutStretches(f.Native, from, to, list)
}

// withoutStretches returns a part of a text, with hiddenText in place of values. If there are none to replace, the part
// is not copied.
func withoutStretches(text []byte, from, to int, values [][2]int) []byte {
	var edits []textedit.Edit
	for _, at := range values {
		if string(text[at[0]:at[1]]) != hiddenText {
			edits = append(edits, textedit.Replace(at[0], at[1], hiddenText))
		}
	}
	if len(edits) == 0 {
		return text[from:to]
	}
	return textedit.Apply(text, from, to, edits)
}

// A blockText divides the printed text of a top-level block into rows.
type blockText struct {
	*builder
	text   []byte
	starts []int // the offsets of its lines, and its end
	lines  []blockLine
}

// A blockLine is a line of a block with its notes. Rows are made of the lines in order, because each one takes room.
type blockLine struct {
	class  string          // of the override file that brought the line
	notes  []annotate.Note // beside the line
	before []annotate.Note // on overrides without effect
	behind []annotate.Note // on items that end in the line
}

// How many lines around marks are shown, and from how many on the others are folded.
const near, minFold = 3, 4

// rows makes the rows of a block; none of a text that can't be parsed, since it may hold values that must not be shown.
func (b *builder) rows(block *plan.Block, text []byte) (rows []*row) {
	notes, ok := b.words.NotesOn(block, text)
	if !ok {
		return nil
	}
	if shown := withoutStretches(text, 0, len(text), notes.Secrets); !bytes.Equal(shown, text) {
		return b.rows(block, shown) // the notes need offsets in this text
	}
	t := &blockText{builder: b, text: text, starts: textedit.LineStarts(text)}
	t.lines = make([]blockLine, len(t.starts))
	t.starts = append(t.starts, len(text))
	for _, n := range notes.List {
		t.place(n)
	}
	left := 0
	show := func(lines int, made func() []*row) {
		if t.room > 0 {
			rows = append(rows, made()...)
		} else {
			left += lines
		}
	}
	for from, to := 0, 0; from < len(t.lines); from = to {
		for to = from + 1; to < len(t.lines) && t.continues(to); to++ {
		}
		for _, n := range t.lines[from].before {
			show(1, func() []*row { return t.idle(n) })
		}
		show(to-from, func() []*row { return t.run(from, to) })
		for _, n := range t.lines[to-1].behind {
			show(0, func() []*row { return t.gone(n) })
		}
	}
	if left > 0 {
		rows = append(rows, &row{Kind: "left", Lines: left})
	}
	return rows
}

// place enters a note at its lines, which get the class of the override that brought them.
func (t *blockText) place(n annotate.Note) {
	first, last := t.line(n.At.Start.Byte), t.line(n.At.End.Byte-1)
	if n.Spot == annotate.Last || n.Kind == effect.MarkNoEffect {
		t.lines[last].before = append(t.lines[last].before, n)
		return
	}
	t.lines[first].notes = append(t.lines[first].notes, n)
	t.lines[last].behind = append(t.lines[last].behind, n)
	for i := first; i <= last; i++ {
		t.lines[i].class = t.classes[n.By.Source()]
	}
}

// line is the number of the line that an offset is in, from 0.
func (t *blockText) line(at int) int {
	return max(0, sort.SearchInts(t.starts, at+1)-1)
}

// continues reports whether nothing comes between a line and the one before it.
func (t *blockText) continues(i int) bool {
	l, before := t.lines[i], t.lines[i-1]
	return l.class == before.class && len(l.notes)+len(l.before)+len(before.behind) == 0
}

// run makes rows of lines of one class. Of many lines that no override brought, only the first and the last few stay
// unfolded.
func (t *blockText) run(from, to int) []*row {
	part := func(from, to int) []byte { return t.text[t.starts[from]:t.starts[to]] }
	shown := func(from, to int) *row { return &row{Text: t.room.text(string(part(from, to)))} }
	l := t.lines[from]
	if l.class == "" && to-from >= 2*near+minFold {
		return []*row{shown(from, from+near), t.fold(bytes.TrimRight(part(from+near, to-near), "\r\n")), shown(to-near, to)}
	}
	r := shown(from, to)
	r.Class = l.class
	for _, n := range l.notes {
		r.Notes = append(r.Notes, t.note(n))
	}
	return []*row{r}
}

// note words a mark.
func (b *builder) note(n annotate.Note) note {
	return note{n.Kind, b.room.line(wording.Place(n.By)), b.room.line(n.Detail()), b.room.line(cmp.Or(n.Entry.Address(), n.Entry.Key.Name))}
}

// idle is the row of an override without effect, at the end of a block, and the findings about it.
func (t *blockText) idle(n annotate.Note) []*row {
	indent := textedit.IndentAt(t.text, n.At.End.Byte-1) + textedit.IndentUnit
	r := &row{Kind: "idle", Class: t.classes[n.By.Source()], Indent: indent, Notes: []note{t.note(n)}}
	return append([]*row{r}, t.found(n.Entry)...)
}

// found returns rows for the findings about an entry that are not shown yet.
func (b *builder) found(e *merge.MergedItem) (rows []*row) {
	for _, f := range b.findings[e] {
		f.isShown = true
		rows = append(rows, &row{Kind: "finding", Finding: f})
	}
	delete(b.findings, e)
	return rows
}

// How many earlier values of an item are shown, and how many lines of each. The note gives the number of all values.
const maxEarlier, maxGone = 4, 30

// gone returns rows for the latest earlier values of an item, struck through, and for the findings about it. Values that
// the note has as text are left out.
func (t *blockText) gone(n annotate.Note) (rows []*row) {
	indent := textedit.IndentAt(t.text, n.At.Start.Byte)
	for _, it := range n.Earlier[max(0, len(n.Earlier)-maxEarlier):] {
		was := report.HistoryRow{At: it, Value: t.words.Earlier(it), Outcome: merge.Outcome{Status: effect.StatusReplaced}}
		text := was.Text(t.words.Redactor)
		if text == "" {
			continue
		}
		if _, isAttr := it.(*source.Attr); isAttr {
			text = diag.Escape(it.Called()) + " = " + text
		}
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if i == maxGone || i > 0 && t.room <= 0 {
				rows = append(rows, &row{Kind: "left", Lines: len(lines) - i})
				break
			}
			line = t.room.text(line)
			body := strings.TrimLeft(line, " \t")
			rows = append(rows, &row{Kind: "gone", Class: t.classes[n.By.Source()], Indent: indent + line[:len(line)-len(body)], Text: body})
		}
	}
	return append(rows, t.found(n.Entry)...)
}
