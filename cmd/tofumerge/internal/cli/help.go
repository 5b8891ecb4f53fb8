package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	rulepages "github.com/tofumerge/tofumerge/docs"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// The output of --help and of the command help. The first paragraph of a command's Long is its
// help; the rest is for "help COMMAND", and for the manual pages.

// isLong selects the long description of a command.
type isLong bool

// writeHelp writes the help of a command.
func (a *app) writeHelp(w io.Writer, cmd *cobra.Command, long isLong) error {
	s := a.ws.Screen(w)
	initHelpFlag(cmd)
	var out strings.Builder
	const usage = "Usage:"
	fmt.Fprintf(&out, "%s%s\n", s.Place(usage), s.WrapLine(len(usage), " "+cmd.UseLine(), "       "))
	if !cmd.HasParent() {
		fmt.Fprintf(&out, "       %s COMMAND [flags]\n", cmd.Name())
	}
	intro, details := introOf(cmd)
	out.WriteString("\n" + term.Flow(intro, s))
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&out, "\n%s\n%s\n", s.Place(title+":"), strings.TrimRight(text, "\n"))
		}
	}
	section("Examples", cmd.Example)
	section("Commands", commandList(cmd, s))
	section("Flags", flagLines(particular(cmd, ownFlags(cmd)), s))
	section("Shared flags", groupLines(cmd, s))
	if long && details != "" {
		out.WriteString("\n" + term.Flow(details, s))
	}
	out.WriteString("\n" + term.Flow(pointersOf(cmd, bool(long) || details == ""), s))
	_, err := io.WriteString(w, out.String())
	return err
}

// initHelpFlag gives a command the flag --help.
func initHelpFlag(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	if f := cmd.Flags().Lookup("help"); f != nil {
		f.Usage = "print this help"
	}
}

// introOf separates the first paragraph of a command's description from the rest.
func introOf(cmd *cobra.Command) (intro, details string) {
	intro, details, _ = strings.Cut(strings.TrimSpace(cmd.Long), "\n\n")
	if intro == "" {
		intro = cmd.Short + "."
	}
	return intro, details
}

// ownFlags are the flags of a command that those below it don't have.
func ownFlags(cmd *cobra.Command) *pflag.FlagSet {
	own := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if cmd.Root().PersistentFlags().Lookup(f.Name) == nil {
			own.AddFlag(f)
		}
	})
	return own
}

// particular returns the flags of a command that nothing else describes: neither a group, nor, for
// the program itself, the help of render.
func particular(cmd *cobra.Command, flags *pflag.FlagSet) *pflag.FlagSet {
	list := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	render, _, _ := cmd.Root().Find([]string{"render"})
	flags.VisitAll(func(f *pflag.Flag) {
		isOfRender := !cmd.HasParent() && render != cmd && f.Name != "help" && render.LocalNonPersistentFlags().Lookup(f.Name) != nil
		if !isInGroup(f.Name) && !isOfRender {
			list.AddFlag(f)
		}
	})
	return list
}

// flagLines lists flags with their purposes and defaults.
func flagLines(flags *pflag.FlagSet, s screen.Screen) string {
	var heads, texts []string
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := flagValue(f)
		letter := "    "
		if f.Shorthand != "" {
			letter = "-" + f.Shorthand + ", "
		}
		head := "  " + letter + "--" + f.Name + value
		heads, texts = append(heads, head), append(texts, usage+defaultOf(f))
	})
	return columns(heads, texts, s)
}

// flagValue is the value of a flag as written after its name, in brackets if it is optional, and
// the purpose of the flag.
func flagValue(f *pflag.Flag) (value, usage string) {
	value, usage = pflag.UnquoteUsage(f)
	switch {
	case value == "":
		return "", usage
	case f.NoOptDefVal != "":
		return "[=" + value + "]", usage
	}
	return " " + value, usage
}

// leastText is the minimum number of columns for the text beside a flag; with fewer it is written
// below.
const leastText = 30

// defaultOf words the default of a flag, if it has one.
func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "[]", "0":
		return ""
	}
	return fmt.Sprintf(" (default %s)", f.DefValue)
}

// commandList lists the commands below one.
func commandList(cmd *cobra.Command, s screen.Screen) string {
	var out strings.Builder
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" && cmd == cmd.Root() {
			line := fmt.Sprintf("  %-12s %s", c.Name(), c.Short)
			out.WriteString(screen.Wrap(line, s.Width, strings.Repeat(" ", 13)) + "\n")
		}
	}
	return out.String()
}

