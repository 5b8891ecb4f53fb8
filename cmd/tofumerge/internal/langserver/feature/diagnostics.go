package feature

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/excerpt"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Diagnostics are the findings in the files of a module, by their names; the name of the
// directory itself is empty. There is a list for each file that was read, which may be empty.
// Of many findings alike some are listed, and how many more there are.
//
// A notice is information, since clients don't list hints. Errors of the syntax are among
// them: the usual language server has them as well, but until they are fixed nothing else is
// known of the file.
func Diagnostics(v *view.View) map[string][]protocol.Diagnostic {
	byName := map[string][]protocol.Diagnostic{}
	if v.Merged != nil {
		for _, f := range v.Merged.Source.Files {
			byName[f.Name] = []protocol.Diagnostic{}
		}
	}
	for _, f := range check.Bounded(v.Findings) {
		byName[f.Range.Filename] = append(byName[f.Range.Filename], diagnosticOf(v, &f))
	}
	return byName
}

var severities = map[check.Severity]protocol.DiagnosticSeverity{
	check.Error:   protocol.SeverityError,
	check.Warning: protocol.SeverityWarning,
	check.Notice:  protocol.SeverityInformation,
}

func diagnosticOf(v *view.View, f *check.Finding) protocol.Diagnostic {
	d := protocol.Diagnostic{
		Range:           oneLine(v, f.Range),
		Severity:        severities[f.Severity],
		Code:            f.Rule.ID,
		CodeDescription: &protocol.CodeDescription{Href: report.RuleURL(f.Rule.ID)},
		Source:          "tofumerge",
		Message:         shown(f.Message),
	}
	if isIdle(f) {
		d.Tags = []protocol.DiagnosticTag{protocol.TagUnnecessary}
		d.Range = oneLine(v, wholeArgument(v, f.Range))
	}
	if f.Related != nil {
		d.RelatedInformation = append(d.RelatedInformation, relatedTo(v, *f.Related))
	}
	if base := baseOf(f); base != nil {
		d.RelatedInformation = append(d.RelatedInformation, relatedTo(v, *base))
	}
	return d
}

// idleRules find what does nothing.
var idleRules = []string{"no-effect", "superseded-override", "inert-required-version"}

// isIdle reports whether what a finding is about does nothing, so that it may be faded out.
func isIdle(f *check.Finding) bool {
	return f.More == 0 && f.Severity != check.Error && slices.Contains(idleRules, f.Rule.ID)
}

// wholeArgument is the stretch of an argument the name of which is a range; what is no name of
// an argument stays as it is.
func wholeArgument(v *view.View, r hcl.Range) hcl.Range {
	if v.Merged == nil || r.Start.Line == 0 {
		return r
	}
	f := v.Merged.Source.File(r.Filename)
	if f == nil {
		return r
	}
	a, ok := f.ItemAt(r.Start.Byte).(*source.Attr)
	if !ok || source.Where(a) != r {
		return r
	}
	return wholeOf(a)
}

// baseOf is where a primary file has what a finding about an override is about; nil where the
// finding says so itself.
func baseOf(f *check.Finding) *diag.Related {
	if f.Item == nil {
		return nil
	}
	for _, s := range f.Item.Steps {
		if s.Item == nil || source.IsOverride(s.Item) {
			continue
		}
		at := source.Where(s.Item)
		if at == f.Range || f.Related != nil && at == f.Related.Range {
			return nil
		}
		return &diag.Related{Note: "declared here", Range: at}
	}
	return nil
}

func relatedTo(v *view.View, r diag.Related) protocol.DiagnosticRelatedInformation {
	return protocol.DiagnosticRelatedInformation{
		Location: protocol.Location{URI: v.URI(r.Range.Filename), Range: oneLine(v, r.Range)},
		Message:  shown(r.Note),
	}
}

// shown is a text of a finding as it is shown.
func shown(text string) string { return safetext.OneLine(excerpt.Cut(text)) }

// oneLine is a range as far as it is on its first line: all of a block is a long stretch to
// underline. For a file as a whole it is the first line.
func oneLine(v *view.View, r hcl.Range) protocol.Range {
	text := v.Text(r.Filename)
	if text == nil {
		return unread(r)
	}
	src := text.Bytes()
	from := min(r.Start.Byte, len(src))
	end := len(src)
	if n := bytes.IndexAny(src[from:], "\r\n"); n >= 0 {
		end = from + n
	}
	to := end
	if r.Start.Line > 0 {
		to = max(from, min(end, r.End.Byte))
	}
	if from == to {
		from, to = widened(src, from, end)
	}
	return text.Range(from, to, v.Encoding)
}

// widened is a stretch of one character at a place of a line that ends there or later. There
// would be nothing to underline else.
func widened(src []byte, at, end int) (from, to int) {
	if at < end {
		_, size := utf8.DecodeRune(src[at:end])
		return at, at + size
	}
	before, size := utf8.DecodeLastRune(src[:at])
	if before == '\n' || before == '\r' {
		size = 0
	}
	return at - size, at
}

// unread is a range of a file whose text is not at hand.
func unread(r hcl.Range) protocol.Range {
	if r.Start.Line == 0 {
		return protocol.Range{}
	}
	at := func(p hcl.Pos) protocol.Position {
		return protocol.Position{Line: uint32(max(1, p.Line) - 1), Character: uint32(max(1, p.Column) - 1)}
	}
	start, end := at(r.Start), at(r.End)
	if end.Line != start.Line || end.Character < start.Character {
		end = start
	}
	return protocol.Range{Start: start, End: end}
}
