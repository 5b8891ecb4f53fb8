package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// What a module means to one engine, against what it means to another one.

// runAgainstEngine compares two readings of one module.
func (d *diffCommand) runAgainstEngine(args []string) error {
	other, err := load.ParseEngine(d.otherEngine)
	if err != nil {
		return fmt.Errorf("--against-engine: %w", err)
	}
	dir := d.moduleDir(args)
	engine, err := d.engineFor(dir)
	if err != nil {
		return err
	}
	mine, mineErr := d.reading(dir, engine.Engine)
	others, err := d.reading(dir, other)
	var none *load.NoFilesError
	switch {
	case mineErr != nil && (err != nil || !errors.As(mineErr, &none)):
		return mineErr
	case mineErr != nil:
		mine = render.NoFiles(engine.Engine, mineErr)
	case errors.As(err, &none):
		others = render.NoFiles(other, err)
	case err != nil:
		return err
	}
	d.warnOfIdleExclusions(mine.Module.Source)
	if err := d.bothRefuse(mine, others); err != nil {
		return err
	}
	return d.writeReadings(mine, others)
}

// reading loads and merges the module of a directory as one engine does.
func (a *app) reading(dir string, e load.Engine) (render.Reading, error) {
	opts, err := a.loadOptions()
	if err != nil {
		return render.Reading{}, err
	}
	opts.Engine, opts.Trees = e, load.AllTrees
	src, diags, err := load.Dir(dir, opts)
	if err != nil {
		return render.Reading{}, err
	}
	mod, more := merge.Files(src, merge.Options{})
	return render.Reading{Module: mod, Diags: append(diags, more...)}, nil
}

// bothRefuse reports what is wrong with a module that neither engine takes: there
// is nothing to compare.
func (d *diffCommand) bothRefuse(a, b render.Reading) error {
	if len(a.Refusals()) == 0 || len(b.Refusals()) == 0 {
		return nil
	}
	if err := d.report(a.Module.Source, a.Diags); err != nil {
		return err
	}
	if err := d.report(b.Module.Source, b.Diags); err != nil {
		return err
	}
	return fmt.Errorf("neither %s nor %s takes the module", a.Engine(), b.Engine())
}

func (d *diffCommand) writeReadings(a, b render.Reading) error {
	var differences []render.Difference
	texts := [2][]byte{refusedText(a), refusedText(b)}
	if len(a.Refusals())+len(b.Refusals()) == 0 {
		differences = render.Differences(a, b)
	}
	if len(differences) > 0 {
		for i, r := range []render.Reading{a, b} {
			text, err := readingText(r, i, differences)
			if err != nil {
				return err
			}
			texts[i] = text
		}
	}
	diff := render.Compare([2]string{a.Engine().String(), b.Engine().String()}, texts[0], texts[1])
	told := d.tell(a, b, differences)
	return d.write([]*render.FileDiff{diff}, func() *render.Report {
		report := render.NewReport(a.Module.Source, nil)
		report.AgainstEngine = b.Engine().String()
		for _, r := range []render.Reading{a, b} {
			if len(r.Refusals()) > 0 {
				report.RefusedBy = append(report.RefusedBy, r.Engine().String())
			}
		}
		report.Add(a.Module.Source, append(told[0], a.Refusals()...))
		report.Add(b.Module.Source, append(told[1], b.Refusals()...))
		report.Differences = []render.DifferenceRecord{}
		for _, difference := range differences {
			report.Differences = append(report.Differences, difference.Record())
		}
		return report
	})
}

// tell warns of each difference, and returns the warnings by the reading that they
// have their places in.
func (d *diffCommand) tell(a, b render.Reading, differences []render.Difference) [2]hcl.Diagnostics {
	var told [2]hcl.Diagnostics
	for _, difference := range differences {
		warning, side := difference.Diagnostic()
		told[side] = append(told[side], warning)
	}
	for i, r := range []render.Reading{a, b} {
		r.Module.Source.Places(told[i])
		_ = d.report(r.Module.Source, told[i]) // they are no errors
	}
	return told
}

// refusedText says for which reasons an engine refuses a module, a line each;
// nothing where it takes it.
func refusedText(r render.Reading) []byte {
	var out bytes.Buffer
	for _, d := range r.Refusals() {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf("%s:%d: ", load.Escape(d.Subject.Filename), d.Subject.Start.Line)
		}
		fmt.Fprintf(&out, "refused: %s%s: %s\n", at, d.Summary, strings.ReplaceAll(d.Detail, "\n", " "))
	}
	return out.Bytes()
}

// readingText is the effective configuration to an engine, its blocks by kind and
// address, below what the engine takes for granted in a way that the other one does
// not.
func readingText(r render.Reading, side int, differences []render.Difference) ([]byte, error) {
	var out bytes.Buffer
	for _, difference := range differences {
		if assumed := difference.Sides[side].Assumed; assumed != "" {
			fmt.Fprintf(&out, "# %s: taken to have %s\n", load.Escape(difference.Address), assumed)
		}
	}
	err := render.Native(&out, r.Module, render.Options{Sort: true, ByText: true})
	return out.Bytes(), err
}
