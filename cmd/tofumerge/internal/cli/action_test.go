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
	base      string // the commit of the target branch
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
	r.base = strings.TrimSpace(base)
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
		"GITHUB_REPOSITORY=o/r", "HEAD_REPOSITORY=o/r", "NUMBER=7", "BASE="+r.base, "DIRECTORY=.",
		"ENGINE=", "CONFIG=", "MIN_SEVERITY=", "FAIL_ON=", "BASELINE=", "ONLY_NEW=false", "VERSION=", "RELEASE=", "COMMENTS=", "BASE_REF=main")
	return r
}

// run runs a script, and returns its output, the outputs of the step, and whether it succeeded.
func (r *actionRun) run(t *testing.T, script string, env ...string) (printed, outputs string, ok bool) {
	t.Helper()
	action, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	return r.runAt(t, action, script, env...)
}

// runAt runs a script of the action that is in a directory.
func (r *actionRun) runAt(t *testing.T, action, script string, env ...string) (printed, outputs string, ok bool) {
	t.Helper()
	_ = os.Remove(filepath.Join(r.temp, "output"))
	cmd := exec.Command("bash", filepath.Join(action, ".github", "action", script))
	cmd.Dir, cmd.Env = r.dir, append(r.env, env...)
	out, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(filepath.Join(r.temp, "output"))
	return string(out), string(text), err == nil
}

