package clitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Tree puts the files of an archive into a new directory.
func Tree(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	Unpack(t, dir, archive)
	return dir
}

// Unpack puts the files of an archive into a directory.
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

// Files returns the texts of the files below a directory, by their paths with slashes, without
// git's own.
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

// Git runs git in a directory.
func Git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
