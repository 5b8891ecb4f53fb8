package clitest

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/internal/load/engine"
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

// Properties hold for every engine, so each module is drawn together with one.

// A DrawnTB is a test that follows an engine: all that it runs is for that one.
type DrawnTB struct {
	testing.TB
	Engine engine.Release
}

// EngineOf is the engine that a test follows.
func EngineOf(t testing.TB) engine.Release {
	if drawn, ok := t.(DrawnTB); ok {
		return drawn.Engine
	}
	return engine.Default()
}

// EngineFlag is the flag for the engine that a test follows, if it has drawn one.
func EngineFlag(t testing.TB) []string {
	if drawn, ok := t.(DrawnTB); ok {
		return []string{"--engine", drawn.Engine.String()}
	}
	return nil
}

// Derived is a test that follows an engine derived from its input, so that a failing input is
// enough to repeat a failure.
func Derived(t testing.TB, input ...[]byte) testing.TB {
	sum := fnv.New32a()
	for _, part := range input {
		_, _ = sum.Write(part)
	}
	all := append([]engine.Release{engine.Default()}, engine.Observed()...)
	return DrawnTB{t, all[int(sum.Sum32()%uint32(len(all)))]}
}

// Loses reports whether a warning mentions that the output is incomplete. Messages are broken at
// words.
func Loses(errs string) bool {
	errs = OneLine(errs)
	return strings.Contains(errs, "Connection of a destroy-time provisioner") || strings.Contains(errs, "can't be printed") ||
		strings.Contains(errs, "or print native syntax")
}

// OneLine is a text without its line ends.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Overflow crashes in a way that no program survives. Its stack is smaller than usual, because a
// full one takes seconds and a gigabyte to overflow.
func Overflow() {
	debug.SetMaxStack(32 << 20)
	os.Exit(process.Guard(func() int { return overflowFrom(1) }))
}

func overflowFrom(n int) int {
	if n < 0 {
		return n // never, but the compiler and the linter don't know
	}
	return overflowFrom(n+1) + n
}

// tried are the programs of others that tests have tried to run, by path.
var tried = map[string]error{}

// Works explains why an external program can't run even trivial arguments, or returns nil if it
// can. It is tried once.
func Works(path string, args ...string) error {
	if err, isKnown := tried[path]; isKnown {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s doesn't work: %w\n%s", path, err, out)
	}
	tried[path] = err
	return err
}
