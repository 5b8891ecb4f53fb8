package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A commandMaker makes a command by its name.
type commandMaker struct {
	name string
	make func(*app) *cobra.Command
}

// commands are all commands, but for those of the library. Help sorts them.
var commands = []commandMaker{
	{"render", newRenderCommand},
	{"explain", newExplainCommand},
	{"diff", newDiffCommand},
	{"list", newListCommand},
	{"changes", newChangesCommand},
	{"check", newCheckCommand},
	{"report", newReportCommand},
	{"flatten", newFlattenCommand},
	{"mark", newMarkCommand},
	{"man", newManCommand},
	{"lsp", newLSPCommand},
	{"version", newVersionCommand},
}

// needed are the commands that a run can't do without: to make those that it isn't about
// takes longer than to merge a small module. Wherever the arguments ask for help, or can be
// read in two ways, or may be wrong, all of them are needed.
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
