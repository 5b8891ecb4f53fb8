// Package report holds the records of modules: files, the effects of overrides and the histories of names, changes,
// differences between engines, and findings. Programs get them as JSON and in the formats
// that CI systems read; with the words beside them, screens show the same to people. Of many diagnostics it lists some,
// and of their source lines the part that matters, in which a word replaces what is sensitive.
package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Records of the commands' JSON output: one schema for all of them, which docs/report.schema.json
// describes. Names agree with "tofu validate -json" if that has them.

// FormatVersion is the version of the schema. The first number changes when a field changes its
// meaning or is removed, the second one when something is added.
const FormatVersion = "1.1"

// A SidesRecord names the sides of a comparison of modules.
type SidesRecord struct {
	Left  string `json:"left"`
	Right string `json:"right"`
}

// A Report is the JSON output of a command.
type Report struct {
	FormatVersion string             `json:"format_version"`
	Engine        string             `json:"engine"`
	OnlyNew       string             `json:"only_new,omitempty"` // the revision whose findings are left out
	Sides         *SidesRecord       `json:"sides,omitempty"`
	Notes         []string           `json:"notes,omitempty"` // about the other side of the comparison
	Valid         bool               `json:"valid"`
	ErrorCount    int                `json:"error_count"`
	WarningCount  int                `json:"warning_count"`
	Totals        *TotalsRecord      `json:"totals,omitempty"`
	Filtered      int                `json:"filtered,omitempty"` // changes that --filter hides
	Skipped       *SkipCounts        `json:"skipped_directories,omitempty"`
	Modules       []ModuleRecord     `json:"modules,omitzero"`
	Files         []FileRecord       `json:"files,omitzero"`
	Findings      []FindingRecord    `json:"findings,omitzero"`
	Suppressed    []FindingRecord    `json:"suppressed,omitzero"` // findings that comments silence
	Counts        *CountsRecord      `json:"counts,omitempty"`
	Stale         []StaleRecord      `json:"stale,omitzero"`
	Histories     []HistoryRecord    `json:"histories,omitzero"`
	Changes       []ChangeRecord     `json:"changes,omitzero"`
	Diagnostics   []DiagnosticRecord `json:"diagnostics"`

	// Later, if set, makes the histories when they are written, one at a time.
	Later iter.Seq[HistoryRecord] `json:"-"`
}

// A HistoryRecord is the history of one name.
type HistoryRecord struct {
	Module     string       `json:"module,omitempty"` // the directory of a ModuleRecord, if there are several
	Address    string       `json:"address"`
	Kind       string       `json:"kind"` // argument or block
	Overridden bool         `json:"overridden"`
	Sensitive  bool         `json:"sensitive"`
	Effective  []ItemRecord `json:"effective"`
	Steps      []StepRecord `json:"steps"`
	// Drops are keys, or names in nested blocks, of earlier values that the effective ones
	// leave out.
	Drops []string `json:"drops,omitempty"`
}

// An ItemRecord is an argument or a block as a file wrote it.
type ItemRecord struct {
	Range RangeRecord `json:"range"`
	// Value is the text of an argument's value in native syntax; null for blocks
	// and for values that are hidden.
	Value  *string  `json:"value"`
	Labels []string `json:"labels,omitempty"`
	// Computed is set if Value is in no file, but was computed from values in files.
	Computed bool `json:"computed,omitempty"`
}

// A StepRecord is the effect of one source item.
type StepRecord struct {
	ItemRecord
	Effect string        `json:"effect"`
	Status effect.Status `json:"status"`
	By     *RangeRecord  `json:"by"` // what decided on the status; null if the item itself
	Rule   ruleRecord    `json:"rule"`
}

// A ruleRecord is a row of the table of rules.
type ruleRecord struct {
	Path    string `json:"path"`
	Summary string `json:"summary"`
	// Engines words the set of known releases that follow the rule.
	Engines string `json:"engines,omitempty"`
}

// A RangeRecord is a stretch of a file.
type RangeRecord struct {
	Filename string    `json:"filename"`
	Start    PosRecord `json:"start"`
	End      PosRecord `json:"end"`
}

// A PosRecord is a position in a file. Lines and columns start at 1, columns are in characters;
// bytes start at 0.
type PosRecord struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// A DiagnosticRecord is an error or a warning.
type DiagnosticRecord struct {
	Severity string         `json:"severity"`
	Summary  string         `json:"summary"`
	Detail   string         `json:"detail"`
	Range    *RangeRecord   `json:"range,omitempty"`
	Snippet  *SnippetRecord `json:"snippet,omitempty"`
	Related  *relatedRecord `json:"related,omitempty"`
}

// A SnippetRecord is the source line of a diagnostic. Offsets are in bytes of Code.
type SnippetRecord struct {
	Context              *string `json:"context"`
	Code                 string  `json:"code"`
	StartLine            int     `json:"start_line"`
	HighlightStartOffset int     `json:"highlight_start_offset"`
	HighlightEndOffset   int     `json:"highlight_end_offset"`
	Values               []any   `json:"values"`
}

// A relatedRecord is a second range that a diagnostic is about.
type relatedRecord struct {
	Note  string      `json:"note"`
	Range RangeRecord `json:"range"`
}

