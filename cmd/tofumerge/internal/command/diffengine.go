package command

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// Comparison of a module's meaning to two engines.

// compareEngines compares two readings of one module.
func (o *diffOptions) compareEngines(args []string) error {
	other, err := engine.Parse(o.otherEngine)
	if err != nil {
		return fmt.Errorf("--against-engine: %w", err)
	}
	dir := o.ws.Dir(args)
	engine, err := o.ws.Engine(dir)
	if err != nil {
		return err
	}
	mine, others, err := o.ws.Readings(dir, engine.Release, other)
	if err != nil {
		return err
	}
	o.ws.WarnOfIdleExclusions()
	if err := o.bothRefuse(mine, others); err != nil {
		return err
	}
	idle := slices.DeleteFunc(slices.Clone(mine.Diags), func(d *hcl.Diagnostic) bool { return diag.CodeOf(d) != diag.NoEffect })
	o.ws.WarnOfIdleIn(mine.Module.Source, idle, args)
	return o.writeReadings(mine, others)
}

// bothRefuse reports why neither engine accepts a module: there is nothing to compare. Messages of
// both are printed once.
func (o *diffOptions) bothRefuse(a, b compare.Reading) error {
	mine, others := a.Refusals(), b.Refusals()
	if len(mine) == 0 || len(others) == 0 {
		return nil
	}
	others = without(others, mine)
	o.reportBoth(a, b, [2]hcl.Diagnostics{mine, others})
	return fmt.Errorf("both %s and %s refuse the module", a.Engine(), b.Engine())
}

// reportBoth prints the diagnostics of two readings.
func (o *diffOptions) reportBoth(a, b compare.Reading, diags [2]hcl.Diagnostics) {
	_ = o.ws.Report(a.Module.Source, diags[0]) // the caller knows about errors
	if len(diags[0]) > 0 && len(diags[1]) > 0 && !terminal.IsTerminal(o.ws.Err) {
		fmt.Fprintln(o.ws.Err)
	}
	_ = o.ws.Report(b.Module.Source, diags[1])
}

func (o *diffOptions) writeReadings(a, b compare.Reading) error {
	var differences []compare.Difference
	texts := [2][]byte{refusedText(a), refusedText(b)}
	if len(a.Refusals())+len(b.Refusals()) == 0 {
		differences = compare.Differences(a, b)
	}
	if len(differences) > 0 {
		var doubts [2]hcl.Diagnostics
		for i, r := range []compare.Reading{a, b} {
			texts[i], doubts[i] = readingText(r, i, differences)
		}
		mine, others := diag.Refusals(doubts[0]), diag.Errors(doubts[1]) // those that native syntax can't express
		if err := errors.Join(o.ws.Report(a.Module.Source, mine), o.ws.Report(b.Module.Source, without(others, mine))); err != nil {
			return err
		}
	}
	diff := patch.Compare([2]string{a.Engine().String(), b.Engine().String()}, texts[0], texts[1])
	warnings := o.warnOfDifferences(a, b, differences)
	return o.printOne(diff, func() *report.Report {
		doc := report.New(a.Module.Source.Engine)
		doc.AgainstEngine = b.Engine().String()
		for _, r := range []compare.Reading{a, b} {
			if len(r.Refusals()) > 0 {
				doc.RefusedBy = append(doc.RefusedBy, r.Engine().String())
			}
		}
		o.ws.Record(doc, a.Module, address.Address{}, append(warnings[0], a.Refusals()...))
		o.ws.Record(doc, b.Module, address.Address{}, append(warnings[1], b.Refusals()...))
		doc.Differences = []report.DifferenceRecord{}
		for _, difference := range differences {
			doc.Differences = append(doc.Differences, report.DifferenceOf(difference))
		}
		return doc
	})
}

// warnOfDifferences warns of each difference, and returns the warnings by the reading that contains
// their ranges.
func (o *diffOptions) warnOfDifferences(a, b compare.Reading, differences []compare.Difference) [2]hcl.Diagnostics {
	var warnings [2]hcl.Diagnostics
	for _, difference := range differences {
		warning, side := phrases.EngineWarning(difference)
		warnings[side] = append(warnings[side], warning)
	}
	a.Module.Source.Places(warnings[0])
	b.Module.Source.Places(warnings[1])
	o.reportBoth(a, b, warnings)
	return warnings
}

// without returns the diagnostics that are not among others, which may be as many.
func without(diags, others hcl.Diagnostics) hcl.Diagnostics {
	type words struct {
		summary, detail string
		at              hcl.Range
	}
	wordsOf := func(d *hcl.Diagnostic) words {
		w := words{summary: d.Summary, detail: d.Detail}
		if d.Subject != nil {
			w.at = *d.Subject
		}
		return w
	}
	known := map[words]hcl.Diagnostics{}
	for _, d := range others {
		known[wordsOf(d)] = append(known[wordsOf(d)], d)
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		return slices.ContainsFunc(known[wordsOf(d)], func(o *hcl.Diagnostic) bool { return reflect.DeepEqual(o, d) })
	})
}

// refusedText lists why an engine refuses a module, a line each; nothing if it doesn't.
func refusedText(r compare.Reading) []byte {
	var out bytes.Buffer
	for _, d := range r.Refusals() {
		detail := safetext.Printable(strings.ReplaceAll(d.Detail, "\n", " "))
		fmt.Fprintf(&out, "refused: %s%s: %s\n", wherePrefix(d.Subject), d.Summary, detail)
	}
	return out.Bytes()
}

// wherePrefix is the location of a diagnostic before its message; a whole file has no line, and a
// directory no name.
func wherePrefix(at *hcl.Range) string {
	switch {
	case at == nil:
		return ""
	case at.Start.Line == 0:
		return diag.Escape(at.Filename) + ": "
	}
	return fmt.Sprintf("%s:%d: ", diag.Escape(at.Filename), at.Start.Line)
}

// readingText is the effective configuration as an engine reads it, its blocks by kind and address,
// below notes on items that do not mean the same to both. Diagnostics are about its wording.
func readingText(r compare.Reading, side int, differences []compare.Difference) ([]byte, hcl.Diagnostics) {
	var out bytes.Buffer
	for _, difference := range differences {
		for _, note := range phrases.EngineNotes(difference, side) {
			fmt.Fprintf(&out, "# %s: %s\n", difference.Address.String(), note)
		}
	}
	text, diags := native.NewSorted(r.Module)
	_ = text.Write(&out) // a buffer takes all
	return out.Bytes(), diags
}
