package editor_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The directory editors holds entries for the collections that editors read.

func repositoryFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The page has each entry that people copy themselves.
func TestEntriesOnPage(t *testing.T) {
	page := repositoryFile(t, "docs/editors.md")
	for _, name := range []string{"emacs/eglot.el", "emacs/lsp-mode.el", "helix/languages.toml", "zed/settings.json"} {
		if !strings.Contains(page, "\n"+repositoryFile(t, "editors/"+name)+"```\n") {
			t.Errorf("docs/editors.md doesn't have editors/%s", name)
		}
	}
}

// The entry for mason names the archives of a release, one for each system.
func TestMasonEntry(t *testing.T) {
	entry, releaser := repositoryFile(t, "editors/mason/package.yaml"), repositoryFile(t, ".goreleaser.yaml")
	list := func(name string) []string {
		found := regexp.MustCompile(`(?m)^    ` + name + `: \[(.*)\]$`).FindStringSubmatch(releaser)
		if found == nil {
			t.Fatalf(".goreleaser.yaml has no list %s", name)
		}
		return strings.Split(found[1], ", ")
	}
	if name := `name_template: "{{ .ProjectName }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}"`; !strings.Contains(releaser, name) {
		t.Fatalf(".goreleaser.yaml has no %s", name)
	}
	targets := map[string]string{"darwin": "darwin", "linux": "linux", "windows": "win", "amd64": "x64", "arm64": "arm64"}
	var want []string
	for _, system := range list("goos") {
		for _, arch := range list("goarch") {
			kind, program := "tar.gz", "tofumerge"
			if system == "windows" {
				kind, program = "zip", "tofumerge.exe"
			}
			want = append(want, "    - target: "+targets[system]+"_"+targets[arch]+"\n"+
				`      file: tofumerge_{{ version | strip_prefix "v" }}_`+system+"_"+arch+"."+kind+"\n"+
				"      bin: "+program+"\n")
		}
	}
	got := regexp.MustCompile(`    - target: .*\n      file: .*\n      bin: .*\n`).FindAllString(entry, -1)
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the entry has\n%s\na release has\n%s", strings.Join(got, ""), strings.Join(want, ""))
	}
}

// Helix reads its entry, and finds the server.
func TestHelixEntry(t *testing.T) {
	path, err := exec.LookPath("hx")
	if err != nil {
		t.Skip("hx is not installed")
	}
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "helix"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "helix/languages.toml"), []byte(repositoryFile(t, "editors/helix/languages.toml")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"hcl", "json"} {
		cmd := exec.Command(path, "--health", language)
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+home, "HOME="+home)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "tofumerge") {
			t.Errorf("%s: %v\n%s", language, err, out)
		}
	}
}