// shell runs a script in the repository, and returns what it prints.
func (r *actionRun) shell(t *testing.T, script string, env ...string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = r.dir, append(r.env, env...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// Findings fail no step before the last one; other errors do. Inputs are values, whatever they
// contain.
func TestActionCheck(t *testing.T) {
	r := newActionRun(t)
	before, _ := shell(t, r.dir, "git add -A && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m a && git rev-parse HEAD")
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
		{"push that brings nothing new", []string{"GITHUB_EVENT_NAME=push", "ONLY_NEW=true", "BASE=" + strings.TrimSpace(before)}, "", "status=0\n", true},
		{"gone", []string{"BASE=" + strings.Repeat("1", 40)}, "::error::the commit 1111", "", false},
		{"given settings", []string{"CONFIG=.tofumerge.hcl", "BASELINE=override.tf"}, "::error::the target branch has no override.tf, and a pull request can't", "status=2\n", true},
		{"baseline of the branch", []string{"BASELINE=override.tf"}, "::error::the target branch has no override.tf, and a pull request can't", "status=2\n", true},
		{"first baseline, pushed", []string{"GITHUB_EVENT_NAME=push", "BASELINE=override.tf"}, "::warning file=override.tf", "status=2\n", true},
		{"no pull request", []string{"BASE="}, "::warning file=override.tf", "status=2\n", true},
		{"no such severity", []string{"MIN_SEVERITY=$(touch hacked)"}, "severity", "status=1\n", false},
		{"odd directory", []string{"DIRECTORY=-f; touch hacked"}, "no such file or directory", "status=1\n", false},
	} {
		printed, outputs, ok := r.run(t, "check", c.env...)
		if !strings.Contains(printed, c.printed) || !strings.Contains(outputs, c.outputs) || ok != c.ok {
			t.Errorf("%s: ok %v, want %v\n%s\noutputs %q, want %q", c.name, ok, c.ok, printed, outputs, c.outputs)
		}
		if strings.HasPrefix(c.printed, "::error") && strings.Count("\n"+printed, "\n::") != 1 {
			t.Errorf("%s: more annotations\n%s", c.name, printed)
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

// Annotations of files that the change touches come first, errors before warnings. The summary has all
// findings, equal ones in one row, and no text of the module means anything there.
func TestActionAnnotations(t *testing.T) {
	r := newActionRun(t)
	const setUp = `git() { command git -c user.name=a -c user.email=a@example.com "$@"; }
git checkout -q main && mkdir old && cd old
for i in 1 2 3 4 5 6 7 8 9 10 11; do
  echo "resource \"a_b\" \"t$i\" {}" >> main.tf
  printf 'resource "a_b" "t%s" {\n  lifecycle {\n    enabled = false\n  }\n}\n' $i >> a_override.tf
done
cd .. && git add old && git commit -q -m a && git checkout -q change && git merge -q main -m a && git checkout -q -b more change
for dir in sub 'a,b:c%25' x y; do mkdir "$dir" && cp main.tf override.tf "$dir" || exit; done
printf 'output "o" {\n  value = 1\n}\n' > 'x/z title=no-effect_override.tf'
touch 'a,b:c%25/<b>_@x|y.tf.override'
git add . && git commit -q -m a`
	if out := r.shell(t, setUp); out != "" {
		t.Fatal(out)
	}
	base := "BASE=" + strings.TrimSpace(r.shell(t, "git rev-parse main"))
	for at := range strings.SplitSeq(" "+filepath.Base(r.dir)+"/", " ") {
		if at != "" {
			r.dir = filepath.Dir(r.dir)
		}
		_ = os.Remove(filepath.Join(r.temp, "summary"))
		printed, _, _ := r.run(t, "check", base, "DIRECTORY=./"+strings.TrimSuffix(at, "/"))
		rest := printed
		for _, want := range []string{"error file=" + at + "x/z title=no-effect_override.tf", "warning file=" + at + "a%2Cb%3Ac%2525/override.tf", "warning file=" + at + "old/"} {
			_, after, ok := strings.Cut(rest, "\n::"+want)
			if !ok {
				t.Errorf("%q isn't behind those before it:\n%s", want, printed)
			}
			rest = after
		}
		text, _ := os.ReadFile(filepath.Join(r.temp, "summary"))
		for _, want := range []string{
			"### 18 findings\n\n16 <code>no-effect</code>, 1 <code>near-miss-filename</code>, 1 <code>merge-error</code>. ", " so 7 are only listed here.\n",
			"<details><summary>5 locations</summary><code>" + at + "override.tf:3</code><br><code>" + at + "a,b:c%25/override.tf:3</code><br>", "<code>" + at + "a,b:c%25/&lt;b&gt;_@x|y.tf.override</code>",
			"<code>" + at + "old/a_override.tf:53</code></td></tr>\n</table>",
		} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the summary lacks %q:\n%s", want, text)
			}
		}
	}
}

// There is one comment, created only if there is something to report. It names the target branch.
func TestActionComment(t *testing.T) {
	r := newActionRun(t)
	add := "printf 'resource \"aws_instance\" \"web\" {\\n  ami = 1\\n}\\n' > override.tf"
	if out, status := shell(t, r.dir, add); status != ExitOK {
		t.Fatal(out)
	}
	printed, outputs, ok := r.run(t, "changes")
	path := strings.TrimSuffix(strings.TrimPrefix(outputs, "changes="), "\n")
	text, err := os.ReadFile(path)
	if !ok || err != nil || !strings.Contains(string(text), "ami") || !strings.Contains(string(text), "since <code>origin/main</code>") {
		t.Fatalf("ok %v, %v\n%s\nchanges %q", ok, err, printed, text)
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
		printed, _, ok := r.run(t, "comment", append(c.env, "CHANGES="+path)...)
		calls, _ := os.ReadFile(filepath.Join(r.temp, "calls"))
		if !ok || !strings.Contains(string(calls), c.want) || strings.Contains(string(calls), c.unwanted) {
			t.Errorf("%s: ok %v\n%s\ncalls %q, want %q", c.name, ok, printed, calls, c.want)
		}
	}
	if summary, err := os.ReadFile(filepath.Join(r.temp, "summary")); err != nil || string(summary) != string(text) {
		t.Errorf("summary %q, %v", summary, err)
	}
}

// The target branch is named whatever the checkout has fetched, and BASE is what is compared with.
func TestActionBaseNames(t *testing.T) {
	for _, c := range []struct{ name, setUp, branch, want string }{
		{"fetched", "true", "main", "since <code>origin/main</code>"},
		{"one commit", "git update-ref -d refs/remotes/origin/main", "main", "since <code>origin/main</code>"},
		{"moved on", `git update-ref refs/remotes/origin/main "$(git commit-tree -p main -m a main^{tree})"`, "main", "since <code>origin/main...</code>"},
		{"moved elsewhere", `git update-ref refs/remotes/origin/main "$(git commit-tree -m other main^{tree})"; git branch -D -q main`, "main", "since <code>BASE</code>"},
		{"slashes", "true", "release/1.x", "since <code>origin/release/1.x</code>"},
		{"hostile", "true", "a<b>&c", "since <code>origin/a&lt;b&gt;&amp;c</code>"},
		{"a tag of that name", "git tag origin/main change; git branch -D -q main; git update-ref -d refs/remotes/origin/main", "main", "since <code>origin/main</code>"},
	} {
		r := newActionRun(t)
		git := "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com; "
		if out, status := shell(t, r.dir, git+c.setUp); status != ExitOK {
			t.Fatal(c.name, out)
		}
		printed, _, ok := r.run(t, "changes", "BASE_REF="+c.branch)
		text, _ := os.ReadFile(filepath.Join(r.temp, "summary"))
		first, _, _ := strings.Cut(string(text), "\n")
		want := strings.ReplaceAll(c.want, "BASE", r.base[:12])
		if !ok || !strings.Contains(first, want) {
			t.Errorf("%s: ok %v: %q, want %q\n%s", c.name, ok, first, want, printed)
		}
	}
}

// Without a target, the summary lists the changes of the override files.
func TestActionChanges(t *testing.T) {
	r := newActionRun(t)
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"manual", []string{"GITHUB_EVENT_NAME=workflow_dispatch", "BASE=", "BASE_REF="}, "### What the override files change\n"},
		{"new branch", []string{"GITHUB_EVENT_NAME=push", "BASE=" + strings.Repeat("0", 40), "BASE_REF="}, "### What the override files change\n"},
		{"push", []string{"GITHUB_EVENT_NAME=push", "BASE_REF="}, "### Changes since <code>main</code>\n"},
	} {
		_ = os.Remove(filepath.Join(r.temp, "summary"))
		printed, _, ok := r.run(t, "changes", c.env...)
		if text, err := os.ReadFile(filepath.Join(r.temp, "summary")); !ok || !strings.HasPrefix(string(text), c.want) {
			t.Errorf("%s: ok %v, %v: %q, want %q\n%s", c.name, ok, err, text, c.want, printed)
		}
	}
}

