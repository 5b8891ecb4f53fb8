package gitrev_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gitrev"
)

// In a Git hook, GIT_DIR and others would have the tests work on the repository of the hook.
func TestMain(m *testing.M) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GIT_") {
			_ = os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

// A repo is a repository for a test, which depends on no settings of the user.
type repo struct {
	testing.TB
	dir string
}

// newRepo makes a repository, and has git see nothing of the user's in this test.
func newRepo(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git isn't installed")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1", "HOME": t.TempDir(),
		"XDG_CONFIG_HOME": "",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	r := repo{t, resolved(t, t.TempDir())}
	r.git("init", "-q", "-b", "main")
	return r
}

func resolved(t testing.TB, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (r repo) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repo) write(name, text string) {
	r.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		r.Fatal(err)
	}
}

func (r repo) commit() {
	r.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

func (r repo) open(name string) *gitrev.Revision {
	r.Helper()
	rev, err := gitrev.Open(r.dir, "", name)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(rev.Close)
	return rev
}

// isReadAs fails unless a revision has a file with a text.
func (r repo) isReadAs(rev *gitrev.Revision, name, want string) {
	r.Helper()
	got, err := rev.Read(name, 1<<20)
	if err != nil || string(got) != want {
		r.Errorf("%s is %q, %v, want %q", name, got, err, want)
	}
}

// isRefused fails unless reading a file fails with a text.
func (r repo) isRefused(rev *gitrev.Revision, name, want string) {
	r.Helper()
	if got, err := rev.Read(name, 1<<10); err == nil || !strings.Contains(err.Error(), want) {
		r.Errorf("%s is %q, %v, want %q", name, got, err, want)
	}
}

// The files that are read equal a checkout, whatever .gitattributes and the settings of git define
// for line ends and encodings.
func TestCheckedOut(t *testing.T) {
	for _, config := range [][]string{nil, {"core.autocrlf", "true"}, {"core.autocrlf", "input"}, {"core.eol", "crlf"}} {
		r := newRepo(t)
		r.write(".gitattributes", `*.crlf eol=crlf
*.lf text eol=lf
*.text text
*.auto text=auto
*.bin -text
*.old crlf=input
*.both text=auto eol=crlf
*.utf16 working-tree-encoding=UTF-16LE-BOM text
*.be working-tree-encoding=UTF-16BE eol=crlf
*.latin1 working-tree-encoding=ISO-8859-1
*.id ident
[attr]house eol=crlf
*.macro house
`)
		r.write("sub/.gitattributes", "/one.* eol=lf\nxml.* text\n")
		texts := map[string]string{"plain": "a\nb\n", "mixed": "a\r\nb\n", "odd": "a\x01\x02\x00\nb\n", "cr": "a\rb\n", "none": "a", "umlaut": "ä\nb\n", "id": "# $Id$ $Id: 1 $\n$Idea$\n$Id", "ctrlz": "a\n\x1a"}
		for _, ext := range []string{"crlf", "lf", "text", "auto", "bin", "old", "both", "macro", "id", "tf"} {
			for kind, text := range texts {
				r.write(kind+"."+ext, text)
				r.write("sub/one."+kind+"."+ext, text)
			}
		}
		r.commit()
		for _, ext := range []string{"utf16", "be", "latin1"} { // added as they are, without a conversion
			for _, kind := range []string{"plain", "none", "umlaut"} {
				id := r.hash(texts[kind])
				r.git("update-index", "--add", "--cacheinfo", "100644,"+id+","+kind+"."+ext)
			}
		}
		r.git("commit", "-q", "-m", "y")
		if config != nil {
			r.git("config", config[0], config[1])
		}
		r.git("rm", "-rq", "--cached", ".")
		r.git("reset", "-q", "--hard", "HEAD")
		rev := r.open("HEAD")
		for _, name := range strings.Split(r.git("ls-files"), "\n") {
			want, err := os.ReadFile(filepath.Join(r.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			got, err := rev.Read(name, 1<<20)
			if err != nil || string(got) != string(want) {
				t.Errorf("%v: %s is %q, %v, want %q", config, name, got, err, want)
			}
		}
	}
}

// hash writes a blob.
func (r repo) hash(text string) string {
	r.Helper()
	r.write(".git/blob", text)
	return r.git("hash-object", "-w", "--no-filters", ".git/blob")
}

// The attributes of the revision apply, not the present ones.
func TestAttributesOfRevision(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "a\n")
	r.write("m/b.tf", "b\n")
	r.commit()
	r.write(".gitattributes", "*.tf eol=crlf\n")
	r.commit()
	r.isReadAs(r.open("HEAD~1"), "a.tf", "a\n")
	rev := r.open("HEAD")
	r.isReadAs(rev, "a.tf", "a\r\n")
	r.isReadAs(rev, "m/b.tf", "b\r\n")
}

// However many directories have separate attributes, git is restarted only a few times.
func TestManyAttributes(t *testing.T) {
	r := newRepo(t)
	for i := range 40 {
		dir := fmt.Sprintf("m%d/", i)
		r.write(dir+"a.tf", "a\n")
		r.write(dir+".gitattributes", "a.tf eol=crlf\n")
	}
	r.commit()
	rev := r.open("HEAD")
	for i := range 40 {
		r.isReadAs(rev, fmt.Sprintf("m%d/a.tf", i), "a\r\n")
	}
	if n := rev.Starts(); n > 5 {
		t.Errorf("git was asked anew %d times", n)
	}
}

// No filter runs: a file that passes through one is refused, unless git has none of the
// name.
func TestFilters(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "a\n")
	r.write("b.tf", "b\n")
	r.write("c.tf", "version https://git-lfs.github.com/spec/v1\noid sha256:1\n")
	r.write(".gitattributes", "a.tf filter=evil\nb.tf filter=unknown\n")
	r.commit()
	r.git("config", "filter.evil.smudge", "touch "+filepath.Join(r.dir, "ran"))
	rev := r.open("main")
	r.isRefused(rev, "a.tf", "the filter evil of Git")
	r.isReadAs(rev, "b.tf", "b\n")
	r.isRefused(rev, "c.tf", "Git LFS")
	if _, err := os.Stat(filepath.Join(r.dir, "ran")); err == nil {
		t.Error("the filter ran")
	}
}

// Links are followed inside the tree. Their targets outside are read from the disk.
func TestLinks(t *testing.T) {
	r := newRepo(t)
	r.write("shared/common.tf", "old\n")
	r.write("m/a.tf", "a\n")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"m/link.tf": "../shared/common.tf", "m/loop.tf": "loop.tf", "m/none.tf": "nowhere", "m/out.tf": secret,
		"n": "m", "dir": "shared", "m/far.tf": "../dir/common.tf", "m/up.tf": "../../above", "m/dir.tf": "../shared", "m/parent.tf": "../..", "parent": "..",
	} {
		if err := os.Symlink(target, filepath.Join(r.dir, name)); err != nil {
			t.Skip("there are no links here: ", err)
		}
	}
	r.commit()
	r.write("shared/common.tf", "new\n")
	rev := r.open("HEAD")
	d, err := rev.Directory("n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.tf": "a\n", "link.tf": "old\n", "far.tf": "old\n", "out.tf": "s"} {
		if got, err := d.Read(name, 100); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v, want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]string{"loop.tf": "too many links", "none.tf": "target of the symbolic link", "up.tf": "target of the symbolic link", "dir.tf": "directory", "x.tf": "not exist"} {
		if got, err := d.Read(name, 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %q, %v, want %q", name, got, err, want)
		}
	}
	for name, want := range map[string][2]bool{ // exists, points outside
		"m/a.tf": {true, false}, "n/a.tf": {true, false}, "m": {true, false}, "m/none.tf": {true, false}, "m/loop.tf": {true, false},
		"m/out.tf": {true, true}, "m/up.tf": {true, true}, "n/out.tf": {true, true}, "m/parent.tf": {true, true}, "parent": {true, true}, "parent/a.tf": {false, true}, "m/x.tf": {}, "x/a.tf": {}, "m/a.tf/b": {}, "m/out.tf/b": {false, true},
	} {
		if got := [2]bool{rev.Has(name), rev.EscapesRepo(name)}; got != want {
			t.Errorf("%s is there, and leads out: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"a.tf": false, "link.tf": false, "out.tf": true, "up.tf": true, "parent.tf": true} {
		if got := d.EscapesRepo(name); got != want {
			t.Errorf("%s leads out: %v", name, got)
		}
	}
}
