package gate

import (
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// Fixes in reports for programs that offer them one by one.

// suggests reports whether the report contains fixes, or marks findings as fixable for people.
func (g *Gate) suggests() bool {
	return g.writes("sarif") || g.marksFixable()
}

// marksFixable reports whether the report marks findings as fixable, whose fixes may write values of the configuration. Those in SARIF never do.
func (g *Gate) marksFixable() bool {
	return g.Format == "text" && !g.Fixing.IsOn && terminal.IsTerminal(g.ws.Out)
}

// writes reports whether the report is written in a format.
func (g *Gate) writes(format string) bool {
	return g.Format == format || slices.Contains(g.Also, format)
}

// suggest adds fixes to the records of a module's findings.
func (g *Gate) suggest(in *Inspection, records []report.FindingRecord) {
	listed := check.Bounded(in.Found) // the subjects of the records
	if slices.ContainsFunc(listed, func(f check.Finding) bool { return f.IsRefusal() }) {
		return
	}
	fixer := fix.New(in.Module, in.Found)
	at := map[*fix.Fix]int{}
	var removals, repeats, marks []*fix.Fix
	for i, f := range listed {
		if fix.IsRepeated(f.Rule) && !g.marksFixable() {
			continue // its fix writes values
		}
		made, _ := fixer.Of(f)
		switch {
		case made == nil:
			continue
		case made.Marks():
			marks = append(marks, made)
		case !made.Repeats():
			removals = append(removals, made)
		case !made.IsSecret:
			repeats = append(repeats, made)
		}
		at[made] = i
	}
	for _, list := range [][]*fix.Fix{removals, repeats, marks} {
		t := &trial{fixProof: &fixProof{Gate: g, in: in}, in: in, fixer: fixer, most: maxMergesToOffer}
		for _, made := range t.alone(list) {
			records[at[made]].Fix = fixRecord(in, fixer, made)
		}
	}
}

// alone lists the fixes that each leave the module's meaning unchanged without the others. Fixes
// that do so together also do so alone, unless several are about one name.
func (t *trial) alone(list []*fix.Fix) []*fix.Fix {
	t.take(list)
	counts := map[address.Address]int{}
	for _, made := range t.taken {
		counts[made.Finding.Address.Kind()]++
	}
	return slices.DeleteFunc(t.taken, func(made *fix.Fix) bool {
		return counts[made.Finding.Address.Kind()] > 1 && (t.merges >= t.mergeBudget(t.most) || !t.holds([]*fix.Fix{made}))
	})
}

// fixRecord is a fix for a report.
func fixRecord(in *Inspection, fixer *fix.Fixer, made *fix.Fix) *report.FixRecord {
	rec := &report.FixRecord{Text: "Remove it.", Quotes: made.Repeats()}
	switch {
	case made.Repeats():
		rec.Text = "Repeat what it drops."
	case made.Marks():
		rec.Text = "Update the comment."
	}
	edits := fixer.Edits([]*fix.Fix{made})
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		text := in.Module.Source.File(name).Raw
		at := path.Join(filepath.ToSlash(in.Subject.Dir), name)
		rec.Edits = append(rec.Edits, report.FixEdits(at, text, slices.DeleteFunc(edits[name], func(e textedit.Edit) bool {
			return e.Start == e.End && e.Text == ""
		}))...)
	}
	return rec
}
