package loadtest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"golang.org/x/tools/txtar"
)

// Update makes tests rewrite their expectations. Read the difference like code.
var Update = flag.Bool("update", false, "rewrite what cases, scripts and pages want")

// A Case is a test case in a txtar archive. The first line of its comment states the expected behaviour; a line
// "engine: NAME@VERSION" follows unless the case is about the default engine. Its files are a module, except for
// those called want.NAME, which hold the expected results.
type Case struct {
	Name    string
	Comment string
	Engine  engine.Release
	Files   map[string][]byte

	path string
	arch *txtar.Archive
}

// Run runs a test on each archive in a directory, and compares the results that it returns with the archive: the
// result NAME with the file want.NAME. The test may leave out empty results.
func Run(t *testing.T, dir string, test func(t *testing.T, c *Case) map[string]string) {
	t.Helper()
	Each(t, dir, func(t *testing.T, c *Case) { c.check(t, test(t, c)) })
}

// Each runs a test on each archive in a directory, as a subtest.
func Each(t *testing.T, dir string, test func(t *testing.T, c *Case)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	for _, path := range paths {
		c := read(t, path)
		t.Run(c.Name, func(t *testing.T) { test(t, c) })
	}
}

// read parses an archive. It fails the test if the comment doesn't state the expectation.
func read(t *testing.T, path string) *Case {
	t.Helper()
	arch, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), Comment: string(arch.Comment), Engine: engine.Default(), Files: map[string][]byte{}, path: path, arch: arch}
	if strings.TrimSpace(c.Comment) == "" {
		t.Errorf("%s: the first line must state the expectation", path)
	}
	for line := range strings.Lines(c.Comment) {
		if name, ok := strings.CutPrefix(line, "engine: "); ok {
			if c.Engine, err = engine.Parse(strings.TrimSpace(name)); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
	for _, f := range arch.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			c.Files[f.Name] = f.Data
		}
	}
	return c
}

// Module returns the path of the case's archive in the repository: its path from the test's directory without the ../
// at the start.
func (c *Case) Module() string { return strings.TrimLeft(filepath.ToSlash(c.path), "./") }

// Load loads the module of the case from memory, for the engine of the case. Other options come from opts.
func (c *Case) Load(t testing.TB, opts load.Options) (*load.Module, hcl.Diagnostics) {
	t.Helper()
	opts.Engine = c.Engine
	return Files(t, c.Files, opts)
}

// Files loads a module that consists of files, by name, from memory: nothing on the disk is read.
func Files(t testing.TB, files map[string][]byte, opts load.Options) (*load.Module, hcl.Diagnostics) {
	t.Helper()
	opts.Contents, opts.Absent = files, func(string) bool { return true }
	m, diags, err := load.Dir(".", opts)
	if err != nil {
		t.Fatal(err)
	}
	return m, diags
}

// check compares results, by NAME, with the want.NAME files of the archive. If they differ, the test fails or, with
// -update, check rewrites the archive.
func (c *Case) check(t *testing.T, got map[string]string) {
	t.Helper()
	want := map[string]string{}
	var files []txtar.File
	for _, f := range c.arch.Files {
		name, isWant := strings.CutPrefix(f.Name, "want.")
		if !isWant {
			files = append(files, f)
			continue
		}
		want[name] = string(f.Data)
	}
	for name, text := range got {
		switch {
		case text == "":
			delete(got, name)
		case !strings.HasSuffix(text, "\n"):
			got[name] = text + "\n"
		}
	}
	diff := cmp.Diff(want, got)
	if diff == "" {
		return
	}
	if !*Update {
		t.Errorf("%s (-want +got):\n%s", c.path, diff)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		files = append(files, txtar.File{Name: "want." + name, Data: []byte(got[name])})
	}
	c.write(t, files)
}

// write replaces the files of the archive on the disk, and keeps its comment.
func (c *Case) write(t *testing.T, files []txtar.File) {
	t.Helper()
	c.arch.Files = files
	if err := os.WriteFile(c.path, txtar.Format(c.arch), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Messages returns diagnostics, one on each line: FILE:LINE: severity: summary.
func Messages(diags hcl.Diagnostics) string {
	var out strings.Builder
	for _, d := range diags {
		severity := "error"
		if d.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		at := "-"
		if d.Subject != nil {
			at = fmt.Sprintf("%s:%d", d.Subject.Filename, d.Subject.Start.Line)
		}
		fmt.Fprintf(&out, "%s: %s: %s\n", at, severity, d.Summary)
	}
	return out.String()
}

// A Module is the files of a module on the disk.
type Module struct {
	Name  string
	Files map[string]string
}

// Modules returns all modules in the directories below root, and in the txtar archives there, for tests of properties
// that hold for every module. It takes the files that any engine may read.
func Modules(t *testing.T, root string) (list []Module) {
	t.Helper()
	byDir := map[string]map[string]string{}
	take := func(path, text string) {
		dir, name := filepath.Split(path)
		if load.IsIgnoredName(name) || len(load.Classify([]string{name}, engine.Default())) == 0 {
			return
		}
		if byDir[dir] == nil {
			byDir[dir] = map[string]string{}
		}
		byDir[dir][name] = text
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(path, ".txtar") {
			take(path, string(text))
			return nil
		}
		for _, f := range txtar.Parse(text).Files {
			take(filepath.Join(path, f.Name), string(f.Data))
		}
		return nil
	})
	if err != nil || len(byDir) == 0 {
		t.Fatalf("no modules below %s (%v)", root, err)
	}
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		list = append(list, Module{dir, byDir[dir]})
	}
	return list
}
