package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inPipeline is a command in a step of a pipeline.
var inPipeline = regexp.MustCompile(`(?m)^\s*- (?:run: )?((?:git|tofumerge) .*)$`)

// fileMade is the file that a command writes findings to.
var fileMade = regexp.MustCompile(`(?:> "?|--also sarif=)([^" ]+)"?$`)

// TestPagesPipelines runs the steps that docs/ci.md shows, but for those that install
// something, as the pipeline would: in a repository whose target branch is main. A branch
// that adds an override without effect fails the last step, and its report is there.
func TestPagesPipelines(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	ran := 0
	for _, p := range readPages(t) {
		if p.path != "docs/ci.md" {
			continue
		}
		dir := t.TempDir()
		for name, value := range map[string]string{
			"NO_COLOR": "1", "TOFUMERGE_ENGINE": "", "RUNNER_TEMP": t.TempDir(), "GITHUB_BASE_REF": "main",
			"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "HOME": dir, "TEMPORARY": t.TempDir(),
			"GITHUB_STEP_SUMMARY": filepath.Join(t.TempDir(), "summary.md"),
		} {
			t.Setenv(name, value)
		}
		inRepository(t, dir)
		for _, b := range p.blocks {
			if b.language != "yaml" {
				continue
			}
			for _, m := range inPipeline.FindAllStringSubmatch(b.text, -1) {
				ran++
				runStep(t, p, b, dir, m[1])
			}
		}
	}
	if ran < 7 {
		t.Errorf("docs/ci.md has only %d steps that run", ran)
	}
}

// runStep runs a step. Files of the server are in a temporary directory.
func runStep(t *testing.T, p *page, b codeBlock, dir, step string) {
	t.Helper()
	step = strings.NewReplacer("/tmp/", `"$TEMPORARY"/`, "/etc/tofumerge.hcl", ".tofumerge.hcl").Replace(step)
	out, status := shell(t, dir, step)
	want := ExitOK
	if strings.HasPrefix(step, "tofumerge check") {
		want = ExitFound
	}
	if status != want {
		t.Errorf("%s:%d: %s: status %d, want %d:\n%s", p.path, b.line, step, status, want, out)
	}
	if m := fileMade.FindStringSubmatch(step); m != nil && want == ExitFound {
		if text, err := os.ReadFile(filepath.Join(dir, m[1])); err != nil || !strings.Contains(string(text), "no-effect") {
			t.Errorf("%s:%d: %s: no report of the finding: %v", p.path, b.line, step, err)
		}
	}
}

// inRepository makes a repository with a module and a branch that adds an override which
// has no effect.
func inRepository(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"main.tf":        "resource \"aws_instance\" \"web\" {\n}\n",
		"override.tf":    "resource \"aws_instance\" \"web\" {\n  lifecycle {\n    enabled = false\n  }\n}\n",
		".tofumerge.hcl": "min_severity = \"warning\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const setUp = `commit="git -c user.name=a -c user.email=a@example.com commit -q -m a"
git init -q -b main && git add main.tf .tofumerge.hcl && $commit &&
git remote add origin . && git fetch -q origin main &&
git checkout -q -b change && git add -A && $commit`
	if out, status := shell(t, dir, setUp); status != ExitOK {
		t.Fatal(out)
	}
}
