package gitrev

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failsToOpen fails unless opening a revision fails with a message that contains some texts.
func (r repo) failsToOpen(name string, want ...string) {
	r.Helper()
	rev, err := Open(r.dir, "", name)
	if err == nil {
		rev.Close()
		r.Errorf("%q opens", name)
		return
	}
	for _, text := range want {
		if !strings.Contains(err.Error(), text) {
			r.Errorf("%q: %v, want %q", name, err, text)
		}
	}
}

// Whatever names a revision of git names one here, and nothing else does.
func TestNames(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "1\n")
	r.commit()
	r.git("tag", "-a", "-m", "x", "v1")
	r.write("a.tf", "2\n")
	r.commit()
	for _, name := range []string{"main~1", "v1", "HEAD^", "HEAD@{1}", "main@{1 second ago}^", "HEAD^{/x}~1", r.git("rev-parse", "v1"), r.git("rev-parse", "--short", "main~1"), r.git("rev-parse", "main~1^{tree}")} {
		if strings.Contains(name, "second") {
			continue // a commit may be that young
		}
		r.isReadAs(r.open(name), "a.tf", "1\n")
	}
	r.failsToOpen("", "is empty")
	r.failsToOpen("nope", "has no revision nope", "git branch -a")
	r.failsToOpen("--upload-pack=touch x", "begins with a hyphen")
	r.failsToOpen("main\nHEAD", "isn't the name of a revision")
	r.failsToOpen("\x1b[2J", `\x1b[2J`)
	r.failsToOpen(strings.Repeat("x", 1<<20), "isn't the name of a revision")
	r.failsToOpen(r.git("rev-parse", "main:a.tf"), "is a blob, not a revision")
}

// Three dots name the commit at which a branch was left.
func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "1\n")
	r.commit()
	r.git("checkout", "-q", "-b", "feature")
	r.write("b.tf", "2\n")
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("a.tf", "3\n")
	r.commit()
	r.git("checkout", "-q", "feature")
	r.isReadAs(r.open("main"), "a.tf", "3\n")
	r.isReadAs(r.open("main..."), "a.tf", "1\n")
	r.failsToOpen("nope...", "has no revision nope;")
	r.failsToOpen("...", "has no revision")
	r.git("checkout", "-q", "--orphan", "alone")
	r.commit()
	r.failsToOpen("main...", "HEAD and main have no commit in common")
}

// A repository without one, and one that can't be trusted, is refused with a remedy.
func TestRefused(t *testing.T) {
	r := newRepo(t)
	none := repo{t, resolved(t, t.TempDir())}
	if _, err := Open(none.dir, "", "main"); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside: %v", err)
	}
	r.failsToOpen("HEAD", "has no revision HEAD") // nothing is committed
	if os.Getuid() == 0 {
		for _, name := range []string{"", ".git"} {
			if err := os.Lchown(filepath.Join(r.dir, name), 4711, 4711); err != nil {
				t.Fatal(err)
			}
		}
		r.failsToOpen("HEAD", "belongs to another user", "safe.directory "+r.dir)
	}
	t.Setenv("PATH", none.dir)
	r.failsToOpen("main", "git isn't installed")
}

// A bare repository isn't the repository of a directory in it, which may have come with the change
// under review. A bare repository that the user names is read.
func TestBare(t *testing.T) {
	r := newRepo(t)
	r.write("m/a.tf", "1\n")
	r.commit()
	bare := repo{t, filepath.Join(r.dir, "m")}
	r.git("clone", "-q", "--bare", ".", "bare.git")
	for _, name := range []string{"HEAD", "config", "objects", "refs", "packed-refs"} {
		if err := os.Rename(filepath.Join(r.dir, "bare.git", name), filepath.Join(bare.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if rev, err := Open(bare.dir, "", "main"); err == nil {
		rev.Close()
		t.Error("a bare repository among the files is taken for one")
	}
	rev, err := Open(r.dir, bare.dir, "main")
	if err != nil {
		t.Fatal(err)
	}
	defer rev.Close()
	r.isReadAs(rev, "m/a.tf", "1\n")
	if _, ok := rev.PathOf(r.dir); ok {
		t.Error("a bare repository has a working tree")
	}
}

// A separate worktree reads the revisions of its repository.
func TestWorktree(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "1\n")
	r.commit()
	r.git("clone", "-q", "--bare", ".", "../bare.git")
	bare := repo{t, filepath.Join(r.dir, "../bare.git")}
	bare.git("worktree", "add", "-q", "-b", "other", "../tree")
	tree := repo{t, resolved(t, filepath.Join(r.dir, "../tree"))}
	tree.write("a.tf", "2\n")
	tree.commit()
	tree.isReadAs(tree.open("main"), "a.tf", "1\n")
	tree.isReadAs(tree.open("other"), "a.tf", "2\n")
}

// Objects that a shallow clone lacks are named, with the command that fetches them.
func TestShallow(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "1\n")
	r.commit()
	r.write("a.tf", "2\n")
	r.commit()
	dir := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(r.dir), dir)
	clone := repo{t, resolved(t, dir)}
	clone.isReadAs(clone.open("HEAD"), "a.tf", "2\n")
	clone.failsToOpen("HEAD~1", "shallow clone, so fetch its history: git fetch --unshallow")
	clone.failsToOpen("v1", "git fetch --depth=1 origin v1; or")
	clone.failsToOpen("origin/dev", "git fetch --depth=1 origin +dev:refs/remotes/origin/dev")
}

