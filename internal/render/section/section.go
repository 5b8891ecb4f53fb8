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

// Room returns how many bytes the section of each of n modules with override files may have: a share of 4 MB, so that
// browsers open the page at once, but at least 6 KB.
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

// IsQuiet reports whether there is nothing to look at in a module: it has neither override files nor findings
// nor differences, and can be read.
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

// A legend explains the colour of an override file: its CSS class, the file, and what the file does.
type legend struct{ Class, Name, Does string }

// A finding is one of check, shown once: at its line, or in the list of findings.
type finding struct {
	report.FindingRecord
	By string // the comment that silences it

	isShown bool // at its line; then the list leaves it out
}

// A changedBlock is a block with its changes.
type changedBlock struct {
	Address string
	Note    string // a note about the whole block, such as " (new)"
	Lines   []report.ChangeLine
}

// A builder makes the section of one module.
type builder struct {
	*Section
	in       Module
	room     budget // what is left of Module.Room
	words    annotate.Words
	folds    []*row                           // whose texts wait for what the rest leaves of the room
	classes  map[*source.File]string          // colours of override files
	findings map[*merge.MergedItem][]*finding // that aren't shown at a line yet
}

// Of lays out the section of a module. Each finding that fits is shown once: at its line if the line is
// shown, else in List.
func Of(m Module) *Section {
	b := &builder{
		in: m,
		Section: &Section{
			// IsBroken holds for a module that can't be read; addModule sets it for all others.
			Head:     Head{ID: fmt.Sprintf("m%d", m.Number), Dir: safetext.OneLine(m.Dir), IsBroken: true, IsGone: m.IsGone},
			Word:     ModuleWord(m.Dir),
			Compared: m.Compared,
		},
		room:     budget(m.Room),
		classes:  map[*source.File]string{},
		findings: map[*merge.MergedItem][]*finding{},
	}
	// The findings: all are counted, those that fit are in List.
	records := m.Unread
	if m.Merged != nil {
		records = report.Findings(m.Merged.Source, m.Dir, m.Findings)
	}
	for i := range records {
		b.Counts.Count(records[i].Level(), records[i].Count())
	}
	b.List, b.MoreFindings = b.findingsThatFit(records)
	if m.Merged != nil {
		b.addModule()
	}
	// Only now it is known which findings stand at lines that are shown. AtLines is how many leave List.
	b.AtLines = len(b.List)
	b.List = slices.DeleteFunc(b.List, func(f *finding) bool { return f.isShown })
	b.AtLines -= len(b.List)
	return b.Section
}

// addModule adds everything about b.in.Merged, a module whose files can be read. List has the records of its findings
// already, so of these it only notes which are about which item.
func (b *builder) addModule() {
	src := b.in.Merged.Source
	b.IsBroken, b.Engine = b.in.Diags.HasErrors(), src.Engine.Product.Title()
	b.words = annotate.Words{Redactor: wording.NewRedactor(src, b.in.Redact), Merged: b.in.Merged}
	// List holds records of the first findings, those that fit, in the same order.
	for i, f := range check.Bounded(b.in.Findings)[:len(b.List)] {
		b.findings[f.Item] = append(b.findings[f.Item], b.List[i])
	}
	b.Ignored = check.Count(b.in.Silenced)
	b.Silenced, b.MoreSilenced = b.findingsThatFit(report.Findings(src, b.in.Dir, b.in.Silenced))
	b.addLegend()
	b.addDifferences()
	if !b.IsBroken && b.Files > 0 {
		b.addConfiguration()
	}
}

// findingsThatFit returns the findings that fit into a quarter of the room, and the number of the others.
func (b *builder) findingsThatFit(records []report.FindingRecord) (list []*finding, more int) {
	reserve := b.room.reserve() // three quarters must remain
	for i := range records {
		if b.room < reserve { // the quarter is used up: only count it
			more += records[i].Count()
			continue
		}
		f := &finding{FindingRecord: records[i], By: b.room.takeLine(report.SilencedBy(&records[i]))}
		f.Range.Filename = b.room.takeLine(cmp.Or(f.Range.Filename, f.Path))
		f.Message = b.room.takeLine(f.Message)
		b.room -= budget(2*markup + len(f.URL+f.Rule+f.Address))
		list = append(list, f)
	}
	return list, more
}