// A tool runs on the effective configuration. Its words are values, and its failure is an output.
func TestActionExec(t *testing.T) {
	r := newActionRun(t)
	for _, c := range []struct {
		name    string
		env     []string
		printed string
		outputs string
		ok      bool
	}{
		{"prints", []string{"TOOL=cat main.tf"}, `resource "aws_instance" "web"`, "status=0\n", true},
		{"two lines", []string{"TOOL=cat\n  main.tf\n"}, `resource "aws_instance" "web"`, "status=0\n", true},
		{"fails", []string{"TOOL=false"}, "", "status=1\n", true},
		{"is missing", []string{"TOOL=no-such-tool"}, "no-such-tool", "status=1\n", true},
		{"is blank", []string{"TOOL= "}, "::error::the input exec names no tool", "", false},
		{"no shell", []string{"TOOL=echo $(touch hacked) ; touch hacked"}, "$(touch hacked) ; touch hacked", "status=0\n", true},
		{"odd directory", []string{"TOOL=cat main.tf", "DIRECTORY=--allow-writes"}, "no such directory", "status=1\n", true},
	} {
		printed, outputs, ok := r.run(t, "exec", c.env...)
		if !strings.Contains(printed, c.printed) || !strings.Contains(outputs, c.outputs) || ok != c.ok {
			t.Errorf("%s: ok %v, want %v\n%s\noutputs %q, want %q", c.name, ok, c.ok, printed, outputs, c.outputs)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "hacked")); err == nil {
		t.Error("an input was run")
	}
}
