package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Actions are named by a commit, which nobody can move, and the version of it; workflows
// begin with no rights but to read.
func TestWorkflows(t *testing.T) {
	paths, err := filepath.Glob("../../../../.github/workflows/*.yaml")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d workflows: %v", len(paths), err)
	}
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+$`)
	commits := map[string]string{}
	for _, path := range append(paths, "../../../../action.yml") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllStringSubmatch(string(text), -1) {
			name, commit, _ := strings.Cut(m[1], "@")
			switch {
			case strings.HasPrefix(name, "./"):
			case !pinned.MatchString(m[1]):
				t.Errorf("%s: %s isn't pinned by a commit and its version", path, m[1])
			case commits[name] != "" && commits[name] != commit:
				t.Errorf("%s: %s is pinned to several commits", path, name)
			}
			commits[name] = commit
		}
		if filepath.Base(path) != "action.yml" && !strings.Contains(string(text), "\npermissions:\n  contents: read\n") {
			t.Errorf("%s: permissions don't begin with contents: read alone", path)
		}
	}
}

// The page about pipelines lists the inputs of the action, and nothing else.
func TestActionInputs(t *testing.T) {
	action, err := os.ReadFile("../../../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	inputs, _, _ := strings.Cut(string(action), "\noutputs:\n")
	_, table, _ := strings.Cut(string(page), "| input | what it does |\n| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+):$`).FindAllStringSubmatch(inputs, -1) {
		want = append(want, m[1])
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1) {
		got = append(got, m[1])
	}
	if len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("docs/ci.md lists %q, want %q", got, want)
	}
}

// fakePrograms puts programs on the PATH that only note their calls. It returns the script of .ci that is
// tested.
func fakePrograms(t *testing.T, script string, names ...string) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("bash is missing")
	}
	path, err := filepath.Abs(filepath.Join(repository, ".ci", script))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const fake = `#!/bin/sh
echo "${0##*/} $*" >> "$CALLS"
case "$*" in
  *--paginate*) printf 'v1.0.0\nv1.2.0\nv2.0.0\n' ;;
  "issue list "*) echo '[{"number": 7, "title": "Known \"$(x)\""}]' ;;
  *--body-file*) for file; do :; done; cat "$file" ;;
esac
`
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fake), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return path
}

// A release is published with the tag of its major version and the extensions, a prerelease without
// both: the hosts would refuse it when everything else is out.
func TestPublish(t *testing.T) {
	script := fakePrograms(t, "publish", "gh", "npm", "npx", "cosign")
	t.Setenv("GITHUB_REPOSITORY", "a/b")
	t.Setenv("GITHUB_SHA", "123")
	for _, c := range []struct{ args, want string }{
		{"attach v1.2.0 BUNDLE a.vsix b.vsix", "/provenance.sigstore.json a.vsix b.vsix a.vsix.sigstore.json b.vsix.sigstore.json\n"},
		{"release v1.2.0", "gh api -X PATCH repos/a/b/git/refs/tags/v1 -f sha=123 -F force=true\n"},
		{"release v1.0.0", "--jq .[] | select(.draft or .prerelease | not) | .tag_name\n"}, // an older one
		{"release v1.0.0-rc.1", "gh release edit v1.0.0-rc.1 --draft=false\n"},
		{"vsce v1.2.0 a.vsix", "npx vsce publish --packagePath a.vsix\n"},
		{"ovsx v1.2.0 a.vsix", "npx ovsx publish --packagePath a.vsix\n"},
		{"vsce v1.0.0-rc.1 a.vsix", ""},
		{"ovsx v1.0.0-rc.1 a.vsix", ""},
	} {
		calls := filepath.Join(t.TempDir(), "calls")
		cmd := exec.Command("bash", append([]string{script}, strings.Fields(strings.ReplaceAll(c.args, "BUNDLE", script))...)...)
		cmd.Env = append(os.Environ(), "CALLS="+calls)
		out, err := cmd.CombinedOutput()
		made, _ := os.ReadFile(calls)
		if err != nil || !strings.HasSuffix(string(made), c.want) || (c.want == "") != (len(made) == 0) {
			t.Errorf("%s: %v %s: calls\n%s, want %q last", c.args, err, out, made, c.want)
		}
		if signed := strings.Count(string(made), "cosign sign-blob --bundle="); signed != strings.Count(c.want, ".vsix.") {
			t.Errorf("%s: %d extensions are signed:\n%s", c.args, signed, made)
		}
	}
}

// A report becomes an issue, or the text of the open one, and neither its title nor its text can be
// anything else.
func TestIssue(t *testing.T) {
	script := fakePrograms(t, "issue", "gh")
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is missing")
	}
	report := filepath.Join(t.TempDir(), "report")
	if err := os.WriteFile(report, []byte("~~~\n@all"+strings.Repeat(".", 60_000)), 0o666); err != nil {
		t.Fatal(err)
	}
	for title, want := range map[string]string{`New`: "gh issue create --title New --body-file ", `Known "$(x)"`: "gh issue edit 7 --body-file "} {
		calls := filepath.Join(t.TempDir(), "calls")
		cmd := exec.Command("bash", script, title, report)
		cmd.Env = append(os.Environ(), "CALLS="+calls, "RUN=https://example.com/1")
		out, err := cmd.CombinedOutput()
		made, _ := os.ReadFile(calls)
		if err != nil || !strings.Contains(string(made), "\n"+want) {
			t.Errorf("%s: %v: calls\n%s, want %q", title, err, made, want)
		}
		if text := string(out); !strings.HasPrefix(text, "Seen in https://example.com/1.\n\n~~~text\n~ ~ ~\n@all.") || !strings.HasSuffix(text, ".\n~~~\n") || len(text) > 51_000 {
			t.Errorf("%s: %d bytes: %.200q", title, len(text), text)
		}
	}
}

// GoReleaser has one version, that of the release workflow, and people and workflows run the same one.
func TestGoReleaserVersion(t *testing.T) {
	versions := map[string]bool{}
	for _, name := range []string{"release.yaml", "ci.yaml"} {
		text, err := os.ReadFile(filepath.Join(repository, ".github", "workflows", name))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)^ +version: v([0-9.]+)$`).FindAllStringSubmatch(string(text), -1)
		if len(found) != 1 {
			t.Errorf("%s names %d versions, and .ci/goreleaser reads one", name, len(found))
			continue
		}
		versions[found[0][1]] = true
	}
	if len(versions) != 1 {
		t.Errorf("several versions: %v", versions)
	}
}

// The notes of a release are the section of its version, which must be there and must not be empty.
func TestNotes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("bash is missing")
	}
	script, err := os.ReadFile("../../../../.ci/notes")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const log = "# Changelog\n\n## [Unreleased]\n\n## [1.3.0] - 2026-01-02\n\n### Added\n\n- A.\n\n## [1.2.3] - 2026-01-01\n\nB.\n\n[1.3.0]: x\n"
	for name, text := range map[string]string{".ci/notes": string(script), "CHANGELOG.md": log} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for version, want := range map[string]string{"v1.3.0": "### Added\n\n- A.\n", "1.2.3": "B.\n", "Unreleased": "", "v99.0.0": ""} {
		out, err := exec.Command("bash", filepath.Join(dir, ".ci", "notes"), version).Output()
		if string(out) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v: %q, want %q", version, err, out, want)
		}
	}
}
