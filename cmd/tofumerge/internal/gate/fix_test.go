package gate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// The fixes are printed as a patch, or written; the report contains the remaining findings.
func TestFix(t *testing.T) {
	dir := clitest.Tree(t, modules)
	before := clitest.Files(t, dir)
	r := newRun(t, dir)
	r.gate.Fixing.IsOn = true
	doc, err := r.all(t, "one", "inner")
	if doc != nil || !errors.Is(err, workspace.ErrFound) || !cmp.Equal(before, clitest.Files(t, dir)) {
		t.Errorf("%v, %+v", err, doc)
	}
	for _, part := range []string{"--- a/one/override.tf\n", "-  a = 1\n", "--- a/inner/override.tf\n"} {
		if !strings.Contains(r.out.String(), part) {
			t.Errorf("no %q in\n%s", part, &r.out)
		}
	}
	r = newRun(t, dir)
	r.gate.Fixing = Fixing{IsOn: true, Writes: true}
	doc, err = r.all(t, "one", "inner")
	if want := "one/override.tf:2 no-effect terraform.required_version\n"; err != nil || listed(doc) != want {
		t.Errorf("%v, left is %s", err, listed(doc))
	}
	if text := clitest.Files(t, dir)["one/override.tf"]; text != "terraform {\n  required_version = \">= 1.0\"\n}\n" {
		t.Errorf("written is\n%s", text)
	}
	if !strings.Contains(clitest.OneLine(r.errs.String()), "fixed 3 of 4 findings in 2 files") || !strings.Contains(r.errs.String(), "inner/override.tf no longer declares anything") {
		t.Errorf("it says %s", &r.errs)
	}
}

// The fixes of an editor are for the texts that it has open.
func TestFixOpen(t *testing.T) {
	r := newRun(t, clitest.Tree(t, modules))
	if err := r.gate.Prepare(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(r.dir, "inner")
	open := map[string][]byte{"override.tf": []byte("output \"o\" {\n  value = 1 # mine\n  description = \"d\"\n}\n")}
	want := "output \"o\" {\n  description = \"d\"\n}\n"
	isEquivalent := func(f check.Finding) bool { return f.Rule.ID == "equivalent-override" }
	one, why, err := r.gate.FixOne(context.Background(), dir, open, isEquivalent)
	if err != nil || why != "" || string(one["override.tf"]) != want {
		t.Errorf("%v, %s, %s", err, why, one)
	}
	all, err := r.gate.FixAll(context.Background(), dir, open, isEquivalent)
	if err != nil || string(all["override.tf"]) != want {
		t.Errorf("%v, %s", err, all)
	}
	if gone, why, err := r.gate.FixOne(context.Background(), dir, open, func(check.Finding) bool { return false }); gone != nil || err != nil || !strings.Contains(why, "has changed") {
		t.Errorf("%v, %s, %s", err, why, gone)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if none, _, err := r.gate.FixOne(ended, dir, open, isEquivalent); none != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %s", err, none)
	}
}

// Reports for programs that offer fixes have them.
func TestSuggest(t *testing.T) {
	r := newRun(t, clitest.Tree(t, modules))
	r.gate.Format = "sarif"
	doc, err := r.all(t, "one")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range doc.Findings {
		if f.Fix != nil {
			got = append(got, fmt.Sprintf("%s: %s %d", f.Rule, f.Fix.Text, len(f.Fix.Edits)))
		}
	}
	if diff := cmp.Diff([]string{"equivalent-override: Remove it. 1", "superseded-override: Remove it. 1"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A fix that repeats what an override drops is proved apart from those that remove something. On a
// terminal, its finding is marked as fixable.
func TestRepeat(t *testing.T) {
	const files = "-- m/main.tf --\nlocals {\n  a = 1\n}\nresource \"x_y\" \"z\" {\n  tags = { a = 1, b = 2 }\n}\n" +
		"-- m/override.tf --\nlocals {\n  a = 1\n}\nresource \"x_y\" \"z\" {\n  tags = { a = 3 }\n}\n"
	r := newRun(t, clitest.Tree(t, files))
	r.gate.Fixing.IsOn = true
	if _, err := r.all(t, "m"); !errors.Is(err, workspace.ErrFound) || !strings.Contains(r.out.String(), "b = 2") || !strings.Contains(r.out.String(), "-  a = 1\n") {
		t.Errorf("%v\n%s", err, &r.out)
	}
	r = newRun(t, clitest.Tree(t, files))
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer func() { _, _ = master.Close(), slave.Close() }()
	r.ws.Out = slave
	doc, err := r.all(t, "m")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range doc.Findings {
		if f.Fix != nil {
			got = append(got, f.Rule+": "+f.Fix.Text)
		}
	}
	if diff := cmp.Diff([]string{"equivalent-override: Remove it.", "map-replace-drops-keys: Repeat what it drops."}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A crash on a module to fix is a finding of it, and the others are fixed.
func TestFixCrash(t *testing.T) {
	r := newRun(t, clitest.Tree(t, modules))
	r.ws.Files.Read = func(path string, limit int64) ([]byte, error) {
		if filepath.ToSlash(path) == filepath.ToSlash(filepath.Join(r.dir, "two", "main.tf")) {
			panic("it broke")
		}
		return input.Read(path, limit)
	}
	r.gate.Fixing = Fixing{IsOn: true, Writes: true}
	doc, err := r.all(t, "two", "inner")
	if err != nil || listed(doc) != "two:0 internal-error \n" || !strings.Contains(clitest.Files(t, r.dir)["inner/main.tf"], "value") ||
		strings.Contains(clitest.Files(t, r.dir)["inner/override.tf"], "value") {
		t.Errorf("%v, %s", err, listed(doc))
	}
}
