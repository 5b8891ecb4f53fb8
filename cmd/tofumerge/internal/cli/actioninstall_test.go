package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// builder is a go that builds nothing: its program names the directory of the sources.
const builder = `#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\necho built in %s\n' "$(basename "$PWD")" > "$2"
[ "$GOWORK" = off ] && [ "$3" = ./cmd/tofumerge ] && chmod +x "$2"
`

// An action is pinned as people pin it, and checked out as the runner does it: the files of a
// commit, without a repository. The release is made by .ci/version in a small copy of the repository.
func TestActionPins(t *testing.T) {
	r, s := newActionRun(t), newReleases(t)
	s.add(t, "v1.2.3")
	s.command(t, "go", builder)
	released := releasedRepository(t)
	commit, status := shell(t, released, "git rev-parse v1^{commit}")
	if status != ExitOK {
		t.Fatal(commit)
	}
	for _, c := range []struct{ ref, want string }{
		{strings.TrimSpace(commit), "release v1.2.3 linux_amd64"},
		{"v1", "release v1.2.3 linux_amd64"},
		{"v1.2.3", "release v1.2.3 linux_amd64"},
		{"main", "built in an action"},
	} {
		action := filepath.Join(t.TempDir(), "an action")
		if out, status := shell(t, released, `mkdir "`+action+`" && git archive `+c.ref+` | tar -x -C "`+action+`"`); status != ExitOK {
			t.Fatal(out)
		}
		printed, outputs, ok := r.runAt(t, action, "install", append(s.env, "PROGRAM=", "RELEASE="+releaseIn(t, action))...)
		if !ok {
			t.Errorf("%s:\n%s", c.ref, printed)
			continue
		}
		program := strings.TrimSuffix(strings.TrimPrefix(outputs, "program="), "\n")
		if got, err := exec.Command(program).Output(); err != nil || strings.TrimSpace(string(got)) != c.want {
			t.Errorf("%s: %v: %q, want %q\n%s", c.ref, err, got, c.want, printed)
		}
	}
}

// newerImage is what Dependabot proposed since the component's image was written.
const newerImage = "alpine:9.9@sha256:0000000000000000000000000000000000000000000000000000000000000000"

// releasedRepository makes a repository with the release 1.2.3, the tag of its major version, and a
// commit after it.
func releasedRepository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const setUp = `set -eu
git init -q -b main
commit() { git add -A; git -c user.name=a -c user.email=a@example.com commit -q -m a; }
mkdir -p .ci/gitlab .github docs templates
echo "FROM $IMAGE" > .ci/gitlab/Dockerfile
cp "$ROOT/.ci/version" "$ROOT/.ci/notes" .ci; cp -R "$ROOT/.github/action" .github
cp "$ROOT/docs/install.sh" docs; cp "$ROOT/templates/check.yml" templates; cp "$ROOT/action.yml" .
printf '# Changelog\n\n## [Unreleased]\n\nNew.\n\n[Unreleased]: https://example.com\n' > CHANGELOG.md
commit; bash .ci/version 1.2.3; commit; git tag v1.2.3; git tag v1
bash .ci/version next; commit`
	t.Setenv("ROOT", root)
	t.Setenv("IMAGE", newerImage)
	if out, status := shell(t, dir, setUp); status != ExitOK {
		t.Fatal(out)
	}
	return dir
}

// releaseIn is the release that the action names.
func releaseIn(t *testing.T, action string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(action, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^        RELEASE: "(.*)"`).FindSubmatch(text)
	if m == nil {
		t.Fatal("action.yml names no RELEASE")
	}
	return string(m[1])
}

// Nothing is installed without a release that proves its origin, and where a fork could run code with
// secrets. Files of the pull request don't matter.
func TestActionInstall(t *testing.T) {
	r, s := newActionRun(t), newReleases(t)
	s.add(t, "v1.2.3")
	s.add(t, "v6.6.6")
	s.write(t, "download/v6.6.6/tofumerge_6.6.6_linux_amd64.tar.gz", "changed")
	hostile := `printf '#!/bin/sh\ntouch hacked\n' | tee tofumerge curl gh sh > install.sh && chmod +x tofumerge curl gh sh install.sh
mkdir -p docs && cp install.sh docs && printf 'go 1.20\nuse ./none\n' > go.work && printf 'deny = ["**"]\n' > .tofumerge.hcl`
	if out, status := shell(t, r.dir, hostile); status != ExitOK {
		t.Fatal(out)
	}
	for _, c := range []struct {
		name string
		env  []string
		want string
		ok   bool
	}{
		{"program", nil, "", true},
		{"no program", []string{"PROGRAM=none"}, "::error::the input program doesn't name a program", false},
		{"version", []string{"PROGRAM=", "VERSION=v1.2.3", "RELEASE=v6.6.6"}, "installed tofumerge v1.2.3", true},
		{"branch as version", []string{"PROGRAM=", "VERSION=main"}, "--version takes a release", false},
		{"odd version", []string{"PROGRAM=", "VERSION=v1.2.3; touch hacked"}, "--version takes a release", false},
		{"odd tag", []string{"PROGRAM=", "RELEASE=v1.2.3/../v6.6.6"}, "--version takes a release", false},
		{"changed release", []string{"PROGRAM=", "RELEASE=v6.6.6"}, "isn't the file that checksums.txt of v6.6.6 names", false},
		{"no such release", []string{"PROGRAM=", "VERSION=v9.9.9"}, "can't download", false},
		{"not attested", []string{"PROGRAM=", "VERSION=v1.2.3", "REFUSED=gh"}, "the attestation of", false},
		{"odd system", []string{"PROGRAM=", "RUNNER_OS=Plan9"}, "::error::there is no release for Plan9", false},
		{"odd machine", []string{"PROGRAM=", "RUNNER_ARCH=S390X"}, "::error::there is no release for S390X", false},
		{"pull_request_target", []string{"GITHUB_EVENT_NAME=pull_request_target"}, "::error::on pull_request_target", false},
	} {
		printed, outputs, ok := r.run(t, "install", append(s.env, c.env...)...)
		if ok != c.ok || !strings.Contains(printed, c.want) || ok != strings.HasPrefix(outputs, "program=") {
			t.Errorf("%s: ok %v, want %v, outputs %q\n%s", c.name, ok, c.ok, outputs, printed)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "hacked")); err == nil {
		t.Error("an input or a file of the pull request was run")
	}
}
