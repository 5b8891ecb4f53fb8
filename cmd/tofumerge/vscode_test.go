package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

const extensionDir = "../../editors/vscode"

// The extension for VS Code tests its problem matchers on a report that is the program's;
// with -update it is written.
func TestVSCodeReport(t *testing.T) {
	var out, errs bytes.Buffer
	dir := filepath.Join(extensionDir, "test", "testdata")
	status := run([]string{"-C", filepath.Join(dir, "modules"), "check", "-r", ".", "--deny-overrides"},
		streams{in: strings.NewReader(""), out: &out, err: &errs, env: func(string) string { return "" }})
	if status != exitFound || errs.Len() > 0 {
		t.Fatalf("status %d, %s", status, &errs)
	}
	path := filepath.Join(dir, "check.txt")
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out.String(), strings.ReplaceAll(string(text), "\r\n", "\n")); diff != "" {
		t.Errorf("%s is stale; go test ./cmd/tofumerge -run TestVSCode -update (-want +got):\n%s", path, diff)
	}
}

// The severities that the extension offers are those of check, from the lowest on.
func TestVSCodeSettings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(extensionDir, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct {
			Configuration struct {
				Properties map[string]struct{ Enum []string }
			}
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range []check.Severity{check.Notice, check.Warning, check.Error} {
		want = append(want, s.String())
	}
	got := manifest.Contributes.Configuration.Properties["tofumerge.minSeverity"].Enum
	if !slices.Equal(want, got) {
		t.Errorf("tofumerge.minSeverity is one of %q, want %q", got, want)
	}
}

// The packages of the extension come from where npm gets them by default: its lock file
// names no other place.
func TestVSCodeLock(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(extensionDir, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile(`"resolved": *"([^"]*)"`)
	for _, m := range places.FindAllSubmatch(text, -1) {
		if !bytes.HasPrefix(m[1], []byte("https://registry.npmjs.org/")) {
			t.Errorf("package-lock.json names %s", m[1])
		}
	}
}
