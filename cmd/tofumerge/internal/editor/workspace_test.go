package editor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
)

// makeWorkspace makes a tree of modules with everything that matters to a search.
func makeWorkspace(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	const base = "resource \"aws_instance\" \"web\" {\n  ami = \"ami-1\"\n}\n"
	for name, text := range map[string]string{
		"a/main.tf":                     base,
		"a/override.tf":                 base,
		"a/deeper/b/main.tf":            base,
		"a/deeper/b/b_override.tf.json": `{"resource": {"aws_instance": {"web": {"ami": "ami-1"}}}}`,
		"none/main.tf":                  "resource {\n", // has no override files
		"a/.terraform/m/main.tf":        base,
		"a/.terraform/m/override.tf":    base,
		"strict/.tofumerge.hcl":         "disable = [\"nonsense\"]\n",
		"strict/c/main.tf":              base,
		"strict/c/override.tf":          base,
		"strict/d/main.tf":              base,
		"strict/d/override.tf":          base,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// pullWorkspace lists the diagnostics of a workspace, as FILE:LINE RULE.
func pullWorkspace(t *testing.T, c *lsptest.Client, root string, token any) []string {
	t.Helper()
	all, err := c.PullWorkspace(token)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for uri, diags := range all {
		for _, d := range diags {
			list = append(list, fmt.Sprintf("%s:%d %s", strings.TrimPrefix(uri, lsptest.URI(root)+"/"), d.Range.Start.Line+1, d.Code))
		}
	}
	slices.Sort(list)
	return list
}

// The server reports on all modules with override files that git doesn't ignore, whether their
// documents are open or not, and follows changes.
func TestLSPWorkspace(t *testing.T) {
	root := makeWorkspace(t)
	c, _ := connect(t, "--chdir", root)
	c.Initialize([]string{root})
	want := []string{
		"a/deeper/b/b_override.tf.json:1 equivalent-override", "a/override.tf:2 equivalent-override",
		"strict/.tofumerge.hcl:1 unreadable",
	}
	expect := func(why string, token any) {
		t.Helper()
		if diff := cmp.Diff(want, pullWorkspace(t, c, root, token)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", why, diff)
		}
	}
	expect("at first", nil)
	expect("in partial results", "token")

	doc := c.Open(filepath.Join(root, "a", "override.tf"), "")
	want = slices.Delete(want, 1, 2)
	expect("with unsaved text", 7)
	settings := c.Open(filepath.Join(root, "strict", policy.FileName), "")
	want = slices.Concat(want[:1], []string{"strict/c/override.tf:2 equivalent-override", "strict/d/override.tf:2 equivalent-override"})
	expect("with unsaved settings", nil)
	c.Close(doc)
	c.Close(settings)

	path := filepath.Join(root, "strict", policy.FileName)
	if err := os.WriteFile(path, []byte("disable = [\"equivalent-override\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Watched(path, lsptest.Changed)
	want = []string{"a/deeper/b/b_override.tf.json:1 equivalent-override", "a/override.tf:2 equivalent-override"}
	expect("after a change on disk", nil)
	c.WaitForRefresh()
	if err := os.RemoveAll(filepath.Join(root, "a", "deeper")); err != nil {
		t.Fatal(err)
	}
	c.Watched(filepath.Join(root, "a", "deeper"), lsptest.Deleted)
	want = want[1:]
	expect("after a directory was removed", nil)
	c.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{}, "removed": []any{map[string]any{"uri": lsptest.URI(root), "name": "root"}},
	}})
	want = []string{}
	expect("without a folder", nil)
	c.Shutdown()
}

// The diagnostics of a workspace are what check finds in the same modules.
func TestLSPWorkspaceIsChecked(t *testing.T) {
	root := makeWorkspace(t)
	c, _ := connect(t, "--chdir", root)
	c.Initialize([]string{root})
	got := pullWorkspace(t, c, root, nil)
	c.Shutdown()
	var out bytes.Buffer
	cli.Run([]string{"--chdir", root, "check", "-r", ".", "--exclude", "build", "--exclude", "none", "--json"},
		cli.Streams{Out: &out, Err: &bytes.Buffer{}, Env: func(string) string { return "" }})
	var report struct {
		Findings []struct {
			Rule, Path string
			Range      struct{ Start struct{ Line int } }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	want := []string{}
	for _, f := range report.Findings {
		want = append(want, fmt.Sprintf("%s:%d %s", f.Path, max(1, f.Range.Start.Line), f.Rule))
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("-check +workspace:\n%s", diff)
	}
}

// The server doesn't offer diagnostics of the workspace to a client that doesn't support pull
// diagnostics.
func TestLSPWorkspaceNeedsPull(t *testing.T) {
	root := makeWorkspace(t)
	c, _ := connect(t, "--chdir", root)
	capabilities := lsptest.Capabilities()
	delete(capabilities["textDocument"].(map[string]any), "diagnostic")
	c.InitializeWith([]string{root}, capabilities, nil)
	if offered := c.Server.Capabilities["diagnosticProvider"]; offered != nil {
		t.Errorf("offered: %s", offered)
	}
	c.Shutdown()
}
