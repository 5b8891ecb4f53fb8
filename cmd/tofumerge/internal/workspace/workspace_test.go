package workspace_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

func TestMain(m *testing.M) {
	clitest.ForgetEnvironment()
	os.Exit(m.Run())
}

// A try is a workspace over a directory, with its output.
type try struct {
	*workspace.Workspace
	errs bytes.Buffer
	env  map[string]string
}

func newTry(t *testing.T, dir string) *try {
	w := &try{env: map[string]string{}}
	w.Workspace = &workspace.Workspace{
		Console:     terminal.New(strings.NewReader("locals {\n  a = 9\n}\n"), &bytes.Buffer{}, &w.errs, func(name string) string { return w.env[name] }),
		Chdirs:      []string{dir},
		MaxFileSize: input.MaxFileSize,
	}
	t.Cleanup(w.Revisions.Close)
	return w
}

// said is the text for people, without line breaks.
func (w *try) said() string {
	_ = w.Flush()
	return clitest.OneLine(w.errs.String())
}

// each words the modules of a run in the order in which they are taken: heading, files and changes.
func (w *try) each(t *testing.T, s *workspace.Search, args ...string) (string, *workspace.Run, error) {
	t.Helper()
	r, err := w.Select(args, s)
	if err != nil {
		return "", nil, err
	}
	var out strings.Builder
	err = workspace.Each(r, func(m *workspace.Module) int { return len(m.Changes()) }, func(m *workspace.Module, n int) error {
		fmt.Fprintf(&out, "%s: %d files, %d blocks", m.Dir, len(m.Source.Files), n)
		if m.Left != nil {
			fmt.Fprintf(&out, ", against %s, same %v", m.Left.Label(), m.Left.IsSame)
		}
		out.WriteString("\n")
		return r.Report(m, m.Diags)
	})
	r.Finish()
	return out.String(), r, err
}

const modules = `
-- b/main.tf --
locals {
  a = 1
}
-- b/override.tf --
locals {
  a = 2
}
-- a/main.tf --
locals {
  a = 1
}
-- root/main.tf --
module "y" {
  source = "../b"
}
module "x" {
  source = "../b"
}
module "far" {
  source = "a/b/c"
}
-- broken/main.tf --
locals {
-- none/x.txt --
`

// Each module is taken in order, whether it is named or found.
func TestEach(t *testing.T) {
	dir := clitest.Tree(t, modules)
	for _, test := range []struct {
		name   string
		search workspace.Search
		args   []string
		want   string
		fails  string // in the error or what people read
	}{
		{"named", workspace.Search{DirsOnly: true}, []string{"b", "a"}, "b: 2 files, 1 blocks\na: 1 files, 0 blocks\n", ""},
		{"found", workspace.Search{DirsOnly: true, Recursive: true, Exclude: []string{"broken"}}, []string{"."},
			"a: 1 files, 0 blocks\nb: 2 files, 1 blocks\nroot: 1 files, 0 blocks\n", ""},
		{"filtered", workspace.Search{DirsOnly: true, Filter: patterns(t, "local.b")}, []string{"b"}, "b: 2 files, 0 blocks\n", ""},
		{"one is broken", workspace.Search{DirsOnly: true}, []string{"broken", "a"}, "broken: 1 files, 0 blocks\na: 1 files, 0 blocks\n", "errors were reported"},
		{"one is broken below", workspace.Search{DirsOnly: true, Recursive: true}, []string{"."},
			"a: 1 files, 0 blocks\nb: 2 files, 1 blocks\nbroken: 1 files, 0 blocks\nroot: 1 files, 0 blocks\n", "nothing was printed: 1 of 4 modules has errors"},
		{"one holds no module", workspace.Search{DirsOnly: true}, []string{"none"}, "", "errors were reported"},
		{"nothing is below", workspace.Search{DirsOnly: true, Recursive: true}, []string{"none"}, "", "no configuration files below none"},
		{"no repository", workspace.Search{DirsOnly: true, Sides: workspace.Sides{Since: &workspace.Rev{Name: "x"}}}, []string{"a"}, "", "errors were reported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newTry(t, dir)
			got, _, err := w.each(t, &test.search, test.args...)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if (err == nil) != (test.fails == "") || err != nil && !strings.Contains(err.Error(), test.fails) {
				t.Errorf("the error is %v, want %q", err, test.fails)
			}
		})
	}
}

