package gate

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

func TestMain(m *testing.M) {
	clitest.ForgetEnvironment()
	os.Exit(m.Run())
}

// A run of a gate in a directory.
type run struct {
	gate      *Gate
	ws        *workspace.Workspace
	out, errs bytes.Buffer
	dir       string
}

func newRun(t *testing.T, dir string) *run {
	r := &run{dir: dir}
	r.ws = &workspace.Workspace{
		Console:     terminal.New(strings.NewReader(""), &r.out, &r.errs, func(string) string { return "" }),
		Chdirs:      []string{dir},
		MaxFileSize: input.MaxFileSize,
	}
	t.Cleanup(r.ws.Revisions.Close)
	r.gate = New(r.ws)
	r.gate.Format = "text"
	return r
}

// all judges the modules that the arguments name, as check does.
func (r *run) all(t *testing.T, args ...string) (*report.Report, error) {
	t.Helper()
	g := r.gate
	if err := g.Prepare(); err != nil {
		return nil, err
	}
	if err := g.OpenBaseline(g.Baseline.Read != "", g.Baseline.Write != ""); err != nil {
		return nil, err
	}
	subjects, err := r.ws.Subjects(args, &g.Search)
	if err != nil {
		return nil, err
	}
	look := g.All
	if g.Fixing.IsOn {
		look = g.Fix
	}
	doc, err := look(subjects, g.WalkedBy(args))
	if flushed := r.ws.Flush(); flushed != nil {
		t.Fatal(flushed)
	}
	return doc, err
}

// listed words the findings of a report, a line each.
func listed(doc *report.Report) string {
	var out strings.Builder
	for _, f := range doc.Findings {
		fmt.Fprintf(&out, "%s:%d %s %s\n", f.Path, f.Range.Start.Line, f.Rule, f.Address)
	}
	return out.String()
}

const modules = `
-- one/main.tf --
terraform {
}
locals {
  a = 1
  b = 2
}
-- one/override.tf --
locals {
  a = 1
  b = { c = 1 }
}
terraform {
  required_version = ">= 1.0"
}
-- one/z_override.tf --
locals {
  b = 3
}
-- two/main.tf --
module "inner" {
  source = "../inner"
}
module "none" {
  source = "a/b/c"
}
-- inner/main.tf --
output "o" {
  value = 1
}
-- inner/override.tf --
output "o" {
  value = 1
}
-- broken/main.tf --
locals {
-- none/a.txt --
`

