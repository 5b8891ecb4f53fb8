package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// panicking is an input that makes the program fail.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("no input at " + strings.Repeat("x", 1000)) }

// A panic isn't a finding: it gives 1, an empty result, and a hint where to report it.
func TestPanicIsNoFinding(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte("locals {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{dir}, {"check", dir}, {"diff", dir, "--detailed-exitcode"}} {
		var out, errs bytes.Buffer
		status := Run(append(args, "--overlay", "-"), Streams{In: panicking{}, Out: &out, Err: &errs, Env: func(string) string { return "" }})
		if status != ExitFailed || out.Len() > 0 || !strings.Contains(errs.String(), terminal.WhereToReport) || errs.Len() > 800 || strings.Contains(errs.String(), ".go:") {
			t.Errorf("%v: status %d, printed %q, told %q", args, status, &out, &errs)
		}
	}
	var out, errs bytes.Buffer
	Run([]string{dir, "-v", "--overlay", "-"}, Streams{In: panicking{}, Out: &out, Err: &errs, Env: func(string) string { return "" }})
	if !strings.Contains(errs.String(), "crash_test.go:") {
		t.Errorf("-v shows no stack: %q", &errs)
	}
}

// A defect that shows on one module is a finding of it, in every format, and hides
// nothing of the other modules. No settings file of the module switches that off.
func TestPanicOnOneModule(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"a/main.tf": "locals {", "b/main.tf": "", "c/main.tf": "locals {", "b/.tofumerge.hcl": `disable = ["internal-error"]`,
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	checking := func(module string) {
		if module == "b" {
			panic("no tree of " + module)
		}
	}
	for _, f := range report.Formats {
		format := f.Name
		var out, errs bytes.Buffer
		status := Run([]string{"check", "-r", "-f", format, "."}, Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }, Seams: workspace.Seams{Checking: checking}})
		if status != ExitFound || !strings.Contains(errs.String(), "can't disable internal-error") || !strings.Contains(out.String(), "internal-error") || strings.Count(out.String(), "main.tf") < 2 {
			t.Errorf("%s: status %d, told %q, printed %q", format, status, &errs, &out)
		}
		if format == "text" && (!strings.Contains(out.String(), "b: error: tofumerge crashed on this module and did not finish checking it: no tree of b. ") || !strings.Contains(out.String(), terminal.WhereToReport)) {
			t.Errorf("the finding says %q", &out)
		}
	}
}
