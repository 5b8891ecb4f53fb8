package discover

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/render/report"
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

// A world is a directory to search in, with the messages about it.
type world struct {
	testing.TB
	top  string
	said []string
}

// newWorld writes empty files, or texts behind an equals sign, into a new working directory.
func newWorld(t *testing.T, files ...string) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{TB: t, top: top}
	for _, file := range files {
		name, text, _ := strings.Cut(file, "=")
		w.write(name, text)
	}
	t.Chdir(top)
	return w
}

func (w *world) write(name, text string) {
	w.Helper()
	path := filepath.Join(w.top, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		w.Fatal(err)
	}
}

// git runs git in a directory.
func (w *world) git(dir string, args ...string) {
	w.Helper()
	cmd := exec.Command("git", append([]string{"-C", filepath.Join(w.top, dir), "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "HOME="+w.top,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func needsGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git isn't installed")
	}
}

func (w *world) search() *Search {
	say := func(text string) { w.said = append(w.said, text) }
	return &Search{Recursive: true, DirsOnly: true, Note: say}
}

// finds fails unless a search finds these directories.
func (w *world) finds(s *Search, paths []string, want ...string) *Result {
	w.Helper()
	found, err := s.Find(paths)
	if err != nil {
		w.Error(err)
	}
	got := []string{}
	for _, subject := range found.Subjects {
		got = append(got, filepath.ToSlash(subject.Dir))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("%q (-want +got):\n%s", paths, diff)
	}
	return found
}

// says fails unless there was exactly one message, which contains a text; an empty text means no
// message.
func (w *world) says(want string) {
	w.Helper()
	if isQuiet := want == ""; isQuiet && len(w.said) > 0 || !isQuiet && (len(w.said) != 1 || !strings.Contains(w.said[0], want)) {
		w.Errorf("said %q, want %q", w.said, want)
	}
	w.said = nil
}

func (w *world) skips(found *Result, want report.SkipCounts) {
	w.Helper()
	if diff := cmp.Diff(want, found.Skipped); diff != "" {
		w.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// An empty directory of a submodule is noted, in the repository that it is in; one that git doesn't know is not.
func TestMissingSubmodules(t *testing.T) {
	needsGit(t)
	w := newWorld(t, "sub/main.tf", "repo/main.tf", "repo/inner/.git/HEAD=nonsense")
	w.git("sub", "init", "-q")
	w.git("sub", "add", ".")
	w.git("sub", "commit", "-q", "-m", "x")
	w.git("repo", "init", "-q")
	w.git("repo", "submodule", "--quiet", "add", filepath.Join(w.top, "sub"), "vendor/sub")
	w.git("repo", "submodule", "--quiet", "deinit", "-f", "vendor/sub")
	for _, empty := range []string{"repo/empty", "repo/inner/sub"} {
		if err := os.Mkdir(filepath.Join(w.top, filepath.FromSlash(empty)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.skips(w.finds(w.search(), []string{"repo"}, "repo"), report.SkipCounts{Submodules: 1})
	w.says("Note: repo/vendor/sub is a submodule that isn't checked out")
	w.write("repo/.git/index", "nonsense")
	w.skips(w.finds(w.search(), []string{"repo"}, "repo"), report.SkipCounts{})
	w.says("")
	f := &finder{Search: w.search(), submodules: map[string]map[string]string{}}
	for i := range maxRepositories {
		f.submodules[fmt.Sprint(i)] = map[string]string{}
	}
	f.submodule(filepath.Join(w.top, "sub", "x"))
	if len(f.submodules) > maxRepositories {
		t.Error("git is asked about any number of repositories")
	}
}

// A pattern without a slash matches names at any depth, others paths from the directory that is searched.
func TestExclude(t *testing.T) {
	for _, test := range []struct{ pattern, excluded, kept string }{
		{"build", "build a/build", "builds a/b"},
		{"build/", "build a/build", "builds"},
		{"/build", "build", "a/build"},
		{"./a/build", "a/build", "b/a/build build"},
		{"**/build", "build a/b/build", "builder"},
		{"a/**", "a/b a/b/c", "a b/a"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "b a/x a/xb"},
		{"**/a/*/b/**/c", "a/x/b/c z/a/a/b/y/z/c a/x/a/y/b/c", "a/b/c a/x/y/b/c"},
		{"*", "a .a a/b", ""},
		{"*/x?", "a/xy a/xé", "xy a/x a/b/xy"},
		{"[a-c]x", "ax cx d/ax", "dx"},
		{"[^a]", "b", "a"},
		{`\!a`, "!a", "a"},
	} {
		s := &Search{Recursive: true, Exclude: []string{test.pattern}}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		for dir := range strings.FieldsSeq(test.excluded) {
			if !s.isExcluded(dir) {
				t.Errorf("%q keeps %q", test.pattern, dir)
			}
		}
		for dir := range strings.FieldsSeq(test.kept) {
			if s.isExcluded(dir) {
				t.Errorf("%q excludes %q", test.pattern, dir)
			}
		}
	}
	for _, bad := range []string{"", "/", "./", "a//b", "!a", "a/!b", "[!a]x", "[[:digit:]]", "[a", `a\`, "x[a/b]"} {
		if err := (&Search{Recursive: true, Exclude: []string{bad}}).Check(); err == nil || !strings.Contains(err.Error(), "invalid pattern of directories") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What Git ignores is searched, and git isn't asked about it.
func TestIgnored(t *testing.T) {
	w := newWorld(t, "a/main.tf", ".gitignore=a\n", ".git/HEAD=ref: refs/heads/main")
	t.Setenv("PATH", w.top)
	w.finds(w.search(), nil, "a")
	w.says("")
}

// Skipped directories are totalled by reason; a link back into the tree finds nothing new.
func TestSkipped(t *testing.T) {
	w := newWorld(t, "in/main.tf", "in/.terraform/m/main.tf", "in/a/.terragrunt-cache/main.tf", "in/.git/main.tf", "in/test/main.tf",
		"in/a/test/main.tf", "out/main.tf")
	for name, to := range map[string]string{"away": "../out", "home": "a", "file": "../out/main.tf", "dead": "nowhere"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(w.top, "in", name)); err != nil {
			t.Skip(err)
		}
	}
	s := w.search()
	s.Exclude = []string{"test"}
	w.skips(w.finds(s, []string{"in"}, "in"), report.SkipCounts{Excluded: 2, Caches: 2, Links: 1})
	w.says("")
}

// A directory that is too deep is an error, with everything found before; a revision has no deeper
// ones either.
func TestTooDeep(t *testing.T) {
	deep := strings.Repeat("d/", maxWalk+1)
	w := newWorld(t, "main.tf", deep+"main.tf")
	found, err := w.search().Find(nil)
	if err == nil || !strings.Contains(err.Error(), "more than 100 directories below .; to skip it, use --exclude") || len(found.Subjects) != 1 {
		t.Errorf("%v, %v", found, err)
	}
	s := w.search()
	s.Exclude = []string{"d"}
	w.finds(s, nil, ".")
	s = w.search()
	s.Past = pastOf(map[string][]string{"e/" + deep: {"main.tf"}})
	if _, err := s.Find([]string{"."}); err == nil {
		t.Error("a revision is searched further down")
	}
}

// Files stand for the module of their directory; each directory comes up once.
func TestArguments(t *testing.T) {
	w := newWorld(t, "a/main.tf", "a/b.tf", "c/main.tf", "c/.terraform/m/main.tf")
	s := w.search()
	s.Recursive, s.DirsOnly = false, false
	found := w.finds(s, []string{"c/main.tf", "a/main.tf", "./a/b.tf", "c/.terraform/m/main.tf"}, "c", "a")
	if a := found.Subjects[1]; len(a.Files) != 2 || a.Must {
		t.Errorf("%+v", a)
	}
	found = w.finds(s, []string{"a/main.tf", "a"}, "a")
	if a := found.Subjects[0]; a.Files != nil || !a.Must {
		t.Errorf("%+v", a)
	}
	for path, want := range map[string]string{"": "the name of a PATH is empty", "nowhere": "no such file or directory: nowhere", "\x1b": `\x1b`} {
		if _, err := s.Find([]string{path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	s.Exclude = []string{"x"}
	if _, err := s.Find(nil); err == nil || !strings.Contains(err.Error(), "use it with -r") {
		t.Error(err)
	}
	found = w.finds(w.search(), []string{"nowhere"}, "nowhere")
	if !found.Subjects[0].Must {
		t.Error("a directory that is named may be missing")
	}
	if _, err := s.Find([]string{""}); err == nil {
		t.Error("an empty name is taken")
	}
}

// A directory that can't be searched is found, so that reading it reports the reason.
func TestUnreadable(t *testing.T) {
	w := newWorld(t, "a/main.tf")
	dir := filepath.Join(w.top, "a")
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if _, err := os.ReadDir(dir); err == nil {
		t.Skip("everything can be read")
	}
	w.finds(w.search(), nil, "a")
	if !MayHoldModule(dir) {
		t.Error("it holds no module for certain")
	}
}

func TestHolds(t *testing.T) {
	w := newWorld(t, "a/main.tofu", "b/readme", "b/d.tf/x", "c/x_override.tf.json")
	for dir, want := range map[string][2]bool{"a": {true, false}, "b": {false, false}, "c": {true, true}, "none": {false, false}, "b/readme": {false, false}} {
		if got := [2]bool{MayHoldModule(dir), MayHoldOverrides(dir)}; got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
	for i := range 3 * batch {
		w.write(fmt.Sprintf("b/%04d", i), "")
	}
	w.write("b/zzzz.tf", "")
	if !MayHoldModule("b") {
		t.Error("the last of many names is not seen")
	}
	if HoldsModule(nil, engine.Default()) {
		t.Error("no directory holds a module")
	}
	if IsConfigName(".hidden.tf") || IsConfigName("main.tf~") || !IsConfigName("main.tf.json") {
		t.Error("names")
	}
}

// A search stops on request.
func TestIsOver(t *testing.T) {
	w := newWorld(t, "a/main.tf", "b/main.tf", "c/main.tf")
	n := 0
	s := w.search()
	s.IsOver = func() bool { n++; return n > 2 }
	w.finds(s, nil, "a")
}
