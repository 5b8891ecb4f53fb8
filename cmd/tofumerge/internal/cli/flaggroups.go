package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Flags that mean the same in every command that takes them. "help flags" describes them once; the
// help of a command names those that it takes.

// A flagGroup is a group of such flags.
type flagGroup struct {
	name, about string
	flags       []groupFlag
}

// A groupFlag is one of them: its name, its form, and its purpose. Arguments have no name.
type groupFlag struct{ name, written, usage string }

var flagGroups = []flagGroup{
	{"Selection", "which modules, and which parts", []groupFlag{
		{"", "DIR...", "the directories of modules; the current one by default"},
		{"recursive", "-r, --recursive", "go through all modules below each DIR"},
		{"exclude", "--exclude GLOB", "with -r, skip directories that GLOB matches; repeatable"},
		{"modules", "--modules", "follow module calls, as far as init has installed them"},
		{"tracked", "--tracked", "read the index of Git, not the working tree"},
		{"filter", "--filter GLOBS", "only addresses that GLOBS match, and the number of others"},
	}},
	{"Output", "format and destination", []groupFlag{
		{"format", "-f, --format FORMAT", "print in FORMAT; for a list, see the command's help"},
		{"json", "--json", "short for --format json"},
		{"output", "-o, --output PATH", "write to a file, or in flatten to a new directory"},
		{"redact", "--redact", "hide values that are not effective; in diff and list with --json"},
		{"full", "--full", "print long values whole, not just the lines that differ"},
		{"color", "--color WHEN", "colour the output: WHEN is auto (default), always or never"},
		{"quiet", "-q, --quiet", "print no warnings, only errors"},
		{"verbose", "-v, --verbose", "print the engine and a summary to standard error"},
	}},
	{"Comparison", "the other side", []groupFlag{
		{"", "DIR DIR2", "two directories (diff, extract)"},
		{"since", "--since REV[:DIR]", "a revision, such as main; for the commit where the branches parted: main..."},
		{"var-files", "--var-files", "with --since, also compare the values of variables"},
		{"against-engine", "--against-engine ENGINE", "another engine"},
	}},
}

// isInGroup reports whether a group describes a flag.
func isInGroup(name string) bool {
	return slices.ContainsFunc(flagGroups, func(g flagGroup) bool {
		return slices.ContainsFunc(g.flags, func(f groupFlag) bool { return f.name == name })
	})
}

// taking lists the commands that take a flag of a group.
func taking(root *cobra.Command, name string) string {
	var with, without []string
	for _, c := range root.Commands() {
		switch {
		case !c.IsAvailableCommand() || c.Name() == "help" || c.Name() == "completion":
		case takes(c, name):
			with = append(with, c.Name())
		default:
			without = append(without, c.Name())
		}
	}
	switch isGlobal := root.PersistentFlags().Lookup(name) != nil; {
	case isGlobal && len(without) == 0:
		return "all commands"
	case isGlobal:
		return "all but " + strings.Join(without, ", ")
	}
	return strings.Join(with, ", ")
}

// takes reports whether a command takes a flag of a group, its own one or one of all commands.
func takes(cmd *cobra.Command, name string) bool {
	if name == "tracked" && slices.Contains(writers, cmd.Name()) {
		return false
	}
	return cmd.Root().PersistentFlags().Lookup(name) != nil || cmd.LocalNonPersistentFlags().Lookup(name) != nil
}

// groupHelp describes the groups.
func groupHelp(root *cobra.Command, s screen.Screen) string {
	var out strings.Builder
	for _, g := range flagGroups {
		out.WriteString(s.Place(g.name+":") + " " + g.about + "\n")
		var heads, texts []string
		for _, f := range g.flags {
			head := f.written
			if strings.HasPrefix(head, "--") {
				head = "    " + head
			}
			usage := f.usage
			if f.name != "" {
				usage = fmt.Sprintf("%s (%s)", usage, taking(root, f.name))
			}
			heads, texts = append(heads, "  "+head), append(texts, usage)
		}
		out.WriteString(columns(heads, texts, s) + "\n")
	}
	return out.String()
}

// groupLines names the flags of groups that a command takes, a line for each group.
func groupLines(cmd *cobra.Command, s screen.Screen) string {
	var heads, texts []string
	for _, g := range flagGroups {
		if names := g.namesFor(cmd); len(names) > 0 {
			heads, texts = append(heads, "  "+g.name), append(texts, strings.Join(names, " "))
		}
	}
	return columns(heads, texts, s)
}

// namesFor lists the flags of a group that a command has itself, as they are written. A command that selects
// modules by its own flags also has --tracked, which belongs to most commands.
func (g flagGroup) namesFor(cmd *cobra.Command) []string {
	var names []string
	own, hasOwn := cmd.LocalNonPersistentFlags(), false
	for _, f := range g.flags {
		flag := own.Lookup(f.name)
		if hasOwn = hasOwn || flag != nil && !flag.Hidden; flag == nil && f.name == "tracked" && takes(cmd, f.name) {
			flag = cmd.Root().PersistentFlags().Lookup(f.name)
		}
		if flag != nil && !flag.Hidden {
			names = append(names, written(flag))
		}
	}
	if !hasOwn {
		return nil
	}
	return names
}

// most is how many columns the names of formats take; more are in the description of a command.
const most = 30

// written is a flag as it is typed, with its value.
func written(f *pflag.Flag) string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	value, _ := flagValue(f)
	if choices := strings.Join(f.Annotations[command.Choices], "|"); choices != "" && len(choices) <= most {
		value = " " + choices
	}
	return name + value
}

// columns writes texts beside heads, or below them where there is little room.
func columns(heads, texts []string, s screen.Screen) string {
	width := 0
	for _, head := range heads {
		width = max(width, len(head))
	}
	var out strings.Builder
	hang := strings.Repeat(" ", width+3)
	isNarrow := s.Width-len(hang) < leastText
	for i, head := range heads {
		if isNarrow {
			const indent = "          "
			out.WriteString(head + "\n" + screen.Wrap(indent+texts[i], s.Width, indent) + "\n")
			continue
		}
		out.WriteString(screen.Pad(head, len(hang)) + screen.WrapAfter(len(hang), texts[i], s.Width, hang) + "\n")
	}
	return out.String()
}
