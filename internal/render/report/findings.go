package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A ModuleRecord is a module directory that was checked.
type ModuleRecord struct {
	Directory string `json:"directory"` // as it is reached from where the program runs, with slashes
	Engine    string `json:"engine"`    // whose rules were followed
	// Assumed explains the choice, if no file and no user chooses the engine.
	Assumed string `json:"engine_assumed,omitempty"`
	Files   int    `json:"files"` // that were read
	// AgainstEngines are those whose reading was compared, whether it differs or not.
	AgainstEngines []string `json:"against_engines,omitempty"`
	// Against is the left side of the comparison.
	Against string `json:"against,omitempty"`
}

// A FindingRecord is something that check found.
type FindingRecord struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error, warning or notice
	Module   string `json:"module"`   // the directory of a ModuleRecord
	// Path is the file, as it is reached from where the program runs, with slashes.
	Path  string      `json:"path"`
	Range RangeRecord `json:"range"` // line 0 for a file as a whole
	// Summary describes the problem without any value of the configuration; Message describes it in
	// full.
	Summary string          `json:"summary"`
	Message string          `json:"message"`
	Related []relatedRecord `json:"related,omitempty"`
	Address string          `json:"address,omitempty"`
	URL     string          `json:"url"`
	// Suppression is the comment that silences it.
	Suppression *suppressionRecord `json:"suppression,omitempty"`
	// Unlike is the newest release of the other product, if the engine is assumed and the finding
	// doesn't hold for that release, as Summary and Message mention.
	Unlike string `json:"unlike,omitempty"`

	// NotFixed explains why check --fix leaves it, in a few words for people.
	NotFixed string `json:"-"`
	// Fix is what would fix it, if anything is known to.
	Fix *FixRecord `json:"-"`

	plain  string // Message without values; Summary if there is none
	text   string // the message by which runs recognize the finding; its locations have line numbers
	fails  bool   // it makes the run fail
	more   int    // how many unlisted findings it represents; 0 if it is a finding itself
	source *Excerpt
}

// A suppressionRecord is a comment that silences a finding.
type suppressionRecord struct {
	Path   string      `json:"path"` // as in a finding
	Range  RangeRecord `json:"range"`
	Reason string      `json:"reason,omitempty"` // the text of the comment behind the rules
}

// Count returns how many findings a record represents: more than one if it stands for unlisted ones.
func (f *FindingRecord) Count() int { return max(1, f.more) }

// anchorOf returns the anchor of the section of the docs about a rule of the merge. path is the rule's:
// "resource/lifecycle".
func anchorOf(path string) string {
	block, inner, _ := strings.Cut(path, "/")
	inner, _, _ = strings.Cut(inner, "/") // only the first step below the block
	switch block {
	case "*":
		return "all-other-arguments-and-blocks"
	case "terraform":
		if inner == "encryption" {
			return "terraformencryption"
		}
	case "provider", "variable", "locals", "output", "module", "resource", "data", "ephemeral", "action", "check":
		// These have sections of their own.
	default:
		return "other-blocks"
	}
	return block
}

// plainText describes the finding without quoting values of the configuration.
func (f *FindingRecord) plainText() string { return cmp.Or(f.plain, f.Summary) }

// Level is the severity of a finding.
func (f *FindingRecord) Level() check.Severity {
	s, _ := check.ParseSeverity(f.Severity)
	return s
}

// Findings returns the records of a module's findings. dir is the path of its directory from the working
// directory, with slashes. Of many similar findings it lists some, and a record for the rest.
func Findings(m *load.Module, dir string, found []check.Finding) []FindingRecord {
	found = check.Bounded(found)
	if len(found) == 0 {
		return nil
	}
	list := make([]FindingRecord, 0, len(found))
	// Paths by file name, and the URL of the current rule, are computed once, not for each finding.
	paths, url := map[string]string{}, ""
	pathTo := func(name string) string {
		if paths[name] == "" {
			paths[name] = pathOf(m, dir, name)
		}
		return paths[name]
	}
	for i, f := range check.Terse(found) { // f is found[i], without advice that an earlier finding gives
		if i == 0 || f.Rule != found[i-1].Rule { // adjacent findings of one rule share its URL
			url = RuleURL(f.Rule.ID)
		}
		rec := FindingRecord{
			Rule:     f.Rule.ID,
			Severity: f.Severity.String(),
			Module:   dir,
			Path:     pathTo(f.Range.Filename),
			Range:    rangeRecord(f.Range),
			Summary:  CutText(f.Qualified(f.Summary)),
			Message:  CutText(f.Qualified(f.Message)),
			Address:  f.Address.String(),
			URL:      url,
			plain:    CutText(f.Qualified(f.Plain())),
			text:     cmp.Or(found[i].Full, found[i].Plain()), // independent of the other findings
			fails:    f.Fails,
			more:     f.More,
		}
		if f.Unlike.Version != "" {
			rec.Unlike = f.Unlike.Release.String()
		}
		if f.More == 0 { // a record for the rest has no line
			rec.source = SourceLine(f.Range, m)
		}
		if f.Related != nil {
			rec.Related = []relatedRecord{{f.Related.Note, rangeRecord(f.Related.Range)}}
			rec.Related[0].Range.Filename = pathTo(f.Related.Range.Filename)
		}
		if f.By != nil {
			rec.Suppression = &suppressionRecord{pathTo(f.By.Range.Filename), rangeRecord(f.By.Range), CutText(f.By.Reason)}
		}
		list = append(list, rec)
	}
	return list
}

