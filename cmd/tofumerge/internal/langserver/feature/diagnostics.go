package feature

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Diagnostics returns the findings in a module by file name; findings about the directory itself
// have an empty name. Each file that was read has a list, which may be empty. Of many findings of
// one kind it lists the first, and the number of the rest.
//
// Notices become information, since clients don't list hints. Syntax errors are included, although
// the ordinary language server also reports them: until they are fixed, nothing else is known about
// the file.
func Diagnostics(v *view.View) map[string][]protocol.Diagnostic {
	byName := map[string][]protocol.Diagnostic{}
	if v.Merged != nil {
		for _, f := range v.Merged.Source.Files {
			byName[f.Name] = []protocol.Diagnostic{}
		}
	}
	for _, f := range check.Terse(check.Bounded(v.Findings)) {
		byName[f.Range.Filename] = append(byName[f.Range.Filename], diagnosticOf(v, &f))
	}
	if !v.Detail.HidesFades {
		for name, list := range byName {
			byName[name] = append(list, fades(v, name, list)...)
		}
	}
	return byName
}

var severities = map[check.Severity]protocol.DiagnosticSeverity{
	check.Error:   protocol.SeverityError,
	check.Warning: protocol.SeverityWarning,
	check.Notice:  protocol.SeverityInformation,
}

