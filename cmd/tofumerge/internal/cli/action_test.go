package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// An actionRun runs the scripts of action.yml, with a gh that only records its arguments.
type actionRun struct {
	dir, temp string
	env       []string
}

func newActionRun(t *testing.T) *actionRun {
	t.Helper()
	for _, name := range []string{"git", "bash"} {
		if _, err := exec.LookPath(name); err != nil || runtime.GOOS == "windows" {
			t.Skip(name + " is missing")
		}
	}
	r := &actionRun{dir: t.TempDir(), temp: t.TempDir()}
	t.Setenv("HOME", r.dir)
	inRepository(t, r.dir)
	base, status := shell(t, r.dir, "git rev-parse main")
	if status != ExitOK {
		t.Fatal(base)
	}
	gh := "#!/bin/sh\n" + `echo "$*" >> "$RUNNER_TEMP/calls"` + "\n" + `[ "$2" != --paginate ] || printf "$COMMENTS"` + "\n"
	if err := os.WriteFile(filepath.Join(r.temp, "gh"), []byte(gh), 0o777); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(r.temp, "tofumerge") // which this one is under that name
	if self, err := os.Executable(); err != nil || os.Symlink(self, program) != nil {
		t.Skip("there are no links here")
	}
	r.env = append(os.Environ(), "PATH="+r.temp+string(filepath.ListSeparator)+os.Getenv("PATH"), "TOFUMERGE_ENGINE=",
		"PROGRAM="+program, "RUNNER_TEMP="+r.temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "GITHUB_EVENT_NAME=pull_request",
		"GITHUB_OUTPUT="+filepath.Join(r.temp, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"),
		"GITHUB_REPOSITORY=o/r", "HEAD_REPOSITORY=o/r", "NUMBER=7", "BASE="+strings.TrimSpace(base), "DIRECTORY=.",
		"ENGINE=", "CONFIG=", "MIN_SEVERITY=", "FAIL_ON=", "BASELINE=", "ONLY_NEW=false", "VERSION=", "ACTION_REF=", "COMMENTS=")
	return r
}

// run runs a script, and returns its output, the outputs of the step, and whether it succeeded.
func (r *actionRun) run(t *testing.T, script string, env ...string) (printed, outputs string, ok bool) {
	t.Helper()
	path, err := filepath.Abs("../../../../.github/action/" + script)
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(filepath.Join(r.temp, "output"))
	cmd := exec.Command("bash", path)
	cmd.Dir, cmd.Env = r.dir, append(r.env, env...)
	out, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(filepath.Join(r.temp, "output"))
	return string(out), string(text), err == nil
}

// Findings fail no step before the last one; other errors do. Inputs are values, whatever they
// contain.
func TestActionCheck(t *testing.T) {
	r := newActionRun(t)
	for _, c := range []struct {
		name    string
		env     []string
		printed string
		outputs string
		ok      bool
	}{
		{"finding", nil, "::warning file=override.tf,line=3", "status=2\n", true},
		{"only new", []string{"ONLY_NEW=true"}, "::warning file=override.tf", "status=2\n", true},
		{"above", []string{"MIN_SEVERITY=error"}, "", "status=0\n", true},
		{"shown only", []string{"FAIL_ON=error"}, "::warning file=override.tf", "status=0\n", true},
		{"new branch", []string{"GITHUB_EVENT_NAME=push", "BASE=" + strings.Repeat("0", 40)}, "::notice::no commit precedes this push", "status=2\n", true},
		{"push", []string{"GITHUB_EVENT_NAME=push", "ONLY_NEW=true"}, "::warning file=override.tf", "status=2\n", true},
		{"gone", []string{"BASE=" + strings.Repeat("1", 40)}, "::error::the commit 1111", "", false},
		{"given settings", []string{"CONFIG=.tofumerge.hcl", "BASELINE=override.tf"}, "::warning file=override.tf", "status=2\n", true},
		{"baseline of the branch", []string{"BASELINE=override.tf"}, "::warning file=override.tf", "status=2\n", true},
		{"no pull request", []string{"BASE="}, "::warning file=override.tf", "status=2\n", true},
		{"no such severity", []string{"MIN_SEVERITY=$(touch hacked)"}, "severity", "status=1\n", false},
		{"odd directory", []string{"DIRECTORY=-f; touch hacked"}, "no such file or directory", "status=1\n", false},
	} {
		printed, outputs, ok := r.run(t, "check", c.env...)
		if !strings.Contains(printed, c.printed) || !strings.Contains(outputs, c.outputs) || ok != c.ok {
			t.Errorf("%s: ok %v, want %v\n%s\noutputs %q, want %q", c.name, ok, c.ok, printed, outputs, c.outputs)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "hacked")); err == nil {
		t.Error("an input was run")
	}
	// The branch switches its own findings off, in vain.
	off := "cat > .tofumerge.hcl <<'EOF'\ndisable = [\"no-effect\"]\nEOF"
	if out, status := shell(t, r.dir, off); status != ExitOK {
		t.Fatal(out)
	}
	if _, outputs, _ := r.run(t, "check"); !strings.Contains(outputs, "status=2\n") {
		t.Errorf("outputs %q, want the finding in spite of the settings of the branch", outputs)
	}
}

// There is one comment, created only if there is something to report.
func TestActionComment(t *testing.T) {
	r := newActionRun(t)
	add := "printf 'resource \"aws_instance\" \"web\" {\\n  ami = 1\\n}\\n' > override.tf"
	if out, status := shell(t, r.dir, add); status != ExitOK {
		t.Fatal(out)
	}
	for _, c := range []struct {
		name, want, unwanted string
		env                  []string
	}{
		{"first", "-X POST repos/o/r/issues/7/comments", "PATCH", nil},
		{"again", "-X PATCH repos/o/r/issues/comments/11", "POST", []string{`COMMENTS=11\n12\n`}},
		{"of a fork", "", "api", []string{"HEAD_REPOSITORY=fork/r"}},
	} {
		_ = os.Remove(filepath.Join(r.temp, "calls"))
		printed, _, ok := r.run(t, "comment", c.env...)
		calls, _ := os.ReadFile(filepath.Join(r.temp, "calls"))
		if !ok || !strings.Contains(string(calls), c.want) || strings.Contains(string(calls), c.unwanted) {
			t.Errorf("%s: ok %v\n%s\ncalls %q, want %q", c.name, ok, printed, calls, c.want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(r.temp, "summary")); err != nil || !strings.Contains(string(text), "ami") {
		t.Errorf("summary %q, %v", text, err)
	}
}

// Without a release, and where a fork could run code with secrets, nothing is installed.
func TestActionInstall(t *testing.T) {
	r := newActionRun(t)
	for _, c := range []struct {
		name string
		env  []string
		want string
		ok   bool
	}{
		{"program", nil, "", true},
		{"no version", []string{"PROGRAM="}, "::error::set the input version", false},
		{"branch", []string{"PROGRAM=", "ACTION_REF=main"}, "::error::set the input version", false},
		{"odd version", []string{"PROGRAM=", "VERSION=v1.2.3; touch hacked"}, "::error::set the input version", false},
		{"not in the release", []string{"PROGRAM=", "VERSION=v1.2.3"}, "checksums.txt", false},
		{"pull_request_target", []string{"GITHUB_EVENT_NAME=pull_request_target"}, "::error::on pull_request_target", false},
	} {
		printed, _, ok := r.run(t, "install", c.env...)
		if ok != c.ok || !strings.Contains(printed, c.want) {
			t.Errorf("%s: ok %v, want %v\n%s", c.name, ok, c.ok, printed)
		}
	}
}
