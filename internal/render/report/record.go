package report

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/excerpt"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Records of the commands' JSON output: one schema for all of them, which docs/report.schema.json
// describes. Names agree with "tofu validate -json" if that has them.

// FormatVersion is the version of the schema. The first number changes when a field changes its
// meaning or is removed, the second one when something is added.
const FormatVersion = "1.1"

// A Report is the JSON output of a command.
type Report struct {
	FormatVersion string             `json:"format_version"`
	Engine        string             `json:"engine"`
	AgainstEngine string             `json:"against_engine,omitempty"`
	Since         string             `json:"since,omitempty"`      // the revision whose findings are left out
	Notes         []string           `json:"notes,omitempty"`      // about the other side of the comparison
	RefusedBy     []string           `json:"refused_by,omitempty"` // which of the two engines refuse the module
	Valid         bool               `json:"valid"`
	ErrorCount    int                `json:"error_count"`
	WarningCount  int                `json:"warning_count"`
	Totals        *TotalsRecord      `json:"totals,omitempty"`
	Filtered      int                `json:"filtered,omitempty"` // changes that --filter hides
	Skipped       *SkipCounts        `json:"skipped_directories,omitempty"`
	Modules       []ModuleRecord     `json:"modules,omitzero"`
	Files         []FileRecord       `json:"files,omitzero"`
	OtherFiles    []OtherFileRecord  `json:"other_files,omitzero"`
	Findings      []FindingRecord    `json:"findings,omitzero"`
	Suppressed    []FindingRecord    `json:"suppressed,omitzero"` // findings that comments silence
	Counts        *CountsRecord      `json:"counts,omitempty"`
	Stale         []StaleRecord      `json:"stale,omitzero"`
	Histories     []HistoryRecord    `json:"histories,omitzero"`
	Variables     []VariableRecord   `json:"variables,omitempty"` // those that something besides the default gives a value
	Differences   []DifferenceRecord `json:"differences,omitzero"`
	Changes       []ChangeRecord     `json:"changes,omitzero"`
	// VariableChanges are the variables whose values differ from a revision's.
	VariableChanges []variableChangeRecord `json:"variable_changes,omitempty"`
	Diagnostics     []DiagnosticRecord     `json:"diagnostics"`

	later []iter.Seq[HistoryRecord] // histories that are made when they are written
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
	// OutrankedBy is the location of the value from a variables file that supersedes a default; nil
	// for others, and if variables files are not read.
	OutrankedBy *RangeRecord `json:"outranked_by,omitempty"`
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
	Effect string       `json:"effect"`
	Status string       `json:"status"`
	By     *RangeRecord `json:"by"` // what decided on the status; null if the item itself
	Rule   ruleRecord   `json:"rule"`
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

// New returns a report without findings, by the rules of an engine.
func New(e engine.Release) *Report {
	return &Report{FormatVersion: FormatVersion, Engine: e.String(), Valid: true, Diagnostics: []DiagnosticRecord{}}
}

// Add adds diagnostics about a module. The totals include all of them; of many similar ones only
// some are listed.
func (r *Report) Add(m *load.Module, diags hcl.Diagnostics) {
	for _, d := range diags {
		if diag.IsError(d) {
			r.ErrorCount++
		} else {
			r.WarningCount++
		}
	}
	for _, d := range excerpt.Bounded(diags) {
		r.Diagnostics = append(r.Diagnostics, diagnosticRecord(d, m))
	}
	r.Valid = r.ErrorCount == 0
}

// Place is FILE:LINE of the start.
func (r RangeRecord) Place() string {
	return diag.FileName(r.Filename) + ":" + strconv.Itoa(r.Start.Line)
}

// inPath is Place in a file that Filename is the path of.
func (r RangeRecord) inPath() string {
	return diag.Escape(r.Filename) + ":" + strconv.Itoa(r.Start.Line)
}

func rangeRecord(r hcl.Range) RangeRecord {
	pos := func(p hcl.Pos) PosRecord { return PosRecord{p.Line, p.Column, p.Byte} }
	return RangeRecord{r.Filename, pos(r.Start), pos(r.End)}
}

// itemRange records the range of an item; nil for none.
func itemRange(it source.Item) *RangeRecord {
	if it == nil {
		return nil
	}
	return new(rangeRecord(source.Where(it)))
}

// ruleOf records a rule in the words of a case of it; nil for none.
func ruleOf(r *rules.Rule, why string) *ruleRecord {
	if r == nil {
		return nil
	}
	return &ruleRecord{r.Path, why, r.Releases()}
}

// valid is a text as JSON can hold it.
func valid[T string | []byte](text T) string { return strings.ToValidUTF8(string(text), "\ufffd") }

func diagnosticRecord(d *hcl.Diagnostic, m *load.Module) DiagnosticRecord {
	rec := DiagnosticRecord{Severity: "warning", Summary: excerpt.Cut(d.Summary), Detail: excerpt.Cut(d.Detail)}
	if diag.IsError(d) {
		rec.Severity = "error"
	}
	if d.Subject != nil {
		rec.Range, rec.Snippet = new(rangeRecord(*d.Subject)), snippetRecord(*d.Subject, m)
		rec.Range.Filename = m.ShownIn(d, d.Subject.Filename)
	}
	if related, ok := diag.RelatedOf(d); ok {
		rec.Related = &relatedRecord{related.Note, rangeRecord(related.Range)}
		rec.Related.Range.Filename = m.ShownIn(d, related.Range.Filename)
	}
	return rec
}

func snippetRecord(r hcl.Range, m *load.Module) *SnippetRecord {
	line, at, length, ok := excerpt.Line(r, m)
	if !ok {
		return nil
	}
	text := valid(line)
	end := min(at+length, len(text))
	return &SnippetRecord{
		Code:                 text,
		StartLine:            r.Start.Line,
		HighlightStartOffset: min(at, end),
		HighlightEndOffset:   end,
		Values:               []any{},
	}
}

// History records the history of a target: the effective items, and the effect of each item.
func History(redact wording.Redactor, target address.Target) HistoryRecord {
	e := target.Item
	rec := HistoryRecord{
		Address:    target.Address.String(),
		Kind:       "argument",
		Overridden: e.IsOverridden(),
		Effective:  []ItemRecord{},
		Steps:      []StepRecord{},
	}
	note := func(it source.Item) {
		if _, isBlock := it.(*source.Block); isBlock {
			rec.Kind = "block"
		}
		rec.Sensitive = rec.Sensitive || redact.IsSecret(it)
	}
	for _, it := range target.Effective() {
		note(it)
		item := itemRecord(redact, it, false)
		if target.IsWhole() && e.Value != nil && item.Value != nil {
			item.Value, item.Computed = new(string(computed.NativeText(e.Value))), true
		}
		rec.Effective = append(rec.Effective, item)
	}
	for _, o := range e.Outcomes() {
		for _, it := range target.In(o.Item) {
			note(it)
			rec.Steps = append(rec.Steps, stepRecord(redact, o, it))
		}
	}
	if e.InEffect() && e.Inner() == nil && e.Value == nil && target.IsWhole() {
		rec.Drops = redact.DroppedNames(e.Live, e.Losers(e.Live[0]))
	}
	if c := e.Computed(); c != nil && target.IsWhole() {
		rec.Steps = append(rec.Steps, StepRecord{
			ItemRecord: rec.Effective[0],
			Effect:     c.Effect.String(),
			Status:     string(effect.StatusEffective),
			By:         itemRange(c.By()),
			Rule:       *ruleOf(c.Rule, c.Rule.Why),
		})
	}
	return rec
}

func stepRecord(redact wording.Redactor, o merge.Outcome, it source.Item) StepRecord {
	isEarlier := o.Status != effect.StatusEffective && o.Status != effect.StatusMerged
	return StepRecord{
		ItemRecord: itemRecord(redact, it, isEarlier),
		Effect:     o.Effect.String(),
		Status:     string(o.Status),
		By:         itemRange(o.By),
		Rule:       *ruleOf(o.Rule, o.Why()),
	}
}

func itemRecord(redact wording.Redactor, it source.Item, isEarlier bool) ItemRecord {
	rec := ItemRecord{Range: rangeRecord(source.Where(it))}
	switch it := it.(type) {
	case *source.Attr:
		if !redact.IsSecret(it) && !(isEarlier && redact.Redact) {
			rec.Value = new(valid(cmp.Or(string(it.Display()), string(it.Raw()))))
		}
	case *source.Block:
		rec.Labels = it.Labels
	}
	return rec
}

// Histories records the histories of targets, and for merged blocks also of their contents: of
// items that overrides addressed, or with all of every item.
func Histories(m *merge.Module, redact wording.Redactor, targets []address.Target, all bool) iter.Seq[HistoryRecord] {
	return func(yield func(HistoryRecord) bool) {
		for _, target := range targets {
			isWanted := yield(History(redact, target))
			EachIn(m, target, all, func(inner address.Target) {
				isWanted = isWanted && yield(History(redact, inner))
			})
			if !isWanted {
				return
			}
		}
	}
}

// Overridden records the histories of all names that overrides addressed.
func Overridden(m *merge.Module, redact wording.Redactor) []HistoryRecord {
	list := []HistoryRecord{}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		if e.IsOverridden() && e.Rule.Do != rules.Flatten {
			list = append(list, History(redact, address.Target{Address: own, Of: own, Item: e}))
		}
	})
	return list
}