// addLegend gives each override file a colour, in the order in which the files are applied, and counts what
// they do. Files that don't fit into the list of files are only counted.
func (b *builder) addLegend() {
	reserve, counts := b.room.reserve(), report.EffectCounts(b.in.Merged, b.in.Diags) // reserve: for the configuration
	for _, f := range b.in.Merged.Source.Files {
		if f.Role != source.Override {
			continue
		}
		b.classes[f] = fmt.Sprintf("f%d", b.Files%Colours)
		b.Files++
		b.Idle += counts[f][effect.HasNoEffect]
		for _, n := range counts[f] { // of each verb
			b.Overrides += n
		}
		summary := report.EffectTotals(counts[f])
		if f.Broken {
			summary = "can't be read"
		}
		if b.room < reserve {
			b.MoreFiles++
		} else {
			b.Legend = append(b.Legend, legend{b.classes[f], b.room.takeLine(f.Name), b.room.takeLine(summary)})
		}
	}
}

// Colours is the number of colours. With more override files, several share one; their names tell them apart.
const Colours = 8

// addDifferences lists the changes from the other side of a comparison, as far as they fit. It counts all of them in
// DifferentCount, and those that don't fit in LeftChanges.
func (b *builder) addDifferences() {
	reserve := b.room.reserve()
	for _, block := range b.in.Differences {
		shown := block.Shown()
		b.DifferentCount += len(shown)
		b.LeftChanges += len(shown) // until they are listed
		if b.room <= reserve {
			continue
		}
		changed := changedBlock{Address: b.room.takeLine(block.Address.String()), Note: report.BlockNote(block)}
		for i := 0; i < len(shown) && b.room > reserve; i++ {
			line := report.ModuleChanges{Redact: b.words.Redactor}.Line(block, &shown[i])
			line.Name, line.Value, line.By = b.room.takeLine(line.Name), b.room.takeLine(line.Value), b.room.takeLine(line.By)
			for k := range line.Below {
				// A page has no flag --full, so don't mention it.
				line.Below[k].Text = b.room.takeLine(strings.Split(line.Below[k].Text, "; --full")[0])
			}
			changed.Lines = append(changed.Lines, line)
			b.LeftChanges--
		}
		b.Different = append(b.Different, changed)
	}
}

// A budget is roughly how many bytes of a section are left. takeLine and takeText subtract the size of the
// text that they return, so each text of a section must pass through one of them, once.
type budget int

const (
	markup  = 60  // roughly how many bytes of HTML a text needs besides itself
	maxLine = 400 // how many bytes of a line are shown
)

// reserve returns how much of the budget a list must leave for the parts after it: three quarters. A list stops
// growing when less is left.
func (b budget) reserve() budget { return b - b/4 }

// takeLine returns a text on one line, and subtracts its size.
func (b *budget) takeLine(text string) string { return b.takeText(safetext.OneLine(text)) }

// takeText returns the lines of a text that the budget allows, at least the first one, and subtracts their size from
// the budget. If lines are left out, a last line tells how many. Characters that aren't printable are escaped as in a
// Go string, except for line ends and tabs, so that nothing hides in the text.
func (b *budget) takeText(text string) string {
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	*b -= markup // the HTML around the text
	for i, line := range lines {
		if *b < 0 && i > 0 { // the room is used up
			lines = append(lines[:i], "… "+wording.Count(len(lines)-i, "more line"))
			break
		}
		lines[i] = shownLine(strings.TrimSuffix(line, "\r"))
		*b -= htmlSize(lines[i])
	}
	return strings.Join(lines, "\n")
}

// htmlSize returns roughly the size of a text in HTML.
func htmlSize(text string) budget {
	n := len(text) + 1 // the line end
	for _, c := range []byte(`"'+&<>`) {
		n += 4 * strings.Count(text, string(c)) // HTML writes "+" as "&#43;"
	}
	return budget(n)
}

// shownLine returns a line as a page shows it: at most maxLine bytes of it, with characters that aren't
// printable escaped, except for tabs.
func shownLine(line string) string {
	if more := len(line) - maxLine; more > 0 {
		line = fmt.Sprintf("%s … %d more bytes", strings.ToValidUTF8(line[:maxLine], ""), more)
	}
	return safetext.WithTabs(line)
}

// ModuleWord returns a directory as an argument for a shell: quoted if necessary, and not like a flag.
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

// A part of a file is a block that overrides touch, or the text between two such blocks, as one row of kind
// fold.
type part struct {
	Address string `json:",omitempty"` // of the block; empty for a fold
	Rows    []*row
}

