package gitrev

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The index names the submodules, whether or not they are checked out. No program of the repository runs.
func TestSubmodules(t *testing.T) {
	inner := newRepo(t)
	inner.write("m/a.tf", "")
	inner.commit()
	r := repo{t, resolved(t, t.TempDir())}
	r.git("init", "-q", "-b", "main")
	r.write("prod/a.tf", "")
	r.git("add", "-A")
	r.git("submodule", "--quiet", "add", inner.dir, "vendor/sub")
	r.git("submodule", "--quiet", "deinit", "-f", "vendor/sub")
	mark := filepath.Join(t.TempDir(), "ran")
	r.write(".git/monitor", "#!/bin/sh\ntouch "+mark+"\n")
	if err := os.Chmod(filepath.Join(r.dir, ".git", "monitor"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("config", "core.fsmonitor", filepath.Join(r.dir, ".git", "monitor"))
	_ = os.Remove(mark)
	got, err := Submodules(r.dir)
	if diff := cmp.Diff(map[string]string{"vendor/sub": inner.git("rev-parse", "HEAD")}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository ran")
	}
	r.write("inner/.git/HEAD", "nonsense")
	for _, dir := range []string{t.TempDir(), filepath.Join(r.dir, "inner")} {
		if _, err := Submodules(dir); !errors.Is(err, ErrNoRepository) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	r.write(".git/index", "DIRC, but broken")
	if _, err := Submodules(r.dir); err == nil {
		t.Error("a broken index is read")
	}
}
