package report

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"pgregory.net/rapid"
)

// secretValue is a text that only messages contain; no drawn name can contain it.
const secretValue = "hunter2-hunter2"

// Every format is well-formed whatever names and texts contain, its reader finds all findings at
// their locations, and no hidden value appears.
func TestFindingsFormats(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkReaders(&quiet{TB: t, rt: rt}, drawReport(rt), secretValue) })
}

// A quiet reports failures to rapid, which makes the report smaller, and is a
// testing.TB for the rest.
type quiet struct {
	testing.TB
	rt *rapid.T
}

func (q *quiet) Helper()                           {}
func (q *quiet) Errorf(format string, args ...any) { q.rt.Errorf(format, args...) }
func (q *quiet) Fatalf(format string, args ...any) { q.rt.Fatalf(format, args...) }
func (q *quiet) Fatal(args ...any)                 { q.rt.Fatal(args...) }

// oddText draws text with what formats trip over.
func oddText() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{"a", "b.tf", "/", " ", "%", "%0A", "%25", ":", "::", ",", "=", "&", "&amp;", "<", ">", "]]>", `"`, "'", `\`, `\n`, "\t", "\n", "\r", "\r\n",
		"\x00", "\x1b[31m", "\x7f", "\u0085", "\u2028", "\u202e", "\ufeff", "\ufffe", "\uffff", "\xff", "ä", "e\u0301", "😀", "#", "?", "*", "[", "{", ".", "..", ";", "7"})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(pieces, rapid.String()), 0, 6).Draw(t, "pieces"), "")
	})
}

func drawReport(t *rapid.T) *Report {
	var r Report
	dirs := rapid.SliceOfNDistinct(oddText(), 1, 3, rapid.ID[string]).Draw(t, "directories")
	for _, dir := range dirs[:rapid.IntRange(0, len(dirs)).Draw(t, "modules")] {
		r.Modules = append(r.Modules, ModuleRecord{Directory: dir, Files: 1})
	}
	for range rapid.IntRange(0, 5).Draw(t, "findings") {
		r.Findings = append(r.Findings, drawFinding(t, dirs))
	}
	return &r
}

func drawFinding(t *rapid.T, dirs []string) FindingRecord {
	text := oddText()
	rule := rapid.SampledFrom(check.Rules).Draw(t, "rule")
	f := FindingRecord{
		Rule: rule.ID, Severity: rule.Severity.String(), URL: RuleURL(rule.ID),
		Module: rapid.SampledFrom(dirs).Draw(t, "module"), Path: "x" + text.Draw(t, "path"), Range: drawRange(t),
		Summary: text.Draw(t, "summary"), Address: text.Draw(t, "address"),
		Message: text.Draw(t, "message") + secretValue + text.Draw(t, "message"),
		fails:   rapid.Bool().Draw(t, "fails"),
	}
	if rapid.Bool().Draw(t, "absolute") {
		f.Path = "/" + f.Path
	}
	for range rapid.IntRange(0, 1).Draw(t, "related") {
		related := relatedRecord{text.Draw(t, "note"), drawRange(t)}
		related.Range.Filename = "x" + text.Draw(t, "file")
		f.Related = append(f.Related, related)
	}
	return f
}

// drawRange draws a range, or the range of a whole file.
func drawRange(t *rapid.T) RangeRecord {
	line := rapid.IntRange(0, 3).Draw(t, "line")
	if line == 0 {
		return RangeRecord{}
	}
	start := PosRecord{Line: line, Column: rapid.IntRange(1, 9).Draw(t, "column")}
	end := PosRecord{Line: line + rapid.IntRange(0, 2).Draw(t, "lines"), Column: start.Column + rapid.IntRange(0, 9).Draw(t, "columns")}
	return RangeRecord{Start: start, End: end}
}
