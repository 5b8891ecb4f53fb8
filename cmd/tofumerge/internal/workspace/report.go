package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Reports of a run about problems of modules, and about the effects of their overrides.

// ErrFound ends a run with findings.
var ErrFound = errors.New("there are findings")

// ErrReported ends a run whose errors have been printed.
var ErrReported = errors.New("errors were reported")

// A StatusError ends a run with the status of a program that it ran.
type StatusError struct{ Status int }

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the program ended with status %d", e.Status)
}

// Report prints diagnostics, errors before warnings, except for warnings that --quiet or a comment
// silences. The error is ErrReported if there are errors among them.
func (w *Workspace) Report(m *load.Module, diags hcl.Diagnostics) error {
	return w.ReportAll(m, w.shown(m, diags))
}

// shown returns the diagnostics that nothing silences. Those that comments silence are totalled.
func (w *Workspace) shown(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	shown, ignored := w.Unsilenced(m, diags)
	w.CountIgnored(ignored)
	return shown
}

// Unsilenced returns diagnostics without unwanted warnings, and those among the unwanted that
// comments silence.
func (w *Workspace) Unsilenced(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, ignored []check.Suppression) {
	if w.Quiet {
		return diag.Errors(diags), nil
	}
	return w.unignored(m, diags)
}

// unignored are diagnostics without the warnings that comments silence, unless the user wants
// these.
func (w *Workspace) unignored(m *load.Module, diags hcl.Diagnostics) (shown hcl.Diagnostics, ignored []check.Suppression) {
	if w.NoIgnore {
		return diags, nil
	}
	return check.Unignored(m, diags)
}

// Record adds diagnostics to a report, marking those that comments silence, and returns the number
// of these. own is the address of a module in a tree.
func (w *Workspace) Record(doc *report.Report, m *merge.Module, own address.Address, diags hcl.Diagnostics) (ignored int) {
	shown, silenced := w.unignored(m.Source, diags)
	check.Addressed(m, own, silenced)
	doc.Add(m.Source, shown)
	doc.Suppress(m.Source, silenced)
	return len(silenced)
}

// CountIgnored adds to the totals of silenced findings, for NoteIgnored.
func (w *Workspace) CountIgnored(ignored []check.Suppression) {
	for i := range ignored {
		if w.ignored == nil {
			w.ignored = map[string]int{}
		}
		w.ignored[ignored[i].Rule.ID]++
	}
}

// NoteIgnored ends a run with a line about the number of silenced findings.
func (w *Workspace) NoteIgnored() {
	if text := report.IgnoredText(0, w.ignored); text != "" {
		w.Note("Note: " + text + "; to see what, use --no-ignore")
	}
}

// ReportAll prints diagnostics as Report does, including silenced ones.
func (w *Workspace) ReportAll(m *load.Module, diags hcl.Diagnostics) error {
	warnings := slices.DeleteFunc(slices.Clone(diags), diag.IsError)
	var text bytes.Buffer
	term.Diagnostics(&text, append(diag.Errors(diags), warnings...), m, w.Screen(w.Err))
	if text.Len() > 0 {
		w.Block(text.Bytes())
	}
	if diags.HasErrors() {
		return ErrReported
	}
	return nil
}

// Summarize prints in one line which engine a module was read for, the reason, and how much the
// overrides change. Under -v the reason was printed before. The line names the module by its
// prefix, if it is one of several.
func (w *Workspace) Summarize(prefix string, mod *merge.Module, left bool, diags hcl.Diagnostics) {
	if !w.Summarizes() {
		return
	}
	name := mod.Source.Engine.String()
	if choice, err := w.Engine(mod.Source.Dir); err == nil && !w.Verbose && choice.Release.String() == name {
		name = choice.Brief()
	}
	if prefix = strings.TrimSuffix(prefix, "/"); prefix != "" {
		prefix = diag.Escape(prefix) + ": "
	}
	w.Tell(fmt.Sprintf("%s%s: %s", prefix, name, summary(mod, left, diags)))
}

// summary words how much the overrides of a module change.
func summary(mod *merge.Module, left bool, diags hcl.Diagnostics) string {
	files := 0
	for _, f := range mod.Source.Files {
		if f.Role == source.Override {
			files++
		}
	}
	idle := 0
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoEffect {
			idle++
		}
	}
	switch {
	case files > 0 && left:
		return wording.Count(files, "override file") + " left out"
	case files == 0:
		return "no override files"
	}
	blocks := changing(files, wording.Count(plan.Changed(mod), "block"))
	text := wording.Count(files, "override file") + " " + blocks
	if idle > 0 {
		verb := "have"
		if idle == 1 {
			verb = "has"
		}
		text += fmt.Sprintf("; %s %s no effect", wording.Count(idle, "item"), verb)
	}
	return text
}

func changing(n int, what string) string {
	if n == 1 {
		return "changes " + what
	}
	return "change " + what
}
