package editor_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// TestMoveChange edits a committed file, and makes the server move the edit to an override file.
// The text on the screen is used, not the one on the disk; outside of a repository nothing is
// offered.
func TestMoveChange(t *testing.T) {
	const was = "resource \"aws_instance\" \"web\" {\n  ami = \"ami-1\"\n}\n"
	for _, isRepository := range []bool{true, false} {
		root := t.TempDir()
		dir := filepath.Join(root, "modules", "web")
		path := filepath.Join(dir, "main.tf")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(was), 0o600); err != nil {
			t.Fatal(err)
		}
		if isRepository {
			commit(t, root)
		}
		c, _ := connect(t, "--chdir", root)
		c.InitializeWith([]string{root}, map[string]any{
			"workspace": map[string]any{"workspaceEdit": map[string]any{"documentChanges": true, "resourceOperations": []string{"create"}}},
		}, nil)
		doc := c.Open(path, was)
		c.Replace(doc, strings.Index(was, "ami-1"), strings.Index(was, "ami-1")+5, "ami-2")
		var list []struct {
			Title string
			Edit  struct {
				DocumentChanges []struct {
					Kind, URI    string
					TextDocument struct{ URI string }
					Edits        []lsptest.TextEdit
				}
			}
		}
		params := lsptest.In(doc.URI, lsptest.Range{Start: lsptest.Position{Line: 1, Character: 4}, End: lsptest.Position{Line: 1, Character: 4}})
		params["context"] = map[string]any{"diagnostics": []any{}, "only": []string{"refactor"}}
		c.Call("textDocument/codeAction", params, &list)
		c.Shutdown()
		if !isRepository {
			if len(list) > 0 {
				t.Errorf("%+v", list)
			}
			continue
		}
		if len(list) != 1 || list[0].Title != "Move this change to extract_override.tf" || len(list[0].Edit.DocumentChanges) != 3 {
			t.Fatalf("%+v", list)
		}
		changes := list[0].Edit.DocumentChanges
		if back := changes[0].Edits; len(back) != 1 || back[0].NewText != "  ami = \"ami-1\"\n" {
			t.Errorf("%+v", back)
		}
		if made := changes[2].Edits; changes[1].Kind != "create" || len(made) != 1 || made[0].NewText != strings.Replace(was, "ami-1", "ami-2", 1) {
			t.Errorf("%+v", changes)
		}
	}
}

// commit commits all files of a directory to a new repository.
func commit(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
}
