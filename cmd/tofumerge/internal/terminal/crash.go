package terminal

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// WhereToReport is the address for reports of defects.
const WhereToReport = "https://github.com/tofumerge/tofumerge/issues"

// maxCrashText is how many bytes of a panic's text are shown.
const maxCrashText = 300

// Crashed reports a panic that nothing caught.
func (c *Console) Crashed(crash *parallel.Crash) {
	c.Message(term.ErrorHead, fmt.Sprintf("tofumerge crashed: %s; this is a bug in tofumerge, report it at %s",
		CrashText(crash), WhereToReport))
	if !c.Stack(crash) {
		fmt.Fprintln(c.Err, "  To get the stack for the report, use -v.")
	}
}

// Stack prints where a panic happened if the user wants to know, and reports whether it did.
func (c *Console) Stack(crash *parallel.Crash) bool {
	if c.Verbose {
		fmt.Fprintf(c.Err, "%s", safetext.Printable(string(crash.Stack)))
	}
	return c.Verbose
}

// CrashText is the message of a panic, shortened.
func CrashText(crash *parallel.Crash) string {
	return shortened(diag.Escape(crash.Error()), maxCrashText)
}