// New returns a report without findings. e is the engine whose rules apply.
func New(e engine.Release) *Report {
	return &Report{FormatVersion: FormatVersion, Engine: e.String(), Valid: true, Diagnostics: []DiagnosticRecord{}}
}

// Add adds diagnostics about a module. The totals count all of them; of many similar ones only some are
// listed.
func (r *Report) Add(m *load.Module, diags hcl.Diagnostics) {
	errors := len(diag.Errors(diags))
	r.ErrorCount += errors
	r.WarningCount += len(diags) - errors
	groups := make([]*Group, len(diags))
	for i, d := range diags {
		groups[i] = &Group{Diagnostic: d}
	}
	for _, g := range bounded(groups) {
		r.Diagnostics = append(r.Diagnostics, diagnosticRecord(g.Diagnostic, m))
	}
	r.Valid = r.ErrorCount == 0
}

// Place returns FILE:LINE of the start of the range.
func (r RangeRecord) Place() string {
	return diag.FileName(r.Filename) + ":" + strconv.Itoa(r.Start.Line)
}

// rangeRecord converts a range to its record.
func rangeRecord(r hcl.Range) RangeRecord {
	return RangeRecord{r.Filename, PosRecord(r.Start), PosRecord(r.End)}
}

// RangeOf returns the record of an item's range; nil for a nil item.
func RangeOf(it source.Item) *RangeRecord {
	if it == nil {
		return nil
	}
	return new(rangeRecord(source.Where(it)))
}

// ruleOf returns the record of a rule; nil for a nil rule. why words what the rule does in the case at hand.
func ruleOf(r *rules.Rule, why string) *ruleRecord {
	if r == nil {
		return nil
	}
	return &ruleRecord{r.Path, why, r.Releases()}
}

// valid replaces invalid UTF-8 in a text, which JSON can't hold.
func valid[T string | []byte](text T) string { return strings.ToValidUTF8(string(text), "\ufffd") }

// diagnosticRecord returns the record of a diagnostic about a module, with its source line if that may be
// shown.
func diagnosticRecord(d *hcl.Diagnostic, m *load.Module) DiagnosticRecord {
	rec := DiagnosticRecord{Severity: "warning", Summary: CutText(d.Summary), Detail: CutText(d.Detail)}
	if diag.IsError(d) {
		rec.Severity = "error"
	}
	if d.Subject != nil {
		rec.Range, rec.Snippet = new(rangeRecord(*d.Subject)), snippetRecord(*d.Subject, m)
		rec.Range.Filename = m.Shown(d.Subject.Filename)
	}
	if related, ok := diag.RelatedOf(d); ok {
		rec.Related = &relatedRecord{related.Note, rangeRecord(related.Range)}
		rec.Related.Range.Filename = m.Shown(related.Range.Filename)
	}
	return rec
}

// snippetRecord returns the line that a range starts on, with the offsets of the range in it; nil if there is none to
// show. Replacing invalid UTF-8 may change the length of the text, so the offsets are limited to it.
func snippetRecord(r hcl.Range, m *load.Module) *SnippetRecord {
	line := SourceLine(r, m)
	if line == nil {
		return nil
	}
	text := valid(line.text)
	end := min(line.at+line.length, len(text))
	return &SnippetRecord{
		Code:                 text,
		StartLine:            r.Start.Line,
		HighlightStartOffset: min(line.at, end),
		HighlightEndOffset:   end,
		Values:               []any{},
	}
}

// jsonIndent indents each level of a report.
const jsonIndent = "  "

// Write writes the report as JSON, indented by two blanks and followed by a line end. It returns
// the error of w.
//
// A whole module can have very many histories, so only one at a time is in memory as text.
func (r *Report) Write(w io.Writer) error {
	histories := r.Later
	if histories == nil && len(r.Histories) == 0 {
		return safetext.WriteJSON(w, r, jsonIndent)
	} else if histories == nil {
		histories = slices.Values(r.Histories)
	}
	// First encode the report with an empty list of histories and cut the text there. Then write the histories in
	// between.
	rest := *r
	rest.Histories = []HistoryRecord{}
	var whole, text bytes.Buffer
	if err := encoder(&whole, "").Encode(&rest); err != nil {
		return err
	}
	const key = "\n" + jsonIndent + `"histories": [` // can't be in a string, where JSON escapes line ends
	const indent = "\n" + jsonIndent + jsonIndent
	before, after, _ := bytes.Cut(whole.Bytes(), []byte(key))
	out := bufio.NewWriter(w)
	escaped, each := safetext.EscapedJSON(out), encoder(&text, indent[1:]) // the prefix of a line, without its line end
	_, _ = escaped.Write(slices.Concat(before, []byte(key)))
	separator, end := indent, "" // before the next history, and after the last one
	for h := range histories {
		text.Reset()
		text.WriteString(separator)
		if err := each.Encode(h); err != nil {
			return err
		}
		_, _ = escaped.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
		if _, err := out.Write(nil); err != nil { // the buffer returns an earlier error of w
			return err // nobody reads the rest
		}
		separator, end = ","+indent, "\n"+jsonIndent
	}
	_, _ = escaped.Write(append([]byte(end), after...))
	return out.Flush()
}

// encoder returns an encoder for parts of a report. prefix starts every line but the first.
func encoder(w io.Writer, prefix string) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetIndent(prefix, jsonIndent)
	enc.SetEscapeHTML(false)
	return enc
}
