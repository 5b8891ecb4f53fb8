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
	return &Search{Recursive: true, DirsOnly: true, Warn: say, Note: say}
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

// Below an ignored directory only tracked files are searched, whatever pattern re-includes others.
func TestTracked(t *testing.T) {
	needsGit(t)
	w := newWorld(t, "main.tf", "prod/a/main.tf", "prod/main.tf", "prod/loose/main.tf", "prod/kept/main.tf", "gone/main.tf",
		".gitignore=prod\ngone\n!prod/kept\n!prod/loose\n")
	w.git(".", "init", "-q")
	w.git(".", "add", "-f", "main.tf", "prod/a/main.tf")
	found := w.finds(w.search(), nil, ".", "prod", "prod/a")
	w.skips(found, report.SkipCounts{Ignored: 3})
	w.says("")
	// A named directory is searched, and directories are ignored below it as below any other
	// directory.
	w.finds(w.search(), []string{"prod/loose", "gone"}, "prod/loose", "gone")
	s := w.search()
	s.SeesIgnored = true
	w.skips(w.finds(s, nil, ".", "gone", "prod", "prod/a", "prod/kept", "prod/loose"), report.SkipCounts{})
}

// Git is called once for each repository, and not at all without need.
func TestAsksOnce(t *testing.T) {
	needsGit(t)
	w := newWorld(t, "main.tf")
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("d%02d", i))
		w.write(names[i]+"/main.tf", "")
	}
	w.git(".", "init", "-q")
	program, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	text := fmt.Sprintf("#!/bin/sh\necho x >> '%s/asked'\nexec '%s' \"$@\"\n", bin, program)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(filepath.Join(bin, "git"), "--version").Run(); err != nil {
		t.Skip("scripts of a shell don't run here")
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	asked := func() int {
		text, _ := os.ReadFile(filepath.Join(bin, "asked"))
		_ = os.Remove(filepath.Join(bin, "asked"))
		return strings.Count(string(text), "x")
	}
	asked()
	w.finds(w.search(), nil, append([]string{"."}, names...)...)
	if n := asked(); n != 0 {
		t.Errorf("git ran %d times for nothing", n)
	}
	w.write(".gitignore", "d*\n")
	w.finds(w.search(), []string{".", "d00"}, ".", "d00")
	if n := asked(); n != 1 {
		t.Errorf("git ran %d times", n)
	}
}

// If it isn't known which files are tracked, nothing is ignored, and that is reported once.
func TestUnknown(t *testing.T) {
	files := []string{"a/main.tf", "b/main.tf", ".gitignore=a\nb\n"}
	t.Run("outside", func(t *testing.T) {
		w := newWorld(t, files...)
		w.skips(w.finds(w.search(), nil, "a", "b"), report.SkipCounts{})
		w.says("Note: . is not in a Git repository")
	})
	t.Run("no repository to Git", func(t *testing.T) {
		needsGit(t)
		w := newWorld(t, append(files, ".git/HEAD=nonsense")...)
		w.finds(w.search(), nil, "a", "b")
		w.says("Note: . is not in a Git repository")
	})
	t.Run("broken", func(t *testing.T) {
		needsGit(t)
		w := newWorld(t, files...)
		w.git(".", "init", "-q")
		w.write(".git/index", "nonsense")
		w.finds(w.search(), nil, "a", "b")
		w.says("git can't list the tracked files of ., so -r also searches directories that .gitignore names there: git ls-files failed")
	})
	t.Run("without git", func(t *testing.T) {
		w := newWorld(t, append(files, ".git/HEAD=ref: refs/heads/main")...)
		t.Setenv("PATH", w.top)
		w.finds(w.search(), nil, "a", "b")
		w.says("git isn't installed")
	})
}

// A submodule has its own patterns and its own index; a clone in an ignored directory has
// nothing that the repository around it tracks.
func TestNested(t *testing.T) {
	needsGit(t)
	w := newWorld(t, "repo/.gitignore=vendor\ncache\n", "sub/main.tf", "sub/x/main.tf", "sub/.gitignore=x\ny\n")
	w.git("sub", "init", "-q")
	w.git("sub", "add", "-f", ".")
	w.git("sub", "commit", "-q", "-m", "x")
	w.git("repo", "init", "-q")
	w.git("repo", "submodule", "--quiet", "add", "-f", filepath.Join(w.top, "sub"), "vendor/sub")
	w.git("repo", "clone", "-q", filepath.Join(w.top, "sub"), "cache")
	w.write("repo/vendor/sub/y/main.tf", "")
	w.write("repo/vendor/sub/cache/main.tf", "") // which the patterns around it don't reach
	w.skips(w.finds(w.search(), []string{"repo"}, "repo/vendor/sub", "repo/vendor/sub/cache", "repo/vendor/sub/x"), report.SkipCounts{Ignored: 2})
	w.says("")
}

// An archive may hold more repositories than git is called for.
func TestManyRepositories(t *testing.T) {
	needsGit(t)
	w := newWorld(t, "none/main.tf")
	w.git("none", "init", "-q")
	x := &indexes{search: w.search(), known: map[string]*index{}}
	for i := range maxIndexes {
		x.known[fmt.Sprint(i)] = &index{}
	}
	if !x.isTracked([]string{filepath.Join(w.top, "none")}, filepath.Join(w.top, "none", "a")) {
		t.Error("it was asked")
	}
	w.says("there are too many repositories")
	if !x.isTracked([]string{filepath.Join(w.top, "other")}, filepath.Join(w.top, "other", "a")) {
		t.Error("it was asked")
	}
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
	s = w.search()
	s.Exclude = []string{"[x"}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), `invalid pattern of directories "[x"`) {
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
