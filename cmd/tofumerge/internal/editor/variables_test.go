package editor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// Variables files are part of an editor's module: hovers on variables, on var.NAME and on keys list
// the layers, a key links to the declaration, and all follow the typed text.
func TestVariablesFiles(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"main.tf":          "variable \"stage\" {\n  default = \"dev\"\n}\nvariable \"password\" {\n}\noutput \"o\" {\n  value = \"${var.stage}-x\"\n}\n",
		"x_override.tf":    "variable \"stage\" {\n  default = \"test\"\n}\n",
		"terraform.tfvars": "stage = \"qa\"\npassword = \"s3cret\"\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, _ := connect(t, "--chdir", dir)
	c.Initialize([]string{dir})
	main := c.Open(filepath.Join(dir, "main.tf"), files["main.tf"])
	values := c.Open(filepath.Join(dir, "terraform.tfvars"), files["terraform.tfvars"])
	hover := func(uri string, line, character int) string {
		var h struct{ Contents struct{ Value string } }
		c.Call("textDocument/hover", lsptest.At(uri, lsptest.Position{Line: line, Character: character}), &h)
		return h.Contents.Value
	}
	for name, got := range map[string]string{
		"declaration": hover(main.URI, 0, 12), "default": hover(main.URI, 1, 5), "reference": hover(main.URI, 6, 18), "key": hover(values.URI, 0, 2),
	} {
		for _, want := range []string{"in effect", "terraform.tfvars:1", "x_override.tf:2", "default, by terraform.tfvars:1"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
	}
	if got := hover(main.URI, 6, 24); strings.Contains(got, "terraform.tfvars") {
		t.Errorf("behind the reference: %s", got)
	}
	for _, got := range []string{hover(values.URI, 1, 2), hover(main.URI, 3, 12)} {
		if strings.Contains(got, "s3cret") || !strings.Contains(got, "(sensitive value)") {
			t.Errorf("a secret: %q", got)
		}
	}
	var to []struct {
		TargetURI            string
		TargetSelectionRange lsptest.Range
	}
	c.Call("textDocument/definition", lsptest.At(values.URI, lsptest.Position{Character: 5}), &to)
	if len(to) != 1 || to[0].TargetURI != main.URI || to[0].TargetSelectionRange.Start.Line != 0 {
		t.Errorf("the key leads to %+v", to)
	}
	c.Replace(values, 0, 5, "satge")
	if got := hover(main.URI, 6, 18); !strings.Contains(got, `"test"`) || strings.Contains(got, "terraform.tfvars") {
		t.Errorf("without the value: %s", got)
	}
	for _, method := range []string{"codeAction", "inlayHint", "codeLens", "completion", "implementation", "references"} {
		var answer any
		whole := lsptest.Range{End: lsptest.Position{Line: 1}}
		c.Call("textDocument/"+method, map[string]any{
			"textDocument": map[string]any{"uri": values.URI}, "position": whole.End, "range": whole,
			"context": map[string]any{"diagnostics": []any{}, "includeDeclaration": true},
		}, &answer)
	}
}
