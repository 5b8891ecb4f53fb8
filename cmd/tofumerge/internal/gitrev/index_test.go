package gitrev

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func openIndex(t *testing.T, root, file string) *Revision {
	t.Helper()
	index, err := OpenIndex(root, "", file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(index.Close)
	return index
}

// namesIn are the names of the files that an index has in a directory.
func namesIn(t *testing.T, index *Revision, dir string) []string {
	t.Helper()
	d, err := index.Directory(dir)
	if err != nil {
		t.Fatal(err)
	}
	names, _, err := d.Names()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// readsAs are the texts, or the errors, of files of an index.
func readsAs(index *Revision, names ...string) []string {
	var list []string
	for _, name := range names {
		text, err := index.Read(name, 100)
		if err != nil {
			text = []byte("error: " + err.Error())
		}
		list = append(list, string(text))
	}
	return list
}

// The files that are read equal what git add stored, in repositories with either kind of id.
func TestIndex(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := repo{t, resolved(t, t.TempDir())}
			r.git("init", "-q", "-b", "main", "--object-format="+format)
			odd := "m/a\nb\t\x1b\"c.tf"
			r.write("m/a.tf", "one")
			r.write(odd, "odd")
			r.write("m/empty.tf", "")
			r.write("top.tf", "top")
			r.git("add", "-A")
			r.write("m/a.tf", "two")
			r.write("m/planned.tf", "")
			r.write("m/planned2.tf", "text")
			r.git("add", "-N", "m/planned.tf", "m/planned2.tf")
			r.write("m/loose.tf", "")
			if err := os.Remove(filepath.Join(r.dir, "top.tf")); err != nil {
				t.Fatal(err)
			}
			index := openIndex(t, r.dir, "")
			if diff := cmp.Diff([]string{"a\nb\t\x1b\"c.tf", "a.tf", "empty.tf"}, namesIn(t, index, "m")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			want := []string{"one", "odd", "", "top", "error: " + fs.ErrNotExist.Error(), "error: it is a directory, not a file"}
			if diff := cmp.Diff(want, readsAs(index, "m/a.tf", odd, "m/empty.tf", "top.tf", "m/planned.tf", "m")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !index.Has("m") || index.Has("m/loose.tf") || !index.IsDirectory("m") || index.IsDirectory("top.tf") || !index.IsDirectory(".") {
				t.Error("the index doesn't have what it has")
			}
		})
	}
}

// An empty index has an empty directory.
func TestIndexIsEmpty(t *testing.T) {
	r := newRepo(t)
	if got := namesIn(t, openIndex(t, r.dir, ""), "."); len(got) > 0 {
		t.Errorf("an empty index has %q", got)
	}
}

// A conflict hides no file: it is there, and can't be read.
func TestIndexUnmerged(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "base")
	r.write("d", "file")
	r.commit()
	r.git("checkout", "-q", "-b", "other")
	r.write("a.tf", "theirs")
	r.git("rm", "-q", "d")
	r.write("d/x.tf", "in a directory")
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("a.tf", "ours")
	r.write("d", "changed")
	r.commit()
	merge := exec.Command("git", "-C", r.dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "merge", "-q", "other")
	if err := merge.Run(); err == nil {
		t.Fatal("there is no conflict")
	}
	index := openIndex(t, r.dir, "")
	got := readsAs(index, "a.tf")
	if !strings.Contains(got[0], "it has a merge conflict") {
		t.Errorf("%q", got)
	}
	if names := namesIn(t, index, "."); !strings.Contains(strings.Join(names, " "), "a.tf") {
		t.Errorf("%q", names)
	}
}

