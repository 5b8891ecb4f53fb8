package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newManCommand makes the command that packagers run: it writes the manual pages,
// or the completions, into a directory.
func newManCommand() *cobra.Command {
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
			return writeManPages(cmd.Root(), args[0])
		},
	}
	cmd.Flags().BoolVar(&completions, "completions", false, "write the completions of all shells instead")
	return cmd
}

// writeManPages writes the page of a command, and those of the commands below it.
func writeManPages(cmd *cobra.Command, dir string) error {
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		if err := writeManPages(c, dir); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, pageOf(cmd)+".1"), manPage(cmd), 0o666)
}

// pageOf is the name of a command's page.
func pageOf(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is a command's page: what its help says, in roff. It has no date, so that it
// does not differ from day to day.
func manPage(cmd *cobra.Command) []byte {
	cmd.InitDefaultHelpFlag()
	var out bytes.Buffer
	name := roff(pageOf(cmd))
	fmt.Fprintf(&out, ".TH \"%s\" 1 \"\" \"%s\"\n", roff(strings.ToUpper(pageOf(cmd))), cmd.Root().Name())
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", name, roff(cmd.Short))
	fmt.Fprintf(&out, ".SH SYNOPSIS\n\\fB%s\\fR\n", roff(cmd.UseLine()))
	out.WriteString(".SH DESCRIPTION\n")
	manText(&out, cmp.Or(cmd.Long, cmd.Short))
	manFlags(&out, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&out, "OPTIONS INHERITED FROM PARENT COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&out, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, pageOf(cmd.Parent()))
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			others = append(others, pageOf(c))
		}
	}
	for i := range others {
		others[i] = "\\fB" + roff(others[i]) + "\\fR(1)"
	}
	if len(others) > 0 {
		fmt.Fprintf(&out, ".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	}
	return out.Bytes()
}

// manText writes paragraphs. Lines that are set off by blanks stay as they are.
func manText(out *bytes.Buffer, text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			out.WriteString(".PP\n")
		}
		isFilled := true
		for _, line := range strings.Split(strings.Trim(paragraph, "\n"), "\n") {
			if isText := strings.TrimLeft(line, " \t") == line; isText != isFilled {
				out.WriteString(map[bool]string{true: ".fi\n", false: ".nf\n"}[isText])
				isFilled = isText
			}
			out.WriteString(roff(line) + "\n")
		}
		if !isFilled {
			out.WriteString(".fi\n")
		}
	}
}

// manFlags writes a section on flags, as help words them.
func manFlags(out *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(out, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		head := "\\fB" + roff("--"+f.Name) + "\\fR"
		if f.Shorthand != "" {
			head = "\\fB" + roff("-"+f.Shorthand) + "\\fR, " + head
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			head += " \\fI" + roff(value) + "\\fR"
		}
		switch {
		case f.DefValue == "" || f.DefValue == "false" || f.DefValue == "[]" || f.DefValue == "0":
		case f.Value.Type() == "string":
			usage += fmt.Sprintf(" (default %q)", f.DefValue)
		default:
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(out, ".TP\n%s\n%s\n", head, roff(usage))
	})
}

// inRoff are the characters that mean something to roff, or that it prints as others.
var inRoff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`)

// roff writes text so that it is printed as it is.
func roff(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = inRoff.Replace(line)
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

func writeCompletions(root *cobra.Command, dir string) error {
	for name, write := range map[string]func(string) error{
		"tofumerge.bash": func(path string) error { return writeBashCompletion(root, path) },
		"_tofumerge":     root.GenZshCompletionFile,
		"tofumerge.fish": func(path string) error { return root.GenFishCompletionFile(path, true) },
		"tofumerge.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func writeBashCompletion(root *cobra.Command, path string) error {
	var script bytes.Buffer
	if err := bashCompletion(root, &script, true); err != nil {
		return err
	}
	return os.WriteFile(path, script.Bytes(), 0o666)
}
