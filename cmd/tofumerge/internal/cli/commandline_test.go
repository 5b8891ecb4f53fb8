package cli

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// TestPagesCommandLine fails if docs/command-line.md differs from the help; with -update it writes
// the page.
func TestPagesCommandLine(t *testing.T) {
	root := (&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand()
	checkParts(t, "command-line.md", map[string]string{
		"commands": commandsPart(root), "shared": sharedPart(root), "flags": flagRows(particular(root, root.PersistentFlags())),
	})
}

// sharedPart has a table for each group of flags.
func sharedPart(root *cobra.Command) string {
	var out strings.Builder
	for _, g := range flagGroups {
		var rows [][]string
		for _, f := range g.flags {
			commands := "diff, extract"
			switch {
			case f.name != "":
				commands = taking(root, f.name)
			case f.written == "DIR...":
				commands = "all but lsp, version; explain and render take one; in check also files"
			}
			rows = append(rows, []string{"`" + f.written + "`", strings.ReplaceAll(inMarkdown(f.usage), "|", `\|`), commands})
		}
		fmt.Fprintf(&out, "### %s: %s\n\n%s\n", g.name, g.about, table([]string{"flag", "what it does", "commands"}, rows))
	}
	return out.String()
}

// sharedLine names the flags of groups that a command takes.
func sharedLine(cmd *cobra.Command) string {
	var names []string
	for _, g := range flagGroups {
		for _, name := range g.namesFor(cmd) {
			names = append(names, "`"+name+"`")
		}
	}
	if names == nil {
		return ""
	}
	return "[Shared flags](#shared-flags): " + strings.Join(names, ", ") + ".\n"
}

// commandsPart has a section for each command, those that people look for first.
func commandsPart(root *cobra.Command) string {
	var out strings.Builder
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd != root && !cmd.IsAvailableCommand() || cmd.Name() == "help" {
			continue
		}
		fmt.Fprintf(&out, "## %s\n\n%s.\n", cmd.CommandPath(), strings.TrimRight(cmd.Short, "."))
		if cmd.Name() == "completion" {
			out.WriteString("\nSHELL is bash, zsh, fish or powershell. `tofumerge completion SHELL --help` says how to install the script.\n\n")
			continue
		}
		fmt.Fprintf(&out, "\n```sh\n%s\n```\n", strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		if cmd.Long != "" {
			fmt.Fprintf(&out, "\n%s\n", asMarkdown(cmd.Long))
		}
		if cmd.Example != "" {
			fmt.Fprintf(&out, "\n```sh\n%s\n```\n", strings.TrimRight(regexp.MustCompile(`(?m)^  `).ReplaceAllString(cmd.Example, ""), "\n"))
		}
		for _, part := range []string{flagRows(particular(cmd, ownFlags(cmd))), sharedLine(cmd)} {
			if part != "" {
				fmt.Fprintf(&out, "\n%s", part)
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

// flagRows has a row for each flag but --help.
func flagRows(flags *pflag.FlagSet) string {
	var rows [][]string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" || f.Name == "help" {
			return
		}
		value, usage := flagValue(f)
		name := "`--" + f.Name + value + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		switch {
		case f.DefValue == "" || f.DefValue == "false" || f.DefValue == "[]" || f.DefValue == "0":
		default:
			usage += fmt.Sprintf(" (default `%s`)", f.DefValue)
		}
		rows = append(rows, []string{name, strings.ReplaceAll(inMarkdown(usage), "|", `\|`)})
	})
	if rows == nil {
		return ""
	}
	return table([]string{"flag", "what it does"}, rows)
}

// asMarkdown turns the text of help into paragraphs; lines that are set off by blanks
// stay as they are.
func asMarkdown(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") {
			paragraphs[i] = "```text\n" + regexp.MustCompile(`(?m)^  `).ReplaceAllString(p, "") + "\n```"
			continue
		}
		paragraphs[i] = inMarkdown(p)
	}
	return strings.Join(paragraphs, "\n\n")
}

// flagInText finds the names of flags and of tofumerge's files.
var flagInText = regexp.MustCompile(`(^|[\s(])(--[a-z][a-z-]*(?:=[a-z]+)?|\.[a-z]+[a-z.-]*\b)`)

// inMarkdown is text that means itself.
func inMarkdown(text string) string {
	text = strings.NewReplacer("*", `\*`, "<", `\<`, "_", `\_`, "[", `\[`).Replace(text)
	return flagInText.ReplaceAllString(text, "$1`$2`")
}
