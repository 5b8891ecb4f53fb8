package gate_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
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
	r.gate.Fixing = gate.Fixing{IsOn: true, Writes: true}
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
	r.gate.Format = "rdjson"
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