func patterns(t *testing.T, texts ...string) (list []address.Pattern) {
	t.Helper()
	for _, text := range texts {
		p, err := address.ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// A run on several modules gives their number, and how many items --filter hides.
func TestTotals(t *testing.T) {
	dir := clitest.Tree(t, modules)
	w := newTry(t, dir)
	w.Verbose = true
	_, r, err := w.each(t, &workspace.Search{DirsOnly: true}, "a", "b")
	if err != nil || r.TotalsRecord() == nil || r.TotalsRecord().Modules != 2 || !strings.Contains(w.said(), "b: opentofu@") || !strings.Contains(w.said(), "1 override file changes 1 block") {
		t.Errorf("%v, %+v, %s", err, r.TotalsRecord(), w.said())
	}
	w = newTry(t, dir)
	if _, r, _ = w.each(t, &workspace.Search{DirsOnly: true}, "a"); r.TotalsRecord() != nil {
		t.Errorf("one module has totals: %+v", r.TotalsRecord())
	}
}

// What overlays and excluded override files make of a module.
func TestOverlays(t *testing.T) {
	dir := clitest.Tree(t, modules+"-- more.tf --\nlocals {\n  a = 3\n}\n-- dir/x --\n")
	load := func(overlays, excluded []string) (string, error) {
		w := newTry(t, dir)
		w.Overlays, w.Excluded = overlays, excluded
		got, _, err := w.each(t, &workspace.Search{DirsOnly: true}, "b")
		return got + w.said(), err
	}
	for _, test := range []struct {
		overlays, excluded []string
		want               string
	}{
		{[]string{"more.tf"}, nil, "b: 3 files, 1 blocks\n"},
		{[]string{"-"}, nil, "b: 3 files, 1 blocks\n"},
		{nil, []string{"over*"}, "b: 1 files, 0 blocks\n"},
		{nil, []string{"over*", "z*"}, "b: 1 files, 0 blocks\nWarning: --exclude-override z* matches no override file"},
		{[]string{""}, nil, "--overlay needs the name of a file"},
		{[]string{"more.tf", "more.tf"}, nil, "given twice"},
		{[]string{"none.tf"}, nil, "can't read --overlay none.tf"},
		{[]string{"dir"}, nil, "it is a directory"},
		{nil, []string{"["}, "invalid pattern"},
	} {
		got, err := load(test.overlays, test.excluded)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%v, %v: %s, want %s", test.overlays, test.excluded, got, test.want)
		}
	}
	w := newTry(t, dir)
	w.Overlays, w.MaxFileSize = []string{"-"}, 10
	if _, err := w.Options(); err == nil || !strings.Contains(err.Error(), "larger than 10 bytes") {
		t.Errorf("%v", err)
	}
}

// A module that is compared with a revision, which may have it elsewhere or not at all.
func TestSince(t *testing.T) {
	dir := clitest.Tree(t, modules)
	clitest.Commit(t, dir)
	clitest.Unpack(t, dir, "-- b/override.tf --\nlocals {\n  a = 5\n}\n-- new/main.tf --\nlocals {\n}\n")
	clitest.Git(t, dir, "mv", "a", "moved")
	for _, test := range []struct {
		rev  workspace.Rev
		args []string
		want string
		said string
	}{
		{workspace.Rev{Name: "HEAD"}, []string{"b"}, "b: 2 files, 1 blocks, against HEAD:b, same false\n", ""},
		{workspace.Rev{Name: "HEAD"}, []string{"root"}, "root: 1 files, 0 blocks, against HEAD:root, same true\n", ""},
		{workspace.Rev{Name: "HEAD"}, []string{"moved"}, "moved: 1 files, 0 blocks, against HEAD:a, same true\n", "moved was a at HEAD"},
		{workspace.Rev{Name: "HEAD"}, []string{"a"}, "a: 0 files, 1 blocks, against HEAD:a, same false\n", "a holds no module any more; HEAD:a does"},
		{workspace.Rev{Name: "HEAD"}, []string{"new"}, "new: 1 files, 0 blocks, against HEAD:new, same false\n", "HEAD:new holds no module"},
		{workspace.Rev{Name: "HEAD", Dir: "b", HasDir: true}, []string{"root"}, "root: 1 files, 4 blocks, against HEAD:b, same false\n", ""},
		{workspace.Rev{Name: "HEAD", Dir: "./b", HasDir: true}, []string{"b"}, "b: 2 files, 1 blocks, against HEAD:b, same false\n", ""},
		{workspace.Rev{Name: "HEAD", Dir: "zz", HasDir: true}, []string{"b"}, "", "HEAD has no directory zz"},
		{workspace.Rev{Name: "HEAD", Dir: "/b", HasDir: true}, []string{"b"}, "", "remove the slash at its start"},
		{workspace.Rev{Name: "nothing"}, []string{"b"}, "", "nothing"},
	} {
		w := newTry(t, dir)
		got, _, err := w.each(t, &workspace.Search{DirsOnly: true, Sides: workspace.Sides{Since: &test.rev}}, test.args...)
		if said := w.said(); got != test.want || (err == nil) != (test.want != "") || !strings.Contains(said, test.said) {
			t.Errorf("%s %v: %v\n%s%s", &test.rev, test.args, err, got, said)
		}
	}
	w := newTry(t, dir)
	got, _, err := w.each(t, &workspace.Search{DirsOnly: true, Recursive: true, Exclude: []string{"broken"}, Sides: workspace.Sides{Since: &workspace.Rev{Name: "HEAD"}}}, ".")
	if !strings.Contains(got, "b: 2 files") || strings.Contains(got, "\na: ") || err != nil {
		t.Errorf("%v, %s", err, got)
	}
	if _, err := w.Select([]string{"main"}, &workspace.Search{DirsOnly: true, RevFlag: "since"}); err == nil || !strings.Contains(err.Error(), "use --since main") {
		t.Errorf("%v", err)
	}
	if names := w.RevisionNames(10); !cmp.Equal(names, []string{"main"}) {
		t.Errorf("revisions are %v", names)
	}
}

// With --tracked, modules are read from the index.
func TestTracked(t *testing.T) {
	dir := clitest.Tree(t, modules)
	clitest.Commit(t, dir)
	clitest.Unpack(t, dir, "-- b/more.tf --\nlocals {\n}\n-- new/main.tf --\nlocals {\n}\n-- root/terraform.tfvars --\n-- .tofumerge.hcl --\nengine = \"terraform\"\n")
	w := newTry(t, dir)
	w.UseRevision("")
	got, _, err := w.each(t, &workspace.Search{DirsOnly: true, Recursive: true, Exclude: []string{"broken"}}, ".")
	if want := "a: 1 files, 0 blocks\nb: 2 files, 1 blocks\nroot: 1 files, 0 blocks\n"; got != want || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, cmp.Diff(want, got))
	}
	if e, err := w.Engine(dir + "/b"); err != nil || e.Release.Product != engine.Default().Product {
		t.Errorf("%+v, %v", e, err)
	}
	for name, want := range map[string][2]bool{"b": {true, true}, "b/main.tf": {false, true}, "b/more.tf": {}, "new": {}, "": {}} {
		if isDir, ok := w.IsTracked(name); isDir != want[0] || ok != want[1] {
			t.Errorf("%q is tracked: %v, and a directory: %v", name, ok, isDir)
		}
	}
	plain := newTry(t, clitest.Tree(t, modules))
	plain.UseRevision("")
	if _, err := plain.OptionsFor(plain.Dir([]string{"b"})); err == nil || !strings.Contains(err.Error(), "leave out --tracked") {
		t.Errorf("%v", err)
	}
}

