package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/editor"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

const extensionDir = "../../../../editors/vscode"

// The extension for VS Code tests its problem matchers on a report that is the program's;
// with -update it is written.
func TestVSCodeReport(t *testing.T) {
	var out, errs bytes.Buffer
	dir := filepath.Join(extensionDir, "test", "testdata")
	status := Run([]string{"-C", filepath.Join(dir, "modules"), "check", "-r", ".", "--deny-overrides", "--engine", "opentofu"},
		Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	if status != ExitFound || errs.Len() > 0 {
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
		t.Errorf("%s is stale; go test ./cmd/tofumerge/internal/cli -run TestVSCode -update (-want +got):\n%s", path, diff)
	}
}

// The extension and the server agree on names: of settings, commands and requests.
func TestVSCodeNames(t *testing.T) {
	var manifest struct {
		Contributes struct {
			Configuration struct {
				Properties map[string]struct{ Enum []string }
			}
		}
	}
	if err := json.Unmarshal([]byte(extensionFile(t, "package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	var severities []string
	for _, s := range []check.Severity{check.Notice, check.Warning, check.Error} {
		severities = append(severities, s.String())
	}
	if got := manifest.Contributes.Configuration.Properties["tofumerge.minSeverity"].Enum; !slices.Equal(severities, got) {
		t.Errorf("tofumerge.minSeverity is one of %q, want %q", got, severities)
	}
	settings, protocol := extensionFile(t, "src/settings.ts"), extensionFile(t, "src/protocol.ts")
	wants := []struct{ in, name string }{
		{settings, `"` + feature.ShowOverrides + `"`},
		{settings, `"` + feature.ShowEffective + `"`},
		{protocol, `"tofumerge/effective"`},
		{protocol, `"tofumerge/effectiveChanged"`},
	}
	known := reflect.TypeFor[editor.Settings]()
	for _, name := range []string{"Engine", "MinSeverity"} {
		field, ok := known.FieldByName(name)
		if !ok {
			t.Fatalf("the server has no setting %s", name)
		}
		wants = append(wants, struct{ in, name string }{settings, field.Tag.Get("json") + ":"})
	}
	for _, w := range wants {
		if !strings.Contains(w.in, w.name) {
			t.Errorf("the extension doesn't name %s", w.name)
		}
	}
}

func extensionFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(extensionDir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The lock file names no source of packages, so npm takes them from where it is configured to.
func TestVSCodeLock(t *testing.T) {
	if strings.Contains(extensionFile(t, "package-lock.json"), `"resolved"`) {
		t.Error("package-lock.json names sources; run npm install --omit-lockfile-registry-resolved")
	}
}