// Nothing is fetched for a partial clone.
func TestPartial(t *testing.T) {
	r := newRepo(t)
	r.write("m/a.tf", "1\n")
	r.commit()
	r.write("m/a.tf", "2\n")
	r.commit()
	r.git("config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--filter=blob:none", "file://"+filepath.ToSlash(r.dir), dir)
	clone := repo{t, resolved(t, dir)}
	rev := clone.open("HEAD~1")
	if _, err := rev.Directory("m"); err != nil {
		t.Errorf("trees are there: %v", err)
	}
	clone.isRefused(rev, "m/a.tf", "a partial clone fetches it with: git archive -o "+os.DevNull+" HEAD~1 m")
	clone.git("archive", "-o", os.DevNull, "HEAD~1", "m")
	clone.isReadAs(clone.open("HEAD~1"), "m/a.tf", "1\n")
}

// A submodule has the files of the commit that the revision names, whatever its branches are
// called.
func TestSubmodule(t *testing.T) {
	inner := newRepo(t)
	inner.write("m/a.tf", "1\n")
	inner.commit()
	r := repo{t, resolved(t, t.TempDir())}
	r.git("init", "-q", "-b", "main")
	r.git("submodule", "--quiet", "add", "file://"+filepath.ToSlash(inner.dir), "sub")
	r.commit()
	sub := repo{t, filepath.Join(r.dir, "sub")}
	sub.write("m/a.tf", "2\n")
	sub.write(".gitattributes", "m/a.tf eol=crlf\n")
	sub.commit()
	r.commit()
	sub.write("m/a.tf", "2\r\n")
	r.isReadAs(r.open("HEAD"), "sub/m/a.tf", "2\r\n")
	rev := r.open("HEAD~1")
	r.isReadAs(rev, "sub/m/a.tf", "1\r\n")
	d, err := rev.Directory("sub/m")
	if err != nil {
		t.Fatal(err)
	}
	if names, _, _ := d.Names(); len(names) != 1 || names[0] != "a.tf" {
		t.Errorf("names are %v", names)
	}
	r.git("submodule", "deinit", "-q", "-f", "--all")
	r.isRefused(r.open("HEAD"), "sub/m/a.tf", "git submodule update --init sub")
}

// No program that the repository names is run, no variable of a hook takes effect, and no object is
// replaced.
func TestHostile(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "1\n")
	r.write(".gitattributes", "*.tf diff=evil\n")
	r.commit()
	r.write("a.tf", "2\n")
	r.commit()
	ran := filepath.Join(r.dir, "ran")
	script := filepath.Join(r.dir, "evil.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho $0 >> '"+ran+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core.fsmonitor", "core.pager", "pager.cat-file", "diff.evil.textconv", "diff.evil.command", "diff.external", "core.sshCommand", "core.gitProxy", "core.editor", "core.alternateRefsCommand"} {
		r.git("config", name, script)
	}
	r.git("replace", "HEAD~1", "HEAD")
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GIT_INDEX_FILE", "/nowhere")
	t.Setenv("GIT_WORK_TREE", "/nowhere")
	t.Setenv("GIT_EXTERNAL_DIFF", script)
	t.Setenv("GIT_TRACE", ran)
	rev := r.open("main~1")
	r.isReadAs(rev, "a.tf", "1\n")
	rev.Renames()
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("it ran: %s", text)
	}
}

// Objects that are too large are not read, and missing ones are reported.
func TestLimits(t *testing.T) {
	r := newRepo(t)
	r.write("large.tf", strings.Repeat("#", 2000))
	r.write("crlf.tf", strings.Repeat("\n", 600))
	r.write(".gitattributes", "crlf.tf eol=crlf\n")
	r.commit()
	rev := r.open("HEAD")
	r.isRefused(rev, "large.tf", "larger than 1024 bytes")
	r.write("crlf.tf", "\r\n")
	r.isRefused(rev, "crlf.tf", "larger than 1024 bytes")
	if _, err := rev.Read("none.tf", 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := rev.Directory("none/m"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
	if _, err := rev.Directory("large.tf/m"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: %v", err)
	}
	rev.Close()
	if _, err := rev.Read("large.tf", 1<<20); err == nil {
		t.Error("a closed revision is read")
	}
}

// Files are found again under other names.
func TestRenames(t *testing.T) {
	r := newRepo(t)
	r.write("old/a.tf", strings.Repeat("resource \"a\" \"b\" {}\n", 20))
	r.commit()
	r.git("mv", "old", "new")
	if got := r.open("HEAD").Renames()["new/a.tf"]; got != "old/a.tf" {
		t.Errorf("it was %q", got)
	}
}

// Walk visits every directory once.
func TestWalk(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"a.tf", "m/x/b.tf", "m/x/c.tf", "skip/d.tf", "e/f"} {
		r.write(name, "x")
	}
	r.commit()
	got := ""
	err := r.open("HEAD").Walk(".", func(rel string, files []string) error {
		if rel == "skip" {
			return fs.SkipDir
		}
		got += rel + ":" + strings.Join(files, ",") + " "
		return nil
	}, nil)
	if want := ":a.tf e:f m: m/x:b.tf,c.tf "; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
