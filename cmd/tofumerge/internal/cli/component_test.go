package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// templateText is templates/check.yml, and its two documents.
func templateText(t *testing.T) (inputs, job string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "templates", "check.yml"))
	if err != nil {
		t.Fatal(err)
	}
	inputs, job, ok := strings.Cut(string(text), "\n---\n")
	if !ok {
		t.Fatal("templates/check.yml has no inputs")
	}
	return inputs, job
}

// The files that name a version name the same one: that of the newest section of the changelog, or
// none between releases.
func TestVersionIsWritten(t *testing.T) {
	log, err := os.ReadFile(filepath.Join(repository, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## \[([^\]]+)\]`).FindStringSubmatch(string(log))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no section")
	}
	want, ref := "v"+newest[1], "v"+newest[1]
	if newest[1] == "Unreleased" {
		want, ref = "", "main"
	}
	if got := releaseIn(t, repository); got != want {
		t.Errorf("action.yml names the release %q, want %q; run .ci/version", got, want)
	}
	inputs, job := templateText(t)
	if !strings.Contains(inputs, `default: "`+want+`" # by .ci/version`) || !strings.Contains(job, "/tofumerge/"+ref+"/docs/install.sh\n") {
		t.Errorf("templates/check.yml doesn't name the release %q; run .ci/version", want)
	}
	script, err := os.ReadFile(filepath.Join(repository, "docs", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("TOFUMERGE_INSTALLER_SHA256: %x\n", sha256.Sum256(script)); !strings.Contains(job, sum) {
		t.Errorf("templates/check.yml lacks the checksum of docs/install.sh: %s", sum)
	}
}

// The image of the component is pinned, and so is the one that Dependabot updates: a release gets that.
func TestComponentImage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, ".ci", "gitlab", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	const pinned = `(\S+@sha256:[0-9a-f]{64})\n`
	image := regexp.MustCompile(`(?m)^FROM ` + pinned).FindStringSubmatch(string(text))
	_, job := templateText(t)
	used := regexp.MustCompile(`(?m)^  image: ` + pinned).FindStringSubmatch(job)
	if image == nil || used == nil {
		t.Fatalf("an image isn't pinned: %q, %q", image, used)
	}
	released, err := os.ReadFile(filepath.Join(releasedRepository(t), "templates", "check.yml"))
	if want := "\n  image: " + newerImage + "\n"; err != nil || !strings.Contains(string(released), want) {
		t.Errorf("%v: .ci/version doesn't write the image %s", err, newerImage)
	}
}

// componentSteps are the commands of the component, for a shell that ends with the first that fails.
func componentSteps(t *testing.T) string {
	t.Helper()
	_, job := templateText(t)
	_, script, _ := strings.Cut(job, "\n  script:\n")
	script, _, _ = strings.Cut(script, "\n  artifacts:")
	steps := "set -e\n"
	for line := range strings.SplitSeq(script, "\n") {
		step, ok := strings.CutPrefix(line, "    - ")
		if quoted := strings.TrimSuffix(strings.TrimPrefix(step, "'"), "'"); ok && quoted != step {
			step = strings.ReplaceAll(quoted, "''", "'")
		}
		if ok {
			steps += step + "\n"
		}
	}
	return steps
}

// componentInputs are the variables of the component by default.
var componentInputs = []string{"TOFUMERGE_PATH=.", "TOFUMERGE_ENGINE=opentofu", "TOFUMERGE_MIN_SEVERITY=notice", "TOFUMERGE_FAIL_ON=",
	"TOFUMERGE_BASELINE=", "TOFUMERGE_ONLY_NEW=false", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main"}

// The component installs the program of its machine and reports a finding; on a download that isn't
// what it expects, nothing runs.
func TestComponent(t *testing.T) {
	r, s := newActionRun(t), newReleases(t)
	s.add(t, "v1.2.3")
	steps := componentSteps(t)
	installer, err := os.ReadFile(filepath.Join(repository, "docs", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	// The program of the release is this one: the last step is what is tested, too.
	s.command(t, "uname", "#!/bin/sh\ncase $1 in -m) echo aarch64 ;; *) echo Linux ;; esac\n")
	s.write(t, "raw/main/docs/install.sh", string(installer))
	s.write(t, "raw/v1.2.3/docs/install.sh", string(installer))
	s.write(t, "raw/bad/docs/install.sh", string(installer)+"touch hacked\n")
	at := func(ref string) string {
		return "TOFUMERGE_INSTALLER=https://raw.githubusercontent.com/tofumerge/tofumerge/" + ref + "/docs/install.sh"
	}
	sum := fmt.Sprintf("TOFUMERGE_INSTALLER_SHA256=%x", sha256.Sum256(installer))
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"runs", []string{"TOFUMERGE_VERSION=v1.2.3", at("main"), sum}, "release v1.2.3 linux_arm64"},
		{"no version", []string{"TOFUMERGE_VERSION=", at("main"), sum}, "set the input version to a release"},
		{"other installer", []string{"TOFUMERGE_VERSION=v1.2.3", at("bad"), sum}, "FAILED"},
		{"not signed", []string{"TOFUMERGE_VERSION=v1.2.3", at("main"), sum, "REFUSED=cosign"}, "the signature of checksums.txt"},
		{"hostile path", []string{"TOFUMERGE_VERSION=v1.2.3", at("main"), sum, "TOFUMERGE_PATH=$(touch hacked)"}, "release v1.2.3 linux_arm64"},
	} {
		out := r.shell(t, steps, append(append(s.env, componentInputs...), c.env...)...)
		if !strings.Contains(out, c.want) {
			t.Errorf("%s: %q, want %q", c.name, out, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "hacked")); err == nil {
		t.Error("an input or another installer was run")
	}
}

// The last steps report a finding by the settings of the target branch, and what its inputs hide or let
// pass they do.
func TestComponentChecks(t *testing.T) {
	r := newActionRun(t)
	_, steps, ok := strings.Cut(componentSteps(t), "git fetch ")
	if !ok {
		t.Fatal("the component fetches no target branch")
	}
	// A second branch has the finding and accepts it.
	if out := r.shell(t, "git switch -q -c known && git add -A && $PROGRAM check -r -q --write-baseline accepted.json .; git add -A && git -c user.name=a -c user.email=a@b.c commit -q -m a"); out != "" {
		t.Log(out)
	}
	const known = "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=known"
	for _, c := range []struct {
		name   string
		env    []string
		status string
		finds  bool
	}{
		{"plain", []string{known}, "status 2", true},
		{"fail-on", []string{"TOFUMERGE_FAIL_ON=never"}, "status 0", true},
		{"only-new", []string{"TOFUMERGE_ONLY_NEW=true"}, "status 2", true},
		{"nothing new", []string{"TOFUMERGE_ONLY_NEW=true", known}, "status 0", false},
		{"no baseline there", []string{"TOFUMERGE_BASELINE=accepted.json"}, "status 2", true},
		{"baseline", []string{"TOFUMERGE_BASELINE=accepted.json", known}, "status 0", false},
	} {
		out := r.shell(t, "work=$RUNNER_TEMP\n(set -e\ngit fetch "+steps+"); echo status $?; cat tofumerge.xml", append(componentInputs, c.env...)...)
		if !strings.Contains(out, c.status) || strings.Contains(out, "no-effect") != c.finds {
			t.Errorf("%s: %s", c.name, out)
		}
	}
}

// The recipes for GitLab and Atlantis install a release, and nothing if its signature is another's.
func TestRecipesInstall(t *testing.T) {
	s := newReleases(t)
	s.add(t, "v1.2.3")
	s.command(t, "apk", "#!/bin/sh\n")
	page, err := os.ReadFile(filepath.Join(repository, "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	installer, err := os.ReadFile(filepath.Join(repository, "docs", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "raw/v1.2.3/docs/install.sh", string(installer))
	steps := regexp.MustCompile(`(?m)^(?: *- |RUN )((?:apk .*&& )?curl .*/install\.sh .*)$`).FindAllStringSubmatch(string(page), -1)
	if len(steps) != 2 {
		t.Fatalf("docs/ci.md installs a release in %d recipes, want 2", len(steps))
	}
	for _, m := range steps {
		for _, refused := range []string{"", "cosign"} {
			into := t.TempDir()
			cmd := exec.Command("sh", "-c", strings.ReplaceAll(m[1], "/usr/local/bin", into))
			cmd.Env = append(append(os.Environ(), s.env...), "REFUSED="+refused)
			out, err := cmd.CombinedOutput()
			if _, missing := os.Stat(filepath.Join(into, "tofumerge")); (err == nil) != (refused == "") || (missing == nil) != (refused == "") {
				t.Errorf("%s, refused %q: %v\n%s", m[1], refused, err, out)
			}
		}
	}
}
