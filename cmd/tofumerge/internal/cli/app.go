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
	Seams
}

// seams are where tests, and the settings of the process, take part in a run.
type Seams struct {
	Heap *process.Heap // nil leaves the collector alone
	// parsed is load.Options.Parsed.
	Parsed bool
	// interrupt is asked before each step that changes a directory, and may end
	// the run there; it may be nil.
	Interrupt func(step int) error
	// checking gets the directory of each module before check looks at it; it
	// may be nil.
	Checking func(dir string)
}

// An app is one run of the program.
type app struct {
	*terminal.Console
	Seams
	args        []string // as they were given
	Chdirs      []string // of --chdir
	MaxFileSize int64
	Schema      string // of --provider-schema

	ShowSource bool
	NoIgnore   bool // comments silence nothing

	Engines   Engines
	Settings  policy.Files
	Revisions Revisions
	forShell  bool // a shell asks how a word may be completed

	Files              Files         // where the files of modules are
	Overlays, Excluded []string      // of --overlay and --exclude-override
	Loading            *load.Options // what these flags ask for, once worked out
}

// errReported ends a run whose errors have been printed.
var ErrReported = errors.New("errors were reported")

// Main runs the program in its process, and returns the exit status.
func Main() int {
	return process.Guard(func() int {
		report.LinkTo(func() string { return version.Current().Version })
		return Run(os.Args[1:], Streams{
			In: os.Stdin, Out: terminal.OpenConsole(os.Stdout), Err: terminal.OpenConsole(os.Stderr), Env: os.Getenv,
			Seams: Seams{Heap: process.TuneHeap()},
		})
	})
}

// Run does what the arguments say and returns the exit status.
func Run(args []string, s Streams) (status int) {
	a := &app{Console: terminal.New(s.In, s.Out, s.Err, s.Env), Seams: s.Seams, args: args, forShell: isForShell(args)}
	defer func() {
		if r := recover(); r != nil {
			a.Drop()
			a.Crashed(parallel.Crashed(r))
			status = exitFailed
		}
	}()
	defer a.Revisions.Close()
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
	case !errors.Is(err, ErrReported):
		a.Error(err)
	}
	return exitFailed
}

// report prints diagnostics, errors before warnings, but for warnings that --quiet or a
// comment silences. The error is errReported if there are errors among them.
func (a *app) Report(m *load.Module, diags hcl.Diagnostics) error {
	return a.ReportAll(m, a.Unsilenced(m, diags))
}

// unsilenced are diagnostics without the warnings that nobody wants to see.
func (a *app) Unsilenced(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	if a.Quiet {
		return diag.Errors(diags)
	}
	return a.Unignored(m, diags)
}

// unignored are diagnostics without the warnings that comments silence, unless the user wants
// these.
func (a *app) Unignored(m *load.Module, diags hcl.Diagnostics) hcl.Diagnostics {
	if a.NoIgnore {
		return diags
	}
	return check.Unignored(m, diags)
}

// reportAll prints diagnostics as report does, whatever silences them.
func (a *app) ReportAll(m *load.Module, diags hcl.Diagnostics) error {
	warnings := slices.DeleteFunc(slices.Clone(diags), diag.IsError)
	var text bytes.Buffer
	term.Diagnostics(&text, append(diag.Errors(diags), warnings...), m, a.Screen(a.Err))
	if text.Len() > 0 {
		a.Block(text.Bytes())
	}
	if diags.HasErrors() {
		return ErrReported
	}
	return nil
}
