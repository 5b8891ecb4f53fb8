package cli

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Fuzzers run the program in memory: no file is written or read, and no flags are parsed, so most
// of the time is spent on the fuzzed code.

// maxFuzzed is how many bytes a fuzzer tries at once. More would find nothing else,
// and keep it busy for long.
const maxFuzzed = 4 << 10

// anyDir stands for the directory of a module in memory. None of its files is looked at.
const anyDir = "testdata"

// outcome is the program's result for files.
type outcome struct {
	status    int
	out, errs string
}

// collectLate lets the heap grow further between collections. Runs on small modules
// leave little but garbage.
func collectLate() { debug.SetGCPercent(800) }

// renderInMemory is what render makes of files, in a format.
func renderInMemory(t testing.TB, files map[string]string, format string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	opts := load.Options{
		MaxFileSize: input.MaxFileSize,
		Contents:    map[string][]byte{},
		Absent:      func(string) bool { return true },
	}
	for name, text := range files {
		opts.Contents[name] = []byte(text)
	}
	ws := &workspace.Workspace{
		Console: &terminal.Console{Out: &out, Err: &errs, Env: func(string) string { return "" }, Color: "never"}, Loading: &opts,
	}
	ws.Engines.Flag = clitest.EngineOf(t).String()
	cmd := command.NewRender(ws, command.Words{})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"-f", format, anyDir})
	err := cmd.Execute()
	if err == nil {
		return outcome{ExitOK, out.String(), errs.String()}
	}
	if !errors.Is(err, workspace.ErrReported) {
		fmt.Fprintln(&errs, err)
	}
	return outcome{ExitFailed, out.String(), errs.String()}
}
