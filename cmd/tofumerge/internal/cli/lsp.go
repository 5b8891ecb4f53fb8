package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/editor"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/version"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// An lspCommand runs the language server.
type lspCommand struct {
	*app
	flags  policy.Settings
	config string
	redact bool
}

func newLSPCommand(a *app) *cobra.Command {
	c := &lspCommand{app: a}
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Show in an editor what overrides do",
		Long: `lsp is a language server: an editor starts it and talks to it on standard input and
output, beside the language server of OpenTofu or Terraform.

It reports what check finds as you type, before you save, with the settings of each module,
such as .tofumerge.hcl. It also shows which override sets a value, where that is, and the
effective configuration.

The editor can set, in its initialization options or in the section tofumerge of its
configuration: engine, minSeverity, enable, disable, againstEngines, config, baseline,
providerSchema and redact. They work like the flags of check, but minSeverity only hides
findings, and relative paths start at the first folder of the workspace.

On a screen that others see, --redact or the setting redact hides values: hints, hovers and
completion then only say where a value is. The effective configuration still shows the
effective values, but not what they replaced.

Messages about the server go to standard error; -v adds the requests and their times.
After a shutdown request the status is 0, without one it is 1.`,
		Example: `  tofumerge lsp`,
		Args:    noArguments,

		ValidArgsFunction: completeNothing,

		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.Bool("stdio", false, "use standard input and output, as it always does") // editors pass it
	listVar(flags, &c.flags.Enable, "enable", "switch `RULES` on")
	listVar(flags, &c.flags.Disable, "disable", "switch `RULES` off")
	listVar(flags, &c.flags.AgainstEngines, "against-engine", "report what means something else to `ENGINES`")
	flags.StringVar(&c.config, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	flags.BoolVar(&c.redact, "redact", false, "hide values in everything that is shown beside the text")
	a.completeFlag(cmd, "against-engine", completeEngine)
	a.completeFlag(cmd, "enable", completeRule)
	a.completeFlag(cmd, "disable", completeRule)
	return cmd
}

// run serves an editor until the editor ends the session.
func (c *lspCommand) run(ctx context.Context) error {
	if len(c.ws.Overlays) > 0 {
		return errors.New("--overlay is merged into one module, and lsp looks at several; open the file beside the module")
	}
	if terminal.IsTerminal(c.ws.Out) {
		c.ws.Note("Note: lsp waits for an editor that talks to it on standard input; to end it, press Ctrl-D")
	}
	c.ws.Heap.ForServer()
	analyst, err := editor.New(c.ws, c.flags, c.config, c.redact)
	if err != nil {
		return err
	}
	log := &serverLog{app: c.app}
	defer log.end()
	return langserver.Serve(ctx, c.ws.In, terminal.Beneath(c.ws.Out), langserver.Options{
		Analyst:     analyst,
		Version:     version.Current().Version,
		MaxFileSize: c.ws.MaxFileSize,
		Enter:       c.enter,
		Log:         log.line,
		Crashed:     log.crashed,
		Traces:      c.ws.Verbose,
		WaitFor:     func(ctx context.Context, pid int) bool { return process.WaitFor(ctx, pid, process.Pause) },
	})
}

// enter changes to the folder that the editor has open, unless --chdir is set. As for check,
// the working directory decides which settings files apply.
func (c *lspCommand) enter(dir string) {
	if len(c.ws.Chdirs) == 0 {
		_ = os.Chdir(dir) // the folder may not exist
	}
}

// A serverLog writes the server's messages to standard error, until it ends: requests may go on
// after the server.
type serverLog struct {
	*app
	mutex sync.Mutex
	ended bool
}

func (l *serverLog) end() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.ended = true
}

func (l *serverLog) line(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.ended {
		_, _ = io.WriteString(l.ws.Err, "tofumerge: "+diag.Escape(text)+"\n")
	}
}

// crashed reports a panic in a request.
func (l *serverLog) crashed(recovered any) {
	crash := parallel.Crashed(recovered)
	l.line(fmt.Sprintf("a request crashed: %s; this is a bug in tofumerge, report it at %s", terminal.CrashText(crash), terminal.WhereToReport))
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.ws.Verbose && !l.ended {
		_, _ = io.WriteString(l.ws.Err, safetext.Printable(string(crash.Stack)))
	}
}