// FindingHistories returns the histories of the names that findings are about, each once. dir is the
// directory of the module.
func FindingHistories(m *merge.Module, dir string, found []check.Finding) (list []HistoryRecord) {
	redact := wording.NewRedactor(m.Source, false)
	known := map[*merge.MergedItem]bool{}
	for _, f := range check.Bounded(found) {
		if f.Item == nil || known[f.Item] {
			continue
		}
		known[f.Item] = true
		rec := History(redact, address.Target{Address: f.Address, Of: f.Address, Item: f.Item})
		rec.Module = dir
		list = append(list, rec)
	}
	return list
}

// pathOf returns the path from the working directory to the file called name of a module in dir. It returns the name
// of an overlay unchanged, because that is such a path already.
func pathOf(m *load.Module, dir, name string) string {
	if file := m.File(name); file != nil && file.Overlay {
		return filepath.ToSlash(name)
	}
	return joinSlashed(dir, name, isWindows)
}

// A findingsScreen writes findings on a terminal, grouped below the names of their files.
type findingsScreen struct {
	file       string         // the current one; empty before the first finding
	placeWidth int            // how many columns LINE:COLUMN takes in that file
	widths     map[string]int // the same, by file
}

// newFindingsScreen measures the locations of all findings, so that the messages in one file align.
func newFindingsScreen(r *Report) *findingsScreen {
	s := &findingsScreen{widths: map[string]int{}}
	for i := range r.Findings {
		f := &r.Findings[i]
		s.widths[f.Path] = max(s.widths[f.Path], len(lineAndColumn(f)))
	}
	return s
}

// lineAndColumn returns LINE:COLUMN of a finding; "" for a finding about a whole file.
func lineAndColumn(f *FindingRecord) string {
	return strings.TrimPrefix(FullPlace("", f.Range.Start), ":")
}

// write writes a finding: the file's name if it is another one than before, then the location, the severity
// and the rule, the message, and the source line with a mark below the range.
func (s *findingsScreen) write(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	if s.file != "" { // a blank line between findings
		out.WriteString("\n")
	}
	if f.Path != s.file {
		s.file, s.placeWidth = f.Path, s.widths[f.Path]
		out.WriteString(to.Place(safetext.OneLine(f.Path)) + "\n")
	}
	indent := strings.Repeat(" ", s.placeWidth+4) // below the severity: two blanks before the place, two after it
	s.writeHead(out, f, to, indent)
	fmt.Fprintf(out, "%s\n", to.WrapLine(0, indent+safetext.OneLine(f.Message), indent))
	s.writeSource(out, f, to)
	writeRest(out, f, to, indent)
}

// writeHead writes the location, the severity and the rule of a finding, on further lines if they don't fit
// on one. indent starts these lines.
func (s *findingsScreen) writeHead(out *strings.Builder, f *FindingRecord, to screen.Screen, indent string) {
	place := lineAndColumn(f)
	fmt.Fprintf(out, "  %*s%s", s.placeWidth-len(place), "", to.Dim(place))
	taken := s.placeWidth + len("  ") // columns of the current line
	// words are the parts without colours, to measure; colored the same parts, to write.
	words := []string{f.Level().String(), f.Rule}
	colored := []string{colorOf(f.Level(), to.Palette)(f.Level().String()), to.Place(f.Rule)}
	if f.Fix != nil {
		words, colored = append(words, "[fixable]"), append(colored, to.Dim("[fixable]"))
	}
	for i, word := range words {
		taken += len("  ") + len(word)
		if taken <= to.Width || i == 0 { // the severity always stays beside the place
			out.WriteString("  " + colored[i])
			continue
		}
		out.WriteString("\n" + indent + colored[i])
		taken = len(indent) + len(word)
	}
	out.WriteString("\n")
}

