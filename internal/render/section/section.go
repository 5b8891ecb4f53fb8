// Package section lays out a module for people to look at: rows of its effective configuration with
// a colour for each override file, the earlier values, and the findings of check.
//
// A section is data: package webpage writes it as HTML, and the playground draws it in a
// browser. Its size is limited by Options.Room, and it mentions what it leaves out. Values that must
// not be shown are hidden, and text with characters that aren't printable is written out.
package section

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Options control how much is shown of a module.
type Options struct {
	Redact bool // hide all values that are not effective
	Room   int  // roughly how many bytes the section of a module may have
}

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
	Merged   *merge.Module
	Diags    hcl.Diagnostics
	Findings []check.Finding
	Silenced []check.Finding // by comments

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

// Add adds other totals.
func (c *Counts) Add(other Counts) {
	c.Files += other.Files
	c.Overrides += other.Overrides
	c.Changed += other.Changed
	c.Added += other.Added
	c.Dropped += other.Dropped
	c.Idle += other.Idle
	c.Errors += other.Errors
	c.Warnings += other.Warnings
	c.Notices += other.Notices
	c.Ignored += other.Ignored
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
	Legend []legend
	// MoreFiles is how many override files are not listed.
	MoreFiles int
	// List is the findings that don't stand at their lines.
	List []*finding
	// AtLines is how many findings do.
	AtLines int
	// MoreFindings is how many are shown nowhere.
	MoreFindings int
	Silenced     []*finding
	MoreSilenced int // that are not listed
	// Compared is Module.Compared.
	Compared        string
	DifferentBlocks []changedBlock // the differences from the other side
	DifferentLeft   string         // how much of that is left out
	Texts           []fileText
	Rest            []fileText     // files that no override touches
	Blocks          []changedBlock // where the text is not shown
	NotShown        string         // why not
	Left            string         // how much is left out
	Command         string         // that shows all
	Check           string         // that lists all findings
}

// A legend is the colour of an override file.
type legend struct{ Class, Name, Does string }

// A finding is one of check. It is shown once.
type finding struct {
	Severity, Rule, URL, Place, Address, Message, By string

	isShown bool
}

// A changedBlock is a block as a list of changes.
type changedBlock struct {
	Address string
	Note    string // a note about the whole block, such as " (new)"
	Lines   []report.ChangeLine
}

func newSection(number int, dir string) *Section {
	return &Section{
		Head:    Head{ID: fmt.Sprintf("m%d", number), Dir: visibleLine(dir)},
		Command: "tofumerge --annotate " + ModuleWord(dir),
		Check:   "tofumerge check " + ModuleWord(dir),
	}
}

// Of returns the section of a module.
func Of(m Module, o Options) *Section {
	s := newSection(m.Number, m.Dir)
	s.IsBroken, s.IsGone = m.Diags.HasErrors(), m.IsGone
	s.Engine = m.Merged.Source.Engine.Product.Title()
	found, room := findingsOf(report.Findings(m.Merged.Source, m.Dir, m.Findings)), o.Room/3
	_, _, used := listed(found, room)
	o.Room -= used
	s.Silenced, s.MoreSilenced, used = listed(findingsOf(report.Findings(m.Merged.Source, m.Dir, m.Silenced)), o.Room/6)
	o.Room -= used
	s.Ignored = check.Count(m.Silenced)
	for i := range m.Findings {
		s.Count(m.Findings[i].Severity, m.Findings[i].Count())
	}
	o.Room -= s.legend(m.Merged, m.Diags, o.Room/4)
	o.Room -= s.since(m, o)
	s.configuration(m, o, found)
	others := slices.DeleteFunc(slices.Clone(found), func(f *finding) bool { return f.isShown })
	s.AtLines = len(found) - len(others)
	s.List, s.MoreFindings, _ = listed(others, room)
	return s
}

// leastRoom is the room for the findings of a module that can't be read.
const leastRoom = 3000

