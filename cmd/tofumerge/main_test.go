package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// update rewrites the expected outputs of scripts. Read the difference like code.
var update = loadtest.Update

// binaries are what tests run as programs of their own, by their names.
var binaries = map[string]func(){"tofumerge": main, "overflow": overflow}

func TestMain(m *testing.M) {
	if _, isBinary := binaries[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")]; !isBinary {
		forgetEnvironment()
	}
	testscript.Main(m, binaries)
}

// forgetEnvironment removes the variables by which whoever runs the tests would change what
// shells, Git, Terraform and the program do. In a Git hook, GIT_DIR would even have the tests
// commit to the repository of the hook.
func forgetEnvironment() {
	prefixes := []string{"GIT_", "GITHUB_", "LC_", "TF_", "TOFU_"}
	names := []string{
		"BASH_ENV", "CDPATH", "CLICOLOR_FORCE", "COLUMNS", "ENV", "LANG", "LANGUAGE", "NO_COLOR", "POSIXLY_CORRECT",
		"SOURCE_DATE_EPOCH", "TOFUMERGE_ENGINE",
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains(names, name) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			_ = os.Unsetenv(name)
		}
	}
}

// unixOnly are the scripts that Windows can't run, by what they need.
var unixOnly = map[string][]string{
	"names that Windows refuses": {"changes-markdown", "diff-file-names", "files-order", "mark-names"},
	"links": {
		"bad-input-links", "check-config-link", "check-link-root", "flatten-copy-rest", "flatten-in-place-link-outside",
		"flatten-refused-force", "mark-link-outside", "mark-recursive",
	},
	"permissions": {"check-config-broken", "check-unreadable", "cli-output-beside", "cli-output-refused"},
	"messages of Unix, or with its slashes": {
		"cli-chdir", "cli-output-input", "engine-evidence", "explain-names", "flatten-aside-left", "flatten-in-place-aside",
		"flatten-recursive", "flatten-refused-new-directory", "json-provider-schema-bad", "list-recursive", "overlay-errors",
	},
}

// scripts are those of testdata/script that this system can run.
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
			if runtime.GOOS == "windows" {
				t.Logf("%s is left out: it needs %s", name, what)
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return known[filepath.ToSlash(path)] })
	if len(paths)-len(kept) != len(known) {
		t.Errorf("unixOnly names scripts that are not there")
	}
	if runtime.GOOS == "windows" {
		return kept
	}
	return paths
}

// TestScripts runs the program on the scripts of testdata/script, which are
// its whole interface: arguments, files, both output streams and the status.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"lsp": playLSP},
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
