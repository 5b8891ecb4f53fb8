package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

func TestMain(m *testing.M) {
	clitest.ForgetEnvironment()
	os.Exit(m.Run())
}

// makers make the commands that are tried.
var makers = []func(*workspace.Workspace, Words) *cobra.Command{
	NewRender, NewExplain, NewDiff, NewList, NewChanges, NewCheck,
	NewReport, NewFlatten, NewExtract, NewLSP, NewExec,
}

// A tried command line has a status, and its output. The message of an error is the end of errs.
type tried struct {
	status    int
	out, errs string
}

// try runs a command in a directory. A run that fails has no result.
func try(t *testing.T, dir string, args ...string) tried {
	t.Helper()
	return tryWith(t, dir, "", args...)
}

// tryWith is try with standard input.
func tryWith(t *testing.T, dir, in string, args ...string) tried {
	t.Helper()
	var out, errs bytes.Buffer
	ws := &workspace.Workspace{
		Console:     terminal.New(strings.NewReader(in), &out, &errs, func(string) string { return "" }),
		Chdirs:      []string{dir},
		MaxFileSize: input.MaxFileSize,
	}
	ws.Color = "auto"
	defer ws.Revisions.Close()
	root := &cobra.Command{Use: "tofumerge", SilenceErrors: true, SilenceUsage: true}
	flags := root.PersistentFlags()
	flags.StringVar(&ws.Engines.Flag, "engine", "", "")
	flags.BoolVarP(&ws.Quiet, "quiet", "q", false, "")
	flags.BoolVarP(&ws.Verbose, "verbose", "v", false, "")
	flags.BoolVar(&ws.NoIgnore, "no-ignore", false, "")
	tracked := flags.Bool("tracked", false, "")
	RepeatedVar(flags, &ws.Overlays, "overlay", "", "")
	RepeatedVar(flags, &ws.Excluded, "exclude-override", "", "")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if *tracked {
			ws.UseRevision("")
		}
	}
	for _, make := range makers {
		root.AddCommand(make(ws, Words{Workspace: ws}))
	}
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.Execute()
	if failed := ws.Flush(); failed != nil {
		t.Fatal(failed)
	}
	got := tried{}
	var ended *workspace.StatusError
	switch {
	case errors.As(err, &ended):
		got.status = ended.Status
	case errors.Is(err, workspace.ErrFound):
		got.status = 2
	case err != nil:
		got.status = 1
		if !errors.Is(err, workspace.ErrReported) {
			ws.Error(err)
			_ = ws.Flush()
		}
	}
	got.out, got.errs = out.String(), errs.String()
	if got.status == 1 && got.out != "" && args[0] != "list" && args[0] != "report" && args[0] != "exec" {
		t.Errorf("%v failed, and printed:\n%s", args, got.out)
	}
	return got
}

// holds fails unless a text has some parts. A part behind "no:" must not be there.
func holds(t *testing.T, about, text string, parts ...string) {
	t.Helper()
	const most = 2000
	shown := text[:min(most, len(text))]
	for _, part := range parts {
		if not, isNot := strings.CutPrefix(part, "no:"); isNot {
			if strings.Contains(text, not) {
				t.Errorf("%s has %q:\n%s", about, not, shown)
			}
		} else if !strings.Contains(text, part) {
			t.Errorf("%s has no %q:\n%s", about, part, shown)
		}
	}
}

// A call is a command line, with its required and forbidden output.
type call struct {
	args   string
	status int
	out    []string
	errs   []string
}

// each tries calls in one directory, which none of them changes.
func each(t *testing.T, dir string, calls []call) {
	t.Helper()
	for _, c := range calls {
		t.Run(c.args, func(t *testing.T) {
			before := clitest.Files(t, dir)
			got := try(t, dir, strings.Fields(c.args)...)
			if got.status != c.status {
				t.Errorf("the status is %d, want %d\n%s%s", got.status, c.status, got.out, got.errs)
			}
			holds(t, "the result", got.out, c.out...)
			holds(t, "what people read", clitest.OneLine(got.errs), c.errs...)
			for name, text := range clitest.Files(t, dir) {
				if before[name] != text {
					t.Errorf("%s has changed", name)
				}
			}
		})
	}
}