// writeSource writes the source line of a warning or an error. For a notice it writes nothing.
func (s *findingsScreen) writeSource(out *strings.Builder, f *FindingRecord, to screen.Screen) {
	if f.source == nil || f.Level() == check.Notice {
		return
	}
	number := fmt.Sprint(f.Range.Start.Line)
	margin := strings.Repeat(" ", max(0, s.placeWidth+2-len(number))) // ends the number where LINE:COLUMN ends
	f.source.Write(out, margin, number, colorOf(f.Level(), to.Palette), to)
}

// What comments silence, in formats that have only findings.

// Ignored words how many findings comments silence, and of which rules; empty if none.
func (r *Report) Ignored() string {
	all := 0
	if r.Counts != nil {
		all = r.Counts.Ignored
	}
	return IgnoredText(all, rulesOf(r.Suppressed))
}

// rulesOf counts findings by rule.
func rulesOf(list []FindingRecord) map[string]int {
	rules := map[string]int{}
	for i := range list {
		rules[list[i].Rule] += list[i].Count()
	}
	return rules
}

// IgnoredText words how many findings comments silence; "" for none. rules counts the listed ones by rule;
// all is the total, if that is larger.
func IgnoredText(all int, rules map[string]int) string {
	known := 0
	var parts []string
	for _, id := range commonest(rules) {
		known += rules[id]
		parts = append(parts, fmt.Sprintf("%s %d", id, rules[id]))
	}
	if all = max(all, known); all == 0 {
		return ""
	}
	text := wording.Number(all, "finding is ignored by a comment", "findings are ignored by comments")
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

// Suppress adds warnings about module m that comments silence to the report.
func (r *Report) Suppress(m *load.Module, ignored []check.Suppression) {
	var list []check.Finding
	for i := range ignored {
		list = append(list, ignored[i].Finding)
	}
	dir := cmp.Or(strings.TrimSuffix(m.Prefix, "/"), ".")
	r.Suppressed = append(r.Suppressed, Findings(m, dir, list)...)
}

// A silencedFile holds the findings that comments of one file silence, and the first of these comments.
type silencedFile struct {
	first *suppressionRecord
	list  []FindingRecord
}

// silencedFiles groups silenced findings by the file whose comments silence them, and finds the first such
// comment of each file.
func (r *Report) silencedFiles() (files []*silencedFile) {
	byPath := map[string]*silencedFile{}
	for _, f := range r.Suppressed {
		by := f.Suppression
		if by == nil {
			continue // a record for the number of findings that aren't listed: it has no comment of its own
		}
		file := byPath[by.Path]
		if file == nil {
			file = &silencedFile{first: by}
			byPath[by.Path] = file
			files = append(files, file)
		}
		if by.Range.Start.Byte < file.first.Range.Start.Byte {
			file.first = by
		}
		file.list = append(file.list, f)
	}
	return files
}

// SilencedBy words which comment silences a finding, with its reason: "ignored at a.tf:3:1: REASON"; "" if
// none does.
func SilencedBy(f *FindingRecord) string {
	by := f.Suppression
	if by == nil {
		return ""
	}
	text := "ignored at " + FullPlace(by.Path, by.Range.Start)
	if by.Reason != "" {
		text += ": " + by.Reason
	}
	return text
}

// A FixRecord describes a fix for a finding, for formats that can contain one.
type FixRecord struct {
	Text  string // its effect, in the imperative
	Edits []fixEdit
	// Quotes is set if it writes values of the configuration.
	Quotes bool
}

// A fixEdit replaces a part of a file by Text. Columns are in code points.
type fixEdit struct {
	Path       string
	Start, End PosRecord
	Text       string
}

// FixEdits converts edits of a file, which have byte offsets, to lines and columns. text is the file.
func FixEdits(path string, text []byte, edits []textedit.Edit) (list []fixEdit) {
	starts := textedit.LineStarts(text)
	at := func(offset int) PosRecord {
		line := sort.SearchInts(starts, offset+1) // how many lines start at or before the offset
		return PosRecord{line, utf8.RuneCount(text[starts[line-1]:offset]) + 1, offset}
	}
	for _, e := range edits {
		list = append(list, fixEdit{path, at(e.Start), at(e.End), e.Text})
	}
	return list
}
