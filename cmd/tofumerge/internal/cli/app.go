package cli

import (
	"cmp"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// The rules of the user interface.
//
//   - Standard output carries the result and nothing else; it is opened late,
//     so that a failing run leaves it empty.
//   - Everything for people is printed to standard error: errors, warnings, summaries.
//   - Every misuse gets a hint of what to write instead.
//   - Status 0: done. 1: could not do it. 2: found something that the flags report.

// The exit statuses.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitFound  = 2
)

// Streams connect a run with its environment.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Env func(string) string
	// Environ is terminal.Console.Environ.
	Environ func() []string
	// FlagsParsed is called with the flags of a command before they are used; it may be nil. Tests set
	// flags back there.
	FlagsParsed func(command string, flags *pflag.FlagSet)
	workspace.Seams
}

// An app is one run of the program.
type app struct {
	ws    *workspace.Workspace
	words complete.Words
	args  []string // as they were given

	flagsParsed func(command string, flags *pflag.FlagSet) // Streams.FlagsParsed
}

// Main runs the program in its process, and returns the exit status. Tests adjust its streams.
func Main(adjust ...func(*Streams)) int {
	return process.Guard(func() int {
		report.LinkTo(func() string { return process.ThisBuild().Version })
		s := Streams{
			In: os.Stdin, Out: terminal.OpenConsole(os.Stdout), Err: terminal.OpenConsole(os.Stderr), Env: os.Getenv, Environ: os.Environ,
			Seams: workspace.Seams{Heap: process.TuneHeap()},
		}
		for _, f := range adjust {
			f(&s)
		}
		return Run(os.Args[1:], s)
	})
}

// Run executes the command in the arguments and returns the exit status.
func Run(args []string, s Streams) (status int) {
	a := &app{
		ws:   &workspace.Workspace{Console: terminal.New(s.In, s.Out, s.Err, s.Env), Seams: s.Seams, MaxFileSize: input.MaxFileSize},
		args: args, flagsParsed: s.FlagsParsed,
	}
	a.ws.Environ = s.Environ
	a.words = complete.Words{Workspace: a.ws, IsWanted: len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)}
	defer func() {
		if r := recover(); r != nil {
			a.ws.Drop()
			a.ws.Crashed(parallel.Crashed(r))
			status = ExitFailed
		}
	}()
	defer a.ws.Revisions.Close()
	root := a.rootWith(needed(args))
	args, err := withTofuFlags(root, args)
	if err == nil {
		root.SetArgs(args)
		root.SetIn(a.ws.In)
		root.SetOut(a.ws.Out)
		root.SetErr(a.ws.Err)
		err = root.Execute()
	}
	a.ws.NoteIgnored()
	if flushed := a.ws.Flush(); err == nil || errors.Is(err, workspace.ErrFound) {
		err = cmp.Or(flushed, err)
	}
	var ended *workspace.StatusError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &ended):
		return ended.Status
	case errors.Is(err, syscall.EPIPE):
		return ExitOK
	case errors.Is(err, workspace.ErrFound):
		return ExitFound
	case !errors.Is(err, workspace.ErrReported):
		a.ws.Error(err)
	}
	return ExitFailed
}
