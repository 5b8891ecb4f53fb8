// Package clitest is support for tests that run the program: an environment that is the same on
// every machine, and modules to run it on. It is not part of the program.
package clitest

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
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
	"golang.org/x/tools/txtar"
)

// ForgetEnvironment removes the variables that would change the behaviour of shells, Git, Terraform and the program
// in tests. In a Git hook, GIT_DIR would even make the tests commit to the repository of the hook.
//
// In test scripts, the test binary also runs in place of the given programs, under their names. Then the environment
// stays, because the script has set it.
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

// A DrawnTB is a test for which an engine was chosen: it runs the program for that engine.
type DrawnTB struct {
	testing.TB
	Engine engine.Release
}

// EngineOf returns the engine for which a test runs the program: the chosen one, or else the default.
func EngineOf(t testing.TB) engine.Release {
	if drawn, ok := t.(DrawnTB); ok {
		return drawn.Engine
	}
	return engine.Default()
}

// EngineFlag returns the arguments that select the engine of EngineOf; none if no engine was chosen.
func EngineFlag(t testing.TB) []string {
	if drawn, ok := t.(DrawnTB); ok {
		return []string{"--engine", drawn.Engine.String()}
	}
	return nil
}

// Derived chooses an engine for a test by a hash of its input, so that tests cover all engines and a failure can be
// repeated from the input alone.
func Derived(t testing.TB, input ...[]byte) testing.TB {
	sum := fnv.New32a()
	for _, part := range input {
		_, _ = sum.Write(part)
	}
	all := append([]engine.Release{engine.Default()}, engine.Observed()...)
	return DrawnTB{t, all[int(sum.Sum32()%uint32(len(all)))]}
}

// Loses reports whether a warning in errs, the messages of a run, says that the output is incomplete. Lines of
// messages may break at any word.
func Loses(errs string) bool {
	errs = OneLine(errs)
	return strings.Contains(errs, "Connection of a destroy-time provisioner") || strings.Contains(errs, "can't be printed") ||
		strings.Contains(errs, "or print native syntax")
}

// OneLine replaces line ends and blanks in a text by single blanks.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Overflow overflows the stack, which no program survives. Tests start a process that calls it, to see what
// process.Guard makes of the crash. The stack is smaller than usual, because a full one takes seconds and a gigabyte to
// overflow.
func Overflow() {
	debug.SetMaxStack(32 << 20)
	os.Exit(process.Guard(func() int { return overflowFrom(1) }))
}

// overflowFrom calls itself without end, to overflow the stack for Overflow.
func overflowFrom(n int) int {
	if n < 0 {
		return n // never, but the compiler and the linter don't know
	}
	return overflowFrom(n+1) + n
}

// tried caches the results of Works, by path.
var tried = map[string]error{}

// Works returns why an external program can't run even with simple arguments, or nil if it can. It runs each program
// once, and remembers the result.
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

// Write writes files, by name, into a new temporary directory, and returns the directory.
func Write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ScaleModule writes a large module for benchmarks into a new directory, and returns that: files primary files with
// blocks blocks each, and overrides override files with overridden blocks each, which address random blocks. The
// content is the same each time.
func ScaleModule(b testing.TB, files, blocks, overrides, overridden int) string {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	text := map[string]string{}
	for i := range files {
		var out strings.Builder
		for j := range blocks {
			out.WriteString(scaleBlock(r, fmt.Sprintf("n%d_%d", i, j)))
		}
		text[fmt.Sprintf("f%04d.tf", i)] = out.String()
	}
	for i := range overrides {
		var out strings.Builder
		for range overridden {
			name := fmt.Sprintf("n%d_%d", r.IntN(files), r.IntN(blocks))
			fmt.Fprintf(&out, "resource \"x_server\" %q {\n  size = \"xl\" # more\n\n  disk {\n    gigabytes = %d\n  }\n}\n\n", name, i)
		}
		text[fmt.Sprintf("o%04d_override.tf", i)] = out.String()
	}
	return Write(b, text)
}

// scaleBlock returns a typical block of some 25 lines, with random numbers in its values.
func scaleBlock(r *rand.Rand, name string) string {
	return fmt.Sprintf(`# Server %[1]s.
resource "x_server" %[1]q {
  size        = var.size # by team
  zone        = "${var.region}${element(["a", "b"], %[2]d)}"
  public      = false
  groups      = [x_group.a.id, x_group.b.id]
  description = "server number %[2]d"

  disk {
    name      = "/dev/sda"
    gigabytes = %[2]d
  }

  script = <<-EOT
    #!/bin/sh
    echo "${var.region} %[2]d"
  EOT

  tags = {
    Name  = %[1]q
    Owner = "team-%[2]d"
  }

  lifecycle {
    create_before_destroy = true
  }
}

`, name, r.IntN(100))
}

// Tree unpacks a txtar archive into a new temporary directory, and returns the directory.
func Tree(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	Unpack(t, dir, archive)
	return dir
}

// Unpack writes the files of a txtar archive into a directory.
func Unpack(t testing.TB, dir, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Files returns the contents of all files below a directory, by their relative paths with slashes. It skips .git
// directories.
func Files(t testing.TB, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		rel, relErr := filepath.Rel(dir, path)
		texts[filepath.ToSlash(rel)] = string(text)
		if err == nil {
			err = relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Commit commits everything in a directory, which becomes a repository if it isn't one. The test is
// skipped if git isn't installed.
func Commit(t testing.TB, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git isn't installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	Git(t, dir, "init", "-q", "-b", "main")
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "-m", "x")
}

// Git runs git in a directory, with a name for commits. If git fails, so does the test.
func Git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