// Unread returns the section of a module that can't be read.
func Unread(number int, dir string, found []report.FindingRecord) *Section {
	s := newSection(number, dir)
	s.IsBroken = true
	s.List, s.MoreFindings, _ = listed(findingsOf(found), leastRoom)
	for i := range found {
		s.Count(found[i].Level(), found[i].Count())
	}
	return s
}

// listed are findings as far as there is room, how many more there are, and how much room
// they take.
func listed(found []*finding, room int) (list []*finding, more, used int) {
	for i, f := range found {
		used += findingCost + cost([]byte(f.Message+f.Place+f.Address+f.Rule+f.URL+f.Rule+f.By))
		if i > 0 && used > room {
			return found[:i], len(found) - i, used
		}
	}
	return found, 0, used
}

func findingsOf(records []report.FindingRecord) (list []*finding) {
	for i := range records {
		list = append(list, findingOf(&records[i]))
	}
	return list
}

func findingOf(rec *report.FindingRecord) *finding {
	place := visibleLine(cmp.Or(rec.Range.Filename, rec.Path))
	if rec.Range.Start.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, rec.Range.Start.Line)
	}
	return &finding{
		Severity: rec.Severity,
		Rule:     rec.Rule,
		URL:      rec.URL,
		Place:    place,
		Address:  rec.Address,
		Message:  visibleLine(rec.Message),
		By:       visibleLine(report.SilencedBy(rec)),
	}
}

// legend gives each override file its colour, in the order in which they are applied. As far as
// there is room it lists them. It returns how much it takes.
func (s *Section) legend(m *merge.Module, diags hcl.Diagnostics, room int) (used int) {
	did := report.EffectCounts(m, diags)
	for _, f := range m.Source.Files {
		if f.Role != source.Override {
			continue
		}
		s.Idle += did[f][effect.HasNoEffect]
		l := legend{classOf(s.Files), visibleLine(f.Name), report.EffectTotals(did[f])}
		for _, n := range did[f] {
			s.Overrides += n
		}
		if f.Broken {
			l.Does = "can't be read"
		}
		s.Files++
		if n := legendCost + cost([]byte(l.Name+l.Does)); used+n <= room {
			used += n
			s.Legend = append(s.Legend, l)
		} else {
			s.MoreFiles++
		}
	}
	return used
}

// Colours is how many there are for override files. Files of one colour are distinguished by name.
const Colours = 8

func classOf(number int) string { return fmt.Sprintf("f%d", number%Colours) }

// configuration shows the effective configuration, with findings at their lines, or why it does not.
func (s *Section) configuration(m Module, o Options, found []*finding) {
	if s.IsBroken || s.Files == 0 {
		return
	}
	changes.Each(m.Merged, func(b *changes.Block) { s.AddBlocks(b) })
	b := newBuilder(m, o, s.ID, found)
	files := plan.Arrange(m.Merged)
	unsayable := b.unsayable(files)
	if unsayable != "" {
		s.Command = "tofumerge --json --annotate " + ModuleWord(m.Dir)
	}
	if s.NotShown = cmp.Or(b.withheld(), unsayable); s.NotShown != "" {
		s.Blocks, s.Left = b.changeList()
		return
	}
	all, left := b.texts(files)
	for _, t := range all {
		if t.isTouched() {
			s.Texts = append(s.Texts, t)
		} else {
			s.Rest = append(s.Rest, t)
		}
	}
	s.Left = left
}

// since lists the differences from a revision. It returns how much room they take.
func (s *Section) since(m Module, o Options) (used int) {
	all := o.Room / 4
	l := changeLister{words: report.ModuleChanges{Redact: wording.NewRedactor(m.Merged.Source, o.Redact)}, room: all}
	for _, block := range m.Differences {
		s.DifferentCount += len(block.Shown())
		l.add(block)
	}
	s.Compared, s.DifferentBlocks, s.DifferentLeft = m.Compared, l.list, l.left()
	return all - l.room
}

