package repo_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

// tree makes directories, and links where a path has an arrow. It returns their root, by its
// one name.
func tree(t *testing.T, paths ...string) string {
	t.Helper()
	top := repo.Real(t.TempDir())
	for _, p := range paths {
		if err := os.MkdirAll(filepath.Join(top, filepath.FromSlash(p)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

func link(t *testing.T, name, to string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err)
	}
}

// relative are paths as seen from a directory.
func relative(t *testing.T, top string, paths []string) []string {
	t.Helper()
	var list []string
	for _, p := range paths {
		rel, err := filepath.Rel(top, p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, filepath.ToSlash(rel))
	}
	return list
}

// A .git below the working directory ends no search, one at or above it does.
func TestUpward(t *testing.T) {
	top := tree(t, "r/.git", "r/a/b/.git", "r/a/b/c", "plain/x", "plain/y/.git", "plain/y/z")
	for _, c := range []struct {
		here, dir string
		want      []string
	}{
		{"r", "r/a/b/c", []string{"r/a/b/c", "r/a/b", "r/a", "r"}},
		{"r/a", "r/a/b/c", []string{"r/a/b/c", "r/a/b", "r/a", "r"}},
		{"r/a/b/c", "r/a/b/c", []string{"r/a/b/c", "r/a/b"}},
		{"plain", "plain/y/z", []string{"plain/y/z", "plain/y", "plain"}},
		{"plain/x", "r/a/b/c", []string{"r/a/b/c", "r/a/b", "r/a", "r"}},
		{"plain/x", "plain/y/z", []string{"plain/y/z", "plain/y"}},
	} {
		t.Chdir(filepath.Join(top, c.here))
		got := relative(t, top, slices.Collect(repo.Ancestors(filepath.Join(top, c.dir))))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s from %s (-want +got):\n%s", c.dir, c.here, diff)
		}
	}
}

func TestRoot(t *testing.T) {
	top := tree(t, "r/.git", "r/a/b")
	if got := repo.Root(filepath.Join(top, "r/a/b")); got != filepath.Join(top, "r") {
		t.Error(got)
	}
	if got := repo.Root(top); got != top {
		t.Error(got)
	}
}

func TestIsWithin(t *testing.T) {
	for _, c := range []struct {
		dir, root string
		want      bool
	}{{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/a", "/a/b", false}, {"/a", "/", true}} {
		if got := repo.IsWithin(filepath.FromSlash(c.dir), filepath.FromSlash(c.root)); got != c.want {
			t.Error(c, got)
		}
	}
}

// A link points outside if its target is not in the link's repository.
func TestLeadsOut(t *testing.T) {
	top := tree(t, "r/.git", "r/a", "r/b", "out")
	t.Chdir(filepath.Join(top, "r"))
	link(t, "in", "b")
	link(t, "away", filepath.Join("..", "out"))
	link(t, "dead", "nowhere")
	for name, want := range map[string]bool{"a": false, "in": false, "away": true, "dead": true} {
		if got := repo.EscapesRepo(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The settings above a link's target apply as well as those above the link.
func TestGoverning(t *testing.T) {
	top := tree(t, "r/.git", "r/a/m", "r/b")
	t.Chdir(filepath.Join(top, "r"))
	link(t, filepath.Join("b", "m"), filepath.Join("..", "a", "m"))
	got := relative(t, top, repo.SettingsDirs(filepath.Join("b", "m")))
	want := []string{"r/b/m", "r/b", "r", "r/a"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if a, b := repo.Real("a/m"), repo.Real("b/m"); a != b || !repo.IsSameFile("a/m", "b/m") || repo.IsSameFile("a", "b") {
		t.Error(a, b)
	}
}

func TestIn(t *testing.T) {
	for _, c := range [][3]string{{"", "a", "a"}, {"b", "a", "b/a"}, {"b", "", "b"}} {
		if got := repo.In(c[0], c[1]); filepath.ToSlash(got) != c[2] {
			t.Error(c, got)
		}
	}
	abs := repo.Absolute("x")
	if got := repo.In("b", abs); got != abs {
		t.Error(got)
	}
}

// A file that is open in an editor stands for the one on the disk, and may be quoted.
func TestDisk(t *testing.T) {
	top := tree(t, "repo/.git", "repo/a", "secret")
	t.Chdir(filepath.Join(top, "repo"))
	if err := os.WriteFile(filepath.Join(top, "secret", "file"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, unsaved := filepath.Join(top, "repo", "out"), filepath.Join(top, "repo", "unsaved")
	link(t, out, filepath.Join(top, "secret", "file"))
	open := repo.Disk{Open: func(path string) ([]byte, bool) { return []byte("open"), path == out || path == unsaved }}
	for _, x := range []struct {
		disk         repo.Disk
		path, text   string
		has, escapes bool
	}{
		{repo.Disk{}, out, "secret", true, true},
		{repo.Disk{}, unsaved, "", false, true},
		{open, out, "open", true, false},
		{open, unsaved, "open", true, false},
	} {
		text, err := x.disk.Read(x.path, 6)
		if string(text) != x.text || (err == nil) != x.has || x.disk.Has(x.path) != x.has || x.disk.EscapesRepo(x.path) != x.escapes {
			t.Errorf("%s: %q, %v; want %+v", x.path, text, err, x)
		}
		if _, err := x.disk.Read(x.path, 3); x.has && (err == nil || err.Error() != "it is larger than 3 bytes") {
			t.Errorf("%s: %v", x.path, err)
		}
	}
}