// EachIn visits the names that a merged block holds, at every depth. Without all it leaves
// out those that no override addressed, and returns how many these are.
func EachIn(m *merge.Module, target address.Target, all bool, visit func(address.Target)) (left int) {
	if target.Item.Inner() == nil {
		return 0
	}
	address.WalkIn(m, target.Of, target.Item.Inner(), func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Do == rules.Flatten || len(e.Steps) == 0 {
			return
		}
		if !all && !e.IsOverridden() {
			left++
			return
		}
		visit(address.Target{Address: own, Of: own, Item: e})
	})
	return left
}

// A provenance describes by histories.
type provenance struct {
	redact    wording.Redactor
	merged    *merge.Module
	outranked layers.OutrankedDefaults
	addresses map[*merge.MergedItem]address.Address
	order     map[*merge.MergedItem]int
	owners    map[*merge.MergedBody]*merge.MergedItem
}

// Provenance describes overrides in JSON by the histories of each block and of its contents.
func Provenance(m *merge.Module, redact wording.Redactor, outranked layers.OutrankedDefaults) jsonout.Describer {
	p := &provenance{
		redact:    redact,
		merged:    m,
		outranked: outranked,
		addresses: map[*merge.MergedItem]address.Address{},
		order:     map[*merge.MergedItem]int{},
		owners:    map[*merge.MergedBody]*merge.MergedItem{},
	}
	address.Walk(m, func(own address.Address, e *merge.MergedItem) {
		p.addresses[e], p.order[e] = own, len(p.order)
		if e.Inner() != nil {
			p.owners[e.Inner()] = e
		}
	})
	return p
}

