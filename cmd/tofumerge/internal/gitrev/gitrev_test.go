package gitrev

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

func (r repo) open(name string) *Revision {
	r.Helper()
	rev, err := Open(r.dir, "", name)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(rev.Close)
	return rev
}

// isReadAs fails unless a revision has a file with a text.
func (r repo) isReadAs(rev *Revision, name, want string) {
	r.Helper()
	got, err := rev.Read(name, 1<<20)
	if err != nil || string(got) != want {
		r.Errorf("%s is %q, %v, want %q", name, got, err, want)
	}
}

// isRefused fails unless reading a file fails with a text.
func (r repo) isRefused(rev *Revision, name, want string) {
	r.Helper()
	if got, err := rev.Read(name, 1<<10); err == nil || !strings.Contains(err.Error(), want) {
		r.Errorf("%s is %q, %v, want %q", name, got, err, want)
	}
}

// The files that are read equal a checkout, whatever .gitattributes and the settings of git define
// for line ends, also if they are gone from the working tree.
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
[attr]house eol=crlf
*.macro house
`)
		r.write("sub/.gitattributes", "/one.* eol=lf\nxml.* text\n")
		texts := map[string]string{"plain": "a\nb\n", "mixed": "a\r\nb\n", "odd": "a\x01\x02\x00\nb\n", "cr": "a\rb\n", "none": "a", "umlaut": "ä\nb\n", "id": "# $Id$\n", "ctrlz": "a\n\x1a"}
		for _, ext := range []string{"crlf", "lf", "text", "auto", "bin", "old", "both", "macro", "tf"} {
			for kind, text := range texts {
				r.write(kind+"."+ext, text)
				r.write("sub/one."+kind+"."+ext, text)
			}
		}
		r.commit()
		if config != nil {
			r.git("config", config[0], config[1])
		}
		r.git("rm", "-rq", "--cached", ".")
		r.git("reset", "-q", "--hard", "HEAD")
		wants := map[string]string{}
		for _, name := range strings.Split(r.git("ls-files"), "\n") {
			want, err := os.ReadFile(filepath.Join(r.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			wants[name] = string(want)
		}
		for _, isThere := range []bool{true, false} {
			rev := r.open("HEAD")
			for name, want := range wants {
				if got, err := rev.Read(name, 1<<20); err != nil || string(got) != want {
					t.Errorf("%v: %s is %q, %v, want %q; in the working tree: %v", config, name, got, err, want, isThere)
				}
				if err := os.Remove(filepath.Join(r.dir, name)); isThere && err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// A file has the line ends that it has in the working tree, if Git here would convert those.
func TestLineEndsHere(t *testing.T) {
	r := newRepo(t)
	r.git("config", "core.autocrlf", "false")
	r.write(".gitattributes", "lf.tf text eol=lf\ncrlf.tf eol=crlf\nauto.tf text=auto\nmixed.tf text\nold.tf text\nbin.tf -text\n")
	names := []string{"lf.tf", "crlf.tf", "auto.tf", "mixed.tf", "old.tf", "bin.tf", "none.tf"}
	for _, name := range names {
		r.write(name, "a\nb\n")
	}
	r.commit()
	for name, here := range map[string]string{
		"lf.tf": "a\r\nc\r\n", "crlf.tf": "a\nc\n", "auto.tf": "c\r\n", "mixed.tf": "a\r\nb\n", "old.tf": "c", "bin.tf": "a\r\nb\r\n", "none.tf": "a\r\nb\r\n",
	} {
		r.write(name, here)
	}
	rev := r.open("HEAD")
	for name, want := range map[string]string{"lf.tf": "a\r\nb\r\n", "crlf.tf": "a\nb\n", "auto.tf": "a\r\nb\r\n", "mixed.tf": "a\r\nb\n"} {
		r.isReadAs(rev, name, want)
	}
	for _, name := range []string{"old.tf", "bin.tf", "none.tf"} {
		r.isReadAs(rev, name, "a\nb\n")
	}
	for _, name := range names {
		rev, err := Open(r.dir, "", "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(rev.Close)
		rev.IsStored = true
		r.isReadAs(rev, name, "a\nb\n")
	}
}

// The attributes here apply, not those of the revision.
func TestAttributesHere(t *testing.T) {
	r := newRepo(t)
	r.write("m/a.tf", "a\n")
	r.commit()
	r.write("m/.gitattributes", "a.tf eol=crlf\n")
	r.git("rm", "-q", "--cached", "m/a.tf")
	r.commit()
	r.write("m/a.tf", "a\r\n")
	r.isReadAs(r.open("HEAD~1"), "m/a.tf", "a\r\n")
}

// Identifiers and encodings are other forms of a file. The remedy works.
func TestOtherForms(t *testing.T) {
	r := newRepo(t)
	r.write("m/a.tf", "# $Id$\n")
	r.write("m/b.tf", "# Id\n")
	r.write("m/c.tf", "c\n")
	r.commit()
	r.write("m/.gitattributes", "*.tf ident working-tree-encoding=utf-8\nc.tf working-tree-encoding=UTF-16\n")
	r.git("add", "m/.gitattributes")
	const a, c = "remove the attribute ident of m/a.tf in .gitattributes, and add that", "in the encoding UTF-16, but engines read UTF-8; remove"
	for _, rev := range []*Revision{r.open("HEAD"), openIndex(t, r.dir, "")} {
		r.isRefused(rev, "m/a.tf", a)
		r.isReadAs(rev, "m/b.tf", "# Id\n")
		r.isRefused(rev, "m/c.tf", c)
	}
	r.write("m/.gitattributes", "")
	r.git("add", "m/.gitattributes")
	for _, rev := range []*Revision{r.open("HEAD"), openIndex(t, r.dir, "")} {
		r.isReadAs(rev, "m/a.tf", "# $Id$\n")
		r.isReadAs(rev, "m/c.tf", "c\n")
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
