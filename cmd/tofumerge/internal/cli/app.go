package cli

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/version"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// The rules of the user interface.
//
//   - Standard output carries the result and nothing else; it is opened late,
//     so that a run that fails leaves it empty.
//   - Everything for people goes to standard error: errors, warnings, summaries.
//   - Every misuse gets a hint of what to write instead.
//   - Status 0: done. 1: could not do it. 2: found what the flags asked about.

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitFound  = 2
)

// Streams is what a run has of the world around it.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Env func(string) string
	seams
}

// seams are where tests, and the settings of the process, take part in a run.
type seams struct {
	heap *process.Heap // nil leaves the collector alone
	// parsed is load.Options.Parsed.
	parsed bool
	// interrupt is asked before each step that changes a directory, and may end
	// the run there; it may be nil.
	interrupt func(step int) error
	// checking gets the directory of each module before check looks at it; it
	// may be nil.
	checking func(dir string)
}

// An app is one run of the program.
type app struct {
	*terminal.Console
	seams
	args    []string // as they were given
	chdirs  []string // of --chdir
	maxSize int64
	schema  string // of --provider-schema

	showSource bool
	noIgnore   bool // comments silence nothing

	engines   engines
	settings  policy.Files
	revisions revisions
	forShell  bool // a shell asks how a word may be completed

	files              fileSource    // where the files of modules are
	overlays, excluded []string      // of --overlay and --exclude-override
	loading            *load.Options // what these flags ask for, once worked out
}

// errReported ends a run whose errors have been printed.
var errReported = errors.New("errors were reported")

// Main runs the program in its process, and returns the exit status.
func Main() int {
	return process.Guard(func() int {
		report.LinkTo(func() string { return version.Current().Version })
		return Run(os.Args[1:], Streams{
			In: os.Stdin, Out: terminal.OpenConsole(os.Stdout), Err: terminal.OpenConsole(os.Stderr), Env: os.Getenv,
			seams: seams{heap: process.TuneHeap()},
		})
	})
}

// Run does what the arguments say and returns the exit status.
func Run(args []string, s Streams) (status int) {
	a := &app{Console: terminal.New(s.In, s.Out, s.Err, s.Env), seams: s.seams, args: args, forShell: isForShell(args)}
	defer func() {
		if r := recover(); r != nil {
			a.Drop()
			a.Crashed(parallel.Crashed(r))
			status = exitFailed
		}
	}()
	defer a.revisions.close()
	root := a.rootWith(needed(args))
	args, err := withTofuFlags(root, args)
	if err == nil {
		root.SetArgs(args)
		root.SetIn(a.In)
		root.SetOut(a.Out)
		root.SetErr(a.Err)
		err = root.Execute()
	}
	if flushed := a.Flush(); err == nil || errors.Is(err, errFound) {
		err = cmp.Or(flushed, err)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	case !errors.Is(err, errReported):
		a.Error(err)
	}
	return exitFailed
}

// report prints diagnostics, errors before warnings, but for warnings that --quiet or a
// comment silences. The error is errReported if there are errors among them.
func (a *app) report(m *load.Module, diags hcl.Diagnostics) error {
	return a.reportAll(m, a.unsilenced(m, diags))
}

// unsilenced are diagnostics without the warnings that nobody wants to see.
func (a *app) unsilenced(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	if a.Quiet {
		return diag.Errors(diags)
	}
	return a.unignored(m, diags)
}

// unignored are diagnostics without the warnings that comments silence, unless the user wants
// these.
func (a *app) unignored(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	if a.noIgnore {
		return diags
	}
	return check.Unignored(m, diags)
}

// reportAll prints diagnostics as report does, whatever silences them.
func (a *app) reportAll(m *load.Module, diags hcl.Diagnostics) error {
	warnings := slices.DeleteFunc(slices.Clone(diags), diag.IsError)
	var text bytes.Buffer
	term.Diagnostics(&text, append(diag.Errors(diags), warnings...), m, a.Screen(a.Err))
	if text.Len() > 0 {
		a.Block(text.Bytes())
	}
	if diags.HasErrors() {
		return errReported
	}
	return nil
}