// A row is lines of a block, or one between them.
type row struct {
	// Kind is "" for text in effect, "gone" for a line of an earlier value, "idle" for an override without
	// effect, "fold" for text that no override touches, "finding" for one, or "left" for lines that are left out.
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

// addConfiguration adds the effective configuration with findings at their lines, or the reason why its text isn't
// shown. Either way it counts the changes. It adds the texts of folds, which no override touches, last, so that they
// only use the room that everything else leaves.
func (b *builder) addConfiguration() {
	files := plan.Arrange(b.in.Merged)
	b.NotShown = b.whyNotShown(files)
	changes.Each(b.in.Merged, func(block *changes.Block) { b.AddBlocks(block) }) // counts the changes
	if b.NotShown != "" {
		return
	}
	plan.AddMarked(b.in.Merged, files)
	for _, f := range files {
		// In the order of the printed file: blocks before its own, its own ones, blocks after them.
		w := &fileBuilder{builder: b, file: f}
		w.addBlocks(f.Before...)
		if f.File != nil { // nil if the module has no primary file
			w.Name = safetext.OneLine(f.File.Name)
			for _, i := range f.Indexes() {
				w.addBlocks(f.Blocks[i])
			}
			w.addUnchanged(len(f.File.Native)) // from the last block to the end
		}
		w.addBlocks(f.After...)
		if len(w.Parts) > 0 {
			b.Texts = append(b.Texts, w.fileText)
		}
	}
	for _, f := range b.folds {
		if text := string(f.unchanged); htmlSize(text) < b.room {
			f.Text = b.room.takeText(text)
		}
	}
}

// whyNotShown explains why the text of the module can't be shown; "" if it can.
func (b *builder) whyNotShown(files []*plan.File) string {
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

// A fileBuilder makes the text of one primary file.
type fileBuilder struct {
	*builder
	fileText
	file *plan.File
	at   int // the offset in the file up to which its text is added
}

// addBlocks adds blocks, each followed by those that the merge puts behind it. w.at is the offset up to
// which the file is shown: a block of w.file moves it to the block's end, and unchanged text on the way becomes a
// fold. A block that an override file declares leaves it where it is.
func (w *fileBuilder) addBlocks(list ...*plan.Block) {
	for _, block := range list {
		around := source.TriviaOf(block.Source)
		switch {
		case block.Source.File != w.file.File: // an override file declares it
			w.addTouched(block, func() []byte { return native.AddedText(block, w.file.LineEnd) })
		case block.Content == nil: // unchanged, but maybe followed by others
			w.addUnchanged(around.End)
		default:
			w.addUnchanged(around.Lead) // up to the comments above the block
			w.addTouched(block, func() []byte { return native.OwnText(block) })
			w.at = around.End
		}
		w.addBlocks(block.Behind...)
	}
}

// addTouched adds a block that overrides touch. text returns its text. If no room is left, or the text can't
// be parsed and so may contain secrets that nothing locates, the block is only counted.
func (w *fileBuilder) addTouched(block *plan.Block, text func() []byte) {
	if w.room > 0 {
		if rows := w.rowsOf(block, bytes.Trim(text(), "\r\n")); len(rows) > 0 {
			w.Parts = append(w.Parts, part{w.room.takeLine(address.OfBlock(w.in.Merged, block.Source).String()), rows})
			return
		}
	}
	w.LeftBlocks++
}

// addUnchanged adds the file's text from w.at up to an offset as a fold, unless it is blank. The fold has only a
// number of lines at first: it gets its text at the end, if there is room then. If now there isn't even room for the
// fold itself, its lines are counted in LeftLines.
func (w *fileBuilder) addUnchanged(end int) {
	f, from := w.file.File, w.at
	w.at = max(from, end) // never backwards
	if from >= end || len(bytes.TrimSpace(f.Native[from:end])) == 0 {
		return
	}
	fold := w.newFold(bytes.Trim(w.withoutSecrets(f, from, end), "\r\n"))
	if w.room > 0 {
		w.Parts = append(w.Parts, part{Rows: []*row{fold}})
	} else {
		w.LeftLines += fold.Lines
	}
}

// newFold returns a fold of text that no override touches, with only the number of its lines. addConfiguration
// adds the text at the end, if there is room.
func (b *builder) newFold(text []byte) *row {
	b.room -= 2 * markup // of the fold and of the text in it
	f := &row{Kind: "fold", Lines: bytes.Count(text, []byte("\n")) + 1, unchanged: text}
	b.folds = append(b.folds, f)
	return f
}

// hiddenText replaces a value that must not be shown. It is an expression.
const hiddenText = `"` + wording.SensitiveValue + `"`

// withoutSecrets returns a stretch of a file that consists of whole blocks, with hiddenText in place of values that
// must not be shown. The offsets from and to count in f.Native; so for a JSON file, in its native translation.
func (b *builder) withoutSecrets(f *source.File, from, to int) []byte {
	var list [][2]int
	hidden := b.in.Merged.Source.Secrets()
	if f.Syntax == source.Native {
		list = hidden.In(f, from, to)
	} else { // In would return offsets in the JSON text; CoveredIn returns them in its native translation
		for i := f.IndexAt(from); i < f.IndexAt(to); i++ { // each top-level block of the stretch
			list = append(list, hidden.CoveredIn(f.Block(i))...)
		}
	}
	return withoutStretches(f.Native, from, to, list)
}

// withoutStretches returns text[from:to] with hiddenText in place of values, which are given by their offsets
// in text. If there are none to replace, it doesn't copy.
func withoutStretches(text []byte, from, to int, values [][2]int) []byte {
	var edits []textedit.Edit
	for _, at := range values {
		if string(text[at[0]:at[1]]) != hiddenText { // it may be the result of an earlier call
			edits = append(edits, textedit.Replace(at[0], at[1], hiddenText))
		}
	}
	if len(edits) == 0 {
		return text[from:to]
	}
	return textedit.Apply(text, from, to, edits)
}

// A blockText makes the rows of one top-level block from its printed text.
type blockText struct {
	*builder
	text   []byte
	starts []int // the offsets of its lines, and its end
	lines  []blockLine
}

// A blockLine is a line of a block with its notes. Its rows are made later, in the order of lines, because
// each row uses up room.
type blockLine struct {
	class  string          // the colour of the override file that brought the line; "" for a primary file
	beside []annotate.Note // shown on the line
	above  []annotate.Note // on overrides without effect, shown above the line
	below  []annotate.Note // on items that end in the line; their earlier values are shown below it
}

// Lines that no override brought are folded, except for the near first and last ones of a run, if at least
// minFold lines remain.
const near, minFold = 3, 4

// rowsOf returns the rows of a block with the given text: its lines, with notes, findings and earlier values between
// them. If the text can't be parsed, it returns nil, because the text may contain values that must not be shown. If
// the room runs out, one last row counts the lines that are left out.
func (b *builder) rowsOf(block *plan.Block, text []byte) (rows []*row) {
	notes, ok := b.words.NotesOn(block, text)
	if !ok {
		return nil
	}
	if shown := withoutStretches(text, 0, len(text), notes.Secrets); !bytes.Equal(shown, text) {
		return b.rowsOf(block, shown) // once more without secrets, because notes need offsets in the shown text
	}
	// Enter the notes at their lines.
	t := &blockText{builder: b, text: text, starts: textedit.LineStarts(text)}
	t.lines = make([]blockLine, len(t.starts))
	t.starts = append(t.starts, len(text)) // so that each line ends where the next one starts
	for _, n := range notes.List {
		t.addNote(n)
	}
	left := 0 // lines without room
	// show adds the rows that makeRows returns if there is room. Otherwise it counts their lines in left.
	show := func(lines int, makeRows func() []*row) {
		if t.room > 0 {
			rows = append(rows, makeRows()...)
		} else {
			left += lines
		}
	}
	// A run is lines of one class with nothing between them. The inner loop moves to behind the run's last line.
	for from, to := 0, 0; from < len(t.lines); from = to {
		for to = from + 1; to < len(t.lines) && t.continuesRun(to); to++ {
		}
		for _, n := range t.lines[from].above {
			show(1, func() []*row { return t.idleRows(n) })
		}
		show(to-from, func() []*row { return t.rowsOfRun(from, to) })
		for _, n := range t.lines[to-1].below {
			show(0, func() []*row { return t.goneRows(n) }) // 0: earlier values don't count as lines
		}
	}
	if left > 0 {
		rows = append(rows, &row{Kind: "left", Lines: left})
	}
	return rows
}

// addNote enters a note at the lines of its item, and gives these lines the class of the override that brought them.
// The note is shown beside the first line, and the item's earlier values below the last one. A note for the end of
// the block (annotate.Last), or on an override without effect, is shown above the block's last line instead.
func (t *blockText) addNote(n annotate.Note) {
	first, last := t.lineAt(n.At.Start.Byte), t.lineAt(n.At.End.Byte-1)
	if n.Spot == annotate.Last || n.Kind == effect.MarkNoEffect { // n.At is the block, whose last line is its brace
		t.lines[last].above = append(t.lines[last].above, n)
		return
	}
	t.lines[first].beside = append(t.lines[first].beside, n)
	t.lines[last].below = append(t.lines[last].below, n)
	for i := first; i <= last; i++ {
		t.lines[i].class = t.classes[n.By.Source()]
	}
}

// lineAt returns the number of the line that contains an offset, from 0.
func (t *blockText) lineAt(at int) int {
	return max(0, sort.SearchInts(t.starts, at+1)-1) // the last of the lines that start at or before the offset
}

// continuesRun reports whether line i belongs to the same run as the line before it: it has the same class,
// and no row comes between them.
func (t *blockText) continuesRun(i int) bool {
	l, previous := t.lines[i], t.lines[i-1]
	return l.class == previous.class && len(l.beside)+len(l.above)+len(previous.below) == 0
}

// rowsOfRun returns the rows of the lines [from, to), which are a run. If no override brought them and there are
// many, it folds all but the first and last few.
func (t *blockText) rowsOfRun(from, to int) []*row {
	part := func(from, to int) []byte { return t.text[t.starts[from]:t.starts[to]] }
	shown := func(from, to int) *row { return &row{Text: t.room.takeText(string(part(from, to)))} }
	l := t.lines[from] // all lines of a run have its class, and only the first has notes
	// Three rows: the first lines, a fold and the last lines.
	if l.class == "" && to-from >= 2*near+minFold {
		return []*row{shown(from, from+near), t.newFold(bytes.TrimRight(part(from+near, to-near), "\r\n")), shown(to-near, to)}
	}
	// Otherwise one row.
	r := shown(from, to)
	r.Class = l.class
	for _, n := range l.beside {
		r.Notes = append(r.Notes, t.wordNote(n))
	}
	return []*row{r}
}

// wordNote words a mark.
func (b *builder) wordNote(n annotate.Note) note {
	return note{n.Kind, b.room.takeLine(wording.Place(n.By)), b.room.takeLine(n.Detail()), b.room.takeLine(cmp.Or(n.Entry.Address(), n.Entry.Key.Name))}
}

// idleRows returns the row of an override without effect, and rows for the findings about it.
func (t *blockText) idleRows(n annotate.Note) []*row {
	indent := textedit.IndentAt(t.text, n.At.End.Byte-1) + textedit.IndentUnit // deeper than the closing brace
	r := &row{Kind: "idle", Class: t.classes[n.By.Source()], Indent: indent, Notes: []note{t.wordNote(n)}}
	return append([]*row{r}, t.findingRows(n.Entry)...)
}

// findingRows returns rows for those findings about a merged item that aren't shown yet, and marks them as
// shown.
func (b *builder) findingRows(e *merge.MergedItem) (rows []*row) {
	for _, f := range b.findings[e] {
		f.isShown = true
		rows = append(rows, &row{Kind: "finding", Finding: f})
	}
	delete(b.findings, e)
	return rows
}

// maxEarlier is the maximum number of earlier values of an item that are shown; maxGone is the maximum number
// of lines of each. The note has the number of all values.
const maxEarlier, maxGone = 4, 30

// goneRows returns rows for the latest earlier values of an item, to be struck through, and rows for the findings
// about it. An earlier value gets no row if the note quotes it, or if it is hidden. Of a long value, or if the room
// is used up, it shows the first lines and counts the others.
func (t *blockText) goneRows(n annotate.Note) (rows []*row) {
	indent := textedit.IndentAt(t.text, n.At.Start.Byte)
	for _, it := range n.Earlier[max(0, len(n.Earlier)-maxEarlier):] {
		// Text belongs to a row of a history. Its status isn't in effect, so Text is "" for what --redact hides.
		earlier := report.HistoryRow{At: it, Value: t.words.Earlier(it), Outcome: merge.Outcome{Status: effect.StatusReplaced}}
		text := earlier.Text(t.words.Redactor)
		if text == "" { // it is hidden, or so short that Value, which the note quotes, has all of it
			continue
		}
		if _, isAttr := it.(*source.Attr); isAttr { // a block's text starts with its header
			text = diag.Escape(it.Called()) + " = " + text
		}
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if i == maxGone || i > 0 && t.room <= 0 { // the first line is always shown
				rows = append(rows, &row{Kind: "left", Lines: len(lines) - i})
				break
			}
			line = t.room.takeText(line)
			body := strings.TrimLeft(line, " \t") // only this is struck through, not the indentation
			rows = append(rows, &row{Kind: "gone", Class: t.classes[n.By.Source()], Indent: indent + line[:len(line)-len(body)], Text: body})
		}
	}
	return append(rows, t.findingRows(n.Entry)...)
}
