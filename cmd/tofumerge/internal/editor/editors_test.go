package editor_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// These tests set up the installed editors by the recipes of docs/editors.md and the entries in
// editors, and use them as a person does: type, read diagnostics and a hover, apply an action, undo, go to a definition.
// testdata/editors holds the expected screens.

// An editorTest runs an editor with a script of testdata/editors.
type editorTest struct {
	name, program string
	args          []string // before the script
	idle          []string // arguments with which it ends at once
	script        string
	recipes       []string // texts that find the recipes on the page, or files in editors
	shown         string   // file of testdata/editors with the expected screen
}

var (
	neovim      = []string{"--headless", "--clean", "-c"}
	neovimIdle  = []string{"--headless", "--clean", "+qall!"}
	emacs       = []string{"--batch", "--load"}
	emacsIdle   = []string{"--batch", "--eval", "(kill-emacs 0)"}
	editorTests = []editorTest{
		{"nvim", "nvim", neovim, neovimIdle, "neovim.lua", []string{"    vim.lsp.start(", "vim.lsp.start_client", "TofumergeEffective"}, "nvim.txt"},
		{"nvim-hints", "nvim", neovim, neovimIdle, "neovim-hints.lua", append([]string{"    vim.lsp.start("}, neovimShows...), "nvim-hints.txt"},
		{"nvim-entry", "nvim", neovim, neovimIdle, "neovim-entry.lua", []string{"vim.lsp.enable"}, "nvim-entry.txt"},
		{"emacs", "emacs", emacs, emacsIdle, "eglot.el", []string{"emacs/eglot.el"}, "emacs.txt"},
		{"emacs-hints", "emacs", emacs, emacsIdle, "eglot-hints.el", []string{"emacs/eglot.el"}, "emacs-hints.txt"},
		{"emacs-lsp-mode", "emacs", emacs, emacsIdle, "lsp-mode.el", []string{"emacs/lsp-mode.el"}, "lsp-mode.txt"},
	}
	neovimShows = []string{"inlay_hint.enable", "vim.lsp.commands"}
)

var editedModule = map[string]string{
	"main.tf": `resource "aws_instance" "web" {
  # what production runs
  instance_type = "m5.large"
  ami           = "ami-1"
}
`,
	"local_override.tf": `# smaller, for my machine
resource "aws_instance" "web" {
  instance_type = "t3.micro"
  monitoring    = true
}
`,
}

func TestLSPEditors(t *testing.T) {
	for _, e := range editorTests {
		t.Run(e.name, func(t *testing.T) {
			path, err := exec.LookPath(e.program)
			if err != nil {
				t.Skipf("%s is not installed", e.program)
			}
			if err := clitest.Works(path, e.idle...); err != nil {
				t.Skip(err)
			}
			got, log := e.drive(t, path)
			if strings.Contains(got, "\nfailed: ") || strings.HasPrefix(got, "failed: ") {
				t.Fatalf("%s\n%s", got, log)
			}
			if what, isMissing := strings.CutPrefix(got, "no "); isMissing {
				t.Skip("this version of the editor has no", strings.TrimSpace(what))
			}
			golden := filepath.Join("testdata/editors", e.shown)
			if *loadtest.Update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", path, diff, log)
			}
		})
	}
}

// recipe returns a file in editors, or the code block of docs/editors.md that contains a text.
func recipe(t *testing.T, what string) string {
	t.Helper()
	if text, err := os.ReadFile(filepath.Join(repository, "editors", what)); err == nil {
		return string(text)
	}
	page, err := os.ReadFile(filepath.Join(repository, "docs/editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?ms)^ *```\\w+\n(.*?)^ *```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], what) {
			return block[1]
		}
	}
	t.Fatalf("no recipe with %s", what)
	return ""
}

// drive runs an editor in a module, and returns the notes of its script and its output.
func (e editorTest) drive(t *testing.T, editor string) (noted, log string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	program := filepath.Join(bin, "tofumerge") // under this name, the test binary is the program
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	dir := clitest.Write(t, editedModule)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Abs("testdata/editors")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(scripts, e.script)
	if filepath.Ext(script) == ".lua" {
		script = "luafile " + script
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, editor, append(slices.Clone(e.args), script)...)
	cmd.Dir, cmd.WaitDelay = dir, 5*time.Second
	entries, err := filepath.Abs(filepath.Join(repository, "editors"))
	if err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(bin, "result")
	home := t.TempDir()
	setup := filepath.Join(home, "recipe"+filepath.Ext(script))
	var blocks []string
	for _, what := range e.recipes {
		blocks = append(blocks, recipe(t, what))
	}
	if err := os.WriteFile(setup, []byte(strings.Join(blocks, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd.Env = []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"SCRIPTS=" + scripts, "ENTRIES=" + entries, "RECIPE=" + setup, "RESULT=" + result, "LANG=C.UTF-8",
	}
	out, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(result)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plain := strings.NewReplacer(lsptest.URI(dir), "file:///DIR", dir, "DIR").Replace(string(text))
	return plain, string(out)
}

// TestLSPRequests checks the rows of docs/editors.md with the requests that the server answers.
func TestLSPRequests(t *testing.T) {
	c, _ := connect(t, "--chdir", t.TempDir())
	c.Initialize(nil)
	page, err := os.ReadFile(filepath.Join(repository, "docs/editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (both|`tofumerge`|`terraform-ls`) \\| (`.*) \\|$").FindAllStringSubmatch(string(page), -1) {
		for method := range strings.SplitSeq(strings.Trim(row[2], "`"), "`, `") {
			told[method] = true
			var failed *lsptest.Error
			err := c.Try(method, map[string]any{}, nil)
			isMissing := errors.As(err, &failed) && failed.Code == -32601
			if isMissing != (row[1] == "`terraform-ls`") {
				t.Errorf("%s: the page says %s, the server %v", method, row[1], err)
			}
		}
	}
	for offer := range c.Server.Capabilities {
		name, ok := strings.CutSuffix(offer, "Provider")
		if ok && !slices.ContainsFunc(slices.Collect(maps.Keys(told)), func(method string) bool { return strings.Contains(method, "/"+name) }) {
			t.Errorf("the page has no row for %s", offer)
		}
	}
	c.Shutdown()
}

// VS Code lists no finding twice if the problem matchers of the extension have the name of the
// server's diagnostics as their owner.
func TestVSCodeOwner(t *testing.T) {
	c, _ := connect(t, "--chdir", t.TempDir())
	c.Initialize(nil)
	var offered struct{ Identifier string }
	if err := json.Unmarshal(c.Server.Capabilities["diagnosticProvider"], &offered); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(repository, "editors/vscode/package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Contributes struct {
			ProblemMatchers []struct{ Name, Owner string }
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil || len(manifest.Contributes.ProblemMatchers) == 0 {
		t.Fatalf("%+v: %v", manifest, err)
	}
	for _, m := range manifest.Contributes.ProblemMatchers {
		if m.Owner != offered.Identifier {
			t.Errorf("%s has the owner %q, not %q", m.Name, m.Owner, offered.Identifier)
		}
	}
	c.Shutdown()
}
