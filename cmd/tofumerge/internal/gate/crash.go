package gate

import (
	"fmt"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Failures of the program itself. A script that reads the exit status must never take them for
// findings: Go ends a program that panics, or that runs out of stack or memory, with the status 2.

// caught checks one module. If the program itself fails on it, that is a finding of the module, and
// the others are still checked.
func (g *Gate) caught(t *workspace.Subject) (result ModuleReport) {
	defer func() {
		if r := recover(); r != nil {
			result = g.crashedOn(t, parallel.Crashed(r))
		}
	}()
	if g.ws.Checking != nil {
		g.ws.Checking(t.Dir)
	}
	return g.check(t).within(t)
}

// crashedOn is the finding that the program failed on a module.
func (g *Gate) crashedOn(t *workspace.Subject, crash *parallel.Crash) ModuleReport {
	g.ws.Stack(crash)
	message := fmt.Sprintf("tofumerge crashed on this module and did not finish checking it: %s. This is a bug in "+
		"tofumerge. Report it at %s", terminal.CrashText(crash), terminal.WhereToReport)
	return g.reportOf(uninspected(t, g.engineAfterCrash(t), check.InternalError(message)))
}

// engineAfterCrash is the engine of a module on which the program failed, perhaps while choosing it.
func (g *Gate) engineAfterCrash(t *workspace.Subject) (e engine.Release) {
	e = engine.Default()
	defer func() { _ = recover() }()
	if chosen, err := g.ws.Engine(repo.In(g.ws.Base(), t.Dir)); err == nil && chosen.Version != "" {
		e = chosen.Release
	}
	return e
}
