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

// TestPagesCommandLine fails if the flags in docs/command-line.md differ from the help; with -update it writes
// them.
func TestPagesCommandLine(t *testing.T) {
	root := (&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand()
	checkParts(t, "command-line.md", map[string]string{
		"shared": sharedPart(root), "flags": flagRows(undescribed(root, root.PersistentFlags())),
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
				commands = commandsTaking(root, f.name)
			case f.written == "DIR...":
				commands = "all but lsp, version; explain and render take one; in check also files"
			}
			rows = append(rows, []string{"`" + f.written + "`", strings.ReplaceAll(inMarkdown(f.usage), "|", `\|`), commands})
		}
		fmt.Fprintf(&out, "### %s: %s\n\n%s\n", g.name, g.about, table([]string{"flag", "what it does", "commands"}, rows))
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

// flagInText finds the names of flags and of tofumerge's files.
var flagInText = regexp.MustCompile(`(^|[\s(])(--[a-z][a-z-]*(?:=[a-z]+)?|\.[a-z]+[a-z.-]*\b)`)

// inMarkdown is text that means itself.
func inMarkdown(text string) string {
	text = strings.NewReplacer("*", `\*`, "<", `\<`, "_", `\_`, "[", `\[`).Replace(text)
	return flagInText.ReplaceAllString(text, "$1`$2`")
}
