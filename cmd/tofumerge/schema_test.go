package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// recording is the variable that names the directory of what scripts have the program write as JSON.
const recording = "RECORDING"

// recorded runs the program, and keeps its arguments with the JSON that it prints to a pipe: files,
// terminals and devices are what some scripts are about.
func recorded(run func() int) int {
	dir, out, args := os.Getenv(recording), os.Stdout, os.Args[1:]
	info, err := out.Stat()
	isJSON := slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "json") })
	if dir == "" || !isJSON || err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return run()
	}
	kept, err := os.CreateTemp(dir, "output-")
	if err != nil {
		panic(err)
	}
	defer kept.Close()
	os.Stdout = kept
	status := run()
	text, err := os.ReadFile(kept.Name())
	_, printed := out.Write(text)
	written := os.WriteFile(kept.Name(), fmt.Appendf(nil, "%q\n%s", args, text), 0o666)
	if err := errors.Join(err, printed, written); err != nil {
		panic(err)
	}
	return status
}

// recordOutputs records what scripts have the program write as JSON, and holds it against the schema
// once they have run. A test of the documentation does so: what knows schemas would add three quarters
// to the time that each start of the program takes here.
func recordOutputs(t *testing.T, p *testscript.Params) {
	dir, setUp := t.TempDir(), p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv(recording, dir)
		return setUp(env)
	}
	isOne := func(arg string) bool { return strings.HasPrefix(arg, "-test.run=") && strings.Contains(arg, "/") }
	t.Cleanup(func() {
		goTool, err := exec.LookPath("go")
		if err != nil {
			t.Log("no go command: what the scripts write isn't held against the schema")
			return
		}
		test := "^TestOutputs$"
		if !slices.ContainsFunc(os.Args, isOne) && !isWindows {
			test = "^TestOutputs(AreAll)?$"
		}
		cmd := exec.Command(goTool, "test", "-count=1", "-run", test, "../../docs")
		cmd.Env = append(os.Environ(), recording+"="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}