// pointersOf lists further sources of help.
func pointersOf(cmd *cobra.Command, isAll bool) string {
	root := cmd.Root().Name()
	var list []string
	if !isAll {
		list = append(list, fmt.Sprintf("Details: %s help%s", root, strings.TrimPrefix(cmd.CommandPath(), root)))
	}
	if cmd == cmd.Root() {
		list = append(list, fmt.Sprintf("Flags without a command: %s render --help", root))
	}
	list = append(list, fmt.Sprintf("Shared and global flags: %s help flags", root))
	if cmd == cmd.Root() {
		list = append(list, fmt.Sprintf("Topics: %s help topics", root))
	}
	return strings.Join(list, " · ")
}

func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC | RULE]",
		Short: "Print help for a command, a topic or a rule",
		Long: `help prints everything about a command, a topic, or a rule of check.

Without an argument it prints what --help does; "help topics" lists the topics.`,
		Example: "  tofumerge help explain\n  tofumerge help addresses\n  tofumerge help no-effect",

		ValidArgsFunction: completeHelp,

		RunE: func(_ *cobra.Command, args []string) error {
			word := strings.Join(args, " ")
			if cmd, _, err := root.Find(args); err == nil && (len(args) == 0 || cmd != root) {
				return a.writeHelp(a.ws.Out, cmd, true)
			}
			s := a.ws.Screen(a.ws.Out)
			if check.FindRule(word) != nil {
				_, err := io.WriteString(a.ws.Out, term.Markdown(string(rulepages.Rule(word)), s))
				return err
			}
			if i := slices.IndexFunc(topics, func(t topic) bool { return t.name == word }); i >= 0 {
				_, err := io.WriteString(a.ws.Out, topics[i].text(root, s))
				return err
			}
			return noHelp(root, word)
		},
	}
}

// noHelp is the error about a word that help knows nothing about.
func noHelp(root *cobra.Command, word string) error {
	if hint := engineHint(root, word); hint != "" {
		return fmt.Errorf("no such command, topic or rule: %s; %s", word, hint)
	}
	near := nearestCommand(root, word)
	if near == "" {
		var known []string
		for _, t := range topics {
			known = append(known, t.name)
		}
		for _, r := range check.Rules {
			known = append(known, r.ID)
		}
		near = spelling.Nearest(word, known)
	}
	if near != "" {
		return fmt.Errorf("no such command, topic or rule: %s; did you mean \"%s help %s\"?", diag.Escape(word), root.Name(), near)
	}
	return fmt.Errorf("no such command, topic or rule: %s; to list the commands, run: %s --help", diag.Escape(word), root.Name())
}

// completeHelp lists the commands, topics and rules that have help.
func completeHelp(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	of, _, err := cmd.Root().Find(args)
	if err != nil || of == cmd.Root() && len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []cobra.Completion
	add := func(name, about string) {
		if strings.HasPrefix(name, word) {
			list = append(list, cobra.CompletionWithDesc(name, about))
		}
	}
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() || c == cmd {
			add(c.Name(), c.Short)
		}
	}
	if len(args) == 0 {
		for _, t := range topics {
			add(t.name, t.short)
		}
		for _, r := range check.Rules {
			add(r.ID, r.Title)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// A topic is a page of help that is about no single command.
type topic struct {
	name, short string
	text        func(root *cobra.Command, s screen.Screen) string
}

// topics are all topics, in order; they are set up on first use, because their own list is one of
// them.
var topics []topic

func init() {
	fixed := func(text string) func(*cobra.Command, screen.Screen) string {
		return func(_ *cobra.Command, s screen.Screen) string { return term.Flow(text, s) }
	}
	topics = []topic{
		{"addresses", "Addresses of arguments and blocks, and patterns", fixed(addressesText)},
		{"configuration", "The file .tofumerge.hcl, and ignore comments", fixed(configurationText)},
		{"engines", "Which release of OpenTofu or Terraform is followed", fixed(enginesText)},
		{"environment", "Environment variables", fixed(environmentText)},
		{"exit-status", "Exit status", fixed(exitStatusText)},
		{"flags", "The flags of all commands", func(root *cobra.Command, s screen.Screen) string {
			return groupHelp(root, s) + s.Place("Global:") + " for all commands\n" + flagLines(particular(root, root.PersistentFlags()), s) + "\n" + term.Flow(flagsText, s)
		}},
		{"rules", "The rules of check", func(_ *cobra.Command, s screen.Screen) string {
			return term.Rules(check.Rules, func(r *check.Rule) bool { return !r.Off }, s)
		}},
		{"topics", "This list", func(*cobra.Command, screen.Screen) string {
			var out strings.Builder
			for _, t := range topics {
				fmt.Fprintf(&out, "  %-14s %s\n", t.name, t.short)
			}
			return out.String()
		}},
	}
}
