package clitest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ForgetEnvironment removes the variables that would change the behaviour of shells, Git, Terraform
// and the program in tests. In a Git hook, GIT_DIR would even make the tests commit to the
// repository of the hook.
//
// A test program that is started under the name of one of the programs keeps its environment.
func ForgetEnvironment(programs ...string) {
	if slices.Contains(programs, strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")) {
		return
	}
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
