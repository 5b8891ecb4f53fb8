package feature

import (
	"bytes"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// maxFades is how many diagnostics that only fade out a file has at most.
const maxFades = 500

// fades are diagnostics that only fade out replaced items, and strike through dropped ones. Editors
// list them with hints, if at all.
func fades(v *view.View, name string, listed []protocol.Diagnostic) (list []protocol.Diagnostic) {
	x := indexOf(v)
	if x == nil || v.Text(name) == nil || v.Merged.Source.File(name) == nil {
		return nil
	}
	isFaded := map[protocol.Position]bool{} // by findings
	for _, d := range listed {
		if len(d.Tags) > 0 {
			isFaded[d.Range.Start] = true
		}
	}
	known := outcomesOf(v)
	for _, it := range x.in(name) {
		o := known.of[it]
		if o.merged == nil || !isGone(o) {
			continue
		}
		message := o.Words()
		by := o.By
		if a := o.merged.Attr(); a != nil && o.Status == effect.StatusReplaced && o.merged.InEffect() {
			by = a
		}
		if by != nil {
			message += " by " + wording.Place(by)
		}
		for i, at := range fadedRanges(v, name, it) {
			if i == 0 && isFaded[at.Start] {
				break
			}
			list = append(list, faded(at, message, protocol.TagUnnecessary))
		}
	}
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

// fadedRanges are the ranges of an item to fade out. An editor that also fades out the hints inside of
// a range gets a range for each line, at whose end the hint is.
func fadedRanges(v *view.View, name string, it source.Item) (list []protocol.Range) {
	text := v.Text(name)
	from, to := source.Spread(it)
	whole := []protocol.Range{text.Range(from, to, v.Encoding)}
	if !v.Detail.FadesLines || bytes.Count(text.Bytes()[from:to], []byte("\n")) >= maxFadedLines {
		return whole
	}
	for line := range bytes.Lines(text.Bytes()[from:to]) {
		content := bytes.TrimSpace(line)
		if len(content) > 0 {
			start := from + bytes.Index(line, content)
			list = append(list, text.Range(start, start+len(content), v.Encoding))
		}
		from += len(line)
	}
	return list
}

// isGone reports whether the effective value differs from an item's.
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

func faded(at protocol.Range, message string, tags ...protocol.DiagnosticTag) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: at, Severity: protocol.SeverityHint, Source: "tofumerge", Message: safetext.OneLine(strings.ToUpper(message[:1]) + message[1:]), Tags: tags,
	}
}
