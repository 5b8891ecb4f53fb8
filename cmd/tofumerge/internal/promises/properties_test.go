package promises_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// Properties of every module are tested beside the code, in internal/merge, if they need no command
// line. The tests here run the program on similar modules.

// outcome is the program's result for files.
type outcome struct {
	status    int
	out, errs string
}

func runOn(t testing.TB, files map[string]string, args ...string) outcome {
	t.Helper()
	return runIn(t, clitest.Write(t, files), args...)
}

func runIn(t testing.TB, dir string, args ...string) outcome {
	t.Helper()
	return runOnDir(dir, slices.Concat(clitest.EngineFlag(t), args)...)
}

// runOnDir runs the program on a directory.
func runOnDir(dir string, args ...string) outcome {
	var out, errs bytes.Buffer
	status := cli.Run(append(args, dir), cli.Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
	return outcome{status, out.String(), errs.String()}
}

// withTB runs a property with a testing.TB, which helpers make directories of, and
// which follows the engine.
func withTB(t *testing.T, property func(tb testing.TB, rt *rapid.T, files map[string]string)) {
	mergetest.ForModules(t, func(rt *rapid.T, files map[string]string, e engine.Release) {
		property(clitest.DrawnTB{TB: t, Engine: e}, rt, files)
	})
}
