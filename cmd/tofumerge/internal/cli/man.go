package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// newManCommand makes the command that packagers run: it writes the manual pages,
// or the completions, into a directory.
func newManCommand(a *app) *cobra.Command {
	completions := false
	cmd := &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			if completions {
				return writeCompletions(cmd.Root(), args[0])
			}
			return writeManPages(cmd.Root(), args[0], a.commitDate())
		},
	}
	cmd.Flags().BoolVar(&completions, "completions", false, "write the completions of all shells instead")
	return cmd
}

// writeManPages writes the page of a command, and the pages of its subcommands.
func writeManPages(cmd *cobra.Command, dir, date string) error {
	for _, c := range paged(cmd) {
		if err := writeManPages(c, dir, date); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, pageOf(cmd)+".1"), manPage(cmd, date), 0o666)
}

// paged are the subcommands with a page. The shells of completion have none: help shows what there is to them.
func paged(cmd *cobra.Command) []*cobra.Command {
	if cmd.HasParent() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
}

// pageOf is the name of a command's page.
func pageOf(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's page: its help in roff.
func manPage(cmd *cobra.Command, date string) []byte {
	initHelpFlag(cmd)
	var out bytes.Buffer
	fmt.Fprintf(&out, ".TH %s 1 %s \"tofumerge %s\" \"User Commands\"\n", roff(strings.ToUpper(pageOf(cmd))), cmp.Or(date, `""`), roff(process.ThisBuild().Version))
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", roff(pageOf(cmd)), roff(cmd.Short))
	manSynopsis(&out, cmd)
	out.WriteString(".SH DESCRIPTION\n")
	manText(&out, cmp.Or(cmd.Long, cmd.Short+"."))
	if cmd == cmd.Root() {
		manCommands(&out, cmd)
	}
	manFlags(&out, "OPTIONS", ownFlags(cmd))
	manFlags(&out, "GLOBAL OPTIONS", cmd.Root().PersistentFlags())
	for _, section := range []struct{ title, text string }{
		{"ADDRESSES", addressesText}, {"ENGINES", enginesText}, {"CONFIGURATION", configurationText},
	} {
		if cmd == cmd.Root() {
			fmt.Fprintf(&out, ".SH %s\n", section.title)
			manText(&out, section.text)
		}
	}
	for _, section := range []struct{ title, text string }{
		{"EXIT STATUS", exitStatusText}, {"ENVIRONMENT", environmentText}, {"FILES", filesText}, {"EXAMPLES", cmd.Example},
	} {
		if section.text != "" {
			fmt.Fprintf(&out, ".SH \"%s\"\n", section.title)
			manText(&out, section.text)
		}
	}
	manOthers(&out, cmd)
	return out.Bytes()
}

// commitDate is the day of the commit that the program was built from, so that pages do not change
// daily, or the day of SOURCE_DATE_EPOCH; "" if neither is known.
func (a *app) commitDate() string {
	const day = "2006-01-02"
	if seconds, err := strconv.ParseInt(a.ws.Env("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC().Format(day)
	}
	if at, err := time.Parse(time.RFC3339, process.ThisBuild().Date); err == nil {
		return at.UTC().Format(day)
	}
	return ""
}

// manSynopsis writes how a command is called.
func manSynopsis(out *bytes.Buffer, cmd *cobra.Command) {
	rest := strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())
	fmt.Fprintf(out, ".SH SYNOPSIS\n\\fB%s\\fR%s\n", roff(cmd.CommandPath()), roff(rest))
	if cmd == cmd.Root() {
		fmt.Fprintf(out, ".br\n\\fB%s\\fR \\fICOMMAND\\fR [flags]\n", roff(cmd.Name()))
	}
}

// manCommands writes a section on the commands below one.
func manCommands(out *bytes.Buffer, cmd *cobra.Command) {
	out.WriteString(".SH COMMANDS\n")
	for _, c := range paged(cmd) {
		fmt.Fprintf(out, ".TP\n\\fB%s\\fR(1)\n%s\n", roff(pageOf(c)), roff(c.Short))
	}
}

// manOthers writes the section on other pages.
func manOthers(out *bytes.Buffer, cmd *cobra.Command) {
	var others []string
	if cmd.HasParent() {
		others = append(others, pageOf(cmd.Parent()))
	}
	for _, c := range paged(cmd) {
		others = append(others, pageOf(c))
	}
	for i := range others {
		others[i] = "\\fB" + roff(others[i]) + "\\fR(1)"
	}
	if len(others) > 0 {
		fmt.Fprintf(out, ".SH \"SEE ALSO\"\n%s\n", strings.Join(others, ",\n"))
	}
}

// manText writes paragraphs. Lines that are set in by blanks stay as they are.
func manText(out *bytes.Buffer, text string) {
	text = strings.Trim(text, "\n")
	for i, part := range partsOf(text) {
		if i > 0 {
			out.WriteString(".PP\n")
		}
		if strings.HasPrefix(part, " ") {
			fmt.Fprintf(out, ".nf\n%s\n.fi\n", roff(part))
			continue
		}
		part = strings.Join(strings.Fields(part), " ")
		out.WriteString(roff(screen.Wrap(part, manWidth, "")) + "\n")
	}
}

// manWidth is where lines of a page's source are broken, so that they fit 80 columns with
// what roff adds to them.
const manWidth = 60

// partsOf splits a text into paragraphs and indented parts, which include their blank lines.
func partsOf(text string) []string {
	var parts []string
	isIn := false
	for line := range strings.SplitSeq(text, "\n") {
		last := len(parts) - 1
		switch starts := strings.HasPrefix(line, " "); {
		case line == "" && !isIn:
			parts = append(parts, "")
		case line != "" && starts != isIn, last < 0:
			parts, isIn = append(parts, line), starts
		default:
			parts[last] += "\n" + line
		}
	}
	for i := range parts {
		parts[i] = strings.Trim(parts[i], "\n")
	}
	return slices.DeleteFunc(parts, func(part string) bool { return part == "" })
}

// manFlags writes a section on flags, as help words them.
func manFlags(out *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(out, ".SH \"%s\"\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		head := "\\fB" + roff("--"+f.Name) + "\\fR"
		if f.Shorthand != "" {
			head = "\\fB" + roff("-"+f.Shorthand) + "\\fR, " + head
		}
		value, usage := flagValue(f)
		if value != "" {
			head += value[:1] + "\\fI" + roff(value[1:]) + "\\fR"
		}
		fmt.Fprintf(out, ".TP\n%s\n%s\n", head, roff(usage+defaultOf(f)))
	})
}

// inRoff are the characters that mean something to roff, or that it prints as others.
var inRoff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`)

// roff writes text so that it is printed as it is.
func roff(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = inRoff.Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

func writeCompletions(root *cobra.Command, dir string) error {
	for name, write := range map[string]func(io.Writer) error{
		"tofumerge.bash": func(w io.Writer) error { return bashCompletion(root, w, true) },
		"_tofumerge":     root.GenZshCompletion,
		"tofumerge.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"tofumerge.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var script bytes.Buffer
		if err := write(&script); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), script.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