// Files are read as they are stored, and files with a filter not at all, whether it is set up or
// not.
func TestIndexIsStored(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.tf text eol=crlf\nodd.tf filter=odd\nset.tf filter\n")
	r.git("config", "core.autocrlf", "true")
	mark := filepath.Join(t.TempDir(), "ran")
	r.write("a.tf", "a\nb\n")
	r.write("odd.tf", "a\n")
	r.write("set.tf", "a\n")
	r.write("lfs.tf", "version https://git-lfs.github.com/spec/v1\n")
	r.git("add", "-A")
	r.git("config", "filter.odd.smudge", "touch "+mark)
	r.git("config", "filter.odd.clean", "touch "+mark)
	index := openIndex(t, r.dir, "")
	got := readsAs(index, "a.tf", "set.tf", "odd.tf", "lfs.tf")
	if got[0] != "a\nb\n" || got[1] != "a\n" {
		t.Errorf("%q", got)
	}
	if !strings.Contains(got[2], "through the filter odd, which tofumerge doesn't run") || !strings.Contains(got[3], "Git LFS") {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a filter ran")
	}
}

// A hook may get another index than the repository's, by a path from the top.
func TestIndexOfVariable(t *testing.T) {
	r := newRepo(t)
	r.write("a.tf", "one")
	r.git("add", "-A")
	r.git("read-tree", "--empty", "--index-output=other.index")
	r.write("sub/x", "")
	for _, file := range []string{"other.index", filepath.Join(r.dir, "other.index")} {
		if got := namesIn(t, openIndex(t, r.dir, file), "."); len(got) > 0 {
			t.Errorf("%s has %q", file, got)
		}
	}
	if got := namesIn(t, openIndex(t, r.dir, filepath.Join(".git", "index")), "."); len(got) != 1 {
		t.Errorf("the index has %q", got)
	}
	if _, err := OpenIndex(r.dir, "", "nowhere"); err == nil || !strings.Contains(err.Error(), "GIT_INDEX_FILE doesn't name a readable index") {
		t.Error(err)
	}
	r.write("broken", "DIRC, but broken")
	if _, err := OpenIndex(r.dir, "", "broken"); err == nil {
		t.Error("a broken index is read")
	}
}

// A revision can be read as it is stored, to be compared with an index.
func TestAsStored(t *testing.T) {
	r := newRepo(t)
	r.write(".gitattributes", "*.tf text eol=crlf\n")
	r.write("a.tf", "a\n")
	r.commit()
	r.write("a.tf", "a\r\n")
	for _, isStored := range []bool{false, true} {
		rev, err := Open(r.dir, "", "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(rev.Close)
		want := "a\r\n"
		if isStored {
			rev.IsStored, want = true, "a\n"
		}
		if got := readsAs(rev, "a.tf"); got[0] != want {
			t.Errorf("stored %v: %q, want %q", isStored, got[0], want)
		}
	}
}

// Only .gitignore files of the repository name files that are ignored, and an exception ends that.
func TestIgnoredBy(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "*_override.tf\n!kept_override.tf\n")
	r.write("m/.gitignore", "# those of one person\n[a]:b.tf\n")
	r.write(".git/info/exclude", "local.tf\n")
	r.git("add", "-A", ".gitignore")
	index := openIndex(t, r.dir, "")
	for name, want := range map[string]string{
		"m/a_override.tf": ".gitignore:1", "kept_override.tf": "", "local.tf": "", "main.tf": "",
		"m/a:b.tf": "m/.gitignore:2", ":a_override.tf": ".gitignore:1", ":(top)a_override.tf": ".gitignore:1",
		"a\nb_override.tf": ".gitignore:1", "no/such/dir/b_override.tf": ".gitignore:1",
	} {
		if got, err := index.IgnoredBy(name); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestIndexUnknown(t *testing.T) {
	if _, err := OpenIndex(t.TempDir(), "", ""); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside of a repository: %v", err)
	}
	r := newRepo(t)
	r.git("config", "core.bare", "true")
	if _, err := OpenIndex(r.dir, "", ""); err == nil {
		t.Error("a bare repository has an index")
	}
}
