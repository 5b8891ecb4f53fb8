package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recipe is the block below a heading of docs/ci.md that is in a language.
func recipe(t *testing.T, heading, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, block, _ := strings.Cut(section, "\n```"+language+"\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatalf("docs/ci.md has no recipe for %s", heading)
	}
	return block
}

// The recipes for lefthook, husky and lint-staged stop a commit with a finding, and let the one
// pass that leaves the finding out of the index. HOOK_TOOLS names the directory with node_modules.
func TestHookRecipes(t *testing.T) {
	tools := os.Getenv("HOOK_TOOLS")
	if _, err := os.Stat(filepath.Join(tools, "node_modules", "lefthook")); tools == "" || err != nil {
		t.Skip("HOOK_TOOLS names no directory in which npm has installed lefthook, husky and lint-staged")
	}
	for _, c := range []struct {
		name, install string
		files         map[string]string
	}{
		{"lefthook", "lefthook install", map[string]string{"lefthook.yml": recipe(t, "lefthook", "yaml")}},
		{"husky", "husky", map[string]string{".husky/pre-commit": recipe(t, "husky", "sh")}},
		{"lint-staged", "husky", map[string]string{".husky/pre-commit": "lint-staged\n", "package.json": recipe(t, "husky", "json")}},
	} {
		r := newActionRun(t)
		for name, text := range c.files {
			path := filepath.Join(r.dir, name)
			if os.MkdirAll(filepath.Dir(path), 0o777) != nil || os.WriteFile(path, []byte(text), 0o777) != nil {
				t.Fatal("the recipe can't be written")
			}
		}
		path := "PATH=" + r.temp + ":" + filepath.Join(tools, "node_modules", ".bin") + ":" + os.Getenv("PATH")
		const git = "git -c user.name=a -c user.email=a@example.com "
		if out := r.shell(t, git+"checkout -q main && "+c.install+" && git add -A && "+git+"commit -q --no-verify -m a && echo done", path); !strings.Contains(out, "done") {
			t.Errorf("%s: %s", c.name, out)
			continue
		}
		const stage = "printf 'resource \"aws_instance\" \"web\" {\\n  lifecycle {\\n    enabled = false\\n  }\\n}\\n' > override.tf; git add override.tf; "
		if out := r.shell(t, stage+git+"commit -m a; echo status $?", path); !strings.Contains(out, "no-effect") || !strings.Contains(out, "status 1") {
			t.Errorf("%s doesn't stop a commit with a finding: %s", c.name, out)
		}
		const unstage = "git reset -q override.tf; echo >> main.tf; git add main.tf; "
		if out := r.shell(t, unstage+git+"commit -m a; echo status $?", path); !strings.Contains(out, "status 0") {
			t.Errorf("%s stops a commit without a finding: %s", c.name, out)
		}
	}
}

// Without the tools, the recipes still name flags that check has; the pages' tests run no hooks.
func TestHookCommands(t *testing.T) {
	for _, text := range []string{recipe(t, "lefthook", "yaml"), recipe(t, "husky", "sh"), recipe(t, "husky", "json")} {
		at := strings.Index(text, "tofumerge check")
		if at < 0 {
			t.Errorf("no call of the program: %s", text)
			continue
		}
		line, _, _ := strings.Cut(text[at:], "\n")
		if err := shellCommand(strings.Fields(strings.TrimSuffix(line, `"}}`))).parses(); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The workflow installs the tools that the test of the recipes wants.
func TestHookWorkflow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, ".github", "workflows", "action.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"npm install --ignore-scripts --no-save lefthook@", "husky@", "lint-staged@", "HOOK_TOOLS: ", "-run TestHookRecipes"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("action.yaml lacks %q", want)
		}
	}
}
