package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/lsptest"
)

// Editors that are installed are driven as a person does: type, read diagnostics and a hover,
// apply an action, undo, go to a definition. What they show is in testdata/editors.

var editors = []struct {
	name string
	args []string
}{
	{"nvim", []string{"--headless", "--clean", "-c", "luafile neovim.lua"}},
	{"emacs", []string{"--batch", "--load", "eglot.el"}},
}

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
	for _, e := range editors {
		t.Run(e.name, func(t *testing.T) {
			path, err := exec.LookPath(e.name)
			if err != nil {
				t.Skipf("%s is not installed", e.name)
			}
			got, log := drive(t, path, e.args)
			if strings.Contains(got, "\nfailed: ") || strings.HasPrefix(got, "failed: ") {
				t.Fatalf("%s\n%s", got, log)
			}
			if strings.Contains(got, "no Eglot") {
				t.Skip("Emacs has no Eglot")
			}
			golden := filepath.Join("testdata/editors", e.name+".txt")
			if *update {
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

// drive runs an editor in a module, and returns what its script has noted.
func drive(t *testing.T, editor string, args []string) (noted, log string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	program := filepath.Join(bin, "tofumerge") // what the binary of the tests is if it is called so
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	dir := write(t, editedModule)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Abs("testdata/editors")
	if err != nil {
		t.Fatal(err)
	}
	for i, arg := range args {
		if name, ok := strings.CutPrefix(arg, "luafile "); ok {
			args[i] = "luafile " + filepath.Join(scripts, name)
		} else if strings.HasSuffix(arg, ".el") {
			args[i] = filepath.Join(scripts, filepath.Base(arg))
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, editor, args...)
	cmd.Dir = dir
	result := filepath.Join(bin, "result")
	home := t.TempDir()
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"TOFUMERGE=" + program, "RESULT=" + result, "LANG=C.UTF-8",
	}
	out, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(result)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plain := strings.NewReplacer(lsptest.URI(dir), "file:///DIR", dir, "DIR").Replace(string(text))
	return plain, string(out)
}