// Findings, by flags, settings files, comments and engines, and the end of a run.
func TestFound(t *testing.T) {
	const equivalent = "one/override.tf:2 equivalent-override local.a\n"
	const rest = "one/override.tf:3 superseded-override local.b\none/override.tf:6 no-effect terraform.required_version\n"
	for _, test := range []struct {
		name, more string
		args       []string
		set        func(r *run)
		want       string
		failing    int
	}{
		{name: "what is on by default", args: []string{"one"}, want: equivalent + rest, failing: 1},
		{name: "from warning on", args: []string{"one"}, set: func(r *run) { r.gate.Flags.MinSeverity = ref("warning") },
			want: "one/override.tf:6 no-effect terraform.required_version\n", failing: 1},
		{name: "notices fail", args: []string{"one"}, set: func(r *run) { r.gate.Flags.FailOn = ref("notice") }, want: equivalent + rest, failing: 3},
		{name: "nothing fails", args: []string{"one"}, set: func(r *run) { r.gate.Flags.FailOn = ref("never") }, want: equivalent + rest},
		{name: "a rule that is enabled fails", args: []string{"one"}, set: func(r *run) { r.gate.Flags.Enable = []string{"equivalent-override"} },
			want: equivalent + rest, failing: 2},
		{name: "a rule is off", args: []string{"one"}, set: func(r *run) { r.gate.Flags.Disable = []string{"superseded-override", "no-effect"} }, want: equivalent},
		{name: "one rule is asked for", args: []string{"one"}, set: func(r *run) { r.gate.Select = []string{"equivalent-override"} }, want: equivalent},
		{name: "one file", args: []string{"one/z_override.tf"}, want: equivalent + rest, failing: 1},
		{name: "a settings file", args: []string{"one"}, more: "-- one/.tofumerge.hcl --\ndisable = [\"no-effect\", \"superseded-override\"]\n", want: equivalent},
		{name: "broken settings", args: []string{"one"}, more: "-- one/.tofumerge.hcl --\ndisable = 1\n", want: "one/.tofumerge.hcl:1 unreadable \n", failing: 1},
		{name: "settings of a flag", args: []string{"one"}, more: "-- s.hcl --\ndisable = [\"no-effect\"]\n-- one/.tofumerge.hcl --\ndisable = [\"equivalent-override\"]\n",
			set: func(r *run) { r.gate.Config.File = "s.hcl" }, want: equivalent + "one/override.tf:3 superseded-override local.b\n"},
		{name: "another engine", args: []string{"one"}, set: func(r *run) { r.ws.Engines.Flag = "terraform@1.11" }, want: equivalent + "one/override.tf:3 superseded-override local.b\n"},
		{name: "two engines", args: []string{"one"}, set: func(r *run) {
			r.gate.Flags.AgainstEngines, r.gate.Select = []string{"terraform@1.11"}, []string{"engines-differ"}
		}, want: "one/override.tf:6 engines-differ \n", failing: 1},
		{name: "a denied address", args: []string{"one"}, set: func(r *run) {
			r.gate.Flags.Deny, r.gate.Select = []string{"local.a"}, []string{"denied-override"}
		}, want: "one/override.tf:2 denied-override local.a\n", failing: 1},
		{name: "denied files", args: []string{"one"}, set: func(r *run) {
			r.gate.Flags.DenyOverrides, r.gate.Flags.AllowFiles, r.gate.Select = true, []string{"z_*"}, []string{"denied-override"}
		}, want: "one/override.tf:0 denied-override \n", failing: 1},
		{name: "a denied address in a file that only another engine reads", args: []string{"inner"}, more: "-- inner/x_override.tofu --\noutput \"o\" {\n  value = 2\n}\n" +
			"-- inner/.terraform-version --\n1.11.0\n",
			set:  func(r *run) { r.gate.Flags.Deny, r.gate.Select = []string{"output.o"}, []string{"denied-override"} },
			want: "inner/override.tf:1 denied-override output.o\ninner/x_override.tofu:1 denied-override output.o\n", failing: 2},
		{name: "a module that only another engine reads", args: []string{"."}, more: "-- next/main.tofu --\noutput \"o\" {\n  value = 1\n}\n" +
			"-- next/main_override.tofu --\noutput \"o\" {\n  value = 1\n}\n-- next/.terraform-version --\n1.11.0\n",
			set:  func(r *run) { r.gate.Recursive, r.gate.Exclude = true, []string{"broken", "one", "inner", "two"} },
			want: "next/main_override.tofu:2 equivalent-override output.o.value\n"},
		{name: "a module that the chosen engine doesn't read", args: []string{"."}, more: "-- next/main.tofu --\noutput \"o\" {\n  value = 1\n}\n" +
			"-- next/main_override.tofu --\noutput \"o\" {\n  value = 1\n}\n",
			set: func(r *run) {
				r.gate.Recursive, r.gate.Exclude, r.ws.Engines.Flag = true, []string{"broken", "one", "inner", "two"}, "terraform@1.11"
			}},
		{name: "a module that can't be parsed", args: []string{"broken"}, want: "broken/main.tf:1 syntax-error \n", failing: 1},
		{name: "all below", args: []string{"."}, set: func(r *run) { r.gate.Recursive, r.gate.Exclude = true, []string{"broken", "one"} },
			want: "inner/override.tf:2 equivalent-override output.o.value\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRun(t, clitest.Tree(t, modules+test.more))
			if test.set != nil {
				test.set(r)
			}
			doc, err := r.all(t, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, listed(doc)); diff != "" || doc.Counts.Failing != test.failing {
				t.Errorf("%d fail, want %d; -want +got:\n%s", doc.Counts.Failing, test.failing, diff)
			}
		})
	}
}