// diagnosticOf converts a finding. Configuration without effect is tagged as unnecessary, so that editors fade
// it out: the whole argument then, not only its name.
func diagnosticOf(v *view.View, f *check.Finding) protocol.Diagnostic {
	d := protocol.Diagnostic{
		Range:           oneLine(v, f.Range),
		Severity:        severities[f.Severity],
		Code:            f.Rule.ID,
		CodeDescription: &protocol.CodeDescription{Href: report.RuleURL(f.Rule.ID)},
		Source:          "tofumerge",
		Message:         shown(f.Qualified(f.Message)),
	}
	if f.More == 0 && f.Severity != check.Error && slices.Contains(unnecessaryRules, f.Rule.ID) {
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

// unnecessaryRules are the rules that find configuration, or comments, without effect.
var unnecessaryRules = []string{"no-effect", "superseded-override", "inert-required-version", "unused-ignore"}

// wholeArgument extends the range of an argument's name, at which findings about the argument are, to the whole
// argument. It returns other ranges unchanged.
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

// baseOf returns, for a finding about an override, the location of the declaration in a primary file; nil if there is
// none, or if the finding has the location already.
func baseOf(f *check.Finding) *diag.Related {
	if f.Item == nil {
		return nil
	}
	for _, s := range f.Item.Steps {
		if s.Item == nil || source.IsOverride(s.Item) {
			continue
		}
		// This is the first declaration. The finding may have it already.
		at := source.Where(s.Item)
		if at == f.Range || f.Related != nil && at == f.Related.Range {
			return nil
		}
		return &diag.Related{Note: "declared here", Range: at}
	}
	return nil
}

// relatedTo converts a related location of a finding.
func relatedTo(v *view.View, r diag.Related) protocol.DiagnosticRelatedInformation {
	return protocol.DiagnosticRelatedInformation{
		Location: protocol.Location{URI: v.URI(r.Range.Filename), Range: oneLine(v, r.Range)},
		Message:  shown(r.Note),
	}
}

// shown cuts and escapes a text of a finding.
func shown(text string) string { return safetext.OneLine(report.CutText(text)) }

// oneLine returns the part of a range that is on its first line, since editors would underline a whole
// block. A finding about a whole file gets the file's first line.
func oneLine(v *view.View, r hcl.Range) protocol.Range {
	text := v.Text(r.Filename)
	if text == nil {
		return rangeOfUnread(r)
	}
	src := text.Bytes()
	from := min(r.Start.Byte, len(src))
	end := lineEnd(src, from)
	to := end // of a whole file, all of its first line
	if r.Start.Line > 0 {
		to = max(from, min(end, r.End.Byte))
	}
	if from == to {
		from, to = widened(src, from, end)
	}
	return text.Range(from, to, v.Encoding)
}

// widened returns a range of one character for the empty range at an offset, so that there is something to
// underline: the next character or, at the end of the line, the one before. In an empty line the range stays
// empty. end is the end of the line.
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

// rangeOfUnread converts a range of a file whose text is not known. It takes columns for code units, which is right
// for ASCII. A range that ends on another line becomes an empty one at its start.
func rangeOfUnread(r hcl.Range) protocol.Range {
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

// maxFades is how many diagnostics that only fade out a file has at most.
const maxFades = 500

// fades returns diagnostics whose only purpose is that editors fade out what isn't in effect, and strike through
// what is dropped. Editors list them with hints, if at all. It skips an item that a diagnostic in fromFindings fades
// out already.
func fades(v *view.View, name string, fromFindings []protocol.Diagnostic) (list []protocol.Diagnostic) {
	x := indexOf(v)
	if x == nil || v.Text(name) == nil || v.Merged.Source.File(name) == nil {
		return nil
	}
	isFaded := map[protocol.Position]bool{} // where a finding fades out something
	for _, d := range fromFindings {
		if len(d.Tags) > 0 {
			isFaded[d.Range.Start] = true
		}
	}
	// Fade each item that isn't in effect. The message says by which item it was replaced or removed.
	known := outcomesOf(v)
	for _, it := range x.itemsOf(name) {
		o := known.of[it]
		if o.merged == nil || !isGone(o) {
			continue
		}
		message := o.Words()
		by := o.By
		if a := o.merged.Attr(); a != nil && o.Status == effect.StatusReplaced && o.merged.InEffect() {
			by = a // o.By may have been replaced, too, and people want to see what is in effect
		}
		if by != nil {
			message += " by " + wording.Place(by)
		}
		for i, at := range fadedRanges(v, name, it) {
			if i == 0 && isFaded[at.Start] {
				break // the finding fades the whole item
			}
			list = append(list, faded(at, message, protocol.TagUnnecessary))
		}
	}
	// Strike through what is dropped inside items.
	for _, c := range shownChangesOf(v).inner[name] {
		if c.Kind() == changes.Dropped {
			at := oneLine(v, c.Before.Whole())
			list = append(list, faded(at, "dropped by "+diag.Place(c.By()), protocol.TagUnnecessary, protocol.TagDeprecated))
		}
	}
	return list[:min(len(list), maxFades)]
}

// maxFadedLines is how many lines of an item are faded out one by one.
const maxFadedLines = 60

// fadedRanges returns the ranges to fade out for an item: one for all of it or, with FadesLines, one for the text of
// each line. Some editors would otherwise also fade the inlay hints that they show behind the lines. A long item
// stays one range.
func fadedRanges(v *view.View, name string, it source.Item) (list []protocol.Range) {
	text := v.Text(name)
	from, to := source.Spread(it)
	whole := []protocol.Range{text.Range(from, to, v.Encoding)}
	if !v.Detail.FadesLines || bytes.Count(text.Bytes()[from:to], []byte("\n")) >= maxFadedLines {
		return whole
	}
	// from is the offset of the line.
	for line := range bytes.Lines(text.Bytes()[from:to]) {
		if content := bytes.TrimSpace(line); len(content) > 0 {
			start := from + bytes.Index(line, content)
			list = append(list, text.Range(start, start+len(content), v.Encoding))
		}
		from += len(line)
	}
	return list
}

// isGone reports whether an item was outranked, removed or replaced. An argument replaced by an equal one isn't gone.
func isGone(o outcome) bool {
	switch o.Status {
	case effect.StatusHidden, effect.StatusCleared:
		return true
	case effect.StatusReplaced:
		a := o.merged.Attr()
		return a == nil || o.merged.Computed() != nil || !equal.Items(o.Item, a)
	}
	return false
}

// faded returns a hint with tags, which make editors fade out or strike through a range.
func faded(at protocol.Range, message string, tags ...protocol.DiagnosticTag) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: at, Severity: protocol.SeverityHint, Source: "tofumerge", Message: safetext.OneLine(strings.ToUpper(message[:1]) + message[1:]), Tags: tags,
	}
}