// The engine is chosen by a flag, the environment or a settings file, in this order.
func TestEngine(t *testing.T) {
	dir := clitest.Tree(t, modules+"-- b/.tofumerge.hcl --\nengine = \"terraform@1.9\"\n")
	for _, test := range []struct{ flag, env, want string }{
		{"", "", "terraform@1.9"}, {"", "terraform@1.10", "terraform@1.10"}, {"terraform@1.11", "terraform@1.10", "terraform@1.11"}, {"none", "", ""},
	} {
		w := newTry(t, dir)
		w.Engines.Flag, w.env[workspace.EngineVariable] = test.flag, test.env
		got, err := w.Engine(dir + "/b")
		if (err == nil) != (test.want != "") || !strings.HasPrefix(got.Release.String(), test.want) {
			t.Errorf("%+v: %s, %v", test, got.Release, err)
		}
	}
}

// Warnings that a comment silences are totalled, and errors are always shown.
func TestReport(t *testing.T) {
	dir := clitest.Tree(t, "-- m/main.tf --\nterraform {\n}\n-- m/override.tf --\nterraform {\n  # tofumerge:ignore no-effect\n  required_version = \">= 1.0\"\n}\n")
	w := newTry(t, dir)
	if _, _, err := w.each(t, &workspace.Search{DirsOnly: true}, "m"); err != nil {
		t.Fatal(err)
	}
	w.NoteIgnored()
	if !strings.Contains(w.said(), "to see what, use --no-ignore") || strings.Contains(w.said(), "Warning") {
		t.Errorf("it says %s", w.said())
	}
	w = newTry(t, dir)
	w.NoIgnore = true
	if _, _, err := w.each(t, &workspace.Search{DirsOnly: true}, "m"); err != nil || !strings.Contains(w.said(), "Warning") {
		t.Errorf("%v, %s", err, w.said())
	}
	w.errs.Reset()
	w.Quiet = true
	if _, _, err := w.each(t, &workspace.Search{DirsOnly: true}, "m"); err != nil || w.said() != "" {
		t.Errorf("%v, %s", err, w.said())
	}
}

// What people type where no module is names the modules below.
func TestModulesBelow(t *testing.T) {
	w := newTry(t, clitest.Tree(t, modules))
	_, _, err := w.each(t, &workspace.Search{DirsOnly: true, IsSingle: true})
	if want := "4 modules below: a, b, broken … 1 more; run: tofumerge a, or for all of them: tofumerge check -r ."; !errors.Is(err, workspace.ErrReported) || !strings.Contains(w.said(), want) {
		t.Errorf("%v, %s", err, w.said())
	}
}
