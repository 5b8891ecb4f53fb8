package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// What happens where the program itself fails. A script that reads the exit status
// must never take that for findings: Go ends a program that panics, or that runs out
// of stack or memory, with the status 2.

// whereToReport is the place for reports of defects.
const whereToReport = "https://github.com/tofumerge/tofumerge/issues"

// maxCrashText is how many bytes of a panic's text are shown.
const maxCrashText = 300

// crashed reports a panic that nothing caught, and returns the exit status.
func (a *app) crashed(c *parallel.Crash) (status int) {
	a.Message(term.ErrorHead, fmt.Sprintf("tofumerge crashed: %s; this is a bug in tofumerge, report it at %s",
		crashText(c), whereToReport))
	if a.Verbose {
		fmt.Fprintf(a.Err, "%s", safetext.Printable(string(c.Stack)))
	} else {
		fmt.Fprintln(a.Err, "  To get the stack for the report, use -v.")
	}
	return exitFailed
}

// crashText is what a panic says.
func crashText(c *parallel.Crash) string { return shortened(diag.Escape(c.Error()), maxCrashText) }

// shortened is a text of so many bytes at most, or a little more.
func shortened(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// checkCaught checks one module. Where the program itself fails on it, that is a
// finding of the module, and the others are checked all the same.
func (c *checkCommand) checkCaught(t *target) (result checked) {
	defer func() {
		if r := recover(); r != nil {
			result = c.crashedOn(t, parallel.Crashed(r))
		}
	}()
	if c.checking != nil {
		c.checking(t.dir)
	}
	return c.check(t).within(t)
}

// crashedOn is the finding that the program failed on a module.
func (c *checkCommand) crashedOn(t *target, crash *parallel.Crash) checked {
	if c.Verbose {
		fmt.Fprintf(c.Err, "%s", safetext.Printable(string(crash.Stack)))
	}
	message := fmt.Sprintf("tofumerge crashed on this module and did not finish checking it: %s. This is a bug in "+
		"tofumerge. Report it at %s", crashText(crash), whereToReport)
	engine := engine.Default()
	if chosen, err := c.engineFor(repo.In(c.base(), t.dir)); err == nil && chosen.Version != "" {
		engine = chosen.Release
	}
	return *foundOnly(t, engine, check.InternalError(message))
}

// guarded returns the exit status of a run. Where the runtime can't go on, as when the
// stack overflows or memory runs out, which no program can catch, it aborts: that is a
// status of its own (134 in a shell on Unix), without a core file.
func guarded(run func() int) (status int) {
	noCoreFile()
	debug.SetTraceback("crash")
	if os.Getpid() == 1 {
		return supervised()
	}
	return run()
}
