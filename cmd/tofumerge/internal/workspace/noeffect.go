package workspace

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Overrides without effect: check and render print a warning for each of them. Other commands
// count them, so that the warnings don't hide the result.

// ReportAll prints diagnostics of a module, including silenced ones. Under CountsIdle those about
// overrides without effect are totalled: for one module at once, for several at the end of the run.
func (r *Run) ReportAll(m *Module, diags hcl.Diagnostics) error {
	if r.CountsIdle {
		var idle hcl.Diagnostics
		diags, idle = withoutIdle(diags)
		r.idle += r.wanted(m, idle)
	}
	err := r.ws.ReportAll(m.Source, diags)
	if !r.IsMany {
		r.warnOfIdle()
	}
	return err
}

// wanted counts the diagnostics about what --filter lets through.
func (r *Run) wanted(m *Module, diags hcl.Diagnostics) (n int) {
	if len(r.Search.Filter) == 0 || len(diags) == 0 {
		return len(diags)
	}
	var targets []address.Target
	passes := r.Search.PassesFilter(m.Own(), m.Module)
	address.Walk(m.Module, func(own address.Address, e *merge.MergedItem) {
		if passes(own) {
			targets = append(targets, address.Target{Address: own, Item: e})
		}
	})
	concern := address.NewConcern(targets)
	for _, d := range diags {
		if concern.IsAbout(d) {
			n++
		}
	}
	return n
}

// warnOfIdle gives in one line the number of overrides without effect that were not printed.
func (r *Run) warnOfIdle() {
	check := "tofumerge check"
	switch {
	case r.Search.Recursive:
		check += " -r"
	case r.Search.Modules:
		check += " --modules"
	}
	r.ws.WarnOfNoEffect(r.idle, check, r.Named)
	r.idle = 0
}

// ReportPair reports on two modules that are compared, and totals their overrides without effect.
func (w *Workspace) ReportPair(sources [2]*load.Module, diags [2]hcl.Diagnostics, dirs []string) (failed error) {
	idle := 0
	for i, m := range sources {
		list, silent := withoutIdle(w.shown(m, diags[i]))
		idle += len(silent)
		if err := w.ReportAll(m, list); err != nil {
			failed = err
		}
	}
	w.WarnOfNoEffect(idle, "tofumerge check", dirs)
	return failed
}

// WarnOfIdleIn warns of the number of overrides without effect in a module that is compared.
func (w *Workspace) WarnOfIdleIn(m *load.Module, diags hcl.Diagnostics, dirs []string) {
	_, idle := withoutIdle(w.shown(m, diags))
	w.WarnOfNoEffect(len(idle), "tofumerge check", dirs)
}

// WarnOfNoEffect warns of the number of overrides without effect, and names the command that prints
// them.
func (w *Workspace) WarnOfNoEffect(n int, check string, dirs []string) {
	if n == 0 {
		return
	}
	if len(dirs) > maxDirs {
		dirs = []string{"DIR..."}
	}
	for _, dir := range dirs {
		if dir != "." {
			check += " " + diag.Escape(dir)
		}
	}
	verb, them := "have", "them"
	if n == 1 {
		verb, them = "has", "it"
	}
	w.Warn(fmt.Sprintf("%s in override files %s no effect; to see %s, run: %s", wording.Count(n, "item"), verb, them, strings.TrimSpace(check)))
}

// maxDirs is how many directories a command that is proposed names at most.
const maxDirs = 3

// withoutIdle are diagnostics without those about overrides that have no effect, and these.
func withoutIdle(diags hcl.Diagnostics) (others, idle hcl.Diagnostics) {
	for _, d := range diags {
		if diag.CodeOf(d) == diag.NoEffect && !diag.IsError(d) {
			idle = append(idle, d)
		} else {
			others = append(others, d)
		}
	}
	return others, idle
}