func ref(text string) *string { return &text }

// Why a run ends before anything is looked at.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		name, want string
		args       []string
		set        func(r *run)
	}{
		{"a rule", "no-efect", []string{"one"}, func(r *run) { r.gate.Select = []string{"no-efect"} }},
		{"a rule to enable", "no-efect", []string{"one"}, func(r *run) { r.gate.Flags.Enable = []string{"no-efect"} }},
		{"settings", "s.hcl", []string{"one"}, func(r *run) { r.gate.Config.File = "s.hcl" }},
		{"a directory without a module", "or use -r", []string{"none"}, func(*run) {}},
		{"two baselines", "use only one of them", []string{"one"}, func(r *run) { r.gate.Baseline.Read, r.gate.Baseline.Write = "a", "b" }},
		{"a baseline of some rules", "leave out --filter and --select", []string{"one"}, func(r *run) {
			r.gate.Baseline.Write, r.gate.Select = "b", []string{"no-effect"}
		}},
		{"a baseline that isn't there", "b.json", []string{"one"}, func(r *run) { r.gate.Baseline.Read = "b.json" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRun(t, clitest.Tree(t, modules))
			test.set(r)
			doc, err := r.all(t, test.args...)
			if doc != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, %+v", err, doc)
			}
		})
	}
}

// Findings that comments silence are totalled and kept apart, and comments that silence nothing are
// found.
func TestIgnores(t *testing.T) {
	const comment = "  # tofumerge:ignore equivalent-override\n"
	files := strings.Replace(modules, "  value = 1\n}\n-- broken", comment+"  value = 1\n}\n-- broken", 1)
	r := newRun(t, clitest.Tree(t, files))
	doc, err := r.all(t, "inner")
	if err != nil || len(doc.Findings) > 0 || doc.Counts.Ignored != 1 || len(doc.Suppressed) != 1 {
		t.Errorf("%v, %+v", err, doc)
	}
	r = newRun(t, clitest.Tree(t, files))
	r.ws.NoIgnore = true
	if doc, err = r.all(t, "inner"); err != nil || len(doc.Findings) != 1 || doc.Counts.Ignored != 0 {
		t.Errorf("%v, %+v", err, doc)
	}
	r = newRun(t, clitest.Tree(t, strings.Replace(files, "equivalent-override\n  value = 1", "equivalent-override\n  value = 3", 1)))
	if doc, err = r.all(t, "inner"); err != nil || !strings.Contains(listed(doc), "unused-ignore") {
		t.Errorf("%v, %s", err, listed(doc))
	}
}

