package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// TestCommandMakers holds the names of the table against the commands.
func TestCommandMakers(t *testing.T) {
	for _, c := range commands {
		if got := c.make(&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).Name(); got != c.name {
			t.Errorf("the command %s is called %s", c.name, got)
		}
	}
}

// TestNeeded checks that commands are left out only if the arguments can't mean another one,
// request help or contain a mistake that takes the others to explain.
func TestNeeded(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"web", "check"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"":                      "",
		"web":                   "",
		"--json -a web":         "",
		"list web":              "list",
		"check -r . --only-new": "check",
		"check -rv":             "all",
		"check -h":              "all",
		"check --help":          "all",
		"help":                  "all",
		"write-completions":     "all",
		"completion bash":       "all",
		"__complete li":         "all",
		"--json check":          "all",
		"chek":                  "all",
		"-engine=x":             "all",
		"web --":                "all",
		"web api":               "all",
	} {
		var names []string
		for _, c := range commandsFor(strings.Fields(args)) {
			names = append(names, c.name)
		}
		got := strings.Join(names, " ")
		if len(names) == len(commands) {
			got = "all"
		}
		if got != want {
			t.Errorf("%q needs the commands %q, want %q", args, got, want)
		}
	}
}
