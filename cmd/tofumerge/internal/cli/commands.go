package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// A commandMaker makes a command by its name.
type commandMaker struct {
	name string
	make func(*app) *cobra.Command
}

// commands lists all commands except for the library's. Help sorts them.
var commands = []commandMaker{
	{"render", over(command.NewRender)},
	{"explain", over(command.NewExplain)},
	{"diff", over(command.NewDiff)},
	{"list", over(command.NewList)},
	{"changes", over(command.NewChanges)},
	{"check", over(command.NewCheck)},
	{"report", over(command.NewReport)},
	{"flatten", over(command.NewFlatten)},
	{"exec", over(command.NewExec)},
	{"extract", over(command.NewExtract)},
	{"man", newManCommand},
	{"lsp", over(command.NewLSP)},
	{"version", newVersionCommand},
}

// over makes a command over the workspace of a run.
func over(make func(*workspace.Workspace, complete.Words) *cobra.Command) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command { return make(a.ws, a.words) }
}

// needed returns the commands that a run needs: making the others takes longer than merging a small
// module. If the arguments request help, are ambiguous, or may be wrong, it returns all of them.
func needed(args []string) []commandMaker {
	if !slices.ContainsFunc(args, isOdd) {
		if len(args) > 0 {
			if i := slices.IndexFunc(commands, func(c commandMaker) bool { return c.name == args[0] }); i >= 0 {
				return commands[i : i+1]
			}
		}
		if !slices.ContainsFunc(args, isNoDirectory) {
			return nil
		}
	}
	return commands
}

// isOdd reports whether an argument is more than a word, a letter or a name behind two dashes.
func isOdd(arg string) bool {
	letter, isFlag := strings.CutPrefix(arg, "-")
	name, isLong := strings.CutPrefix(arg, "--")
	switch {
	case isLong:
		return name == "" || strings.HasPrefix(name, "help")
	case isFlag:
		return len(letter) != 1 || letter == "h"
	}
	return arg == "" || strings.HasPrefix(arg, cobra.ShellCompRequestCmd) ||
		arg == "help" || arg == "completion" || arg == "man"
}

// isNoDirectory reports whether a word may mean something else than a directory that is there.
func isNoDirectory(arg string) bool {
	if strings.HasPrefix(arg, "-") {
		return false
	}
	info, err := os.Stat(arg)
	return err != nil || !info.IsDir() || slices.ContainsFunc(commands, func(c commandMaker) bool { return c.name == arg })
}
