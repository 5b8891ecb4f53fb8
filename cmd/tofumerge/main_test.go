package main

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

const isWindows = runtime.GOOS == "windows"

var update = flag.Bool("update", false, "rewrite what scripts want")

// The program that scripts run is the program of this test. So its package imports little: a
// script starts the program several times.
func TestMain(m *testing.M) {
	clitest.ForgetEnvironment("tofumerge", "overflow")
	testscript.Main(m, map[string]func(){"tofumerge": func() { os.Exit(recorded(func() int { return cli.Main(forgetFlag) })) }, "overflow": clitest.Overflow})
}

// unixOnly lists the scripts that Windows can't run, by their requirements.
var unixOnly = map[string][]string{
	"names that Windows refuses": {"changes-markdown", "diff-file-names", "files-order", "unmarked-names"},
	"links": {
		"bad-input-links", "check-config-link", "check-link-root", "flatten-output-rest", "flatten-write-link-outside",
		"flatten-refused-force",
	},
	"permissions": {"check-config-broken", "check-unreadable", "cli-output-beside", "cli-output-refused"},
	"messages of Unix, or with its slashes": {
		"cli-chdir", "cli-output-input", "engine-evidence", "explain-names", "flatten-write-half-way",
		"flatten-recursive", "flatten-refused-new-directory", "json-provider-schema-bad", "list-recursive",
		"overlay-errors", "report-misuse",
	},
}

// scripts lists the files of testdata/script that can run on this system.
func scripts(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	known := map[string]bool{}
	for what, names := range unixOnly {
		for _, name := range names {
			known["../../testdata/script/"+name+".txtar"] = true
			if isWindows {
				t.Logf("%s is left out: it needs %s", name, what)
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return known[filepath.ToSlash(path)] })
	if len(paths)-len(kept) != len(known) {
		t.Errorf("unixOnly names scripts that are not there")
	}
	if isWindows {
		return kept
	}
	return paths
}

// TestScripts runs the program on the scripts of testdata/script, which are
// its whole interface: arguments, files, both output streams and the status.
func TestScripts(t *testing.T) {
	p := running(scripts(t)...)
	p.UpdateScripts = *update
	recordOutputs(t, &p)
	testscript.Run(t, p)
}

// running are the parameters for scripts.
func running(files ...string) testscript.Params {
	return testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"lsp": playLSP},
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("HOME", env.WorkDir)
			for name, path := range map[string]string{"HOOKS": "../../.pre-commit-hooks.yaml", "ACTION": "../../.github/action"} {
				path, err := filepath.Abs(path)
				if err != nil {
					return err
				}
				env.Setenv(name, path)
			}
			return os.Unsetenv("TOFUMERGE_ENGINE")
		},
	}
}