// changeList lists the changes of blocks for lack of their text.
func (b *builder) changeList() (list []changedBlock, left string) {
	l := changeLister{words: report.ModuleChanges{Redact: b.redact}, room: b.room}
	changes.Each(b.m, l.add)
	b.room = l.room
	return l.list, l.left()
}

// A changeLister lists changes as far as there is room.
type changeLister struct {
	words   report.ModuleChanges
	room    int
	list    []changedBlock
	missing int // changes
}

func (l *changeLister) add(block *changes.Block) {
	if l.room <= 0 {
		l.missing += len(block.Shown())
		return
	}
	changed := changedBlock{Address: block.Address.String(), Note: report.BlockNote(block)}
	for line := range l.words.Lines(block) {
		line.Value, line.Below = valueOf(line), nil
		if l.room -= len(line.Name) + cost([]byte(line.Value)) + changeCost; l.room <= 0 {
			break
		}
		changed.Lines = append(changed.Lines, line)
	}
	l.missing += len(block.Shown()) - len(changed.Lines)
	l.list = append(l.list, changed)
}

// valueOf is the value of a change, or its lines.
func valueOf(l report.ChangeLine) string {
	value := visibleLine(l.Value)
	for _, below := range l.Below {
		text, _, _ := strings.Cut(below.Text, "; --full")
		value += "\n" + lineSigns[below.Kind] + " " + visibleLine(text)
	}
	return value
}

// lineSigns distinguish lines of the earlier value from lines of the later one.
var lineSigns = map[changes.Kind]string{changes.Changed: " ", changes.Added: "+", changes.Dropped: "−"}

// left words how much is left out.
func (l *changeLister) left() string {
	if l.missing == 0 {
		return ""
	}
	return wording.Count(l.missing, "more change") + " not shown."
}

// maxLine is how many bytes of a line are shown.
const maxLine = 400

// visible is text in which nothing hides: characters that aren't printable are written as in a Go
// string, except for line ends and tabs.
func visible(text []byte) string {
	var out strings.Builder
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		body := bytes.TrimRight(line, "\r\n")
		if len(body) > maxLine {
			cut := maxLine
			for cut > 0 && !utf8.RuneStart(body[cut]) {
				cut--
			}
			writeVisible(&out, body[:cut])
			fmt.Fprintf(&out, " … %d more bytes", len(body)-cut)
		} else {
			writeVisible(&out, body)
		}
		if len(body) < len(line) {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func writeVisible(out *strings.Builder, line []byte) {
	for len(line) > 0 {
		plain := bytes.IndexFunc(line, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') })
		if plain < 0 { // as most are
			out.Write(line)
			return
		}
		out.Write(line[:plain])
		line = line[plain:]
		r, size := utf8.DecodeRune(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(out, `\x%02x`, line[0])
		case r == '\t' || unicode.IsPrint(r):
			out.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(out, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(out, `\U%08x`, r)
		default:
			fmt.Fprintf(out, `\u%04x`, r)
		}
		line = line[size:]
	}
}

// visibleLine is visible text on one line.
func visibleLine(text string) string {
	return strings.ReplaceAll(strings.TrimRight(visible([]byte(text)), "\n"), "\n", " ")
}

// cost is roughly the size of a text in HTML, in bytes.
func cost(text []byte) int {
	n := len(text)
	for _, c := range text {
		switch c {
		case '"', '\'', '+', '&', '<', '>':
			n += 4
		}
	}
	return n
}

// ModuleWord is a directory on a command line.
func ModuleWord(dir string) string {
	if dir = path.Clean(dir); strings.HasPrefix(dir, "-") {
		dir = "./" + dir
	}
	return shellWord(dir)
}

// shellWord is a name as a shell reads it.
func shellWord(name string) string {
	isOdd := func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-@+=:,", r))
	}
	switch {
	case name != "" && !strings.ContainsFunc(name, isOdd):
		return name
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "'" + visibleLine(name) + "'"
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
