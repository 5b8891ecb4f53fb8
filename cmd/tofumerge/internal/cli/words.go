package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// What people type where a command, or a directory, is expected.

// synonyms are other programs' names for the commands.
var synonyms = map[string]string{
	"annotate": "render", "cat": "render", "effective": "render", "merge": "render", "print": "render", "show": "render", "view": "render",
	"blame": "explain", "history": "explain", "origin": "explain", "trace": "explain", "where": "explain",
	"why":     "explain",
	"compare": "diff", "patch": "diff",
	"files": "list", "inspect": "list", "ls": "list", "overrides": "list", "status": "list",
	"audit": "check", "lint": "check", "policy": "check", "scan": "check", "test": "check", "validate": "check",
	"verify": "check",
	"inline": "flatten", "squash": "flatten",
	"langserver": "lsp", "language-server": "lsp", "serve": "lsp", "server": "lsp",
	"completions": "completion",
}

// engineCommands are the engines' commands without a counterpart here.
var engineCommands = []string{
	"apply", "console", "destroy", "fmt", "force-unlock", "get", "graph", "import", "init", "login", "logout", "metadata", "output",
	"plan", "providers", "refresh", "state", "taint", "untaint", "workspace",
}

// engineHint explains that a word is a command of the engines; empty if it isn't. A user who types
// apply may mean the overrides.
func engineHint(root *cobra.Command, word string) string {
	if !slices.Contains(engineCommands, word) {
		return ""
	}
	var programs []string
	for _, p := range engine.Products() {
		programs = append(programs, p.Command())
	}
	text := fmt.Sprintf("%s is a command of %s, which %s doesn't run", word, strings.Join(programs, " and "), root.Name())
	if word == "apply" {
		text += fmt.Sprintf("; to write the overrides into the primary files, run: %s flatten", root.Name())
	}
	return text
}

// nearestCommand is the name of the command that a word may stand for, or "". Commands
// that help doesn't list are not among them.
func nearestCommand(root *cobra.Command, word string) string {
	if name := synonyms[word]; name != "" {
		return name
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return spelling.Nearest(word, names)
}

// unknownWord is the error about a word that is neither a command nor a directory; nil if it can't
// be a command and a flag names the directories.
func (a *app) unknownWord(root *cobra.Command, word string) error {
	if hint := engineHint(root, word); hint != "" {
		return fmt.Errorf("no such command or directory: %s; %s", word, hint)
	}
	if near := nearestCommand(root, word); near != "" {
		return fmt.Errorf(
			"no such command or directory: %s; did you mean \"%s %s\"?", diag.Escape(word), root.Name(), near,
		)
	}
	if a.ws.Base() != "" {
		return nil
	}
	return fmt.Errorf(
		"no such command or directory: %s; to list the commands, run: %s --help", diag.Escape(word), root.Name(),
	)
}
