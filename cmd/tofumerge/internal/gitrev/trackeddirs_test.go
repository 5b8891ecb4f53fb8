package gitrev_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
)

func trackedDirs(t *testing.T, root string) []string {
	t.Helper()
	list := []string{}
	if err := gitrev.TrackedDirs(root, func(dir, submodule string) {
		if submodule != "" {
			dir += " " + submodule
		}
		list = append(list, dir)
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Only the index matters: not the disk, and not .gitignore.
func TestTrackedDirs(t *testing.T) {
	r := newRepo(t)
	if got := trackedDirs(t, r.dir); len(got) > 0 {
		t.Errorf("an empty repository tracks %q", got)
	}
	odd := "b\n\t\x1b[2J\"x"
	r.write("a.tf", "")
	r.write("prod/deep/a.tf", "")
	r.write(odd+"/a.tf", "")
	r.git("add", "-A")
	r.write(".gitignore", "prod\n")
	r.write("prod/other/a.tf", "")
	r.write("loose/a.tf", "")
	if err := os.RemoveAll(filepath.Join(r.dir, "prod", "deep")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".", odd, "prod/deep"}, trackedDirs(t, r.dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The configuration of the repository doesn't move it.
	r.git("config", "core.worktree", filepath.Dir(r.dir))
	if diff := cmp.Diff([]string{".", odd, "prod/deep"}, trackedDirs(t, r.dir)); diff != "" {
		t.Errorf("with another working tree (-want +got):\n%s", diff)
	}
}

// A submodule is a directory that is tracked, whose files are in another index.
func TestTrackedSubmodule(t *testing.T) {
	inner := newRepo(t)
	inner.write("m/a.tf", "")
	inner.commit()
	r := repo{t, resolved(t, t.TempDir())}
	r.git("init", "-q", "-b", "main")
	r.git("submodule", "--quiet", "add", inner.dir, "vendor/sub")
	if diff := cmp.Diff([]string{".", "vendor/sub " + inner.git("rev-parse", "HEAD")}, trackedDirs(t, r.dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"m"}, trackedDirs(t, filepath.Join(r.dir, "vendor", "sub"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Neither a hook nor a monitor of the file system runs.
func TestTrackedRunsNothing(t *testing.T) {
	r := newRepo(t)
	r.write("prod/a.tf", "")
	r.commit()
	mark := filepath.Join(t.TempDir(), "ran")
	r.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch "+mark+"\n")
	r.write(".git/monitor", "#!/bin/sh\ntouch "+mark+"\n")
	for _, name := range []string{"hooks/post-index-change", "monitor"} {
		if err := os.Chmod(filepath.Join(r.dir, ".git", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.git("config", "core.fsmonitor", filepath.Join(r.dir, ".git", "monitor"))
	if diff := cmp.Diff([]string{"prod"}, trackedDirs(t, r.dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository ran")
	}
}

func TestTrackedUnknown(t *testing.T) {
	r := newRepo(t)
	none := func(dir, _ string) { t.Errorf("%q is tracked", dir) }
	if err := gitrev.TrackedDirs(t.TempDir(), none); !errors.Is(err, gitrev.ErrNoRepository) {
		t.Errorf("outside of a repository: %v", err)
	}
	r.write("inner/.git/HEAD", "nonsense")
	if err := gitrev.TrackedDirs(filepath.Join(r.dir, "inner"), none); !errors.Is(err, gitrev.ErrNoRepository) {
		t.Errorf("in a directory with a .git that is none: %v", err)
	}
	r.write(".git/index", "DIRC, but broken")
	if err := gitrev.TrackedDirs(r.dir, none); err == nil {
		t.Error("a broken index is read")
	}
	t.Setenv("PATH", t.TempDir())
	if err := gitrev.TrackedDirs(r.dir, none); !errors.Is(err, gitrev.ErrNotInstalled) {
		t.Errorf("without git: %v", err)
	}
}
