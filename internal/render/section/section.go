// Package section lays out a module for people to look at: rows of its effective configuration with
// a colour for each override file, the earlier values, and the findings of check.
//
// A section is data: package webpage writes it as HTML, and the playground draws it in a
// browser. Its size is limited by Module.Room, and it mentions what it leaves out. Values that must
// not be shown are hidden, and text with characters that aren't printable is written out.
package section

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Room is how many bytes each of n modules with override files may have, so that browsers open the
// page at once.
func Room(n int) int {
	const all, least = 4_000_000, 6_000
	return max(all/max(n, 1), least)
}

// A Module is the input for one section.
type Module struct {
	Number   int    // unique on the page
	Dir      string // as it is reached from where the program runs, with slashes
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
	Overrides      int // names on which they have an effect, or none
	changes.Counts     // of values
	Idle           int // overrides without an effect
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
	Word         string // of the module on a command line
	Legend       []legend
	MoreFiles    int        // override files that are not listed
	List         []*finding // those that don't stand at their lines
	AtLines      int        // how many do
	MoreFindings int        // that are shown nowhere
	Silenced     []*finding
	MoreSilenced int    // that are not listed
	Compared     string // as Module.Compared
	Different    changeList
	Texts        []fileText
	Rest         []*row     // folds of files that no override touches
	Listed       changeList // where the text is not shown
	NotShown     string     // why not
	// LeftBlocks are blocks that overrides touch, and LeftLines lines that they don't, without room.
	LeftBlocks, LeftLines int
}

// A legend is the colour of an override file.
type legend struct{ Class, Name, Does string }

// A finding is one of check. It is shown once.
type finding struct {
	report.FindingRecord
	By string // the comment that silences it

	isShown bool
}

// A changeList is changes as far as there is room.
type changeList struct {
	Blocks []changedBlock
	Left   int // changes that are left out
}

type changedBlock struct {
	Address string
	Note    string // a note about the whole block, such as " (new)"
	Lines   []report.ChangeLine
}

// A builder makes a section.
type builder struct {
	*Section
	room     budget
	folds    []*row
	m        *merge.Module
	redact   wording.Redactor
	classes  map[*source.File]string
	findings map[*merge.MergedItem][]*finding
	notes    int                          // that have an id
	near     *facts                       // about the current block
	known    map[*merge.MergedItem]*facts // those that are kept, by the entry of the top level
}

// Of returns the section of a module.
func Of(m Module) *Section {
	b := &builder{
		Section: &Section{
			Head:     Head{ID: fmt.Sprintf("m%d", m.Number), Dir: safetext.OneLine(m.Dir), IsBroken: true, IsGone: m.IsGone},
			Word:     ModuleWord(m.Dir),
			Compared: m.Compared,
		},
		room:     budget(m.Room),
		m:        m.Merged,
		classes:  map[*source.File]string{},
		findings: map[*merge.MergedItem][]*finding{},
		known:    map[*merge.MergedItem]*facts{},
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
		b.module(m)
	}
	b.List = slices.DeleteFunc(b.List, func(f *finding) bool { return f.isShown })
	b.AtLines -= len(b.List)
	return b.Section
}

// module adds what is known of a module that can be read.
func (b *builder) module(m Module) {
	src := m.Merged.Source
	b.IsBroken, b.Engine = m.Diags.HasErrors(), src.Engine.Product.Title()
	b.redact = wording.NewRedactor(src, m.Redact)
	for i, f := range check.Bounded(m.Findings)[:len(b.List)] {
		b.findings[f.Item] = append(b.findings[f.Item], b.List[i])
	}
	delete(b.findings, nil)
	b.Ignored = check.Count(m.Silenced)
	b.Silenced, b.MoreSilenced = b.listed(report.Findings(src, m.Dir, m.Silenced))
	b.legend(m.Diags)
	least := b.room.least()
	for _, block := range m.Differences {
		b.DifferentCount += len(block.Shown())
		b.list(&b.Different, least, block)
	}
	if !b.IsBroken && b.Files > 0 {
		b.configuration()
	}
}

// listed are findings, as far as there is room for them, and how many more there are.
func (b *builder) listed(records []report.FindingRecord) (list []*finding, more int) {
	least := b.room.least()
	for i := range records {
		if b.room < least {
			return list, len(records) - i
		}
		f := &finding{FindingRecord: records[i], By: b.room.line(report.SilencedBy(&records[i]))}
		f.Range.Filename = b.room.line(cmp.Or(f.Range.Filename, f.Path))
		f.Message = b.room.line(f.Message)
		b.room -= budget(2*markup + len(f.URL+f.Rule+f.Address))
		list = append(list, f)
	}
	return list, 0
}

// legend gives each override file its colour, in the order in which they are applied, and lists them.
func (b *builder) legend(diags hcl.Diagnostics) {
	least, did := b.room.least(), report.EffectCounts(b.m, diags)
	for _, f := range b.m.Source.Files {
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

// Colours is how many there are for override files. Files of one colour are distinguished by name.
const Colours = 8

// list adds the changes of a block to a list, as long as more room is left than the least.
func (b *builder) list(to *changeList, least budget, block *changes.Block) {
	shown := block.Shown()
	to.Left += len(shown)
	if b.room <= least {
		return
	}
	changed := changedBlock{Address: b.room.line(block.Address.String()), Note: report.BlockNote(block)}
	for i := 0; i < len(shown) && b.room > least; i++ {
		line := report.ModuleChanges{Redact: b.redact}.Line(block, &shown[i])
		line.Name, line.Value, line.By = b.room.line(line.Name), b.room.line(line.Value), b.room.line(line.By)
		for i := range line.Below {
			line.Below[i].Text = b.room.line(withoutHint(line.Below[i].Text))
		}
		changed.Lines = append(changed.Lines, line)
		to.Left--
	}
	to.Blocks = append(to.Blocks, changed)
}

// withoutHint is a line without the advice to use a flag that the page lacks.
func withoutHint(text string) string {
	text, _, _ = strings.Cut(text, "; --full")
	return text
}

// A budget is roughly how many bytes of a section are left. Each text of it passes through once.
type budget int

const (
	markup  = 60  // roughly how many bytes of HTML a text needs besides itself
	maxLine = 400 // how many bytes of a line are shown
)

// least is what a list leaves of the budget.
func (b budget) least() budget { return b - b/4 }

// line is a text on one line.
func (b *budget) line(text string) string { return b.text(safetext.OneLine(text)) }

// text is text in which nothing hides: characters that aren't printable are written as in a Go string, except
// for line ends and tabs. It ends where there is no more room.
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
	for i := range len(text) {
		if c := text[i]; c < 64 && 1<<c&escaped != 0 {
			n += 4
		}
	}
	return budget(n)
}

// escaped has a bit for each character that HTML writes as a reference.
const escaped = uint64(1<<'"' | 1<<'\'' | 1<<'+' | 1<<'&' | 1<<'<' | 1<<'>')

// shownLine returns a line as a page shows it: cut to maxLine bytes, and with everything but tabs that isn't
// printable escaped.
func shownLine(line string) string {
	if more := len(line) - maxLine; more > 0 {
		line = fmt.Sprintf("%s … %d more bytes", strings.ToValidUTF8(line[:maxLine], ""), more)
	}
	cells := strings.Split(line, "\t") // which Printable would make blanks
	for i, cell := range cells {
		cells[i] = safetext.Printable(cell)
	}
	return strings.Join(cells, "\t")
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

// plainWord matches what no shell acts on.
var plainWord = lazyregexp.New(`^[\pL\pN/._@+=:,-]+$`)
