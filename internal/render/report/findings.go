package report

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/excerpt"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A ModuleRecord is a module directory that was checked.
type ModuleRecord struct {
	Directory string `json:"directory"` // as it is reached from where the program runs, with slashes
	Engine    string `json:"engine"`    // whose rules were followed
	// Assumed explains the choice, if no file and no user chooses the engine.
	Assumed string `json:"engine_assumed,omitempty"`
	Files   int    `json:"files"` // that were read
	// Against is the other side of the comparison: git:REV:DIR.
	Against string `json:"against,omitempty"`
	// Address is the module's address in a tree of modules, empty for the root; SameAs is the
	// address of an earlier occurrence with the same directory, whose record is complete.
	Address string  `json:"address,omitempty"`
	SameAs  *string `json:"same_as,omitempty"`
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
	text   string // the text of the finding's key
	fails  bool   // it makes the run fail
	noBase bool   // an override has nothing to override
	more   int    // how many unlisted findings it represents; 0 if it is a finding itself
	source *sourceLine
}

// A sourceLine is the line that a finding starts on, without secrets, and the bytes of it that the
// finding is about.
type sourceLine struct {
	text       []byte
	at, length int
}

// sourceOf is the source line of a finding; nil if it can't be shown.
func sourceOf(m *load.Module, f check.Finding) *sourceLine {
	text, at, length, ok := excerpt.Line(f.Range, m)
	if !ok || f.More > 0 {
		return nil
	}
	return &sourceLine{bytes.Clone(text), at, length}
}

// A suppressionRecord is a comment that silences a finding.
type suppressionRecord struct {
	Path   string      `json:"path"` // as in a finding
	Range  RangeRecord `json:"range"`
	Reason string      `json:"reason,omitempty"` // the text of the comment behind the rules
}

// Count returns how many findings a record represents.
func (f *FindingRecord) Count() int { return max(1, f.more) }

// Found returns how many findings there are, listed or not.
func (r *Report) Found() int {
	n := 0
	for i := range r.Findings {
		n += r.Findings[i].Count()
	}
	return n
}

// sectionOf is the anchor of the section of a rule of the merge.
func sectionOf(path string) string {
	block, inner, _ := strings.Cut(path, "/")
	inner, _, _ = strings.Cut(inner, "/")
	switch block {
	case "*":
		return "all-other-arguments-and-blocks"
	case "terraform":
		if inner == "encryption" {
			return "terraformencryption"
		}
	case "provider", "variable", "locals", "output", "module", "resource", "data", "ephemeral", "action", "check":
	default:
		return "other-blocks"
	}
	return block
}

// plainText describes the finding without values.
func (f *FindingRecord) plainText() string { return cmp.Or(f.plain, f.Summary) }

// level is the severity of a finding.
func (f *FindingRecord) level() check.Severity {
	s, _ := check.ParseSeverity(f.Severity)
	return s
}

// Findings records the findings of a module. dir is the path of its directory from the working
// directory, with slashes. Of many similar findings it records some, and the number of the rest.
func Findings(m *load.Module, dir string, found []check.Finding) []FindingRecord {
	found = check.Bounded(found)
	if len(found) == 0 {
		return nil
	}
	list := make([]FindingRecord, 0, len(found))
	for i, f := range check.Terse(found) {
		rec := FindingRecord{
			Rule:     f.Rule.ID,
			Severity: f.Severity.String(),
			Module:   dir,
			Path:     pathOf(m, dir, f.Range.Filename),
			Range:    rangeRecord(f.Range),
			Summary:  excerpt.Cut(f.Qualified(f.Summary)),
			Message:  excerpt.Cut(f.Qualified(f.Message)),
			Unlike:   unlike(f.Unlike.Release),
			Address:  f.Address.String(),
			URL:      RuleURL(f.Rule.ID),
			plain:    excerpt.Cut(f.Qualified(f.Plain())),
			text:     check.KeyOf(found[i]).Text,
			fails:    f.Fails,
			noBase:   f.NoBase,
			more:     f.More,
			source:   sourceOf(m, f),
		}
		if f.Related != nil {
			rec.Related = []relatedRecord{{f.Related.Note, rangeRecord(f.Related.Range)}}
			rec.Related[0].Range.Filename = pathOf(m, dir, f.Related.Range.Filename)
		}
		if f.By != nil {
			rec.Suppression = &suppressionRecord{pathOf(m, dir, f.By.Range.Filename), rangeRecord(f.By.Range), excerpt.Cut(f.By.Reason)}
		}
		list = append(list, rec)
	}
	return list
}

// FindingHistories records the histories of the names that findings are about, each once.
func FindingHistories(m *merge.Module, dir string, found []check.Finding) []HistoryRecord {
	var list []HistoryRecord
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

// unlike names a release; empty for none.
func unlike(e engine.Release) string {
	if e.Version == "" {
		return ""
	}
	return e.String()
}

// pathOf returns how a file is reached from where the program runs. The path of an overlay
// does not depend on dir.
func pathOf(m *load.Module, dir, name string) string {
	if file := m.File(name); file != nil && file.Overlay {
		return filepath.ToSlash(name)
	}
	return joinSlashed(dir, name, isWindows)
}
