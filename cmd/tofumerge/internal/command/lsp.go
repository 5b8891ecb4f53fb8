package command

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
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// lspOptions hold the flags of lsp.
type lspOptions struct {
	ws     *workspace.Workspace
	flags  policy.Settings
	config string
	redact bool
}

// NewLSP returns the command that runs the language server.
func NewLSP(ws *workspace.Workspace, words Words) *cobra.Command {
	o := &lspOptions{ws: ws}
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Run the language server",
		Long: `lsp is a language server: an editor starts it and talks to it on standard input and
output, alongside tofu-ls or terraform-ls.

It reports the findings of check as you type, before you save, with the settings of each
module, such as .tofumerge.hcl. It also shows which override sets a value, and the effective
configuration.

The editor can set, in its initialization options or in the section tofumerge of its
configuration: engine, minSeverity, enable, disable, againstEngines, config, baseline,
providerSchema and redact. They work like the flags of check, but minSeverity only hides
findings, and relative paths start at the first folder of the workspace. The setting detail,
which is quiet, normal or full, controls how much appears in the text; fade, droppedHints,
addedHints, counts and symbols switch single parts on and off.

On a shared screen, --redact or the setting redact hides values: hints, hovers and completion
then show only file and line. The effective configuration still shows the effective values,
but not the values that they replaced.

Messages about the server go to standard error; -v adds the requests and their times.
After a shutdown request the status is 0, without one it is 1.`,
		Example: `  tofumerge lsp`,
		Args:    NoArguments,

		ValidArgsFunction: Nothing,

		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.Bool("stdio", false, "ignored; the server always uses stdio") // editors pass it
	_ = flags.MarkHidden("stdio")
	ruleFlags(cmd, words, &o.flags)
	flags.StringVar(&o.config, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	flags.BoolVar(&o.redact, "redact", false, "hide values in hints, hovers and completion")
	return cmd
}

// run serves an editor until it ends the session.
func (o *lspOptions) run(ctx context.Context) error {
	if len(o.ws.Overlays) > 0 {
		return errors.New("--overlay is merged into one module, and lsp looks at several; open the file beside the module")
	}
	if terminal.IsTerminal(o.ws.Out) {
		o.ws.Note("Note: lsp waits for an editor that talks to it on standard input; to end it, press Ctrl-D")
	}
	o.ws.Heap.ForServer()
	analyst, err := editor.New(o.ws, o.flags, o.config, o.redact)
	if err != nil {
		return err
	}
	log := &serverLog{ws: o.ws}
	defer log.end()
	return langserver.Serve(ctx, o.ws.In, terminal.Beneath(o.ws.Out), langserver.Options{
		Analyst:     analyst,
		Version:     process.ThisBuild().Version,
		MaxFileSize: o.ws.MaxFileSize,
		Enter:       o.enter,
		Log:         log.print,
		Crashed:     log.crashed,
		Traces:      o.ws.Verbose,
		WaitFor:     func(ctx context.Context, pid int) bool { return process.WaitFor(ctx, pid, process.Pause) },
	})
}

// enter changes the working directory to the folder that the editor has open, unless --chdir is set. The working
// directory decides which settings files apply, so the server finds the ones that check finds there.
func (o *lspOptions) enter(dir string) {
	if len(o.ws.Chdirs) == 0 {
		_ = os.Chdir(dir) // the folder may not exist
	}
}

// A serverLog writes the server's messages to standard error. After its end it writes nothing, because
// requests may outlive the server.
type serverLog struct {
	ws    *workspace.Workspace
	mutex sync.Mutex
	ended bool
}

// end makes the log discard all later messages.
func (l *serverLog) end() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.ended = true
}

// print writes a message as one line to standard error, without delay.
func (l *serverLog) print(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.ended {
		_, _ = io.WriteString(l.ws.Err, "tofumerge: "+diag.Escape(text)+"\n")
		_ = l.ws.Flush()
	}
}

// crashed logs a panic in a request; under -v also its stack. The server itself continues.
func (l *serverLog) crashed(recovered any) {
	crash := parallel.Crashed(recovered)
	l.print(fmt.Sprintf("a request crashed: %s; this is a bug in tofumerge, report it at %s", terminal.CrashText(crash), terminal.WhereToReport))
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.ws.Verbose && !l.ended {
		_, _ = io.WriteString(l.ws.Err, safetext.Printable(string(crash.Stack)))
		_ = l.ws.Flush()
	}
}