// Compared with a revision, only new findings and new comments are reported.
func TestOnlyNew(t *testing.T) {
	dir := clitest.Tree(t, modules)
	clitest.Commit(t, dir)
	onlyNew := func(args ...string) (*run, *report.Report) {
		t.Helper()
		r := newRun(t, dir)
		r.gate.OnlyNew = &workspace.Rev{Name: "HEAD"}
		r.gate.Flags.Deny = []string{"local.*"}
		doc, err := r.all(t, args...)
		if err != nil {
			t.Fatal(err)
		}
		return r, doc
	}
	if _, doc := onlyNew("one"); len(doc.Findings) > 0 || doc.OnlyNew != "HEAD" {
		t.Errorf("nothing changed, and found is\n%s", listed(doc))
	}
	clitest.Unpack(t, dir, "-- one/main.tf --\n# more lines\n\nterraform {\n}\nlocals {\n  a = 1\n  b = 2\n  d = 1\n}\n"+
		"-- one/y_override.tf --\nlocals {\n  d = 1 # tofumerge:ignore denied-override\n}\n")
	_, doc := onlyNew("one")
	if diff := cmp.Diff("one/y_override.tf:2 equivalent-override local.d\none/y_override.tf:2 denied-override local.d\n", onlyOf(doc, "denied-override", "equivalent-override")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	clitest.Unpack(t, dir, "-- one/y_override.tf --\nlocals {\n  d = 1 # tofumerge:ignore equivalent-override\n}\n")
	if _, doc := onlyNew("one"); onlyOf(doc, "new-ignore") != "one/y_override.tf:2 new-ignore locals\n" {
		t.Errorf("found is\n%s", listed(doc))
	}
	r := newRun(t, dir)
	r.gate.OnlyNew, r.gate.Flags.Disable = &workspace.Rev{Name: "HEAD"}, []string{"new-ignore"}
	if doc, err := r.all(t, "one"); err != nil || onlyOf(doc, "new-ignore") != "" || doc.Counts.LeftOut["--disable"] != 1 {
		t.Errorf("%v, left out are %v of\n%s", err, doc.Counts.LeftOut, listed(doc))
	}
	clitest.Git(t, dir, "mv", "inner", "moved")
	r, doc = onlyNew("moved")
	if len(doc.Findings) > 0 || !strings.Contains(r.errs.String(), "moved was inner at HEAD") {
		t.Errorf("of a directory that was renamed, found is\n%s%s", listed(doc), &r.errs)
	}
}

// onlyOf words the findings of some rules.
func onlyOf(doc *report.Report, rules ...string) string {
	only := &report.Report{}
	for _, f := range doc.Findings {
		if slices.Contains(rules, f.Rule) {
			only.Findings = append(only.Findings, f)
		}
	}
	return listed(only)
}

// Override files that git doesn't track, or tracks although it ignores them.
func TestTracked(t *testing.T) {
	dir := clitest.Tree(t, modules+"-- .gitignore --\nz_override.tf\n")
	clitest.Commit(t, dir)
	clitest.Git(t, dir, "add", "-f", "one/z_override.tf")
	clitest.Unpack(t, dir, "-- one/new_override.tf --\n-- one/new.tf --\n-- one/new_override.tf.bak --\n")
	r := newRun(t, dir)
	r.gate.Flags.Enable = []string{"untracked-override", "ignored-override"}
	r.gate.Select = r.gate.Flags.Enable
	doc, err := r.all(t, "one")
	if diff := cmp.Diff("one/new_override.tf:0 untracked-override \none/z_override.tf:0 ignored-override \n", listed(doc)); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// A crash on one module is a finding of it, and the others are checked.
func TestCrash(t *testing.T) {
	r := newRun(t, clitest.Tree(t, modules))
	r.ws.Checking = func(dir string) {
		if dir == "two" {
			panic("it broke")
		}
	}
	doc, err := r.all(t, "two", "inner")
	if err != nil || listed(doc) != "two:0 internal-error \ninner/override.tf:2 equivalent-override output.o.value\n" || !strings.Contains(doc.Findings[0].Message, "it broke") {
		t.Errorf("%v, %s", err, listed(doc))
	}
}

// A baseline hides its findings, names disappeared ones, and is written for all modules that were
// judged.
func TestBaseline(t *testing.T) {
	dir := clitest.Tree(t, modules)
	r := newRun(t, dir)
	r.gate.Baseline.Write = "b.json"
	_, err := r.all(t, "one", "inner", "two")
	if err != nil || !strings.Contains(r.errs.String(), "b.json holds 4 findings of 2 modules") {
		t.Fatalf("%v, %s", err, &r.errs)
	}
	clitest.Unpack(t, dir, "-- inner/override.tf --\noutput \"o\" {\n  description = \"d\"\n}\n-- one/more.tf --\nlocals {\n  d = 1\n}\n"+
		"-- one/y_override.tf --\nlocals {\n  d = 1\n}\n")
	r = newRun(t, dir)
	r.gate.Baseline.Read = "b.json"
	doc, err := r.all(t, "one", "inner")
	if err != nil || doc.Counts.Baseline != 3 || listed(doc) != "one/y_override.tf:2 equivalent-override local.d\n" {
		t.Errorf("%v, %d hidden, found is %s", err, doc.Counts.Baseline, listed(doc))
	}
	if len(doc.Stale) != 1 {
		t.Errorf("gone are %+v", doc.Stale)
	}
}