// A provenanceRecord is the description of one body.
type provenanceRecord struct {
	FormatVersion string          `json:"format_version"`
	Engine        string          `json:"engine"`
	Histories     []HistoryRecord `json:"histories"`
}

// Outranked implements jsonout.Describer.
func (p *provenance) Outranked() iter.Seq[*source.Attr] { return maps.Keys(p.outranked) }

// About implements jsonout.Describer.
func (p *provenance) About(c *merge.MergedBody, b, added *source.Block) (jsontree.Raw, *source.Block) {
	if c == nil || b.Type == source.EscapeBlock {
		return nil, added
	}
	var entries []*merge.MergedItem
	if e := p.owners[c]; e != nil && e.IsOverridden() && b == c.FirstPart() {
		entries = append(entries, e)
	}
	return p.record(append(entries, p.describedEntries(c, b)...)), added
}

// Addition implements jsonout.Describer.
func (p *provenance) Addition(e *merge.MergedItem, _ *source.Attr) jsontree.Raw {
	return p.record([]*merge.MergedItem{e})
}

// describedEntries lists the entries that a body describes: those printed in it, except for blocks
// that describe themselves.
func (p *provenance) describedEntries(c *merge.MergedBody, b *source.Block) []*merge.MergedItem {
	list := p.outrankedIn(c, b)
	for _, e := range c.ReportedIn(b) {
		switch {
		case !e.IsOverridden() || e.Rule.Do == rules.Flatten:
		case e.Inner() != nil && e.InEffect():
		default:
			list = append(list, e)
			if e.Inner() != nil {
				list = append(list, p.lost(e.Inner())...)
			}
		}
	}
	return list
}

// outrankedIn lists the defaults that no override addressed and that something outranks.
func (p *provenance) outrankedIn(c *merge.MergedBody, b *source.Block) (list []*merge.MergedItem) {
	for _, it := range b.Items() {
		if a, ok := it.(*source.Attr); ok && p.outranked[a] != nil && c.IsUntouched(a) {
			e := c.Owner(a)
			p.addresses[e] = address.OfBlock(p.merged, b).Join(address.New(a.Name))
			list = append(list, e)
		}
	}
	return list
}

// lost lists the items of a block that are not printed.
func (p *provenance) lost(c *merge.MergedBody) []*merge.MergedItem {
	var list []*merge.MergedItem
	for _, e := range c.Items {
		if e.Rule.Do != rules.Flatten {
			list = append(list, e)
		}
		if e.Inner() != nil {
			list = append(list, p.lost(e.Inner())...)
		}
	}
	return list
}

func (p *provenance) record(entries []*merge.MergedItem) jsontree.Raw {
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b *merge.MergedItem) int { return p.order[a] - p.order[b] })
	rec := provenanceRecord{FormatVersion: FormatVersion, Engine: p.merged.Source.Engine.String()}
	for _, e := range entries {
		own := p.addresses[e]
		history := History(p.redact, address.Target{Address: own, Of: own, Item: e})
		history.OutrankedBy = outrankedBy(p.outranked, e.Attr())
		rec.Histories = append(rec.Histories, history)
	}
	text, err := safetext.JSON(rec, "")
	if err != nil {
		panic("report: invalid JSON: " + err.Error())
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}
