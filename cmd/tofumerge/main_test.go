package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// update rewrites the expected outputs of scripts. Read the difference like code.
var update = loadtest.Update

// binaries are what tests run as programs of their own, by their names.
var binaries = map[string]func(){"tofumerge": main, "overflow": overflow}

func TestMain(m *testing.M) {
	testscript.Main(m, binaries)
}

// TestScripts runs the program on the scripts of testdata/script, which are
// its whole interface: arguments, files, both output streams and the status.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("HOME", env.WorkDir)
			hooks, err := filepath.Abs("../../.pre-commit-hooks.yaml")
			if err != nil {
				return err
			}
			env.Setenv("HOOKS", hooks)
			return os.Unsetenv("TOFUMERGE_ENGINE")
		},
	})
}
